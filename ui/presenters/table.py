"""The map as it is recorded, what the camera saw over it, and the moves of the seat that acts.

A touch on a lit space points at it: the prompt then names it and what it costs, and the paper button does
it. Kept in `nav.values`: "seat" (who speaks, where several act at once), "closer" (the map enlarged to the
railway of the acting seat).
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from assistant.actions import TABLE
from assistant.choosing import Choice, Option
from assistant.display import Counter
from assistant.messages import Command
from assistant.reading import InStep
from ui.presenters import legend, maps, parts, rows, turn, wording
from ui.presenters.clocks import clock_button, menu_button
from ui.presenters.elements import (
    AnyElement,
    Button,
    Column,
    Icon,
    Page,
    Panel,
    Pips,
    Prompt,
    Row,
    Space,
    Text,
    Token,
)
from ui.presenters.intents import Go, Intent, Say, Set
from ui.presenters.nav import Nav
from ui.presenters.shown import Shown, display_of, playing_of

ANSWER_WIDTH = 228.0
"""Width of the answering button, so that its neighbours stay where they are whatever it says."""
LONGEST, SIGNED, LONGEST_COST = 17, 12, 26
"""Most letters on the answering button, most that leave room for the tick, and most of what it costs."""
MOST_PIPS = 10
"""Most boxes that a counter is drawn with."""


def page(shown: Shown, nav: Nav) -> Page:
    """The table."""
    # While the clocks stand still nothing is lit: going on is the only answer.
    choice = None if playing_of(shown).view.paused else parts.speaking(shown, nav)
    lit = _lit(shown, choice)
    return Page(
        id="table",
        top=parts.top(shown),
        prompt=_with_closer(shown, nav, parts.explained(shown, nav, prompt_for(shown, choice, bool(lit)))),
        body=_body(shown, nav, choice, lit),
        left=(
            parts.undo_button(shown),
            parts.rule_button(shown),
            parts.log_button(shown),
            # Where they stand still, going on is the answer.
            *(menu_button(shown) if playing_of(shown).view.paused else clock_button(shown)),
        ),
        right=_answers(shown, choice),
    )


def on(nav: Nav, intent: Intent, shown: Shown) -> Nav | None:
    """Something is done at the table."""
    return rows.anew(nav) if parts.records(shown, intent) else None


# What is asked ------------------------------------------------------------------------------------


def accepts_of(choice: Choice | None) -> list[int]:
    """Indices of the explanations of what the camera saw."""
    return [n for n, o in enumerate(choice.options) if o.role == "accept"] if choice is not None else []


def _lit(shown: Shown, choice: Choice | None) -> dict[str, list[int]]:
    """Spaces that can be touched, each with the indices of the options there. None while the camera's
    proposal stands, which is the one question then."""
    out: dict[str, list[int]] = {}
    if choice is not None and not accepts_of(choice):
        for number, option in enumerate(choice.options):
            if maps.on_map(shown, option):
                out.setdefault(option.places[0], []).append(number)
    return out


def prompt_for(shown: Shown, choice: Choice | None, lit: bool) -> Prompt:
    """What is asked; `lit` tells whether it is answered on the map."""
    view, t = playing_of(shown).view, shown.words.t
    counter = _counter(shown, display_of(shown).counter)
    if view.paused:
        return Prompt(t("The clocks stand still"), t("The game waits for you."), "caution")
    if choice is None:
        return awaited(shown)
    name, chosen = wording.seat_name(shown, choice.seat), choice.chosen
    accepts = accepts_of(choice)
    if len(accepts) > 1 and (chosen is None or chosen.role != "accept"):
        return Prompt(
            t("{name}: which of these was it?", name=name), _seen(shown), "caution", choice.seat, counter
        )
    if chosen is not None and chosen.role == "accept":
        what = ", ".join(accepted_words(shown, chosen))
        if len(accepts) > 1:
            text = t("{name}: was it this? {what}", name=name, what=what)
        elif chosen.places:
            text = t("{name}: record this {what}?", name=name, what=wording.within(shown, what))
        else:
            text = t("{name}: record “{what}”?", name=name, what=what)
        return Prompt(
            text,
            f"{_seen(shown)} {wording.option_detail(shown, chosen)}".strip(),
            "caution",
            choice.seat,
            counter,
        )
    if chosen is not None and chosen.role in ("offer", "form", "value"):
        right = counter or parts.effects(shown, chosen.foresight) or turn.gauges(shown)
        detail = wording.option_detail(shown, chosen)
        if right is not counter:
            detail = wording.hint_words(shown, chosen.foresight)
        elif chosen.role == "form":
            detail = t("You are asked for the rest then.")
        return Prompt(f"{name}: {wording.label_within(shown, chosen)}?", detail, "clear", choice.seat, right)
    if not choice.why:
        return Prompt(
            t("{name}: anything besides your turn?", name=name), _others(shown, choice), "none", choice.seat
        )
    detail = t("Touch a lit place to see what it costs.") if lit else _others(shown, choice)
    asked = f"{name}: {wording.asked_words(shown, choice.why, choice.seat)}"
    right = counter or turn.gauges(shown)
    return Prompt(asked, turn.holding(shown) or detail, "clear", choice.seat, right)


def _seen(shown: Shown) -> str:
    return shown.words.t("The camera sees it.")


def accepted_words(shown: Shown, option: Option) -> list[str]:
    """What an answer to the camera would record, one label for each action."""
    said = [wording.option_label(shown, Option("offer", action.kind, action)) for action in option.actions]
    return said or [wording.option_label(shown, option)]


def _others(shown: Shown, choice: Choice) -> str:
    """Who else may speak now."""
    seats = [c.seat for c in playing_of(shown).view.choices if c.why and c.seat != choice.seat]
    if not seats:
        return ""
    return shown.words.t("{names} may act too: touch the name.", names=wording.seat_names(shown, seats))


def awaited(shown: Shown) -> Prompt:
    """The prompt while no seat is asked: what the table has to turn up, or that it waits."""
    view, t = playing_of(shown).view, shown.words.t
    if view.owed is not None and view.owed[1]:
        deck, count = view.owed
        deck_words = wording.word(shown, deck)
        reading = view.reading
        if isinstance(reading, InStep) and reading.waiting is not None and reading.waiting.kind == "cards":
            need = reading.waiting.need
            if 0 < need < count:
                text = shown.words.n("One more card: {deck}", "{n} more cards: {deck}", need, deck=deck_words)
                return Prompt(text, t("Lay them on their places on the mat."), "caution")
        text = shown.words.n("Turn up one card: {deck}", "Turn up {n} cards: {deck}", count, deck=deck_words)
        sees = shown.house.camera.health == "good" and view.camera is not None
        detail = t("The camera records them as they lie.") if sees else t("Then say here which they are.")
        return Prompt(text, detail, "clear")
    offers = turn.table_offers(shown)
    if (action := turn.unsaid(shown, offers)) is not None:
        hidden = t("Nobody has to say which cards they are.")
        return Prompt(wording.action_words(shown, action), hidden, "clear")
    for asked in view.acting:
        if asked.seat == TABLE:
            words, detail = wording.asked_words(shown, asked.why, TABLE), t("Do it, then say here what came.")
            owner = getattr(offers[0], "owner", "") if offers else ""
            if owner in playing_of(shown).game.seats:
                return Prompt(f"{wording.seat_name(shown, owner)}: {words}", detail, "clear", owner)
            return Prompt(t("The table: {what}", what=words), detail, "clear")
    return Prompt(t("Nobody has anything to do now"), "", "none")


def _counter(shown: Shown, counter: Counter | None) -> AnyElement | None:
    """What runs down in this turn."""
    if counter is None:
        return None
    t, what = shown.words.t, wording.capital(wording.word(shown, counter.what))
    # On a small panel the sign says it, and the question gets the place.
    said = () if shown.metrics.small else (Text(text=t("{what} left", what=what), tone="text2"),)
    row = Row(
        children=(
            Icon(name=parts.ICONS.get(counter.what, counter.what), side=24, tone="text2"),
            *said,
            Text(text=str(counter.left), size="prompt", bold=True),
            Text(text=t("of {n}", n=counter.of), tone="text2"),
        ),
        gap=8,
    )
    if not 0 < counter.of <= MOST_PIPS:
        return row
    return Column(children=(row, Pips(left=counter.left, of=counter.of)), gap=6)


# The map ------------------------------------------------------------------------------------------


def _costs(shown: Shown, option: Option) -> list[tuple[str, int]]:
    """What is paid, as (what, how much). What the turn counts comes first: it is no number of a strip, so
    the sentence says its cost."""
    foresight, counter = option.foresight, display_of(shown).counter
    if foresight is None:
        return []
    if foresight.price:
        return [(gauge.what, gauge.value) for gauge in foresight.price]
    out: list[tuple[str, int]] = []
    if counter is not None and foresight.hint is not None:
        cost = foresight.hint.values.get("cost")
        if isinstance(cost, int):
            out.append((counter.what, cost))
    out += [(c.what, c.before - c.after) for c in foresight.changes if c.after < c.before]
    return out


def cost_words(shown: Shown, option: Option) -> str:
    """What taking an option costs, in words: "2 power"."""
    say = playing_of(shown).sentences.counted
    return ", ".join(say(what, n) for what, n in _costs(shown, option) if n)


def _body(shown: Shown, nav: Nav, choice: Choice | None, lit: dict[str, list[int]]) -> AnyElement:
    accepts = accepts_of(choice)
    aside = (
        _explanations(shown, choice, accepts)
        if choice is not None and len(accepts) > 1
        else turn.beside(shown, choice.seat if choice is not None else "", _speakers(shown))
    )
    if maps.map_of(shown) is None:
        if nav.values.get("rows"):
            return rows.looked_at(shown, nav, choice.seat if choice is not None else "")
        if display_of(shown).places:
            return Row(children=(rows.board(shown, nav, choice, lit), aside), gap=0)
        return Row(children=(Space(grow=1), aside, Space(grow=1)))
    costs: dict[str, str] = {}
    second: list[str] = []
    touches: dict[str, Intent] = {}
    pointed = ""
    for space, numbers in lit.items():
        assert choice is not None
        here = choice.at in numbers
        number = parts.following(choice, numbers)
        shown_option = choice.options[choice.at if here and choice.at is not None else number]
        paid = _costs(shown, shown_option)
        costs[space] = str(paid[0][1]) if paid else ""
        if len(paid) > 1:
            second.append(space)
        touches[space] = parts.point(choice, number)
        if here:
            pointed = space
    seen = _seen_tokens(choice)
    drawn = maps.hexes(shown, lit=costs, second=second, chosen=pointed, seen=seen)
    closer: tuple[str, ...] = ()
    if nav.values.get("closer") and choice is not None:
        own = {hexagon.space for hexagon in drawn if any(t.seat == choice.seat for t in hexagon.tokens)}
        wanted = own | set(lit) | {space for space, _ in seen}
        closer = tuple(hexagon.space for hexagon in drawn if hexagon.space in wanted)
    explained = legend.corner(shown, any(costs.values()), bool(second))
    return Row(children=(maps.board(shown, drawn, touches, closer, explained), aside), gap=0)


def _seen_tokens(choice: Choice | None) -> list[tuple[str, Token]]:
    """Tokens of the explanation under the cursor, which the camera sees and the record has not."""
    if choice is None:
        return []
    accepts = accepts_of(choice)
    if not accepts:
        return []
    number = choice.at if choice.at in accepts else accepts[0]
    assert number is not None
    return [
        (space, Token(getattr(action, "seat", choice.seat), maps.STATION in action.kind, seen=True))
        for action in choice.options[number].actions
        for space in action.spaces
    ]


def _speakers(shown: Shown) -> dict[str, Intent]:
    """Seats that could be the one that speaks."""
    return {choice.seat: Set(parts.heard(shown, choice.seat)) for choice in playing_of(shown).view.choices}


def _explanations(shown: Shown, choice: Choice, accepts: Sequence[int]) -> Column:
    """What the camera saw could be any of these: each to be pointed at."""
    made: list[AnyElement] = []
    for index in accepts:
        option = choice.options[index]
        words: list[AnyElement] = [
            Text(text=", ".join(accepted_words(shown, option)), bold=True, lines=2, shrink=True)
        ]
        detail = cost_words(shown, option)
        if detail:
            words.append(Text(text=detail, size="note", tone="text2"))
        made.append(
            Panel(
                child=Column(children=tuple(words), gap=2),
                ground="sleeper",
                edge="rule",
                chosen=choice.at == index,
                pad=10,
                id=f"option:{index}",
                intent=parts.point(choice, index),
                grow=1,
            )
        )
    return Column(children=tuple(made), gap=8, pad=8, w=parts.STRIPS_WIDTH)


def _with_closer(shown: Shown, nav: Nav, prompt: Prompt) -> Prompt:
    """The prompt with the button that enlarges the map to the railway of the seat that acts, or shows the
    tracks in place of the action spaces."""
    if maps.map_of(shown) is None:
        if not display_of(shown).rows:
            return prompt
        looks = bool(nav.values.get("rows"))
        there = Button(
            id="rows", icon="rails", kind="quiet", chosen=looks, intent=Set({"rows": not looks}), w=64
        )
        right = there if prompt.right is None else Row(children=(prompt.right, there), gap=12)
        return msgspec.structs.replace(prompt, right=right)
    closer = bool(nav.values.get("closer"))
    icon = "wider" if closer else "closer"
    button = Button(id="closer", icon=icon, kind="quiet", intent=Set({"closer": not closer}), w=64)
    right = button if prompt.right is None else Row(children=(prompt.right, button), gap=12)
    return msgspec.structs.replace(prompt, right=right)


# The bottom bar -----------------------------------------------------------------------------------


def _answers(shown: Shown, choice: Choice | None) -> tuple[Button, ...]:
    t, view = shown.words.t, playing_of(shown).view
    if view.paused:
        go_on = Say(Command("go_on"))
        return (Button(id="go_on", text=t("Go on"), icon="play", kind="paper", intent=go_on),)
    if choice is None:
        if (action := turn.unsaid(shown, turn.table_offers(shown))) is not None:
            said = turn.say(shown, action)
            label = wording.option_label(shown, Option("offer", action.kind, action))
            return (Button(id="done", text=label, icon="check", kind="paper", w=ANSWER_WIDTH, intent=said),)
        if any(asked.seat == TABLE for asked in view.acting):
            enter = Go("choice", {"owed": True})
            return (Button(id="owed", text=t("Enter by hand"), icon="hand", intent=enter),)
        return ()
    if accepts_of(choice):
        return camera_answers(shown, choice)
    options = choice.options
    ends = [n for n, o in enumerate(options) if o.ends and not o.free]
    others = [n for n, o in enumerate(options) if not maps.on_map(shown, o) and n not in ends]
    hidden = others + ends[1:]
    out = turn.groups(shown, choice, hidden)
    if out:
        hidden = []
    if len(hidden) > 1:
        more = Go("choice", parts.heard(shown, choice.seat))
        out.append(Button(id="more", text=t("More"), intent=more))
    if len(hidden) == 1:
        here = hidden[0] == choice.at
        # Pointed at, it is what the answering button says; in its place is the way back from it.
        none = Button(id=f"option:{hidden[0]}", text=t("Not this one"), intent=parts.point(choice, None))
        out.append(none if here else listed(shown, choice, hidden[0]))
    return (*with_end(shown, choice, ends[0] if ends else None, out), answer(shown, choice))


def with_end(shown: Shown, choice: Choice, end: int | None, others: list[Button]) -> list[Button]:
    """What ends the turn, then the other answers. While the cursor stands on the end the answering button
    says it already; as it stands first, nothing moves when it comes and goes."""
    return others if end is None or choice.at == end else [listed(shown, choice, end), *others]


def listed(shown: Shown, choice: Choice, index: int) -> Button:
    """An option as a button of the bottom bar."""
    return Button(
        id=f"option:{index}",
        text=wording.option_label(shown, choice.options[index]),
        intent=touched(choice, index),
        chosen=index == choice.at,
    )


def touched(choice: Choice, index: int) -> Say:
    """What touching an option does: forms open and blanks are filled at once, as "Back" takes that back;
    what would be recorded is pointed at first, so that its cost is read before."""
    option = choice.options[index]
    if option.role in ("form", "back") or (option.role == "value" and option.action is None):
        return parts.take(choice, index)
    return parts.point(choice, index)


def answer(shown: Shown, choice: Choice) -> Button:
    """The paper button: takes what the cursor stands on; grey where it stands nowhere."""
    t, chosen = shown.words.t, choice.chosen
    if chosen is None or choice.at is None:
        return Button(
            id="take",
            text=t("Nothing chosen"),
            w=ANSWER_WIDTH,
            reason=t("First touch what you want to do; its cost is then shown here."),
        )
    cost = cost_words(shown, chosen)
    # The last value of a form is taken as what it completes to: "Pay the bid", not "3".
    whole = (
        Option("offer", chosen.kind, chosen.action) if chosen.role == "value" and chosen.action else chosen
    )
    label = wording.option_label(shown, whole)
    if len(label) > LONGEST:
        # The prompt names it in full.
        label = t("Record")
    return Button(
        id="take",
        text=label,
        # Where it is more, the prompt tells it.
        detail=cost if len(cost) <= LONGEST_COST else "",
        icon="check" if len(label) <= SIGNED else "",
        kind="paper",
        w=ANSWER_WIDTH,
        intent=parts.take(choice, choice.at),
    )


def camera_answers(shown: Shown, choice: Choice) -> tuple[Button, ...]:
    """Answers to what the camera proposes."""
    t = shown.words.t
    out: list[Button] = []
    for index, option in enumerate(choice.options):
        if option.role == "dismiss":
            several = len(accepts_of(choice)) > 1
            text = t("None of these") if several else t("Not this one")
            out.append(Button(id="dismiss", text=text, intent=parts.take(choice, index)))
    chosen = choice.chosen
    if chosen is None or chosen.role != "accept" or choice.at is None:
        reason = t("First touch the one that it was.")
        out.append(Button(id="take", text=t("Record"), w=ANSWER_WIDTH, reason=reason))
        return tuple(out)
    cost = cost_words(shown, chosen)
    text = t("Record, {cost}", cost=cost) if cost and len(cost) <= 10 else t("Record")
    out.append(
        Button(
            id="take",
            text=text,
            detail=cost if len(cost) > 10 else "",
            icon="check",
            kind="paper",
            w=ANSWER_WIDTH,
            intent=parts.take(choice, choice.at),
        )
    )
    return tuple(out)
