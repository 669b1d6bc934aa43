"""What the pages of a running game share: top bar, seat strips, labels of options, the map, card faces.

Every function takes `Shown` first and needs a game that runs (`shown.playing`), unless it says otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from assistant.actions import TABLE, Action
from assistant.choosing import Choice, Option
from assistant.display import POINTS, Change, Display, Foresight, Gauge, Strip
from assistant.events import Told
from assistant.layout import CardFace, Mat
from assistant.messages import Command
from assistant.offers import STOP
from ui.presenters.elements import (
    AnyElement,
    Badge,
    Board,
    Button,
    Column,
    Hex,
    Icon,
    Panel,
    Prompt,
    Row,
    Space,
    Stop,
    StopLine,
    Text,
    Token,
    Tone,
)
from ui.presenters.intents import Go, Intent, Say, Set
from ui.presenters.nav import Nav
from ui.presenters.shown import Playing, Shown, State
from ui.sentences import MISSING

WRITING_SHOWN = 0.3
"""Seconds after which a ruling that is still on its way to the disk is mentioned."""
LONG_NAME = 14
"""Characters of a name that fit beside a badge."""
LONG_TITLE = 18
"""Characters of a card's title that fit in one line."""
MOST_VALUES = 4
"""Signs and numbers that fit beside a subtitle on a small panel."""
STRIPS_WIDTH = 292.0
"""Width of the column of seat strips."""
MOST_EFFECTS = 3
"""Most changing numbers that stand at the right of the prompt."""
SIGNED = 4
"""Most letters of a quiet button that leave room for its sign: "Undo", "Rule", "Bids"."""
STATION = "station"
"""The kind of token that is drawn with a ring."""
UNITS = {
    "round": ("Round {n}", "Round {n} of {of}"),
    "turn": ("Turn {n}", "Turn {n} of {of}"),
    "lot": ("Lot {n}", "Lot {n} of {of}"),
}
"""What games count, without an end and with one."""
ICONS = {POINTS: "star"}
"""Signs of things that are not called like their sign."""
_NAME = re.compile(r"([A-Za-z])(\d+)")


def playing_of(shown: Shown) -> Playing:
    """The game that runs. RuntimeError where there is none: such a page is not shown then."""
    if shown.playing is None:
        raise RuntimeError("no game runs")
    return shown.playing


def display_of(shown: Shown) -> Display:
    """What the game shows; an empty one while the table has not made its first."""
    playing = playing_of(shown)
    if playing.view.display is not None:
        return playing.view.display
    return Display(tuple(Strip(seat, None) for seat in playing.game.seats))


def capital(words: str) -> str:
    """The words with a capital first letter."""
    return words[:1].upper() + words[1:]


# The top bar --------------------------------------------------------------------------------------


def top(shown: Shown) -> Row:
    """Where the game stands and how it stands with camera, panel and record. Needs no running game."""
    playing = shown.playing
    left: list[AnyElement] = []
    if playing is not None:
        left = [*_progress(shown)] if playing.view.display is not None else []
        if not left:
            left = [Text(text=playing.game.title.name, bold=True)]
    return Row(children=(*left, Space(grow=1), *signs(shown)), gap=16, pad=16, h=48)


def _progress(shown: Shown) -> list[AnyElement]:
    progress = display_of(shown).progress
    if not progress.unit or not progress.at:
        return []
    open_end, ended = UNITS.get(progress.unit, ("{n}", "{n} / {of}"))
    words = shown.words.t(ended if progress.of else open_end, n=progress.at, of=progress.of)
    line: list[AnyElement] = [Text(text=words, bold=True)]
    unwritten = playing_of(shown).view.unrecorded or playing_of(shown).view.unwritable
    # Where the banner stands there is no room for the phases, and they matter less.
    if progress.phases and progress.phase >= 0 and not unwritten:
        stops = []
        for index, phase in enumerate(progress.phases):
            mark = progress.marks[index] if index < len(progress.marks) else str(index + 1)
            now = index == progress.phase
            state = "now" if now else "done" if index < progress.phase else "ahead"
            stops.append(Stop(mark, word(shown, phase) if now else "", state))  # type: ignore[arg-type]
        line.append(StopLine(stops=tuple(stops), w=430))
    return line


def signs(shown: Shown) -> tuple[AnyElement, ...]:
    """Camera, panel and record: a tick each, or a word where something is to be said."""
    house, playing, t = shown.house, shown.playing, shown.words.t
    view = playing.view if playing is not None else None
    out: list[AnyElement] = []
    if view is not None and (view.unrecorded or view.unwritable):
        banner = Text(text=t("not recorded"), bold=True, tone="stop")
        out.append(Panel(child=banner, ground="night", edge="stop", pad=6, id="unrecorded"))
    elif view is not None and shown.now - (view.writing_since or shown.now) >= WRITING_SHOWN:
        out.append(Text(text=t("writing"), tone="caution", size="note"))
    if playing is None or playing.mat is not None:
        out.append(_sign(shown, "camera", house.camera))
    out.append(_sign(shown, "panel", house.panel))
    out.append(_sign(shown, "record", house.record))
    return tuple(out)


def _sign(shown: Shown, icon: str, state: State) -> Row:
    tone: Tone = "text2"
    if state.health == "good":
        mark: AnyElement = Icon(name="check", side=20, tone="clear")
    elif state.health == "look":
        mark = Text(text=shown.words.t("look"), size="note", tone="caution")
    else:
        mark = Text(text=shown.words.t("off"), size="note", tone="text2")
    return Row(children=(Icon(name=icon, side=26, tone=tone), mark), gap=4)


# Words --------------------------------------------------------------------------------------------


def word(shown: Shown, key: str) -> str:
    """The game's word for a key."""
    return playing_of(shown).sentences.value(key)


def seat_name(shown: Shown, seat: str | None) -> str:
    """Who sits there; "the table" for the table."""
    playing = playing_of(shown)
    if seat is None or seat == TABLE:
        return shown.words.t("The table")
    return playing.names.get(seat) or shown.words.t("Seat {seat}", seat=seat)


def name_text(shown: Shown, seat: str) -> Text:
    """Who it is, beside a badge; a long name stands in up to three lines of the smallest size."""
    name = seat_name(shown, seat)
    if len(name) > LONG_NAME:
        return Text(text=name, size="note", bold=True, lines=4 if shown.metrics.small else 3, grow=1)
    return Text(text=name, size="button", bold=True, grow=1, shrink=True)


def seat_names(shown: Shown, seats: Iterable[str]) -> str:
    """Several seats in a sentence: "Aiko, Tom"."""
    return ", ".join(seat_name(shown, seat) for seat in seats)


def named(shown: Shown, value: Any) -> Any:
    """A value of an action or hint with printed names instead of ids of cards, in all its parts."""
    if isinstance(value, str):
        return playing_of(shown).game.name_of(value)
    if isinstance(value, Mapping):
        return {key: named(shown, inner) for key, inner in value.items()}
    if isinstance(value, list | tuple | frozenset):
        return [named(shown, inner) for inner in value]
    return value


def fields_of(shown: Shown, action: Action) -> dict[str, Any]:
    """The fields of an action, for a template; a seat stays a letter, which the sentences know."""
    return {
        name: value if name == "seat" else named(shown, value)
        for name in action.__struct_fields__
        if (value := getattr(action, name)) is not None
    }


def action_words(shown: Shown, action: Action) -> str:
    """What somebody does, in a sentence without its full stop: "Jonas places a rail on h10"."""
    playing = playing_of(shown)
    if not playing.sentences.has("actions", action.kind):
        return playing.sentences.action(action)
    words = playing.sentences.say("actions", action.kind, fields_of(shown, action))
    # The table and other subjects stand in lower case within sentences; here they begin one.
    return capital(words)


def told_words(shown: Shown, told: Told) -> str:
    """Something for people to know or do."""
    return playing_of(shown).sentences.say("told", told.key, {"seat": told.seat, **_named(shown, told)})


def _named(shown: Shown, told: Told) -> dict[str, Any]:
    letters = playing_of(shown).game.seats

    def seats(value: Any) -> bool:
        return value in letters if isinstance(value, str) else False

    # What are letters of seats stays so: the sentences turn these into people.
    return {
        key: value
        if seats(value) or (isinstance(value, list | tuple) and all(map(seats, value)))
        else named(shown, value)
        for key, value in told.values.items()
    }


def value_label(shown: Shown, value: Any) -> str:
    """A value of a blank, as a button: a name, a number, "No more"."""
    playing = playing_of(shown)
    if value == STOP:
        return shown.words.t("No more")
    if isinstance(value, bool) or value is None:
        return playing.sentences.value(value)
    if isinstance(value, str):
        name = playing.game.name_of(value)
        if name != value:
            return name
        if value in playing.names and not playing.sentences.has("words", value):
            return seat_name(shown, value)
        return capital(playing.sentences.value(value))
    if isinstance(value, Mapping):
        return playing.sentences.value(named(shown, value))
    if isinstance(value, Sequence):
        return ", ".join(value_label(shown, inner) for inner in value) or playing.sentences.value([])
    return str(value)


def option_label(shown: Shown, option: Option) -> str:
    """An option as a button, about 24 characters: "Rail on g9", "Record", "Back"."""
    t, playing = shown.words.t, playing_of(shown)
    if option.role == "value":
        return value_label(shown, option.value)
    if option.role in ("offer", "form"):
        values = fields_of(shown, option.action) if option.action is not None else {}
        if option.role == "form" and option.value is not None:
            values = {"card": named(shown, option.value)}
        if playing.sentences.has("offers", option.kind):
            return capital(playing.sentences.say("offers", option.kind, values))
        return capital(option.kind.replace("_", " ")) if option.action is None else _spelt(shown, option)
    return {
        "back": t("Back"),
        "accept": t("Record"),
        "dismiss": t("Not this one"),
        "agree": t("Agree"),
        "decline": t("Do not agree"),
    }[option.role]


def _spelt(shown: Shown, option: Option) -> str:
    """The label of an action that its game has no words for: what it is and what it is about."""
    assert option.action is not None
    about = [value_label(shown, v) for k, v in fields_of(shown, option.action).items() if k != "seat"]
    return capital(" ".join((option.kind.replace("_", " "), *about)))


def change_words(shown: Shown, change: Change) -> str:
    """What would change: "3 → 1 power"."""
    return f"{change.before} → {change.after} {word(shown, change.what)}"


def changes_words(shown: Shown, changes: Iterable[Change]) -> str:
    """Several changes in one line; those of points are left out where the house keeps scores hidden."""
    hidden = playing_of(shown).hidden_scores
    return ", ".join(change_words(shown, c) for c in changes if not (hidden and c.what == POINTS))


def hint_words(shown: Shown, foresight: Foresight | None) -> str:
    """The sentence about what an action would do; empty where the game has none."""
    if foresight is None or foresight.hint is None:
        return ""
    hint = foresight.hint
    values = {"seat": hint.seat, **_named(shown, hint)}
    return playing_of(shown).sentences.say("hints", hint.key, values)


def foresight_words(shown: Shown, foresight: Foresight | None) -> str:
    """What an action would do: its sentence, then what changes; empty where nothing is foretold."""
    if foresight is None:
        return ""
    said, changed = hint_words(shown, foresight), changes_words(shown, foresight.changes)
    return " ".join(part for part in (said, changed and f"{changed}.") if part)


def option_detail(shown: Shown, option: Option) -> str:
    """What taking an option would do; empty where nothing is foretold."""
    return foresight_words(shown, option.foresight)


def asked_words(shown: Shown, why: str, seat: str) -> str:
    """What a seat is asked, as it stands after its name: "build the railway"."""
    said = playing_of(shown).sentences.say("why", why, {"seat": seat})
    # English catalogues have "to build", as after "is asked"; other languages a plain infinitive.
    return said.removeprefix("to ") if shown.words.language == "en" else said


def within(shown: Shown, label: str) -> str:
    """A label as it stands within a sentence: English ones lose their capital."""
    return label[:1].lower() + label[1:] if shown.words.language == "en" else label


def label_within(shown: Shown, option: Option) -> str:
    """The label of an option within a sentence; names and values keep their capital."""
    label, sentences = option_label(shown, option), playing_of(shown).sentences
    begins_with_value = sentences.say("offers", option.kind, {}).startswith(MISSING)
    return label if option.role == "value" or begins_with_value else within(shown, label)


def question(shown: Shown, choice: Choice) -> str:
    """The question of the blank that is asked now, of a form that is open; empty without one."""
    if not choice.kind:
        return ""
    sentences, number = playing_of(shown).sentences, len(choice.filled) + 1
    for key in (f"{choice.kind}.{number}", f"{choice.kind}.more"):
        if sentences.has("blanks", key):
            return sentences.say("blanks", key)
    return shown.words.t("Which one?")


# Seats --------------------------------------------------------------------------------------------


def amount(shown: Shown, gauge: Gauge) -> Row:
    """So much of something: its sign and the number."""
    return Row(
        children=(
            Icon(name=ICONS.get(gauge.what, gauge.what), side=24, tone="text2"),
            Text(text=str(gauge.value), bold=True),
        ),
        gap=4 if shown.metrics.small else 6,
    )


def points(shown: Shown, strip: Strip) -> tuple[AnyElement, ...]:
    """A seat's points with the star; nothing where the house keeps them hidden."""
    if strip.points is None or playing_of(shown).hidden_scores:
        return ()
    return (Icon(name="star", side=24, tone="text2"), Text(text=str(strip.points), size="prompt", bold=True))


def strip(shown: Shown, strip: Strip, acting: bool, intent: Intent | None = None) -> Panel:
    """One seat beside the board: who, what they do, points, what they have."""
    status = word(shown, strip.status) if strip.status and not shown.metrics.small else ""
    head: tuple[AnyElement, ...] = (
        Badge(seat=strip.seat, side=44),
        Text(text=seat_name(shown, strip.seat), size="button", bold=True, grow=1, shrink=True),
        *((Text(text=status, tone="text2"),) if status else ()),
        *points(shown, strip),
    )
    rows: list[AnyElement] = [Row(children=head, gap=8)]
    if strip.gauges:
        gap = 8 if shown.metrics.small else 20
        rows.append(Row(children=tuple(amount(shown, g) for g in strip.gauges), gap=gap))
    clock = playing_of(shown).view.clocks.get(strip.seat)
    if clock is not None:
        rows.append(Text(text=clock_words(clock), size="note", tone="text2"))
    return Panel(
        child=Column(children=tuple(rows), gap=2),
        ground="sleeper" if acting else "ballast",
        acting=acting,
        pad=8,
        grow=1,
        id=f"seat:{strip.seat}",
        intent=intent,
    )


def clock_words(seconds: float) -> str:
    """Seconds as "12:05"."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02d}"


def acting_seats(shown: Shown) -> tuple[str, ...]:
    """Seats that are asked something, in the order in which the rules ask."""
    return tuple(dict.fromkeys(a.seat for a in playing_of(shown).view.acting if a.seat != TABLE))


def strips(shown: Shown, speaking: str = "", intents: Mapping[str, Intent] | None = None) -> Column:
    """All seats in the order of play; the acting ones are raised, or only the one that is `speaking`."""
    raised = (speaking,) if speaking else acting_seats(shown)
    made = [
        strip(shown, each, each.seat in raised, (intents or {}).get(each.seat))
        for each in display_of(shown).strips
    ]
    return Column(children=tuple(made), gap=8, pad=8, w=STRIPS_WIDTH)


# Choices ------------------------------------------------------------------------------------------


def speaking(shown: Shown, nav: Nav) -> Choice | None:
    """Whose choice the page is about: the seat that was picked (`nav.values["seat"]`), else the one that has
    to answer the camera or the table, else the first that is asked."""
    view, wanted = playing_of(shown).view, nav.values.get("seat")
    choices = view.choices
    # Who only has free actions is heard until something is recorded; then it is for the others again.
    picked = [c for c in choices if c.seat == wanted and (c.why or nav.values.get("seq") == view.seq)]
    urgent = [c for c in choices if any(o.role in ("accept", "agree") for o in c.options)]
    asked = [choice for choice in choices if choice.why]
    return next(iter((*picked, *urgent, *asked)), None)


def heard(shown: Shown, seat: str) -> dict[str, Any]:
    """Values of a screen that is to be about a seat."""
    return {"seat": seat, "seq": playing_of(shown).view.seq}


def point(choice: Choice, index: int | None) -> Say:
    """Put the cursor on an option, or nowhere."""
    return Say(Command("point", choice.seat, {"choice": choice.id, "index": index}))


def take(choice: Choice, index: int) -> Say:
    """Take an option."""
    return Say(Command("take", choice.seat, {"choice": choice.id, "index": index}))


def explained(shown: Shown, nav: Nav, prompt: Prompt) -> Prompt:
    """The prompt, or in its place why a button is grey, or what the last deed answered."""
    if nav.explain:
        return Prompt(nav.explain, prompt.text, "caution", prompt.seat)
    if shown.house.said:
        return msgspec.structs.replace(prompt, detail=shown.house.said)
    return prompt


def effects(shown: Shown, foresight: Foresight | None) -> Row | None:
    """The numbers that would change, for the right of the prompt: sign, before, after. None where that are
    none, or more than there is room for."""
    if foresight is None:
        return None
    hidden = playing_of(shown).hidden_scores
    changes = [c for c in foresight.changes if not (hidden and c.what == POINTS)]
    if len(changes) > MOST_EFFECTS:
        return None
    parts: list[AnyElement] = []
    for change in changes:
        parts.append(
            Row(
                children=(
                    Icon(name=ICONS.get(change.what, change.what), side=26, tone="text2"),
                    Text(text=f"{change.before} → {change.after}", size="button", bold=True),
                ),
                gap=6,
            )
        )
    return Row(children=tuple(parts), gap=16) if parts else None


# Buttons at the left ------------------------------------------------------------------------------


def quiet(shown: Shown, id: str, text: str, icon: str, intent: Intent | None, reason: str = "") -> Button:
    """A button at the left of the bottom bar; on a small panel, and beside long words, there is no room for
    the sign."""
    sign = "" if shown.metrics.small or len(text) > SIGNED else icon
    return Button(id=id, text=text, icon=sign, kind="quiet", intent=intent, reason=reason)


def undo_button(shown: Shown) -> Button:
    """Take back the last entry; the consent page says beforehand what that takes."""
    t, view = shown.words.t, playing_of(shown).view
    if view.undo is None or not view.undo.entries:
        return quiet(shown, "undo", t("Undo"), "undo", None, t("There is nothing to take back."))
    return quiet(
        shown, "undo", t("Undo"), "undo", Say(Command("ask_undo", view.undo_by or None, {"steps": 1}))
    )


def rule_button(shown: Shown, rules: Sequence[str] = (), text: str = "") -> Button:
    """Show the rules for what is asked, or those that are named."""
    return quiet(shown, "rule", text or shown.words.t("Rule"), "book", Go("rule", {"rules": list(rules)}))


def log_button(shown: Shown, text: str = "", only: str = "") -> Button:
    """Show what was recorded, or only actions of one kind."""
    values = {"only": only} if only else {}
    return quiet(shown, "log", text or shown.words.t("Log"), "list", Go("log", values))


# The map ------------------------------------------------------------------------------------------


def map_of(shown: Shown) -> Mat | None:
    """The mat where it has a hex map to draw."""
    mat = playing_of(shown).mat
    return mat if mat is not None and mat.hexgrid is not None else None


def hexes(
    shown: Shown,
    *,
    lit: Mapping[str, str] | None = None,
    second: Collection[str] = (),
    chosen: str = "",
    seen: Sequence[tuple[str, Token]] = (),
    wrong: Collection[str] = (),
) -> tuple[Hex, ...]:
    """The spaces of the map with what lies there by the record. Empty for a game without a hex map.

    `lit` are legal spaces with the cost to show (empty for none), `second` those of them whose cost is in
    another resource too; `seen` are tokens that only the camera knows, as (space, token). While any space is
    lit or wrong the others are dimmed.
    """
    mat = map_of(shown)
    if mat is None:
        return ()
    display, light = display_of(shown), lit or {}
    lying: dict[str, list[Token]] = {}
    for spot in display.tokens:
        if spot.seat is not None:
            lying.setdefault(spot.space, []).append(Token(spot.seat, spot.what == STATION))
    for space, token in seen:
        lying.setdefault(space, []).append(token)
    asked = {*light, *wrong, *(space for space, _ in seen), *([chosen] if chosen else [])}
    return tuple(
        Hex(
            space.id,
            *space.hex,
            display.tints.get(space.id, space.tint),
            tuple(lying.get(space.id, ())),
            lit=space.id in light,
            cost=light.get(space.id, ""),
            second=space.id in second,
            chosen=space.id == chosen,
            open=space.id in display.open_spaces,
            wrong=space.id in wrong,
            dim=bool(asked) and space.id not in asked,
        )
        for space in mat.spaces
        if space.hex is not None
    )


def board(
    shown: Shown,
    drawn: tuple[Hex, ...],
    intents: dict[str, Intent] | None = None,
    closer: tuple[str, ...] = (),
    legend: tuple[tuple[str, str], ...] = (),
) -> Board:
    """The map as an element, with the letters of rows and numbers of columns that its names have."""
    rows, columns = edges(drawn)
    return Board(
        hexes=drawn,
        intents=intents or {},
        rows=rows,
        columns=columns,
        closer=closer,
        legend=legend,
        grow=1,
    )


def edges(drawn: Sequence[Hex]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Letters of the rows, top to bottom, and numbers of the columns, left to right. Empty for a map whose
    spaces are not named like "g9"."""
    letters: dict[int, str] = {}
    numbers: set[int] = set()
    for hexagon in drawn:
        name = _NAME.fullmatch(hexagon.space)
        if name is None or letters.setdefault(hexagon.r, name[1]) != name[1]:
            return (), ()
        numbers.add(int(name[2]))
    if not numbers:
        return (), ()
    return (
        tuple(letters.get(r, "") for r in range(min(letters), max(letters) + 1)),
        tuple(str(n) for n in range(min(numbers), max(numbers) + 1)),
    )


# Cards --------------------------------------------------------------------------------------------


def face(
    shown: Shown,
    card: CardFace,
    *,
    id: str = "",
    intent: Intent | None = None,
    chosen: bool = False,
    note: str = "",
    lines: int = 2,
    w: float | None = None,
    h: float | None = None,
    grow: float = 0,
) -> Panel:
    """A small card: title, its large number, up to `lines` lines of what is printed; `note` comes last."""
    corner: list[AnyElement] = []
    if card.corner:
        if card.corner_icon:
            corner.append(Icon(name=ICONS.get(card.corner_icon, card.corner_icon), side=22, tone="text2"))
        corner.append(Text(text=card.corner, size="button", bold=True))
    long = len(card.title) > LONG_TITLE
    title = Text(
        text=card.title,
        size="text" if long else "button",
        bold=True,
        grow=1,
        lines=2 if long else 1,
        shrink=True,
    )
    head = Row(children=(title, *corner), gap=4)
    rows: list[AnyElement] = [head]
    values: list[AnyElement] = []
    for value in card.values:
        icon = value.icon or ("" if value.value else value.label)
        if icon:
            side = 18 if shown.metrics.small else 22
            values.append(Icon(name=ICONS.get(icon, icon), side=side, tone="text2"))
        if value.value:
            values.append(Text(text=value.value if icon else f"{value.label} {value.value}", size="note"))
    under: list[AnyElement] = []
    if shown.metrics.small and len(values) > MOST_VALUES and card.subtitle:
        # Beside so many values there is no room for words.
        rows.append(Text(text=card.subtitle, size="note", tone="text2"))
    elif card.subtitle:
        under.append(Text(text=card.subtitle, size="note", tone="text2", grow=1))
    if values:
        under += [*([] if under else [Space(grow=1)]), *values]
    if under and lines > 0:
        rows.append(Row(children=tuple(under), gap=3 if shown.metrics.small else 6))
    if card.lines and lines > 1:
        rows.append(Text(text="; ".join(card.lines), size="note", tone="text2", lines=lines - 1))
    if note:
        rows.append(Text(text=note, size="note", lines=2))
    return Panel(
        child=Column(children=tuple(rows), gap=2),
        ground="sleeper" if intent is not None else "ballast",
        edge="rule" if intent is not None else None,
        chosen=chosen,
        pad=10,
        id=id,
        intent=intent,
        w=w,
        h=h,
        grow=grow,
    )


def faces_of(shown: Shown) -> dict[str, CardFace]:
    """Open cards and those of the mat, by their name in the game."""
    out: dict[str, CardFace] = {}
    mat = playing_of(shown).mat
    if mat is not None:
        printed = {card.payload: card for card in mat.cards}
        out = {p.name: printed[p.payload] for p in mat.pieces if p.payload in printed}
    for group in display_of(shown).cards:
        out.update(zip(group.names, group.faces, strict=False))
    return out


# Pages of a list ----------------------------------------------------------------------------------


class Leaf(msgspec.Struct, frozen=True):
    """One page of a list: from where to where, its number from 0, and how many there are."""

    first: int
    end: int
    number: int
    of: int


def leaf(total: int, a_page: int, wanted: Any) -> Leaf:
    """The page `wanted` (any value; what is no page is brought into range) of a list of `total`."""
    of = max(1, -(-total // a_page))
    number = min(max(wanted if isinstance(wanted, int) else 0, 0), of - 1)
    return Leaf(number * a_page, min(total, (number + 1) * a_page), number, of)


def pager(shown: Shown, leaf: Leaf, key: str = "page", newest_first: bool = False) -> tuple[AnyElement, ...]:
    """Buttons to turn the pages of a list; nothing for a single page. In a list that begins with the newest
    the way onward is to what is earlier."""
    if leaf.of < 2:
        return ()
    t = shown.words.t
    earlier, later = leaf.number > 0, leaf.number < leaf.of - 1
    before, onward = (t("Later"), t("Earlier")) if newest_first else (t("Earlier"), t("Later"))
    return (
        Row(
            children=(
                Button(
                    id=f"{key}:earlier",
                    text=before,
                    icon="back",
                    intent=Set({key: leaf.number - 1}) if earlier else None,
                    reason="" if earlier else t("This is the first page."),
                ),
                Space(grow=1),
                Text(text=t("Page {n} of {of}", n=leaf.number + 1, of=leaf.of), tone="text2"),
                Space(grow=1),
                Button(
                    id=f"{key}:later",
                    text=onward,
                    icon="arrow",
                    intent=Set({key: leaf.number + 1}) if later else None,
                    reason="" if later else t("This is the last page."),
                ),
            ),
            h=64,
        ),
    )
