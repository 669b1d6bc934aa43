"""Choosing among what is offered, one thing after the other: the same for touch, buttons and keys.

A `Choice` is what one seat can answer now: the camera's proposal, a question of the table (an undo that
needs consent), the offers of the rules, or the values of the next blank of an opened form. A cursor stands
on at most one option: plus moves it, OK takes what it stands on; a touch points or takes by index. Choices
are numbered: an answer to an earlier number is dropped, so that one tap is one action.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Generic, Literal, TypeVar

import msgspec

from assistant.actions import TABLE, Action
from assistant.display import Foresight
from assistant.game import Acting, Game
from assistant.offers import Form, Offer, Value

S = TypeVar("S")

FORESEEN = 64
"""Options of one seat at most whose effect is foretold before anybody points at them."""

Role = Literal["offer", "form", "value", "back", "accept", "dismiss", "agree", "decline", "told"]


class Option(msgspec.Struct, frozen=True):
    """One thing that can be taken.

    "offer": `action` is done. "form": `kind` is opened and filled blank by blank (`value` is the card that it
    is about, where the form says so). "value": `value` of the
    next blank (then `action` is the action it completes to, if it is the last). "back": one blank back.
    "accept" and "dismiss" answer the camera (`value` is the number of the explanation, `actions` what it
    would record); "agree" and "decline" answer what the table asks, "told" says that all is done which had to
    be done by hand before. `places` are the spaces concerned, `values` what a label may say besides the
    fields of the action (`Game.labelled`; the space of a form).
    """

    role: Role
    kind: str = ""
    action: Action | None = None
    value: Any = None
    actions: tuple[Action, ...] = ()
    places: tuple[str, ...] = ()
    free: bool = False
    locks: bool = False
    ends: bool = False
    foresight: Foresight | None = None
    values: dict[str, Any] = {}


class Choice(msgspec.Struct, frozen=True):
    """What one seat can answer now.

    `why` is a catalogue key of the table `why`, empty for a seat that is not asked and only has free
    actions. `kind` and `filled` are the form that is open and its values so far. `at` is the index of the
    option the cursor stands on, None for none.
    """

    id: int
    seat: str
    why: str
    options: tuple[Option, ...]
    at: int | None = None
    kind: str = ""
    filled: tuple[Any, ...] = ()

    @property
    def chosen(self) -> Option | None:
        """The option under the cursor."""
        return None if self.at is None else self.options[self.at]


class _Root(msgspec.Struct, frozen=True):
    """What the rules offer a seat in one state: options, and the forms behind some of them by index."""

    options: tuple[Option, ...] = ()
    forms: dict[int, Form] = {}


class _Desk:
    """What is kept of one seat between views."""

    def __init__(self, seat: str) -> None:
        self.seat = seat
        self.root = _Root()
        self.open: int | None = None
        """Index of the form that is open."""
        self.blanks: list[tuple[Value, ...]] = []
        """What was filled when each blank of it was asked, the one that is asked now last."""
        self.key: tuple[Any, ...] = ()
        """Everything that a new number depends on."""
        self.used = False
        """The number was answered: the same options need a new one."""
        self.id = 0
        self.at: int | None = None
        self.choice: Choice | None = None
        self.told: set[int] = set()
        """Indices of options whose effect was worked out, and -1 once that was begun."""

    @property
    def form(self) -> Form | None:
        """The form that is open."""
        return None if self.open is None else self.root.forms[self.open]

    def close(self) -> None:
        """Leave the form."""
        self.open, self.blanks = None, []


class Chooser(Generic[S]):
    """The choices of all seats at one table. `look` makes them; the other methods answer them.

    `foresee` says what actions would do in a state, one after the other, or None where that cannot be said.
    """

    def __init__(self, game: Game[S], foresee: Callable[[S, Sequence[Action]], Foresight | None]) -> None:
        self._game = game
        self._foresee = foresee
        self._desks = {seat: _Desk(seat) for seat in game.seats}
        self._count = 0
        self._state: S | None = None
        self._spaces: frozenset[str] | None = None
        self.choices: tuple[Choice, ...] = ()

    # Making ---------------------------------------------------------------------------------------

    def look(
        self,
        state: S,
        acting: Sequence[Acting],
        before: Mapping[str, tuple[Option, ...]],
        alone: Collection[str] = (),
    ) -> tuple[Choice, ...]:
        """The choices in a state. `before` are options that come before a seat's own (answers to the camera
        or to the table); seats in `alone` get nothing else."""
        if state is not self._state:
            self._state = state
            for desk in self._desks.values():
                self._renew(desk, state)
        whys: dict[str, str] = {}
        for asked in acting:
            whys.setdefault(asked.seat, asked.why)
        order = [seat for seat in whys if seat != TABLE]
        order += [seat for seat in self._desks if seat not in whys]
        made = [
            self._choice(self._desks[seat], state, whys.get(seat, ""), before.get(seat, ()), seat in alone)
            for seat in order
        ]
        self.choices = tuple(choice for choice in made if choice is not None)
        return self.choices

    def _renew(self, desk: _Desk, state: S) -> None:
        """Take in a new state. A form stays open where the same form is offered and its values still fit."""
        old, desk.root, desk.choice = desk.root, self._root(state, desk.seat), None
        if desk.open is None:
            return
        form, kept = desk.root.forms.get(desk.open), old.options[desk.open]
        if form is None or desk.root.options[desk.open] != kept or not _fits(form, desk.blanks[-1]):
            desk.close()

    def _root(self, state: S, seat: str) -> _Root:
        options: list[Option] = []
        forms: dict[int, Form] = {}
        for offer in self._game.offers(state, seat):
            option = self._option(state, offer)
            if option.role == "form":
                assert isinstance(offer, Form)
                forms[len(options)] = offer
            options.append(option)
        return _Root(tuple(options), forms)

    def _option(self, state: S, offer: Offer) -> Option:
        """An offer as an option. A form that can be filled in one way only is that action."""
        action = offer
        if isinstance(offer, Form):
            filled = _by_itself(offer, ())
            if offer.domain(filled) is not None:
                about = offer.about
                return Option(
                    "form",
                    offer.kind,
                    value=getattr(offer, "card", None),
                    places=tuple(about.values()),
                    free=offer.free,
                    values=about,
                )
            action = offer.make(filled)
        assert isinstance(action, Action)
        kind = type(action)
        return Option(
            "offer",
            action.kind,
            action,
            places=action.spaces,
            free=kind.free,
            locks=kind.locks,
            ends=kind.ends,
            values=dict(self._game.labelled(state, action)),
        )

    def _values(self, desk: _Desk) -> tuple[Option, ...]:
        """Options of the blank that is asked."""
        form, filled = desk.form, desk.blanks[-1]
        assert form is not None
        options = []
        for value in form.domain(filled) or ():
            full = _by_itself(form, (*filled, value))
            action = form.make(full) if form.domain(full) is None else None
            places = (value,) if isinstance(value, str) and value in self._on_mat() else ()
            options.append(Option("value", form.kind, action, value, places=places))
        return (*options, Option("back", form.kind))

    def _on_mat(self) -> frozenset[str]:
        if self._spaces is None:
            try:
                self._spaces = frozenset(space.id for space in self._game.mat().spaces)
            except LookupError:
                self._spaces = frozenset()
        return self._spaces

    def _choice(
        self, desk: _Desk, state: S, why: str, before: tuple[Option, ...], alone: bool
    ) -> Choice | None:
        """A seat's choice; its number is new when anything but the cursor and what is foretold differs."""
        filled = desk.blanks[-1] if desk.blanks and not alone else ()
        key = (why, before, alone, desk.open, filled)
        if desk.choice is not None and not desk.used and key == desk.key[:-1]:
            return self._pointed(desk, state)
        own = () if alone else desk.root.options if desk.open is None else self._values(desk)
        options = before + own
        kind = "" if desk.form is None or alone else desk.form.kind
        whole = (*key, options)
        if desk.used or whole != desk.key:
            self._count += 1
            desk.id, desk.at = self._count, _first(options)
        desk.used, desk.key, desk.told = False, whole, set()
        desk.choice = Choice(desk.id, desk.seat, why, options, desk.at, kind, filled) if options else None
        return self._pointed(desk, state)

    def _pointed(self, desk: _Desk, state: S) -> Choice | None:
        """The choice with the cursor where it is, and what the options would do as far as that is wanted."""
        choice = desk.choice
        if choice is None:
            return None
        if choice.at != desk.at or not desk.told:
            options = self._foretold(desk, state, choice)
            desk.choice = choice = msgspec.structs.replace(choice, options=options, at=desk.at)
        return choice

    def _foretold(self, desk: _Desk, state: S, choice: Choice) -> tuple[Option, ...]:
        """The options, with what they would do: all places and bids of a seat that is asked, and what the
        cursor stands on. Each is worked out once."""
        told, options = desk.told, list(choice.options)
        auction = any(option.locks for option in options)
        wanted = [] if desk.at is None else [desk.at]
        if choice.why and not told:
            wanted += [n for n, o in enumerate(options) if o.places or (auction and not o.free)][:FORESEEN]
        for index in wanted:
            option = options[index]
            actions = option.actions if option.action is None else (option.action,)
            if actions and index not in told:
                foresight = self._foresee(state, actions)
                options[index] = msgspec.structs.replace(option, foresight=foresight)
            told.add(index)
        told.add(-1)
        return tuple(options)

    # Answering ------------------------------------------------------------------------------------

    def find(self, number: int) -> Choice | None:
        """The choice of that number, unless it is answered or out of date."""
        for choice in self.choices:
            if choice.id == number and not self._desks[choice.seat].used:
                return choice
        return None

    def of(self, seat: str) -> Choice | None:
        """What a seat can answer now."""
        return next((c for c in self.choices if c.seat == seat and not self._desks[seat].used), None)

    def point(self, choice: Choice, index: int | None) -> None:
        """Put the cursor on an option."""
        self._desks[choice.seat].at = index

    def plus(self, choice: Choice) -> None:
        """Move the cursor on, round and round. It passes by what locks in as long as there is anything else
        to take that is not free."""
        options, desk = choice.options, self._desks[choice.seat]
        skip = any(not option.free and not option.locks for option in options)
        stops = [n for n, option in enumerate(options) if not (skip and option.locks)]
        here = -1 if desk.at is None else desk.at
        desk.at = next((n for n in stops if n > here), stops[0])

    def take(self, choice: Choice, index: int) -> Option | None:
        """Take an option: opening a form and filling it is done here, anything else is for the caller to do
        and returned. Either way the number is answered."""
        desk, option = self._desks[choice.seat], choice.options[index]
        desk.used = True
        if option.role == "form":
            desk.open = index - (len(choice.options) - len(desk.root.options))
            form = desk.form
            assert form is not None
            desk.blanks = [_by_itself(form, ())]
        elif option.role == "back":
            self._back(desk)
        elif option.role == "value" and option.action is None:
            form = desk.form
            assert form is not None
            desk.blanks.append(_by_itself(form, (*desk.blanks[-1], option.value)))
        else:
            return option
        return None

    def back(self, choice: Choice, to: int | None = None) -> None:
        """One blank back, or as many as it takes until only `to` values are left; out of the form from its
        first one. Nothing where no form is open."""
        desk = self._desks[choice.seat]
        if not desk.blanks:
            return
        desk.used = True
        self._back(desk)
        while to is not None and desk.blanks and len(desk.blanks[-1]) > to:
            self._back(desk)

    def _back(self, desk: _Desk) -> None:
        desk.blanks.pop()
        if not desk.blanks:
            desk.close()

    def done(self, seat: str) -> None:
        """Something of this seat was recorded: its form is closed and its number answered."""
        if seat in self._desks:
            self._desks[seat].close()
            self._desks[seat].used = True

    def locking(self, seat: str) -> Action | None:
        """The action by which a seat locks in what stands."""
        return next((o.action for o in self._desks[seat].root.options if o.locks), None)

    def ending(self, seat: str) -> Action | None:
        """The action by which a seat ends its turn."""
        return next((o.action for o in self._desks[seat].root.options if o.ends), None)


def _first(options: tuple[Option, ...]) -> int | None:
    """Where the cursor stands at first: on an answer to the camera or the table, in an auction, and on the
    only thing to do; elsewhere nothing is done by OK before somebody pointed. So it is too where OK would say
    that hands have done something."""
    if not options or options[0].role == "told":
        return None
    main = [option for option in options if not option.free and option.role != "back"]
    if options[0].role in ("accept", "agree") or any(option.locks for option in options) or len(main) == 1:
        return next((n for n, option in enumerate(options) if not option.free), 0)
    return None


def _by_itself(form: Form, filled: tuple[Value, ...]) -> tuple[Value, ...]:
    """What is filled once blanks with one value have filled themselves."""
    while (domain := form.domain(filled)) is not None and len(domain) == 1:
        filled = (*filled, domain[0])
    return filled


def _fits(form: Form, filled: tuple[Value, ...]) -> bool:
    """Whether values can still be filled in, with something left to fill."""
    for index, value in enumerate(filled):
        domain = form.domain(filled[:index])
        if domain is None or value not in domain:
            return False
    return bool(form.domain(filled))
