"""What a card does in words: keys of the catalogue table `effects` with their values, one for each primitive.

The words are the catalogue's, so a pack's own cards are told in every language.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assistant.events import Told
from assistant.games.trains import effects as fx
from assistant.games.trains.pack import Card


def does(card: Card) -> tuple[Told, ...]:
    """What a card does when it is used, then what it does when it is bought."""
    return effects(card.effect) + tuple(Told("on_buy", values={"then": effect(line)}) for line in card.on_buy)


def effects(lines: Sequence[fx.Effect]) -> tuple[Told, ...]:
    """What an effect does, line by line."""
    return tuple(effect(line) for line in lines)


def effect(line: fx.Effect) -> Told:
    """One primitive. Its values are its own, colours as "colour:train"."""
    tag = str(line.__struct_config__.tag)
    values: dict[str, Any] = {name: getattr(line, name) for name in line.__struct_fields__}
    if "of" in values:
        values["of"] = f"colour:{values['of']}"
    if isinstance(line, fx.ReturnWaste):
        paid = ".money" if line.money else ""
        return Told(f"{tag}.{line.count}{paid}", values={"money": line.money})
    if isinstance(line, fx.DiscardAny):
        given = [name for name in ("draw", "money") if values[name]]
        return Told(".".join((tag, *given)), values={name: values[name] for name in given})
    if isinstance(line, fx.Waive):
        return Told(f"{tag}.{line.what}")
    if isinstance(line, fx.ChooseOne):
        return Told(tag, values={"branches": effects(line.branches)})
    if isinstance(line, fx.TrashSelf):
        return Told(tag, values={"then": effect(line.then)})
    return Told(tag, values=values)
