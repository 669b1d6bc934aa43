"""Setting up: the rulebook's steps, ticked once the record has them; each can be ticked by hand, all skipped.

What the camera reads of cards that are dealt is recorded as it lies, so the record knows these steps; of all
others only people know. Kept in `nav.values`: "ticked" (keys of steps), "page".
"""

from __future__ import annotations

from assistant.game import PositionFaults, SetUpStep
from ui.presenters import parts
from ui.presenters.elements import AnyElement, Button, Column, Icon, Page, Panel, Prompt, Row, Space, Text
from ui.presenters.intents import Ask, Go, Set
from ui.presenters.nav import Nav
from ui.presenters.shown import Shown, playing_of

A_PAGE = 4


def steps_of(shown: Shown) -> tuple[SetUpStep, ...]:
    """The steps of the game that is to begin; empty where it has none."""
    playing = playing_of(shown)
    try:
        state = playing.game.from_position(playing.view.position)
    except (PositionFaults, ValueError, TypeError, KeyError):
        state = playing.game.start()
    return playing.game.set_up(state)


def page(shown: Shown, nav: Nav) -> Page:
    """The steps, page by page."""
    t, steps = shown.words.t, steps_of(shown)
    ticked = [key for key in nav.values.get("ticked", ()) if isinstance(key, str)]
    left = sum(not step.done and step.key not in ticked for step in steps)
    leaf = parts.leaf(len(steps), A_PAGE, nav.values.get("page"))
    rows: list[AnyElement] = [_step(shown, step, ticked) for step in steps[leaf.first : leaf.end]]
    rows += [Space(grow=1), *parts.pager(shown, leaf)]
    if not left:
        prompt = Prompt(t("All is set up"), "", "clear")
    else:
        detail = shown.words.n("One step is open. Touch it when it is done.", "{n} steps are open.", left)
        if left > 1:
            detail = f"{detail} {t('Touch each when it is done.')}"
        prompt = Prompt(t("Set the table up"), detail, "none")
    rules = [step.rule for step in steps[leaf.first : leaf.end] if step.rule]
    left_buttons = [parts.rule_button(shown, rules, t("Rules"))] if rules else []
    if playing_of(shown).mat is not None:
        left_buttons.append(parts.quiet(shown, "camera", t("Camera"), "camera", Go("readiness")))
    left_buttons.append(parts.quiet(shown, "park", t("Park"), "pause", Ask("park")))
    return Page(
        id="setup",
        top=parts.top(shown),
        prompt=parts.explained(shown, nav, prompt),
        body=Column(children=tuple(rows), gap=8, pad=12),
        left=tuple(left_buttons),
        right=(
            Button(
                id="done",
                text=t("Skip the rest") if left else t("Begin"),
                icon="arrow",
                kind="plain" if left else "paper",
                intent=Ask("set_up_done"),
            ),
        ),
    )


def _step(shown: Shown, step: SetUpStep, ticked: list[str]) -> Panel:
    t, sentences = shown.words.t, playing_of(shown).sentences
    by_hand = step.key in ticked
    done = step.done or by_hand
    how = t("recorded") if step.done else t("done") if by_hand else t("open")
    mark = Icon(name="check", side=28, tone="clear") if done else Icon(name="hand", side=28, tone="caution")
    after = [key for key in ticked if key != step.key] if by_hand else [*ticked, step.key]
    small = shown.metrics.small
    rule = Text(text=step.rule, size="note", tone="text2", bold=True)
    return Panel(
        child=Row(
            children=(
                mark,
                Text(
                    text=sentences.say("setup", step.key, step.values),
                    tone="text2" if done else "text",
                    lines=2,
                    shrink=True,
                    grow=1,
                ),
                *((rule,) if step.rule and not small else ()),
                Text(text=how, size="note", tone="clear" if done else "text2", align="right", w=110),
            ),
            gap=14,
        ),
        ground="ballast" if done else "sleeper",
        edge=None if step.done else "rule",
        pad=8,
        h=68,
        id=f"step:{step.key}",
        # What the record has cannot be taken back here.
        intent=None if step.done else Set({"ticked": after}),
    )
