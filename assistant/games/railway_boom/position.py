"""The readable form of a Railway Boom state (docs/cases.md describes it for writers of cases).

What can be derived is not stored: a deck is all cards of the pack that lie nowhere else, so that a card
can never be in two places. Everything else is spelled in names: hexes, seat letters, card ids.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from assistant import auction
from assistant.auction import Track
from assistant.game import PositionFaults
from assistant.games.railway_boom.effects import owned_tiles
from assistant.games.railway_boom.pack import STOCK, TRACK_INDEX, TRACKS
from assistant.games.railway_boom.state import (
    NO_TILES,
    PENDING,
    RAILS,
    START_STOCK,
    STATIONS,
    TILES_OF_A_KIND,
    AskBuy,
    AskLease,
    AwaitDraw,
    Deck,
    DevCard,
    EffectTask,
    EndTrainTask,
    IconTask,
    Indicator,
    Pending,
    Phase,
    PowerTask,
    RaiseTask,
    Row,
    Seat,
    State,
    Step,
    Train,
    TrainCard,
    Turn,
)
from assistant.hexes import bits
from assistant.positions import Position
from assistant.stacks import Stack

if TYPE_CHECKING:
    from assistant.games.railway_boom.change import Five
    from assistant.games.railway_boom.game import RailwayBoom

PHASE_NAMES = (
    "setup",
    "train",
    "expansion",
    "development",
    "income",
    "operation",
    "objective",
    "over",
)
PHASES = {name: phase for phase, name in enumerate(PHASE_NAMES)}
STEPS: dict[str, dict[int, int]] = {
    "setup": {Phase.SETUP: Step.SETUP},
    "reveal": dict.fromkeys((Phase.TRAIN, Phase.EXPANSION, Phase.DEVELOPMENT), Step.REVEAL),
    "auction": dict.fromkeys(
        (Phase.TRAIN, Phase.EXPANSION, Phase.DEVELOPMENT, Phase.OBJECTIVE), Step.AUCTION
    ),
    "pay": dict.fromkeys((Phase.TRAIN, Phase.EXPANSION, Phase.DEVELOPMENT, Phase.OBJECTIVE), Step.PAY),
    "turn": {
        Phase.TRAIN: Step.TRAIN,
        Phase.EXPANSION: Step.EXPANSION,
        Phase.DEVELOPMENT: Step.DEVELOPMENT,
        Phase.OPERATION: Step.OPERATION,
        Phase.OBJECTIVE: Step.OBJECTIVE,
    },
    "over": {Phase.OVER: Step.OVER},
}
"""Which steps each phase has, by the names that positions use."""

STEP_NAMES = {step: name for name, by_phase in STEPS.items() for step in by_phase.values()}
BOXED = (Deck.LOCOMOTIVES, Deck.CARRIAGES, Deck.STATIONS, Deck.DEVELOPMENTS)


# Writing -----------------------------------------------------------------------------------------


def to_position(game: RailwayBoom, state: State) -> Position:
    """The documented form of a state; inverse of `from_position`."""
    names = game.seats
    out: Position = {
        "round": state.round,
        "phase": PHASE_NAMES[state.phase],
        "step": STEP_NAMES[state.step],
        "white": [names[seat] for seat in state.track.white],
        "seats": {names[i]: _seat(game, state, record) for i, record in enumerate(state.seats)},
        "objectives": list(state.objectives),
        "routes": list(state.routes),
        "market": {
            "locomotives": list(state.locomotives),
            "carriages": list(state.carriages),
            "stations": [_with({"card": p.card}, taken=_letter(game, p.taken)) for p in state.stations],
            "rows": [_with({"cards": list(r.cards)}, taken=_letter(game, r.taken)) for r in state.rows],
        },
        "box": {deck.name.lower(): _boxed(game, state, deck) for deck in BOXED},
        "under": [game.card_order[Deck.DEVELOPMENTS][i] for i in bits(state.under)],
        "supply": dict(zip(TRACKS, state.supply, strict=True)),
    }
    if state.tiles:
        out["tiles"] = list(state.tiles)
    track = state.track
    if state.step in (Step.AUCTION, Step.PAY):
        out["auction"] = _with(
            {
                "discs": {names[seat]: value for seat, value in enumerate(track.value)},
                "confirmed": [n for seat, n in enumerate(names) if not track.up >> seat & 1],
            },
            last=_letter(game, track.last),
        )
        if state.step == Step.PAY:
            out["auction"]["paid"] = state.active
    elif state.step in game.turn_parts or state.step == Step.OBJECTIVE:
        out["turn"] = _turn(game, state)
    pending = {names[i]: [_pending(e) for e in s.open] for i, s in enumerate(state.stacks) if s.open}
    if pending:
        out["pending"] = pending
    trains = {names[i]: _train(game, state, t) for i, t in enumerate(state.trains) if t}
    if trains:
        out["trains"] = trains
    return out


def _with(table: Position, **more: Any) -> Position:
    """The table with those of `more` that are not None (TOML has no null)."""
    table.update({key: value for key, value in more.items() if value is not None})
    return table


def _letter(game: RailwayBoom, seat: int) -> str | None:
    return game.seats[seat] if seat >= 0 else None


def _some(five: Sequence[int]) -> dict[str, int]:
    return {name: count for name, count in zip(TRACKS, five, strict=True) if count}


def _seat(game: RailwayBoom, state: State, record: Seat) -> Position:
    grid = game.grid
    cubes = {
        state.objectives[index]: space + 1
        for index, space in enumerate(record.cubes)
        if space >= 0 and index < len(state.objectives)
    }
    return {
        **dict(zip(STOCK, record.stock, strict=True)),
        "vp": record.vp,
        "levels": dict(zip(TRACKS, record.levels, strict=True)),
        "rails": grid.names(record.rails),
        "stations": grid.names(record.stations),
        "rails_left": record.rails_left,
        "stations_left": record.stations_left,
        "tiles": _some(record.tiles),
        "locomotives": [_card(card) for card in record.locos],
        "carriages": [_card(card) for card in record.carriages],
        "developments": [_dev(card) for card in record.devs],
        "routes": [name for i, name in enumerate(state.routes) if record.routes >> i & 1],
        "cubes": cubes,
        "done": record.done,
    }


def _card(card: TrainCard) -> Position:
    out: Position = {"id": card.id}
    if any(card.tiles):
        out["tiles"] = _some(card.tiles)
    if card.operated:
        out["operated"] = True
    if card.free:
        out["free"] = True
    return out


def _dev(card: DevCard) -> Position:
    out: Position = {"id": card.id}
    if card.down:
        out["down"] = True
    if card.turned:
        out["turned"] = True
    return out


def _turn(game: RailwayBoom, state: State) -> Position:
    turn = state.turn
    out: Position = {"seat": game.seats[game.acting_seat(state)]}
    if state.step == Step.TRAIN:
        out |= {"locomotive": turn.loco, "bought": turn.bought}
    elif state.step == Step.EXPANSION and turn.station:
        out["station"] = game.grid.names(turn.station)[0]
        if turn.power >= 0:
            out["power"] = turn.power
    elif state.step == Step.DEVELOPMENT and turn.row >= 0:
        out |= {"row": turn.row + 1, "free_card": turn.free_taken}
    return out


def _pending(entry: Any) -> Position:
    out: Position = msgspec.to_builtins(entry)
    if "track" in out:
        out["track"] = TRACKS[out["track"]]
    return out


def _train(game: RailwayBoom, state: State, train: Train) -> Position:
    return {
        "cards": list(train.cards),
        "next": train.next,
        "firm": train.firm,
        "before": _seat(game, state, train.before),
    }


def _elsewhere(state: State, deck: Deck) -> list[str]:
    """Cards of a deck's kind that lie on the table or belong to somebody."""
    if deck is Deck.LOCOMOTIVES:
        return [*state.locomotives, *(card.id for s in state.seats for card in s.locos)]
    if deck is Deck.CARRIAGES:
        return [*state.carriages, *(card.id for s in state.seats for card in s.carriages)]
    if deck is Deck.STATIONS:
        return [place.card for place in state.stations]
    drawn = [e.cards for stack in state.stacks for e in stack.open if isinstance(e, AskBuy)]
    return [
        *(name for row in state.rows for name in row.cards),
        *(card.id for s in state.seats for card in s.devs),
        *(name for cards in drawn for name in cards),
    ]


def _boxed(game: RailwayBoom, state: State, deck: Deck) -> list[str]:
    """Cards that left the game."""
    here = set(_elsewhere(state, deck))
    return [
        name
        for index, name in enumerate(game.card_order[deck])
        if not state.decks[deck] >> index & 1 and name not in here
    ]


# Reading -----------------------------------------------------------------------------------------


def _at(path: str, key: str) -> str:
    """The path of a key in the table at a path, which is empty for the position itself."""
    return f"{path}.{key}" if path else key


class _Reader:
    """Takes a position apart and collects every fault."""

    def __init__(self, game: RailwayBoom) -> None:
        self.game = game
        self.faults: list[str] = []

    def table(self, value: Any, path: str, known: Sequence[str]) -> Mapping[str, Any]:
        if not isinstance(value, Mapping):
            self.faults.append(f"{path}: a table is expected")
            return {}
        for key in value:
            if key not in known:
                self.faults.append(f"{_at(path, key)}: unknown key; known are {', '.join(known)}")
        return value

    def number(self, table: Mapping[str, Any], key: str, path: str, default: int, top: int = 10**6) -> int:
        value = table.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= top:
            self.faults.append(f"{_at(path, key)}: a number from 0 to {top} is expected, not {value!r}")
            return default
        return value

    def flag(self, table: Mapping[str, Any], key: str, path: str) -> bool:
        value = table.get(key, False)
        if not isinstance(value, bool):
            self.faults.append(f"{_at(path, key)}: true or false is expected")
            return False
        return value

    def names(self, value: Any, path: str, known: Any) -> list[str]:
        out = []
        for name in self.items(value, path):
            if isinstance(name, str) and name in known:
                out.append(name)
            else:
                self.faults.append(f"{path}: there is no {name!r}")
        return out

    def items(self, value: Any, path: str) -> Sequence[Any]:
        if not isinstance(value, (list, tuple)):
            self.faults.append(f"{path}: a list is expected")
            return ()
        return value

    def name(self, value: Any, path: str, known: Any) -> str | None:
        if value is not None and not (isinstance(value, str) and value in known):
            self.faults.append(f"{path}: there is no {value!r}")
            return None
        return value

    def seat(self, value: Any, path: str) -> int:
        name = self.name(value, path, self.game.index)
        return -1 if name is None else self.game.index[name]

    def supply(self, value: Any, seats: Sequence[Seat]) -> Five:
        """Tiles left of each kind; what is not said is what nobody owns."""
        table = self.table(value or {}, "supply", TRACKS)
        a, b, c, d, e = (
            self.number(table, name, "supply", max(0, TILES_OF_A_KIND - _owned(seats, kind)))
            for kind, name in enumerate(TRACKS)
        )
        return a, b, c, d, e

    def five(self, value: Any, path: str, default: int = 0) -> Five:
        table = self.table(value, path, TRACKS)
        a, b, c, d, e = (self.number(table, name, path, default) for name in TRACKS)
        return a, b, c, d, e


def _owned(seats: Sequence[Seat], kind: int) -> int:
    """Resource Tiles of a kind that the players have, loose and on cards."""
    return sum(owned_tiles(record, kind) for record in seats)


def from_position(game: RailwayBoom, position: Mapping[str, Any]) -> State:
    """The state of a position; PositionFaults lists everything wrong with it, unknown keys included."""
    read = _Reader(game)
    top = read.table(position, "", _TOP)
    phase, step, order = _read_moment(read, top)
    objectives = tuple(read.names(top.get("objectives", []), "objectives", game.objectives))
    routes = tuple(read.names(top.get("routes", []), "routes", game.route_cards))
    seats_table = read.table(top.get("seats", {}), "seats", game.seats)
    seats = tuple(
        _read_seat(read, seats_table.get(name, {}), f"seats.{name}", index, objectives, routes)
        for index, name in enumerate(game.seats)
    )
    market = read.table(top.get("market", {}), "market", ("locomotives", "carriages", "stations", "rows"))
    revealed = read.items(market.get("stations", ()), "market.stations")
    stations = tuple(_read_indicator(read, entry) for entry in revealed)
    rows = tuple(_read_row(read, entry) for entry in read.items(market.get("rows", ()), "market.rows"))
    track, active = _read_auction(read, top.get("auction"), order, step)
    pending = read.table(top.get("pending", {}), "pending", game.seats)
    stacks = tuple(_read_stack(read, pending.get(name, []), f"pending.{name}") for name in game.seats)
    trains_table = read.table(top.get("trains", {}), "trains", game.seats)
    trains = tuple(
        _read_train(read, trains_table.get(name), f"trains.{name}", index, objectives, routes)
        for index, name in enumerate(game.seats)
    )
    known_tiles = {t.id for t in game.content.city_tiles} | {t.id for t in game.content.tourist_tiles}
    state = State(
        seats=seats,
        round=read.number(top, "round", "", 0, 4),
        phase=phase,
        step=step,
        track=track,
        active=active,
        turn=Turn(),
        stacks=stacks,
        trains=trains,
        locomotives=tuple(read.names(market.get("locomotives", []), "market.locomotives", game.locomotives)),
        carriages=tuple(read.names(market.get("carriages", []), "market.carriages", game.carriages)),
        stations=stations,
        rows=rows,
        objectives=objectives,
        routes=routes,
        decks=(0,) * len(Deck),
        under=0,
        supply=read.supply(top.get("supply"), seats),
        tiles=tuple(read.names(top.get("tiles", []), "tiles", known_tiles)),
    )
    if not any(stack.open for stack in stacks):
        state = msgspec.structs.replace(state, stacks=())
    state = _read_turn(read, state, top.get("turn"))
    state = _read_decks(read, state, top)
    found = read.faults + (faults(game, state) if not read.faults else [])
    if found:
        raise PositionFaults(found)
    return state


def _read_moment(read: _Reader, top: Mapping[str, Any]) -> tuple[int, int, tuple[int, ...]]:
    """Phase, step and the order on white; a fresh game's when one is wrong, so that reading goes on."""
    game = read.game
    faults = len(read.faults)
    name, step_name = top.get("phase", "setup"), top.get("step", "setup")
    phase = PHASES.get(name, -1) if isinstance(name, str) else -1
    by_phase = STEPS.get(step_name, {}) if isinstance(step_name, str) else {}
    if phase not in by_phase:
        read.faults.append(f"phase {name!r} has no step {step_name!r}")
    said = top.get("white", list(game.seats))
    white = read.names(said, "white", game.index)
    if isinstance(said, (list, tuple)) and sorted(white) != list(game.seats):
        read.faults.append(f"white: each of {', '.join(game.seats)} once is expected, not {list(said)}")
    if len(read.faults) > faults:
        return Phase.SETUP, Step.SETUP, tuple(range(len(game.seats)))
    return phase, by_phase[phase], tuple(game.index[seat] for seat in white)


_TOP = (
    "round",
    "phase",
    "step",
    "white",
    "seats",
    "objectives",
    "routes",
    "market",
    "box",
    "under",
    "supply",
    "tiles",
    "auction",
    "turn",
    "pending",
    "trains",
)
_SEAT = (
    *STOCK,
    "vp",
    "levels",
    "rails",
    "stations",
    "rails_left",
    "stations_left",
    "tiles",
    "locomotives",
    "carriages",
    "developments",
    "routes",
    "cubes",
    "done",
)


def _read_seat(
    read: _Reader, value: Any, path: str, index: int, objectives: tuple[str, ...], routes: tuple[str, ...]
) -> Seat:
    game = read.game
    table = read.table(value, path, _SEAT)
    a, b, c, d = (read.number(table, name, path, START_STOCK) for name in STOCK)
    done_routes = read.names(table.get("routes", []), f"{path}.routes", routes)
    cubes = [-1] * 4
    cube_table = read.table(table.get("cubes", {}), f"{path}.cubes", objectives)
    for name in cube_table:
        if name in objectives:
            spaces = len(game.objectives[name].spaces)
            cubes[objectives.index(name)] = read.number(cube_table, name, f"{path}.cubes", 1, spaces) - 1
    start = [{"id": game.content.start_locomotives[index].id}]
    rails = game.grid.mask(read.names(table.get("rails", []), f"{path}.rails", game.grid.bit))
    stations = game.grid.mask(read.names(table.get("stations", []), f"{path}.stations", game.grid.bit))
    rails_left = max(0, RAILS - rails.bit_count())
    stations_left = max(0, STATIONS - stations.bit_count())
    return Seat(
        stock=(a, b, c, d),
        vp=read.number(table, "vp", path, 0),
        levels=read.five(table.get("levels", {}), f"{path}.levels", 1),
        rails=rails,
        stations=stations,
        rails_left=read.number(table, "rails_left", path, rails_left, RAILS),
        stations_left=read.number(table, "stations_left", path, stations_left, STATIONS),
        tiles=read.five(table.get("tiles", {}), f"{path}.tiles"),
        locos=_read_cards(read, table.get("locomotives", start), f"{path}.locomotives", game.locomotives),
        carriages=_read_cards(read, table.get("carriages", []), f"{path}.carriages", game.carriages),
        devs=_read_devs(read, table.get("developments", []), f"{path}.developments"),
        routes=sum(1 << routes.index(name) for name in set(done_routes)),
        cubes=(cubes[0], cubes[1], cubes[2], cubes[3]),
        done=read.flag(table, "done", path),
    )


def _read_cards(read: _Reader, value: Any, path: str, known: Any) -> tuple[TrainCard, ...]:
    out = []
    for entry in read.items(value, path):
        table = {"id": entry} if isinstance(entry, str) else entry
        table = read.table(table, path, ("id", "tiles", "operated", "free"))
        name = read.name(table.get("id"), path, known)
        if name is None:
            continue
        tiles = read.five(table["tiles"], f"{path}.tiles") if "tiles" in table else NO_TILES
        card = TrainCard(name, tiles, read.flag(table, "operated", path), read.flag(table, "free", path))
        out.append(card)
    return tuple(out)


def _read_devs(read: _Reader, value: Any, path: str) -> tuple[DevCard, ...]:
    out = []
    for entry in read.items(value, path):
        table = {"id": entry} if isinstance(entry, str) else entry
        table = read.table(table, path, ("id", "down", "turned"))
        name = read.name(table.get("id"), path, read.game.developments)
        if name is not None:
            out.append(DevCard(name, read.flag(table, "down", path), read.flag(table, "turned", path)))
    return tuple(out)


def _read_indicator(read: _Reader, value: Any) -> Indicator:
    table = {"card": value} if isinstance(value, str) else value
    table = read.table(table, "market.stations", ("card", "taken"))
    card = read.name(table.get("card"), "market.stations", read.game.station_hex)
    return Indicator(card or "", read.seat(table.get("taken"), "market.stations.taken"))


def _read_row(read: _Reader, value: Any) -> Row:
    table = {"cards": value} if isinstance(value, (list, tuple)) else value
    table = read.table(table, "market.rows", ("cards", "taken"))
    costs = read.game.developments
    cards = read.names(table.get("cards", []), "market.rows", costs)
    cards.sort(key=lambda name: costs[name].cost)
    return Row(tuple(cards), read.seat(table.get("taken"), "market.rows.taken"))


def _read_auction(read: _Reader, value: Any, white: tuple[int, ...], step: int) -> tuple[Track, int]:
    table = read.table(value or {}, "auction", ("discs", "confirmed", "last", "paid"))
    game = read.game
    discs = read.table(table.get("discs", {}), "auction.discs", game.seats)
    value_of = tuple(read.number(discs, name, "auction.discs", 0, 20) for name in game.seats)
    confirmed = read.names(table.get("confirmed", []), "auction.confirmed", game.index)
    up = 0 if step == Step.PAY else (1 << len(white)) - 1
    for name in confirmed:
        up &= ~(1 << game.index[name])
    bids = [n for n in value_of if n]
    if len(set(bids)) != len(bids):
        read.faults.append("auction.discs: two discs on one space")
    last = read.seat(table.get("last"), "auction.last")
    paid = read.number(table, "paid", "auction", 0, len(white) - 1)
    track = auction.standing(white, value_of, up, last, game.next_rule)
    return track, paid if step == Step.PAY else 0


def _read_turn(read: _Reader, state: State, value: Any) -> State:
    game = read.game
    known = ("seat", "locomotive", "bought", "station", "power", "row", "free_card")
    table = read.table(value or {}, "turn", known)
    seat = read.seat(table.get("seat"), "turn.seat")
    turn_step = state.step in game.turn_parts or state.step == Step.OBJECTIVE
    active = state.active
    if turn_step and seat >= 0:
        active = len(state.seats) - 1 - state.track.white.index(seat)
    station = 0
    line = 0
    name = read.name(table.get("station"), "turn.station", game.grid.bit)
    if name is not None and turn_step:
        station = game.grid.bit[name]
        record = state.seats[state.track.white[-1 - active]]
        own = record.rails | record.stations
        if station & record.stations:
            line = game.grid.component(station, own)
        else:
            read.faults.append(f"turn.station: the acting seat has no station on {name}")
    turn = Turn(
        loco=read.flag(table, "locomotive", "turn"),
        bought=read.number(table, "bought", "turn", 0, 99),
        station=station,
        line=line,
        power=read.number(table, "power", "turn", 0) if "power" in table else -1,
        row=read.number(table, "row", "turn", 0, len(state.rows)) - 1,
        free_taken=read.flag(table, "free_card", "turn"),
    )
    return msgspec.structs.replace(state, active=active, turn=turn)


def _read_stack(read: _Reader, value: Any, path: str) -> Stack[Any]:
    entries = []
    for entry in read.items(value, path):
        form = dict(entry) if isinstance(entry, Mapping) else {}
        if form.get("track") in TRACKS:
            form["track"] = TRACK_INDEX[form["track"]]
        try:
            made = msgspec.convert(form, PENDING)
        except msgspec.ValidationError as fault:
            read.faults.append(f"{path}: {fault}")
            continue
        unknown = set(form) - set(made.__struct_fields__) - {"ask"}
        if unknown:
            read.faults.append(f"{path}: unknown key {', '.join(sorted(unknown))}")
        entries.append(made)
    return Stack(tuple(entries))


def _read_train(
    read: _Reader, value: Any, path: str, index: int, objectives: tuple[str, ...], routes: tuple[str, ...]
) -> Train | None:
    if value is None:
        return None
    table = read.table(value, path, ("cards", "next", "firm", "before"))
    known = {**read.game.locomotives, **read.game.carriages}
    cards = tuple(read.names(table.get("cards", []), f"{path}.cards", known))
    if not cards:
        read.faults.append(f"{path}.cards: a train has a locomotive")
        return None
    before = _read_seat(read, table.get("before", {}), f"{path}.before", index, objectives, routes)
    next_card = read.number(table, "next", path, 0, len(cards))
    return Train(cards, next_card, before, read.flag(table, "firm", path))


def _read_decks(read: _Reader, state: State, top: Mapping[str, Any]) -> State:
    """Decks: all cards that lie nowhere else."""
    game = read.game
    box = read.table(top.get("box", {}), "box", [deck.name.lower() for deck in BOXED])
    decks = [0] * len(Deck)
    decks[Deck.OBJECTIVES] = 0 if state.objectives else (1 << len(game.objectives)) - 1
    decks[Deck.ROUTES] = 0 if state.routes else (1 << len(game.route_cards)) - 1
    for deck in BOXED:
        key = deck.name.lower()
        gone = read.names(box.get(key, []), f"box.{key}", game.card_bit[deck])
        away = {*gone, *_elsewhere(state, deck)}
        order = game.card_order[deck]
        decks[deck] = sum(1 << index for index, name in enumerate(order) if name not in away)
    under = 0
    bit = game.card_bit[Deck.DEVELOPMENTS]
    for name in read.names(top.get("under", []), "under", bit):
        under |= bit[name]
    if under & ~decks[Deck.DEVELOPMENTS]:
        read.faults.append("under: a card that is not in the deck")
    return msgspec.structs.replace(state, decks=tuple(decks), under=under)


# Structure ---------------------------------------------------------------------------------------


def faults(game: RailwayBoom, state: State) -> list[str]:
    """What no table can look like (never to be overruled); empty when the state is sound."""
    out: list[str] = []
    for index, record in enumerate(state.seats):
        name = game.seats[index]
        if record.rails & record.stations:
            both = ", ".join(game.grid.names(record.rails & record.stations))
            out.append(f"{name}: a rail and a station on {both} (RB-MAP-3)")
        if record.rails.bit_count() + record.rails_left > RAILS or record.rails_left < 0:
            out.append(f"{name}: more than {RAILS} Railway Tokens (RB-STK-1)")
        if record.stations.bit_count() + record.stations_left > STATIONS or record.stations_left < 0:
            out.append(f"{name}: more than {STATIONS} stations (RB-STK-2)")
        if record.stations & ~game.board(state).regular:
            out.append(f"{name}: a station outside a Regular City (RB-EXP-3)")
        if min(record.stock) < 0 or record.vp < 0:
            out.append(f"{name}: a resource below zero (RB-RES-1)")
        for track, level in enumerate(record.levels):
            if not 1 <= level <= game.top_level[track]:
                out.append(f"{name}: {TRACKS[track]} level {level} is off the track")
        for cards, facts in ((record.locos, game.locomotives), (record.carriages, game.carriages)):
            for card in cards:
                if sum(card.tiles) > facts[card.id].capacity:
                    out.append(f"{name}: {card.id} holds more tiles than it has room for (RB-OPS-6)")
    out += _unfinished_faults(game, state)
    if not game.unlimited_tiles:
        for kind, track_name in enumerate(TRACKS):
            if state.supply[kind] + _owned(state.seats, kind) > TILES_OF_A_KIND:
                out.append(f"more than {TILES_OF_A_KIND} {track_name} tiles (RB-STK-4)")
    starts = {card.id for card in game.content.start_locomotives}
    for deck in BOXED:
        here = [card for card in _elsewhere(state, deck) if card not in starts]
        # The table of a fixture may show a card several times; even there none of them is still in the deck.
        twice = [] if game.pack.fixture else sorted({card for card in here if here.count(card) > 1})
        twice += [c for c in here if state.decks[deck] & game.card_bit[deck].get(c, 0)]
        out += [f"{card} is in two places" for card in twice]
    return out


def _unfinished_faults(game: RailwayBoom, state: State) -> list[str]:
    """What cannot be going on: turns, payments, open questions and running trains that fit nothing."""
    out: list[str] = []
    turn = state.turn
    if state.phase == Phase.OBJECTIVE and not 1 <= state.round <= len(state.objectives):
        return [f"objectives: there is none for round {state.round} (RB-SETUP-4)"]
    if turn.station and turn.power < 0 and not any(isinstance(e, PowerTask) for e in _open(state)):
        out.append("turn.power: missing; nothing is open that the power waits for (RB-EXP-12)")
    if turn.free_taken and turn.row < 0:
        out.append("turn.row: missing, though its free card is taken (RB-DEV-3)")
    for index, train in enumerate(state.trains):
        if train is not None:
            out += _train_faults(game, state, index, train)
    for index, stack in enumerate(state.stacks):
        name = f"pending.{game.seats[index]}"
        wrong = [entry for entry in stack.open if not _fits(game, state, index, entry)]
        out += [f"{name}: {_pending(entry)} refers to nothing that is there" for entry in wrong]
    return out


def _open(state: State) -> list[Pending]:
    return [entry for stack in state.stacks for entry in stack.open]


def _train_faults(game: RailwayBoom, state: State, seat: int, train: Train) -> list[str]:
    record, name = state.seats[seat], f"trains.{game.seats[seat]}"
    if state.step != Step.OPERATION:
        return [f"{name}: trains run in the Operation phase (RB-OPS-1)"]
    loco, *carriages = train.cards
    owned = [card.id for card in record.carriages]
    out = [f"{name}: {card} is no own carriage (RB-OPS-1)" for card in carriages if card not in owned]
    if loco not in [card.id for card in record.locos]:
        out.append(f"{name}: {loco} is no own locomotive (RB-OPS-1)")
    stack = state.stacks[seat].open if state.stacks else ()
    over = any(isinstance(entry, EndTrainTask) for entry in stack)
    if over != (train.next == len(train.cards)):
        out.append(f"{name}.next: a train is over when its last card is done")
    cards = (*record.locos, *record.carriages)
    for index, card in enumerate(train.cards[train.next :], train.next):
        if all(own.operated for own in cards if own.id == card):
            out.append(f"{name}: card {index + 1}, {card}, has run already (RB-OPS-2)")
    return out


def _fits(game: RailwayBoom, state: State, seat: int, entry: Pending) -> bool:
    """Whether an open question or task refers to what exists."""
    if isinstance(entry, AskBuy):
        return all(name in game.developments for name in entry.cards)
    if isinstance(entry, AskLease):
        return entry.source in game.developments
    if isinstance(entry, AwaitDraw):
        return entry.deck in ("developments", "stations")
    if isinstance(entry, RaiseTask):
        return 0 <= entry.track < len(TRACKS) and entry.steps > 0
    if isinstance(entry, IconTask):
        return entry.kind in ("vp", "inc_choice", "gain2") and entry.times > 0
    if isinstance(entry, PowerTask):
        return bool(state.turn.station)
    train = state.trains[seat]
    if isinstance(entry, EffectTask):
        known = train is not None and entry.source in train.cards
        part = game.locomotives.get(entry.source) or game.carriages.get(entry.source)
        return known and part is not None and 0 <= entry.index < len(part.effects)
    return train is not None or not isinstance(entry, EndTrainTask)
