"""Malformed things: messages to the table, packs, exports, pictures, tags, backups, settings. Each is refused
with a reason or taken for what it is; nothing raises anything else, and the table still plays afterwards."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from assistant.game import find_title
from assistant.journal import BadExport, MemoryJournal, export_text, import_memory
from assistant.layout import compose_payload, is_own_payload
from assistant.messages import (
    CameraState,
    CameraStatus,
    Command,
    Holding,
    PanelStatus,
    Press,
    Saw,
    Tick,
    Touch,
)
from assistant.observation import Observation, Sighting
from assistant.packs import PackFaults
from assistant.referee import Referee, header_for
from assistant.table import Table
from tests.torture.fuzz import reason
from tests.torture.games import a_game
from ui.backup import BadBackup, opened

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
SEATS = st.sampled_from(["A", "B", "Z", "", "staff", "table", "public"]) | st.none() | st.text(max_size=3)
WORDS = (
    *("point", "take", "back", "try", "accept", "dismiss", "look", "settle", "ask_undo", "ask_overrule"),
    *("ask_correct", "agree", "decline", "told", "cancel", "undo", "redo", "overrule", "correct", "reread"),
    *("pause", "go_on", "write_again"),
)
KEYS = (
    "choice",
    "index",
    "to",
    "action",
    "payment",
    "how",
    "steps",
    "consents",
    "waived",
    "facts",
    "seq",
    "steps_done",
)
VALUES = st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=5), JSON, max_size=5)
ACTIONS = st.fixed_dictionaries(
    {"do": st.sampled_from(["bid", "pass", "confirm", "place_rt", "draw", "pay_wild"]) | st.text(max_size=8)},
    optional={"seat": SEATS, "space": JSON, "hex": st.text(max_size=4), "cards": JSON, "pay": JSON},
)
AT = st.floats(allow_nan=False, allow_infinity=False, width=32)
SIGHTINGS = st.builds(
    Sighting,
    payload=st.text(max_size=9),
    x_mm=AT,
    y_mm=AT,
    space=st.none() | st.text(max_size=5),
)
MESSAGES: st.SearchStrategy[Any] = st.one_of(
    st.builds(Command, what=st.sampled_from(WORDS) | st.text(max_size=6), seat=SEATS, values=VALUES, at=AT),
    st.builds(Touch, seat=st.sampled_from("ABZ"), action=ACTIONS | VALUES),
    st.builds(Press, button=st.text(max_size=6), seat=SEATS, at=AT),
    st.builds(Holding, button=st.text(max_size=6), seat=SEATS, down=st.booleans(), at=AT),
    st.builds(Tick, at=AT),
    st.builds(CameraStatus, state=st.sampled_from(list(CameraState)), text=st.text(max_size=9), at=AT),
    st.builds(Saw, observation=st.builds(Observation, sightings=st.lists(SIGHTINGS, max_size=4).map(tuple))),
    st.from_type(PanelStatus),
)


def _quick(count: int, seed: int, given_to: Callable[[Any], None], **what: Any) -> int:
    """Call with so many drawn values; how many there were. What is raised goes on to the caller."""
    done = 0

    @settings(
        max_examples=max(count, 1),
        deadline=None,
        database=None,
        derandomize=seed == 0,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @given(**what)
    def one(value: Any) -> None:
        nonlocal done
        done += 1
        given_to(value)

    one()
    return done


def messages(count: int, seed: int) -> int:
    """Messages to a table that plays; after each, its record is what it was or longer, and in order."""
    game = a_game()
    table = Table(Referee.new(game, MemoryJournal(header_for(game))))

    def one(message: Any) -> None:
        before = table.referee.journal.last_seq
        told = {notice.id for notice in table.view.notices}
        table.handle(message)
        assert table.referee.journal.last_seq >= before
        # A fault of the program's own is caught by the table, but none may come of what is sent to it.
        new = [notice.text for notice in table.view.notices if notice.id not in told]
        assert not any(text.startswith("an internal fault") for text in new)

    done = _quick(count, seed, one, value=MESSAGES)
    Referee.resume(table.referee.journal)
    return done


def _mangled(text: bytes) -> st.SearchStrategy[bytes]:
    """Bytes with some of them changed, left out, doubled or cut off."""

    def mangle(edits: list[tuple[int, str, bytes]]) -> bytes:
        out = bytearray(text)
        for at, how, new in edits:
            place = at % max(1, len(out))
            if how == "cut":
                del out[place:]
            elif how == "drop":
                del out[place : place + len(new) + 1]
            elif how == "put":
                out[place:place] = new
            else:
                out[place : place + len(new)] = new
        return bytes(out)

    edit = st.tuples(
        st.integers(0, len(text)),
        st.sampled_from(["set", "put", "drop", "cut"]),
        st.binary(min_size=1, max_size=8),
    )
    return st.lists(edit, min_size=1, max_size=4).map(mangle)


def packs(count: int, seed: int) -> int:
    """Content packs with bytes changed, left out and cut off."""
    title = find_title("railway_boom")
    whole = (title.folder / "packs" / f"{title.default_pack}.toml").read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pack.toml"

        def one(data: bytes) -> None:
            file.write_bytes(data)
            try:
                title.load_pack(file)
            except PackFaults as wrong:
                reason(wrong)

        return _quick(count, seed, one, value=_mangled(whole))


def imports(count: int, seed: int) -> int:
    """Exported games with bytes changed, and any JSON: refused, or the same game."""
    game = a_game()
    referee = Referee.new(game, MemoryJournal(header_for(game)))
    truth = export_text(referee.journal)

    def one(text: str) -> None:
        try:
            journal = import_memory(text)
        except BadExport as wrong:
            reason(wrong)
        else:
            # White space may have changed; nothing that counts.
            assert json.loads(export_text(journal)) == json.loads(truth)

    mangled = _mangled(truth.encode()).map(lambda data: data.decode(errors="replace"))
    return _quick(count, seed, one, value=mangled | JSON.map(json.dumps) | st.text(max_size=40))


def tags(count: int, seed: int) -> int:
    """Texts in a code: one character more, less or other makes a tag of ours nobody's."""
    truth = compose_payload("R", "01", 7)

    def one(value: tuple[str, int, str]) -> None:
        text, place, character = value
        assert is_own_payload(truth)
        changed = truth[:place] + character + truth[place + 1 :]
        assert is_own_payload(changed) == (changed == truth)
        if is_own_payload(text):
            assert len(text) == len(truth)

    some = st.text(max_size=12) | st.from_regex(r"[0-9A-Z]{6,8}", fullmatch=True)
    place = st.integers(0, len(truth) - 1)
    return _quick(count, seed, one, value=st.tuples(some, place, st.text(max_size=2)))


def pictures(count: int, seed: int) -> int:
    """Arrays that are no picture of a mat: an observation without sightings, or ValueError."""
    from tests.vision.tables import small_mat
    from vision.geometry import MatGeometry
    from vision.reader import Reader

    reader = Reader(MatGeometry.from_mat(small_mat()))
    shapes = st.tuples(st.integers(0, 90), st.integers(0, 90)) | st.tuples(
        st.integers(0, 40), st.integers(0, 40), st.integers(0, 5)
    )

    def one(value: tuple[tuple[int, ...], int, str]) -> None:
        shape, number, kind = value
        rng = np.random.default_rng(number)
        noise = rng.integers(0, 256, shape).astype(kind)
        try:
            assert reader.read(noise).sightings == ()
        except ValueError as wrong:
            reason(wrong)

    kinds = st.sampled_from(["uint8", "uint8", "uint8", "uint16", "float32", "bool"])
    return _quick(count, seed, one, value=st.tuples(shapes, st.integers(0, 2**32 - 1), kinds))


def backups(count: int, seed: int) -> int:
    """Files that call themselves a backup."""
    import io
    import zipfile

    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as pack:
        pack.writestr(
            "manifest.json", '{"stationmaster_backup":1,"program":"","made":"","clock_set":true,"files":{}}'
        )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "backup.zip"

        def one(data: bytes) -> None:
            file.write_bytes(data)
            try:
                with opened(file):
                    pass
            except BadBackup as wrong:
                reason(wrong)

        return _quick(count, seed, one, value=_mangled(whole.getvalue()) | st.binary(max_size=200))


SHARES: tuple[tuple[str, Callable[[int, int], int], float], ...] = (
    ("messages", messages, 0.4),
    ("packs", packs, 0.1),
    ("imports", imports, 0.2),
    ("tags", tags, 0.15),
    ("pictures", pictures, 0.05),
    ("backups", backups, 0.1),
)
