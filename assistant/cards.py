"""Knowing and not knowing: cards by name where they are known, by number where they are not.

One owner's cards lie in *zones* (deck, hand, discard). A zone holds named cards, with their position where
that is known, and a number of unnamed ones. The unnamed cards of all zones of an owner share one known
multiset, the *pool*: it is known which cards they are, not which lies where. A name may be a kind of card of
which there are several, or a single card.

A named card can be known to some seats only (`Known.to`): a peek, a virtual hand. `seen_by` makes what a
viewer may know, and gives the same for two states that differ only in what the viewer does not know.
Therefore who learns a position in secret takes from the others which named cards still lie in that zone.

Positions count from the top, 0 first. All functions are pure. They raise `Impossible` for what cannot be the
case; `may_hold` and `may_lie_at` ask beforehand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Literal

import msgspec

Seats = tuple[str, ...]
Where = Literal["top", "under", "anywhere"]


_BY_CARD = attrgetter("card")


class Impossible(ValueError):
    """Cards cannot lie as somebody says."""


class Known(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A named card: its position from the top where known, and the seats that know it (None: everyone)."""

    card: str
    at: int | None = None
    to: Seats | None = None


class Zone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The cards in one place. `named` sorts itself, by position, then name: equal zones are equal."""

    named: tuple[Known, ...] = ()
    unnamed: int = 0

    def __post_init__(self) -> None:
        named = self.named
        last, to, ordered = "", named[0].to if named else None, True
        for known in named:
            if known.at is not None or known.to != to:
                break
            ordered = ordered and last <= known.card
            last = known.card
        else:
            # The usual zone: no positions, and all known to the same seats.
            if not ordered:
                msgspec.structs.force_setattr(self, "named", tuple(sorted(named, key=_BY_CARD)))
            return
        # Equal keys belong to equal cards, so either may stand first.
        msgspec.structs.force_setattr(self, "named", tuple(sorted(named, key=_order)))

    @property
    def size(self) -> int:
        """Number of cards."""
        return len(self.named) + self.unnamed

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the named cards."""
        return tuple(known.card for known in self.named)


class Cards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All cards of one owner: zones by name, and the pool of the unnamed ones (name to number, no zeros).

    Its JSON form is fit for a position.
    """

    zones: dict[str, Zone]
    pool: dict[str, int] = {}

    def __getitem__(self, zone: str) -> Zone:
        return self.zones[zone]


def of(zones: Iterable[str], pile: str, cards: Iterable[str]) -> Cards:
    """All cards face down in `pile`, the other zones empty. The set is known, so they are named there."""
    start = {zone: Zone() for zone in (*zones, pile)}
    known = tuple(Known(card) for card in cards)
    return Cards({**start, pile: Zone(tuple(known))})


def owned(cards: Cards) -> Counter[str]:
    """The multiset of all the owner's cards: no move within the zones changes it."""
    out = Counter(cards.pool)
    for zone in cards.zones.values():
        out.update(zone.names)
    return out


# Asking.


def may_hold(cards: Cards, zone: str, wanted: Iterable[str]) -> bool:
    """Whether all of `wanted` can lie in the zone at once, as far as is known."""
    here = cards.zones[zone]
    missing = Counter(wanted) - Counter(here.names)
    return missing.total() <= here.unnamed and all(
        cards.pool.get(card, 0) >= count for card, count in missing.items()
    )


def may_lie_at(cards: Cards, zone: str, wanted: Sequence[str], at: int = 0) -> bool:
    """Whether the cards `wanted` can lie one below the other from position `at`."""
    try:
        for place, card in enumerate(wanted, at):
            cards = _revealed(cards, zone, card, place, None)
    except Impossible:
        return False
    return True


def candidates(cards: Cards, zone: str) -> tuple[str, ...]:
    """Names, sorted, of which the zone may hold at least one card."""
    here = cards.zones[zone]
    return tuple(sorted({*here.names, *(cards.pool if here.unnamed else ())}))


def faults(cards: Cards) -> list[str]:
    """What is impossible about the numbers and positions, one line each; empty when sound."""
    out = []
    unnamed = sum(zone.unnamed for zone in cards.zones.values())
    if unnamed != sum(cards.pool.values()):
        out.append(f"{unnamed} unnamed cards, but the pool has {sum(cards.pool.values())}")
    out += [f"the pool has {count} of {card}" for card, count in cards.pool.items() if count < 1]
    for name, zone in cards.zones.items():
        if zone.unnamed < 0:
            out.append(f"{name} has {zone.unnamed} unnamed cards")
        places = [known.at for known in zone.named if known.at is not None]
        if len(set(places)) != len(places):
            out.append(f"{name} has two cards at one position")
        out += [f"{name} has no position {at}" for at in places if not 0 <= at < zone.size]
    return out


def seen_by(cards: Cards, viewer: str) -> Cards:
    """The cards as one seat may know them; any other name means what everyone may know."""
    pool = Counter(cards.pool)
    zones = {}
    for name, zone in cards.zones.items():
        known = tuple(card for card in zone.named if card.to is None or viewer in card.to)
        pool.update(card.card for card in zone.named if card not in known)
        plain = tuple(msgspec.structs.replace(card, to=None) for card in known)
        zones[name] = Zone(plain, zone.size - len(known))
    return settled(Cards(zones, dict(sorted(pool.items()))))


# Moving and learning. Every function gives the cards afterwards.


def reveal(cards: Cards, zone: str, card: str, at: int | None = None, to: Seats | None = None) -> Cards:
    """A card of the zone is named, at position `at` if that is known; the pool loses it.

    `to` are the seats that learn it (None: everyone); a card that only others knew becomes known to them as
    well. Without a position every call names one more card; with one, naming it again changes nothing.
    Impossible when it cannot lie there.
    """
    return settled(_revealed(cards, zone, card, at, to))


def reveal_all(cards: Cards, zone: str, names: Sequence[str]) -> Cards:
    """Several cards of the zone are named for everyone, as by one `reveal` after the other."""
    here = cards.zones[zone]
    knowers = {known.to for known in here.named if known.to is not None}
    if len(knowers) > 1 or any(known.at is not None for known in here.named):
        for name in names:
            # Once nothing is left to learn all of them are named.
            if cards.zones[zone].unnamed or _secret(cards.zones[zone]):
                cards = reveal(cards, zone, name)
        return cards
    # One seat knows no less of the others by what everyone learns, so that all can be named at once.
    named, unnamed, pool = list(here.named), here.unnamed, cards.pool
    for name in names:
        for place, known in enumerate(named):
            if known.card == name and known.to is not None:
                named[place] = Known(name)
                break
        else:
            if not unnamed or not pool.get(name):
                raise Impossible(f"{name} cannot lie in {zone}")
            named.append(Known(name))
            unnamed -= 1
            pool = _less(pool, name)
    return settled(_with(Cards(cards.zones, pool), zone, Zone(tuple(named), unnamed)))


def draw(
    cards: Cards,
    source: str,
    target: str,
    count: int,
    names: Sequence[str] = (),
    to: Seats | None = None,
) -> Cards:
    """Cards go from the top of one zone to another, where they have no position.

    `names` says which they are, top first, as far as somebody says; `to` are the seats that see them (None:
    everyone sees those that are said). Named cards of unknown position can be among those drawn or not:
    unless all are drawn, or each is said, they become unnamed. Impossible when there are not so many, or
    not these.
    """
    size = cards.zones[source].size
    if count > size or len(names) > count:
        raise Impossible(f"{source} has {size} cards, not {max(count, len(names))}")
    if len(names) == count and (drawn := _drawn(cards, source, target, names, to)) is not None:
        return drawn
    for place, card in enumerate(names):
        cards = _revealed(cards, source, card, place, to)
    certain = sum(known.at is not None and known.at < count for known in cards.zones[source].named)
    if count < size and certain < count:
        cards = _unnamed(cards, source)
    here, there = cards.zones[source], cards.zones[target]
    gone: list[Known] = []
    left: list[Known] = []
    for known in here.named:
        if count == size or (known.at is not None and known.at < count):
            said = to is not None or (known.at is not None and known.at < len(names))
            gone.append(Known(known.card, None, _joined(known.to, to) if said else known.to))
        elif known.at is None:
            left.append(known)
        else:
            left.append(Known(known.card, known.at - count, known.to))
    unnamed = count - len(gone)
    zones = {
        **cards.zones,
        source: Zone(tuple(left), here.unnamed - unnamed),
        target: Zone((*there.named, *gone), there.unnamed + unnamed),
    }
    return settled(Cards(zones, cards.pool))


def _drawn(cards: Cards, source: str, target: str, names: Sequence[str], to: Seats | None) -> Cards | None:
    """`draw` where every card is said and no position is known in the source: the usual case, at once.

    None where it is another case, or impossible.
    """
    if source == target:
        return None
    here, there = cards.zones[source], cards.zones[target]
    left = []
    for known in here.named:
        if known.at is not None or (known.to is not None and known.to != to):
            return None
        # Who draws in secret takes from the others what they knew of the rest.
        left.append(known if known.to == to else Known(known.card, None, to))
    unnamed, pool = here.unnamed, cards.pool
    for name in names:
        for place, known in enumerate(left):
            if known.card == name:
                del left[place]
                break
        else:
            if not unnamed or not pool.get(name):
                return None
            unnamed -= 1
            pool = _less(pool, name)
    gone = [Known(name, None, to) for name in names]
    zones = {
        **cards.zones,
        source: Zone(tuple(left), unnamed),
        target: Zone((*there.named, *gone), there.unnamed),
    }
    return settled(Cards(zones, pool))


def move(
    cards: Cards,
    source: str,
    target: str,
    card: str,
    where: Where = "anywhere",
    to: Seats | None = None,
) -> Cards:
    """One card, named by whoever moves it, goes from a zone to another.

    With `to` only those seats see which; the others then no longer know what was named in `source`.
    """
    return put(_without(cards, source, card, to), target, card, where, to)


def slip(cards: Cards, source: str, target: str, where: Where = "anywhere") -> Cards:
    """One card goes from a zone without order to another, and nobody says which."""
    if cards.zones[source].size > 1:
        cards = _unnamed(cards, source)
    here = cards.zones[source]
    if here.named:
        return move(cards, source, target, here.named[0].card, where, here.named[0].to)
    if not here.unnamed:
        raise Impossible(f"{source} has no card")
    there = _opened(cards.zones[target], where)
    zones = {**cards.zones, source: Zone((), here.unnamed - 1)}
    zones[target] = Zone(there.named, there.unnamed + 1)
    return settled(Cards(zones, cards.pool))


def take(cards: Cards, zone: str, card: str, to: Seats | None = None) -> Cards:
    """A card leaves its zone, seen by `to` (None: everyone). Impossible when it cannot lie there."""
    return settled(_without(cards, zone, card, to))


def put(cards: Cards, zone: str, card: str, where: Where = "anywhere", to: Seats | None = None) -> Cards:
    """A named card comes into a zone: on top, under it, or where no order is kept."""
    here = _opened(cards.zones[zone], where)
    at = {"top": 0, "under": here.size, "anywhere": None}[where]
    return settled(_with(cards, zone, Zone((*here.named, Known(card, at, to)), here.unnamed)))


def gather(cards: Cards, target: str, *sources: str) -> Cards:
    """All cards of the source zones go to another zone, without an order. Nobody learns or forgets a name."""
    zones = dict(cards.zones)
    named: list[Known] = list(zones[target].named)
    unnamed = zones[target].unnamed
    for source in sources:
        named += [
            known if known.at is None else Known(known.card, None, known.to) for known in zones[source].named
        ]
        unnamed += zones[source].unnamed
        zones[source] = Zone()
    zones[target] = Zone(tuple(named), unnamed)
    return Cards(zones, cards.pool)


def show(cards: Cards, zone: str, to: Seats | None = None) -> Cards:
    """The named cards of a zone become known to more seats (None: everyone), say when they are laid open."""
    here = cards.zones[zone]
    if not _secret(here):
        return settled(cards)
    shown = (Known(known.card, known.at, _joined(known.to, to)) for known in here.named)
    return settled(_with(cards, zone, Zone(tuple(shown), here.unnamed)))


def shuffle(cards: Cards, pile: str) -> Cards:
    """The pile is shuffled: its named cards return to the pool, and no position is known."""
    return settled(_unnamed(cards, pile, placed=True))


def settled(cards: Cards) -> Cards:
    """When all cards that not everyone can name lie in one zone they are named there, for everyone.

    Their order stays unknown; where some seat knows a position in secret nothing is said (`seen_by` says it).
    """
    unknown = ""
    for name, zone in cards.zones.items():
        if zone.unnamed or _secret(zone):
            if unknown:
                return cards
            unknown = name
    if not unknown:
        return cards
    here = cards.zones[unknown]
    if any(known.to is not None and known.at is not None for known in here.named):
        return cards
    fresh = [Known(card) for card, count in cards.pool.items() for _ in range(count)]
    named = [Known(known.card, known.at) for known in here.named]
    return Cards({**cards.zones, unknown: Zone((*named, *fresh))})


def parts(count: int, pile: int) -> tuple[int, int]:
    """How a reveal of `count` cards is met around a shuffle: from the pile as it is, and after it."""
    return min(count, pile), max(0, count - pile)


# Inside.


def _secret(zone: Zone) -> bool:
    """Whether some card of a zone is known to some seats only."""
    for known in zone.named:  # noqa: SIM110 - asked of every zone after every change
        if known.to is not None:
            return True
    return False


def _order(known: Known) -> tuple[bool, int, str, bool, Seats]:
    return known.at is None, known.at or 0, known.card, known.to is not None, known.to or ()


def _rank(known: Known) -> tuple[bool, bool]:
    """Which of several copies is meant: the one most widely known, so that it depends on no secret."""
    return known.to is not None, known.at is not None


def _revealed(cards: Cards, zone: str, card: str, at: int | None, to: Seats | None) -> Cards:
    """`reveal`, unsettled: in the middle of something else nothing may be concluded yet."""
    here = cards.zones[zone]
    if at is not None:
        if not 0 <= at < here.size:
            raise Impossible(f"{zone} has no position {at}")
        for known in here.named:
            if known.at == at:
                if known.card != card:
                    raise Impossible(f"position {at} of {zone} holds {known.card}, not {card}")
                return _replaced(cards, zone, known, Known(card, at, _joined(known.to, to)))
        if to is not None:
            cards = _narrowed(cards, zone, to)
            here = cards.zones[zone]
        same = [known for known in here.named if known.card == card and known.at is None]
    else:
        same = [k for k in here.named if k.card == card and k.to != _joined(k.to, to)]
    if same:
        old = min(same, key=_rank)
        new = Known(card, old.at if at is None else at, _joined(old.to, to))
        cards = _replaced(cards, zone, old, new)
        return _doubted(cards, zone, old, new, to)
    if not here.unnamed or not cards.pool.get(card):
        raise Impossible(f"{card} cannot lie in {zone}")
    named = (*here.named, Known(card, at, to))
    pool = _less(cards.pool, card)
    return _with(Cards(cards.zones, pool), zone, Zone(named, here.unnamed - 1))


def _without(cards: Cards, zone: str, card: str, to: Seats | None) -> Cards:
    """`take`, unsettled: while a card is nowhere nothing may be concluded from what is left."""
    if to is not None:
        cards = _narrowed(cards, zone, to)
    if card not in cards.zones[zone].names:
        cards = _revealed(cards, zone, card, None, to)
    here = cards.zones[zone]
    gone = min((known for known in here.named if known.card == card), key=_rank)
    cards = _doubted(cards, zone, gone, gone, to)
    here = cards.zones[zone]
    rest = list(here.named)
    rest.remove(gone)
    left = []
    for known in rest:
        # Positions below the gap move up; if nobody knows where the gap is, nobody knows them.
        at = None if known.at is None or gone.at is None else known.at - (known.at > gone.at)
        left.append(Known(known.card, at, known.to))
    return _with(cards, zone, Zone(tuple(left), here.unnamed))


def _with(cards: Cards, zone: str, content: Zone) -> Cards:
    return Cards({**cards.zones, zone: content}, cards.pool)


def _less(pool: Mapping[str, int], card: str) -> dict[str, int]:
    return {name: count - (name == card) for name, count in pool.items() if name != card or count > 1}


def _joined(first: Seats | None, second: Seats | None) -> Seats | None:
    return None if first is None or second is None else tuple(sorted({*first, *second}))


def _meet(first: Seats | None, second: Seats) -> Seats:
    return second if first is None else tuple(seat for seat in first if seat in second)


def _opened(zone: Zone, where: Where) -> Zone:
    """The zone with its positions ready for one more card."""
    if where != "top":
        return zone
    moved = (k if k.at is None else Known(k.card, k.at + 1, k.to) for k in zone.named)
    return Zone(tuple(moved), zone.unnamed)


def _replaced(cards: Cards, zone: str, old: Known, new: Known) -> Cards:
    here = cards.zones[zone]
    rest = list(here.named)
    rest.remove(old)
    return _with(cards, zone, Zone((*rest, new), here.unnamed))


def _doubted(cards: Cards, zone: str, old: Known, kept: Known, to: Seats | None) -> Cards:
    """A card of this name was seen by `to`: who had known not this copy but another now knows one less."""
    if old.to is None:
        return cards
    named = list(cards.zones[zone].named)
    named.remove(kept)
    others = {seat for k in named if k.card == old.card for seat in k.to or ()}.difference(old.to)
    if to is not None:
        others.intersection_update(to)
    if not others:
        return cards
    pool = Counter(cards.pool)
    for seat in sorted(others):
        copy = min((k for k in named if k.card == old.card and seat in (k.to or ())), key=_rank)
        named.remove(copy)
        if left := tuple(other for other in copy.to or () if other != seat):
            named.append(Known(copy.card, copy.at, left))
        else:
            pool[copy.card] += 1
    size = cards.zones[zone].size
    named.append(kept)
    return _with(Cards(cards.zones, dict(sorted(pool.items()))), zone, Zone(tuple(named), size - len(named)))


def _unnamed(cards: Cards, zone: str, placed: bool = False) -> Cards:
    """Named cards of unknown position (`placed`: all) return to the pool."""
    here = cards.zones[zone]
    left = () if placed else tuple(known for known in here.named if known.at is not None)
    pool = Counter(cards.pool)
    pool.update(known.card for known in here.named if placed or known.at is None)
    whole = Cards(cards.zones, dict(sorted(pool.items())))
    return _with(whole, zone, Zone(left, here.size - len(left)))


def _narrowed(cards: Cards, zone: str, to: Seats) -> Cards:
    """Of the named cards of unknown position only `to` still know that they lie here."""
    here = cards.zones[zone]
    pool = Counter(cards.pool)
    named = []
    for known in here.named:
        knowers = known.to if known.at is not None else _meet(known.to, to)
        if knowers == ():
            pool[known.card] += 1
        else:
            named.append(Known(known.card, known.at, knowers))
    whole = Cards(cards.zones, dict(sorted(pool.items())))
    return _with(whole, zone, Zone(tuple(named), here.size - len(named)))
