"""The two toy games have every property that a game must have: the kernel carries games unlike ours."""

from __future__ import annotations

import random
import tokenize
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
import pytest

from assistant import cards as c
from assistant.actions import TABLE, Action
from assistant.dealing import Deal, Shuffle
from assistant.game import PUBLIC, STAFF, Game
from assistant.random_play import play
from assistant.rulings import Accepted
from tests import properties
from tests.toys.shelf import HERE, NAMES, toy

pytestmark = pytest.mark.usefixtures("toys")

CARDS = ("cart", "hook", "trade", "nothing")
DOMAINS: dict[str, dict[str, Any]] = {
    "toy_shunt": {"card": ("", *CARDS), "cards": CARDS, "owner": ("A", "B", "Z"), "count": (0, 1, 2, 3, 4)},
    "toy_yard": {
        "space": ("mint", "depot", "rail", "switch", "shed", "express", "grand", "nowhere"),
        "what": ("red", "blue", "coins", "goods", "step", "gift", ""),
        "int": (0, 1, 2, 3, 4),
    },
}
BOTH = pytest.mark.parametrize("name", NAMES)


def candidates(game: Game[Any], state: Any) -> list[Action]:
    """Actions of which some break exactly one rule."""
    return [
        a for a in properties.expressible(game, DOMAINS[game.title.id]) if a.kind not in ("first", "trade")
    ]


@BOTH
@pytest.mark.parametrize("seats", [2, 3])
def test_random_play_ends_sound_and_adds_up(name: str, seats: int) -> None:
    for seed in range(12):
        played = properties.random_playout(toy(name, seats), random.Random(seed))
        assert sum(played.counts.values()) == len(played.actions)
        assert sum(played.shares.values()) == pytest.approx(1)


@BOTH
def test_every_offer_is_legal_and_every_form_gives_only_legal_actions(name: str) -> None:
    rng = random.Random(1)
    checked = sum(
        properties.check_forms(toy(name, 3), s, rng) for s in properties.states_of(toy(name, 3), rng)
    )
    assert checked > 200


@BOTH
def test_a_state_comes_back_from_its_position(name: str) -> None:
    for state in properties.states_of(toy(name, 3), random.Random(2)):
        properties.check_round_trip(toy(name, 3), state)


@BOTH
def test_offers_and_refusals_agree_about_everything_the_codec_can_express(name: str) -> None:
    game = toy(name)
    actions = list(properties.expressible(game, DOMAINS[name]))
    legal = refused = 0
    for state in properties.states_of(game, random.Random(3), every=4):
        good, bad = properties.check_refusals(game, state, actions)
        legal, refused = legal + good, refused + bad
    assert legal > 30
    assert refused > 1000


@BOTH
def test_offers_and_refusals_agree_about_actions_like_those_seen(name: str) -> None:
    game, rng = toy(name, 3), random.Random(4)
    words = properties.Vocabulary(game, play(game, rng).actions)
    for state in properties.states_of(game, rng, every=3):
        properties.check_refusals(game, state, [words.sample(rng) for _ in range(40)])


@BOTH
def test_undo_goes_back_and_redo_goes_forward(name: str) -> None:
    game = toy(name, 3)
    undone = sum(
        properties.check_undo(game, play(game, rng).actions, rng) for rng in map(random.Random, range(12))
    )
    assert undone > 20


@BOTH
def test_a_refused_action_leaves_everything_as_it_was(name: str) -> None:
    game, rng = toy(name), random.Random(5)
    actions = play(game, rng).actions
    referee = properties.recorded(game, actions[:15])
    for wrong in properties.expressible(game, DOMAINS[name], length=1):
        if game.refuse(referee.state, wrong) is not None:
            properties.check_untouched(referee, partial(referee.submit, wrong))
    # The second of two is refused: the first is not recorded either.
    after, _ = game.apply(referee.state, actions[15])
    wrong = next(a for a in properties.expressible(game, DOMAINS[name]) if game.refuse(after, a) is not None)
    refused = properties.check_untouched(referee, partial(referee.submit, actions[15], wrong))
    assert refused.at == 1


@BOTH
def test_a_recorded_game_replays(name: str) -> None:
    referee = properties.recorded(toy(name, 3), play(toy(name, 3), random.Random(6)).actions)
    assert properties.check_replay(referee) == referee.seq
    assert properties.check_replay(referee, digests=False) == referee.seq


@pytest.mark.parametrize(
    ("name", "rule"), [(name, rule) for name in NAMES for rule in sorted(toy(name).waivable)]
)
def test_after_an_overruled_action_the_game_goes_on_to_its_end(name: str, rule: str) -> None:
    game = toy(name)
    properties.check_waiver(game, rule, partial(candidates, game))


# --- what others must not know -------------------------------------------------------------------


def hand_twin(state: Any, viewer: str, rng: random.Random) -> Any:
    """The same for the viewer: names that it does not know are dealt among their places anew."""
    out = {}
    for seat, cards in state.cards.items():
        hidden = [k.card for zone in cards.zones.values() for k in zone.named if not seen(k, viewer)]
        hidden += [name for name, count in cards.pool.items() for _ in range(count)]
        rng.shuffle(hidden)
        zones = {}
        for name, zone in cards.zones.items():
            named = [k if seen(k, viewer) else c.Known(hidden.pop(), k.at, k.to) for k in zone.named]
            zones[name] = c.Zone(tuple(named), zone.unnamed)
        pool = {name: hidden.count(name) for name in sorted(set(hidden))}
        out[seat] = c.Cards(zones, pool)
    return msgspec.structs.replace(state, cards=out)


def seen(known: c.Known, viewer: str) -> bool:
    return known.to is None or viewer in known.to


def test_a_view_does_not_depend_on_cards_that_the_viewer_does_not_know() -> None:
    game, rng = toy("toy_shunt", 3), random.Random(7)
    compared = 0
    for seed in range(6):
        for state in properties.states_of(game, random.Random(seed), every=2):
            for viewer in properties.viewers(game):
                twin = hand_twin(state, viewer, rng)
                assert not game.faults(twin)
                if twin != state:
                    properties.check_views(game, state, twin, viewer)
                    compared += 1
            assert game.view(state, STAFF) == game.to_position(state)
    assert compared > 200


def test_a_history_names_drawn_cards_only_to_their_owner() -> None:
    game = toy("toy_shunt")
    deals = {"one": ("cart", "hook", "order"), "other": ("scout", "cart", "order")}
    one, other = (properties.recorded(game, [Deal("A", 3, cards)]) for cards in deals.values())
    for viewer in ("B", PUBLIC):
        properties.check_histories(game, one, other, viewer)
        assert not any(entry.digest for entry in one.history(viewer))
    assert one.history("A") != other.history("A")


# --- the deck-builder's own ----------------------------------------------------------------------


def test_without_names_the_table_may_play_whatever_can_be_in_the_hand() -> None:
    game = toy("toy_shunt")
    referee = properties.recorded(game, [Deal("A", 3), Deal("B", 3)])
    plays = {offer.card for offer in game.offers(referee.state, "A") if offer.kind == "play"}  # type: ignore[union-attr]
    assert plays == {"cart", "hook", "order", "scout"}
    for _ in range(2):
        referee.submit(game.codec.from_json({"do": "play", "seat": "A", "card": "order"}))
    # Both orders are on the table: the third card cannot be one.
    refused = referee.submit(game.codec.from_json({"do": "play", "seat": "A", "card": "order"}))
    assert refused.rule == "TD-4"  # type: ignore[union-attr]


def test_a_draw_is_met_in_parts_around_a_shuffle() -> None:
    game = toy("toy_shunt")
    referee = properties.recorded(game, [Deal("A", 3), Deal("B", 3)])
    ends = {seat: game.codec.from_json({"do": "end_turn", "seat": seat}) for seat in ("A", "B")}
    for seat in ("A", "B"):
        referee.submit(ends[seat])
        referee.submit(Deal(seat, 3))
    referee.submit(ends["A"])
    # One card is left: it comes first, then the discards are shuffled, then the rest.
    assert referee.submit(Deal("A", 3)).rule == "TD-4"  # type: ignore[union-attr]
    assert referee.submit(Shuffle("A")).rule == "TD-3"  # type: ignore[union-attr]
    for step in (Deal("A", 1), Shuffle("A"), Deal("A", 2)):
        assert [acting.why for acting in game.acting(referee.state) if acting.seat == TABLE] == [step.kind]
        assert not hasattr(referee.submit(step), "rule")
    cards = referee.state.cards["A"]
    assert (cards["hand"].size, cards["deck"].size, cards["discard"].size) == (3, 4, 0)


def test_undoing_a_look_says_what_to_do_and_then_nobody_knows() -> None:
    game = toy("toy_shunt")
    referee = properties.recorded(game, [Deal("A", 3, ("scout", "cart", "cart")), Deal("B", 3)])
    before = referee.state
    referee.submit(game.codec.from_json({"do": "play", "seat": "A", "card": "scout", "apply": True}))
    referee.submit(Deal("A", 1, ("hook",)))
    assert game.view(referee.state, "A")["cards"]["A"]["zones"]["deck"]["named"][0] == {
        "card": "hook",
        "at": 0,
    }
    terms = referee.undo_terms("A")
    assert terms.consents == ()
    assert [told.key for told in terms.tells] == ["undo.return", "undo.reshuffle"]
    referee.undo("A", steps_done=True)
    for viewer in properties.viewers(game):
        assert game.view(referee.state, viewer) == game.view(before, viewer)
    assert all(k.at is None for k in referee.state.cards["A"]["deck"].named)


# --- the worker placement's own ------------------------------------------------------------------

ROLL = {"do": "roll", "value": 1}
RAIL = {"do": "place", "seat": "A", "space": "rail", "coins": 1, "goods": 0}


def choose(what: str) -> dict[str, Any]:
    return {"do": "choose", "seat": "A", "what": what}


def yard(*forms: dict[str, Any]) -> Any:
    game = toy("toy_yard")
    return properties.recorded(game, [game.codec.from_json(form) for form in forms])


def go(referee: Any, *forms: dict[str, Any]) -> None:
    for form in forms:
        assert isinstance(referee.submit(referee.game.codec.from_json(form)), Accepted)


def test_effects_due_together_come_in_the_order_their_seat_chooses() -> None:
    referee = yard(ROLL, RAIL, choose("red"), choose("red"))
    assert referee.game.acting(referee.state)[0].why == "order"
    assert referee.state.stacks["A"].due == ("gift", "step")
    # The step chosen first is a chain of its own: the step it triggers is settled before the gift that waits.
    go(referee, choose("step"), choose("blue"))
    assert referee.state.stacks["A"].open == ("gift", "step")
    go(referee, choose("blue"))
    assert referee.state.stacks["A"].top == "gift"


def test_what_is_filed_under_the_end_of_the_turn_blocks_nothing_until_then() -> None:
    referee = yard(ROLL, RAIL, *[choose("blue")] * 3)
    assert [entry for _, entry in referee.state.stacks["A"].filed] == ["step", "gift"]
    assert referee.game.acting(referee.state)[0].why == "end"
    go(referee, {"do": "end_turn", "seat": "A"})
    assert referee.game.acting(referee.state)[0].why == "order"
    go(referee, choose("gift"), choose("coins"), choose("blue"))
    assert referee.state.turn == "B"


def test_an_overruled_payment_takes_what_is_there_and_the_entry_says_what_is_missing() -> None:
    referee = yard(ROLL)
    place = referee.game.codec.from_json({**RAIL, "space": "express", "coins": 3})
    assert referee.submit(place).rule == "TW-8"
    referee.overrule(place, ["TW-8"], ["A", "B"])
    assert referee.state.has["A"]["coins"] == 0
    (entry,) = referee.journal.entries(referee.seq)
    missing = {"event": "shortfall", "seat": "A", "what": "coins", "missing": 2, "rule": "TW-8"}
    assert entry.entry.body["shortfall"] == [missing]
    properties.check_replay(referee)


# --- small on purpose ----------------------------------------------------------------------------


LINES = 160
"""Of code; the kernel is right while a game of this size needs no more."""


@pytest.mark.parametrize("name", ["shunt", "yard"])
def test_a_toy_stays_small(name: str) -> None:
    assert code_lines(HERE / name / "__init__.py") < LINES


def code_lines(file: Path) -> int:
    """Lines that hold a statement or a part of one: no blank lines, comments, docstrings or imports."""
    lines: set[int] = set()
    text = file.read_bytes()
    statement: list[tokenize.TokenInfo] = []
    skip = (tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING)
    for token in tokenize.tokenize(BytesIO(text).readline):
        if token.type == tokenize.NEWLINE:
            first = statement[0]
            if first.string not in ("from", "import") and first.type != tokenize.STRING:
                lines.update(range(first.start[0], statement[-1].end[0] + 1))
            statement = []
        elif token.type not in skip:
            statement.append(token)
    return len(lines)
