"""Phase V: trains, one after the other, all players at once (RB-OPS)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from assistant.actions import Action
from assistant.events import Back, Mark
from assistant.game import Acting
from assistant.games.railway_boom.actions import (
    DeclareTrain,
    Done,
    LoadTile,
    OperateNext,
    Rollback,
    UnloadTile,
)
from assistant.games.railway_boom.change import Change, bump
from assistant.games.railway_boom.effects import card_of, held, operate, settle, settle_all
from assistant.games.railway_boom.flow import end_operation
from assistant.games.railway_boom.pack import TRACK_INDEX, TRACKS
from assistant.games.railway_boom.state import COAL, Seat, State, Step, Train, TrainCard
from assistant.games.railway_boom.steps.base import StepPart
from assistant.offers import STOP, Form, Offer, Value
from assistant.rulings import Violation


class TrainForm(Form, frozen=True):
    """A train: a locomotive, then carriages front to back until stopped."""

    seat: str
    locos: tuple[str, ...]
    carriages: tuple[str, ...]
    kind = "declare_train"

    def domain(self, filled: Sequence[Value]) -> Sequence[Value] | None:
        if not filled:
            return tuple(dict.fromkeys(self.locos))
        if filled[-1] == STOP:
            return None
        left = list(self.carriages)
        for name in filled[1:]:
            left.remove(name)
        return (*dict.fromkeys(left), STOP)

    def make(self, filled: Sequence[Value]) -> Action:
        return DeclareTrain(self.seat, filled[0], tuple(filled[1:-1]))


class LoadForm(Form, frozen=True):
    """A tile onto a card with room."""

    seat: str
    tiles: tuple[str, ...]
    cards: tuple[str, ...]
    kind = "load_tile"

    def domain(self, filled: Sequence[Value]) -> Sequence[Value] | None:
        return (self.tiles, self.cards, None)[len(filled)]

    def make(self, filled: Sequence[Value]) -> Action:
        return LoadTile(self.seat, filled[0], filled[1])


class Operation(StepPart):
    """The OPERATION step."""

    actions = (LoadTile, UnloadTile, DeclareTrain, OperateNext, Rollback, Done)

    def acting(self, state: State) -> tuple[Acting, ...]:
        out = []
        for seat in reversed(state.track.white):
            if state.top(seat) is not None:
                continue  # the game itself puts open choices first
            if not state.seats[seat].done:
                why = "operate" if state.trains[seat] else "train"
                out.append(Acting(self.game.seats[seat], why))
        return tuple(out)

    def offers(self, state: State, seat: int) -> list[Offer]:
        record = state.seats[seat]
        if record.done or state.top(seat) is not None:
            return []
        letter = self.game.seats[seat]
        out: list[Offer] = []
        train = state.trains[seat]
        if train is not None:
            payable = self.next_cost(state, seat) <= record.stock[COAL - 1]
            out.append((self.game.operates if payable else self.game.rollbacks)[letter])
        else:
            locos = tuple(card.id for card in record.locos if not card.operated)
            if locos:
                carriages = tuple(card.id for card in record.carriages if not card.operated)
                out.append(TrainForm(letter, locos, carriages))
            out.append(self.game.dones[letter])
        if any(record.tiles):
            cards = tuple(dict.fromkeys(self._with_room(record)))
            if cards:
                tiles = tuple(TRACKS[kind] for kind in range(5) if record.tiles[kind])
                out.append(LoadForm(letter, tiles, cards))
        return out

    def _with_room(self, record: Seat) -> Iterator[str]:
        for card in record.locos:
            if sum(card.tiles) < self.game.locomotives[card.id].capacity:
                yield card.id
        for card in record.carriages:
            if sum(card.tiles) < self.game.carriages[card.id].capacity:
                yield card.id

    def next_cost(self, state: State, seat: int) -> int:
        """Coal that the next card of the running train costs."""
        train = state.trains[seat]
        assert train is not None
        name = train.cards[train.next]
        card, owned = card_of(self.game, state.seats[seat], name, train.next == 0)
        return 0 if owned.free else card.coal

    def violations(self, state: State, seat: int, action: Action) -> Iterator[Violation]:
        running = state.step == Step.OPERATION and not state.seats[seat].done
        if isinstance(action, (LoadTile, UnloadTile)):
            if isinstance(action, UnloadTile) or not running or not self._loadable(state, seat, action):
                yield Violation("RB-OPS-6", {"card": action.card})
            yield from self._own_choice(state, seat)
        elif isinstance(action, DeclareTrain):
            yield from self._declare(state, seat, action, running)
        elif isinstance(action, Done):
            if not running:
                yield Violation("RB-OPS-11", {"seat": action.seat})
                return
            yield from self._own_choice(state, seat)
            if state.trains[seat] is not None:
                yield Violation("RB-OPS-5")
        else:
            yield from self._go_on(state, seat, action, running)

    def _own_choice(self, state: State, seat: int) -> Iterator[Violation]:
        """An own open choice comes first; what others have open does not matter here (RB-FLOW-6)."""
        top = state.top(seat)
        if top is not None:
            rule = "RB-FLOW-6" if held(self.game, state, seat) else "RB-ICON-4"
            yield Violation(rule, {"source": top.source})

    def _go_on(self, state: State, seat: int, action: Action, running: bool) -> Iterator[Violation]:
        train = state.trains[seat]
        if isinstance(action, OperateNext):
            if not running or train is None:
                yield Violation("RB-OPS-1")
                return
            yield from self._own_choice(state, seat)
            if train.next < len(train.cards):
                need, have = self.next_cost(state, seat), state.seats[seat].stock[COAL - 1]
                if need > have:
                    values = {"card": train.cards[train.next], "need": need, "have": have}
                    yield Violation("RB-OPS-4", values)
            return
        stuck = (
            running
            and train is not None
            and state.top(seat) is None
            and self.next_cost(state, seat) > state.seats[seat].stock[COAL - 1]
        )
        if not stuck:
            yield Violation("RB-OPS-9a")

    def _declare(self, state: State, seat: int, action: DeclareTrain, running: bool) -> Iterator[Violation]:
        record = state.seats[seat]
        owned = [card.id for card in (*record.locos, *record.carriages)]
        cards = (action.loco, *action.carriages)
        if not running:
            yield Violation("RB-OPS-1")
        for name in cards:
            if name not in owned:
                yield Violation("RB-OPS-1", {"card": name})
        locos = [card.id for card in record.locos]
        fresh = [card.id for card in (*record.locos, *record.carriages) if not card.operated]
        for index, name in enumerate(cards):
            if (name in locos) != (index == 0):
                yield Violation("RB-OPS-2", {"card": name})
            elif name in fresh:
                fresh.remove(name)
            else:
                yield Violation("RB-OPS-2", {"card": name})
        yield from self._own_choice(state, seat)
        if state.trains[seat] is not None:
            yield Violation("RB-OPS-5")

    def _loadable(self, state: State, seat: int, action: LoadTile) -> bool:
        record = state.seats[seat]
        held_tile = action.tile in TRACKS and record.tiles[TRACK_INDEX[action.tile]] > 0
        return held_tile and action.card in self._with_room(record)

    def apply(self, change: Change, seat: int, action: Action) -> None:
        state = change.state
        record = state.seats[seat]
        if isinstance(action, LoadTile):
            self._load(change, seat, action)
        elif isinstance(action, DeclareTrain):
            train = Train((action.loco, *action.carriages), 0, record)
            change.set(trains=(*state.trains[:seat], train, *state.trains[seat + 1 :]))
            change.events.append(Mark(action.seat))
        elif isinstance(action, OperateNext):
            operate(change, seat)
            settle(change, seat)
        elif isinstance(action, Rollback):
            self._rollback(change, seat)
        elif isinstance(action, Done):
            change.alter(seat, done=True)
            settle_all(change)
            if all(other.done for other in change.seats):
                end_operation(change)

    def _load(self, change: Change, seat: int, action: LoadTile) -> None:
        record = change.seats[seat]
        kind = TRACK_INDEX[action.tile]
        change.alter(seat, tiles=bump(record.tiles, kind, -1))
        for field, facts in (("locos", self.game.locomotives), ("carriages", self.game.carriages)):
            cards: tuple[TrainCard, ...] = getattr(record, field)
            for index, card in enumerate(cards):
                if card.id == action.card and sum(card.tiles) < facts[card.id].capacity:
                    loaded = replace(card, tiles=bump(card.tiles, kind, 1))
                    change.alter(seat, **{field: (*cards[:index], loaded, *cards[index + 1 :])})
                    return

    def _rollback(self, change: Change, seat: int) -> None:
        """Back to the declaration; or, once firm, without the cards that cannot run (RB-OPS-9)."""
        state = change.state
        train = state.trains[seat]
        assert train is not None
        change.set(trains=(*state.trains[:seat], None, *state.trains[seat + 1 :]))
        if train.firm:
            change.tell("cards_dropped", seat, cards=list(train.cards[train.next :]))
            return
        change.put(seat, train.before)
        change.events.append(Back(self.game.seats[seat]))
        change.tell("rolled_back", seat, cards=list(train.cards))
