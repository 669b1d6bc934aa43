"""What touching something means: data, so that a page can be tested without a window.

`Say` goes to the table's queue; everything else stays in the kiosk: `Go` shows another screen, `Set` changes
what the screen at hand keeps for itself (a page number, a typed letter), `Ask` has the host do something
outside (begin a game, park it, save a picture).
"""

from __future__ import annotations

from typing import Any

import msgspec

from assistant.messages import Command


class Say(msgspec.Struct, frozen=True, tag=True):
    """A command for the table."""

    command: Command


class Go(msgspec.Struct, frozen=True, tag=True):
    """Show a screen; "" is what the game asks for now. `values` are what it opens with."""

    screen: str
    values: dict[str, Any] = {}


class Set(msgspec.Struct, frozen=True, tag=True):
    """Change values that the screen at hand keeps; the screen's `on` may work out more."""

    values: dict[str, Any]


class Ask(msgspec.Struct, frozen=True, tag=True):
    """Have the host do something: `what` is one of `host.DEEDS`."""

    what: str
    values: dict[str, Any] = {}


Intent = Say | Go | Set | Ask
