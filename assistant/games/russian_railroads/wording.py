"""What actions do, as values that sentences can say: so many of a thing, by the key of its word.

An operation is told as {key of `words`: number}; a catalogue turns that into "2 black, 1 doubler" in its
language. What is printed on the engineers' cards is said in English, from the same catalogue.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from assistant.games.russian_railroads import ops
from assistant.games.russian_railroads.state import Offer, Token

ALL = frozenset(ops.COLOURS)
COUNTED: dict[type[ops.Op], str] = {
    ops.Industry: "op.industry",
    ops.Doubler: "op.doubler",
    ops.Roubles: "op.roubles",
    ops.Points: "op.points",
    ops.TopLocos: "op.top_locos",
}
"""Operations with a number of their own, by the key of what they count."""
SINGLE: dict[type[ops.Op], str] = {
    ops.Loco: "op.loco",
    ops.Factory: "op.factory",
    ops.TempWorkers: "op.temp_workers",
    ops.SumEngineers: "op.sum_engineers",
    ops.EndBonus: "op.end_bonus",
    ops.TakeQCard: "op.q_card",
    ops.Worker: "op.worker",
    ops.BlackWorker: "op.black_worker",
    ops.SpecialLoco: "op.special_loco",
    ops.SpecialEngineer: "op.special_engineer",
    ops.Revalue: "op.revalue",
    ops.Medal: "op.medal",
    ops.ReuseSpace: "op.reuse_space",
    ops.UseOtherEngineer: "op.use_other_engineer",
    ops.TurnOrder: "op.turn_order",
    ops.Hire: "op.hire",
}
"""Operations that are there once, by the key of what they give."""


def amounts(action: Sequence[Any]) -> dict[str, int]:
    """What an action gives, in order."""
    out: dict[str, int] = {}
    for op in action:
        key, n = _amount(op)
        out[key] = out.get(key, 0) + n
        if isinstance(op, ops.SecondMarker):
            out["op.industry"] = out.get("op.industry", 0) + op.steps
    return out


def offered(op: Any) -> dict[str, int]:
    """What a task gives whose operation this is."""
    if isinstance(op, Token):
        return {"op.token": 1}
    return amounts(op.ops if isinstance(op, Offer) else (op,))


def _amount(op: Any) -> tuple[str, int]:
    kind = type(op)
    if isinstance(op, ops.Advance):
        if op.distinct:
            return "op.distinct", op.n
        colours = "any" if set(op.colours) == ALL else "_".join(op.colours)
        return f"op.{colours}", op.n
    if isinstance(op, ops.Choice):
        inner = "_or_".join(_amount(branch)[0].removeprefix("op.") for branch in op.branches)
        return f"op.{inner}", 1
    if isinstance(op, ops.SecondMarker):
        return "op.second_marker", 1
    return (COUNTED[kind], op.n) if kind in COUNTED else (SINGLE[kind], 1)


@cache
def _english() -> dict[str, str]:
    text = (Path(__file__).parent / "locale" / "en.toml").read_text(encoding="utf-8")
    return dict(tomllib.loads(text)["words"])


def printed(action: Sequence[Any], words: Mapping[str, str] | None = None) -> str:
    """An action as printed on a card, in English or in other words; a key that they lack stands as it is, and
    of one thing the word with `.one` is said where there is one."""
    words = _english() if words is None else words

    def word(key: str, n: int) -> str:
        many = words.get(key, key)
        return words.get(f"{key}.one", many) if n == 1 else many

    return ", ".join(f"{n} {word(key, n)}" for key, n in amounts(action).items())
