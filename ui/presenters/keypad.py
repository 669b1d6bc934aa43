"""Keys drawn on the screen: nothing ever needs a keyboard (and none appears over a field)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ui.presenters.elements import Button, Column, Row
from ui.presenters.intents import Intent

DIGITS = ("123", "456", "789")
LETTERS = {
    "en": ("qwertyuiop", "asdfghjkl", "zxcvbnm"),
    "de": ("qwertzuiopü", "asdfghjklöä", "yxcvbnmß"),
}
SIGNS = ("1234567890", "-.'&!?()[]", "äöüßáéíóúà", "èâêñçåøæłš")


def keys(
    rows: Sequence[str], means: Callable[[str], Intent], last: tuple[Button, ...] = (), high: float = 64
) -> Column:
    """Rows of keys, each a target; `last` stand at the end of the last row."""
    made = []
    for number, row in enumerate(rows):
        more = last if number == len(rows) - 1 else ()
        made.append(
            Row(
                children=(
                    *(
                        Button(id=f"key:{sign}", text=sign, intent=means(sign), grow=1, h=high, w=None)
                        for sign in row
                    ),
                    *more,
                ),
                gap=6,
            )
        )
    return Column(children=tuple(made), gap=6)
