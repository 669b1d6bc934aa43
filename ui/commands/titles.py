"""`stationmaster titles`: the games on the shelf."""

from __future__ import annotations

import argparse
from typing import Any

from ui.shelf import shelf
from ui.terminal import GOOD, print_json, table

ABOUT = "Lists the games that can be played, with their packs and house rules (`new --option NAME=VALUE`)."


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("titles", help="list the games on the shelf", description=ABOUT)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """0; 2 when the environment names what is no game."""
    from assistant.packs import available

    rows: list[dict[str, Any]] = []
    for title in shelf().values():
        low, high = title.seats
        switches = {name: list(switch.values) for name, switch in title.switches.items()}
        rows.append(
            {
                "id": title.id,
                "name": title.name,
                "edition": title.edition,
                "stage": title.stage,
                "players": [low, high],
                "packs": [path.stem for path in available(title.folder)],
                "default_pack": title.default_pack,
                "options": switches,
            }
        )
    if args.json:
        print_json(rows)
        return GOOD
    for row in rows:
        low, high = row["players"]
        print(f"{row['id']}: {row['name']}, {row['edition']}, {low} to {high} players ({row['stage']})")
        print(f"  packs: {', '.join(row['packs'])} (default {row['default_pack']})")
        options = [
            [f"  {name}", ", ".join(str(v).lower() for v in vs)] for name, vs in row["options"].items()
        ]
        for line in table(options):
            print(line)
    return GOOD
