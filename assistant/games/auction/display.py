"""What the screen shows of an auction, and what an action would do, said before it is done.

Everything lies open, so all viewers see the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.actions import Action
from assistant.auction import Track
from assistant.display import Auction, Bidder, Display, Gauge, Progress, Strip
from assistant.events import Told
from assistant.games.auction import lots
from assistant.games.auction.actions import Bid, Close, LockIn, NextLot
from assistant.games.auction.state import State

if TYPE_CHECKING:
    from assistant.games.auction.game import OpenAuction


def display(game: OpenAuction, state: State) -> Display:
    """Strips with lots and money, the number of the lot, the track once there is one.

    Seats stand in the order in which they open the lot: discs on white from left to right.
    """
    track = game.track(state)
    return Display(
        tuple([_strip(game, state, track, seat) for seat in state.white]),
        Progress("lot", state.lot),
        auction=_auction(game, state, track) if state.lot else None,
    )


def _strip(game: OpenAuction, state: State, track: Track, seat: str) -> Strip:
    """One seat: its lots, and what it can still spend or, where nobody counts that, what it has paid."""
    status = ""
    if state.step == "lot":
        asked = game.seats[track.next] == seat
        status = "deciding" if asked else "locked_in" if seat in state.locked else "open"
    elif seat in game.unstated(state):
        status = "deciding"
    elif state.step == "between" and state.lot and game.winner(track) == game.index[seat]:
        status = "winner"
    held = seat in state.holds
    gauge = Gauge("money", state.holds[seat]) if held else Gauge("paid", state.paid[seat])
    return Strip(seat, state.won[seat], (gauge,), status)


def _auction(game: OpenAuction, state: State, track: Track) -> Auction:
    place = {game.seats[seat]: standing(game, track, seat) for seat in track.white}
    return Auction(
        game.top,
        "money",
        state.white,
        len(game.seats),
        tuple(
            [
                Bidder(seat, state.discs[seat], seat not in state.locked, state.holds.get(seat), *place[seat])
                for seat in state.white
            ]
        ),
        open=state.step == "lot",
    )


def standing(game: OpenAuction, track: Track, seat: int) -> tuple[int, int, str]:
    """Rank (1 first), payment and its share if the lot ended as it stands."""
    order = game.ranks(track)
    rank = order.index(seat)
    return rank + 1, lots.dues(track, order, game.shares)[rank], game.shares[rank]


def hint(game: OpenAuction, state: State, action: Action) -> Told | None:
    """The sentence about a legal action, of the table `hints`; a holding speaks for itself."""
    if isinstance(action, Bid | LockIn):
        after = game.apply(state, action)[0]
        # The last to lock in ends the lot; its discs still lie there.
        rank, pays, _ = standing(game, game.track(after), game.index[action.seat])
        key = action.kind if after.step == "lot" else "lock_in.last"
        values = {"space": after.discs[action.seat], "rank": f"rank.{rank}", "pays": pays}
        return Told(key, action.seat, values)
    if isinstance(action, NextLot):
        return Told(action.kind, action.seat, {"next": game.next_white(state)[0], "lot": state.lot + 1})
    return Told(action.kind, action.seat, {"lots": state.lot}) if isinstance(action, Close) else None
