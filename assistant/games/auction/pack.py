"""The content of an auction's pack: what a house has printed beside its track (AU-PAY-2, AU-HOLD-3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct

from assistant.packs import Fault

Share = Literal["all", "half", "nothing"]
"""How much of its bid a rank pays; half is rounded up."""
CHARTS = ("2", "3", "4")
"""Numbers of players that need a chart."""


class Content(Struct, frozen=True):
    """`chart` has by number of players one share per rank, first to last; `most_held` is the largest
    holding that a seat can state."""

    chart: dict[str, tuple[Share, ...]]
    most_held: Annotated[int, Meta(ge=1, le=999)]


def check(content: Content, fixture: bool, unsure: frozenset[str]) -> Iterator[Fault]:
    """What the types cannot say: a chart for each number of players, with a share for each rank."""
    if "chart" in unsure:
        return
    for players in CHARTS:
        found = len(content.chart.get(players, ()))
        if found != int(players):
            yield Fault("", "chart", players, f"expected {players} shares, found {found}", "AU-PAY-2")
    for players in sorted(content.chart.keys() - set(CHARTS)):
        yield Fault("", "chart", players, "expected a number of players, 2, 3 or 4", "AU-SETUP-1")
