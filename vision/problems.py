"""What is wrong with a picture, and what to do about it, as sentences for a person.

Every figure is measured where it counts: blur and brightness on the edges of the markers, the size of
tags at the worst place where one may lie.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from assistant.observation import Problem
from vision.geometry import QR_MODULES, FloatArray, MatGeometry
from vision.markers import FoundMarker
from vision.mat import FEWEST_MARKERS, Pose
from vision.optics import Image, sample

SMALLEST_MODULE_PX = 2.05
"""Below this, enlarged crops read less than 99 of 100 tags (measured on simulated tables)."""
LARGEST_BLUR_MODULES = 0.45
"""Blur (standard deviation) in modules from which decoders fail quickly."""
DARK_WHITE = 45.0
"""Grey level of white paper below which noise and rounding eat the code."""
CLIPPED_WHITE = 253.0
LOOSE_KINDS = ("too_dark", "too_bright", "blurred", "small_tags")
"""What can be wrong with a picture of loose pieces as well, where nobody asks for the mat."""
SOFT_WINDOW = 11
"""Side in pixels of the windows in which edges are looked for without markers."""
FEW_MARKERS = 3
UNEVEN_MM = 1.0
SHARPER = (
    "Focus the lens, wipe it, and keep the camera still. With more light it can expose for a shorter time."
)

Edge = tuple[float, float, float]
"""Grey level of black, grey level of white, blur in pixels (standard deviation)."""


def picture_problems(
    picture: Image, mat: MatGeometry, pose: Pose | None, markers: Sequence[FoundMarker]
) -> Iterator[Problem]:
    """Problems of a grey picture in the order in which to mend them.

    `markers` are those found, ours or not; without a pose the first problem is `no_mat` (unreadable).
    """
    if pose is None:
        yield _no_mat(picture, mat, markers)
        return
    ours = pose.markers
    if len(ours) < FEW_MARKERS:
        yield Problem(
            "few_markers",
            f"Only {len(ours)} of {len(mat.markers)} markers can be seen, so places are less certain. "
            "Uncover the others or move the camera until it sees them.",
            {"seen": len(ours), "printed": len(mat.markers)},
        )
    yield from _out_of_view(picture, mat, pose)
    edges = list(edges_of(picture, ours).values())
    if edges:
        yield from _light(edges)
        yield from _blur(edges, mat, pose)
    yield from _small(mat, pose)
    if pose.residual_mm > UNEVEN_MM:
        yield Problem(
            "uneven_mat",
            f"The markers do not fit together: they are off by {pose.residual_mm:.1f} mm. Flatten the mat, "
            "push its parts together, and check that it was printed at 100 %.",
            {"off_mm": round(pose.residual_mm, 2)},
        )


def loose_problems(picture: Image, modules_px: Sequence[float] = ()) -> Iterator[Problem]:
    """Problems of a grey picture of loose pieces whose tags could not be read, without a mat; at least one.

    `modules_px` are the sides of the modules of codes that were found in it, read or not.
    """
    white = float(np.percentile(picture[::4, ::4], 99))
    soft = softness(picture)
    module = float(np.median(modules_px)) if len(modules_px) else 0.0
    if white < DARK_WHITE:
        yield Problem(
            "too_dark",
            f"The picture is too dark: its brightest parts have the level {white:.0f} of 255. Add light or "
            "let the camera expose longer.",
            {"white": round(white)},
        )
    elif soft is not None and soft > LARGEST_BLUR_MODULES * SMALLEST_MODULE_PX:
        yield Problem(
            "blurred",
            f"The picture is blurred: edges are {soft:.1f} px soft. {SHARPER}",
            {"blur_px": round(soft, 2)},
        )
    elif 0 < module < SMALLEST_MODULE_PX:
        yield Problem(
            "small_tags",
            f"Tags are too small: {module:.2f} px per module, and {SMALLEST_MODULE_PX} are needed. Take the "
            "picture from nearer, of fewer pieces at a time.",
            {"px_per_module": round(module, 2)},
        )
    elif module:
        yield Problem(
            "unread_tags",
            "Codes are there, but damaged, covered or seen too much from the side. Take the picture straight "
            "from above, of fewer pieces at a time.",
        )
    else:
        yield Problem(
            "no_tags",
            "Nothing in it looks like a tag. Show the sides with the tags, from so near that a tag is at "
            f"least {math.ceil(SMALLEST_MODULE_PX * QR_MODULES)} pixels wide.",
        )


def softness(picture: Image) -> float | None:
    """How soft the clearest edges of a grey picture are (standard deviation, px); None without edges.

    A soft step rises by its height over 2.5 standard deviations, so that height and slope give them.
    """
    smooth = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.5), np.uint8)
    slopes = [cv2.Sobel(smooth, cv2.CV_32F, dx, 1 - dx, ksize=1, scale=0.5) for dx in (1, 0)]
    window = np.ones((SOFT_WINDOW, SOFT_WINDOW), np.uint8)
    steepest = cv2.dilate(cv2.magnitude(*slopes), window)[::2, ::2]
    height = cv2.morphologyEx(smooth, cv2.MORPH_GRADIENT, window)[::2, ::2]
    clear = height > max(0.6 * float(np.percentile(height, 99)), 8.0)
    if not clear.any():
        return None
    sigma = float(np.percentile(height[clear] / (math.sqrt(2 * math.pi) * steepest[clear]), 25))
    # Smoothing and sampling between pixels soften by themselves.
    return math.sqrt(max(sigma**2 - 0.25 - 0.12, 0.0))


def _no_mat(picture: Image, mat: MatGeometry, markers: Sequence[FoundMarker]) -> Problem:
    expected = {place.id for place in mat.markers}
    seen = sorted({marker.id for marker in markers} & expected)
    strange = sorted({marker.id for marker in markers} - expected)
    values: dict[str, float | int | str] = {"seen": len(seen), "printed": len(expected)}
    level = float(picture[::8, ::8].mean())
    if not seen and level < 12:
        text = "The picture is almost black. Switch a light on, or take the cap off the lens."
    elif len(seen) >= FEWEST_MARKERS:
        text = (
            f"{len(seen)} markers of the mat can be seen, but they do not fit together. Is this the mat that "
            "was asked for? Flatten it, and take away other mats."
        )
    elif seen:
        text = (
            f"Only marker {seen[0]} of the mat can be seen; at least {FEWEST_MARKERS} are needed to place "
            "the pieces. Uncover the markers or move the camera until it sees the whole mat."
        )
    else:
        text = (
            f"No marker of the mat can be seen (there are {len(expected)}). Point the camera at the mat, "
            "uncover the markers, and check that the lens is clean and in focus."
        )
    if strange and not seen:
        numbers = ", ".join(str(number) for number in strange[:5])
        text += f" Markers of another mat are there: {numbers}."
        values["strange"] = numbers
    return Problem("no_mat", text, values)


def _out_of_view(picture: Image, mat: MatGeometry, pose: Pose) -> Iterator[Problem]:
    """Places for pieces that lie outside the picture, and on which side."""
    points = pose.to_px(places_of(mat))
    height, width = picture.shape
    gone = {
        "left": points[:, 0] < 0,
        "right": points[:, 0] > width - 1,
        "top": points[:, 1] < 0,
        "bottom": points[:, 1] > height - 1,
    }
    sides = [side for side, where in gone.items() if where.any()]
    if sides:
        count = int(np.logical_or.reduce(list(gone.values())).sum())
        yield Problem(
            "out_of_view",
            f"Part of the mat is outside the picture at the {' and '.join(sides)}. Move or raise the camera "
            "until the whole mat is in view.",
            {"sides": ",".join(sides), "places": count},
        )


def _light(edges: Sequence[Edge]) -> Iterator[Problem]:
    black, white = levels(edges)
    values: dict[str, float | int | str] = {"white": round(white), "black": round(black)}
    if white < DARK_WHITE:
        yield Problem(
            "too_dark",
            f"The picture is too dark: white paper has the level {white:.0f} of 255. Add light or let the "
            "camera expose longer.",
            values,
        )
    elif white >= CLIPPED_WHITE:
        yield Problem(
            "too_bright",
            "The picture is too bright: white paper is blown out. Take light away or let the camera expose "
            "for a shorter time.",
            values,
        )


def _blur(edges: Sequence[Edge], mat: MatGeometry, pose: Pose) -> Iterator[Problem]:
    sigma, module, share = blur(edges, mat, pose)
    if share > LARGEST_BLUR_MODULES:
        yield Problem(
            "blurred",
            f"The picture is blurred: edges are {sigma:.1f} px soft, a module of a tag is {module:.1f} px. "
            f"{SHARPER}",
            {"blur_px": round(sigma, 2), "module_px": round(module, 2)},
        )


def _small(mat: MatGeometry, pose: Pose) -> Iterator[Problem]:
    smallest, x, y = smallest_module(mat, pose)
    if smallest >= SMALLEST_MODULE_PX:
        return
    cx, cy, cz = pose.camera_mm
    away = math.hypot(x - cx, y - cy, cz)
    lower = math.ceil(away * (1 - smallest / SMALLEST_MODULE_PX) / 10)
    yield Problem(
        "small_tags",
        f"Tags are too small at x {x:.0f}, y {y:.0f} mm: {smallest:.2f} px per module, and "
        f"{SMALLEST_MODULE_PX} are needed. Lower the camera {lower} cm, point it straight down, or print "
        "larger tags.",
        {
            "px_per_module": round(smallest, 2),
            "lower_cm": lower,
            "x_mm": round(x),
            "y_mm": round(y),
        },
    )


def levels(edges: Sequence[Edge]) -> tuple[float, float]:
    """The grey levels of black and of white paper (0 to 255), by the edges of the markers."""
    return float(np.median([edge[0] for edge in edges])), float(np.median([edge[1] for edge in edges]))


def blur(edges: Sequence[Edge], mat: MatGeometry, pose: Pose) -> tuple[float, float, float]:
    """The blur (standard deviation) and the side of a module of a tag in pixels, and how bad that is.

    That is the blur's share of a module, of the smallest that can be read where tags are too small:
    those are another complaint, and focusing does not help them.
    """
    module = float(np.median(pose.px_per_mm(places_of(mat)))) * mat.code_mm / QR_MODULES
    sigma = float(np.median([edge[2] for edge in edges]))
    return sigma, module, sigma / max(module, SMALLEST_MODULE_PX)


def smallest_module(mat: MatGeometry, pose: Pose) -> tuple[float, float, float]:
    """The side in pixels of a module where tags are smallest, and that place (x, y in mm)."""
    places = places_of(mat)
    modules = pose.px_per_mm(places) * mat.code_mm / QR_MODULES
    worst = int(np.argmin(modules))
    return float(modules[worst]), float(places[worst, 0]), float(places[worst, 1])


def places_of(mat: MatGeometry) -> FloatArray:
    """Points in mm where a tag may lie: slots, else hexes, else the corners of the mat."""
    points = [slot.box.centre for space in mat.spaces for slot in space.slots]
    points += [space.centre for space in mat.spaces if not space.slots]
    if not points and mat.hexgrid is not None:
        points = [mat.hexgrid.centre(q, r) for q, r in mat.hexgrid.cells]
    if not points:
        w, h = mat.width_mm, mat.height_mm
        points = [(0.0, 0.0), (w, 0.0), (w, h), (0.0, h)]
    return np.array(points, np.float64)


def edges_of(picture: Image, markers: Sequence[FoundMarker]) -> dict[int, Edge]:
    """The edge profile of every marker, by its number, that has a clear one."""
    found = ((marker.id, edge_profile(picture, marker)) for marker in markers)
    return {number: edge for number, edge in found if edge is not None}


def edge_profile(picture: Image, marker: FoundMarker) -> Edge | None:
    """Grey level of black and of white beside a marker, and how soft its edges are.

    Softness is the standard deviation in pixels of the blur, from the way between 20 and 80 % of the
    step, averaged over the four edges. None when the marker is too small or touches the frame.
    """
    side = marker.side_px
    reach = min(6.0, side / 6 * 0.8)
    if side < 12:
        return None
    steps = np.linspace(-reach, reach, 97)
    corners = marker.corners_px
    profiles = []
    for i in range(4):
        start, end = corners[i], corners[(i + 1) % 4]
        along = (end - start) / np.hypot(*(end - start))
        outward = np.array([along[1], -along[0]])
        places = np.linspace(0.15, 0.85, 40) * np.hypot(*(end - start))
        spots = start + places[:, None, None] * along + steps[None, :, None] * outward
        if (spots < 1).any() or (spots > [picture.shape[1] - 2, picture.shape[0] - 2]).any():
            return None
        profiles.append(sample(picture, spots).mean(axis=0))
    profile = np.mean(profiles, axis=0)
    black, white = float(profile[:8].mean()), float(profile[-8:].mean())
    if white - black < 4:
        return None
    # The way up is made monotonic so that noise does not cross a level twice.
    rise = np.maximum.accumulate((profile - black) / (white - black))
    low, high = np.interp([0.2, 0.8], rise, steps)
    sigma = (high - low) / (2 * 0.8416)
    # Sampling between pixels softens by itself.
    return black, white, math.sqrt(max(sigma**2 - 0.12, 0.0))
