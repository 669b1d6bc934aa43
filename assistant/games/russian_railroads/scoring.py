"""Round scoring and the end of the game (RR-SCORE, RR-END)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from assistant.events import Points
from assistant.games.russian_railroads.pack import EndCard, Special
from assistant.games.russian_railroads.state import Player, State
from assistant.games.russian_railroads.tracks import INDEX, reach

if TYPE_CHECKING:
    from assistant.games.russian_railroads.game import RussianRailroads

FIRST, SECOND = 40, 20
"""Points for most and second most engineers (RR-END-3)."""


def railroad_points(game: RussianRailroads, player: Player, railroad: str) -> int:
    """Points of the spaces of a railroad that locomotives reach (RR-SCORE-2 to 6)."""
    end = min(reach(player, railroad), game.content.length[railroad])
    if not end:
        return 0
    row = player.tracks[railroad]
    values = game.content.raised if player.revalued else game.content.base
    doubled = player.doublers if railroad == "TS" else 0
    total = behind = 0
    for value, there in zip(values[len(row) - 1 :: -1], row[::-1], strict=True):
        # A space counts for the highest colour on it.
        if there > end:
            there = end
        if there > behind:
            total += value * (there - behind)
            if doubled > behind:
                total += value * (min(there, doubled) - behind)
            behind = there
    return total * 2 if total and doubles(game, player, railroad) else total


def doubles(game: RussianRailroads, player: Player, railroad: str) -> bool:
    """Whether every space of a railroad counts double (RR-SPEC-5)."""
    for rule in game.doubling:
        if rule.railroad == railroad and reached(player, railroad, rule.colour, rule.space):
            return True
    return False


def reached(player: Player, railroad: str, colour: str, space: int, loco: bool = True) -> bool:
    """Whether a colour, and with `loco` the locomotives, have reached a space (RR-MODEL-6)."""
    row, index = player.tracks[railroad], INDEX[colour]
    if index >= len(row) or row[index] < space:
        return False
    return not loco or reach(player, railroad) >= space


def holds(player: Player, special: Special) -> bool:
    """Whether the condition of a one-time trigger holds (section 12). None ever ends."""
    if special.railroad == "IND":
        return max(player.markers) >= special.space
    return reached(player, special.railroad, special.colour, special.space, special.loco)


def fired(game: RussianRailroads, player: Player) -> tuple[str, ...]:
    """The one-time triggers whose condition holds, in the order of the pack."""
    return tuple(special.id for special in game.content.specials if holds(player, special))


def star_points(game: RussianRailroads, player: Player) -> int:
    """Points of the stars that are reached (RR-SCORE-7)."""
    return sum(rule.points for rule in game.stars if reached(player, rule.railroad, rule.colour, rule.space))


def medal_points(game: RussianRailroads, player: Player) -> int:
    """Points of the Kiev medal (RR-SCORE-8)."""
    rule = game.content.medal
    if not player.medal:
        return 0
    if rule.space and not reached(player, "KV", rule.colour, rule.space, rule.loco):
        return 0
    return rule.points


def industry_points(game: RussianRailroads, marker: int) -> int:
    """The number on the cell of a marker, or the nearest one behind it (RR-SCORE-9)."""
    cells = game.content.industry
    while cells[marker].value < 0:
        marker -= 1
    return cells[marker].value


def round_points(game: RussianRailroads, seat: str, player: Player) -> Iterator[Points]:
    """What a player scores at the end of a round, by source."""
    for railroad in player.tracks:
        if points := railroad_points(game, player, railroad):
            yield Points(seat, points, "railroad", railroad, "RR-SCORE-2")
    if points := star_points(game, player):
        yield Points(seat, points, "stars", "KV", "RR-SCORE-7")
    if points := medal_points(game, player):
        yield Points(seat, points, "medal", "KV", "RR-SCORE-8")
    for marker in player.markers:
        if points := industry_points(game, marker):
            yield Points(seat, points, "industry", "", "RR-SCORE-9")


def card_points(game: RussianRailroads, player: Player, card: EndCard) -> int:
    """What an end bonus card scores on the final board (RR-END-2)."""
    if card.kind == "track_spaces":
        colours = [INDEX[colour] for colour in card.colours]
        rows = player.tracks.values()
        return card.points * sum(row[colour] for row in rows for colour in colours if colour < len(row))
    if card.kind == "top_locos":
        return sum(sorted(player.locos, reverse=True)[: card.n])
    if card.kind == "extra_engineer":
        return 0
    count = counted(game, player, card.what)
    if card.kind == "tiers":
        return max((points for least, points in card.tiers if count >= least), default=0)
    return card.points * (min(count, card.most) if card.most else count)


def counted(game: RussianRailroads, player: Player, what: str) -> int:
    """How many of a countable thing a player has."""
    if what == "factory":
        return sum(1 for factory in player.factories if factory)
    if what == "engineer":
        return len(player.engineers)
    if what == "end_station":
        return sum(player.tracks[name][0] >= length for name, length in game.content.length.items())
    if what == "doubler":
        return player.doublers
    if what == "q_token":
        return len(game.content.tokens) - len(player.tokens)
    # Workers that came in from the reserve, and the black one.
    return game.setup.reserve - player.reserve + player.black


def majority(game: RussianRailroads, state: State, kept: Mapping[str, Sequence[str]]) -> Iterator[Points]:
    """Most and second most engineers (RR-END-3 to 5, A-49)."""
    extra = {card.id for card in game.content.end_bonus if card.kind == "extra_engineer"}
    rank = {}
    for seat, player in state.players.items():
        count = len(player.engineers) + sum(card in extra for card in kept[seat])
        if count:
            rank[seat] = (count, max(player.engineers, default=0))
    best = sorted(rank, key=lambda seat: rank[seat], reverse=True)
    for seat, points in zip(best, (FIRST, SECOND), strict=False):
        yield Points(seat, points, "engineers", "", "RR-END-3")


def final_points(game: RussianRailroads, state: State) -> Iterator[Points]:
    """What is scored once the game is over, the kept cards being laid open."""
    kept = {seat: state.bonus[seat].names for seat in game.seats}
    cards = {card.id: card for card in game.content.end_bonus}
    for seat, names in kept.items():
        for name in names:
            player = state.players[seat]
            points = card_points(game, player, cards[name])
            # The card that counts as an engineer counts for a card that counts engineers too (EB-2).
            if cards[name].kind == "per" and cards[name].what == "engineer":
                extra = sum(cards[other].kind == "extra_engineer" for other in names)
                points += cards[name].points * extra
            if points:
                yield Points(seat, points, "end_bonus", name, "RR-END-2")
    yield from majority(game, state, kept)
