"""A simulated table: the printed mat and its pieces as a Camera Module 3 would see them.

The mat and the pieces are drawn from the very drawings that are printed, seen through perspective and
lens, with blur, uneven light, noise, hands and things that do not belong there. The same seed and the
same number of a picture give the same bytes. What lies there leaves only as pixels.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from assistant.layout import Mat, Placement, Scene
from vision.careless import CarelessHand, middle_of
from vision.clutter import Hand, Litter, hand_layers, litter_picture
from vision.faces import piece_size
from vision.geometry import CAMERA_MODULE_3, FloatArray, Lens
from vision.mat import Pose
from vision.optics import Image, inverse, sample, through_lens
from vision.textures import RIM_TEXELS, TEXTURE_PX_PER_MM, Textures, prepared

TABLE_RGB = (122.0, 92.0, 66.0)
"""The table top round the mat."""
MOSAIC_PX = 0.45
"""Softness (standard deviation, pixels) that filling in a colour sensor's mosaic adds to the lens' blur."""
GRID_PX = 16
"""Lens and perspective are computed exactly this far apart and filled in linearly (0.002 px off)."""
SHADE = 0.35
"""How dark the shadow beside a piece is."""

Float32 = NDArray[np.float32]


class View(msgspec.Struct, frozen=True):
    """Where the camera is and how good its picture is.

    The camera looks at the middle of the mat plus `shift_mm` from `height_mm` away, tilted by `tilt_deg`
    towards `towards_deg` (0 is right, 90 down) and turned by `turn_deg`. `exposure` is the brightness of
    white paper (1 is full), `uneven` how much darker the darkest corner is, `blur_px` the lens' blur
    (standard deviation), `motion_px` the smear of a moving camera (x, y), `noise` the noise of black in
    grey levels, `shot` that of light. `glare` lists bright reflections (x mm, y mm, radius mm).
    """

    width: int = CAMERA_MODULE_3[0]
    height: int = CAMERA_MODULE_3[1]
    height_mm: float = 900.0
    tilt_deg: float = 0.0
    towards_deg: float = 90.0
    turn_deg: float = 0.0
    shift_mm: tuple[float, float] = (0.0, 0.0)
    exposure: float = 0.88
    uneven: float = 0.25
    blur_px: float = 0.6
    motion_px: tuple[float, float] = (0.0, 0.0)
    noise: float = 1.2
    shot: float = 0.12
    glare: tuple[tuple[float, float, float], ...] = ()
    k1: float = -0.04
    k2: float = 0.01

    @property
    def lens(self) -> Lens:
        """The lens of this camera."""
        lens = Lens.camera_module_3(self.width, self.height)
        return msgspec.structs.replace(lens, k1=self.k1, k2=self.k2, assumed=False)


@dataclass(frozen=True, eq=False)
class _Stamp:
    """One piece as it appears: where in the picture, its lit pixels, and what it leaves of the rest."""

    x: int
    y: int
    lit: Float32
    rest: Float32


class Simulator:
    """Renders scenes on one mat from one view. Keeps the lit empty mat, so that a picture costs little.

    `textures` may be shared between simulators of the same mat: drawing everything takes seconds.
    """

    def __init__(
        self, mat: Mat, view: View | None = None, seed: int = 0, textures: Textures | None = None
    ) -> None:
        self.mat = mat
        self.view = view or View()
        self.seed = seed
        self.textures = textures or Textures(mat)
        self.lens = self.view.lens
        self._rotation, self._shift = _stance(mat, self.view)
        plane = np.column_stack([self._rotation[:, 0], self._rotation[:, 1], self._shift])
        eye = -self._rotation.T @ self._shift
        self._pose = Pose(self.lens, inverse(plane), (float(eye[0]), float(eye[1]), float(-eye[2])), {})
        self._light = self._make_light()
        self._backgrounds: dict[bool, Image] = {}
        self._stamps: dict[tuple[Placement, bool], _Stamp] = {}
        self._litter: dict[tuple[Litter, bool], _Stamp] = {}
        self._noise: Float32 | None = None

    def render(
        self,
        scene: Scene,
        *,
        hands: Sequence[Hand] = (),
        litter: Sequence[Litter] = (),
        frame: int = 0,
        colour: bool = False,
    ) -> Image:
        """One picture (rows x columns uint8; RGB with `colour`) of a scene, pieces exactly as placed.

        `frame` numbers the picture: it only changes the noise. Raises KeyError for a piece or place that
        the mat does not have.
        """
        picture = self._background(colour).copy()
        for thing in litter:
            _press(picture, self._litter_stamp(thing, colour))
        for placement in scene.placements:
            _press(picture, self._stamp(placement, colour))
        for hand in hands:
            self._reach(picture, hand)
        blur = math.hypot(self.view.blur_px, MOSAIC_PX)
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), blur), np.uint8)
        picture = _smeared(picture, self.view.motion_px)
        self._dazzle(picture)
        return self._noisy(picture, frame)

    def where(self, points_mm: FloatArray, height_mm: float = 0.0) -> FloatArray:
        """Pixels (n x 2) at which points of the mat (n x 2, mm) appear when `height_mm` above it."""
        solid = np.column_stack([points_mm, np.full(len(points_mm), -height_mm)])
        seen = solid @ self._rotation.T + self._shift
        return through_lens(seen[:, :2] / seen[:, 2:], self.lens)

    # ---- the empty table

    def _background(self, colour: bool) -> Image:
        """The lit mat on the table with nothing on it."""
        if colour not in self._backgrounds:
            there = self._plane()
            texels = there * np.float32(TEXTURE_PX_PER_MM) - np.float32(0.5)
            mat = sample(self.textures.mat(colour), texels)
            inside = self._inside(there)
            table = self._table_top(there, colour)
            if colour:
                inside, light = inside[..., None], self._light[..., None]
            else:
                light = self._light
            lit = (table + (mat - table) * inside) * light
            self._backgrounds[colour] = np.clip(lit + 0.5, 0, 255).astype(np.uint8)
        return self._backgrounds[colour]

    def _plane(self) -> Float32:
        """The point of the mat (mm) that every pixel looks at (rows x columns x 2)."""
        return _filled(self.view.width, self.view.height, GRID_PX, self._pose.to_mm)

    def _inside(self, there: Float32) -> Float32:
        """How much of each pixel is mat, 0 to 1."""
        scale = np.float32(self.lens.fx / self.view.height_mm)
        x, y = there[..., 0], there[..., 1]
        gap = np.minimum(np.minimum(x, self.mat.width_mm - x), np.minimum(y, self.mat.height_mm - y))
        return np.asarray(np.clip(gap * scale + np.float32(0.5), 0, 1), np.float32)

    def _table_top(self, there: Float32, colour: bool) -> Float32:
        """Wood: long soft grain."""
        rng = np.random.default_rng([self.seed, 1])
        grain = rng.standard_normal((256, 64)).astype(np.float32)
        grain = np.asarray(cv2.GaussianBlur(grain, (0, 0), sigmaX=4, sigmaY=0.8), np.float32)
        grain = 1 + 0.12 * grain / grain.std()
        # Mirrored, not repeated: no seams. A quarter of the picture's resolution is enough for grain.
        coarse = there[::4, ::4]
        rows = _to_and_fro(coarse[..., 1] * np.float32(256 / 400), 255)
        columns = _to_and_fro(coarse[..., 0] * np.float32(64 / 500), 63)
        small = np.asarray(sample(grain, np.stack([columns, rows], axis=-1)), np.float32)
        size = (there.shape[1], there.shape[0])
        wood = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR), np.float32)
        tone = np.array(TABLE_RGB, np.float32)
        if not colour:
            return wood * np.float32(tone @ [0.299, 0.587, 0.114])
        return wood[..., None] * tone

    def _make_light(self) -> Float32:
        """Brightness of white paper at every pixel: a lamp to one side, soft unevenness, the lens' edge."""
        view = self.view
        rng = np.random.default_rng([self.seed, 0])
        width, height = math.ceil(view.width / 32) + 1, math.ceil(view.height / 32) + 1
        ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
        xs, ys = 2 * xs / (width - 1) - 1, (2 * ys / (height - 1) - 1) * view.height / view.width
        angle = rng.uniform(0, 2 * math.pi)
        slope = (xs * math.cos(angle) + ys * math.sin(angle)) / 2
        clouds = cv2.GaussianBlur(rng.standard_normal((height, width)).astype(np.float32), (0, 0), height / 6)
        clouds = (clouds - clouds.mean()) / (clouds.std() + 1e-9)
        field = slope + 0.12 * clouds
        field = (field - field.max()) / (field.max() - field.min() + 1e-9)
        vignette = 1 - 0.12 * (xs**2 + ys**2)
        small = (view.exposure * (1 + view.uneven * field) * vignette).astype(np.float32)
        return np.asarray(
            cv2.resize(small, (view.width, view.height), interpolation=cv2.INTER_CUBIC), np.float32
        )

    # ---- what lies on it

    def _stamp(self, placement: Placement, colour: bool) -> _Stamp:
        key = (placement, colour)
        if key not in self._stamps:
            piece = self.mat.piece_named(placement.payload)
            x, y = middle_of(self.mat, placement)
            face, outline = self.textures.face(placement.payload, colour)
            size = piece_size(self.mat, piece)
            self._stamps[key] = self._stamped(
                face, outline, size, (x, y), placement.turn_deg, piece.height_mm
            )
        return self._stamps[key]

    def _litter_stamp(self, thing: Litter, colour: bool) -> _Stamp:
        key = (thing, colour)
        if key not in self._litter:
            rgb = litter_picture(thing, TEXTURE_PX_PER_MM)
            size = (rgb.shape[1] / TEXTURE_PX_PER_MM, rgb.shape[0] / TEXTURE_PX_PER_MM)
            face, outline = prepared(rgb, np.full(rgb.shape[:2], 255, np.uint8), colour)
            at = (thing.x_mm, thing.y_mm)
            self._litter[key] = self._stamped(face, outline, size, at, thing.turn_deg, thing.height_mm)
        return self._litter[key]

    def _stamped(
        self,
        face: Image,
        outline: Image,
        size_mm: tuple[float, float],
        at_mm: tuple[float, float],
        turn_deg: float,
        height_mm: float,
    ) -> _Stamp:
        """A drawing seen at its place: over a piece's few pixels the lens is a plain perspective."""
        rim = RIM_TEXELS / TEXTURE_PX_PER_MM
        # A raster is rounded up to whole pixels: it is laid by its top left corner, at its own size.
        left, top = -size_mm[0] / 2 - rim, -size_mm[1] / 2 - rim
        right, bottom = left + face.shape[1] / TEXTURE_PX_PER_MM, top + face.shape[0] / TEXTURE_PX_PER_MM
        turn = math.radians(turn_deg)
        rotation = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
        corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
        quad = self.where(corners @ rotation.T + at_mm, height_mm)
        # Room for the shadow; only what falls into the picture is computed.
        x0, y0 = (np.floor(quad.min(axis=0)) - 6).clip(0, None).astype(int)
        x1, y1 = (np.ceil(quad.max(axis=0)) + 6).clip(None, self._light.shape[::-1]).astype(int)
        if x1 <= x0 or y1 <= y0:
            nothing = np.zeros((0, 0), np.float32)
            return _Stamp(0, 0, nothing, nothing)
        h, w = face.shape[:2]
        source = np.array([[-0.5, -0.5], [w - 0.5, -0.5], [w - 0.5, h - 0.5], [-0.5, h - 0.5]], np.float32)
        matrix = cv2.getPerspectiveTransform(source, (quad - [x0, y0]).astype(np.float32))
        target = (int(x1 - x0), int(y1 - y0))
        border = cv2.BORDER_REPLICATE
        seen = np.asarray(cv2.warpPerspective(face, matrix, target, borderMode=border), np.float32)
        cover = np.asarray(cv2.warpPerspective(outline, matrix, target), np.float32) / np.float32(255)
        reach = 1 + 2 * height_mm
        dark = np.float32(SHADE * min(1.0, reach / 2))
        shade = np.asarray(cv2.GaussianBlur(cover, (0, 0), min(reach, 4.0)), np.float32) * dark
        light = self._light[y0:y1, x0:x1]
        if seen.ndim == 3:
            light, cover, shade = light[..., None], cover[..., None], shade[..., None]
        return _Stamp(int(x0), int(y0), seen * light * cover, (1 - cover) * (1 - shade))

    # ---- in front of it

    def _reach(self, picture: Image, hand: Hand) -> None:
        """A hand and its shadow over the picture."""
        layers = hand_layers(hand, self.where, picture.shape[:2])
        if layers is None:
            return
        y, x = layers.y, layers.x
        rows, columns = layers.cover.shape
        part = picture[y : y + rows, x : x + columns]
        light = self._light[y : y + rows, x : x + columns]
        tone = layers.rgb if picture.ndim == 3 else (layers.rgb @ np.array([0.299, 0.587, 0.114], np.float32))
        cover, shade = layers.cover, layers.shade
        if picture.ndim == 3:
            light, cover, shade = light[..., None], cover[..., None], shade[..., None]
        mixed = part * (1 - shade) * (1 - cover) + tone * light * cover
        part[:] = np.clip(mixed + 0.5, 0, 255).astype(np.uint8)

    def _dazzle(self, picture: Image) -> None:
        """Reflections of a lamp: soft, brighter than paper in the middle."""
        for x_mm, y_mm, radius_mm in self.view.glare:
            x, y = self.where(np.array([[x_mm, y_mm]]))[0]
            radius = radius_mm * self.lens.fx / self.view.height_mm
            x0, x1 = np.clip([int(x - 2 * radius), int(x + 2 * radius)], 0, picture.shape[1])
            y0, y1 = np.clip([int(y - 2 * radius), int(y + 2 * radius)], 0, picture.shape[0])
            if x1 <= x0 or y1 <= y0:
                continue
            ys, xs = np.mgrid[y0:y1, x0:x1].astype(np.float32)
            spot = 320 * np.exp(-(((xs - x) ** 2 + (ys - y) ** 2) / (2 * (radius / 1.6) ** 2)))
            part = picture[y0:y1, x0:x1]
            spot = spot[..., None] if picture.ndim == 3 else spot
            part[:] = np.clip(part + spot, 0, 255).astype(np.uint8)

    def _noisy(self, picture: Image, frame: int) -> Image:
        """Sensor noise, stronger where it is bright. A window into one field of noise, moved per picture."""
        if self.view.noise <= 0 and self.view.shot <= 0:
            return picture
        height, width = picture.shape[:2]
        if self._noise is None:
            rng = np.random.default_rng([self.seed, 2])
            field = rng.standard_normal((height + NOISE_ROOM, width + NOISE_ROOM), np.float32)
            # The camera's own processing makes neighbours alike.
            field = np.asarray(cv2.GaussianBlur(field, (0, 0), 0.45), np.float32)
            self._noise = field / np.float32(field[:256].std())
        y, x = np.random.default_rng([self.seed, 3, frame]).integers(0, NOISE_ROOM, 2)
        levels = np.arange(256, dtype=np.float32)
        strength = np.sqrt(self.view.noise**2 + self.view.shot**2 * levels).astype(np.float32)
        spread = np.asarray(cv2.LUT(picture, strength), np.float32)
        window = self._noise[y : y + height, x : x + width]
        spread *= window if picture.ndim == 2 else window[..., None]
        return np.asarray(cv2.add(picture, spread, dtype=cv2.CV_8U), np.uint8)


NOISE_ROOM = 256
"""How far the window of noise may be moved, in rows and columns."""


class SimulatedTable:
    """A table with careless people: what lies there, hands over it, and pictures of it.

    The demo and the tests lay scenes; a camera only ever gets `picture`. A piece that stays where it is
    keeps lying as it lay; a new one is put down off-centre and turned (seeded).
    """

    def __init__(
        self, mat: Mat, view: View | None = None, seed: int = 0, textures: Textures | None = None
    ) -> None:
        self.simulator = Simulator(mat, view, seed, textures)
        self.hands: tuple[Hand, ...] = ()
        self.litter: tuple[Litter, ...] = ()
        self._careless = CarelessHand(mat, seed)
        self._lies = Scene(())
        self._frame = 0

    @property
    def lies(self) -> Scene:
        """What lies on the table, exactly (truth: not for anything that sees through the camera)."""
        return self._lies

    def lay(self, scene: Scene) -> None:
        """Make the table look like a scene; offsets in it are added to the carelessness."""
        self._lies = self._careless.lay(scene)

    def view_from(self, view: View) -> None:
        """Move the camera or change the light."""
        now = self.simulator
        self.simulator = Simulator(now.mat, view, now.seed, now.textures)

    def picture(self, *, colour: bool = False) -> Image:
        """The next picture (grey uint8, or RGB with `colour`)."""
        self._frame += 1
        return self.simulator.render(
            self._lies, hands=self.hands, litter=self.litter, frame=self._frame, colour=colour
        )


def _stance(mat: Mat, view: View) -> tuple[FloatArray, FloatArray]:
    """Rotation and shift from the mat (x right, y down, z into the table) to the camera."""
    tilt, towards, turn = (math.radians(a) for a in (view.tilt_deg, view.towards_deg, view.turn_deg))
    axis = np.array([-math.sin(towards), math.cos(towards), 0.0]) * tilt
    leaning = np.asarray(cv2.Rodrigues(axis)[0], np.float64)
    turning = np.asarray(cv2.Rodrigues(np.array([0.0, 0.0, turn]))[0], np.float64)
    rotation = turning @ leaning
    middle = np.array([mat.width_mm / 2 + view.shift_mm[0], mat.height_mm / 2 + view.shift_mm[1], 0.0])
    return rotation, np.array([0.0, 0.0, view.height_mm]) - rotation @ middle


def _to_and_fro(values: Float32, last: int) -> Float32:
    """Values folded into 0 to `last`, running up and down."""
    return np.asarray(last - np.abs(np.mod(values, 2 * last) - last), np.float32)


def _filled(width: int, height: int, step: int, exact: Callable[[FloatArray], FloatArray]) -> Float32:
    """A map of points for every pixel, exact every `step` pixels and linear in between."""
    columns, rows = math.ceil(width / step) + 2, math.ceil(height / step) + 2
    # The middles of blocks, with one block to spare on every side.
    xs = (np.arange(columns) - 0.5) * step - 0.5
    ys = (np.arange(rows) - 0.5) * step - 0.5
    nodes = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    coarse = exact(nodes).astype(np.float32).reshape(rows, columns, 2)
    dense = cv2.resize(coarse, (columns * step, rows * step), interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(dense[step : step + height, step : step + width], np.float32)


def _press(picture: Image, stamp: _Stamp) -> None:
    """Put a piece into the picture."""
    rows, columns = stamp.rest.shape[:2]
    if not rows:
        return
    part = picture[stamp.y : stamp.y + rows, stamp.x : stamp.x + columns]
    part[:] = np.clip(part * stamp.rest + stamp.lit + 0.5, 0, 255).astype(np.uint8)


def _smeared(picture: Image, motion: tuple[float, float]) -> Image:
    """The picture of a camera that moved by (x, y) pixels during the exposure."""
    length = math.hypot(*motion)
    if length < 0.05:
        return picture
    half = math.ceil(length / 2) + 1
    kernel = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
    for share in np.linspace(-0.5, 0.5, 64):
        x, y = half + motion[0] * share, half + motion[1] * share
        column, row = int(x), int(y)
        kernel[row : row + 2, column : column + 2] += np.outer(
            [row + 1 - y, y - row], [column + 1 - x, x - column]
        )
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.uint8)
