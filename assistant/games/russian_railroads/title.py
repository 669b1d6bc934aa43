"""Russian Railroads on the shelf: facts, packs and the house-rule switches (docs/rules, part A)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from assistant.game import Switch, Title
from assistant.games.russian_railroads.checks import check
from assistant.games.russian_railroads.game import RussianRailroads
from assistant.games.russian_railroads.pack import Content
from assistant.packs import Fault


class RussianRailroadsTitle(Title):
    """The 2013 edition, 2 to 4 players."""

    id = "russian_railroads"
    name = "Russian Railroads"
    edition = "2013"
    stage = "beta"
    seats = (2, 4)
    seats_rule = "RR-SETUP-1"
    tag = "S"
    rules_version = 1
    default_pack = "russian_railroads_2013"
    switches: ClassVar[Mapping[str, Switch]] = {
        "defer_triggers": Switch.flag(
            "A-04", "Effects on the way are resolved at the end of the turn, in any order"
        ),
        "chain_must_continue": Switch.flag("A-06", "A locomotive chain goes on as long as it can"),
        "coin_space_strict_worker": Switch.flag(
            "A-14", "The worker of the space for a worker and a rouble is no rouble"
        ),
        "black_worker_bonus": Switch.flag("A-20b", "The black worker adds a black step", default=True),
        "hard_roubles": Switch.flag("A-54", "Roubles can run out"),
    }
    content = Content
    rules = RussianRailroads

    def check(self, content: Content, fixture: bool, unsure: frozenset[str]) -> Iterable[Fault]:
        return check(content, fixture, unsure)


TITLE = RussianRailroadsTitle()
