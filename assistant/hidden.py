"""What lies face down at a table whose referee is not told: for virtual people who hold hands of their own.

A referee at a real table records draws without names. `Truth` keeps the same game with every name: it follows
the record, draws by a seed whatever is drawn, and says which cards a seat holds and what the table would turn
up. Nothing of it reaches the record but what is laid open. Demonstrations and tests play with it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from assistant import cards as c
from assistant.actions import TABLE, Action
from assistant.dealer import Dealer
from assistant.dealing import CardGame, Deal
from assistant.events import Informed
from assistant.game import PUBLIC, STAFF, Acting
from assistant.positions import with_value, without
from assistant.referee import Referee, Written

PILE: Final = "deck"
"""The zone that nobody has looked at (`dealing.Owed.pile`)."""


class Untrue(ValueError):
    """A record says what the cards on the table do not allow, or they have come apart."""


class _Step(msgspec.Struct, gc=False):
    """A live entry that was followed, with the named state on both sides."""

    seq: int
    before: Any
    after: Any
    informed: bool


class Truth:
    """The cards of one game as they really lie, drawn by `seed`.

    `given` is the position that the record began at, if it did not begin at the start.
    """

    def __init__(self, game: CardGame[Any], seed: str, given: Mapping[str, Any] | None = None) -> None:
        self.game = game
        self._dealer = Dealer(seed)
        self.state: Any = game.start() if given is None else self._dealt(game.from_position(given), 0)
        """The state with every hand named, each name known to the seats that saw it."""
        self._steps: list[_Step] = []
        self._seq = 0

    def follow(self, referee: Referee[Any]) -> None:
        """Catch up with a record: draw what was drawn, hide again what was taken back.

        `Untrue` when a seat did what its hand does not allow.
        """
        if referee.seq == self._seq:
            return
        live = [w for w in referee.history(STAFF) if w.live and w.kind not in ("given", "note")]
        kept = 0
        while kept < min(len(self._steps), len(live)) and self._steps[kept].seq == live[kept].seq:
            kept += 1
        self._take_back(kept)
        for written in live[kept:]:
            before = self.state
            self.state, informed = self._after(written)
            self._steps.append(_Step(written.seq, before, self.state, informed))
        self._seq = referee.seq
        asked, here = referee.game.acting(referee.state), self.game.acting(self.state)
        if asked != here:
            raise Untrue(f"the record asks {_said(asked)}, the cards on the table {_said(here)}")

    def due(self, referee: Referee[Any]) -> Action | None:
        """What the table owes now, as it is said at a table with real hands: draws without names, what is
        turned up with them; None when nothing is due."""
        self.follow(referee)
        action = self._dealer.next(self.game, self.state, referee.seq + 1)
        return None if action is None else self.game.disclosed(action, PUBLIC)

    def holds(self, seat: str, zone: str = "hand") -> tuple[str, ...]:
        """Names of the cards that a seat has in a zone whose cards it sees, sorted."""
        here = self.state.cards[seat][zone]
        if here.unnamed:
            raise Untrue(f"{zone} of seat {seat} has {here.unnamed} cards that nobody has looked at")
        return tuple(sorted(here.names))

    def _take_back(self, kept: int) -> None:
        """Go back to the first `kept` steps; piles from which something was learned are shuffled."""
        taken = self._steps[kept:]
        if not taken:
            return
        self.state = taken[0].before
        for step in reversed(taken):
            if step.informed:
                self.state = self.game.forget(self.state, step.after)
        del self._steps[kept:]

    def _after(self, written: Written) -> tuple[Any, bool]:
        """The named state after an entry, and whether somebody learned something by it."""
        if written.action is None:
            return self._corrected(written), False
        action = self._named(written.action, written.seq)
        if written.kind != "overrule" and (found := self.game.refuse(self.state, action)) is not None:
            raise Untrue(
                f"entry {written.seq}: {action} is recorded; with the cards that lie here {found.rule}"
            )
        state, events = self.game.apply(self.state, action)
        return state, any(isinstance(event, Informed) for event in events)

    def _named(self, action: Action, seq: int) -> Action:
        """A draw with the names that the record does not have."""
        if not isinstance(action, Deal) or len(action.cards) == action.count:
            return action
        owed = self.game.debts(self.state).get(action.owner)
        if owed is None:
            raise Untrue(f"entry {seq}: {action.owner} drew {action.count} cards; here none are due")
        drawn = owed.chance(self._dealer.rng(action.owner, seq))
        assert isinstance(drawn, Deal)
        return Deal(action.owner, action.count, drawn.cards[: action.count])

    def _corrected(self, written: Written) -> Any:
        """The state with some facts of its position set."""
        position: Any = self.game.to_position(self.state)
        for path, value in written.facts.items():
            position = without(position, path) if value is None else with_value(position, path, value)
        return self._dealt(self.game.from_position(position), written.seq)

    def _dealt(self, state: Any, seq: int) -> Any:
        """The state with a name for every card outside the decks that a position left unnamed."""
        named = {}
        for seat, cards in state.cards.items():
            rng = self._dealer.rng(seat, seq)
            for zone, there in cards.zones.items():
                if zone == PILE:
                    continue
                for _ in range(there.unnamed):
                    card = rng.choice([name for name, count in cards.pool.items() for _ in range(count)])
                    cards = c.reveal(cards, zone, card, None, (seat,))
            named[seat] = cards
        return msgspec.structs.replace(state, cards=named)


def wanted(truth: Truth, referee: Referee[Any], rng: random.Random) -> Action:
    """What happens next among virtual people with hands of their own: what the table owes, or what the first
    seat that is asked does. RuntimeError when nobody is asked anything."""
    truth.follow(referee)
    asked = referee.game.acting(referee.state)
    if not asked:
        raise RuntimeError("the game is over")
    if asked[0].seat != TABLE:
        return truth.game.sensible(truth.state, asked[0].seat, rng)
    action = truth.due(referee)
    assert action is not None
    return action


def _said(acting: tuple[Acting, ...]) -> str:
    return ", ".join(f"{who.seat} {who.why}" for who in acting) or "nobody"
