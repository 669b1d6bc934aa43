"""The track auction against one told with discs in a list."""

from __future__ import annotations

import random

import pytest

from assistant.auction import Next, Track, bid, confirm, fault, opened, ranks, standing

LIMIT = 6


class Discs:
    """The oracle: discs as [seat, space, face up], from left to right on white when it began."""

    def __init__(self, white: tuple[int, ...], rule: Next) -> None:
        self.discs = [[seat, 0, True] for seat in white]
        self.rule = rule
        self.last: int | None = None

    def next(self) -> int:
        still = [disc for disc in self.discs if disc[2]]
        if not still:
            return -1
        if self.rule == "cyclic" and self.last is not None:
            order = [disc[0] for disc in self.discs]
            start = order.index(self.last)
            turning = order[start + 1 :] + order[: start + 1]
            return next(seat for seat in turning if self.disc(seat)[2])
        # Furthest left: numbered spaces lie right of all white ones, white ones keep their order.
        return int(min(still, key=lambda disc: (disc[1], self.discs.index(disc)))[0])

    def disc(self, seat: int) -> list[int]:
        return next(disc for disc in self.discs if disc[0] == seat)

    def order(self) -> list[int]:
        return [d[0] for d in sorted(self.discs, key=lambda d: (d[1], self.discs.index(d)), reverse=True)]


@pytest.mark.parametrize("rule", ["rearmost", "cyclic"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_auction_goes_as_on_the_table(rule: Next, seats: int) -> None:
    for seed in range(60):
        rng = random.Random(seed)
        white = tuple(rng.sample(range(seats), seats))
        track, discs = opened(white), Discs(white, rule)
        for _ in range(60):
            assert track.next == discs.next()
            assert track == standing(track.white, track.value, track.up, track.last, rule)
            if track.next < 0:
                break
            seat, taken = track.next, [disc[1] for disc in discs.discs]
            for who in range(seats):
                for space in range(-1, LIMIT + 3):
                    free = who == seat and discs.disc(who)[1] < space <= LIMIT and space not in taken
                    assert (fault(track, who, space, LIMIT) is None) == free
            ways = [space for space in range(1, LIMIT + 1) if fault(track, seat, space, LIMIT) is None]
            if ways and rng.random() < 0.6:
                space = rng.choice(ways)
                track, discs.disc(seat)[1] = bid(track, seat, space, rule), space
            else:
                track, discs.disc(seat)[2] = confirm(track, seat, rule), False
            discs.last = seat
        assert track.next == -1
        assert list(ranks(track)) == discs.order()


def test_the_first_reason_is_given() -> None:
    track = bid(opened((2, 1, 0)), 2, 3, "rearmost")
    assert track.next == 1
    for seat, space, reason in (
        (0, 9, "not_next"),
        (1, 0, "off_track"),
        (1, 7, "off_track"),
        (1, 3, "taken"),
    ):
        assert fault(track, seat, space, LIMIT) == reason
    up = standing((0, 1), (2, 4), 3, 1, "rearmost")
    assert fault(up, 0, 2, LIMIT) == "not_higher"
    down = Track((0, 1), (2, 4), 2, 0, 0)
    assert fault(down, 0, 3, LIMIT) == "confirmed"
