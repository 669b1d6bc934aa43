"""The text of a rule by its id, with the sentence of its refusal in the table's language; and all chapters.

Kept in `nav.values`: "rules" or "rule" (what was asked for), "chosen" (the one that is shown), "page".
"""

from __future__ import annotations

from ui.presenters.elements import AnyElement, Button, Column, Page, Panel, Prompt, Row, Space, Text
from ui.presenters.intents import Go, Set
from ui.presenters.nav import BACK, Nav
from ui.presenters.parts import leaf, pager, top
from ui.presenters.rules import known, text_of
from ui.presenters.shown import Playing, Shown
from ui.sentences import MISSING

A_PAGE = {True: 2, False: 3}
"""Paragraphs on a page; a long one has a page's share of lines and then goes on as the next."""
CHARACTERS = 300
AT_THE_SIDE = 4
"""Most rules that have their buttons at the side."""
REFEREE = "SM"
"""What the ids of the referee's own rules begin with."""


def page(shown: Shown, nav: Nav) -> Page:
    """The rules that are named among the values; without any, the chapters to choose from."""
    t, values, playing = shown.words.t, nav.values, shown.playing
    given = values.get("rules") or ([values["rule"]] if values.get("rule") else [])
    rules = [str(rule) for rule in given]
    back = Button(id="back", text=t("Back"), icon="back", kind="quiet", intent=Go(BACK))
    if not rules:
        return _contents(shown, nav, back)
    chosen = str(values.get("chosen", rules[0]))
    chosen = chosen if chosen in rules else rules[0]
    title = playing.game.title.id if playing is not None else str(values.get("title", ""))
    heading, paragraphs = text_of(chosen, title)
    pieces = [piece for paragraph in paragraphs for piece in _pieces(paragraph)]
    part = leaf(len(pieces), A_PAGE[shown.metrics.small], values.get("page"))
    rows: list[AnyElement] = []
    sentences = playing.sentences if playing is not None else None
    if sentences is not None and sentences.has("refusals", chosen) and part.number == 0:
        said = sentences.say("refusals", chosen)
        if MISSING not in said:
            rows.append(Panel(child=Text(text=said, size="button", lines=3), ground="sleeper", pad=12))
    rows += [Text(text=piece, lines=5) for piece in pieces[part.first : part.end]]
    if not pieces:
        rows.append(Text(text=t("No text is kept for this rule."), tone="text2"))
    rows += [Space(grow=1), *pager(shown, part)]
    detail = heading if shown.words.language == "en" else t("{heading} (text in English)", heading=heading)
    side, right = _others(rules, chosen)
    contents = Button(
        id="contents",
        text=t("All rules"),
        icon="" if shown.metrics.small else "book",
        kind="quiet",
        intent=Set({"rules": [], "rule": "", "page": 0}),
    )
    return Page(
        id="rule",
        top=top(shown),
        prompt=Prompt(chosen, detail),
        body=Row(children=(*side, Column(children=tuple(rows), gap=12, grow=1)), gap=20, pad=16),
        left=(back, *((contents,) if playing is not None else ())),
        right=right,
    )


def _others(rules: list[str], chosen: str) -> tuple[tuple[AnyElement, ...], tuple[Button, ...]]:
    """The way to the other rules: a few stand at the side, of many the one before and the one after."""

    def button(rule: str, icon: str = "") -> Button:
        intent = Set({"chosen": rule, "page": 0})
        return Button(id=f"rule:{rule}", text=rule, icon=icon, chosen=rule == chosen, intent=intent)

    if len(rules) < 2:
        return (), ()
    if len(rules) <= AT_THE_SIDE:
        return (Column(children=(*map(button, rules), Space(grow=1)), gap=8, w=190),), ()
    here = rules.index(chosen)
    before = (button(rules[here - 1], "back"),) if here else ()
    after = (button(rules[here + 1], "arrow"),) if here + 1 < len(rules) else ()
    return (), (*before, *after)


def chapters(playing: Playing | None) -> dict[str, list[str]]:
    """The rules of the game by chapter, that of the phase at hand first; the referee's own come last."""
    if playing is None:
        return {}
    own = playing.game.title.seats_rule.partition("-")[0]
    found: dict[str, list[str]] = {}
    for prefix in (own, REFEREE):
        for rule in known():
            if prefix and rule.startswith(f"{prefix}-"):
                found.setdefault(text_of(rule, playing.game.title.id)[0], []).append(rule)
    display = playing.view.display
    progress = display.progress if display is not None else None
    now = ""
    if progress is not None and 0 <= progress.phase < len(progress.phases):
        now = progress.phases[progress.phase]
    first = [heading for heading in found if now and now in heading.lower()]
    ordered = [*first, *(heading for heading in found if heading not in first)]
    return {heading: sorted(found[heading], key=_order) for heading in ordered}


def _order(rule: str) -> tuple[str, int]:
    """Rules by their numbers, not by letters: 2 comes before 10."""
    name, _, number = rule.rpartition("-")
    return name, int("".join(c for c in number if c.isdigit()) or 0)


def _contents(shown: Shown, nav: Nav, back: Button) -> Page:
    t, there = shown.words.t, chapters(shown.playing)
    headings = list(there)
    part = leaf(len(headings), 9, nav.values.get("page"))
    rows: list[AnyElement] = []
    for first in range(part.first, part.end, 3):
        line: list[AnyElement] = [
            Panel(
                child=Text(text=heading, bold=True, lines=2),
                ground="sleeper",
                edge="rule",
                pad=8,
                h=70,
                grow=1,
                id=f"chapter:{there[heading][0]}",
                intent=Set({"rules": there[heading], "chosen": there[heading][0], "page": 0}),
            )
            for heading in headings[first : min(first + 3, part.end)]
        ]
        line += [Space(grow=1)] * (3 - len(line))
        rows.append(Row(children=tuple(line), gap=12))
    rows += [Space(grow=1), *pager(shown, part)]
    english = shown.words.language == "en"
    prompt = Prompt(
        t("Which rule?") if headings else t("There is no rule to show here"),
        "" if english or not headings else t("The text of the rules is in English."),
    )
    return Page(
        id="rule",
        top=top(shown),
        prompt=prompt,
        body=Column(children=tuple(rows), gap=10, pad=16),
        left=(back,),
    )


def _pieces(paragraph: str) -> list[str]:
    """A long paragraph in parts that fit, cut between sentences."""
    out, line = [], ""
    for sentence in paragraph.replace("; ", ";| ").replace(". ", ".| ").split("| "):
        if line and len(line) + len(sentence) > CHARACTERS:
            out.append(line)
            line = ""
        line = f"{line} {sentence}".strip()
    return [*out, line] if line else out
