"""The chooser for everything that is not answered on the map: cards, payments, trains, values of a form.

A touch on what would be recorded points at it, and the paper button does it; a touch on a value of a form
goes on at once, as "Back" takes that back. Kept in `nav.values`: "seat" and "seq" (who speaks), "page",
"cars" (the page of a long train), "owed" (cards are entered by hand), "picked" (those so far), "open" and
"filled" (a form of the table that is being filled), "kind" (only answers of that kind are listed).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from assistant.actions import TABLE
from assistant.choosing import Choice, Option
from assistant.display import Car, Train
from assistant.layout import CardFace
from assistant.messages import Command
from assistant.offers import STOP, Form, Offer
from ui.presenters import parts, rows, table, turn, wording
from ui.presenters.clocks import clock_button
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
)
from ui.presenters.intents import Go, Intent, Say, Set
from ui.presenters.nav import Nav, step
from ui.presenters.shown import Shown, display_of, playing_of

CARS = 5
"""Cards of a train on one page."""
YARD = 3
"""Options below a train on one page."""
ROWS = 3
"""Rows of options without cards on one page."""
PICKER = 84.0
"""Width of the column of seats to pick from."""


def page(shown: Shown, nav: Nav) -> Page:
    """The chooser."""
    choice = parts.speaking(shown, nav)
    if nav.values.get("owed") or choice is None:
        return _owed_page(shown, nav)
    accepts = table.accepts_of(choice)
    prompt = _prompt(shown, choice)
    tracks = not accepts and _train(shown, choice) is None and rows.fits(shown, choice)
    body = rows.answered(shown, choice) if tracks else _body(shown, nav, choice)
    return Page(
        id="choice",
        top=parts.top(shown),
        prompt=parts.explained(shown, nav, prompt),
        body=_with_picker(shown, choice, body),
        left=_left(shown),
        right=table.camera_answers(shown, choice) if accepts else _answers(shown, nav, choice),
    )


def _left(shown: Shown) -> tuple[Button, ...]:
    """Taking back, looking up, looking back, and the clocks."""
    buttons = (parts.undo_button(shown), parts.rule_button(shown), parts.log_button(shown))
    return (*buttons, *clock_button(shown))


def on(nav: Nav, intent: Intent, shown: Shown) -> Nav | None:
    """Back to what the game asks once something is done that a screen was opened for; lists start anew."""
    if not isinstance(intent, Say) or intent.command.what not in ("take", "try"):
        return None
    fresh = {k: v for k, v in nav.values.items() if k not in ("page", "cars")}
    stays = msgspec.structs.replace(nav, values=fresh, explain="")
    if intent.command.what == "try":
        return step(nav, Go(""))
    if not parts.records(shown, intent):
        return stays
    anew = rows.anew(stays)
    return step(anew, Go("")) if nav.screen else anew


# What is asked ------------------------------------------------------------------------------------


def _prompt(shown: Shown, choice: Choice) -> Prompt:
    if not choice.kind:
        return table.prompt_for(shown, choice, False)
    t, name, chosen = shown.words.t, wording.seat_name(shown, choice.seat), choice.chosen
    said: list[str] = []
    right = parts.effects(shown, chosen.foresight) if chosen is not None else None
    if chosen is not None and chosen.role == "value":
        hint, whole = wording.hint_words(shown, chosen.foresight), wording.option_detail(shown, chosen)
        said.append(hint if right is not None else whole)
    filled = [wording.value_label(shown, value) for value in choice.filled]
    if filled and not any(said):
        said.append(t("So far: {what}.", what=", ".join(filled)))
    text = f"{name}: {wording.within(shown, wording.question(shown, choice))}"
    return Prompt(text, " ".join(filter(None, said)), "clear", choice.seat, right)


# The body -----------------------------------------------------------------------------------------


def _with_picker(shown: Shown, choice: Choice, body: AnyElement) -> AnyElement:
    """The body with the seats that may speak beside it, where there are several."""
    choices = playing_of(shown).view.choices
    if len(choices) < 2:
        return body
    order = [strip.seat for strip in display_of(shown).strips]
    seats = sorted(choices, key=lambda c: order.index(c.seat) if c.seat in order else len(order))
    made: list[AnyElement] = []
    for each in seats:
        here = each.seat == choice.seat
        made.append(
            Panel(
                child=Badge(seat=each.seat, side=48),
                ground="sleeper" if each.why else "ballast",
                acting=here,
                pad=14,
                h=84,
                id=f"seat:{each.seat}",
                intent=None if here else Set({**parts.heard(shown, each.seat), "page": 0}),
            )
        )
    return Row(children=(Column(children=tuple(made), gap=8, pad=8, w=PICKER + 16), body), gap=0)


def _body(shown: Shown, nav: Nav, choice: Choice) -> AnyElement:
    accepts = table.accepts_of(choice)
    if accepts:
        return _grid(shown, nav, choice, [("", accepts)])
    train = _train(shown, choice)
    groups = _groups(shown, choice, nav.values.get("kind"))
    if train is not None:
        return _with_train(shown, nav, choice, train, [n for _, group in groups for n in group])
    return _grid(shown, nav, choice, groups)


def _groups(shown: Shown, choice: Choice, kind: str | None) -> list[tuple[str, list[int]]]:
    """Options of the list, or only those of one `kind`: what the turn is about, then what may be done
    besides. "Back" and what ends the turn have buttons below."""
    rest = [n for n, o in enumerate(choice.options) if o.role != "back" and n != _ending(choice)]
    rest = [n for n in rest if kind is None or choice.kind or choice.options[n].kind == kind] or rest
    main = [n for n in rest if not choice.options[n].free]
    free = [n for n in rest if choice.options[n].free]
    heading = shown.words.t("Besides your turn")
    return [group for group in (("", main), (heading, free)) if group[1]]


def _ending(choice: Choice) -> int | None:
    if choice.kind:
        return None
    return next((n for n, option in enumerate(choice.options) if option.ends), None)


def _cards_of(option: Option, faces: dict[str, CardFace]) -> list[str]:
    """Ids of the cards that an option is about."""
    if option.role in ("value", "form"):
        found: list[Any] = [option.value]
    elif option.actions:
        found = [getattr(a, name) for a in option.actions for name in a.__struct_fields__]
    elif option.action is not None:
        found = [getattr(option.action, name) for name in option.action.__struct_fields__]
    else:
        found = []
    flat: list[str] = []
    for value in found:
        flat += [value] if isinstance(value, str) else [*value] if isinstance(value, list | tuple) else []
    return [name for name in flat if name in faces]


def _grid(shown: Shown, nav: Nav, choice: Choice, groups: Sequence[tuple[str, Sequence[int]]]) -> AnyElement:
    """Options as cards or buttons, page by page. Each group begins a page, unless all fit on one."""
    faces = parts.faces_of(shown)
    sections: list[tuple[str, list[int], bool]] = []
    for heading, group in groups:
        big = any(_is_big(shown, choice.options[n], faces) for n in group)
        a_page, numbers = _a_page(shown, big), list(group)
        sections += [(heading, numbers[i : i + a_page], big) for i in range(0, len(numbers), a_page)]
    if not sections:
        return Column(children=(Space(grow=1), *_means(shown, choice)), pad=12)
    high = sum(-(-len(numbers) // _columns(shown, False)) for _, numbers, _ in sections)
    together = high <= ROWS and not any(big for _, _, big in sections)
    leaves = [sections] if together else [[section] for section in sections]
    leaf = parts.leaf(len(leaves), 1, nav.values.get("page"))
    rows: list[AnyElement] = []
    for heading, numbers, big in leaves[leaf.number]:
        columns = _columns(shown, big)
        rows += [Text(text=heading, tone="text2")] if heading else []
        single = len(numbers) <= columns
        height = 72 if not big else 190 if single else 150 if leaf.of < 2 else 104 if heading else 116
        if big and shown.metrics.small:
            height = max(height, 130)
        lines = (5 if shown.metrics.small else 6) if single else 3
        for first in range(0, len(numbers), columns):
            line: list[AnyElement] = [
                _option(shown, choice, n, faces, big, lines=lines) for n in numbers[first : first + columns]
            ]
            line += [Space(grow=1)] * (columns - len(line))
            rows.append(Row(children=tuple(line), gap=12, h=height))
    means = () if big and shown.metrics.small else _means(shown, choice)
    rows += [Space(grow=1), *means, *parts.pager(shown, leaf)]
    close = heading and shown.metrics.small
    return Column(children=tuple(rows), gap=4 if close else 8, pad=8 if close else 12, grow=1)


def _is_big(shown: Shown, option: Option, faces: dict[str, CardFace]) -> bool:
    return bool(_cards_of(option, faces) or _row_of(shown, option))


def _columns(shown: Shown, big: bool) -> int:
    if shown.metrics.small:
        return 2 if big else 3
    return 3 if big else 4


def _a_page(shown: Shown, big: bool) -> int:
    return _columns(shown, big) * (2 if big else ROWS)


def _row_of(shown: Shown, option: Option) -> str:
    """What lies in the row of cards that an option is about."""
    if option.action is None:
        return ""
    for name in option.action.__struct_fields__:
        for group in display_of(shown).cards:
            if group.words == f"{name}.{getattr(option.action, name)}":
                return ", ".join(f"{face.title} {face.corner}".strip() for face in group.faces)
    return ""


def _option(
    shown: Shown,
    choice: Choice,
    index: int,
    faces: dict[str, CardFace],
    big: bool,
    h: float | None = None,
    lines: int = 3,
) -> Panel:
    """One option to touch: the face of its card, or its label with what it would do, in so many lines."""
    option = choice.options[index]
    label = ", ".join(table.accepted_words(shown, option)) if option.role == "accept" else ""
    label = label or wording.option_label(shown, option)
    intent = parts.point(choice, index) if option.role == "accept" else table.touched(choice, index)
    chosen, cards = index == choice.at, _cards_of(option, faces)
    if len(cards) == 1 and big:
        card = msgspec.structs.replace(
            faces[cards[0]], title=label, subtitle=_besides(shown, faces[cards[0]], cards[0], label)
        )
        sentences, action = playing_of(shown).sentences, option.action
        key = option.kind if action is None else sentences.key("offers", action)
        if card.lines and sentences.has("notes", key):
            card = msgspec.structs.replace(card, lines=(sentences.say("notes", key),))
        return parts.face(
            shown, card, id=f"option:{index}", intent=intent, chosen=chosen, lines=lines, grow=1, h=h
        )
    words: list[AnyElement] = [Text(text=label, size="button", bold=True, lines=2, shrink=True)]
    more = _row_of(shown, option) or wording.option_detail(shown, option)
    if big and more:
        words.append(Text(text=more, size="note", tone="text2", lines=3))
    return Panel(
        child=Column(children=tuple(words), gap=2),
        ground="sleeper",
        edge="rule",
        chosen=chosen,
        pad=10,
        id=f"option:{index}",
        intent=intent,
        grow=1,
        h=h,
    )


def _besides(shown: Shown, face: CardFace, name: str, label: str) -> str:
    """What a card's subtitle says besides what the label says already."""
    said = wording.printed(shown, face.subtitle)
    return said.replace(name, "").strip(" ·") if name in label else said


def _means(shown: Shown, choice: Choice) -> tuple[AnyElement, ...]:
    """What the seat has, while it decides how to pay."""
    strip = next((s for s in display_of(shown).strips if s.seat == choice.seat), None)
    if strip is None or not strip.gauges:
        return ()
    label = Text(text=shown.words.t("{name} has", name=wording.seat_name(shown, choice.seat)), tone="text2")
    return (Row(children=(label, *(parts.amount(shown, gauge) for gauge in strip.gauges)), gap=20, h=36),)


# Trains -------------------------------------------------------------------------------------------


def _train(shown: Shown, choice: Choice) -> Train | None:
    """The train that the choice is about: the one that would run, that is being formed, or that runs."""
    chosen = choice.chosen
    if chosen is not None and chosen.foresight is not None and chosen.foresight.train is not None:
        return chosen.foresight.train
    shows = display_of(shown).train
    if choice.kind:
        if choice.filled and any(o.role == "value" and o.value == STOP for o in choice.options):
            faces = parts.faces_of(shown)
            cars = [Car(faces[v], 0, 0, 0) for v in choice.filled if isinstance(v, str) and v in faces]
            return Train(choice.seat, "", tuple(cars)) if cars else None
        return None
    return shows if shows is not None and shows.seat == choice.seat else None


def _with_train(shown: Shown, nav: Nav, choice: Choice, train: Train, numbers: Sequence[int]) -> AnyElement:
    """The train, the fuel before and after each card, and below what can be done."""
    leaf = parts.leaf(len(train.cars), CARS, nav.values.get("cars"))
    cars = train.cars[leaf.first : leaf.end]
    loose = _coupled(shown, choice, train)
    made: list[AnyElement] = [
        _car(shown, train, car, number, loose[number] if loose else None)
        for number, car in enumerate(cars, start=leaf.first)
    ]
    if leaf.of > 1:
        onward = Set({"cars": (leaf.number + 1) % leaf.of})
        made.append(Button(id="cars", text=f"{leaf.number + 1}/{leaf.of}", icon="arrow", intent=onward, w=96))
    rows: list[AnyElement] = [Row(children=tuple(made), gap=10, h=170)]
    if train.what:
        rows.append(coal_line(cars))
        what = wording.capital(wording.word(shown, train.what))
        told = shown.words.t("{what} before and after each card, front to back", what=what)
        rows.append(Text(text=told, size="note", tone="text2"))
    if loose:
        told = shown.words.t("A touch uncouples a card and what is behind it.")
        rows.append(Text(text=told, size="note", tone="text2"))
    faces = parts.faces_of(shown)
    yard = parts.leaf(len(numbers), YARD, nav.values.get("page"))
    line: list[AnyElement] = [_option(shown, choice, n, faces, False) for n in numbers[yard.first : yard.end]]
    if yard.of > 1:
        # One button that goes round: below the train there is no room for a row of its own.
        further = Set({"page": (yard.number + 1) % yard.of})
        line.append(
            Button(id="page:later", text=f"{yard.number + 1}/{yard.of}", icon="arrow", intent=further, w=104)
        )
    rows += [Space(grow=1), Row(children=tuple(line), gap=12, h=72)] if line else []
    return Column(children=tuple(rows), gap=6, pad=10, grow=1)


def _coupled(shown: Shown, choice: Choice, train: Train) -> list[Intent]:
    """What touching each card of a train does while it is being formed: its blank and those after it are
    asked again. Empty for a train that is not being formed."""
    faces = parts.faces_of(shown)
    at = [n for n, value in enumerate(choice.filled) if isinstance(value, str) and value in faces]
    if not choice.kind or len(at) != len(train.cars):
        return []
    return [Say(Command("back", choice.seat, {"choice": choice.id, "to": n})) for n in at]


def _car(shown: Shown, train: Train, car: Car, number: int, intent: Intent | None) -> Panel:
    t = shown.words.t
    title = Text(text=car.face.title, size="button", bold=True, grow=1, shrink=True)
    ran = (Icon(name="check", side=22, tone="clear"),) if car.ran else ()
    subtitle = wording.printed(shown, car.face.subtitle)
    rows: list[AnyElement] = [
        Row(children=(title, *ran), gap=4),
        Text(text=subtitle, size="note", tone="text2", shrink=True),
    ]
    line: list[AnyElement] = []
    if train.what:
        line += [
            Text(text=t("pays"), size="note", tone="text2"),
            Icon(name=parts.ICONS.get(train.what, train.what), side=22, tone="text2"),
            Text(text=str(car.pays), bold=True),
        ]
    line += [Space(grow=1), *(Icon(name=what, side=22) for what in car.load)]
    rows.append(Row(children=tuple(line), gap=4))
    if train.what and car.pays > car.before and not car.ran:
        words = Text(text=t("cannot be paid"), size="note", bold=True, lines=2)
        rows.append(Row(children=(Icon(name="cross", side=20, tone="stop"), words), gap=6))
    elif car.yields:
        gained = ", ".join(f"{wording.word(shown, gauge.what)} {gauge.value:+}" for gauge in car.yields)
        rows.append(Text(text=gained, size="note", lines=2))
    return Panel(
        child=Column(children=tuple(rows), gap=2),
        ground="sleeper",
        edge="rule" if intent is not None else None,
        pad=10,
        grow=1,
        id=f"car:{number}",
        intent=intent,
    )


def coal_line(cars: Sequence[Car]) -> StopLine:
    """The fuel before the first card and after each, with the sum over each stretch: "2 − 1 + 1"."""
    stops: list[Stop] = []
    for car in cars:
        more = car.after - car.before + car.pays
        between = f"{car.before} − {car.pays}" + (f" + {more}" if more > 0 else "")
        stops.append(Stop(str(car.before), between=between))
    if cars:
        stops.append(Stop(str(cars[-1].after)))
    return StopLine(stops=tuple(stops), h=54)


# The bottom bar -----------------------------------------------------------------------------------


def _answers(shown: Shown, nav: Nav, choice: Choice) -> tuple[Button, ...]:
    out: list[Button] = []
    back = next((n for n, option in enumerate(choice.options) if option.role == "back"), None)
    if back is not None:
        out.append(
            Button(
                id=f"option:{back}", text=shown.words.t("Back"), icon="back", intent=parts.take(choice, back)
            )
        )
    elif nav.screen == "choice":
        out.append(Button(id="leave", text=shown.words.t("Back"), icon="back", intent=Go("")))
    out = table.with_end(shown, choice, _ending(choice), out)
    chosen = choice.chosen
    if chosen is not None and chosen.role == "back":
        chosen = None
        choice = msgspec.structs.replace(choice, at=None)
    out.append(table.answer(shown, choice))
    return tuple(out)


# What the table turns up --------------------------------------------------------------------------


def _owed_page(shown: Shown, nav: Nav) -> Page:
    """Cards, rolls and the like, entered by hand."""
    prompt = table.awaited(shown)
    view = playing_of(shown).view
    offers = turn.table_offers(shown) if any(asked.seat == TABLE for asked in view.acting) else ()
    if view.owed is not None and view.owed[1] and not offers:
        body, right, prompt = _cards_by_hand(shown, nav, prompt, view.owed)
    else:
        body, right = _table_inputs(shown, nav, offers)
        if filled := nav.values.get("filled"):
            so_far = ", ".join(wording.value_label(shown, value) for value in filled)
            prompt = msgspec.structs.replace(prompt, detail=shown.words.t("So far: {what}.", what=so_far))
    leave = Button(id="leave", text=shown.words.t("Back"), icon="back", intent=Go(""))
    return Page(
        id="choice",
        top=parts.top(shown),
        prompt=parts.explained(shown, nav, prompt),
        body=body,
        left=_left(shown),
        right=(*((leave,) if nav.screen == "choice" else ()), *right),
    )


def _table_inputs(shown: Shown, nav: Nav, offers: Sequence[Offer]) -> tuple[AnyElement, tuple[Button, ...]]:
    """Offers of the table: actions at once, forms blank by blank (kept here, as no seat fills them)."""
    # A single form needs no button to open it.
    alone = len(offers) == 1 and isinstance(offers[0], Form)
    t, opened = shown.words.t, 0 if alone else nav.values.get("open")
    filled = tuple(nav.values.get("filled", ()))
    made: list[tuple[str, Intent]] = []
    right: tuple[Button, ...] = ()
    form = offers[opened] if isinstance(opened, int) and 0 <= opened < len(offers) else None
    if isinstance(form, Form):
        try:
            domain = form.domain(filled)
        except (ValueError, KeyError, IndexError):
            filled, domain = (), form.domain(())
        for value in domain or ():
            whole = (*filled, value)
            intent: Intent = (
                turn.say(shown, form.make(whole))
                if form.domain(whole) is None
                else Set({"filled": whole, "page": 0})
            )
            made.append((wording.value_label(shown, value), intent))
        before: dict[str, Any] = {"filled": filled[:-1]} if filled else {"open": None, "filled": ()}
        if filled or not alone:
            right = (Button(id="back", text=t("One back"), icon="undo", intent=Set({**before, "page": 0})),)
    else:
        for number, offer in enumerate(offers):
            if isinstance(offer, Form):
                option = Option("form", offer.kind)
                intent = Set({"open": number, "filled": (), "page": 0})
            else:
                option, intent = Option("offer", offer.kind, offer), turn.say(shown, offer)
            made.append((wording.option_label(shown, option), intent))
    return _buttons(shown, nav, made, ()), right


def _cards_by_hand(
    shown: Shown, nav: Nav, prompt: Prompt, owed: tuple[str, int]
) -> tuple[AnyElement, tuple[Button, ...], Prompt]:
    """A list of the cards that the deck may hold; those picked are recorded together, in that order."""
    t, (deck, count) = shown.words.t, owed
    names = deck_cards(shown, deck)
    picked = [name for name in nav.values.get("picked", ()) if name in names][:count]
    made: list[tuple[str, Intent]] = []
    marked: list[int] = []
    for number, name in enumerate(names):
        if name in picked:
            marked.append(number)
            after = [other for other in picked if other != name]
        else:
            after = [*picked, name] if len(picked) < count else [*picked[:-1], name]
        made.append((wording.value_label(shown, name), Set({"picked": after})))
    kind = next(
        (
            k
            for k in playing_of(shown).game.codec.types.values()
            if {"deck", "cards"} <= {*k.__struct_fields__}
        ),
        None,
    )
    full = len(picked) == count and kind is not None
    say = turn.say(shown, kind(deck=deck, cards=tuple(picked))) if full and kind is not None else None
    missing = shown.words.n("One card is still missing.", "{n} cards are still missing.", count - len(picked))
    button = Button(
        id="take",
        text=shown.words.n("Record one card", "Record {n} cards", count),
        icon="check",
        kind="paper" if say is not None else "plain",
        w=table.ANSWER_WIDTH,
        intent=say,
        reason="" if say is not None else missing,
    )
    if picked:
        so_far = ", ".join(wording.value_label(shown, name) for name in picked)
        prompt = msgspec.structs.replace(prompt, detail=t("So far: {what}.", what=so_far))
    else:
        prompt = msgspec.structs.replace(prompt, detail=t("Touch them in the order in which they lie."))
    return _buttons(shown, nav, made, marked), (button,), prompt


def deck_cards(shown: Shown, deck: str) -> list[str]:
    """Names of the cards that can come from a deck: those of its class that lie nowhere open; all cards of
    the box where no class is called like the deck."""
    mat = playing_of(shown).mat
    if mat is None:
        return []
    lying = {name for group in display_of(shown).cards for name in group.names}
    pieces = [piece for piece in mat.pieces if piece.form == "card" and piece.name not in lying]
    # Decks are called in the plural ("stations"), classes of cards in the singular ("station_card").
    own = [piece for piece in pieces if piece.what.startswith(deck.removesuffix("s"))]
    return [piece.name for piece in own or pieces]


def _buttons(shown: Shown, nav: Nav, made: Sequence[tuple[str, Intent]], marked: Sequence[int]) -> AnyElement:
    """A paged grid of plain touches; those `marked` are picked."""
    columns = _columns(shown, False)
    leaf = parts.leaf(len(made), columns * 3, nav.values.get("page"))
    rows: list[AnyElement] = []
    for first in range(leaf.first, leaf.end, columns):
        line: list[AnyElement] = [
            Button(
                id=f"input:{number}",
                text=made[number][0],
                intent=made[number][1],
                chosen=number in marked,
                grow=1,
            )
            for number in range(first, min(first + columns, leaf.end))
        ]
        line += [Space(grow=1)] * (columns - len(line))
        rows.append(Row(children=tuple(line), gap=12, h=72))
    rows += [Space(grow=1), *parts.pager(shown, leaf)]
    return Column(children=tuple(rows), gap=8, pad=12, grow=1)
