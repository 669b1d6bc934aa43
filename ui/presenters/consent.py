"""What the table has to agree on: taking back, letting something stand, correcting.

It says first what would happen, then who must agree, and what has to be put back by hand. Kept in
`nav.values`: "page" (of what is taken back), "ticked" (steps that are done by hand).
"""

from __future__ import annotations

from typing import Any

from assistant.messages import Command
from assistant.views import Asking
from ui.presenters import parts, wording
from ui.presenters.elements import (
    AnyElement,
    Badge,
    Button,
    Column,
    Icon,
    Page,
    Panel,
    Prompt,
    Row,
    Space,
    Text,
)
from ui.presenters.intents import Go, Say, Set
from ui.presenters.nav import Nav
from ui.presenters.shown import Shown, playing_of

A_PAGE = 4
"""Sentences on one page."""
AGREE_WIDTH = 440.0


def page(shown: Shown, nav: Nav) -> Page:
    """What is asked of the table; where nothing is asked any more, that and the way back."""
    asking = playing_of(shown).view.asking
    t = shown.words.t
    if asking is None:
        return Page(
            id="consent",
            top=parts.top(shown),
            prompt=Prompt(t("Nothing is asked any more"), "", "none"),
            body=Space(grow=1),
            right=(Button(id="leave", text=t("Go on"), kind="paper", intent=Go("")),),
        )
    waiting = [seat for seat in asking.needs if seat not in asking.given]
    return Page(
        id="consent",
        top=parts.top(shown),
        prompt=parts.explained(shown, nav, _prompt(shown, asking, waiting)),
        body=Row(children=(_what(shown, nav, asking), _who(shown, nav, asking, waiting)), gap=12, pad=12),
        left=(parts.rule_button(shown, _rules(asking)), parts.log_button(shown)),
        right=_answers(shown, nav, asking, waiting),
    )


def _rules(asking: Asking) -> tuple[str, ...]:
    return asking.waived or ((asking.violation.rule,) if asking.violation is not None else ())


def _prompt(shown: Shown, asking: Asking, waiting: list[str]) -> Prompt:
    t, name = shown.words.t, wording.seat_name(shown, asking.by)
    if asking.what == "undo":
        steps = len(asking.undone)
        text = shown.words.n("{name}: take this back?", "{name}: take back these {n}?", steps, name=name)
    elif asking.what == "overrule":
        text = t("{name}: let this stand?", name=name)
    else:
        text = t("{name}: correct the record?", name=name)
    if not asking.told:
        detail = t("First put back by hand what is listed at the right.")
    elif waiting == [asking.by]:
        detail = t("{name} agrees once more to do it.", name=name)
    elif waiting:
        detail = t("{names} must agree too.", names=wording.seat_names(shown, waiting))
    else:
        detail = t("All have agreed.")
    return Prompt(text, detail, "caution", asking.by if asking.by in playing_of(shown).names else "")


def sentences(shown: Shown, asking: Asking) -> list[str]:
    """What would be done, one sentence each, the latest first."""
    t = shown.words.t
    if asking.what == "undo":
        return [wording.action_words(shown, action) for action in reversed(asking.undone)]
    if asking.what == "overrule":
        said = [wording.action_words(shown, asking.action)] if asking.action is not None else []
        if asking.violation is not None:
            said.append(playing_of(shown).sentences.violation(asking.violation))
        said.append(t("Waived for this once: {rules}", rules=", ".join(_rules(asking))))
        return said
    return [fact_words(shown, path, value) for path, value in asking.facts.items()]


def fact_words(shown: Shown, path: str, value: Any) -> str:
    """A field of the position with its new value: "seats A money: 5"."""
    words = [wording.word(shown, part) for part in path.split(".")]
    said = shown.words.t("nothing") if value is None else playing_of(shown).sentences.value(value)
    return f"{' '.join(words)}: {said}"


def _what(shown: Shown, nav: Nav, asking: Asking) -> Column:
    t = shown.words.t
    headings = {
        "undo": t("This is taken back; nothing else changes."),
        "overrule": t("This breaks a rule and is recorded all the same."),
        "correct": t("The record then says this."),
    }
    said = sentences(shown, asking)
    leaf = parts.leaf(len(said), A_PAGE, nav.values.get("page"))
    rows: list[AnyElement] = [Text(text=headings[asking.what], tone="text2", lines=2)]
    rows += [
        Panel(child=Text(text=sentence, lines=3, shrink=True), pad=10)
        for sentence in said[leaf.first : leaf.end]
    ]
    rows += [Space(grow=1), *parts.pager(shown, leaf)]
    return Column(children=tuple(rows), gap=8, grow=1)


def _ticked(nav: Nav, asking: Asking) -> list[int]:
    """Which steps were ticked; a new question begins without any."""
    if nav.values.get("asked") != [asking.by, asking.what, len(asking.tells)]:
        return []
    return [n for n in nav.values.get("ticked", []) if isinstance(n, int)]


def _who(shown: Shown, nav: Nav, asking: Asking, waiting: list[str]) -> Column:
    t, rows = shown.words.t, list[AnyElement]()
    if asking.tells:
        rows.append(Text(text=t("By hand, on the table"), tone="text2"))
        ticked = _ticked(nav, asking)
        key = [asking.by, asking.what, len(asking.tells)]
        for number, told in enumerate(asking.tells):
            done = asking.told or number in ticked
            after = [n for n in ticked if n != number] if number in ticked else [*ticked, number]
            line = Row(
                children=(
                    Icon(name="check" if done else "hand", side=28, tone="clear" if done else "caution"),
                    Text(text=wording.told_words(shown, told), lines=2, shrink=True, grow=1),
                ),
                gap=10,
            )
            intent = None if asking.told else Set({"ticked": after, "asked": key})
            rows.append(
                Panel(
                    child=line,
                    ground="sleeper",
                    edge="rule",
                    pad=10,
                    id=f"told:{number}",
                    intent=intent,
                    h=64,
                )
            )
    if asking.needs:
        rows.append(Text(text=t("Who must agree"), tone="text2"))
    for seat in asking.needs:
        mark: tuple[AnyElement, ...]
        if seat in asking.given:
            mark = (Icon(name="check", side=28, tone="clear"), Text(text=t("agrees"), tone="clear"))
        else:
            mark = (
                Button(id=f"decline:{seat}", text=t("No"), intent=Say(Command("decline", seat))),
                Button(id=f"agree:{seat}", text=t("Agree"), intent=Say(Command("agree", seat))),
            )
        who = (Badge(seat=seat, side=48), parts.name_text(shown, seat))
        if len(wording.full_name(shown, seat)) > parts.LONG_NAME:
            rows += [Row(children=who, gap=10, h=66), Row(children=(Space(grow=1), *mark), gap=10, h=66)]
        else:
            rows.append(Row(children=(*who, *mark), gap=10, h=66))
    if waiting:
        rows.append(Text(text=t("Or each presses the own OK."), size="note", tone="text2"))
    if not asking.told:
        who_asked = wording.seat_name(shown, asking.by)
        by_buttons = (
            t("Or {name} presses plus, then OK, once it is all done.", name=who_asked)
            if asking.by in playing_of(shown).names
            else t("Or somebody presses plus, then OK, once it is all done.")
        )
        rows.append(Text(text=by_buttons, size="note", tone="text2", lines=2))
    return Column(children=(*rows, Space(grow=1)), gap=6, w=AGREE_WIDTH)


def _answers(shown: Shown, nav: Nav, asking: Asking, waiting: list[str]) -> tuple[Button, ...]:
    t = shown.words.t
    cancel = Button(id="cancel", text=t("Leave it"), icon="cross", intent=Say(Command("cancel")))
    if asking.told:
        return (cancel,)
    missing = len(asking.tells) - len(_ticked(nav, asking))
    done = Button(
        id="told",
        text=t("It is put back"),
        icon="check",
        kind="paper" if missing <= 0 else "plain",
        intent=Say(Command("told")) if missing <= 0 else None,
        chosen=any(
            choice.chosen is not None and choice.chosen.role == "told"
            for choice in playing_of(shown).view.choices
        ),
        reason=""
        if missing <= 0
        else shown.words.n(
            "One step is not ticked yet: touch it when it is done.",
            "{n} steps are not ticked yet: touch each when it is done.",
            missing,
        ),
    )
    return (cancel, done)
