"""Readings over time become stable observations: hands and glare hide, they do not remove.

Every space is voted on: a tag is there when two of the last three readings show it, and gone only when two
of them show the space clearly without it. What is under a hand stays known as last seen. An observation is
given once nothing has changed or moved for a while, so that a piece slid over several hexes is one move
and a piece halfway is none. Only the times of the readings count; there is no clock and no thread here.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

import numpy as np

from assistant.observation import Condition, Observation, Problem, Sighting, SpaceState
from vision.geometry import MatGeometry

QUIET_S = 1.0
"""How long nothing may change before an observation is given, in seconds."""
PATIENCE_S = 6.0
"""After this long without quiet what is quiet is given anyway, and the rest is doubtful."""
NEEDED, VOTES = 2, 3
"""Readings that must agree, of how many."""
MOVED_MM = 3.0
"""A tag read this far from where it was has been moved; readings of one at rest differ by less than 1 mm."""
NOISE_MM = 1.0
"""A tag read nearer than this to where it was is in the same slot still."""
HALF_LIFE_S = 30.0
"""What was last seen under a hand is half as sure after so long. A guess, for sorting, not for ruling."""
OUTSIDE = ""
"""The place of tags that lie in no space."""


@dataclass(frozen=True)
class _Vote:
    """One reading of one place; `cover` says what keeps it from being seen whole, if anything does."""

    at: float
    cover: Condition | None
    sightings: tuple[Sighting, ...]
    content: Counter[str]

    @classmethod
    def of(cls, at: float, cover: Condition | None, sightings: Iterable[Sighting]) -> _Vote:
        found = tuple(sorted(sightings, key=attrgetter("payload", "x_mm", "y_mm")))
        return cls(at, cover, found, Counter(s.payload for s in found))


@dataclass
class _Place:
    """One space, or everything outside: its last readings and what they come to.

    `known` is what lies there as far as anybody saw; `sightings` is the part of it that is in view.
    `since` is when it last changed or moved.
    """

    slotted: bool = False
    votes: deque[_Vote] = field(default_factory=lambda: deque(maxlen=VOTES))
    clear: bool = False
    known: Counter[str] = field(default_factory=Counter)
    sightings: tuple[Sighting, ...] = ()
    seen_at: float | None = None
    since: float = 0.0
    unsettled: bool = True

    def vote(self, vote: _Vote) -> bool:
        """Count one more reading; tells whether what they come to is news."""
        self.votes.append(vote)
        if len(self.votes) < NEEDED:
            self.since = vote.at
            return True
        seen = self._agreed()
        cleared = sum(v.cover is None for v in self.votes) >= NEEDED
        if cleared:
            seen = self.known
        changed = cleared != self.clear or seen != Counter(s.payload for s in self.sightings)
        self.clear = cleared
        moved = self._placed(seen)
        self.unsettled = vote.content != seen or (vote.cover is None) != cleared
        if self.unsettled or moved:
            self.since = vote.at
        elif changed:
            agree = (v.at for v in self.votes if v.content == seen and (v.cover is None) == cleared)
            self.since = max(self.since, min(agree))
        return changed or moved

    def _agreed(self) -> Counter[str]:
        """What enough readings show; `known` follows, where only a clear view can take something away."""
        seen: Counter[str] = Counter()
        for payload in {p for v in self.votes for p in v.content} | set(self.known):
            held = sorted((v.content[payload] for v in self.votes), reverse=True)[NEEDED - 1]
            if held:
                seen[payload] = held
            had = self.known[payload]
            if held < had:
                clear = sorted(v.content[payload] for v in self.votes if v.cover is None)
                held = max(held, min(had, clear[NEEDED - 1] if len(clear) >= NEEDED else had))
            self.known[payload] = held
        self.known = +self.known
        return seen

    def _placed(self, seen: Counter[str]) -> bool:
        """Choose the sightings of what is in view; tells whether one is not where it was.

        A tag at rest keeps its first sighting, so that noise at the edge of a slot changes nothing.
        """
        moved = False
        chosen: list[Sighting] = []
        before = list(self.sightings)
        for payload, count in seen.items():
            shown = next((v for v in reversed(self.votes) if v.content[payload] >= count), None)
            if shown is None:
                # Not in view enough times lately, and not seen to be gone: as it was.
                chosen += [s for s in before if s.payload == payload][:count]
                continue
            for sighting in [s for s in shown.sightings if s.payload == payload][:count]:
                old = [s for s in before if s.payload == payload]
                near = [
                    s
                    for s in old
                    if _apart(s, sighting) <= (MOVED_MM if s.slot == sighting.slot else NOISE_MM)
                ]
                if near:
                    before.remove(near[0])
                moved |= bool(old) and not near
                chosen.append(near[0] if near else sighting)
        self.sightings = tuple(chosen)
        return moved

    def cover(self) -> Condition:
        """Why the place is not in view, by the newest reading that says so."""
        return next((v.cover for v in reversed(self.votes) if v.cover is not None), Condition.DOUBTFUL)

    def share(self) -> float:
        """How many of the last readings agree with what they come to, 0 to 1."""
        seen = Counter(s.payload for s in self.sightings)
        agree = sum(v.content == seen and (v.cover is None) == self.clear for v in self.votes)
        return agree / len(self.votes) if self.votes else 0.0


class Watcher:
    """Turns readings of one table into stable observations.

    `quiet_s` is how long nothing may change or move first; 0 takes a change as soon as it is confirmed.
    With a mat, every space of it is in each observation, and a tag between the slots of a space is halfway:
    neither moved nor gone, but doubtful, until it lies somewhere.
    """

    def __init__(
        self, mat: MatGeometry | None = None, *, quiet_s: float = QUIET_S, patience_s: float = PATIENCE_S
    ) -> None:
        self.quiet_s = quiet_s
        self.patience_s = patience_s
        self._stacked = mat is not None and mat.stacked
        self._places = {OUTSIDE: _Place()}
        for space in () if mat is None else mat.spaces:
            self._places[space.id] = _Place(slotted=bool(space.slots))
        self._wholes: deque[Observation] = deque(maxlen=VOTES)
        self._first: dict[str, dict[str, float]] = {}
        self._base: frozenset[tuple[str, str]] = frozenset()
        self._unrest: float | None = None
        self._given: Observation | None = None
        self._news = True

    def accepted(self) -> None:
        """The record has taken in what lies there: `order` begins anew."""
        self._base = frozenset(
            (payload, name) for name, place in self._places.items() for payload in place.known
        )

    def see(self, look: Observation) -> Observation | None:
        """Take in one reading; gives an observation when it is stable and differs from the last one given.

        Only the spaces that it `read` are voted on, and what is `moving` counts as hidden.
        """
        at = look.at
        blind = any(problem.kind == "no_mat" for problem in look.problems)
        self._vote(look, blind)
        if look.read is None:
            self._wholes.append(look)
            self._news |= self._given is None or _kinds(self._problems()) != _kinds(self._given.problems)
            self._news |= self._given is None or self._foreign() != self._given.foreign
        places = self._places.values()
        unsettled = any(place.unsettled for place in places)
        if at - max(place.since for place in places) >= self.quiet_s and not unsettled:
            self._unrest = None
            if not self._news:
                return None
            self._news = False
            return self._give(self._made(at, frozenset()))
        if self._unrest is None:
            self._unrest = at
        if at - self._unrest >= self.patience_s:
            self._unrest = at
            restless = (n for n, p in self._places.items() if p.unsettled or at - p.since < self.quiet_s)
            self._news = True
            return self._give(self._made(at, frozenset(restless)))
        return None

    def now(self, at: float) -> Observation:
        """What is known at a time, stable or not: for a screen that shows what the eye does."""
        return self._made(at, frozenset(name for name, place in self._places.items() if place.unsettled))

    # ---- votes

    def _vote(self, look: Observation, blind: bool) -> None:
        moving = look.moving
        found: dict[str, list[Sighting]] = {}
        for sighting in look.sightings:
            found.setdefault(sighting.space or OUTSIDE, []).append(sighting)
        names = self._places.keys() | found.keys() | look.hidden | look.doubtful
        if look.read is not None and not blind:
            names = {*look.read, *moving}
        for name in names:
            if name == OUTSIDE and blind:
                continue
            place = self._places.get(name)
            if place is None:
                place = self._places[name] = _Place()
            sightings = found.get(name, ())
            cover = None
            if blind or name in look.hidden:
                cover = Condition.HIDDEN
            elif name in look.doubtful:
                cover = Condition.DOUBTFUL
            if name in moving:
                cover, sightings = Condition.HIDDEN, ()
            self._news |= place.vote(_Vote.of(look.at, cover, sightings))
            if name in moving:
                place.since = look.at
            self._note_first(name, place, look.at)
        for place in () if blind else self._places.values():
            if place.clear and place.votes[-1].cover is None:
                place.seen_at = look.at

    def _note_first(self, name: str, place: _Place, at: float) -> None:
        """When each tag was first seen where it lies now."""
        before = self._first.get(name, {})
        shown = {p for vote in place.votes for p in vote.content} | set(place.known)
        self._first[name] = {payload: before.get(payload, at) for payload in shown}

    def _problems(self) -> tuple[Problem, ...]:
        """Problems that enough whole pictures have, in the words of the newest."""
        counts = Counter(kind for look in self._wholes for kind in {p.kind for p in look.problems})
        newest = {p.kind: p for look in self._wholes for p in look.problems}
        return tuple(p for kind, p in newest.items() if counts[kind] >= min(NEEDED, len(self._wholes)))

    def _foreign(self) -> tuple[str, ...]:
        """Codes not ours that enough whole pictures have."""
        looks = [Counter(look.foreign) for look in self._wholes]
        if len(looks) < NEEDED:
            return ()
        texts = {text for look in looks for text in look}
        held = {text: sorted((look[text] for look in looks), reverse=True)[NEEDED - 1] for text in texts}
        return tuple(sorted(Counter(held).elements()))

    # ---- the observation

    def _made(self, at: float, restless: frozenset[str]) -> Observation:
        sightings: list[Sighting] = []
        states: dict[str, SpaceState] = {}
        halfway = self._halfway()
        in_view = {
            (s.payload, name): self._first[name][s.payload]
            for name, place in self._places.items()
            for s in place.sightings
        }
        newest: dict[str, float] = {}
        for (payload, _), first in in_view.items():
            newest[payload] = max(first, newest.get(payload, first))
        for name, place in self._places.items():
            unsure = name in restless or len(place.votes) < NEEDED
            if not unsure:
                sightings += [s for s in place.sightings if (s.payload, name) not in halfway]
            if name == OUTSIDE:
                continue
            age = at - place.seen_at if place.seen_at is not None else 0.0
            sure = place.share()
            if place.clear and not unsure and name not in halfway.values():
                condition = Condition.HOLDS if place.known else Condition.EMPTY
                known = place.known
            else:
                condition = Condition.DOUBTFUL if place.clear else place.cover()
                # What has been seen elsewhere since is not under the hand any more.
                known = Counter(
                    {
                        p: n
                        for p, n in place.known.items()
                        if (p, name) in in_view or newest.get(p, -np.inf) <= (place.seen_at or -np.inf)
                    }
                )
                sure *= 0.5 ** (age / HALF_LIFE_S + 1) if place.seen_at is not None else 0.0
            states[name] = SpaceState(
                condition, tuple(sorted(known.elements())), round(age, 3), round(float(sure), 3)
            )
        sightings.sort(key=lambda s: (s.y_mm, s.x_mm, s.payload))
        return Observation(
            sightings=tuple(sightings),
            hidden=frozenset(n for n, s in states.items() if s.condition is Condition.HIDDEN),
            doubtful=frozenset(n for n, s in states.items() if s.condition is Condition.DOUBTFUL),
            foreign=self._foreign(),
            problems=self._problems(),
            at=at,
            order=self._order(sightings),
            spaces=states,
            stacked=self._stacked,
        )

    def _halfway(self) -> dict[tuple[str, str], str]:
        """Tags between the slots of a space that was not theirs, with the doubtful spaces.

        Keys are (payload, space where it is seen) and, where it came from a space it has left, (payload,
        that space); values are the space of the key.
        """
        out: dict[tuple[str, str], str] = {}
        before: dict[str, set[str]] = {}
        for sighting in self._given.sightings if self._given is not None else ():
            before.setdefault(sighting.payload, set()).add(sighting.space or OUTSIDE)
        for name, place in self._places.items():
            if not place.slotted:
                continue
            for sighting in place.sightings:
                homes = before.get(sighting.payload, set())
                if sighting.slot is not None or name in homes:
                    continue
                out[sighting.payload, name] = name
                for home in homes - {OUTSIDE}:
                    if not self._places[home].known[sighting.payload]:
                        out[sighting.payload, home] = home
        return out

    def _order(self, sightings: Sequence[Sighting]) -> tuple[str, ...]:
        """New tags in the order of their first sighting; those first seen together have no order."""
        new: dict[str, float] = {}
        for s in sightings:
            name = s.space or OUTSIDE
            if (s.payload, name) not in self._base:
                new[s.payload] = min(self._first[name][s.payload], new.get(s.payload, np.inf))
        alone = Counter(new.values())
        return tuple(sorted((p for p, at in new.items() if alone[at] == 1), key=new.__getitem__))

    def _give(self, made: Observation) -> Observation | None:
        if self._given is not None and _gist(made) == _gist(self._given):
            return None
        self._given = made
        return made


def _apart(one: Sighting, other: Sighting) -> float:
    return float(np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm))


def _gist(look: Observation) -> tuple[object, ...]:
    """What has to differ for an observation to be news."""
    return (
        Counter((s.payload, s.space, s.slot) for s in look.sightings),
        look.hidden,
        look.doubtful,
        look.foreign,
        _kinds(look.problems),
    )


def _kinds(problems: Iterable[Problem]) -> frozenset[str]:
    return frozenset(problem.kind for problem in problems)
