"""`stationmaster new`: begin a game and make its record."""

from __future__ import annotations

import argparse
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ui.names import faults, sentence
from ui.records import add_folder, folder, locate
from ui.shelf import open_title, options_of, title_of
from ui.terminal import GOOD, No, Usage, print_json

if TYPE_CHECKING:
    from assistant.game import Game

ABOUT = (
    "Begins a game and makes its record. Cards come from the real table (`act GAME draw ...`), or with "
    "--virtual from a dealer. With --case the game begins in the middle, at the position of a case file."
)


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("new", help="begin a game and make its record", description=ABOUT)
    parser.add_argument("name", metavar="GAME", help="name of the new game, or path of its file")
    parser.add_argument("--game", metavar="TITLE", help="what is played; `stationmaster titles` lists them")
    parser.add_argument("--players", type=int, metavar="N", help="how many play")
    parser.add_argument("--names", metavar="NAME,NAME...", help="names for the seats, in order")
    parser.add_argument("--pack", metavar="PACK", help="content pack: an id or a file")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="a house rule; may be repeated"
    )
    parser.add_argument("--virtual", action="store_true", help="a virtual dealer draws the cards")
    parser.add_argument("--seed", metavar="TEXT", help="seed of the virtual dealer (default: drawn by lot)")
    parser.add_argument("--case", type=Path, metavar="FILE", help="begin at the position of a case file")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_folder(parser)


def run(args: argparse.Namespace) -> int:
    """0 when the game has begun, 1 when it cannot be played so, 2 for a wrong call."""
    from msgspec import to_builtins

    from assistant.cases import owed_json
    from assistant.journal import Journal, JournalError
    from assistant.referee import Referee, header_for
    from ui.answers import next_lines, public, sentences_of
    from ui.dealing import deal, new_seed
    from ui.sentences import Sentences

    if args.seed is not None and not args.virtual:
        raise Usage("--seed belongs to --virtual")
    path = locate(args.name, folder(args))
    game, given = _from_case(args) if args.case else (_game(args), None)
    names = _names(args.names, game)
    # Words that cannot be read are told before there is a record.
    Sentences.of(game.title)
    seed = (args.seed or new_seed()) if args.virtual else ""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        journal = Journal.create(path, header_for(game, names), secret=seed)
    except JournalError as wrong:
        raise No(str(wrong)) from None
    with journal:
        try:
            referee = Referee.new(game, journal, given)
            dealt = deal(referee)
        except BaseException:
            # A record without its beginning is no game: leave nothing behind.
            journal.close()
            with suppress(OSError):
                path.unlink()
            raise
        if args.json:
            whom = {"seats": list(game.seats), "players": len(game.seats)}
            asked = {
                "acting": [to_builtins(who) for who in game.acting(referee.state)],
                "owed": owed_json(game, referee.state),
            }
            drawn = {"dealt": [to_builtins(public(referee, action)) for action in dealt]}
            print_json(
                {"file": str(path), "game": game.title.id, "pack": game.pack.id, **whom, **drawn, **asked}
            )
        else:
            words = sentences_of(referee)
            print(f"{path}: {game.title.name}, {game.pack.title}, for {len(game.seats)}")
            if game.pack.invented:
                print("Some values of this pack are invented.")
            for line in next_lines(referee, words):
                print(line)
    return GOOD


def _game(args: argparse.Namespace) -> Game[Any]:
    title = title_of(args.game)
    if args.players is None:
        low, high = title.seats
        raise Usage(f"--players is missing; {title.name} is for {low} to {high}")
    return open_title(title, args.pack, args.players, options_of(args.option))


def _from_case(args: argparse.Namespace) -> tuple[Game[Any], dict[str, Any]]:
    """The game of a case and its position in full."""
    from ui.records import position_in

    for name in ("game", "pack", "players", "option"):
        if getattr(args, name):
            raise Usage(f"--{name} does not go with --case: the case says it")
    game, state = position_in(args.case, None, None, None)
    return game, game.to_position(state)


def _names(text: str | None, game: Game[Any]) -> dict[str, str]:
    if text is None:
        return {}
    names = [name.strip() for name in text.split(",")]
    if len(names) != len(game.seats):
        raise Usage(f"--names needs {len(game.seats)} names, with commas between them")
    shown = dict(zip(game.seats, names, strict=True))
    for wrong in faults(shown):
        raise Usage(f"--names: {sentence(*wrong)}")
    return shown
