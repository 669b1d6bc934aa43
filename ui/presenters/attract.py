"""The first screen: what this table plays, what waits, and two uses that need no game set up."""

from __future__ import annotations

from ui.presenters import vitals
from ui.presenters.elements import (
    AnyElement,
    Badge,
    Button,
    Column,
    Icon,
    Page,
    Panel,
    Row,
    Rule,
    Space,
    Text,
)
from ui.presenters.intents import Ask, Go, Set
from ui.presenters.nav import Nav
from ui.presenters.parts import leaf, signs
from ui.presenters.shown import ParkedFacts, Shown, TitleFacts
from ui.presenters.words import LANGUAGES

A_PAGE = 3
JUDGE = "auction"
ICONS = {"railway_boom": "locomotive", "trains": "rails", "russian_railroads": "house", JUDGE: "gavel"}


def page(shown: Shown, nav: Nav) -> Page:
    """The page."""
    t, house = shown.words.t, shown.house
    played = [title for title in house.offered if title.id != JUDGE]
    shelf = leaf(len(played), A_PAGE, nav.values.get("page"))
    if nav.values.get("parked"):
        return _all_parked(shown, nav)
    small = shown.metrics.small
    gap = 16 if small else 20
    children: list[AnyElement] = [
        Row(
            children=(
                Column(
                    children=(
                        Text(text="Stationmaster", size="title", bold=True),
                        Text(
                            text=house.said
                            or nav.explain
                            or t(
                                "{table} keeps the rules and the score. Your pieces stay on the table.",
                                table=house.name,
                            ),
                            tone="text2",
                            shrink=True,
                            # Beside a warning there is less room.
                            lines=3 if vitals.warnings(shown) else 2,
                        ),
                    ),
                    gap=4,
                    grow=1,
                ),
                _language(shown),
                *signs(shown, bar=False),
            ),
            gap=16,
        ),
        Rule(thick=3, stops=shelf.end - shelf.first + 1, gap=gap),
        Row(
            children=(
                *(_title(shown, title) for title in played[shelf.first : shelf.end]),
                _uses(shown),
            ),
            gap=gap,
            grow=1,
        ),
        _waiting(shown, shelf.number, shelf.of),
    ]
    return Page(id="attract", body=Column(children=tuple(children), gap=12 if small else 16, pad=24))


def _title(shown: Shown, title: TitleFacts) -> Panel:
    t = shown.words.t
    low, high = title.seats
    pack = next((p for p in title.packs if p.id == title.default_pack), None)
    lines: list[AnyElement] = [
        Icon(name=ICONS.get(title.id, "book"), side=44, tone="paper"),
        Text(text=t(title.name), size="prompt", bold=True, shrink=True, lines=2),
        Text(text=t("{low} to {high} players", low=low, high=high), tone="text2"),
    ]
    if pack is not None:
        lines.append(Text(text=pack.title, tone="text2", shrink=True))
        if pack.invented:
            lines.append(Text(text=t("Invented values"), size="note", tone="text2"))
    usable = pack is None or not pack.fault
    start = Button(
        id=f"start:{title.id}",
        text=t("Start"),
        intent=Go("new_game", {"title": title.id}) if usable else None,
        reason="" if usable or pack is None else pack.fault,
        grow=1,
    )
    lines += [Space(grow=1), Row(children=(start,))]
    return Panel(child=Column(children=tuple(lines), gap=4), grow=1, pad=18)


def _uses(shown: Shown) -> Column:
    """Judging an auction and scoring a finished table: no game is set up for either."""
    t = shown.words.t
    judge = any(title.id == JUDGE for title in shown.house.offered)
    uses = []
    if judge:
        uses.append(
            _use(
                "judge",
                "gavel",
                t("Judge an auction"),
                t("2 to 4 seats, no game needed"),
                Go("new_game", {"title": JUDGE}),
            )
        )
    uses.append(
        _use(
            "score", "star", t("Score a finished table"), t("Every point with its source"), Go("end_position")
        )
    )
    return Column(children=tuple(uses), gap=12, grow=1)


def _use(id: str, icon: str, words: str, detail: str, intent: Go) -> Panel:
    child = Column(
        children=(
            Icon(name=icon, side=32, tone="paper"),
            Text(text=words, size="button", bold=True, lines=2),
            Text(text=detail, size="note", tone="text2", lines=2),
        ),
        gap=4,
    )
    return Panel(child=child, ground="sleeper", edge="rule", pad=14, id=id, intent=intent, grow=1)


def _language(shown: Shown) -> Button:
    """The other language, called by its own name."""
    following = LANGUAGES[(LANGUAGES.index(shown.words.language) + 1) % len(LANGUAGES)]
    text = {"en": "English", "de": "Deutsch"}.get(following, following)
    return Button(id="language", text=text, kind="quiet", intent=Ask("language", {"language": following}))


def _waiting(shown: Shown, page: int, pages: int) -> Row:
    """The bottom row: the game that waits, more of them, more titles, the language, staff."""
    t, parked = shown.words.t, shown.house.parked
    row: list[AnyElement] = []
    # What is over, or cannot be read, does not ask to be gone on with.
    first = next((game for game in parked if not game.finished and not game.fault), None)
    row.append(_parked(shown, first, "paper") if first is not None else Space(grow=1))
    side: list[AnyElement] = []
    if len(parked) > (first is not None):
        more, n = Set({"parked": True, "page": 0}), shown.words.n
        words = (
            t("{n} more", n=len(parked) - 1)
            if first is not None
            else n("{n} game kept", "{n} games kept", len(parked))
        )
        side.append(Button(id="parked", text=words, kind="quiet", intent=more))
    if pages > 1:
        side.append(
            Button(
                id="page",
                text=t("More games"),
                icon="arrow",
                kind="quiet",
                intent=Set({"page": (page + 1) % pages}),
            )
        )
    side.append(Button(id="staff", text=t("Staff"), icon="lock", kind="quiet", intent=Go("pin")))
    return Row(children=(*row, *side), gap=8)


def _parked(shown: Shown, game: ParkedFacts, kind: str = "plain") -> Panel:
    t = shown.words.t
    badges = () if shown.metrics.small else tuple(Badge(seat=seat, side=40) for seat in game.names)
    said = game.result if game.finished else game.asked
    detail = " ".join(part for part in (said and f"{said}.", age_words(shown, game)) if part)
    if game.fault:
        # What is wrong, and where the file lies, is for staff.
        head, detail = t("Damaged: {title}", title=t(game.title_name)), damaged(shown)
    elif game.finished:
        head = t("Finished: {title}", title=t(game.title_name))
    elif game.progress:
        head = t("Parked: {title}, {where}", title=t(game.title_name), where=game.progress)
    else:
        head = t("Parked: {title}", title=t(game.title_name))
    texts = Column(
        children=(
            Text(text=head, size="button", bold=True, shrink=True, lines=2),
            Text(text=detail, tone="text2", size="note", lines=2),
        ),
        gap=2,
        grow=1,
    )
    resume = Button(
        id=f"resume:{game.file}",
        text=t("Look at it") if game.finished and not game.fault else t("Resume"),
        icon="arrow",
        kind="paper" if kind == "paper" and not game.fault else "plain",
        intent=None if game.fault else Ask("resume", {"file": game.file}),
        reason=damaged(shown) if game.fault else "",
    )
    return Panel(child=Row(children=(*badges, texts, resume), gap=12), pad=10, grow=1)


def damaged(shown: Shown) -> str:
    """What guests are told of a record that cannot be read."""
    return shown.words.t("This record cannot be read. Staff can see why; the other games are as they were.")


def age_words(shown: Shown, game: ParkedFacts) -> str:
    """How long ago a game was left: "Left 1 h 20 min ago."; empty when no clock says it."""
    t = shown.words.t
    if game.age is None:
        return ""
    minutes = int(game.age // 60)
    if minutes < 1:
        return t("Left just now.")
    if minutes < 60:
        return t("Left {n} min ago.", n=minutes)
    if minutes < 24 * 60:
        return t("Left {h} h {n} min ago.", h=minutes // 60, n=minutes % 60)
    days = minutes // (24 * 60)
    return shown.words.n("Left {n} day ago.", "Left {n} days ago.", days)


def _all_parked(shown: Shown, nav: Nav) -> Page:
    """Every game that waits."""
    t, parked = shown.words.t, shown.house.parked
    part = leaf(len(parked), 4, nav.values.get("page"))
    rows: list[AnyElement] = [Text(text=t("Games kept here"), size="title", bold=True)]
    rows += [_parked(shown, game) for game in parked[part.first : part.end]]
    more = (
        ()
        if part.of == 1
        else (
            Button(
                id="page", text=t("More"), icon="arrow", intent=Set({"page": (part.number + 1) % part.of})
            ),
        )
    )
    back = Button(
        id="back", text=t("Back"), icon="back", kind="quiet", intent=Set({"parked": False, "page": 0})
    )
    rows += [Space(grow=1), Row(children=(back, Space(grow=1), *more))]
    return Page(id="parked", body=Column(children=tuple(rows), gap=10, pad=32))
