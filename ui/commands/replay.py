"""`stationmaster replay`: play a recorded game again, strictly."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ui.records import add_folder, folder, is_record, locate, read_journal
from ui.terminal import GOOD, NO, No, print_json, say

if TYPE_CHECKING:
    from assistant.journal import AnyJournal
    from assistant.referee import Replayed

ABOUT = (
    "Plays an exported (or saved) game again, strictly: every action must be allowed again and lead to the "
    "recorded digest. One line an entry, then the score sheet. JSON lines have seq, action, ruling, rule and "
    "digest; the last one has the score sheet."
)


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("replay", help="play a recorded game again, strictly", description=ABOUT)
    parser.add_argument("file", metavar="FILE", help="an exported or saved game")
    add_folder(parser)
    parser.add_argument(
        "--staff", action="store_true", help="also a saved game that is not over and hides things"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """0 when everything comes out as recorded, 1 when something differs or the file is unreadable."""
    from assistant.referee import CannotResume, replay

    path = Path(args.file)
    path = path if path.is_file() else locate(args.file, folder(args))
    journal = read_journal(path)
    if is_record(path) and not args.staff:
        _refuse_secrets(journal)
    differs = ""
    seq = 0
    try:
        for done in replay(journal):
            seq, differs = done.seq, done.differs
            _line(done, args.json)
    except CannotResume as wrong:
        raise No(str(wrong)) from None
    if differs:
        if args.json:
            print_json({"sheet": None, "entries": seq, "differs": {"seq": seq, "why": differs}})
        say(f"stationmaster replay: {args.file}: entry {seq}: {differs}")
        return NO
    _score(journal, seq, args.json)
    return GOOD


def _refuse_secrets(journal: AnyJournal) -> None:
    """An export is in people's hands; a saved game may still be on."""
    from ui.records import keeps_secrets, resumed

    try:
        referee = resumed(journal)
    except No:
        return  # It does not come out as recorded: the replay tells where.
    if keeps_secrets(referee):
        raise No("this game is not over and hides things from its players; staff may add --staff")


def _line(done: Replayed, as_json: bool) -> None:
    import msgspec

    from ui.shortform import spell

    if as_json:
        action = None if done.action is None else msgspec.to_builtins(done.action)
        head: dict[str, Any] = {"seq": done.seq, "action": action, "ruling": done.ruling}
        print_json({**head, "rule": done.rule, "digest": done.digest})
    else:
        spelled = "" if done.action is None else spell(done.action)
        rule = f" [{done.rule}]" if done.rule else ""
        print(f"{done.seq:>5} {done.ruling}{rule} {spelled}".rstrip())


def _score(journal: Any, entries: int, as_json: bool) -> None:
    from assistant.referee import Referee
    from ui.answers import sentences_of
    from ui.commands.score import sheet_lines

    # The digests have just been checked.
    referee = Referee.resume(journal, digests=False)
    sheet = referee.sheet()
    over = referee.game.finished(referee.state)
    places = [list(group) for group in referee.game.places(referee.state)] if over else []
    if as_json:
        whole = {**sheet.to_json(), "finished": over, "places": places}
        print_json({"sheet": whole, "entries": entries, "differs": None})
        return
    print(f"{entries} entries, all as recorded")
    for line in sheet_lines(sheet, sentences_of(referee)):
        print(line)
