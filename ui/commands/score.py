"""`stationmaster score`: the score sheet of a saved game, every point with its source."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ui.records import add_game, reading
from ui.terminal import GOOD, No, print_json, table

if TYPE_CHECKING:
    from assistant.scores import ScoreSheet
    from ui.sentences import Sentences

ABOUT = (
    "Prints the points of a saved (or exported) game so far, every point with its source and rule. With "
    "--final the position is scored as if the game ended now."
)


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("score", help="the score sheet", description=ABOUT)
    add_game(parser)
    parser.add_argument("--final", action="store_true", help="as if the game ended now")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """0 when it is shown; 1 when the game cannot be read, or not be scored early."""
    from assistant.rulings import NotUnderstood
    from ui.answers import sentences_of

    referee = reading(args)
    game, state = referee.game, referee.state
    events = referee.events
    over = game.finished(state)
    if args.final and not over:
        try:
            state, more = game.final(state)
        except NotUnderstood as wrong:
            raise No(str(wrong)) from None
        events += tuple(more)
    sheet: ScoreSheet = game.sheet(state, events)
    places = [list(group) for group in game.places(state)] if over or args.final else []
    if args.json:
        print_json({**sheet.to_json(), "finished": over, "places": places})
        return GOOD
    words = sentences_of(referee)
    for line in sheet_lines(sheet, words):
        print(line)
    if places:
        ranks = [", ".join(words.value(seat, "seat") for seat in group) for group in places]
        print("places: " + "; ".join(f"{rank} {names}" for rank, names in enumerate(ranks, 1)))
    elif not over:
        print("The game is not over.")
    return GOOD


def sheet_lines(sheet: ScoreSheet, words: Sentences) -> list[str]:
    """Totals by source, then every point in the order in which it was scored."""
    sources = list(dict.fromkeys(line.source for line in sheet.lines))
    by_source = {seat: sheet.by_source(seat) for seat in sheet.seats}
    head = ["", *(words.value(seat, "seat") for seat in sheet.seats)]
    rows: list[list[Any]] = [
        [words.source(source), *(by_source[seat].get(source) for seat in sheet.seats)] for source in sources
    ]
    rows.append(["total", *(sheet.total(seat) for seat in sheet.seats)])
    single = [
        [words.value(line.seat, "seat"), line.amount, words.source(line.source), line.detail, line.rule]
        for line in sheet.lines
    ]
    if not single:
        return table(rows, head)
    return [*table(rows, head), "", *table(single, ["", "points", "source", "", "rule"])]
