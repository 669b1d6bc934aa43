"""What a lot brings: ranks, payments and where the discs begin the next one (AU-RANK, AU-PAY, AU-LOT-4).

Seats are small ints here, as in `assistant.auction`.
"""

from __future__ import annotations

from assistant import auction
from assistant.auction import Track


def shares(pays: str, chart: tuple[str, ...]) -> tuple[str, ...]:
    """Which part of what each rank pays, first to last: "all", "half" or "nothing" of its own bid, or
    "second", the next bid below. `pays` is the switch, `chart` the pack's for this number of players."""
    others = len(chart) - 1
    return {
        "winner_all": ("all", *("nothing",) * others),
        "all_pay": ("all",) * len(chart),
        "by_rank": chart,
        "second_price": ("second", *("nothing",) * others),
    }[pays]


def ranks(track: Track, ties: str) -> tuple[int, ...]:
    """Seats, the highest bid first; `ties` tells which disc on white is first, "rightmost" or "leftmost"."""
    if ties == "rightmost":
        return auction.ranks(track)
    return tuple(sorted(track.white, key=lambda seat: -track.value[seat]))


def dues(track: Track, order: tuple[int, ...], shared: tuple[str, ...]) -> tuple[int, ...]:
    """What each rank would pay if the lot ended as it stands, first to last."""
    bids = [track.value[seat] for seat in order]
    parts = {"all": bids, "half": [(bid + 1) // 2 for bid in bids], "second": [*bids[1:], 0]}
    return tuple([parts[share][rank] if share in parts else 0 for rank, share in enumerate(shared)])


def winner(track: Track, order: tuple[int, ...], no_bids: str) -> int:
    """Who gets the lot: the first rank, or -1 where nobody has bid and such lots stay unsold."""
    return order[0] if track.value[order[0]] or no_bids == "first" else -1


def next_white(track: Track, won: int, opens: str) -> tuple[int, ...]:
    """The order on white, left to right, in which the next lot begins; the leftmost opens it."""
    if opens == "rotate":
        return track.white[1:] + track.white[:1]
    if opens == "slide":
        return tuple(sorted(track.white, key=track.value.__getitem__))
    if won < 0:
        return track.white
    rest = [seat for seat in track.white if seat != won]
    return (won, *rest) if opens == "winner_first" else (*rest, won)
