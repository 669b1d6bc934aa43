"""What the screen shows of Russian Railroads: strips, tracks with what they score now,
industry, action spaces.

Everything lies open but the end bonus cards, which the record does not know by name either: all viewers see
the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assistant.display import Cards, Cell, Counter, Display, Gauge, Place, Progress, Row, Strip, Turn
from assistant.events import Told
from assistant.games.russian_railroads.layout import engineer_id
from assistant.games.russian_railroads.ops import COLOURS, Op
from assistant.games.russian_railroads.pack import RAILROADS, Engineer
from assistant.games.russian_railroads.scoring import (
    doubles,
    industry_points,
    railroad_points,
    round_points,
    star_points,
)
from assistant.games.russian_railroads.spaces import HIRE, Cost
from assistant.games.russian_railroads.state import HoldLoco, Offer, Player, State
from assistant.games.russian_railroads.tracks import gap_number, reach
from assistant.games.russian_railroads.wording import amounts
from assistant.layout import CardFace

if TYPE_CHECKING:
    from assistant.games.russian_railroads.game import RussianRailroads

PHASES = ("actions", "moves")
MARKS = ("I", "II")
INDUSTRY = "industry"


class Screen:
    """Makes displays for one game."""

    def __init__(self, game: RussianRailroads) -> None:
        self.game = game
        printed = {card.payload: card for card in game.printed.cards}
        self.faces: dict[str, CardFace] = {
            piece.name: printed[piece.payload] for piece in game.printed.pieces if piece.payload in printed
        }
        """By the name of an engineer, what is printed on its card."""

    def display(self, state: State) -> Display:
        """What the screen shows of a state."""
        return Display(
            tuple(self.strip(state, seat) for seat in state.order),
            self._progress(state),
            self.game.tokens(state),
            counter=self._counter(state),
            cards=tuple(self._cards(state)),
            rows=tuple(row for seat in state.order for row in self.rows(state.players[seat], seat)),
            places=tuple(self._places(state)) if state.turn else (),
            turn=self._turn(state),
        )

    # Seats ------------------------------------------------------------------------------------------

    def strip(self, state: State, seat: str) -> Strip:
        """One seat's numbers: what it can pay with, doublers, engineers."""
        player = state.players[seat]
        free = player.free + player.black_free + player.temps
        return Strip(
            seat,
            player.score,
            (
                Gauge("workers", free),
                Gauge("roubles", player.roubles),
                Gauge("doublers", player.doublers),
                Gauge("engineers", len(player.engineers)),
            ),
            self._status(state, seat),
        )

    def _status(self, state: State, seat: str) -> str:
        return "passed" if state.players[seat].passed else ""

    def _progress(self, state: State) -> Progress:
        phase = PHASES.index(state.phase) if state.phase in PHASES else -1
        return Progress("round", state.round, self.game.setup.rounds, PHASES, MARKS, phase)

    def _counter(self, state: State) -> Counter | None:
        """Rounds that are left, this one included: the engineers' strip shows it as well (RR-ENG-8)."""
        rounds = self.game.setup.rounds
        return Counter("rounds", rounds - state.round + 1, rounds) if state.round else None

    def _turn(self, state: State) -> Turn | None:
        """What is still to be done of the action that is being resolved, the next thing first."""
        if state.stack.idle:
            return None
        holds: list[Told] = []
        if state.stack.top is not None:
            *below, op = (task.op for task in state.stack.open)
            if isinstance(op, HoldLoco):
                holds.append(Told("in_hand", values={"number": op.number}))
            elif isinstance(op, Offer):
                holds.append(Told("offered", values={"what": amounts(op.ops)}))
            elif isinstance(op, Op):
                holds.append(Told("left", values={"what": amounts((op,))}))
            if rest := amounts([op for op in reversed(below) if isinstance(op, Op)]):
                holds.append(Told("then", values={"what": rest}))
        return Turn(state.turn, holds=tuple(holds))

    # Tracks -----------------------------------------------------------------------------------------

    def rows(self, player: Player, seat: str) -> Iterator[Row]:
        """The railroads of a player and the industry track."""
        for railroad in RAILROADS:
            yield self._railroad(player, seat, railroad)
        yield self._industry(player, seat)

    def _railroad(self, player: Player, seat: str, railroad: str) -> Row:
        game, content = self.game, self.game.content
        row, far = player.tracks[railroad], reach(player, railroad)
        values = content.raised if player.revalued else content.base
        twice = 2 if doubles(game, player, railroad) else 1
        cells = []
        for space in range(1, content.length[railroad] + 1):
            colour = max((c for c, there in enumerate(row) if there >= space), default=-1)
            above, sign, due = self._above(player, railroad, space)
            value = None
            if colour >= 0 and space <= far:
                factor = twice * (2 if railroad == "TS" and space <= player.doublers else 1)
                value = values[colour] * factor
            tint = COLOURS[colour] if colour >= 0 else ""
            cells.append(Cell(str(space), tint, value, space in row, above=above, sign=sign, due=due))
        total = railroad_points(game, player, railroad)
        if railroad == "KV":
            total += star_points(game, player)
        locos = player.locos[:2] if railroad == "TS" else player.locos[RAILROADS.index(railroad) + 1 :][:1]
        holds = tuple(Gauge("locomotive", number) for number in locos if number)
        return Row(railroad, seat, tuple(cells), min(far, len(cells)), holds, total)

    def _above(self, player: Player, railroad: str, space: int) -> tuple[str, str, bool]:
        """What is printed over a space of a railroad: words, sign, and whether it holds now."""
        if railroad == "TS" and space <= player.doublers:
            return "×2", "", True
        for lasting in self.game.content.lasting:
            if (lasting.railroad, lasting.space) == (railroad, space):
                row, index = player.tracks[railroad], COLOURS.index(lasting.colour)
                holds = index < len(row) and row[index] >= space and reach(player, railroad) >= space
                star = lasting.kind == "star"
                return (str(lasting.points), "star", holds) if star else ("×2", "", holds)
        for special in self.game.content.specials:
            if (special.railroad, special.space) == (railroad, space):
                words, sign = {
                    "unlock": (f"over.{special.unlock}", ""),
                    "points": (f"+{special.points}", ""),
                    "worker": ("+1", "workers"),
                    "token": ("", "question"),
                }[special.effect]
                return words, sign, special.id in player.fired
        return "", "", False

    def _industry(self, player: Player, seat: str) -> Row:
        content = self.game.content
        cells = []
        for index, cell in enumerate(content.industry):
            here = (seat,) * player.markers.count(index)
            if cell.gap:
                number = player.factories[gap_number(content, index)]
                cells.append(Cell(f"#{number}" if number else "", seats=here, gap=not number, tint="gap"))
            else:
                cells.append(Cell(str(cell.value) if cell.value >= 0 else "?", seats=here))
        total = sum(industry_points(self.game, marker) for marker in player.markers)
        return Row(INDUSTRY, seat, tuple(cells), total=total)

    def scoring(self, state: State, seat: str) -> int:
        """What a scoring now would bring a seat."""
        return sum(points.amount for points in round_points(self.game, seat, state.players[seat]))

    # The board --------------------------------------------------------------------------------------

    def _places(self, state: State) -> Iterator[Place]:
        """Spaces that the seat that acts could think of, what they cost and whether they are free for it;
        then the engineers that wait, the next one first."""
        spaces, seat = self.game.spaces, state.turn
        for name in spaces.names(state, seat):
            printed = spaces.all.get(name)
            cost = spaces.cost(state, name)
            if cost is None:
                continue
            owner = next((placed.seat for placed in state.placed if placed.space == name), "")
            gauges = _cost(cost)
            taken = spaces.occupied(state, name)
            closed = next(spaces.closed(state, seat, name), None) is not None
            number = state.strip[-1] if name == HIRE else spaces.engineer(state, name)
            yield Place(
                name,
                self.game.name_of(name) if printed is not None else "own_engineer",
                printed.area if printed is not None else "own",
                gauges,
                "taken" if taken else "closed" if closed else "free",
                owner if taken else "",
                self.game.name_of(engineer_id(number)) if number else "",
            )
        public = self.game.setup.public
        for place, number in enumerate(reversed(state.strip[: -1 - public]), 1):
            if number:
                tile = self.game.engineers[number]
                yield Place(
                    f"to_come:{place}",
                    "to_come",
                    "strip",
                    _cost(tile),
                    "closed",
                    detail=self.game.name_of(engineer_id(number)),
                )

    def _cards(self, state: State) -> Iterator[Cards]:
        """Engineers on the strip and with players, ?-cards that are left."""
        waiting = tuple(engineer_id(number) for number in state.strip if number)
        if waiting:
            yield self._group("engineers", None, waiting, frozenset())
        used = {placed.space for placed in state.placed}
        for seat in state.order:
            own = tuple(engineer_id(number) for number in state.players[seat].engineers)
            if own:
                yield self._group("engineers", seat, own, frozenset(used.intersection(own)))

        if state.q_cards:
            faces = tuple(CardFace("", self.game.q_cards[card].name) for card in state.q_cards)
            yield Cards("q_cards", None, faces, state.q_cards)

    def _group(self, words: str, seat: str | None, names: tuple[str, ...], spent: frozenset[str]) -> Cards:
        return Cards(words, seat, tuple(self.faces[name] for name in names), names, spent)


def _cost(cost: Cost | Engineer) -> tuple[Gauge, ...]:
    """What a space or an engineer costs."""
    return tuple(Gauge(what, n) for what, n in (("workers", cost.workers), ("roubles", cost.roubles)) if n)
