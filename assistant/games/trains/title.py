"""Trains on the shelf: facts, packs and the house-rule switches (docs/rules/trains.md, part A)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from assistant.game import Switch, Title
from assistant.games.trains.game import Trains
from assistant.games.trains.pack import Content, check
from assistant.packs import Fault


class TrainsTitle(Title):
    """The AEG edition (2013), 2 to 4 players."""

    id = "trains"
    name = "Trains"
    edition = "2013"
    stage = "beta"
    seats = (2, 4)
    seats_rule = "TR-SETUP-1"
    tag = "T"
    rules_version = 1
    default_pack = "tokyo"
    switches: ClassVar[Mapping[str, Switch]] = {
        "rail_mode": Switch(("banked", "immediate"), "HR-1", "When the rail of a card is laid"),
        "clean_up": Switch(("open", "private"), "HR-12", "How the rest of a hand is discarded"),
    }
    content = Content
    rules = Trains

    def check(self, content: Content, fixture: bool, unsure: frozenset[str]) -> Iterable[Fault]:
        return check(content, fixture, unsure)


TITLE = TrainsTitle()
