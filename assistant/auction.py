"""The ascending track auction, free of any game.

Discs stand on a track of spaces 1..limit or on ordered white spaces worth 0. The bidder raises the own
disc to a free higher space or turns it face down, which is final. Seats are small ints 0..n-1; which
rule a fault breaks, what a bid costs and who can afford it is the game's business.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Next = Literal["rearmost", "cyclic"]
"""Who bids next: the rear-most face-up disc, or round the starting order skipping confirmed seats."""
Fault = Literal["not_next", "confirmed", "off_track", "not_higher", "taken"]


class Track(msgspec.Struct, frozen=True, gc=False):
    """An auction's discs.

    `white` is the order of the seats from left to right when the auction began (it breaks ties among
    discs on white spaces), `value` the space of each seat's disc, `up` the bit set of face-up discs,
    `last` the seat that moved last (-1 before the first move; only "cyclic" looks at it), `next` the
    seat that acts now (-1 when every disc is face down). Made by the functions below, which keep `next`.
    """

    white: tuple[int, ...]
    value: tuple[int, ...]
    up: int
    last: int
    next: int


def opened(white: tuple[int, ...]) -> Track:
    """A fresh auction: every disc face up on white, in the given left-to-right order."""
    return Track(white, (0,) * len(white), (1 << len(white)) - 1, -1, white[0])


def standing(white: tuple[int, ...], value: tuple[int, ...], up: int, last: int, rule: Next) -> Track:
    """An auction in the middle, with the seat that acts next."""
    following = -1
    if up and rule == "cyclic" and last >= 0:
        start = white.index(last) + 1
        following = next(seat for seat in white[start:] + white[:start] if up >> seat & 1)
    elif up:
        lowest = 1 << 30
        for seat in white:
            if value[seat] < lowest and up >> seat & 1:
                following, lowest = seat, value[seat]
    return Track(white, value, up, last, following)


def fault(track: Track, seat: int, space: int, limit: int) -> Fault | None:
    """Why `seat` may not raise to `space`, the first reason in the order of RB-AUC-7, or None."""
    if track.next != seat:
        return "not_next"
    if not track.up >> seat & 1:
        return "confirmed"
    if not 1 <= space <= limit:
        return "off_track"
    if space <= track.value[seat]:
        return "not_higher"
    if space in track.value:
        return "taken"
    return None


def bid(track: Track, seat: int, space: int, rule: Next) -> Track:
    """The disc of `seat` moved to `space`."""
    value = list(track.value)
    value[seat] = space
    return standing(track.white, tuple(value), track.up, seat, rule)


def confirm(track: Track, seat: int, rule: Next) -> Track:
    """The disc of `seat` turned face down."""
    return standing(track.white, track.value, track.up & ~(1 << seat), seat, rule)


def ranks(track: Track) -> tuple[int, ...]:
    """Seats from right to left: highest value first, among white spaces the more right-hand one."""
    # Sorting is stable: seats on white keep their order, and turned round the right-hand one comes first.
    return tuple(sorted(track.white, key=track.value.__getitem__)[::-1])
