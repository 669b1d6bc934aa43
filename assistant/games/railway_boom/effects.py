"""Consequences: raises and icons, placements, development cards, and the tasks that go on by themselves.

Depth first (RB-ICON-4): whatever an effect triggers goes on top of its owner's stack and is dealt with
before the rest. `settle` runs the tasks on top of a stack until a person or the table is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from assistant.events import Informed, Told
from assistant.games.railway_boom.change import Change, bump
from assistant.games.railway_boom.pack import TRACK_INDEX, TRACKS, Development, Effect, Icon
from assistant.games.railway_boom.state import (
    COAL,
    DECK_NAMES,
    DECKS,
    NO_TILES,
    VP,
    AskBuy,
    AskFree,
    AskGain,
    AskIncome,
    AskLease,
    AwaitDraw,
    Deck,
    DevCard,
    EffectTask,
    EndTrainTask,
    IconTask,
    Pending,
    PowerTask,
    RaiseTask,
    Seat,
    State,
    Step,
    TrainCard,
)

if TYPE_CHECKING:
    from assistant.games.railway_boom.game import RailwayBoom

LINE_TERRAIN = {
    "tourist_line": "tourist",
    "forest_line": "forest",
    "river_line": "river",
    "inlet_line": "inlet",
    "plains_line": "plains",
    "mountain_line": "mountain",
}
"""Line cards that look at the terrain of the hex (RB-DFX-03, 06, 09, 11, 12, 15)."""
LINE_KINDS = {*LINE_TERRAIN, "coastal_line", "crossing_line"}
SPENDING_KINDS = {"aggressive_spending", "economical_spending"}


_ORDERED = (AskFree, AwaitDraw)
"""Entries whose order among players can matter: they place an RT or reveal cards (RB-FLOW-6)."""


# Stacks ------------------------------------------------------------------------------------------


def earlier_unfinished(game: RailwayBoom, state: State, seat: int) -> bool:
    """Whether a seat before this one has not finished the simultaneous phase (RB-FLOW-6)."""
    for other in reversed(state.track.white):
        if other == seat:
            return False
        if not state.seats[other].done:
            return True
    return False


def held(game: RailwayBoom, state: State, seat: int) -> bool:
    """Whether the top of a seat's stack waits for earlier seats: it reveals cards or places an RT."""
    if state.step != Step.OPERATION:
        return False
    return type(state.top(seat)) in _ORDERED and earlier_unfinished(game, state, seat)


def settle(change: Change, seat: int) -> None:
    """Deal with the top of a stack while nobody needs to be asked."""
    if change.open is None and not change.table.stacks:
        return
    while (top := change.top(seat)) is not None:
        task = _TASKS.get(type(top))
        if task is not None:
            change.pop(seat)
            task(change, seat, top)
        elif not held(change.game, change.state, seat) and not _possible(change, seat, top):
            change.pop(seat)
            change.tell("icon_lost", seat, source=top.source)
        elif isinstance(top, AskIncome) and len(raisable(change.game, change.seats[seat])) == 1:
            (track,) = raisable(change.game, change.seats[seat])
            change.pop(seat)
            change.push(seat, RaiseTask(top.source, track))
        else:
            return


def settle_all(change: Change) -> None:
    """Settle every seat: a seat that has finished may release what others hold."""
    for seat in range(len(change.seats)):
        settle(change, seat)


def _possible(change: Change, seat: int, entry: Pending) -> bool:
    """Whether a question has any answer besides declining (RB-ICON-5)."""
    state, game = change.state, change.game
    if isinstance(entry, AskFree):
        return entry.left > 0 and bool(free_hexes(game, state, seat))
    if isinstance(entry, AwaitDraw):
        return bool(state.decks[DECKS[entry.deck]])
    if isinstance(entry, AskIncome):
        return bool(raisable(game, state.seats[seat]))
    if isinstance(entry, AskLease):
        return bool(leasable(state, seat))
    if isinstance(entry, AskBuy):
        return bool(entry.cards)
    return True


def raisable(game: RailwayBoom, record: Seat) -> list[int]:
    """Tracks that INC_CHOICE may raise (HR-13)."""
    first = VP if game.options["inc_choice.vp"] else VP + 1
    return [track for track in range(first, 5) if record.levels[track] < game.top_level[track]]


def leasable(state: State, seat: int) -> list[str]:
    """Locomotives that may be returned: owned ones that are not in a running train (HR-28)."""
    train = state.trains[seat]
    running = train.cards[0] if train else None
    return [card.id for card in state.seats[seat].locos if card.id != running]


# Income levels and icons -------------------------------------------------------------------------


def _raise(change: Change, seat: int, task: RaiseTask) -> None:
    """One step of a raise; the rest goes under what its icon triggers (RB-ICON-1)."""
    record = change.seats[seat]
    level = record.levels[task.track]
    if level >= change.game.top_level[task.track]:
        return  # RB-ICON-2: steps beyond the last space are lost
    change.put(seat, replace(record, levels=bump(record.levels, task.track, 1)))
    change.tell("level", seat, track=TRACKS[task.track], level=level + 1)
    if task.steps > 1:
        change.push(seat, RaiseTask(task.source, task.track, task.steps - 1))
    icon = change.game.icons[task.track][level + 1]
    if icon is not None:
        trigger(change, seat, icon, f"{TRACKS[task.track]} {level + 1}")


def trigger(change: Change, seat: int, icon: Icon, source: str) -> None:
    """Resolve an icon, or put its question on the stack (RB-ICON-3)."""
    if icon.kind == "vp":
        change.points(seat, icon.n, "icon", source, "RB-ICON-3")
    elif icon.kind == "gain2":
        change.push(seat, AskGain(source))
    elif icon.kind == "inc_choice":
        change.push(seat, AskIncome(source))
    elif icon.kind == "free_rt":
        change.push(seat, AskFree(source))
    else:
        change.push(seat, AwaitDraw(source))


def _icon(change: Change, seat: int, task: IconTask) -> None:
    if task.times > 1:
        change.push(seat, replace(task, times=task.times - 1))
    trigger(change, seat, change.game.icon(task.kind, task.n), task.source)


def _power(change: Change, seat: int, task: PowerTask) -> None:
    change.set(turn=replace(change.table.turn, power=task.power))


# Placements --------------------------------------------------------------------------------------


def own_mask(record: Seat) -> int:
    """All hexes with a piece of the player."""
    return record.rails | record.stations


def other_masks(state: State, seat: int) -> list[int]:
    """For each other player, the hexes with a piece of that player."""
    return [r.rails | r.stations for i, r in enumerate(state.seats) if i != seat]


def free_hexes(game: RailwayBoom, state: State, seat: int) -> int:
    """Where a free placement of the seat may go (RB-EXP-11)."""
    record = state.seats[seat]
    if record.rails_left <= 0:
        return 0
    own = record.rails | record.stations
    base = own
    bound = game.options["free_rt.bound_in_expansion"] and state.step == Step.EXPANSION
    if bound and game.acting_seat(state) == seat and state.turn.station:
        base = state.turn.line
    return game.grid.neighbours(base) & ~own


def power_hexes(game: RailwayBoom, state: State, seat: int) -> int:
    """Where the acting seat may put a powered RT now (RB-EXP-6)."""
    record = state.seats[seat]
    turn = state.turn
    if turn.power < 0 or record.rails_left <= 0:
        return 0
    targets = game.grid.neighbours(turn.line) & ~(record.rails | record.stations)
    return game.board(state).affordable(turn.power, targets, state.seats)


def place_rail(change: Change, seat: int, bit: int, where: str, cost: int = 0) -> None:
    """Everything one RT placement causes, in the order of RB-EXP-12. `cost` is the power it takes."""
    record = change.seats[seat]
    change.put(seat, replace(record, rails=record.rails | bit, rails_left=max(0, record.rails_left - 1)))
    train = change.table.trains[seat]
    if train is not None and not train.firm:
        _firm(change, seat)
    _extend_line(change, seat, bit, cost)
    routes(change, seat)
    line_cards(change, seat, bit, where)
    board = change.game.board(change.table)
    if bit in board.yields:
        for kind in board.yields[bit]:
            change.take_tile(seat, kind, "RB-EXP-9")
    elif bit in board.tourists:
        trigger(change, seat, board.tourists[bit], where)


def _extend_line(change: Change, seat: int, bit: int, cost: int) -> None:
    """Keep the turn's railway whole after a placement of its owner (RB-MAP-6), and take its power."""
    table = change.table
    turn = table.turn
    if turn.station and table.track.white[-1 - table.active] == seat:
        grid = change.game.grid
        around = grid.around[bit.bit_length() - 1]
        line = turn.line | bit if around & turn.line else turn.line
        own = own_mask(change.seats[seat])
        if around & own & ~line:
            line = grid.component(turn.station, own)
        power = max(0, turn.power - cost) if cost else turn.power
        change.table = replace(table, turn=replace(turn, line=line, power=power))


def _firm(change: Change, seat: int) -> None:
    """The running train can no longer be rolled back (RB-OPS-9)."""
    trains = change.table.trains
    train = trains[seat]
    if train is not None:
        change.set(trains=(*trains[:seat], replace(train, firm=True), *trains[seat + 1 :]))


def routes(change: Change, seat: int) -> None:
    """Score every Route card that one own railway now connects (RB-RTE)."""
    game, record = change.game, change.seats[seat]
    own, ends = own_mask(record), game.route_ends
    for index, name in enumerate(change.table.routes):
        a, b = ends[name]
        if not (own & a and own & b) or record.routes >> index & 1:
            continue
        if not game.grid.component(a, own) & b:
            continue
        first = not any(other.routes >> index & 1 for other in change.seats)
        card = game.route_cards[name]
        record = replace(change.seats[seat], routes=change.seats[seat].routes | 1 << index)
        change.put(seat, record)
        change.points(seat, card.vp_first if first else card.vp_later, "route", name, "RB-RTE-2")


def line_cards(change: Change, seat: int, bit: int, where: str) -> None:
    """Automatic cards that look at an own RT placement (RB-DFX-22)."""
    game = change.game
    cards = game.line_cards
    for owned in change.seats[seat].devs:
        if owned.id not in cards:
            continue
        card = cards[owned.id]
        board = game.board(change.table)
        if card.kind == "coastal_line":
            hit = board.coastal & bit
        elif card.kind == "crossing_line":
            hit = int(any(mask & bit for mask in other_masks(change.table, seat)))
        else:
            hit = board.terrain.get(LINE_TERRAIN[card.kind], 0) & bit
        if hit:
            rule = game.kind_rule[card.kind]
            change.points(seat, card.vp, "line_card", f"{card.id} {where}", rule)


# Development cards -------------------------------------------------------------------------------


def gain_development(change: Change, seat: int, name: str) -> None:
    """A card comes into a player's possession; instants resolve at once (RB-DEV-8)."""
    card = change.game.developments[name]
    record = change.seats[seat]
    instant = card.timing == "instant"
    change.put(seat, replace(record, devs=(*record.devs, DevCard(name, down=instant))))
    if instant and card.kind in INSTANT:
        INSTANT[card.kind](change, seat, card)


def _subsidy(change: Change, seat: int, card: Development) -> None:
    for index, name in enumerate(TRACKS):
        change.gain(seat, index, card.gain.get(name, 0), "subsidy", card.id, "RB-DFX-01")


def _industrial(change: Change, seat: int, card: Development) -> None:
    push_raises(change, seat, card.id, [(TRACK_INDEX[r.track], r.steps) for r in card.income])


def push_raises(change: Change, seat: int, source: str, raises: Sequence[tuple[int, int]]) -> None:
    """Several raises of one effect, one track after the other in track order (RB-ICON-4)."""
    if raises:
        ordered = sorted(raises, reverse=True)
        change.push(seat, *[RaiseTask(source, track, steps) for track, steps in ordered if steps])


def _specialty(change: Change, seat: int, card: Development) -> None:
    for index, name in enumerate(TRACKS):
        for _ in range(card.tiles.get(name, 0)):
            change.take_tile(seat, index, "RB-DFX-07")


def _lease(change: Change, seat: int, card: Development) -> None:
    change.push(seat, AskLease(card.id))


def _planned(change: Change, seat: int, card: Development) -> None:
    change.push(seat, AskFree(card.id, card.count))


INSTANT = {
    "subsidy": _subsidy,
    "industrial_growth": _industrial,
    "specialty_product": _specialty,
    "locomotive_lease": _lease,
    "planned_expansion": _planned,
}
"""What the kinds that resolve on gaining do; a pack may also print them as Round cards (HR-27)."""


def lease(change: Change, seat: int, ask: AskLease, name: str) -> None:
    """Return a locomotive to the box; its tiles go back to the supply (RB-DFX-10)."""
    record = change.seats[seat]
    index = next(i for i, card in enumerate(record.locos) if card.id == name)
    supply = change.table.supply
    for kind, count in enumerate(record.locos[index].tiles):
        supply = bump(supply, kind, count)
    change.set(supply=supply)
    change.alter(seat, locos=record.locos[:index] + record.locos[index + 1 :])
    card = change.game.developments[ask.source]
    change.points(seat, card.vp, "lease", f"{card.id} {name}", "RB-DFX-10")


def spending_cards(change: Change, seat: int, paid: int) -> None:
    """Automatic cards that look at an auction payment (RB-DFX-17, RB-DFX-19)."""
    cards = change.game.spending_cards
    for owned in change.seats[seat].devs:
        if owned.id not in cards:
            continue
        card = cards[owned.id]
        if card.kind == "aggressive_spending" and paid >= card.threshold:
            change.points(seat, card.vp, "spending_card", card.id, "RB-DFX-17")
        elif card.kind == "economical_spending" and paid == 0:
            change.points(seat, card.vp, "spending_card", card.id, "RB-DFX-19")


# Trains ------------------------------------------------------------------------------------------


def operate(change: Change, seat: int) -> None:
    """The next card of the running train: pay its coal, gain its VP, activate its effects (RB-OPS-3)."""
    trains = change.table.trains
    train = trains[seat]
    assert train is not None
    name, is_loco = train.cards[train.next], train.next == 0
    card, owned = card_of(change.game, change.seats[seat], name, is_loco)
    change.pay(seat, COAL, 0 if owned.free else card.coal, "RB-OPS-3")
    _mark_operated(change, seat, owned, is_loco)
    change.points(seat, getattr(card, "vp", 0), "train", name, "RB-OPS-3")
    if owned.tiles != NO_TILES:
        for kind, count in enumerate(owned.tiles):
            change.gain(seat, kind, count, "tile", name, "RB-OPS-7")
    last = train.next + 1 == len(train.cards)
    after = None if last and not card.effects else replace(train, next=train.next + 1)
    change.table = replace(change.table, trains=(*trains[:seat], after, *trains[seat + 1 :]))
    if card.effects:
        if last:
            change.push(seat, EndTrainTask(name))
        change.push(seat, *[EffectTask(name, index) for index in reversed(range(len(card.effects)))])


def _mark_operated(change: Change, seat: int, owned: TrainCard, is_loco: bool) -> None:
    record = change.seats[seat]
    cards = record.locos if is_loco else record.carriages
    index = cards.index(owned)
    cards = (*cards[:index], replace(owned, operated=True), *cards[index + 1 :])
    change.put(seat, replace(record, locos=cards) if is_loco else replace(record, carriages=cards))


def card_of(game: RailwayBoom, record: Seat, name: str, is_loco: bool) -> tuple[TrainPart, TrainCard]:
    """A train card of the pack and the owned one that has not operated yet (or any, after that)."""
    owned: TrainCard | None = None
    for card in record.locos if is_loco else record.carriages:
        if card.id == name:
            owned = owned or card
            if not card.operated:
                owned = card
                break
    return (game.locomotives[name] if is_loco else game.carriages[name]), owned or TrainCard(name)


def train_tiles(record: Seat, cards: tuple[str, ...]) -> tuple[int, int, int, int, int]:
    """All tiles on the cards of a train, by kind (RB-OPS-8)."""
    total = list(NO_TILES)
    for index, name in enumerate(cards):
        owned = record.locos if index == 0 else record.carriages
        for card in owned:
            if card.id == name:
                for kind, count in enumerate(card.tiles):
                    total[kind] += count
                break
    a, b, c, d, e = total
    return a, b, c, d, e


def times_met(effect: Effect, tiles: tuple[int, ...]) -> int:
    """How many disjoint copies of the condition fit into the tiles (RB-OPS-8)."""
    limits = [sum(tiles) // sum(effect.need.values())]
    for name, need in effect.need.items():
        if name != "any":
            limits.append(tiles[TRACK_INDEX[name]] // need)
    return min(limits)


def _effect(change: Change, seat: int, task: EffectTask) -> None:
    """A printed effect: plain gains once, conditional ones as often as they are met."""
    train = change.table.trains[seat]
    assert train is not None
    is_loco = task.source == train.cards[0]
    card, _ = card_of(change.game, change.seats[seat], task.source, is_loco)
    effect = card.effects[task.index]
    times = times_met(effect, train_tiles(change.seats[seat], train.cards)) if effect.need else 1
    if not times:
        return
    for index, name in enumerate(TRACKS):
        if amount := effect.gain.get(name):
            change.gain(seat, index, amount * times, "train_effect", task.source, "RB-OPS-8")
    if effect.icon is not None:
        change.push(seat, IconTask(task.source, effect.icon.kind, effect.icon.n, times))
    raises = [(TRACK_INDEX[r.track], r.steps * times) for r in effect.income]
    push_raises(change, seat, task.source, raises)


def _end_train(change: Change, seat: int, task: EndTrainTask) -> None:
    trains = change.table.trains
    change.set(trains=(*trains[:seat], None, *trains[seat + 1 :]))


_TASKS: dict[type[Pending], Callable[[Change, int, Any], None]] = {
    RaiseTask: _raise,
    EffectTask: _effect,
    IconTask: _icon,
    PowerTask: _power,
    EndTrainTask: _end_train,
}


# Cards from decks --------------------------------------------------------------------------------


def remove_from_deck(change: Change, deck: Deck, cards: tuple[str, ...]) -> None:
    """Drawn cards leave their deck; everyone learns what they are."""
    table = change.table
    index = change.game.card_bit[deck]
    mask = 0
    for name in cards:
        mask |= index.get(name, 0)
    decks, under = table.decks, table.under
    change.set(
        decks=(*decks[:deck], decks[deck] & ~mask, *decks[deck + 1 :]),
        under=under & ~mask if deck == Deck.DEVELOPMENTS else under,
    )
    name = DECK_NAMES[deck]
    back = Told("return_and_shuffle", None, {"deck": name, "cards": list(cards)})
    change.events.append(Informed(change.game.seats, name, (back,)))


def put_under(change: Change, cards: tuple[str, ...]) -> None:
    """Development cards go to the bottom of their deck in an order nobody knows."""
    if not cards:
        return
    index = change.game.card_bit[Deck.DEVELOPMENTS]
    mask = 0
    for name in cards:
        mask |= index[name]
    decks = change.table.decks
    deck = Deck.DEVELOPMENTS
    under = change.table.under | mask
    change.set(decks=(*decks[:deck], decks[deck] | mask, *decks[deck + 1 :]), under=under)
    change.tell("shuffle_under", deck="developments", cards=list(cards))


def owned_tiles(record: Seat, kind: int) -> int:
    """Resource Tiles of a kind that a player has, loose and on cards."""
    return record.tiles[kind] + sum(card.tiles[kind] for card in (*record.locos, *record.carriages))


def tile_total(record: Seat) -> int:
    """All Resource Tiles of a player, on the board's side and on cards."""
    return sum(record.tiles) + sum(
        sum(card.tiles) for cards in (record.locos, record.carriages) for card in cards
    )


if TYPE_CHECKING:
    from assistant.games.railway_boom.pack import Carriage, Locomotive

    TrainPart = Locomotive | Carriage
