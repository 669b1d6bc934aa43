"""Setup and reveals: what the table turns up (RB-SETUP, RB-DRAW, and the Reveal of each phase)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import compress
from typing import TYPE_CHECKING

from msgspec.structs import replace

from assistant import auction
from assistant.actions import TABLE, Action
from assistant.game import Acting
from assistant.games.railway_boom.actions import Draw
from assistant.games.railway_boom.change import Change
from assistant.games.railway_boom.effects import held, remove_from_deck, settle
from assistant.games.railway_boom.flow import begin_auction, begin_round
from assistant.games.railway_boom.state import (
    DECKS,
    AskBuy,
    AwaitDraw,
    Deck,
    Indicator,
    Phase,
    Row,
    State,
    Step,
)
from assistant.games.railway_boom.steps.base import Consequence, StepPart
from assistant.offers import Offer
from assistant.rulings import NotUnderstood, Violation

if TYPE_CHECKING:
    from assistant.games.railway_boom.game import RailwayBoom

_DIGITS = bytes.maketrans(b"01", b"\0\1")
OBJECTIVES_IN_PLAY = 4
ROUTES_IN_PLAY = 4
VARIANT = ("city_tiles", "tourist_tiles")


class Table(StepPart):
    """The SETUP and REVEAL steps, and draws that an effect asks for."""

    def __init__(self, game: RailwayBoom) -> None:
        super().__init__(game)
        self._asked = (Acting(TABLE, "draw"),)
        self._cost = {name: card.cost for name, card in game.developments.items()}.__getitem__

    def due(self, state: State) -> tuple[str, int] | None:
        """The deck and the number of cards that the table has to turn up now, if any."""
        if state.stacks:
            waiting = self._waiting(state)
            if waiting is None:
                return None
            left = state.decks[DECKS[waiting[1].deck]].bit_count()
            return waiting[1].deck, min(waiting[1].count, left)
        players = len(state.seats)
        if state.step == Step.SETUP:
            if not state.objectives:
                return "objectives", OBJECTIVES_IN_PLAY
            if not state.routes:
                return "routes", ROUTES_IN_PLAY
            if self.game.options["setup.random_tiles"]:
                cities, tourists = len(self.game.content.cities), len(self.game.content.tourists)
                if not state.tiles:
                    return "city_tiles", cities
                if len(state.tiles) == cities and tourists:
                    return "tourist_tiles", tourists
            return "stations", players
        if state.step == Step.REVEAL:
            if state.phase == Phase.TRAIN:
                if not state.locomotives:
                    return "locomotives", players
                return "carriages", players + 2
            if state.phase == Phase.EXPANSION:
                return "stations", players
            return "developments", 3 * players
        return None

    def _waiting(self, state: State) -> tuple[int, AwaitDraw] | None:
        """The first seat in turn order for which an effect waits for cards, and what it waits for."""
        if not state.stacks:
            return None
        for seat in reversed(state.track.white):
            top = state.top(seat)
            if isinstance(top, AwaitDraw) and not held(self.game, state, seat):
                return seat, top
        return None

    def acting(self, state: State) -> tuple[Acting, ...]:
        return self._asked

    def offers(self, state: State, seat: int) -> list[Offer]:
        return []

    def violations(self, state: State, seat: int, action: Action) -> Iterator[Violation]:
        assert isinstance(action, Draw)
        if action.seat != TABLE:
            raise NotUnderstood("cards are turned up by the table, not by a seat")
        due = self.due(state)
        if due is None or action.deck != due[0]:
            wanted = due[0] if due else ""
            yield Violation("RB-DRAW-1", {"deck": action.deck, "need": 0, "wanted": wanted})
            return
        deck, count = due
        if len(action.cards) != count:
            yield Violation("RB-DRAW-1", {"deck": deck, "need": count, "have": len(action.cards)})
        there = self.in_deck(state, deck)
        for index, name in enumerate(action.cards):
            if name not in there or name in action.cards[:index]:
                yield Violation("RB-DRAW-2", {"deck": deck, "card": name})

    def in_deck(self, state: State, deck: str) -> set[str]:
        """Ids of the cards (or tiles) that can be turned up from a deck."""
        if deck == "city_tiles":
            return {tile.id for tile in self.game.content.city_tiles}
        if deck == "tourist_tiles":
            return {tile.id for tile in self.game.content.tourist_tiles}
        return set(self._cards(DECKS[deck], state.decks[DECKS[deck]]))

    def _cards(self, deck: Deck, mask: int) -> list[str]:
        """Ids of a set of cards of a deck, in pack order."""
        # Decks are full for most of the game: reading all digits beats taking bit off by bit.
        digits = f"{mask:b}"[::-1].encode().translate(_DIGITS)
        return list(compress(self.game.card_order[deck], digits))

    def chance(self, state: State, rng: random.Random) -> Draw | None:
        """A virtual dealer's answer: an even choice among the cards that can be next."""
        due = self.due(state)
        if due is None:
            return None
        deck, count = due
        if deck in VARIANT:
            return Draw(deck, tuple(rng.sample(sorted(self.in_deck(state, deck)), count)))
        which = DECKS[deck]
        upper = state.decks[which]
        if which == Deck.DEVELOPMENTS:
            upper &= ~state.under
        names = self._cards(which, upper)
        cards = rng.sample(names, min(count, len(names)))
        if len(cards) < count:
            below = self._cards(which, state.under if which == Deck.DEVELOPMENTS else 0)
            cards += rng.sample(below, min(count - len(cards), len(below)))
        return Draw(deck, tuple(cards))

    def consequences(self) -> Mapping[type[Action], Consequence]:
        return {Draw: self._draw}

    def _draw(self, change: Change, seat: int, action: Draw) -> None:
        state = change.state
        if (waiting := self._waiting(state)) is not None:
            self._for_effect(change, *waiting, action)
            return
        if action.deck in VARIANT:
            change.set(tiles=state.tiles + action.cards)
            return
        deck = DECKS[action.deck]
        remove_from_deck(change, deck, action.cards)
        if state.step == Step.SETUP:
            self._setup(change, deck, action.cards)
        else:
            self._reveal(change, deck, action.cards)

    def _for_effect(self, change: Change, owner: int, ask: AwaitDraw, action: Draw) -> None:
        """A draw that an effect asked for: DRAW2, or one more station card (HR-04)."""
        remove_from_deck(change, DECKS[action.deck], action.cards)
        change.pop(owner)
        if ask.deck == "stations":
            more = tuple(Indicator(name) for name in action.cards)
            change.set(stations=change.table.stations + more)
            return
        train = change.table.trains[owner]
        if train is not None:
            trains = change.table.trains
            firm = replace(train, firm=True)
            change.set(trains=(*trains[:owner], firm, *trains[owner + 1 :]))
        change.push(owner, AskBuy(ask.source, action.cards))
        settle(change, owner)

    def _setup(self, change: Change, deck: Deck, cards: tuple[str, ...]) -> None:
        if deck is Deck.OBJECTIVES:
            change.set(objectives=cards, decks=_emptied(change.table, deck))
            self._tell_blocked(change, cards)
        elif deck is Deck.ROUTES:
            change.set(routes=cards, decks=_emptied(change.table, deck))
        else:
            # RB-SETUP-13: the highest number stands on the right-most white space.
            numbers = [self.game.station_number[name] for name in cards]
            white = tuple(sorted(range(len(cards)), key=lambda seat: numbers[seat]))
            change.set(track=auction.opened(white))
            change.tell("first_order", order=[self.game.seats[seat] for seat in white])
            begin_round(change, 1)

    def _tell_blocked(self, change: Change, cards: tuple[str, ...]) -> None:
        players = len(change.seats)
        for name in cards:
            spaces = self.game.objectives[name].spaces
            blocked = [i + 1 for i, space in enumerate(spaces) if space.min_players > players]
            if blocked:
                change.tell("blocking_cubes", card=name, spaces=blocked)

    def _reveal(self, change: Change, deck: Deck, cards: tuple[str, ...]) -> None:
        if deck is Deck.LOCOMOTIVES:
            change.set(locomotives=cards)
            return
        if deck is Deck.CARRIAGES:
            change.set(carriages=cards)
        elif deck is Deck.STATIONS:
            change.set(stations=tuple([Indicator(name) for name in cards]))
        else:
            rows = [cards[i : i + 3] for i in range(0, len(cards), 3)]
            change.set(rows=tuple([Row(tuple(sorted(row, key=self._cost))) for row in rows]))
        begin_auction(change)


def _emptied(state: State, deck: Deck) -> tuple[int, ...]:
    """The rest of the objectives and routes leaves the game at once (RB-SETUP-4, RB-SETUP-5)."""
    return (*state.decks[:deck], 0, *state.decks[deck + 1 :])
