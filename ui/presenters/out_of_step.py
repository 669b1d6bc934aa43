"""Table and record differ: what is seen, what is recorded, what is allowed, and one tap to settle each."""

from __future__ import annotations

from typing import Literal

import msgspec

from assistant.messages import Command
from assistant.reading import Difference, OutOfStep
from assistant.settling import How
from ui.presenters.elements import (
    AnyElement,
    Board,
    Button,
    Column,
    Hex,
    Icon,
    Page,
    Panel,
    Prompt,
    Row,
    Space,
    Text,
    Token,
)
from ui.presenters.intents import Go, Intent, Say, Set
from ui.presenters.maps import map_of
from ui.presenters.nav import Nav, step
from ui.presenters.parts import explained, leaf, quiet, top
from ui.presenters.shown import Shown, display_of, playing_of
from ui.presenters.wording import capital, seat_names, word
from ui.sentences import MISSING

A_PAGE = 2
PAD, BAR = 10.0, 6.0
"""Space inside the edge of a row, and the width of the bar at the left of the first one."""
PIECES = frozenset({"rail", "station"})


def page(shown: Shown, nav: Nav) -> Page:
    """The page."""
    t, reading = shown.words.t, playing_of(shown).view.reading
    differences = reading.differences if isinstance(reading, OutOfStep) else ()
    part = leaf(len(differences), A_PAGE, nav.values.get("page"))
    rows: list[AnyElement] = [_heads(shown)]
    for number in range(part.first, part.end):
        rows.append(_row(shown, number, differences[number], first=number == part.first))
    if part.end - part.first < A_PAGE:
        rows.append(Space(grow=1))
    count = len(differences)
    if not count:
        return _agree(shown)
    text = shown.words.n(
        "Table and record differ in {n} place", "Table and record differ in {n} places", count
    )
    first = differences[0].place if differences else ""
    detail = t("Camera moves wait until all is settled.")
    if first:
        detail = t("Camera moves wait until all is settled. Start with {place}.", place=first)
    more: tuple[Button, ...] = ()
    if part.of > 1:
        following = (part.number + 1) % part.of
        more = (
            Button(
                id="page",
                text=t("Page {n} of {of}", n=part.number + 1, of=part.of),
                icon="arrow",
                intent=Set({"page": following}),
            ),
        )
    return Page(
        id="out_of_step",
        top=top(shown),
        prompt=explained(shown, nav, Prompt(text, detail, "stop", right=_hidden(shown, reading))),
        body=Column(children=tuple(rows), gap=10, pad=12),
        left=(
            quiet(shown, "picture", t("Picture"), "camera", Go("picture")),
            quiet(shown, "log", t("Log"), "list", Go("log")),
            quiet(shown, "later", t("Later"), "clock", Set({"later": True})),
        ),
        right=(
            *more,
            Button(id="look", text=t("Read again"), icon="reload", intent=Say(Command("look"))),
        ),
        alarm=True,
        sound="out_of_step",
    )


def on(nav: Nav, intent: Intent, shown: Shown) -> Nav | None:
    """ "Later" holds until table and record differ in another way."""
    if not isinstance(intent, Set) or "later" not in intent.values:
        return None
    reading = playing_of(shown).view.reading
    differences = reading.differences if isinstance(reading, OutOfStep) else ()
    put_off = msgspec.structs.replace(nav, put_off=differences)
    # A page that was open before comes back; the differences themselves are left.
    return step(put_off, Go("") if nav.screen in ("", "out_of_step") else Set({}))


def _agree(shown: Shown) -> Page:
    """Somebody came here while nothing differs, or has just put it right."""
    t = shown.words.t
    return Page(
        id="out_of_step",
        top=top(shown),
        prompt=Prompt(t("Table and record agree"), "", "clear"),
        body=Space(grow=1),
        right=(Button(id="leave", text=t("Go on"), kind="paper", intent=Go("")),),
    )


def _hidden(shown: Shown, reading: object) -> AnyElement | None:
    count = len(reading.hidden) if isinstance(reading, OutOfStep) else 0
    if not count:
        return None
    words = shown.words.n("{n} area covered, not judged", "{n} areas covered, not judged", count)
    child = Row(children=(Icon(name="hand", side=24), Text(text=words, size="note")), gap=6)
    return Panel(child=child, ground="night", pad=8)


def _heads(shown: Shown) -> Row:
    t = shown.words.t

    def head(icon: str, words: str, w: float | None, grow: float = 0) -> Row:
        sign = (Icon(name=icon, side=22, tone="text2"),) if icon else ()
        return Row(children=(*sign, Text(text=words, tone="text2", size="note")), gap=6, w=w, grow=grow)

    heads = Row(
        children=(
            head("", t("Place"), 98),
            head("camera", t("Seen"), 172),
            head("record", t("Recorded"), 172),
            head("book", t("Allowed"), None, 1),
            head("", t("Settle"), 216),
        ),
        gap=12,
        grow=1,
    )
    return Row(children=(Space(w=PAD + BAR), heads, Space(w=PAD)), gap=0, h=28)


def _row(shown: Shown, number: int, difference: Difference, first: bool) -> Panel:
    t, playing = shown.words.t, playing_of(shown)
    settles = playing.view.settles
    ways: tuple[How, ...] = settles[number] if number < len(settles) else ("put_back",)
    recorded, seen = _lying(shown, difference)
    mat = map_of(shown)
    space = next((s for s in mat.spaces if s.id == difference.place), None) if mat is not None else None
    under = ""
    if space is not None:
        under = space.title.removeprefix(difference.place).strip()
        # A space without a name of its own is called by its terrain, in the table's language.
        under = capital(word(shown, space.tint)) if under.lower() == space.tint else under
    place = Column(
        children=(
            Text(text=difference.place or t("outside"), size="prompt", bold=True, shrink=True),
            *((Text(text=under, size="note", tone="text2", shrink=True, lines=2),) if under else ()),
        ),
        gap=2,
        w=98,
    )
    children = (
        place,
        _side(shown, difference, seen, w=172),
        _side(shown, difference, recorded, w=172),
        _allowed(shown, difference, ways),
        _buttons(shown, number, difference, ways, first),
    )
    return Panel(
        # Without the bar of the one to begin with, its width is left free, so that the columns are straight.
        child=Row(children=(Space(w=0 if first else BAR), Row(children=children, gap=12, grow=1)), gap=0),
        ground="sleeper" if first else "ballast",
        acting=first,
        pad=PAD,
        grow=1,
        id=f"difference:{number}",
    )


def _lying(shown: Shown, difference: Difference) -> tuple[list[Token], list[Token]]:
    """Tokens at the place of a difference: by the record, and as seen."""
    recorded = [
        Token(spot.seat, spot.what == "station")
        for spot in display_of(shown).tokens
        if spot.space == difference.place and spot.seat is not None
    ]
    mine = Token(difference.seat, difference.piece == "station") if difference.seat else None
    if mine is None or difference.piece not in PIECES:
        return recorded, recorded
    if difference.kind in ("missing", "moved"):
        return recorded, [token for token in recorded if token != mine]
    return recorded, [*recorded, mine]


def _side(shown: Shown, difference: Difference, tokens: list[Token], w: float) -> Row:
    """What lies at a place, drawn and in words."""
    t, mat = shown.words.t, map_of(shown)
    drawn: tuple[AnyElement, ...] = ()
    space = next((s for s in mat.spaces if s.id == difference.place), None) if mat is not None else None
    if space is not None and space.hex is not None:
        one = Hex(space.id, 0, 0, display_of(shown).tints.get(space.id, space.tint), tuple(tokens))
        drawn = (Board(hexes=(one,), w=70, h=80, id=f"hex:{difference.place}:{len(tokens)}"),)
    names = seat_names(shown, dict.fromkeys(token.seat for token in tokens))
    text = names or t("empty")
    if difference.piece and difference.piece not in PIECES and not tokens:
        text = _piece(shown, difference.piece)
    return Row(children=(*drawn, Text(text=text, lines=3, shrink=True, grow=1)), gap=8, w=w)


def _piece(shown: Shown, piece: str) -> str:
    """What people call a piece: a kind of token, a card by its printed name, one of the box by its code."""
    playing = playing_of(shown)
    known = {each.payload: each for each in playing.mat.pieces} if playing.mat is not None else {}
    if (found := known.get(piece)) is not None:
        name = playing.game.name_of(found.name)
        return (
            name if found.form == "card" else f"{word(shown, found.what)} {found.seat or ''} {name}".strip()
        )
    name = playing.game.name_of(piece)
    return name if name != piece or not piece else word(shown, piece)


def _allowed(shown: Shown, difference: Difference, ways: tuple[How, ...]) -> Column:
    t, sentences = shown.words.t, playing_of(shown).sentences
    yes = "record" in ways
    head = Row(
        children=(
            Icon(name="check" if yes else "cross", side=24, tone="clear" if yes else "stop"),
            # The stop tone is too dark for words to eyes without red; its sign can be seen.
            Text(text=t("Yes") if yes else t("No"), bold=True),
            Text(text=difference.rule, bold=True, size="note", tone="text2"),
        ),
        gap=8,
    )
    values = {
        "place": difference.place,
        "seat": difference.seat,
        "piece": _piece(shown, difference.piece),
        "n": difference.n,
        "to": difference.to,
    }
    # The rule says best why not; where its sentence needs more than is known, what differs is said.
    said = sentences.say("refusals", difference.rule) if sentences.has("refusals", difference.rule) else ""
    if not said or MISSING in said or yes:
        said = sentences.say("differences", difference.kind, values)
    said = capital(said.removeprefix(f"{difference.place}: "))
    return Column(
        children=(head, Text(text=said, lines=4 if shown.metrics.small else 3, shrink=True)), gap=4, grow=1
    )


def _buttons(shown: Shown, number: int, difference: Difference, ways: tuple[How, ...], first: bool) -> Column:
    t = shown.words.t
    words = {"put_back": t("Put it back"), "record": t("Record as seen"), "agreed": t("The table agreed")}
    order = sorted(ways, key=lambda how: how == "put_back" and "record" in ways)
    made = []
    for index, how in enumerate(order):
        intent: Intent = Say(Command("settle", difference.seat, {"index": number, "how": how}))
        kind: Literal["paper", "plain"] = "paper" if first and index == 0 else "plain"
        made.append(Button(id=f"{how}:{number}", text=words[how], kind=kind, intent=intent, w=216))
    return Column(children=(Space(grow=1), *made, Space(grow=1)), gap=6, w=216)
