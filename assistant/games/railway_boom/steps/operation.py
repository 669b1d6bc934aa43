"""Phase V: trains, one after the other, all players at once (RB-OPS)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import compress
from typing import TYPE_CHECKING

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
from assistant.games.railway_boom.effects import (
    card_of,
    held,
    operate,
    owned_tiles,
    settle,
    settle_all,
)
from assistant.games.railway_boom.flow import end_operation
from assistant.games.railway_boom.pack import TRACK_INDEX, TRACKS
from assistant.games.railway_boom.state import (
    COAL,
    NO_TILES,
    TILES_OF_A_KIND,
    Seat,
    State,
    Step,
    Train,
    TrainCard,
)
from assistant.games.railway_boom.steps.base import Consequence, StepPart
from assistant.offers import STOP, Form, Offer, Value
from assistant.rulings import Violation

if TYPE_CHECKING:
    from assistant.games.railway_boom.game import RailwayBoom


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


def _rested(cards: Sequence[TrainCard]) -> tuple[str, ...]:
    """Ids of the cards that have not operated yet this phase."""
    out = []
    for card in cards:
        if not card.operated:
            out.append(card.id)
    return tuple(out)


def _one_less(record: Seat, kind: int) -> Seat:
    """A record without one tile of a kind: off a card if there is one, since loose ones can be loaded."""
    for field in ("locos", "carriages"):
        cards: tuple[TrainCard, ...] = getattr(record, field)
        for index, card in enumerate(cards):
            if card.tiles[kind]:
                lighter = replace(card, tiles=bump(card.tiles, kind, -1))
                return replace(record, **{field: (*cards[:index], lighter, *cards[index + 1 :])})
    return replace(record, tiles=bump(record.tiles, kind, -1))


class Operation(StepPart):
    """The OPERATION step."""

    def __init__(self, game: RailwayBoom) -> None:
        super().__init__(game)
        self._train = [Acting(letter, "train") for letter in game.seats]
        self._operate = [Acting(letter, "operate") for letter in game.seats]
        self._loco_room = {name: card.capacity for name, card in game.locomotives.items()}
        self._carriage_room = {name: card.capacity for name, card in game.carriages.items()}

    def acting(self, state: State) -> tuple[Acting, ...]:
        seats, trains, stacks = state.seats, state.trains, state.stacks
        out: tuple[Acting, ...] = ()
        for seat in state.track.white:
            # The game itself puts open choices first.
            if not seats[seat].done and not (stacks and stacks[seat].open):
                out = (self._train[seat] if trains[seat] is None else self._operate[seat], *out)
        return out

    def offers(self, state: State, seat: int) -> list[Offer]:
        record = state.seats[seat]
        if record.done or (state.stacks and state.stacks[seat].open):
            return []
        letter = self.game.seats[seat]
        out: list[Offer] = []
        if state.trains[seat] is not None:
            payable = self.next_cost(state, seat) <= record.stock[COAL - 1]
            out.append((self.game.operates if payable else self.game.rollbacks)[letter])
        else:
            if locos := _rested(record.locos):
                out.append(TrainForm(letter, locos, _rested(record.carriages)))
            out.append(self.game.dones[letter])
        if record.tiles != NO_TILES:
            out += self.loads(state, seat)
        return out

    def loads(self, state: State, seat: int) -> list[Offer]:
        """Tiles that can be loaded: at any moment of the phase, an open choice or not (RB-OPS-6)."""
        record = state.seats[seat]
        if record.done or record.tiles == NO_TILES:
            return []
        cards = tuple(dict.fromkeys(self._with_room(record)))
        # A count that is not 0 is as good as True.
        tiles = tuple(compress(TRACKS, record.tiles))
        return [LoadForm(self.game.seats[seat], tiles, cards)] if cards else []

    def _with_room(self, record: Seat) -> list[str]:
        """Ids of the train cards that can take a tile."""
        out = []
        for cards, facts in ((record.locos, self._loco_room), (record.carriages, self._carriage_room)):
            for card in cards:
                if sum(card.tiles) < facts[card.id]:
                    out.append(card.id)
        return out

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

    def consequences(self) -> Mapping[type[Action], Consequence]:
        return {
            LoadTile: self._load,
            UnloadTile: self._unload,
            DeclareTrain: self._form,
            OperateNext: self._operate_next,
            Rollback: self._rollback,
            Done: self._done,
        }

    def _form(self, change: Change, seat: int, action: DeclareTrain) -> None:
        trains = change.table.trains
        train = Train((action.loco, *action.carriages), 0, change.seats[seat])
        change.set(trains=(*trains[:seat], train, *trains[seat + 1 :]))
        change.events.append(Mark(action.seat))

    def _operate_next(self, change: Change, seat: int, action: OperateNext) -> None:
        operate(change, seat)
        settle(change, seat)

    def _done(self, change: Change, seat: int, action: Done) -> None:
        change.alter(seat, done=True)
        settle_all(change)
        for other in change.seats:
            if not other.done:
                return
        end_operation(change)

    def _unload(self, change: Change, seat: int, action: UnloadTile) -> None:
        """Never legal, so nothing follows."""

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

    def _rollback(self, change: Change, seat: int, action: Rollback) -> None:
        """Back to the declaration; or, once firm, without the cards that cannot run (RB-OPS-9)."""
        trains = change.table.trains
        train = trains[seat]
        assert train is not None
        change.set(trains=(*trains[:seat], None, *trains[seat + 1 :]))
        if train.firm:
            change.tell("cards_dropped", seat, cards=list(train.cards[train.next :]))
            return
        self._tiles_back(change, seat, train.before)
        change.events.append(Back(self.game.seats[seat]))
        change.tell("rolled_back", seat, cards=list(train.cards))

    def _tiles_back(self, change: Change, seat: int, before: Seat) -> None:
        """Put an old record back, and the table's tiles with it (RB-STK-4).

        What the seat took since goes back to the supply; what it gave back comes from there, as far as nobody
        else has taken it meanwhile.
        """
        supply, now = change.table.supply, change.seats[seat]
        change.put(seat, before)
        for kind in range(len(TRACKS)):
            back = owned_tiles(now, kind) - owned_tiles(before, kind)
            left = supply[kind] + back
            if self.game.unlimited_tiles:
                # A tile that came from nowhere goes back to nowhere: 20 is all that the supply fills up to.
                owned = sum(owned_tiles(record, kind) for record in change.seats)
                left = max(0, min(left, max(supply[kind], TILES_OF_A_KIND - owned)))
            while left < 0:
                change.put(seat, _one_less(change.seats[seat], kind))
                change.tell("no_tile_left", seat, tile=TRACKS[kind])
                left += 1
            supply = bump(supply, kind, left - supply[kind])
        change.set(supply=supply)
