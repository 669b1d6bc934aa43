"""What the pages of a running game share: bars, seat strips, card faces, lists in pages.

Every function takes `Shown` first and needs a game that runs (`shown.playing`), unless it says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from assistant.actions import TABLE
from assistant.choosing import Choice
from assistant.display import POINTS, Foresight, Gauge, Strip
from assistant.layout import CardFace
from assistant.messages import Command
from ui.presenters import vitals, wording
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
    Stop,
    StopLine,
    Text,
    Tone,
)
from ui.presenters.intents import Go, Intent, Say, Set
from ui.presenters.nav import BACK, Nav
from ui.presenters.shown import Shown, State, display_of, playing_of

WRITING_SHOWN = 0.3
"""Seconds after which a ruling that is still on its way to the disk is mentioned."""
LONG_NAME = 14
"""Characters of a name that fit beside a badge."""
SHORT_NAME = 8
"""Characters of a name that fit beside a large badge and points on a small panel, or beside a time."""
NAME_AND_STATUS = 13
"""Characters of a name and of what its seat does that fit beside each other."""
LONG_TITLE = 18
"""Characters of a card's title that fit in one line."""
MOST_BESIDE = 18
"""Letters of a subtitle, signs and numbers that fit beside each other on a card."""
STRIPS_WIDTH = 292.0
"""Width of the column of seat strips."""
MOST_EFFECTS = 3
"""Most changing numbers that stand at the right of the prompt."""
BAR = 48.0
"""Height of the top bar."""
SIGNED = 4
"""Most letters of a quiet button that leave room for its sign: "Undo", "Rule", "Bids"."""
ICONS = {POINTS: "star"}
"""Signs of things that are not called like their sign."""


# The top bar --------------------------------------------------------------------------------------


def top(shown: Shown, here: str = "") -> Row:
    """Where the game stands and how it stands with camera, panel and record. Needs no running game. `here` is
    the page, where it is the one that the signs lead to."""
    playing = shown.playing
    left: list[AnyElement] = []
    if playing is not None:
        left = [*_progress(shown)] if playing.view.display is not None else []
        if not left:
            left = [Text(text=shown.words.t(playing.game.title.name), bold=True)]
        left += _notice(shown)
    return Row(children=(*left, Space(grow=1), *signs(shown, leads=here != "health")), gap=16, pad=16, h=BAR)


def _notice(shown: Shown) -> list[AnyElement]:
    """The sentence about the whole game; where a banner stands there is no room for it."""
    told = display_of(shown).notice
    if told is None or _crowded(shown):
        return []
    words = playing_of(shown).sentences.say("hints", told.key, wording.named_values(shown, told))
    return [Text(text=words, tone="text2", shrink=True)]


def _progress(shown: Shown) -> list[AnyElement]:
    progress = display_of(shown).progress
    if not progress.unit or not progress.at:
        return []
    words = wording.progress_words(shown.words, progress.unit, progress.at, progress.of)
    line: list[AnyElement] = [Text(text=words, bold=True)]
    # Where a banner or a warning stands there is no room for the phases, and they matter less.
    if progress.phases and progress.phase >= 0 and not _crowded(shown):
        stops = []
        for index, phase in enumerate(progress.phases):
            mark = progress.marks[index] if index < len(progress.marks) else str(index + 1)
            now = index == progress.phase
            state = "now" if now else "done" if index < progress.phase else "ahead"
            stops.append(Stop(mark, wording.word(shown, phase) if now else "", state))  # type: ignore[arg-type]
        line.append(StopLine(stops=tuple(stops), w=430))
    return line


def signs(shown: Shown, *, leads: bool = True, bar: bool = True) -> tuple[AnyElement, ...]:
    """Camera, panel and record: a tick each, or a word where something is to be said, and what is wrong with
    the machine. Together they lead to the page that tells more, where somebody asks the machine; `bar` is for
    the top of a page."""
    house, playing, t = shown.house, shown.playing, shown.words.t
    view = playing.view if playing is not None else None
    before: list[AnyElement] = []
    if (banner := _banner(shown)) is not None:
        before.append(banner)
    elif view is not None and shown.now - (view.writing_since or shown.now) >= WRITING_SHOWN:
        before.append(Text(text=t("writing"), tone="caution", size="note"))
    out: list[AnyElement] = [*_warning(shown)]
    if playing is None or playing.mat is not None:
        out.append(_sign(shown, "camera", house.camera))
    out.append(_sign(shown, "panel", house.panel))
    out.append(_sign(shown, "record", house.record))
    if not house.health or not leads or house.trouble:
        return (*before, *out)
    whole, high = Row(children=tuple(out), gap=16), BAR if bar else None
    return (*before, Panel(child=whole, ground="none", pad=0, h=high, id="health", intent=Go("health")))


def _warning(shown: Shown) -> tuple[Row, ...]:
    """What is wrong with the machine: the worst by its sign and in words, and how many more there are."""
    found = vitals.warnings(shown)
    if not found:
        return ()
    worst, tone = found[0], vitals.TONES[found[0].light]
    more = f" +{len(found) - 1}" if len(found) > 1 else ""
    words = Text(text=f"{vitals.short(shown, worst)}{more}", bold=True, tone=tone, shrink=True)
    return (Row(children=(Icon(name=vitals.ICONS[worst.name], side=26, tone=tone), words), gap=4),)


def _crowded(shown: Shown) -> bool:
    """Whether something stands in the top bar that matters more than phases and sentences about the game."""
    return _banner(shown) is not None or bool(vitals.warnings(shown))


def _banner(shown: Shown) -> Panel | None:
    """What nobody may overlook while they do something else."""
    view, t = shown.playing.view if shown.playing is not None else None, shown.words.t
    if view is not None and (view.unrecorded or view.unwritable):
        words, name = t("not recorded"), "unrecorded"
    elif view is not None and view.eyes == "out_of_step":
        words, name = t("table differs"), "differs"
    elif view is not None and view.paused:
        words, name = t("clocks stand still"), "paused"
    else:
        return None
    return Panel(child=Text(text=words, bold=True), ground="night", edge="stop", pad=6, id=name)


def _sign(shown: Shown, icon: str, state: State) -> Row:
    tone: Tone = "text2"
    words, toned = vitals.camera_short(shown) if icon == "camera" else ("", tone)
    mark: AnyElement
    if state.health == "good" and words and toned != "text2":
        mark = Text(text=words, size="note", tone=toned)
    elif state.health == "good":
        mark = Icon(name="check", side=20, tone="clear")
        if words:
            mark = Row(children=(mark, Text(text=words, size="note", tone="text2")), gap=2)
    elif state.health == "look":
        mark = Text(text=shown.words.t("look"), size="note", tone="caution")
    else:
        mark = Text(text=shown.words.t("off"), size="note", tone="text2")
    return Row(children=(Icon(name=icon, side=26, tone=tone), mark), gap=4)


def name_text(shown: Shown, seat: str) -> Text:
    """Who it is in full, beside a badge; a long name stands in several lines of the smallest size."""
    name = wording.full_name(shown, seat)
    if len(name) > LONG_NAME:
        return Text(text=name, size="note", bold=True, lines=4 if shown.metrics.small else 3, grow=1)
    return Text(text=name, size="button", bold=True, grow=1, shrink=True)


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
    return (
        Icon(name="star", side=24, tone="text2"),
        Text(text=str(strip.points), size="prompt", bold=True, shrink=True),
    )


def strip(
    shown: Shown, strip: Strip, acting: bool, intent: Intent | None = None, compact: bool = False
) -> Panel:
    """One seat beside the board: who, what they do, points, what they have; `compact` in one line, with the
    first of these only."""
    small, name = shown.metrics.small, wording.seat_name(shown, strip.seat)
    # One word beside the name: the time where clocks run, else what the seat does, where there is room.
    status = wording.word(shown, strip.status) if strip.status and not small and not compact else ""
    status = status if len(name) + len(status) <= NAME_AND_STATUS else ""
    clock = playing_of(shown).view.clocks.get(strip.seat)
    if clock is not None:
        status = wording.clock_words(clock)
    long = len(name) > SHORT_NAME
    narrow = (clock is not None and (small or long)) or (small and long)
    head: tuple[AnyElement, ...] = (
        Badge(seat=strip.seat, side=28 if narrow else 44),
        Text(text=name, size="button", bold=True, grow=1, shrink=True),
        *((Text(text=status, tone="text2", shrink=True),) if status else ()),
        *((amount(shown, strip.gauges[0]),) if compact and strip.gauges else ()),
        *points(shown, strip),
    )
    rows: list[AnyElement] = [Row(children=head, gap=4 if shown.metrics.small else 6)]
    if strip.gauges and not compact:
        rows.append(Row(children=tuple(amount(shown, g) for g in strip.gauges), gap=8))
    return Panel(
        child=Column(children=tuple(rows), gap=2),
        ground="sleeper" if acting else "ballast",
        acting=acting,
        pad=8,
        grow=1,
        id=f"seat:{strip.seat}",
        intent=intent,
    )


def acting_seats(shown: Shown) -> tuple[str, ...]:
    """Seats that are asked something, in the order in which the rules ask."""
    return tuple(dict.fromkeys(a.seat for a in playing_of(shown).view.acting if a.seat != TABLE))


def strips(
    shown: Shown,
    speaking: str = "",
    intents: Mapping[str, Intent] | None = None,
    compact: bool = False,
) -> Column:
    """All seats in the order of play; the acting ones are raised, or only the one that is `speaking`."""
    raised = (speaking,) if speaking else acting_seats(shown)
    made = [
        strip(shown, each, each.seat in raised, (intents or {}).get(each.seat), compact)
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
    urgent = [c for c in choices if any(o.role in ("accept", "agree", "told") for o in c.options)]
    asked = [choice for choice in choices if choice.why]
    return next(iter((*picked, *urgent, *asked)), None)


def heard(shown: Shown, seat: str) -> dict[str, Any]:
    """Values of a screen that is to be about a seat."""
    return {"seat": seat, "seq": playing_of(shown).view.seq}


def point(choice: Choice, index: int | None) -> Say:
    """Put the cursor on an option, or nowhere."""
    return Say(Command("point", choice.seat, {"choice": choice.id, "index": index}))


def records(shown: Shown, intent: Intent) -> bool:
    """Whether an intent takes an option that does something, rather than one that opens or fills a form."""
    if not isinstance(intent, Say) or intent.command.what != "take":
        return False
    values = intent.command.values
    choices = playing_of(shown).view.choices
    choice = next((choice for choice in choices if choice.id == values.get("choice")), None)
    if choice is None or not 0 <= values.get("index", -1) < len(choice.options):
        return False
    option = choice.options[values["index"]]
    return option.role not in ("form", "back") and (option.role != "value" or option.action is not None)


def following(choice: Choice, numbers: Sequence[int]) -> int:
    """Which of the options at one space a touch there points at: one after the other, from the first on."""
    if choice.at is None or choice.at not in numbers:
        return numbers[0]
    return numbers[(numbers.index(choice.at) + 1) % len(numbers)]


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
    """Show what was recorded, or only actions of one kind. While table and record differ it leads there, and
    on to the log."""
    if playing_of(shown).view.eyes == "out_of_step":
        return quiet(shown, "differences", shown.words.t("Settle"), "camera", Go("out_of_step"))
    values = {"only": only} if only else {}
    return quiet(shown, "log", text or shown.words.t("Log"), "list", Go("log", values))


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
    # Room for two lines of text, or for the large type that a short title has.
    long = lines < 2 or len(card.title) > LONG_TITLE
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
    subtitle, values = wording.printed(shown, card.subtitle), _values(shown, card, named=lines > 1)
    printed = "; ".join(wording.printed(shown, line) for line in card.lines) if lines > 1 else ""
    if values and len(values) + len(subtitle) > MOST_BESIDE:
        # Beside so many values there is no room for words.
        rows.append(Text(text=subtitle, size="note", tone="text2", shrink=True))
        subtitle = ""
    elif printed and subtitle and not values:
        printed, subtitle, lines = f"{subtitle} · {printed}", "", lines + 1
    under: list[AnyElement] = [Text(text=subtitle, size="note", tone="text2", grow=1)] if subtitle else []
    if values:
        under += [*([] if under else [Space(grow=1)]), *values]
    if under and lines > 0:
        rows.append(Row(children=tuple(under), gap=3 if shown.metrics.small else 6))
    if printed:
        rows.append(Text(text=printed, size="note", tone="text2", lines=lines - 1))
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


def _values(shown: Shown, card: CardFace, named: bool) -> list[AnyElement]:
    """The values of a card beside each other: sign and number, or, where they are not `named` in few words,
    the number alone."""
    out: list[AnyElement] = []
    for value in card.values:
        icon = value.icon or ("" if value.value else value.label)
        if icon:
            side = 18 if shown.metrics.small else 22
            out.append(Icon(name=ICONS.get(icon, icon), side=side, tone="text2"))
        if value.value:
            label = f"{wording.printed(shown, value.label)} " if named and not icon else ""
            out.append(Text(text=f"{label}{value.value}", size="note"))
    return out


def faces_of(shown: Shown) -> dict[str, CardFace]:
    """Open cards and those of the mat, by their name in the game."""
    out: dict[str, CardFace] = {}
    mat = playing_of(shown).mat
    if mat is not None:
        printed = {card.payload: card for card in mat.cards}
        out = {p.name: printed[p.payload] for p in mat.pieces if p.payload in printed}
    for group in display_of(shown).cards:
        out.update(zip(group.names, group.faces, strict=False))
        for name, effects in zip(group.names, group.effects, strict=False):
            said = (playing_of(shown).sentences.value(wording.named(shown, told)) for told in effects)
            out[name] = msgspec.structs.replace(out[name], lines=tuple(map(wording.capital, said)))
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


def onward(shown: Shown, leaf: Leaf, key: str = "page") -> tuple[Button, ...]:
    """One button that goes round the pages of a list; nothing for a single page."""
    if leaf.of < 2:
        return ()
    following = Set({key: (leaf.number + 1) % leaf.of})
    return (Button(id=key, text=shown.words.t("Next"), icon="arrow", intent=following),)


def reading(shown: Shown, nav: Nav, id: str, title: str, rows: Sequence[AnyElement], leaf: Leaf) -> Page:
    """A page of several to read in, with the way onward and the way back."""
    t = shown.words.t
    prompt = Prompt(title, t("Page {n} of {of}", n=leaf.number + 1, of=leaf.of))
    return Page(
        id=id,
        top=top(shown),
        prompt=explained(shown, nav, prompt),
        body=Column(children=tuple(rows), gap=8, pad=12),
        right=(
            *onward(shown, leaf),
            Button(id="leave", text=t("Back"), icon="back", kind="paper", intent=Go(BACK)),
        ),
    )


def pager(shown: Shown, leaf: Leaf, key: str = "page", newest_first: bool = False) -> tuple[AnyElement, ...]:
    """Buttons to turn the pages of a list; nothing for a single page. In a list that begins with the newest
    the way onward is to what is earlier."""
    if leaf.of < 2:
        return ()
    t = shown.words.t
    earlier, later = leaf.number > 0, leaf.number < leaf.of - 1
    before, onward = (t("Later"), t("Earlier")) if newest_first else (t("Previous"), t("Next"))
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
