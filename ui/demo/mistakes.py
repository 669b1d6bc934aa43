"""Mistakes that people make at the table, one after the other, each to be caught and settled."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from assistant.game import Game
from assistant.hexes import DIRECTIONS
from assistant.layout import Mat, Piece
from assistant.messages import Command
from assistant.reading import Difference, Kind, OutOfStep
from assistant.settling import deed, ways
from vision.clutter import Hand, Litter

if TYPE_CHECKING:
    from ui.demo.show import Show

LOOKS = 3
"""Looks within which a mistake has to be caught: a code that is none of ours takes two whole pictures."""
AGREED_FROM_ROUND = 3
"""From this round on the table agrees once to keep a piece that breaks a rule."""
AGREED: tuple[Kind, ...] = ("not_connected", "over_budget", "hex_full", "not_a_space", "not_now")
"""Mistakes that may break a rule which can be waived, in the order in which they are tried."""

Make = Callable[["Show"], bool]
"""Makes a mistake and settles it; False when there is no occasion for it now."""


def agenda(game: Game[Any]) -> list[tuple[str, Make]]:
    """The mistakes in order, as far as the game knows them."""

    def slip(kind: Kind) -> Make:
        return lambda show: _slip(show, kind)

    every: list[tuple[str, str, Make]] = [
        ("not_connected", "a piece that touches nothing", slip("not_connected")),
        ("", "a hand over the board", _hand),
        ("wrong_seat", "a piece of the wrong seat", slip("wrong_seat")),
        ("wrong_card", "a card that cannot be there", slip("wrong_card")),
        ("hex_full", "a piece where no more may lie", slip("hex_full")),
        ("not_now", "something done too early", slip("not_now")),
        ("", "a code of somebody else", _litter),
        ("", "a knocked piece", _knock),
        ("over_budget", "pieces beyond what can be paid", slip("over_budget")),
        ("wrong_count", "one piece too many", slip("wrong_count")),
        ("not_a_space", "a piece where there is nothing to do", slip("not_a_space")),
        ("", "an illegal piece that the table accepts", _agreed),
    ]
    return [(text, make) for kind, text, make in every if not kind or kind in game.slip_kinds]


def _slip(show: Show, kind: str) -> bool:
    """Somebody lays pieces wrongly; the referee says why; they are taken away again."""
    slips = show.game.slips(show.referee.state, show.rng)
    if kind not in slips:
        return False
    laid = show.people.add(slips[kind])
    _caught(show, kind)
    show.people.take(laid)
    _settled(show)
    return True


def _caught(show: Show, kind: str) -> None:
    for _ in range(LOOKS):
        reading = show.look()
        if isinstance(reading, OutOfStep) and kind in {each.kind for each in reading.differences}:
            break
    else:
        now = show.judge.view.reading
        raise AssertionError(f"the mistake {kind!r} was not caught; the reading is {now}")
    show.keep_picture(kind)


def _settled(show: Show) -> None:
    if isinstance(show.look(), OutOfStep):
        raise AssertionError("the table was put right and is still out of step")
    show.transcript.say("settled: table and record agree again")


def _lying(show: Show) -> list[tuple[Piece, str]]:
    """Pieces on the table of the kind that people slip with, in the order in which they were laid."""
    slips = show.game.slips(show.referee.state, random.Random(0))
    kinds = {spot.what for spots in slips.values() for spot in spots}
    return [found for kind in sorted(kinds) for found in show.people.lying(kind)]


def _hand(show: Show) -> bool:
    """A hand lies over pieces: hidden is not missing."""
    there = _lying(show)
    if len(there) < 2:
        return False
    x, y = show.mat.space_named(there[-1][1]).centre
    show.table.hands = (Hand(x, y),)
    reading = show.look()
    hidden = getattr(reading, "hidden", ())
    if isinstance(reading, OutOfStep) or not hidden:
        raise AssertionError(f"a hand over {there[-1][1]} was read as {reading}")
    show.keep_picture("hand")
    show.table.hands = ()
    _settled(show)
    return True


def _litter(show: Show) -> bool:
    """A QR code that is none of ours lies on the board."""
    kinds = {show.mat.space_named(space).kind for _, space in _lying(show)}
    spaces = [space for space in show.mat.spaces if space.kind in kinds and space.slots]
    free = [space for space in spaces if not show.people.at(space.id)]
    if not free:
        return False
    x, y = show.rng.choice(free).slots[0].box.centre
    show.table.litter = (Litter("qr", x, y, text="COFFEE 2 GO"),)
    _caught(show, "unknown_tag")
    show.table.litter = ()
    _settled(show)
    return True


def _knock(show: Show) -> bool:
    """A sleeve pushes a piece to a space beside its own."""
    spot = _next_to(show)
    if spot is None:
        return False
    payload, old, new = spot
    show.people.knock(payload, new)
    _caught(show, "moved")
    show.people.knock(payload, old)
    _settled(show)
    return True


def _next_to(show: Show) -> tuple[str, str, str] | None:
    """A piece and a space beside its own where its seat has nothing, so that it was knocked."""
    pieces = _lying(show)
    show.rng.shuffle(pieces)
    for piece, space in pieces:
        for beside in _beside(show.mat, space):
            if not any(other.seat == piece.seat for other in show.people.at(beside)):
                return piece.payload, space, beside
    return None


def _beside(mat: Mat, name: str) -> list[str]:
    """The spaces round a hex, in some order; on other boards the free ones of its kind, the nearest first."""
    here = mat.space_named(name)
    if here.hex is not None:
        by_hex = {space.hex: space.id for space in mat.spaces if space.hex and space.slots}
        q, r = here.hex
        around = random.Random(0).sample(DIRECTIONS, len(DIRECTIONS))
        return [by_hex[q + dq, r + dr] for dq, dr in around if (q + dq, r + dr) in by_hex]
    x, y = here.centre
    others = [space for space in mat.spaces if (space.kind, space.zone) == (here.kind, here.zone)]
    others.sort(key=lambda space: math.hypot(space.centre[0] - x, space.centre[1] - y))
    return [space.id for space in others if space is not here]


def _agreed(show: Show) -> bool:
    """A piece breaks a rule that may be waived, and all agree to let it stand: recorded, and flagged."""
    game, state = show.game, show.referee.state
    if show.rounds < AGREED_FROM_ROUND:
        return False
    slips = game.slips(state, show.rng)
    for kind in AGREED:
        if len(slips.get(kind, ())) != 1:
            continue
        (spot,) = slips[kind]
        difference = Difference(kind, spot.space, spot.seat, piece=spot.what)
        found = deed(game, state, difference)
        if found is None or "agreed" not in ways(game, state, difference):
            continue
        show.people.add([spot])
        _caught(show, kind)
        broken = [violation.rule for violation in found.broken]
        form = game.codec.to_json(found.action)
        values = {"action": form, "waived": broken, "consents": list(game.seats)}
        show.transcript.say(f"all agree to keep the {spot.what} on {spot.space}")
        show.send(Command("overrule", spot.seat, values))
        show.transcript.say(f"recorded, flagged as agreed against {', '.join(broken)}")
        show.people.arrange(game.scene(show.referee.state))
        _settled(show)
        return True
    return False
