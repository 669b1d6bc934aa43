"""What a camera can say about a table: sightings, hidden areas, time. No rules, no pictures.

The reader turns one frame into an `Observation`; the watcher turns many into a stable one. A space is
in exactly one of four conditions, and *hidden* is never the same as *empty*.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec


class Condition(StrEnum):
    """How much is known about one space."""

    EMPTY = "empty"
    HOLDS = "holds"
    HIDDEN = "hidden"
    DOUBTFUL = "doubtful"


class Sighting(msgspec.Struct, frozen=True):
    """One tag read: its payload, the centre of its code in mm on the mat, and where that lies.

    `hex` is set on hex maps only. `space` and `slot` are None when the tag lies outside every space.
    """

    payload: str
    x_mm: float
    y_mm: float
    turn_deg: float
    px_per_module: float
    space: str | None = None
    slot: str | None = None
    hex: tuple[int, int] | None = None
    reader: str = "zxing"
    """Which decoder read it: "zxing", "zxing-x1" to "zxing-x4" on crops, "zbar" or "codebook"."""


class Problem(msgspec.Struct, frozen=True):
    """Something wrong with a picture: a stable kind, what to do about it, and values for the sentence."""

    kind: str
    text: str
    values: dict[str, float | int | str] = {}


class SpaceState(msgspec.Struct, frozen=True):
    """What is known of one space after watching it for a while.

    `payloads` are the tags that lie there; under a hand or glare those that were last seen there, and they
    are not in the observation's sightings. `age` is how long ago the space was last really seen (seconds,
    0 for one in view), `confidence` how sure the payloads are (0 to 1): the share of the last readings that
    agree, fading while nothing is seen.
    """

    condition: Condition
    payloads: tuple[str, ...] = ()
    age: float = 0.0
    confidence: float = 1.0


class Observation(msgspec.Struct, frozen=True):
    """What one stable look at the table says.

    `hidden` and `doubtful` list space ids about whose content nothing may be concluded. `foreign` are
    payloads that are not ours (never pieces). `at` is monotonic seconds of the source's clock.
    """

    sightings: tuple[Sighting, ...]
    hidden: frozenset[str] = frozenset()
    doubtful: frozenset[str] = frozenset()
    foreign: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    at: float = 0.0
    order: tuple[str, ...] = ()
    """Payloads in the order in which they were first seen, where that is known."""
    spaces: dict[str, SpaceState] = {}
    """Every space by id, when it has been watched; empty for a single picture."""
    stacked: bool = False
    """Whether one piece may lie on another, as on a board without slots: what is not seen may be there."""
    read: frozenset[str] | None = None
    """The spaces that this one look really read, all others being as they were; None when it read all."""
    moving: frozenset[str] = frozenset()
    """Spaces, among the hidden ones, in which something moved during this one look."""

    def condition(self, space: str) -> Condition:
        """The condition of a space, by id."""
        if space in self.hidden:
            return Condition.HIDDEN
        if space in self.doubtful:
            return Condition.DOUBTFUL
        if any(s.space == space for s in self.sightings):
            return Condition.HOLDS
        return Condition.EMPTY

    def state(self, space: str) -> SpaceState:
        """What is known of a space, by id; from a single picture what that alone says."""
        watched = self.spaces.get(space)
        if watched is not None:
            return watched
        payloads = tuple(sorted(s.payload for s in self.sightings if s.space == space))
        return SpaceState(self.condition(space), payloads)
