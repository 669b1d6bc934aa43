"""Mistakes that people make at the table, one after the other, each to be caught and settled."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from assistant.game import Game
from assistant.hexes import DIRECTIONS
from assistant.messages import Command
from assistant.reading import Difference, OutOfStep
from assistant.settling import deed, ways
from vision.clutter import Hand, Litter

if TYPE_CHECKING:
    from ui.demo.show import Show

LOOKS = 3
"""Looks within which a mistake has to be caught: a code that is none of ours takes two whole pictures."""
AGREED_FROM_ROUND = 3
"""From this round on the table agrees once to keep a rail that breaks a rule."""


Make = Callable[["Show"], bool]
"""Makes a mistake and settles it; False when there is no occasion for it now."""


def agenda(game: Game[Any]) -> list[tuple[str, Make]]:
    """The mistakes in order, as far as the game knows them."""
    every: list[tuple[str, str, Make]] = [
        ("not_connected", "a rail that touches nothing", lambda show: _slip(show, "not_connected")),
        ("", "a hand over the board", _hand),
        ("wrong_seat", "a rail of the wrong seat", lambda show: _slip(show, "wrong_seat")),
        ("wrong_card", "a card that cannot be there", lambda show: _slip(show, "wrong_card")),
        ("not_now", "something done too early", lambda show: _slip(show, "not_now")),
        ("", "a code of somebody else", _litter),
        ("", "a knocked piece", _knock),
        ("over_budget", "rails beyond what can be paid", lambda show: _slip(show, "over_budget")),
        ("not_connected", "an illegal rail that the table accepts", _agreed),
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


def _hand(show: Show) -> bool:
    """A hand lies over pieces: hidden is not missing."""
    rails = show.people.lying("rail")
    if len(rails) < 2:
        return False
    x, y = show.mat.space_named(rails[-1][1]).centre
    show.table.hands = (Hand(x, y),)
    reading = show.look()
    hidden = getattr(reading, "hidden", ())
    if isinstance(reading, OutOfStep) or not hidden:
        raise AssertionError(f"a hand over {rails[-1][1]} was read as {reading}")
    show.keep_picture("hand")
    show.table.hands = ()
    _settled(show)
    return True


def _litter(show: Show) -> bool:
    """A QR code that is none of ours lies on the map."""
    taken = {space for piece, space in show.people.lying("rail") + show.people.lying("station")}
    free = [space for space in show.mat.spaces if space.hex and space.id not in taken]
    x, y = show.rng.choice(free).centre
    show.table.litter = (Litter("qr", x, y, text="COFFEE 2 GO"),)
    _caught(show, "unknown_tag")
    show.table.litter = ()
    _settled(show)
    return True


def _knock(show: Show) -> bool:
    """A sleeve pushes a rail to the hex beside it."""
    spot = _next_to(show.game, show)
    if spot is None:
        return False
    payload, old, new = spot
    show.people.knock(payload, new)
    _caught(show, "moved")
    show.people.knock(payload, old)
    _settled(show)
    return True


def _next_to(game: Game[object], show: Show) -> tuple[str, str, str] | None:
    """A rail and a neighbouring hex where its seat has nothing, so that it can only have been knocked."""
    by_hex = {space.hex: space.id for space in show.mat.spaces if space.hex and space.slots}
    lying = show.people.lying("rail") + show.people.lying("station")
    pieces = {(piece.seat, space) for piece, space in lying}
    rails = show.people.lying("rail")
    show.rng.shuffle(rails)
    for piece, space in rails:
        q, r = show.mat.space_named(space).hex or (0, 0)
        for dq, dr in random.Random(0).sample(DIRECTIONS, len(DIRECTIONS)):
            beside = by_hex.get((q + dq, r + dr))
            if beside is not None and (piece.seat, beside) not in pieces:
                return piece.payload, space, beside
    return None


def _agreed(show: Show) -> bool:
    """A rail that touches nothing, and all agree to let it stand: recorded, and flagged."""
    game, state = show.game, show.referee.state
    slips = game.slips(state, show.rng)
    if show.rounds < AGREED_FROM_ROUND or "not_connected" not in slips:
        return False
    (spot,) = slips["not_connected"]
    difference = Difference("not_connected", spot.space, spot.seat, piece=spot.what)
    found = deed(game, state, difference)
    if found is None or "agreed" not in ways(game, state, difference):
        return False
    show.people.add([spot])
    _caught(show, "not_connected")
    broken = [violation.rule for violation in found.broken]
    form = game.codec.to_json(found.action)
    values = {"action": form, "waived": broken, "consents": list(game.seats)}
    show.transcript.say(f"all agree to keep the rail on {spot.space}")
    show.send(Command("overrule", spot.seat, values))
    show.transcript.say(f"recorded, flagged as agreed against {', '.join(broken)}")
    _settled(show)
    return True
