"""`stationmaster show`: how a saved game stands."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ui.records import add_game, keeps_secrets, reading
from ui.terminal import GOOD, No, Usage, print_json, say

if TYPE_CHECKING:
    from assistant.game import Game

ABOUT = (
    "Shows how a saved game (or an exported one) stands, as far as a viewer may know it. With --json it "
    "prints a position that `legal` reads again; with --case a case file that `legal` and "
    "`new --case` read."
)


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("show", help="how a saved game stands", description=ABOUT)
    add_game(parser)
    parser.add_argument(
        "--viewer", default="public", metavar="WHO", help="a seat, public (default) or staff: who looks"
    )
    parser.add_argument("--case", action="store_true", help="print a case file of this position")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """0 when it is shown, 1 when the game cannot be read or the viewer may not see it all."""
    from assistant.cases import case_of
    from assistant.game import PUBLIC, STAFF
    from ui.answers import next_lines, sentences_of
    from ui.positions import lines
    from ui.records import names_of

    if args.case and args.json:
        raise Usage("--case is TOML and --json is JSON: choose one")
    referee = reading(args)
    game, state = referee.game, referee.state
    if args.viewer not in (*game.seats, PUBLIC, STAFF):
        known = ", ".join((*game.seats, PUBLIC, STAFF))
        raise Usage(f"there is no viewer {args.viewer!r}; there are: {known}")
    if args.case:
        if keeps_secrets(referee) and args.viewer != STAFF:
            raise No("a case tells what is hidden in this game: add --viewer staff")
        try:
            print(case_of(game, state, id=f"{game.title.id}-{referee.seq}"), end="")
        except ValueError as wrong:
            raise No(str(wrong)) from None
        if not _ships(game):
            say(f"The pack {game.pack.id} of this game is not the one that ships; name its file in the case.")
        return GOOD
    position = game.view(state, args.viewer)
    if args.json:
        pack = {"pack": game.pack.id, "pack_digest": game.pack.digest}
        head = {"game": game.title.id, **pack, "players": len(game.seats)}
        more = {"options": dict(game.options), "seq": referee.seq, "digest": game.digest(state)}
        if keeps_secrets(referee) and args.viewer != STAFF:
            del more["digest"]  # It would let hidden cards be guessed.
        print_json({**head, **more, "viewer": args.viewer, "position": position})
        return GOOD
    print(f"{game.title.name}, {game.pack.title}, entry {referee.seq}")
    for line in lines(position, names_of(referee.journal)):
        print(line)
    for line in next_lines(referee, sentences_of(referee)):
        print(line)
    return GOOD


def _ships(game: Game[Any]) -> bool:
    """Whether the title has this very pack under its id."""
    from assistant.packs import PackFaults

    try:
        return bool(game.title.load_pack(game.pack.id).digest == game.pack.digest)
    except PackFaults:
        return False
