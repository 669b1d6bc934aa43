"""Figures about reading pictures: how many tags, how exactly, how fast, and never one that is not there.

The frames are those of `ui.bench.frames`, made anew by seed; other decoders read the very same ones.
`STATIONMASTER_PHOTOS` may name a folder of real photographs of codes and `STATIONMASTER_SCENES` one of
frames that others rendered: without them these rows have no value.
"""

from __future__ import annotations

import importlib
import json
import math
import os
import pkgutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import zxingcpp
from numpy.typing import NDArray
from pyzbar import pyzbar

from ui.bench import Row, in_turns, percentile, row
from ui.bench.frames import KINDS, Frame, Token, render, roster
from vision.cameras.base import CameraError
from vision.cameras.files import load_picture
from vision.codebook import Codebook, local_maps, located
from vision.decoders import enlarged, read_codes, read_zbar, read_zxing, readable
from vision.geometry import MatGeometry
from vision.markers import FoundMarker, find_markers
from vision.mat import lens_for, locate, pose_from
from vision.optics import Image, halved
from vision.reader import Reader

PHOTOS = "STATIONMASTER_PHOTOS"
SCENES = "STATIONMASTER_SCENES"
ENOUGH = 3000
"""Tags behind each figure of recall."""
CLUTTER_CELLS = 100_000
ROSTER = 1000
RECALL: tuple[tuple[str, str, float, str], ...] = (
    ("medium", "3 px per module, 100 tags, medium light and blur", 99.9, ">="),
    ("tilted", "2 px per module, tilt to 25 degrees", 99.5, ">="),
    ("small", "1.5 px per module", 99.0, ">="),
    ("tiny", "1.25 px per module", 95.0, ">="),
    ("moving", "3 px per module, 6 px motion", 99.0, ">="),
    ("soft", "3 px per module, blur 1.6 px", 99.0, ">="),
    ("hard", "hard: 2.5 px per module, tilted, dim, shadows, glare, hands", 97.0, ">="),
)
"""Kind of frame, what it is called, per cent to be read."""
Decode = Callable[[Image], set[str]]


def run(
    *, quick: bool = False, seed: int = 1, photos: Path | None = None, scenes: Path | None = None
) -> list[Row]:
    """Measure reading. `quick` takes a minute and a few frames of each kind, the whole about a quarter of
    an hour."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        return list(_rows(quick, seed, photos or _folder(PHOTOS), scenes or _folder(SCENES)))
    finally:
        cv2.setNumThreads(threads)


def _rows(quick: bool, seed: int, photos: Path | None, scenes: Path | None) -> Iterator[Row]:
    for kind, what, goal, _ in RECALL:
        yield from _recall(kind, what, goal, 1 if quick else ENOUGH, seed)
    yield from _false(2 * 1488 if quick else CLUTTER_CELLS, seed)
    yield from _places(1 if quick else 10, seed)
    yield from _speed(1 if quick else 4, 5 if quick else 15, seed)
    yield from _photographs(photos, 8 if quick else 1)
    yield from _others_scenes(scenes, seed)
    # Further rows live in modules of their own, `vision_*.py` with `rows(quick=..., seed=...)`.
    import ui.bench

    for info in pkgutil.iter_modules(ui.bench.__path__):
        if info.name.startswith("vision_"):
            module: Any = importlib.import_module(f"{ui.bench.__name__}.{info.name}")
            yield from module.rows(quick=quick, seed=seed)


def wilson(hits: int, count: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson's score), in per cent; 0 to 100 for no counts."""
    if not count:
        return 0.0, 100.0
    z = 1.959964
    share, extra = hits / count, z * z / count
    middle = (share + extra / 2) / (1 + extra)
    reach = z / (1 + extra) * math.sqrt(share * (1 - share) / count + extra / count / 4)
    return 100 * max(0.0, middle - reach), 100 * min(1.0, middle + reach)


def _share(hits: int, count: int) -> str:
    low, high = wilson(hits, count)
    return f"{hits} of {count}, 95 % interval {low:.2f} to {high:.2f} %"


def _folder(variable: str) -> Path | None:
    value = os.environ.get(variable)
    return Path(value) if value else None


def _say(text: str) -> None:
    print(f"bench vision: {text}", file=sys.stderr, flush=True)


# --- recall --------------------------------------------------------------------------------------


def _frames(kind: str, seed: int) -> Iterator[Frame]:
    """Frames of a kind without end, others for every kind and seed."""
    first = seed * 1000 + 100_000 * list(KINDS).index(kind)
    number = 0
    while True:
        yield render(KINDS[kind], first + number)
        number += 1


def _by_zxing(picture: Image) -> set[str]:
    """What zxing-cpp reads in a whole picture as its users call it, for QR codes only."""
    found = zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormats([zxingcpp.BarcodeFormat.QRCode]))
    return {text for code in found if code.valid for text in (code.text, readable(code.bytes))}


def _by_pyzbar(picture: Image) -> set[str]:
    found = pyzbar.decode(picture, symbols=[pyzbar.ZBarSymbol.QRCODE])
    return {readable(code.data) for code in found}


PEERS: Mapping[str, Decode] = {"zxing-cpp": _by_zxing, "pyzbar": _by_pyzbar}


def _recall(kind: str, what: str, goal: float, enough: int, seed: int) -> Iterator[Row]:
    count = hits = frames = wrong = displaced = 0
    by_peer = dict.fromkeys(PEERS, 0)
    readers: dict[str, int] = {}
    missed: list[str] = []
    for frame in _frames(kind, seed):
        known = roster(frame.tokens, frame.seed, ROSTER)
        mat = frame.geometry()
        seen = Reader(mat, known).read(frame.picture)
        read = {sighting.payload: sighting for sighting in seen.sightings}
        there = {token.payload: token for token in frame.tokens}
        wrong += len(read.keys() - there.keys())
        displaced += sum(s.hex != there[p].cell for p, s in read.items() if p in there)
        clean = {token.payload for token in frame.clean}
        lost = [token for token in frame.clean if token.payload not in read]
        if lost:
            missed.append(f"frame {frame.seed}: {_why(frame, mat, known, lost)}")
        for sighting in seen.sightings:
            readers[sighting.reader] = readers.get(sighting.reader, 0) + 1
        for name, decode in PEERS.items():
            by_peer[name] += len(clean & decode(frame.picture))
        frames += 1
        count += len(clean)
        hits += len(clean) - len(lost)
        if count >= enough:
            break
    _say(f"{kind}: {hits} of {count}")
    who = ", ".join(f"{name} {number}" for name, number in sorted(readers.items(), key=lambda r: -r[1]))
    how = (
        f"{_share(hits, count)} clean tags in {frames} frames of 12 megapixels, kind {kind!r}, a roster of "
        f"{ROSTER} with the true ones; {wrong} payloads that are not there, {displaced} in a wrong hex; "
        f"read by {who}"
    )
    if missed:
        how += f"; missed: {'; '.join(missed)}"
    for name, number in by_peer.items():
        yield row(
            f"vision: recall, {what}" + ("" if name == "zxing-cpp" else f" ({name} beside it)"),
            100 * hits / max(count, 1),
            "%",
            goal=f">= {goal:g}",
            peer=f"{name}, whole picture",
            peer_value=100 * number / max(count, 1),
            more_is_better=True,
            how=how if name == "zxing-cpp" else f"the same frames; {name}: {_share(number, count)}",
        )
    yield row(
        f"vision: wrong payloads or hexes, {what}", wrong + displaced, "tags", goal="== 0", how="as recall"
    )


def _why(frame: Frame, mat: MatGeometry, known: frozenset[str], lost: Sequence[Token]) -> str:
    """How many tags of a frame were missed, and what kept the codebook from them."""
    pose = locate(frame.picture, mat)
    if pose is None:
        return f"{len(lost)}, the mat was not found"
    spots = pose.to_px(np.array([[token.x_mm, token.y_mm] for token in lost]))
    maps = local_maps(pose, spots, mat.code_mm)
    codebook = Codebook(known)
    reasons = []
    worth, maps = located(frame.picture, halved(frame.picture), maps)
    for token, local, good in zip(lost, maps, worth, strict=True):
        match = codebook.match(frame.picture, local)
        if match is None or not good:
            reason = "no finder patterns"
        elif match.payload != token.payload:
            reason = "another code fits better"
        elif match.accepted:
            reason = "not looked at"
        else:
            reason = f"fit {match.fit:.2f}, lead {match.lead:.2f}, frame {match.frame:.2f}"
        reasons.append(f"hex {token.cell[0]},{token.cell[1]} {reason}")
    return ", ".join(reasons)


# --- what is not there ---------------------------------------------------------------------------


def _false(enough: int, seed: int) -> Iterator[Row]:
    """Cells full of foreign codes, bars, speckles and wood; none holds anything of ours."""
    cells = looked = matched = false = frames = whole = 0
    leads: list[float] = []
    for frame in _frames("clutter", seed):
        known = roster((), frame.seed, ROSTER)
        mat = frame.geometry()
        reader = Reader(mat, known)
        codebook = reader.codebook
        pose = locate(frame.picture, mat)
        assert codebook is not None
        if pose is None or mat.hexgrid is None:
            continue
        if frames % 4 == 0:
            false += len(reader.read(frame.picture).sightings)
            whole += 1
        spots = pose.to_px(np.array([mat.hexgrid.centre(*cell) for cell in mat.hexgrid.cells]))
        maps = local_maps(pose, spots, mat.code_mm)
        worth, maps = located(frame.picture, halved(frame.picture), maps)
        for local in maps[worth]:
            match = codebook.match(frame.picture, local)
            matched += match is not None
            if match is not None:
                leads.append(match.lead)
                false += match.accepted
        frames += 1
        looked += int(worth.sum())
        cells += len(spots)
        if cells >= enough:
            break
        if frames % 10 == 0:
            _say(f"false payloads: {cells} cells")
    _say(f"false payloads: {false} in {cells} cells")
    yield row(
        f"vision: false payloads in {CLUTTER_CELLS:,} cells".replace(",", " "),
        false,
        "payloads",
        goal="== 0",
        how=f"{cells} cells of {frames} frames, half of them QR codes of version 1, level H, that are not in "
        f"the roster of {ROSTER}, the others bars, speckles, dice and wood, 2 px per module; {looked} had "
        f"what looked like three finder patterns and {matched} were compared with every known code; every "
        f"fourth frame ({whole}) was also read whole by all decoders. The largest lead of one code over all "
        f"others was {max(leads, default=0):.3f}; 0.15 is asked for",
    )


# --- where ---------------------------------------------------------------------------------------


def _places(frames: int, seed: int) -> Iterator[Row]:
    for kind, hide, what in (
        ("places", 2, "six markers, any two hidden"),
        ("places four", 1, "four markers, any one hidden"),
    ):
        for camera in (True, False):
            yield from _off(kind, hide, frames, seed, camera, what)


def _off(kind: str, hide: int, frames: int, seed: int, camera: bool, what: str) -> Iterator[Row]:
    errors: list[float] = []
    naive: list[float] = []
    right = poses = 0
    for frame, _ in zip(_frames(kind, seed), range(frames), strict=False):
        mat = frame.geometry(camera=camera)
        found = find_markers(frame.picture, mat.dictionary)
        whole = pose_from(found, mat, lens_for(frame.picture, mat))
        if whole is None:
            errors.append(math.inf)
            continue
        seen = Reader(mat, roster(frame.tokens, frame.seed, ROSTER)).read(frame.picture)
        there = {token.payload: token for token in frame.tokens}
        read = [s for s in seen.sightings if s.payload in there]
        truth = np.array([[there[s.payload].x_mm, there[s.payload].y_mm] for s in read])
        pixels = whole.to_px(np.array([[s.x_mm, s.y_mm] for s in read]))
        assert mat.hexgrid is not None
        for hidden in combinations(range(len(mat.markers)), hide):
            left = [marker for marker in found if marker.id not in hidden]
            pose = pose_from(left, mat, lens_for(frame.picture, mat))
            if pose is None:
                errors.append(math.inf)
                continue
            there_mm = pose.to_mm(pixels)
            errors += np.hypot(*(there_mm - truth).T).tolist()
            naive += np.hypot(*(_flat(left, mat, pixels) - truth).T).tolist()
            right += sum(
                mat.hexgrid.at(float(x), float(y)) == there[s.payload].cell
                for (x, y), s in zip(there_mm, read, strict=True)
            )
            poses += 1
    known = "lens known" if camera else "lens not in the mat file"
    _say(f"places, {what}, {known}: worst {max(errors):.2f} mm")
    how = (
        f"{len(errors)} tags: {frames} frames, kind {kind!r}, {poses} choices of markers ({known}); codes "
        "are read once, then placed by each pose"
    )
    for name, value, unit, goal in (
        ("position error, p95", percentile(errors, 95), "mm", "<= 0.7"),
        ("position error, worst", max(errors), "mm", "<= 2"),
    ):
        p95 = "p95" in name
        yield row(
            f"vision: {name}, {what}, {known}",
            value,
            unit,
            goal=goal,
            peer="OpenCV's homography over the same markers, no lens",
            peer_value=percentile(naive, 95 if p95 else 100) if naive else None,
            how=how,
        )
    yield row(
        f"vision: hex right, {what}, {known}",
        100 * right / max(len(errors), 1),
        "%",
        goal=">= 100",
        how=f"{_share(right, len(errors))}; {how}",
    )


def _flat(
    markers: Sequence[FoundMarker], mat: MatGeometry, pixels: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Pixels to mm by a plain homography over the markers' corners."""
    corners = {place.id: np.array(place.corners_mm) for place in mat.markers}
    seen = np.concatenate([marker.corners_px for marker in markers])
    there = np.concatenate([corners[marker.id] for marker in markers])
    matrix = cv2.findHomography(seen, there, 0)[0]
    return np.asarray(cv2.perspectiveTransform(pixels.reshape(-1, 1, 2), matrix), np.float64).reshape(-1, 2)


# --- speed ---------------------------------------------------------------------------------------


def _speed(frames: int, rounds: int, seed: int) -> Iterator[Row]:
    sweeps: dict[str, list[float]] = {}
    cells: dict[str, list[float]] = {}
    tags = 0
    for frame, _ in zip(_frames("usual", seed), range(frames), strict=False):
        mat = frame.geometry()
        reader = Reader(mat, roster(frame.tokens, frame.seed, ROSTER))
        pose = locate(frame.picture, mat)
        codebook = reader.codebook
        assert pose is not None
        assert codebook is not None
        tags += len(reader.read(frame.picture, pose=pose).sightings)
        picture = frame.picture
        works: dict[str, Callable[[], object]] = {
            "sweep": partial(reader.read, picture, pose=pose),
            "whole": partial(reader.read, picture),
            "zxing-cpp": partial(_by_zxing, picture),
            "pyzbar": partial(_by_pyzbar, picture),
        }
        for name, times in in_turns(rounds, works, time.process_time).items():
            sweeps.setdefault(name, []).extend(times)
        spots = pose.to_px(np.array([[token.x_mm, token.y_mm] for token in frame.clean[:20]]))
        _, maps = located(picture, halved(picture), local_maps(pose, spots, mat.code_mm))
        for (x, y), local in zip(spots, maps, strict=True):
            crop = picture[int(y) - 70 : int(y) + 70, int(x) - 70 : int(x) + 70]
            one: dict[str, Callable[[], object]] = {
                "codebook": partial(codebook.match, picture, local),
                "zxing-cpp": partial(_enlarged, read_zxing, crop),
                "pyzbar": partial(_enlarged, read_zbar, crop),
            }
            for name, times in in_turns(3, one, time.process_time).items():
                cells.setdefault(name, []).append(min(times))
    ms = {name: 1000 * percentile(times, 50) for name, times in sweeps.items()}
    _say(f"sweep: {ms['sweep']:.1f} ms")
    how = (
        f"median of {rounds} rounds on each of {frames} frames, {tags / frames:.0f} tags, kind 'usual', "
        "process CPU time, grey picture, one OpenCV thread"
    )
    for peer in PEERS:
        extra = "" if peer == "zxing-cpp" else f" ({peer} beside it)"
        yield row(
            f"vision: full sweep, 12 MP, 100 tags, camera not moved{extra}",
            ms["sweep"],
            "ms CPU",
            goal="<= 30",
            peer=f"{peer}, decoding alone",
            peer_value=ms[peer],
            how=f"{how}; the pose is known, everything else is done: decode, look again, place",
        )
    yield row(
        "vision: whole look, 12 MP, 100 tags, with markers, pose and problems",
        ms["whole"],
        "ms CPU",
        peer="zxing-cpp, decoding alone",
        peer_value=ms["zxing-cpp"],
        how=how,
    )
    each = {name: 1000 * percentile(times, 50) for name, times in cells.items()}
    for peer in PEERS:
        extra = "" if peer == "zxing-cpp" else f" ({peer} beside it)"
        yield row(
            f"vision: codebook match, one cell{extra}",
            each["codebook"],
            "ms CPU",
            goal="<= 5",
            peer=f"{peer} on the cell, three times enlarged",
            peer_value=each[peer],
            how=f"median over {len(cells['codebook'])} cells of the least of 3, {ROSTER} known codes; 95 of "
            f"100 within {1000 * percentile(cells['codebook'], 95):.1f} ms",
        )


def _enlarged(decode: Callable[[Image], object], crop: Image) -> object:
    return decode(enlarged(crop, 3, 1.0))


# --- pictures of others --------------------------------------------------------------------------


def _photographs(folder: Path | None, every: int) -> Iterator[Row]:
    """Real photographs of codes, turned four ways, and photographs without any."""
    name = "vision: recall on real photographs"
    if folder is None or not folder.is_dir():
        yield row(name, None, "%", how=f"no folder of photographs: name one in {PHOTOS}")
        return
    decoders: dict[str, Decode] = {
        "ours": lambda picture: {code.text or "" for code in read_codes(picture)},
        **PEERS,
        "OpenCV": _by_opencv,
    }
    hits = dict.fromkeys(decoders, 0)
    false = dict.fromkeys(decoders, 0)
    count = empty = 0
    for path in sorted(p for p in folder.rglob("*") if p.suffix in {".png", ".jpg", ".webp"})[::every]:
        truth = _written(path)
        without = path.parent.name.startswith("falsepositives")
        if not truth and not without:
            continue
        try:
            upright = load_picture(path)
        except CameraError:
            continue
        for quarter in range(4):
            picture = np.ascontiguousarray(np.rot90(upright, quarter))
            count += not without
            empty += without
            for decoder, decode in decoders.items():
                texts = decode(picture)
                if without:
                    false[decoder] += bool(texts)
                elif truth & texts:
                    hits[decoder] += 1
        if not without and count % 100 < 4:
            _say(f"photographs: {hits['ours']} of {count}")
    for decoder in [d for d in decoders if d != "ours"]:
        yield row(
            f"{name} ({decoder} beside it)",
            100 * hits["ours"] / max(count, 1),
            "%",
            goal=f">= {100 * max(n for d, n in hits.items() if d != 'ours') / max(count, 1):.3f} (the best)",
            peer=decoder,
            peer_value=100 * hits[decoder] / max(count, 1),
            more_is_better=True,
            how=f"{_share(hits['ours'], count)}, four turns of each photograph, the exact text or bytes",
        )
    yield row(
        "vision: pictures without a code in which one is read",
        false["ours"],
        "pictures",
        goal="== 0",
        peer="zxing-cpp",
        peer_value=false["zxing-cpp"],
        how=f"{empty} turned photographs without codes; {', '.join(f'{d} {n}' for d, n in false.items())}",
    )


def _by_opencv(picture: Image) -> set[str]:
    try:
        found = cv2.QRCodeDetector().detectAndDecodeMulti(picture)
    except (cv2.error, UnicodeDecodeError):  # it cannot hand over what is not UTF-8
        return set()
    return {text for text in found[1] if text}


def _written(path: Path) -> frozenset[str]:
    """What the code in a photograph says: as text, and its bytes as the decoders here show them; none when
    nobody wrote it down."""
    plain, raw = path.with_suffix(".txt"), path.with_suffix(".bin")
    if raw.exists():
        return frozenset([readable(raw.read_bytes())])
    if not plain.exists():
        return frozenset()
    data = plain.read_bytes()
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return frozenset([readable(data)])
    shown = {text}
    for encoding in ("utf-8", "latin-1", "cp932", "gb18030", "utf-16-be"):
        with suppress(UnicodeError):
            shown.add(readable(text.encode(encoding)))
    return frozenset(shown)


def _others_scenes(folder: Path | None, seed: int) -> Iterator[Row]:
    name = "vision: recall on scenes rendered by others"
    if folder is None or not folder.is_dir():
        yield row(name, None, "%", how=f"no folder of scenes: name one in {SCENES}")
        return
    count = hits = wrong = 0
    errors: list[float] = []
    by_peer = dict.fromkeys(PEERS, 0)
    for path in sorted(folder.glob("*.truth.json")):
        stem = path.name.removesuffix(".truth.json")
        truth = json.loads(path.read_text())["tokens"]
        tokens = [Token(t["payload"], t["x_mm"], t["y_mm"], tuple(t["hex"]), t["clean"]) for t in truth]
        picture = load_picture(folder / f"{stem}.jpg")
        mat = MatGeometry.from_file(folder / f"{stem}.public.json")
        read = {s.payload: s for s in Reader(mat, roster(tokens, seed, ROSTER)).read(picture).sightings}
        clean = {token.payload for token in tokens if token.clean}
        wrong += len(read.keys() - {token.payload for token in tokens})
        errors += [
            math.hypot(read[t.payload].x_mm - t.x_mm, read[t.payload].y_mm - t.y_mm)
            for t in tokens
            if t.payload in read
        ]
        count += len(clean)
        hits += len(clean & read.keys())
        for peer, decode in PEERS.items():
            by_peer[peer] += len(clean & decode(picture))
    for peer, number in by_peer.items():
        yield row(
            name if peer == "zxing-cpp" else f"{name} ({peer} beside it)",
            100 * hits / max(count, 1),
            "%",
            goal=">= 97",
            peer=f"{peer}, whole picture",
            peer_value=100 * number / max(count, 1),
            more_is_better=True,
            how=f"{_share(hits, count)}; {wrong} payloads that are not there; position error p95 "
            f"{percentile(errors, 95):.2f} mm, worst {max(errors):.2f} mm",
        )
