"""The record in sentences, the newest first; what was taken back is marked by a word.

A touch on an entry opens it: what it caused, and what taking back up to it would take. Kept in
`nav.values`: "page", "entry" (the number of the open one), "only" (a kind of action to show alone).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import msgspec

from assistant.actions import TABLE
from assistant.events import ROUND, Informed, Told
from assistant.messages import Command
from assistant.referee import Written
from ui.presenters import parts, wording
from ui.presenters.clocks import clock_button
from ui.presenters.consent import fact_words
from ui.presenters.elements import (
    AnyElement,
    Badge,
    Button,
    Column,
    Icon,
    Page,
    Panel,
    Prompt,
    Row,
    Space,
    Text,
)
from ui.presenters.intents import Go, Intent, Say, Set
from ui.presenters.nav import BACK, Nav, step
from ui.presenters.shown import Shown, display_of, playing_of

A_PAGE = 4
"""Entries on one page."""
EVENTS = 5
"""Events of an open entry that are shown."""
MOST_ROUNDS = 4
"""Rounds that can be gone to at once, the nearest."""
OPEN_WIDTH = 430.0
BIDDING = frozenset({"bid", "confirm", "lock_in"})
"""What belongs to bidding, when bids alone are shown."""


class Way(msgspec.Struct, frozen=True):
    """What taking back up to an entry takes: so many steps, these entries (the latest first), whose consent,
    and whether something must be put back by hand. `steps` is 0 where it cannot be asked."""

    steps: int
    entries: tuple[Written, ...] = ()
    consents: tuple[str, ...] = ()
    hands: bool = False


def page(shown: Shown, nav: Nav) -> Page:
    """The record."""
    view, t = playing_of(shown).view, shown.words.t
    only = nav.values.get("only", "")
    entries = [w for w in reversed(view.history) if w.kind != "note" and (not only or _is(w, only))]
    leaf = parts.leaf(len(entries), A_PAGE, nav.values.get("page"))
    opened = next((w for w in entries if w.seq == nav.values.get("entry")), None)
    rows: list[AnyElement] = [_line(shown, w, opened) for w in entries[leaf.first : leaf.end]]
    if not entries:
        rows.append(Text(text=t("Nothing is recorded yet."), tone="text2"))
    rows += [Space(grow=1), *_pager(shown, entries, leaf, opened is None)]
    columns: list[AnyElement] = [Column(children=tuple(rows), gap=8, grow=1)]
    if opened is not None:
        columns.append(_open(shown, opened))
    return Page(
        id="log",
        top=parts.top(shown),
        prompt=parts.explained(shown, nav, _prompt(shown, only, entries, opened)),
        body=Row(children=tuple(columns), gap=12, pad=12),
        left=_left(shown, only),
        right=_right(shown, opened),
    )


def _pager(shown: Shown, entries: Sequence[Written], leaf: parts.Leaf, wide: bool) -> tuple[AnyElement, ...]:
    """Buttons to turn the pages and, where they are `wide` enough, to go to the end of a round."""
    turning = parts.pager(shown, leaf, newest_first=True)
    first = _newest_of_rounds(shown, entries)
    if not turning or not wide or len(first) < 2:
        return turning
    (row,) = turning
    assert isinstance(row, Row)
    later, space, _, _, earlier = row.children
    here = max((n for n, index in first.items() if index < leaf.end), key=lambda n: first[n], default=0)
    near = sorted(sorted(first, key=lambda n: abs(n - here))[:MOST_ROUNDS])
    unit = display_of(shown).progress.unit
    rounds = [
        Button(
            id=f"round:{n}",
            text=wording.progress_words(shown.words, unit, n, 0),
            kind="quiet",
            chosen=n == here,
            intent=Set({"page": first[n] // A_PAGE}),
        )
        for n in near
    ]
    # The rounds say where one is, in the place of a page's number.
    return (msgspec.structs.replace(row, children=(later, space, *rounds, space, earlier)),)


def _newest_of_rounds(shown: Shown, entries: Sequence[Written]) -> dict[int, int]:
    """By number of a round, the index of its newest entry among `entries`, which begin with the newest."""
    number, of = 0, {}
    for written in playing_of(shown).view.history:
        of[written.seq] = number
        if written.live:
            told = [e for e in written.events if isinstance(e, Told) and e.key == ROUND]
            number = told[-1].values.get("round", number) if told else number
    out: dict[int, int] = {}
    for index, written in enumerate(entries):
        if of[written.seq]:
            out.setdefault(of[written.seq], index)
    return out


def on(nav: Nav, intent: Intent, shown: Shown) -> Nav | None:
    """Whoever asks for something from here is shown what came of it."""
    if isinstance(intent, Say) and intent.command.what in ("ask_undo", "redo"):
        return step(nav, Go(""))
    return None


def _is(written: Written, only: str) -> bool:
    if written.action is None:
        return False
    kind = written.action.kind
    return kind == only or (only == "bid" and kind in BIDDING)


def _prompt(shown: Shown, only: str, entries: Sequence[Written], opened: Written | None) -> Prompt:
    t, n = shown.words.t, shown.words.n
    text = t("The bids so far") if only else t("What is recorded")
    if opened is not None:
        return Prompt(text, undo_words(shown, way_to(shown, opened)), "none")
    count = n("One entry, the newest first.", "{n} entries, the newest first.", len(entries))
    return Prompt(text, f"{count} {t('Touch one to see more.')}" if entries else "", "none")


def entry_words(shown: Shown, written: Written) -> str:
    """An entry in a sentence."""
    t, n, name = shown.words.t, shown.words.n, wording.seat_name(shown, written.by)
    count = len(written.entries)
    if written.kind == "undo":
        return n("{name} takes back one entry", "{name} takes back {n} entries", count, name=name)
    if written.kind == "redo":
        return n("{name} brings back one entry", "{name} brings back {n} entries", count, name=name)
    if written.kind == "correct":
        facts = ", ".join(fact_words(shown, path, value) for path, value in written.facts.items())
        return t("The table corrects the record: {facts}", facts=facts)
    if written.kind == "given":
        return t("The game begins at a given position")
    said = wording.action_words(shown, written.action) if written.action is not None else written.kind
    if written.kind == "overrule":
        return t("{what} (all agreed)", what=said)
    if written.kind == "reread":
        return t("Read again: {what}", what=said)
    return said


def _line(shown: Shown, written: Written, opened: Written | None) -> Panel:
    live = written.live or written.kind in ("undo", "redo")
    mark: tuple[AnyElement, ...] = ()
    if not live:
        mark = (
            Icon(name="undo", side=22, tone="text2"),
            Text(text=shown.words.t("undone"), size="note", tone="text2"),
        )
    who: AnyElement = (
        Badge(seat=written.by, side=32)
        if written.by in playing_of(shown).names
        else Icon(name="hand", side=28, tone="text2")
    )
    here = opened is not None and opened.seq == written.seq
    return Panel(
        child=Row(
            children=(
                Text(text=str(written.seq), size="note", tone="text2", w=44),
                who,
                Text(
                    text=entry_words(shown, written),
                    tone="text" if live else "text2",
                    lines=2,
                    shrink=True,
                    grow=1,
                ),
                *mark,
            ),
            gap=10,
        ),
        chosen=here,
        pad=8,
        h=66,
        id=f"entry:{written.seq}",
        intent=Set({"entry": None if here else written.seq}),
    )


def _open(shown: Shown, written: Written) -> Panel:
    """What an entry caused."""
    t, sentences = shown.words.t, playing_of(shown).sentences
    hidden = playing_of(shown).hidden_scores
    events = [e for e in written.events if not (hidden and type(e).__name__ in ("Points", "Mark", "Back"))]
    rows: list[AnyElement] = [
        Text(text=t("Entry {n}", n=written.seq), size="note", tone="text2"),
        Text(text=entry_words(shown, written), bold=True, lines=3, shrink=True),
    ]
    rows += [Text(text=sentences.event(event), size="note", lines=2) for event in events[:EVENTS]]
    if len(events) > EVENTS:
        rows.append(Text(text=t("and {n} more", n=len(events) - EVENTS), size="note", tone="text2"))
    if written.waived:
        rows.append(
            Text(text=t("Waived: {rules}", rules=", ".join(written.waived)), size="note", tone="caution")
        )
    return Panel(child=Column(children=tuple(rows), gap=6), w=OPEN_WIDTH)


# Taking back --------------------------------------------------------------------------------------


def way_to(shown: Shown, written: Written) -> Way:
    """What taking back up to an entry, this one included, takes."""
    view, seats = playing_of(shown).view, playing_of(shown).game.seats
    if not written.live or written.kind in ("given", "note") or not view.undo_by:
        return Way(0)
    # A step is a ruling; what only the table put in goes with the one before it, as the referee counts.
    live = [each for each in reversed(view.history) if each.live and each.kind != "note"]
    taken: list[Written] = []
    steps = 0
    for ruling, group in groupby(live, key=lambda each: each.ruling):
        own = list(group)
        counted = view.undo_by == TABLE or any(each.by != TABLE for each in own)
        taken += own
        steps += counted
        if ruling == written.ruling:
            if not counted:
                return Way(0)
            break
    asked: set[str] = set()
    for one in taken:
        asked |= set(seats) if one.kind in ("overrule", "correct") else {one.by}
    informed = any(isinstance(event, Informed) for one in taken for event in one.events)
    hands = informed and not playing_of(shown).machine_draws
    consents = tuple(seat for seat in seats if seat in asked and seat != view.undo_by)
    return Way(steps, tuple(taken), consents, hands)


def undo_words(shown: Shown, way: Way) -> str:
    """What taking back up to an entry takes, in a line."""
    t, n = shown.words.t, shown.words.n
    if not way.steps:
        return t("This entry cannot be taken back by itself.")
    said = [n("Undo to here takes back one entry.", "Undo to here takes back {n} entries.", len(way.entries))]
    if way.consents:
        said.append(t("{names} must agree.", names=wording.seat_names(shown, way.consents)))
    if way.hands:
        said.append(t("Cards go back by hand."))
    return " ".join(said)


def _left(shown: Shown, only: str) -> tuple[Button, ...]:
    t, view = shown.words.t, playing_of(shown).view
    out = [Button(id="leave", text=t("Back"), icon="back", kind="quiet", intent=Go(BACK))]
    if only:
        everything = Set({"only": "", "page": 0})
        out.append(Button(id="all", text=t("Everything"), icon="list", kind="quiet", intent=everything))
    elif not view.finished:
        hidden = playing_of(shown).hidden_scores
        out.append(
            Button(
                id="score",
                text=t("Score"),
                icon="star",
                kind="quiet",
                intent=None if hidden else Go("score"),
                reason=t("Scores are hidden until the end.") if hidden else "",
            )
        )
    return (*out, *clock_button(shown))


def _right(shown: Shown, opened: Written | None) -> tuple[Button, ...]:
    t, view = shown.words.t, playing_of(shown).view
    redo = Button(
        id="redo",
        text=t("Bring back"),
        icon="redo",
        intent=Say(Command("redo", _undoer(shown))) if view.redo else None,
        reason="" if view.redo else t("Nothing was taken back that could be brought back."),
    )
    way = way_to(shown, opened) if opened is not None else Way(0)
    say = Say(Command("ask_undo", view.undo_by or None, {"steps": way.steps})) if way.steps else None
    reason = t("This entry cannot be taken back by itself.") if opened else t("First touch an entry.")
    undo = Button(
        id="undo_to",
        text=t("Undo to here"),
        icon="undo",
        intent=say,
        reason="" if say is not None else reason,
    )
    return (redo, undo)


def _undoer(shown: Shown) -> str | None:
    """Who took back last: only this seat, or the table, may bring it back."""
    history = playing_of(shown).view.history
    last = next((w for w in reversed(history) if w.kind == "undo"), None)
    return last.by if last is not None and last.by != TABLE else None
