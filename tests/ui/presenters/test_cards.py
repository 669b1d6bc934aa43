"""Open cards: every one that lies open is on a page, under the name of its group."""

from __future__ import annotations

import random

from tests.ui.presenters import judging as j
from tests.ui.presenters import playing as p
from ui.presenters import cards, elements, parts, present
from ui.presenters.intents import Go
from ui.presenters.nav import Nav
from ui.presenters.shown import display_of


def test_every_open_card_is_on_one_page() -> None:
    judge = p.table(p.game("railway_boom"))
    p.at(judge, "route", random.Random(3))
    shown = p.shown(judge)
    wanted = [name for group in display_of(shown).cards for name in group.names]
    faces = parts.faces_of(shown)
    assert wanted
    last = len(cards._leaves(display_of(shown).cards, 4 * cards.ROWS)) - 1
    words, shows = [], 0
    for number in range(last + 1):
        page = present.page(shown, Nav("cards", {"page": number}))
        words += j.texts(page)
        shows += sum(str(getattr(e, "id", "")).startswith("card:") for e in elements.walk(page))
    assert shows == len(wanted)
    assert {faces[name].title for name in wanted} <= set(words)
    # There is no page behind the last one.
    end, beyond = (present.page(shown, Nav("cards", {"page": n})) for n in (last, last + 1))
    assert j.texts(beyond) == j.texts(end)


def test_the_menu_leads_there_only_where_cards_lie_open() -> None:
    judge = p.table(p.game("railway_boom"))
    p.at(judge, "route", random.Random(3))
    intents = elements.intents(present.page(p.shown(judge), Nav("menu")))
    assert Go("cards") in intents.values()
    bare = p.table(p.game("auction"))
    assert Go("cards") not in elements.intents(present.page(p.shown(bare), Nav("menu"))).values()
