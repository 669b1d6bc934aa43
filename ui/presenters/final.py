"""The end of a game: who has won and why, every point by its source, the chart, and what is left to do.

Kept in `nav.values`: as in `score`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assistant.game import PositionFaults
from assistant.rulings import NotUnderstood
from assistant.scores import Tie
from ui.presenters import parts, score, wording
from ui.presenters.elements import AnyElement, Button, Page, Prompt, Row, Space, Text
from ui.presenters.intents import Ask
from ui.presenters.nav import Nav
from ui.presenters.shown import Shown, display_of, playing_of


def page(shown: Shown, nav: Nav) -> Page:
    """The final score."""
    if (seat := score.looked_at(shown, nav)) is not None:
        return score.lines_page(shown, nav, "final", seat)
    t = shown.words.t
    placed = ranks(playing_of(shown).view.places)
    order = tuple(placed) or playing_of(shown).game.seats
    why = tie_words(shown)
    return Page(
        id="final",
        top=_top(shown),
        prompt=parts.explained(shown, nav, _prompt(shown, why)),
        body=Row(children=(score.table(shown, nav, order, placed), score.beside(shown, why)), gap=20, pad=12),
        left=(
            parts.log_button(shown),
            *_saved(shown),
            parts.quiet(shown, "forget", t("Forget names"), "person", Ask("forget")),
        ),
        right=(
            *_census(shown),
            Button(id="close", text=t("Close game"), kind="paper", intent=Ask("close")),
        ),
    )


def _saved(shown: Shown) -> tuple[Button, ...]:
    """Saving the chart, where there is one, and the sheet."""
    t = shown.words.t
    sheet = parts.quiet(shown, "save_sheet", t("Save sheet"), "record", Ask("save_sheet"))
    if not score.has_chart(shown):
        return (sheet,)
    return (sheet, parts.quiet(shown, "save_chart", t("Save chart"), "chart", Ask("save_chart")))


def ranks(places: Sequence[Sequence[str]]) -> dict[str, int]:
    """The place of each seat, best first; after a shared place the next number is left out: 1, 1, 3."""
    out: dict[str, int] = {}
    for group in places:
        rank = len(out) + 1
        out |= dict.fromkeys(group, rank)
    return out


def _census(shown: Shown) -> tuple[Button, ...]:
    """Counting the box, where a camera could."""
    if playing_of(shown).mat is None:
        return ()
    t, camera = shown.words.t, shown.house.camera
    off = camera.health == "off"
    reason = camera.words or t("No camera is set up.")
    return (
        Button(
            id="census",
            text=t("Check the box"),
            intent=None if off else Ask("census"),
            reason=reason if off else "",
        ),
    )


def _top(shown: Shown) -> Row:
    t, playing = shown.words.t, playing_of(shown)
    minutes = int(playing.seconds) // 60
    hours, rest = divmod(minutes, 60)
    lasted = t("{h} h {m:02d} min", h=hours, m=rest) if hours else t("{m} min", m=rest)
    progress = display_of(shown).progress
    rounds = shown.words.n("one round", "{n} rounds", progress.at) if progress.unit == "round" else ""
    said = ", ".join(part for part in (t("Final score"), rounds, lasted if minutes else "") if part)
    children: tuple[AnyElement, ...] = (
        Text(text=shown.words.t(playing.game.title.name), bold=True),
        Text(text=said, tone="text2"),
        Space(grow=1),
        *parts.signs(shown),
    )
    return Row(children=children, gap=16, pad=16, h=48)


# Who has won, and why -----------------------------------------------------------------------------


def _points(shown: Shown) -> Mapping[str, int]:
    """Points by seat; empty for a game without any."""
    sheet = score.sheet_of(shown)
    return {seat: sheet.total(seat) for seat in sheet.seats} if sheet.lines else {}


def _prompt(shown: Shown, why: Sequence[str]) -> Prompt:
    t, n, places = shown.words.t, shown.words.n, playing_of(shown).view.places
    points = _points(shown)
    if not places:
        return Prompt(t("The game is over"), "", "clear")
    first = places[0]
    best = points.get(first[0])
    names = wording.seat_names(shown, first)
    if len(first) > 1 and best is not None:
        text = t("{names} share the win with {n}", names=names, n=best)
    elif len(first) > 1:
        text = t("{names} share the win", names=names)
    elif best is not None:
        text = t("{name} wins with {n}", name=names, n=best)
    else:
        text = t("{name} wins", name=names)
    said = []
    if len(first) == 1 and len(places) > 1 and best is not None:
        second = places[1]
        ahead = best - points[second[0]]
        if ahead > 0:
            name = wording.seat_names(shown, second)
            said.append(n("One point ahead of {name}.", "{n} points ahead of {name}.", ahead, name=name))
    # Who won by a tie rule is told why, before anything else.
    first_tied = sum(points.get(seat) == best for seat in points) > 1
    if first_tied and why:
        said.append(why[0])
    else:
        said.append(t("Touch a column to see its points."))
    return Prompt(text, " ".join(said), "clear", first[0] if len(first) == 1 else "")


def tie_words(shown: Shown) -> list[str]:
    """Why seats with equal points share a place, or why one stands before another; best places first."""
    t, playing = shown.words.t, playing_of(shown)
    points, placed = _points(shown), ranks(playing.view.places)
    equal: dict[int, list[str]] = {}
    for seat in placed:
        if seat in points:
            equal.setdefault(points[seat], []).append(seat)
    tied = [seats for seats in equal.values() if len(seats) > 1]
    if not tied:
        return []
    reasons = _reasons(shown)
    out: list[str] = []
    for seats in tied:
        if len({placed[seat] for seat in seats}) == 1:
            names = wording.seat_names(shown, seats)
            out.append(t("{names} have equal points and share the place.", names=names))
            continue
        said = [tie for tie in reasons if tie.seat in seats and tie.to in seats]
        out += [_tie(shown, tie) for tie in said] or [t("Equal points: the rules of the game decide.")]
    return out


def _tie(shown: Shown, tie: Tie) -> str:
    values = {"seat": tie.seat, "to": tie.to, **tie.values}
    said = playing_of(shown).sentences.say("ties", tie.why, values)
    return f"{said} {tie.rule}".strip()


def _reasons(shown: Shown) -> Sequence[Any]:
    """What the game says about equal points."""
    playing = playing_of(shown)
    try:
        state, _ = playing.game.final(playing.game.from_position(playing.view.position))
        return playing.game.ties(state)
    except (PositionFaults, NotUnderstood, ValueError, TypeError, KeyError, LookupError):
        return ()
