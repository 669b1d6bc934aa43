"""The auction on the shelf: facts and the house's switches (docs/rules/auction.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from assistant.game import Switch, Title
from assistant.games.auction.game import OpenAuction
from assistant.games.auction.pack import Content, check
from assistant.packs import Fault


class AuctionTitle(Title):
    """An open ascending auction of any number of lots, 2 to 4 players."""

    id = "auction"
    name = "Judge an auction"
    edition = "house"
    stage = "beta"
    seats = (2, 4)
    seats_rule = "AU-SETUP-1"
    tag = "A"
    rules_version = 1
    default_pack = "house"
    switches: ClassVar[Mapping[str, Switch]] = {
        "top": Switch(("20", "10", "30", "50"), "AU-BID-4", "The highest space of the track"),
        "next": Switch(("rearmost", "cyclic"), "AU-BID-3", "Who bids next"),
        "opens": Switch(
            ("rotate", "winner_first", "winner_last", "slide"), "AU-LOT-4", "Who opens the next lot"
        ),
        "pays": Switch(("winner_all", "all_pay", "by_rank", "second_price"), "AU-PAY-1", "Who pays what"),
        "budget": Switch(("none", "own", "10", "20", "50", "100"), "AU-HOLD-1", "What each seat can spend"),
        "ties": Switch(("rightmost", "leftmost"), "AU-RANK-2", "Which of the white discs ranks first"),
        "no_bids": Switch(("unsold", "first"), "AU-RANK-3", "Who gets a lot that nobody bids for"),
    }
    content = Content
    rules = OpenAuction

    def check(self, content: Content, fixture: bool, unsure: frozenset[str]) -> Iterable[Fault]:
        return check(content, fixture, unsure)


TITLE = AuctionTitle()
