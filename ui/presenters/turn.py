"""The turn that is played, for games that show one: what its seat has, the cards laid open, what holds.

Also what the table does without saying which cards came, and answers of one kind behind one button. Every
function needs a game that runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assistant.actions import TABLE, Action
from assistant.choosing import Choice, Option
from assistant.game import PositionFaults
from assistant.messages import Command
from assistant.offers import STOP, Form, Offer
from ui.presenters import parts, wording
from ui.presenters.elements import AnyElement, Button, Column, Icon, Panel, Row, Text
from ui.presenters.intents import Go, Intent, Say
from ui.presenters.shown import Shown, display_of, playing_of

LINES = 3
"""Lines of the panel."""
MOST_STRIPS = 2
"""Strips that have room for two lines below the panel."""
MOST_GROUPS = 3
"""Kinds of answers that are named at the map."""
GROUP_BUTTONS = {True: 1, False: 2}
"""Buttons that have room, on small panels and on others; where there are more kinds the last is "More"."""


def gauges(shown: Shown) -> Row | None:
    """What the seat whose turn it is has, for the right of the prompt."""
    turn = display_of(shown).turn
    if turn is None or not turn.gauges:
        return None
    made: list[AnyElement] = []
    for gauge in turn.gauges:
        icon = Icon(name=parts.ICONS.get(gauge.what, gauge.what), side=28, tone="text2")
        number = Text(text=str(gauge.value), size="prompt", bold=True)
        made.append(Row(children=(icon, number), gap=6))
    return Row(children=tuple(made), gap=16)


def holding(shown: Shown) -> str:
    """What holds until the turn ends, as a sentence; empty where nothing does."""
    turn = display_of(shown).turn
    if turn is None or not turn.holds:
        return ""
    sentences = playing_of(shown).sentences
    said = "; ".join(sentences.value(wording.named(shown, told)) for told in turn.holds)
    return f"{wording.capital(said)}."


def panel(shown: Shown) -> Panel | None:
    """The cards that lie open in the turn, group by group. None where there are none, and on small panels."""
    turn = display_of(shown).turn
    if turn is None or not turn.cards or shown.metrics.small:
        return None
    rows: list[AnyElement] = []
    for group in turn.cards:
        names = [face.title for face in group.faces]
        labels = [name if names.count(name) == 1 else f"{names.count(name)} {name}" for name in names]
        heading = wording.capital(wording.word(shown, group.words))
        words = f"{heading}: {', '.join(dict.fromkeys(labels))}"
        # What is played comes first and matters most.
        lines = 1 if rows else LINES - len(turn.cards) + 1
        rows.append(Text(text=words, size="note", bold=not rows, lines=lines, shrink=True))
    return Panel(child=Column(children=tuple(rows), gap=0), ground="ballast", pad=8, id="turn")


def beside(shown: Shown, speaking: str, intents: Mapping[str, Intent]) -> Column:
    """The column beside the board: the turn's cards above the strips, which are low where there are many."""
    played = panel(shown)
    crowded = played is not None and len(display_of(shown).strips) > MOST_STRIPS
    strips = parts.strips(shown, speaking, intents, crowded)
    if played is None:
        return strips
    return Column(children=(played, *strips.children), gap=strips.gap, pad=strips.pad, w=strips.w)


# What the table does ------------------------------------------------------------------------------


def table_offers(shown: Shown) -> tuple[Offer, ...]:
    """What the rules offer the table itself; empty where the public does not know enough to say."""
    playing = playing_of(shown)
    try:
        state = playing.game.from_position(playing.view.position)
        return tuple(playing.game.offers(state, TABLE))
    except (PositionFaults, ValueError, TypeError, KeyError, LookupError):
        return ()


def say(shown: Shown, action: Action) -> Say:
    """The table's input, for the state that is shown: a second tap does nothing."""
    playing = playing_of(shown)
    values = {"action": playing.game.codec.to_json(action), "seq": playing.view.seq}
    return Say(Command("try", TABLE, values))


def unsaid(shown: Shown, offers: Sequence[Offer]) -> Action | None:
    """What people do next that nobody has to say more about: a shuffle, cards drawn into a hand that only
    their owner sees. None where something has to be said."""
    offer = offers[0] if offers and playing_of(shown).game.hides else None
    if isinstance(offer, Form):
        domain = offer.domain(())
        if domain is None:
            return offer.make(())
        return offer.make((STOP,)) if STOP in domain and offer.domain((STOP,)) is None else None
    return offer if len(offers) == 1 else None


# Answers of one kind ------------------------------------------------------------------------------


def grouped(shown: Shown, options: Sequence[Option]) -> bool:
    """Whether each kind of these answers has a name of its own, so that it can have a button."""
    kinds, sentences = {option.kind for option in options}, playing_of(shown).sentences
    return 0 < len(kinds) <= MOST_GROUPS and all(sentences.has("groups", kind) for kind in kinds)


def groups(shown: Shown, choice: Choice, numbers: Sequence[int]) -> list[Button]:
    """A button for each kind of answer that is not given on the map, as far as there is room, and one for all
    of them; empty where the game has no names for the kinds, and one list does."""
    sentences = playing_of(shown).sentences
    kinds = list(dict.fromkeys(choice.options[n].kind for n in numbers))
    if not grouped(shown, [choice.options[n] for n in numbers]):
        return []
    room, about = GROUP_BUTTONS[shown.metrics.small], parts.heard(shown, choice.seat)
    named = kinds if len(kinds) <= room else kinds[: room - 1]
    made = [
        Button(
            id=f"group:{kind}",
            text=sentences.say("groups", kind),
            intent=Go("choice", {**about, "kind": kind}),
        )
        for kind in named
    ]
    if named != kinds:
        made.append(Button(id="more", text=shown.words.t("More"), intent=Go("choice", about)))
    return made
