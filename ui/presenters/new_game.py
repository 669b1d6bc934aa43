"""A new game: what is played with what values, who sits where, by which house rules, who draws the cards.

The draft lives in the navigation's values and goes along to the keypad and the house rules and back.
"""

from __future__ import annotations

from typing import Any

import msgspec

from assistant.layout import SEAT_LETTERS
from ui.names import faults
from ui.presenters.elements import AnyElement, Badge, Button, Column, Page, Panel, Prompt, Row, Space, Text
from ui.presenters.intents import Ask, Go, Intent, Set
from ui.presenters.names import fault_words
from ui.presenters.nav import Nav
from ui.presenters.parts import signs
from ui.presenters.shown import PackFacts, Shown, TitleFacts

DRAFT = ("title", "pack", "players", "seats", "options", "machine_draws", "hidden_scores", "clocks")


def title_of(shown: Shown, nav: Nav) -> TitleFacts | None:
    """The title that is being set up."""
    wanted = nav.values.get("title")
    return next((title for title in shown.house.offered if title.id == wanted), None)


def draft(values: dict[str, Any]) -> dict[str, Any]:
    """The values of a draft alone."""
    return {key: value for key, value in values.items() if key in DRAFT}


def seats_of(title: TitleFacts, values: dict[str, Any]) -> dict[str, str]:
    """Names by seat; empty for one that has none."""
    low, high = title.seats
    players = min(max(int(values.get("players", high)), low), high)
    given = values.get("seats", {})
    return {letter: str(given.get(letter, "")) for letter in SEAT_LETTERS[:players]}


def on(nav: Nav, intent: Intent, shown: Shown) -> Nav | None:
    """ "Start over" forgets the draft."""
    if not isinstance(intent, Set) or not intent.values.get("over"):
        return None
    return msgspec.structs.replace(nav, values={"title": nav.values.get("title")}, explain="")


def _over(shown: Shown, values: dict[str, Any]) -> tuple[Button, ...]:
    """The button that forgets the draft, once there is one."""
    if not any(value for key, value in draft(values).items() if key != "title"):
        return ()
    text = shown.words.t("Start over")
    return (Button(id="over", text=text, icon="reload", kind="quiet", intent=Set({"over": True})),)


def page(shown: Shown, nav: Nav) -> Page:
    """The page."""
    t, title, values = shown.words.t, title_of(shown, nav), nav.values
    back = Button(id="back", text=t("Back"), icon="back", kind="quiet", intent=Go(""))
    if title is None:
        return Page(
            id="new_game",
            prompt=Prompt(t("This table does not play that"), signal="caution"),
            body=Space(),
            left=(back,),
        )
    seats = seats_of(title, values)
    wrong = [fault_words(shown.words, *each) for each in faults({s: name or s for s, name in seats.items()})]
    pack = _pack(title, values)
    facts = {
        "title": title.id,
        "pack": pack.id if pack is not None else "",
        "seats": seats,
        "options": dict(values.get("options", {})),
        "machine_draws": bool(values.get("machine_draws")) and title.has_deck and not title.hides,
        "hidden_scores": bool(values.get("hidden_scores")),
        "clocks": bool(values.get("clocks")),
    }
    # Where a mat is looked at, the check comes before play; nothing else has to be set up.
    begin = Go("readiness", {"begin": facts}) if title.has_mat else Ask("begin", {**facts, "set_up": True})
    amiss = _pack_fault(shown, pack)
    detail = shown.house.said or nav.explain or amiss or _provenance(shown, title, pack)
    return Page(
        id="new_game",
        top=Row(
            children=(
                Text(text=t(title.name), bold=True),
                Text(text=title.edition if title.has_mat else "", tone="text2", shrink=True),
                Space(grow=1),
                *signs(shown),
            ),
            gap=16,
            pad=16,
        ),
        prompt=Prompt(t("Who plays?"), detail, "clear" if not wrong else "caution"),
        body=Row(
            children=(_who(shown, title, seats, values), _how(shown, title, values, pack)), gap=20, pad=14
        ),
        left=(back, *_over(shown, values)),
        right=(
            Button(
                id="begin",
                text=t("Go on") if title.has_mat else t("Begin"),
                icon="arrow" if title.has_mat else "check",
                kind="paper",
                intent=None if wrong or amiss else begin,
                reason=" ".join(wrong) or amiss,
            ),
        ),
    )


def _pack(title: TitleFacts, values: dict[str, Any]) -> PackFacts | None:
    wanted = values.get("pack", title.default_pack)
    return next((pack for pack in title.packs if pack.id == wanted), title.packs[0] if title.packs else None)


def _pack_fault(shown: Shown, pack: PackFacts | None) -> str:
    """Why no game can begin with a pack; empty when one can."""
    if pack is None or pack.fault or not pack.fixture:
        return pack.fault if pack is not None else ""
    return shown.words.t("{pack} serves tests: it has too few cards to begin a game with.", pack=pack.title)


def _provenance(shown: Shown, title: TitleFacts, pack: PackFacts | None) -> str:
    t = shown.words.t
    if pack is None or not title.has_mat:
        # Without a box there are no values that could be the printed ones.
        return ""
    invented = t("its values are invented") if pack.invented else t("its values are the printed ones")
    return t("{pack}: {invented}.", pack=pack.title, invented=invented)


def _who(shown: Shown, title: TitleFacts, seats: dict[str, str], values: dict[str, Any]) -> Column:
    """How many, and each seat with its sign and name."""
    t = shown.words.t
    # Whoever sits out for now keeps the name.
    known = {**values.get("seats", {}), **seats}
    low, high = title.seats
    counts = tuple(
        Button(id=f"players:{n}", text=str(n), intent=Set({"players": n}), chosen=n == len(seats), w=72)
        for n in range(low, high + 1)
    )
    rows: list[AnyElement] = [
        Row(children=(Text(text=t("Players"), tone="text2"), Space(grow=1), *counts), gap=8)
    ]
    for seat, name in seats.items():
        child = Row(
            children=(
                Badge(seat=seat, side=48),
                Text(
                    text=name or t("Seat {seat}: name", seat=seat),
                    size="button",
                    bold=bool(name),
                    tone="text" if name else "text2",
                    grow=1,
                    shrink=True,
                ),
            ),
            gap=12,
        )
        rows.append(
            Panel(
                child=child,
                ground="sleeper",
                edge="rule",
                pad=8,
                id=f"seat:{seat}",
                intent=Go("names", {"seat": seat, "seats": known, "players": len(seats), "typed": name}),
            )
        )
    return Column(children=tuple(rows), gap=8, grow=1)


def _how(shown: Shown, title: TitleFacts, values: dict[str, Any], pack: PackFacts | None) -> Column:
    """Pack, house rules, cards, scores, clocks: each a line whose button changes it."""
    t = shown.words.t
    rows: list[AnyElement] = []
    if len(title.packs) > 1 and pack is not None:
        names = [each.id for each in title.packs]
        following = names[(names.index(pack.id) + 1) % len(names)]
        rows.append(
            _line(
                t("Values"), pack.title, Button(id="pack", text=t("Change"), intent=Set({"pack": following}))
            )
        )
    changed = len(changed_rules(shown, title, values))
    if title.switches:
        said = shown.words.n("{n} changed", "{n} changed", changed) if changed else t("as usual")
        rows.append(
            _line(
                t("House rules"),
                said,
                Button(
                    id="rules", text=t("Show"), intent=Go("house_rules", draft({**values, "title": title.id}))
                ),
            )
        )
    if title.hides:
        why = t("Hands are hidden, and all see this screen: the machine cannot hold them.")
        held = Button(id="machine_draws", text=t("Change"), reason=why)
        rows.append(_line(t("Cards"), t("held and drawn by hand"), held))
    elif title.has_deck:
        machine = bool(values.get("machine_draws"))
        rows.append(
            _toggle(shown, "machine_draws", t("Cards"), machine, t("the machine draws"), t("drawn by hand"))
        )
    hidden = bool(values.get("hidden_scores"))
    rows.append(_toggle(shown, "hidden_scores", t("Scores"), hidden, t("hidden until the end"), t("shown")))
    clocks = bool(values.get("clocks"))
    rows.append(_toggle(shown, "clocks", t("Clocks"), clocks, t("on"), t("off")))
    return Column(children=tuple(rows), gap=8, grow=1)


def _toggle(shown: Shown, key: str, words: str, on: bool, if_on: str, if_off: str) -> Row:
    button = Button(id=key, text=shown.words.t("Change"), intent=Set({key: not on}))
    return _line(words, if_on if on else if_off, button)


def _line(words: str, value: str, button: Button) -> Row:
    texts = Column(
        children=(Text(text=words, size="note", tone="text2"), Text(text=value, bold=True, shrink=True)),
        gap=0,
        grow=1,
    )
    return Row(children=(texts, button), gap=12)


def changed_rules(shown: Shown, title: TitleFacts, values: dict[str, Any]) -> dict[str, str | bool]:
    """House rules that differ from the title's own, by name."""
    own = {**shown.house.switches.get(title.id, {}), **values.get("options", {})}
    return {s.name: own[s.name] for s in title.switches if s.name in own and own[s.name] != s.values[0]}
