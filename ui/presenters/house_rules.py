"""House rules in sentences: what each one is about, what it says now, what it usually says."""

from __future__ import annotations

from typing import Any

from ui.presenters.elements import AnyElement, Button, Column, Page, Panel, Prompt, Row, Space, Text
from ui.presenters.intents import Ask, Go, Intent, Set
from ui.presenters.nav import BACK, Nav
from ui.presenters.new_game import draft, title_of
from ui.presenters.parts import leaf, pager
from ui.presenters.shown import Shown, SwitchFacts, TitleFacts
from ui.presenters.words import Words
from ui.sentences import Sentences

A_PAGE = {True: 3, False: 4}


def page(shown: Shown, nav: Nav) -> Page:
    """The page of a draft, or (with `house` among the values) of the house's own rules."""
    t, title, values = shown.words.t, title_of(shown, nav), nav.values
    if title is None:
        return Page(
            id="house_rules", body=Space(), left=(Button(id="back", text=t("Back"), intent=Go(BACK)),)
        )
    part = leaf(len(title.switches), A_PAGE[shown.metrics.small], values.get("page"))
    now = in_force(shown, title, values)
    rows: list[AnyElement] = [
        _rule(shown, title, switch, now[switch.name], values)
        for switch in title.switches[part.first : part.end]
    ]
    rows += [Space(grow=1), *pager(shown, part)]
    house = bool(values.get("house"))
    detail = t("For every new game at this table.") if house else t("For this game alone.")
    detail = nav.explain or shown.house.said or detail
    usual: Intent = Set({"options": {s.name: s.values[0] for s in title.switches}})
    changed = any(now[switch.name] != switch.values[0] for switch in title.switches)
    if house:
        usual = Ask("house", {"key": "usual", "value": title.id})
    return Page(
        id="house_rules",
        prompt=Prompt(t("House rules of {title}", title=t(title.name)), detail),
        body=Column(children=tuple(rows), gap=8, pad=12),
        left=(
            Button(id="back", text=t("Back"), icon="back", kind="quiet", intent=Go(BACK, draft(values))),
            Button(
                id="usual",
                text=t("Back to default"),
                icon="undo",
                kind="quiet",
                intent=usual if changed else None,
                reason="" if changed else t("Every rule is as usual."),
            ),
        ),
    )


def in_force(shown: Shown, title: TitleFacts, values: dict[str, Any]) -> dict[str, str | bool]:
    """Every house rule with its value: the draft's, else the house's, else the title's."""
    house = shown.house.switches.get(title.id, {})
    options = {} if values.get("house") else values.get("options", {})
    return {s.name: options.get(s.name, house.get(s.name, s.values[0])) for s in title.switches}


def _rule(
    shown: Shown, title: TitleFacts, switch: SwitchFacts, value: str | bool, values: dict[str, Any]
) -> Panel:
    t = shown.words.t
    # A value that the house chose may be gone since: then the next one is the usual one.
    now = switch.values.index(value) if value in switch.values else -1
    following = switch.values[(now + 1) % len(switch.values)]
    intent: Intent
    if values.get("house"):
        intent = Ask("house", {"key": f"switches.{title.id}.{switch.name}", "value": following})
    else:
        intent = Set({"options": {**values.get("options", {}), switch.name: following}})
    says = value_words(title, switch, value, shown.words)
    usual = "" if value == switch.values[0] else t("changed")
    texts = Column(
        children=(
            Text(text=switch_words(title, switch, shown.words), lines=2, shrink=True),
            Text(
                text=" · ".join(part for part in (says, usual) if part),
                size="note",
                tone="caution" if usual else "text2",
                shrink=True,
            ),
        ),
        gap=2,
        grow=1,
    )
    button = Button(id=f"switch:{switch.name}", text=t("Change"), intent=intent)
    rule = Button(
        id=f"rule:{switch.name}",
        text=switch.ruling,
        kind="quiet",
        intent=Go("rule", {"rule": switch.ruling}),
    )
    return Panel(child=Row(children=(texts, *((rule,) if switch.ruling else ()), button), gap=12), pad=6)


def switch_words(title: TitleFacts, switch: SwitchFacts, words: Words) -> str:
    """What a house rule is about."""
    sentences = _sentences(title.id, words.language)
    return sentences.say("switches", switch.name) if sentences.has("switches", switch.name) else switch.text


def value_words(title: TitleFacts, switch: SwitchFacts, value: str | bool, words: Words) -> str:
    """What it says with a value."""
    key = f"{switch.name}.{str(value).lower()}"
    sentences = _sentences(title.id, words.language)
    if sentences.has("switches", key):
        return sentences.say("switches", key)
    if isinstance(value, bool):
        return words.t("yes") if value else words.t("no")
    return str(value).replace("_", " ")


def _sentences(title: str, language: str) -> Sentences:
    from assistant.game import find_title

    return Sentences.of(find_title(title), language)
