"""Ready for play or not: each complaint for its own cause, and what to do about it."""

from functools import cache
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest

from tests.vision.foreign import foreign_table
from tests.vision.tables import LOW, drawn, full_scene, small_mat
from ui.cli import main
from vision.clutter import Hand, Litter
from vision.geometry import MatGeometry
from vision.mat import locate
from vision.optics import Image
from vision.overlay import overlay
from vision.reader import read_picture
from vision.readiness import Inspector, Light, Readiness, position_error, readiness, to_json
from vision.simulator import SimulatedTable

MAT = small_mat()
OURS = MatGeometry.from_mat(MAT)
PIECES = frozenset(placement.payload for placement in full_scene(MAT).placements)


@cache
def inspector() -> Inspector:
    return Inspector(OURS, OURS.payloads, PIECES)


def picture(*, hands: tuple[Hand, ...] = (), litter: tuple[Litter, ...] = (), **view: Any) -> Image:
    table = SimulatedTable(MAT, msgspec.structs.replace(LOW, **view), 1, drawn())
    table.lay(full_scene(MAT))
    table.hands, table.litter = hands, litter
    return table.picture()


def lights(found: Readiness) -> dict[str, Light]:
    return {check.name: check.light for check in found.checks if check.light is not Light.GREEN}


def test_a_good_table_is_green_with_all_figures() -> None:
    found = inspector().check(picture())
    assert (found.light, found.first, lights(found)) == (Light.GREEN, None, {})
    names = ["sharp", "light", "lens", "mat", "tags", "glare", "shadow", "pieces", "places"]
    assert [check.name for check in found.checks] == names
    assert all(check.text and check.values and not check.advice for check in found.checks)
    assert found.named("pieces").text == "29 of 29 pieces read"
    assert found.named("mat").values == {"seen": 6, "printed": 6}
    with pytest.raises(KeyError):
        found.named("camera")


@pytest.mark.parametrize(
    ("view", "name", "light", "advice"),
    [
        ({"blur_px": 1.15}, "sharp", Light.AMBER, "Focus the lens"),
        ({"exposure": 0.3}, "light", Light.AMBER, "Add light"),
        ({"exposure": 0.15}, "light", Light.RED, "Add light"),
        ({"exposure": 1.3}, "light", Light.RED, "Take light away"),
        ({"height_mm": 350.0}, "tags", Light.AMBER, "Lower the camera"),
        ({"uneven": 0.8}, "shadow", Light.AMBER, "Move what throws the shadow"),
        ({"shift_mm": (60.0, 0.0)}, "mat", Light.AMBER, "Move or raise the camera"),
        ({"shift_mm": (120.0, 0.0)}, "mat", Light.RED, "Move or raise the camera"),
    ],
)
def test_each_cause_has_its_own_light(view: dict[str, Any], name: str, light: Light, advice: str) -> None:
    check = inspector().check(picture(**view)).named(name)
    assert check.light is light
    assert check.advice.startswith(advice)


@pytest.mark.parametrize("view", [{"height_mm": 620.0}, {"blur_px": 1.15}, {"blur_px": 1.6}, {}])
def test_it_calls_blurred_and_small_what_the_reader_does(view: dict[str, Any]) -> None:
    shown = picture(**view)
    told = {problem.kind: problem.values for problem in read_picture(shown, OURS).problems}
    found = inspector().check(shown)
    assert ("blurred" in told) == (found.named("sharp").light is not Light.GREEN)
    assert ("small_tags" in told) == (found.named("tags").light is not Light.GREEN)
    if "blurred" in told:
        assert told["blurred"] == found.named("sharp").values
    if "height_mm" in view:
        # From too far away the edges are as sharp as ever; focusing would not help.
        assert set(told) == {"small_tags"}


def test_the_camera_is_to_be_lowered_as_far_as_it_helps() -> None:
    check = inspector().check(picture(height_mm=350.0)).named("tags")
    lower = float(check.values["lower_cm"])
    assert 2 <= lower <= 5
    assert inspector().check(picture(height_mm=350.0 - 10 * lower)).named("tags").light is Light.GREEN


def test_glare_is_where_it_is_and_red_where_nothing_can_be_read() -> None:
    x, y = MAT.space_named("h11").centre
    found = inspector().check(picture(glare=((x, y, 26.0),)))
    check = found.named("glare")
    assert (check.light, check.place) == (Light.RED, "h11")
    assert check.advice.startswith("Turn the lamp away from h11")
    assert np.hypot(float(check.values["x_mm"]) - x, float(check.values["y_mm"]) - y) < 8
    assert found.first == check
    x, y = 220.0, 20.0
    check = inspector().check(picture(glare=((x, y, 20.0),))).named("glare")
    assert check.light is Light.AMBER


def test_a_shadow_across_the_table_is_seen() -> None:
    dark = picture().astype(np.float32)
    x, y = (float(v) * LOW.width / 400 for v in MAT.space_named("h10").centre)
    ys, xs = np.mgrid[0 : LOW.height, 0 : LOW.width]
    shade = 1 - 0.62 * np.exp(-((((xs - x) ** 2 + (ys - y) ** 2) / (2 * 220**2)) ** 2))
    check = inspector().check((dark * shade).astype(np.uint8)).named("shadow")
    assert check.light is Light.AMBER
    assert float(check.values["darkest"]) < 0.55


def test_a_hazy_lens_wants_to_be_wiped() -> None:
    hazy = (picture().astype(np.float32) * 0.55 + 75).astype(np.uint8)
    check = inspector().check(hazy).named("lens")
    assert check.light is Light.AMBER
    assert check.advice.startswith("Wipe the lens")


def test_a_hand_is_named_with_what_it_covers() -> None:
    found = inspector().check(picture(hands=(Hand(150, 95, 60),)))
    assert set(lights(found)) == {"mat", "pieces"}
    assert "Look for rail" in found.named("pieces").advice
    assert "Something covers h1" in found.named("pieces").advice
    assert found.named("mat").text == "5 of 6 markers seen"
    assert found.named("mat").advice == "Uncover the marker at the bottom."


def test_codes_that_are_not_ours_are_pointed_out() -> None:
    check = inspector().check(picture(litter=(Litter("qr", 322, 110, text="COFFEE"),))).named("pieces")
    assert check.light is Light.AMBER
    assert "1 code is not ours" in check.text
    assert check.advice == "Take away what carries other codes."


def test_no_mat_is_one_red_check() -> None:
    found = inspector().check(np.full((300, 400), 90, np.uint8))
    assert [(check.name, check.light) for check in found.checks] == [("mat", Light.RED)]
    assert found.first is not None
    assert "Point the camera at the mat" in found.first.advice


def test_a_camera_that_was_pushed_is_amber() -> None:
    before = locate(picture(), OURS)
    assert before is not None
    still = inspector().check(picture(), before=before).named("camera")
    assert still.light is Light.GREEN
    pushed = inspector().check(picture(shift_mm=(8.0, 0.0)), before=before).named("camera")
    assert pushed.light is Light.AMBER
    assert float(pushed.values["moved_mm"]) == pytest.approx(8, abs=1)


def test_fewer_markers_make_places_less_certain() -> None:
    errors = []
    for hands in ((), (Hand(342, 18, 0),), (Hand(342, 18, 0), Hand(342, 182, 0), Hand(232, 190, 90))):
        pose = locate(picture(hands=hands), OURS)
        assert pose is not None
        errors.append((len(pose.markers), position_error(OURS, pose)[0]))
    assert [count for count, _ in errors] == [6, 5, 3]
    assert errors[0][1] < errors[1][1] < errors[2][1]
    assert errors[0][1] < 0.2


def test_a_mat_that_nobody_printed_here_is_checked_too() -> None:
    there = foreign_table(1)
    found = readiness(there.picture, there.geometry(camera=False))
    assert found.light is not Light.RED
    assert found.named("pieces").values["read"] == 15
    answer = to_json(found)
    assert answer["light"] == str(found.light)
    assert {"name", "light", "text", "advice", "place", "values"} == set(answer["checks"][0])


def test_the_overlay_shows_each_condition_by_sign_and_line() -> None:
    x, y = MAT.space_named("h11").centre
    grey = picture(hands=(Hand(280, 90, 20),), glare=((x, y, 26.0),))
    look = msgspec.structs.replace(
        read_picture(grey, OURS, OURS.payloads), doubtful=frozenset({"bid:0"}), foreign=("X",)
    )
    assert look.hidden
    drawing = overlay(grey, OURS, locate(grey, OURS), look)
    assert drawing.shape == (*grey.shape, 3)
    bare = overlay(grey, OURS, None, look)
    assert (drawing != bare).any(axis=2).mean() > 0.02
    assert overlay(np.zeros((100, 4800), np.uint8), OURS, None, look).shape == (48, 2304, 3)


# ---- at the command line


def test_readiness_at_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from vision.layout_file import to_layout_json

    good, bad, mat = tmp_path / "good.png", tmp_path / "bad.png", tmp_path / "mat.json"
    assert cv2.imwrite(str(good), picture())
    assert cv2.imwrite(str(bad), np.full((300, 400), 90, np.uint8))
    mat.write_bytes(to_layout_json(MAT))
    (tmp_path / "expect.txt").write_text("\n".join([*sorted(PIECES), "MISSING"]) + "\n")
    assert main(["readiness", str(good), "--mat", str(mat)]) == 0
    assert "6 of 6 markers seen" in capsys.readouterr().out
    words = ["readiness", str(good), "--mat", str(mat), "--expect", str(tmp_path / "expect.txt"), "--json"]
    assert main(words) == 0
    assert '"light": "amber"' in capsys.readouterr().out
    assert main(["readiness", str(bad), "--mat", str(mat)]) == 1
    assert "STOP" in capsys.readouterr().out
    assert main(["readiness", str(mat), "--mat", str(mat), "--json"]) == 1
    assert "no_picture" in capsys.readouterr().out
    assert main(["readiness", str(good), "--mat", str(mat), "--expect", str(tmp_path / "none")]) == 2
    assert main(["readiness", str(tmp_path / "none.png"), "--mat", str(mat)]) == 2
    out = tmp_path / "over.png"
    assert main(["read", str(good), "--mat", str(mat), "--overlay", str(out)]) == 0
    assert cv2.imread(str(out)) is not None
    assert main(["read", str(good), "--mat", str(mat), "--overlay", str(tmp_path / "over.jpg")]) == 2
