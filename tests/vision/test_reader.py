"""From a picture to what lies where: every clean tag, the right place, nothing that is not ours."""

from collections.abc import Iterable
from functools import cache

import cv2
import msgspec
import numpy as np
import pytest
import segno
from numpy.typing import NDArray

from assistant.layout import Placement, Scene
from assistant.observation import Condition, Observation, Sighting
from tests.vision.foreign import foreign_table
from tests.vision.tables import LOW, drawn, full_scene, small_mat
from vision.careless import middle_of
from vision.clutter import Hand, Litter
from vision.decoders import read_zbar, read_zxing, readable
from vision.faces import code_box, piece_size
from vision.geometry import MatGeometry
from vision.mat import Pose, locate
from vision.optics import Image
from vision.problems import SMALLEST_MODULE_PX
from vision.reader import Reader, grey, read_picture, to_json
from vision.simulator import SimulatedTable, View

MAT = small_mat()
OURS = MatGeometry.from_mat(MAT)


@cache
def reader() -> Reader:
    return Reader(OURS, OURS.payloads)


def table(view: View = LOW, seed: int = 1, scene: Scene | None = None) -> SimulatedTable:
    made = SimulatedTable(MAT, view, seed, drawn())
    made.lay(full_scene(MAT) if scene is None else scene)
    return made


def kinds(observation: Observation) -> list[str]:
    return [problem.kind for problem in observation.problems]


def code_place(placement: Placement) -> NDArray[np.float64]:
    """Where the middle of a piece's code really is (mm)."""
    piece = MAT.piece_named(placement.payload)
    turn = np.radians(placement.turn_deg)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    inner = np.array(code_box(MAT, piece).centre) - np.array(piece_size(MAT, piece)) / 2
    return np.asarray(middle_of(MAT, placement) + rotation @ inner, np.float64)


# ---- somebody else's mat


@pytest.mark.parametrize(
    ("seed", "px_per_module", "tilt", "hand"),
    [(1, 3.0, 5.0, False), (2, 3.0, 12.0, True), (3, 4.0, 0.0, False), (5, 3.5, 8.0, True)],
)
@pytest.mark.parametrize("camera", [True, False])
def test_a_foreign_table_is_read_whole(
    seed: int, px_per_module: float, tilt: float, hand: bool, camera: bool
) -> None:
    there = foreign_table(seed, px_per_module=px_per_module, tilt_deg=tilt, hand=hand)
    seen = read_picture(there.picture, there.geometry(camera=camera))
    truth = {token.payload: token for token in there.tokens}
    read = {sighting.payload: sighting for sighting in seen.sightings}
    assert {token.payload for token in there.tokens if token.clear} <= set(read)
    assert set(read) <= set(truth)
    assert len(read) == len(seen.sightings)
    # Three markers do not say everything about a lens that is ten degrees from the usual one.
    most = 0.7 if camera or not hand else 1.2
    for payload, sighting in read.items():
        token = truth[payload]
        assert sighting.hex == token.cell
        assert np.hypot(sighting.x_mm - token.x_mm, sighting.y_mm - token.y_mm) < most
        assert sighting.px_per_module == pytest.approx(px_per_module, rel=0.2)


def test_a_roster_says_what_is_ours() -> None:
    there = foreign_table(1)
    known = {token.payload for token in there.tokens[:4]}
    seen = read_picture(there.picture, there.geometry(), known)
    assert {sighting.payload for sighting in seen.sightings} == known
    assert set(seen.foreign) == {token.payload for token in there.tokens[4:]}


def test_codes_of_another_size_are_not_ours() -> None:
    there = foreign_table(1)
    geometry = there.geometry()
    larger = msgspec.structs.replace(geometry, code_mm=geometry.code_mm * 1.4)
    seen = read_picture(there.picture, larger)
    assert seen.sightings == ()
    assert len(seen.foreign) >= 14


# ---- our own mat


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_tag_of_our_own_is_read_in_its_slot(seed: int) -> None:
    made = table(seed=seed)
    seen = reader().read(made.picture())
    lies = {placement.payload: placement for placement in made.lies.placements}
    assert {sighting.payload for sighting in seen.sightings} == set(lies)
    assert len(lies) == 29
    for sighting in seen.sightings:
        placement = lies[sighting.payload]
        assert (sighting.space, sighting.slot) == (placement.space, placement.slot)
        assert sighting.hex == MAT.space_named(placement.space).hex
        assert np.hypot(*(code_place(placement) - [sighting.x_mm, sighting.y_mm])) < 0.7
        assert (sighting.turn_deg - placement.turn_deg + 180) % 360 - 180 == pytest.approx(0, abs=4)
    assert (seen.hidden, seen.doubtful, seen.foreign, kinds(seen)) == (frozenset(), frozenset(), (), [])


def test_the_picture_of_the_real_camera_is_read() -> None:
    made = SimulatedTable(MAT, View(tilt_deg=3.0, shift_mm=(120.0, -60.0)), 1, drawn())
    made.lay(full_scene(MAT))
    seen = reader().read(made.picture())
    assert {(s.payload, s.space, s.slot) for s in seen.sightings} == {
        (p.payload, p.space, p.slot) for p in made.lies.placements
    }
    assert seen.hidden | seen.doubtful == frozenset()
    assert min(s.px_per_module for s in seen.sightings) == pytest.approx(2.2, abs=0.15)


def test_tags_lying_any_way_round_are_read() -> None:
    turned = tuple(
        msgspec.structs.replace(placement, turn_deg=37.0 * i)
        for i, placement in enumerate(full_scene(MAT).placements)
        if placement.space.startswith("h") and placement.slot in "AD"
    )
    made = table(scene=Scene(turned))
    seen = reader().read(made.picture())
    assert {s.payload for s in seen.sightings} == {p.payload for p in turned}


def test_empty_spaces_are_seen_to_be_empty() -> None:
    seen = reader().read(table(scene=Scene(())).picture())
    assert {seen.condition(space.id) for space in MAT.spaces} == {Condition.EMPTY}


@pytest.mark.parametrize(
    "hand",
    [Hand(150, 95, 60), Hand(110, 80, 140, skin=(92, 62, 50), sleeve=(200, 196, 188)), Hand(270, 80, 20)],
)
def test_a_hand_hides_and_never_empties(hand: Hand) -> None:
    made = table()
    made.hands = (hand,)
    seen = reader().read(made.picture())
    read = {sighting.payload for sighting in seen.sightings}
    lost = [placement for placement in made.lies.placements if placement.payload not in read]
    assert lost
    for placement in lost:
        assert seen.condition(placement.space) in (Condition.HIDDEN, Condition.DOUBTFUL)
    empty = table(scene=Scene(()))
    empty.hands = (hand,)
    bare = reader().read(empty.picture())
    assert bare.sightings == ()
    assert {placement.space for placement in lost} <= bare.hidden | bare.doubtful
    assert bare.hidden != {space.id for space in MAT.spaces}


def test_shadow_alone_hides_nothing() -> None:
    seen = reader().read(table(msgspec.structs.replace(LOW, uneven=0.7, exposure=0.5)).picture())
    assert seen.hidden == frozenset()
    assert len(seen.sightings) == 29


def test_a_smeared_tag_is_doubtful_not_gone() -> None:
    made = table()
    picture = made.picture()
    target = next(p for p in made.lies.placements if p.space == "h11")
    x, y = made.simulator.where(code_place(target)[None])[0].astype(int)
    part = picture[y - 26 : y + 26, x - 26 : x + 26]
    # Every other row of modules is the wrong way round: too much even for the codebook.
    part[10:-10:4] = part[10:-10:4, ::-1]
    part[11:-10:4] = part[11:-10:4, ::-1]
    seen = reader().read(picture)
    assert target.payload not in {s.payload for s in seen.sightings}
    assert seen.condition("h11") is Condition.DOUBTFUL


def test_foreign_codes_are_counted_and_never_pieces() -> None:
    made = table(scene=full_scene(MAT, without=frozenset({"cards:2", "bid:1"})))
    x, y = MAT.space_named("cards:2").centre
    made.litter = (
        Litter("qr", x, y, text="HTTPS://A.B/C"),
        Litter("bars", 200, 183, 20),
        Litter("die", 60, 20),
    )
    seen = reader().read(made.picture())
    assert seen.foreign == ("HTTPS://A.B/C",)
    assert {s.payload for s in seen.sightings} == {p.payload for p in made.lies.placements}
    assert seen.condition("cards:2") is not Condition.EMPTY


def test_the_same_payload_twice_is_two_sightings() -> None:
    first = MAT.pieces[0].payload
    made = table(scene=Scene((Placement(first, "h00", "A"),)))
    x, y = MAT.space_named("h20").slots[0].box.centre
    made.litter = (Litter("qr", x, y, 12 * 25 / 21, text=first),)
    seen = reader().read(made.picture())
    assert sorted((s.payload, s.space) for s in seen.sightings) == [(first, "h00"), (first, "h20")]


def test_a_bare_table_gives_no_tags() -> None:
    rng = np.random.default_rng(0)
    for _ in range(10):
        noise = rng.normal(0, 1, (400, 600)).astype(np.float32)
        grain = cv2.GaussianBlur(noise, (0, 0), sigmaX=rng.uniform(1, 9), sigmaY=rng.uniform(0.5, 3))
        wood = np.clip(120 + 60 * grain / grain.std(), 0, 255).astype(np.uint8)
        assert read_zxing(wood) == []
        assert read_zbar(wood) == []


# ---- some spaces only


def pose_of(picture: Image) -> Pose:
    pose = locate(picture, OURS)
    assert pose is not None
    return pose


def by_place(sightings: Iterable[Sighting]) -> set[tuple[str, str | None, str | None]]:
    return {(s.payload, s.space, s.slot) for s in sightings}


@pytest.mark.parametrize("view", [LOW, msgspec.structs.replace(LOW, height_mm=430.0)])
def test_some_spaces_are_read_as_in_the_whole_picture(view: View) -> None:
    picture = table(view).picture()
    whole = reader().read(picture)
    assert len(whole.sightings) == 29
    pose = pose_of(picture)
    for names in (["h11"], ["cards:2", "bid:1", "h20"], [space.id for space in MAT.spaces]):
        sightings, foreign = reader().read_spaces(picture, pose, names)
        assert by_place(sightings) == by_place(s for s in whole.sightings if s.space in names)
        assert foreign == []


def test_a_foreign_code_counts_in_its_own_space_only() -> None:
    made = table(scene=full_scene(MAT, without=frozenset({"cards:2"})))
    x, y = MAT.space_named("cards:2").centre
    made.litter = (Litter("qr", x, y, text="HTTPS://A.B/C"),)
    picture = made.picture()
    pose = pose_of(picture)
    assert reader().read_spaces(picture, pose, ["cards:2"]) == ([], ["HTTPS://A.B/C"])
    sightings, foreign = reader().read_spaces(picture, pose, ["cards:1", "cards:3"])
    assert [s.space for s in sightings] == ["cards:1", "cards:3"]
    assert foreign == []


def test_a_space_out_of_view_holds_nothing_and_an_unknown_one_is_named() -> None:
    picture = table().picture()
    pose = pose_of(picture)
    assert reader().read_spaces(picture[:, :200].copy(), pose, ["cards:2"]) == ([], [])
    with pytest.raises(KeyError, match="h99"):
        reader().read_spaces(picture, pose, ["h99"])


def test_a_known_pose_gives_the_same_without_looking_for_markers() -> None:
    picture = table().picture()
    seen = reader().read(picture)
    again = reader().read(picture, 3.0, pose_of(picture))
    assert again.sightings == seen.sightings
    assert (again.hidden, again.doubtful, again.problems, again.at) == (frozenset(), frozenset(), (), 3.0)


# ---- what is wrong with a picture


def test_a_picture_without_the_mat_says_so() -> None:
    for shape in ((864, 1536), (1, 500), (500, 1)):
        seen = reader().read(np.full(shape, 150, np.uint8))
        assert kinds(seen) == ["no_mat"]
        assert seen.sightings == ()
    black = reader().read(np.zeros((100, 100), np.uint8)).problems[0]
    assert "black" in black.text


def covered_markers(picture: Image, made: SimulatedTable, keep: int) -> Image:
    """The picture with a white card over all markers but the first few."""
    picture = picture.copy()
    for marker in MAT.markers[keep:]:
        (x0, y0), (x1, y1) = made.simulator.where(
            np.array([[marker.box.x, marker.box.y], [marker.box.x + 24, marker.box.y + 24]])
        ).astype(int)
        picture[y0 - 8 : y1 + 8, x0 - 8 : x1 + 8] = 190
    return picture


def test_too_few_markers_are_told_apart() -> None:
    made = table()
    picture = made.picture()
    two = reader().read(covered_markers(picture, made, 2))
    assert kinds(two) == ["few_markers"]
    assert len(two.sightings) == 29
    one = reader().read(covered_markers(picture, made, 1))
    assert kinds(one) == ["no_mat"]
    assert "Only marker 0" in one.problems[0].text
    none = reader().read(covered_markers(picture, made, 0))
    assert "No marker" in none.problems[0].text


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("blurred", {"blur_px": 1.4}),
        ("too_dark", {"exposure": 0.1}),
        ("too_bright", {"exposure": 1.4}),
        ("small_tags", {"height_mm": 345.0}),
        ("out_of_view", {"shift_mm": (70.0, 0.0)}),
    ],
)
def test_what_is_wrong_is_measured(kind: str, change: dict[str, float]) -> None:
    view = msgspec.convert({**msgspec.to_builtins(LOW), **change}, View)
    seen = reader().read(table(view).picture())
    assert kind in kinds(seen)


def test_how_far_to_lower_the_camera_is_enough() -> None:
    view = msgspec.structs.replace(LOW, height_mm=345.0)
    seen = reader().read(table(view, scene=Scene(())).picture())
    problem = next(p for p in seen.problems if p.kind == "small_tags")
    assert float(problem.values["px_per_module"]) < SMALLEST_MODULE_PX
    lower = float(problem.values["lower_cm"])
    assert f"{lower:.0f} cm" in problem.text
    better = msgspec.structs.replace(view, height_mm=345.0 - 10 * lower)
    assert "small_tags" not in kinds(reader().read(table(better, scene=Scene(())).picture()))


# ---- decoders and forms


def code(text: str | bytes, scale: int, quiet: int = 4) -> Image:
    matrix = np.array([list(row) for row in segno.make_qr(text, error="h").matrix], np.uint8)
    square = np.pad(255 - 255 * matrix, quiet, constant_values=255)
    return np.asarray(np.kron(square, np.ones((scale, scale), np.uint8)), np.uint8)


@pytest.mark.parametrize("scale", [2, 3, 4, 8])
def test_codes_of_many_sizes_are_read(scale: int) -> None:
    found = read_zxing(code("R01ABCD", scale))
    assert [c.text for c in found] == ["R01ABCD"]
    assert found[0].side_px == pytest.approx(21 * scale, abs=scale)
    assert found[0].centre_px == pytest.approx(np.full(2, 29 * scale / 2 - 0.5), abs=1)


def test_many_codes_in_one_picture_are_all_read() -> None:
    texts = [f"R01{i:04d}" for i in range(60)]
    rows = [np.hstack([code(text, 3) for text in texts[i : i + 10]]) for i in range(0, 60, 10)]
    assert sorted(c.text or "" for c in read_zxing(np.vstack(rows).astype(np.uint8))) == texts


def test_two_codes_keep_their_own_places() -> None:
    picture = np.hstack([code("AAAAAAA", 4), code("BBBBBBB", 4)]).astype(np.uint8)
    for found in (read_zxing(picture), read_zbar(picture)):
        assert [c.text for c in sorted(found, key=lambda c: c.centre_px[0])] == ["AAAAAAA", "BBBBBBB"]


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ("Zürich".encode(), "Z\\xc3\\xbcrich"),
        (b"\xb8\xd6\x90\xaf", "\\xb8\\xd6\\x90\\xaf"),
        (b"a\nb", "a\\x0ab"),
    ],
)
def test_bytes_are_never_guessed_into_letters(content: bytes, shown: str) -> None:
    assert readable(content) == shown
    assert [c.text for c in read_zxing(code(content, 4))] in ([shown], [])


def test_what_is_not_plain_text_is_never_a_piece() -> None:
    made = table(scene=Scene(()))
    picture = made.picture()
    x, y = made.simulator.where(np.array([MAT.space_named("h11").centre]))[0].astype(int)
    thing = code("Zürich".encode(), 2)
    half = thing.shape[0] // 2
    picture[y - half : y - half + thing.shape[0], x - half : x - half + thing.shape[1]] = thing // 2 + 60
    seen = Reader(OURS, None, reader().printed).read(picture)
    assert seen.sightings == ()
    assert len(seen.foreign) == 1


def test_decoder_dreams_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    class Point:
        def __init__(self, x: float, y: float) -> None:
            self.x, self.y = x, y

    class Place:
        def __init__(self, *corners: tuple[float, float]) -> None:
            points = [Point(*corner) for corner in corners]
            self.top_left, self.top_right, self.bottom_right, self.bottom_left = points

    class Dream:
        valid = True
        bytes = b"R01ABCD"

        def __init__(self, *corners: tuple[float, float]) -> None:
            self.position = Place(*corners)

    dreams = [
        Dream((10, 10), (50, 10), (50, 50), (10, 50)),
        Dream((10, 10), (170, 10), (170, 50), (10, 50)),
        Dream((-5, 10), (50, 10), (50, 50), (-5, 50)),
        Dream((20, 20), (20, 20), (20, 20), (20, 20)),
        Dream((10, 10), (90, 10), (50, 10), (20, 10)),
    ]
    monkeypatch.setattr("vision.decoders.zxingcpp.read_barcodes", lambda *_, **__: dreams)
    found = read_zxing(np.zeros((100, 100), np.uint8))
    assert len(found) == 1
    assert found[0].centre_px == pytest.approx([29.5, 29.5])


def test_colour_pictures_are_read_alike() -> None:
    picture = table().picture()
    plain = reader().read(picture)
    blue = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    for image in (blue, cv2.cvtColor(picture, cv2.COLOR_GRAY2BGRA), picture[..., None]):
        assert reader().read(image).sightings == plain.sightings


def test_blue_green_red_is_the_order() -> None:
    red = np.zeros((2, 2, 3), np.uint8)
    red[..., 2] = 255
    assert grey(red)[0, 0] == 76


@pytest.mark.parametrize(
    "image",
    [np.zeros((4, 4)), np.zeros((4, 4, 5), np.uint8), np.zeros(9, np.uint8), np.zeros((0, 4), np.uint8)],
)
def test_what_is_no_picture_is_refused(image: NDArray[np.generic]) -> None:
    with pytest.raises(ValueError, match="picture"):
        grey(image)


def test_the_answer_as_json() -> None:
    answer = to_json(reader().read(table().picture()))
    assert set(answer) == {"detections", "problems", "hidden", "doubtful", "foreign"}
    first = next(d for d in answer["detections"] if d["space"] == "h00")
    assert first["hex"] == [0, 0]
    assert first["slot"] in "ABCD"
    assert {"payload", "x_mm", "y_mm", "px_per_module", "turn_deg", "reader"} <= set(first)
    assert next(d for d in answer["detections"] if d["space"] == "cards:1")["hex"] is None


def test_reading_twice_gives_the_same() -> None:
    picture = table().picture()
    assert reader().read(picture) == reader().read(picture) == Reader(OURS, OURS.payloads).read(picture)
