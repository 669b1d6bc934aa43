"""What the camera saw, explained: every kind of difference, every way a change can have come about.

On the map of Kestrel Bay A begins on C7 (a field; C8 is another, B7 a city of one, D6 one of two behind no
barrier) and B on E2.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from assistant.actions import TABLE, Action
from assistant.dealing import Deal, Reveal
from assistant.games.trains.actions import (
    Buy,
    Discard,
    EndTurn,
    Lay,
    Leftovers,
    PassReturn,
    Pick,
    PlaceStation,
    Play,
    ReturnWaste,
    StartPlace,
    TrashIt,
)
from assistant.games.trains.state import State
from assistant.layout import Scene
from assistant.observation import Observation, Sighting
from assistant.offers import Form
from assistant.reading import Difference, Hole, InStep, OutOfStep, Proposal, Reading, Roster, Several, read
from tests.games.trains.looks import Look, begun, done, game, holding

TABLE_ = game()
BEGUN = begun(TABLE_, "C7", "E2")
D = Difference
Laid = Callable[[Look], Look]


def proposed(reading: Reading) -> list[object]:
    """A proposal's steps, holes as their kind."""
    assert isinstance(reading, Proposal), reading
    return [step.kind if isinstance(step, Hole) else step for step in reading.steps]


def choices(reading: Reading) -> list[list[object]]:
    assert isinstance(reading, Several), reading
    return [proposed(choice) for choice in reading.choices]


def played(card: str, apply: bool = True) -> State:
    """The turn of A after a card that was in hand."""
    return done(
        TABLE_, holding(TABLE_, BEGUN, card, *["TC-NT"] * 3, "TC-WA", "TC-WA"), Play("A", card, apply)
    )


def bought(state: State, *names: str) -> State:
    """The state with read numbers of cards that B owns."""
    return replace(state, copies={**state.copies, **dict.fromkeys(names, "B")})


# What can have happened ---------------------------------------------------------------------------

NT = [Play("A", "TC-NT", copy=f"{n:02}") for n in range(1, 6)]
LR, LR_PLAIN = Play("A", "TC-LR", True, "01"), Play("A", "TC-LR", copy="01")
SE = Play("A", "TC-SE", True, "01")

EXPLAINED: list[tuple[str, State, Laid, list[object]]] = [
    ("a card without effect", BEGUN, lambda it: it.cards("play", "TC-NT-01"), [NT[0]]),
    (
        "several cards, in the order seen",
        BEGUN,
        lambda it: it.cards("play", "TC-NT-02", "TC-NT-01").in_order("TC-NT-01", "TC-NT-02"),
        [NT[0], NT[1]],
    ),
    (
        "a rail tells that the effect was applied",
        BEGUN,
        lambda it: it.cards("play", "TC-LR-01").rail("A", "C8"),
        [LR, Lay("A", "C8")],
    ),
    (
        "so does the Waste that comes with it",
        BEGUN,
        lambda it: it.cards("play", "TC-LR-01").cards("gained", "TC-WA-09"),
        [LR],
    ),
    (
        "a station on a city",
        BEGUN,
        lambda it: it.cards("play", "TC-SE-01").station("C9"),
        [SE, PlaceStation("A", "C9")],
    ),
    (
        "a purchase, paid by what was played with it",
        BEGUN,
        lambda it: it.cards("gained", "TC-ET-01").cards("play", "TC-NT-01", "TC-NT-02", "TC-NT-03"),
        [*NT[:3], Buy("A", "TC-ET", copy="01")],
    ),
    (
        "a rail that another new one connects, and money for the city",
        BEGUN,
        lambda it: it.rail("A", "B7", "C8").cards("play", "TC-NT-01", "TC-LR-01", "TC-LR-02"),
        [NT[0], LR, replace(LR, copy="02"), Lay("A", "B7"), Lay("A", "C8")],
    ),
    (
        "rails that lead on from each other",
        BEGUN,
        lambda it: it.rail("A", "D8", "C8").cards("play", "TC-LR-01", "TC-LR-02"),
        [LR, replace(LR, copy="02"), Lay("A", "C8"), Lay("A", "D8")],
    ),
    (
        "the card that nobody has read is the new one of two",
        done(TABLE_, BEGUN, NT[0]),
        lambda it: it.cards("play", "TC-NT-05"),
        [NT[4]],
    ),
    (
        "both starting tokens",
        begun(TABLE_),
        lambda it: it.rail("A", "C7").rail("B", "C8"),
        [StartPlace("A", "C7"), StartPlace("B", "C8")],
    ),
    (
        "a purchase that is paid and brings Waste",
        done(TABLE_, BEGUN, *NT[:4]),
        lambda it: it.cards("gained", "TC-AP-03", "TC-WA-01"),
        [Buy("A", "TC-AP", copy="03")],
    ),
    (
        "revealed cards, the first one on top",
        played("TC-IC"),
        lambda it: it.cards("reveal", "TC-NT-01", "TC-NT-02", "TC-NT-03", "TC-NT-04"),
        [Reveal("A", ("TC-NT",) * 4), "choice"],
    ),
    (
        "discarded cards that were asked for",
        done(TABLE_, played("TC-GA"), Deal("A", 2, ("TC-NT", "TC-NT"))),
        lambda it: it.cards("discard", "TC-WA-01", "TC-WA-02"),
        [Discard("A", ("TC-WA", "TC-WA"))],
    ),
    (
        "Waste laid back by who passes",
        holding(TABLE_, BEGUN, "TC-WA", "TC-WA", "TC-NT"),
        lambda it: it.cards("return", "TC-WA-01", "TC-WA-02"),
        [PassReturn("A", 2)],
    ),
    (
        "a card trashed for a better one, which is then gained",
        done(TABLE_, holding(TABLE_, BEGUN, "TC-WF", "TC-NT", "TC-ET"), Play("A", "TC-WF", True)),
        lambda it: it.cards("trash", "TC-ET-01").cards("gained", "TC-LE-01"),
        [Pick("A", "TC-ET"), Pick("A", "TC-LE")],
    ),
    (
        "a card that trashes itself",
        played("TC-HT"),
        lambda it: it.carry("TC-HT-01", "trash"),
        [TrashIt("A", True)],
    ),
    (
        "what was left in hand, laid open",
        done(TABLE_, holding(TABLE_, BEGUN, "TC-WA", "TC-NT", "TC-LR"), EndTurn("A")),
        lambda it: it.cards("leftover", "TC-LR-01", "TC-NT-01", "TC-WA-01"),
        [],
    ),
]


@pytest.mark.parametrize(
    ("state", "lay", "steps"), [one[1:] for one in EXPLAINED], ids=[one[0] for one in EXPLAINED]
)
def test_what_can_have_happened_is_proposed(state: State, lay: Laid, steps: list[object]) -> None:
    reading = lay(Look(TABLE_, state)).read()
    assert proposed(reading) == steps if steps else isinstance(reading, InStep)


def test_an_effect_that_nothing_tells_of_is_asked_about_and_what_follows_waits() -> None:
    reading = Look(TABLE_, BEGUN).cards("play", "TC-NT-01", "TC-LR-01", "TC-SE-01").read()
    assert choices(reading) == [[NT[0], LR], [NT[0], LR_PLAIN]]


def test_what_waits_for_an_answer_does_not_tell_that_an_effect_was_applied() -> None:
    """The station that the card would ask for is not there yet, and the purchase cannot be paid."""
    reading = Look(TABLE_, BEGUN).cards("play", "TC-SE-01").cards("gained", "TC-ET-01").read()
    assert choices(reading) == [[SE], [replace(SE, apply=False)]]


def test_a_purchase_that_may_go_onto_the_deck_is_asked_about() -> None:
    state = done(TABLE_, played("TC-EA"), *NT[:3])
    reading = Look(TABLE_, state).cards("gained", "TC-ET-01").read()
    assert choices(reading) == [[Buy("A", "TC-ET", copy="01")], [Buy("A", "TC-ET", True, "01")]]


def test_leftovers_are_the_tables_word_and_fewer_are_waited_for() -> None:
    state = done(TABLE_, BEGUN, NT[0], EndTurn("A"))
    names = [f"TC-NT-{n:02}" for n in range(2, 6)]
    assert proposed(Look(TABLE_, state).cards("leftover", *names).read()) == [
        Leftovers("A", 4, ("TC-NT",) * 4),
        "cards",
    ]
    some = Look(TABLE_, state).cards("leftover", *names[:3]).read()
    assert isinstance(some, InStep)
    assert some.waiting == Hole("cards", "A", 1, detail="show_hand")


def test_waste_that_was_gained_is_waited_for() -> None:
    state = done(TABLE_, BEGUN, LR)
    assert Look(TABLE_, state).read() == InStep()
    reading = Look(TABLE_, state).clear("gained").read()
    assert isinstance(reading, InStep)
    assert reading.waiting == Hole("cards", "A", 1, detail="TC-WA")


def test_returned_waste_answers_a_card() -> None:
    reading = Look(TABLE_, played("TC-FR")).cards("return", "TC-WA-01").read()
    assert proposed(reading) == [ReturnWaste("A", 1)]


def test_a_covered_card_is_not_missing_and_a_hidden_token_neither() -> None:
    state = done(TABLE_, BEGUN, *NT[:2])
    assert Look(TABLE_, state).clear("play").read() == InStep()
    assert Look(TABLE_, state).hide("C7").read() == InStep(hidden=("C7",))


def test_hidden_places_make_a_proposal_unsure() -> None:
    seen = Look(TABLE_, BEGUN).cards("play", "TC-LR-01").rail("A", "C8")
    reading = seen.hide("D7").read()
    assert isinstance(reading, Proposal)
    assert not reading.sure
    far = Look(TABLE_, BEGUN).cards("play", "TC-LR-01").rail("A", "C8").hide("G1").read()
    assert isinstance(far, Proposal)
    assert far.sure


# What cannot have happened ------------------------------------------------------------------------

APPLIED = done(TABLE_, BEGUN, LR)
OPEN = done(TABLE_, BEGUN, SE)
BEHIND = done(TABLE_, begun(TABLE_, "D6", "E2"), LR)

DIFFERENCES: list[tuple[str, State, Laid, list[Difference]]] = [
    (
        "a rail away from the railway",
        APPLIED,
        lambda it: it.rail("A", "G4"),
        [D("not_connected", "G4", "A", "TR-LAY-2", piece="rail")],
    ),
    (
        "a rail across a barrier",
        BEHIND,
        lambda it: it.rail("A", "C6"),
        [D("not_connected", "C6", "A", "TR-LAY-3", piece="rail")],
    ),
    (
        "a rail that cannot be paid",
        APPLIED,
        lambda it: it.rail("A", "B7"),
        [D("over_budget", "B7", "A", "TR-LAY-5", 1, "rail")],
    ),
    (
        "a rail without a rail point",
        BEGUN,
        lambda it: it.rail("A", "C8"),
        [D("not_now", "C8", "A", "TR-LAY-1", piece="rail")],
    ),
    (
        "a second rail on a hex",
        APPLIED,
        lambda it: it.rail("A", "C7"),
        [D("hex_full", "C7", "A", "TR-LAY-4", piece="rail")],
    ),
    (
        "a rail in the sea",
        APPLIED,
        lambda it: it.rail("A", "F7"),
        [D("not_a_space", "F7", "A", "TR-LAY-7", piece="rail")],
    ),
    (
        "a rail of a seat whose turn it is not",
        APPLIED,
        lambda it: it.rail("B", "C8"),
        [D("wrong_seat", "C8", "B", "TR-TURN-1", piece="rail")],
    ),
    (
        "a rail of a colour that does not play",
        APPLIED,
        lambda it: it.rail("D", "C8"),
        [D("wrong_seat", "C8", "D", "TR-SETUP-2", piece="rail")],
    ),
    (
        "a rail in a lane",
        APPLIED,
        lambda it: it.rail("A", "play"),
        [D("not_a_space", "play", "A", "SM-SEE-4", piece="rail")],
    ),
    (
        "a starting token in the sea",
        begun(TABLE_),
        lambda it: it.rail("A", "F7"),
        [D("not_a_space", "F7", "A", "TR-START-2", piece="rail")],
    ),
    (
        "a starting token on a remote location",
        begun(TABLE_),
        lambda it: it.rail("A", "A1"),
        [D("wrong_place", "A1", "A", "TR-START-3", piece="rail")],
    ),
    (
        "a starting token beside another's",
        begun(TABLE_, "C7"),
        lambda it: it.rail("B", "C7"),
        [D("hex_full", "C7", "B", "TR-START-4", piece="rail")],
    ),
    (
        "a starting token out of turn",
        begun(TABLE_),
        lambda it: it.rail("B", "C7"),
        [D("not_now", "C7", "B", "TR-START-1", piece="rail")],
    ),
    (
        "a station that nothing asks for",
        BEGUN,
        lambda it: it.station("C9"),
        [D("not_now", "C9", None, "TR-TURN-2", piece="station")],
    ),
    (
        "a station on a field",
        OPEN,
        lambda it: it.station("C8"),
        [D("wrong_place", "C8", None, "TR-STN-1", piece="station")],
    ),
    (
        "a second station where one fits",
        done(TABLE_, OPEN, PlaceStation("A", "B7")),
        lambda it: it.station("B7"),
        [D("hex_full", "B7", None, "TR-STN-2", piece="station")],
    ),
    (
        "a purchase without money",
        BEGUN,
        lambda it: it.cards("gained", "TC-ET-01"),
        [D("over_budget", "gained", "A", "TR-BUY-1", 3, "Express Train 01")],
    ),
    (
        "a card that is not for sale in this game",
        BEGUN,
        lambda it: it.cards("gained", "TC-CR-01"),
        [D("over_budget", "gained", "A", "TR-BUY-1", 7, "Control Room 01")],
    ),
    (
        "a Normal Train taken from the box",
        BEGUN,
        lambda it: it.cards("gained", "TC-NT-30"),
        [D("wrong_card", "gained", "A", "TR-SETUP-7", piece="Normal Train 30")],
    ),
    (
        "a purchase while a card is being resolved",
        OPEN,
        lambda it: it.cards("gained", "TC-ET-01"),
        [D("not_now", "gained", "A", "TR-TURN-2", piece="Express Train 01")],
    ),
    (
        "a card while another is being resolved",
        OPEN,
        lambda it: it.cards("play", "TC-NT-01"),
        [D("not_now", "play", "A", "TR-TURN-2", piece="Normal Train 01")],
    ),
    (
        "a card of another player",
        bought(BEGUN, "TC-NT-09"),
        lambda it: it.cards("play", "TC-NT-09"),
        [D("wrong_card", "play", "A", "TR-VIS-3", piece="Normal Train 09")],
    ),
    (
        "a card that the player does not own",
        BEGUN,
        lambda it: it.cards("play", "TC-ET-01"),
        [D("wrong_card", "play", "A", "TR-VIS-3", piece="Express Train 01")],
    ),
    (
        "a card that does nothing when it is played",
        holding(TABLE_, BEGUN, "TC-WA"),
        lambda it: it.cards("play", "TC-WA-01"),
        [D("wrong_card", "play", "A", "TR-PLAY-4", piece="Waste 01")],
    ),
    (
        "a card on the map",
        BEGUN,
        lambda it: it.cards("C8", "TC-NT-01"),
        [D("wrong_place", "C8", rule="SM-SEE-4", piece="Normal Train 01")],
    ),
    (
        "Waste that nothing brought",
        BEGUN,
        lambda it: it.cards("gained", "TC-WA-01", "TC-WA-02"),
        [D("wrong_count", "gained", "A", "TR-WASTE-1", 2, "Waste")],
    ),
    (
        "what was left in hand by the player before",
        BEGUN,
        lambda it: it.cards("leftover", "TC-LR-01"),
        [D("left_over", "leftover", rule="TR-CLEAN-1", piece="Lay Rails 01")],
    ),
    (
        "a card that was revealed and should be back",
        BEGUN,
        lambda it: it.cards("reveal", "TC-LR-01"),
        [D("left_over", "reveal", rule="SM-SEE-4", piece="Lay Rails 01")],
    ),
    (
        "a rail that is gone",
        BEGUN,
        lambda it: it.take("rail", "B", "E2"),
        [D("missing", "E2", "B", "TR-LAY-12", piece="rail")],
    ),
    (
        "a rail pushed next door",
        BEGUN,
        lambda it: it.take("rail", "B", "E2", "E3"),
        [D("moved", "E2", "B", "TR-LAY-12", piece="rail", to="E3")],
    ),
    (
        "a station pushed next door",
        done(TABLE_, OPEN, PlaceStation("A", "E3")),
        lambda it: it.take("station", None, "E3", "F2"),
        [D("moved", "E3", None, "TR-LAY-12", piece="station", to="F2")],
    ),
    (
        "two things that are wrong at once, and one that is right",
        APPLIED,
        lambda it: it.rail("A", "C8").rail("B", "D6").cards("gained", "TC-ET-01"),
        [
            D("wrong_seat", "D6", "B", "TR-TURN-1", piece="rail"),
            D("over_budget", "gained", "A", "TR-BUY-1", 3, "Express Train 01"),
        ],
    ),
]


@pytest.mark.parametrize(
    ("state", "lay", "wrong"), [one[1:] for one in DIFFERENCES], ids=[one[0] for one in DIFFERENCES]
)
def test_what_cannot_have_happened_is_told_with_its_rule(
    state: State, lay: Laid, wrong: list[Difference]
) -> None:
    reading = lay(Look(TABLE_, state)).read()
    assert isinstance(reading, OutOfStep), reading
    assert list(reading.differences) == wrong


def test_repairs_say_what_to_take_away_and_guess_nothing() -> None:
    reading = Look(TABLE_, APPLIED).rail("A", "G4").take("rail", "B", "E2").read()
    assert isinstance(reading, OutOfStep)
    assert [(e.what, e.place, e.seat) for e in reading.repairs[0]] == [
        ("put_back", "E2", "B"),
        ("remove", "G4", "A"),
    ]
    dear = Look(TABLE_, APPLIED).rail("A", "B7").read()
    assert isinstance(dear, OutOfStep)
    assert dear.repairs == ()


# Whole games --------------------------------------------------------------------------------------


def looked(state: State, scene: Scene, seats: int) -> Reading:
    table = game(seats)
    sightings = tuple(Sighting(p.payload, 0.0, 0.0, 0.0, 3.0, p.space) for p in scene.placements)
    return read(table, state, Observation(sightings), Roster({p.payload: p for p in table.printed.pieces}))


@pytest.mark.parametrize(("seed", "seats"), [(1, 2), (2, 3), (3, 4)])
def test_everything_that_the_camera_can_see_of_a_game_is_explained(seed: int, seats: int) -> None:
    """Each state's own scene is in step, and each action is among what its look is read as."""
    table, rng = game(seats), random.Random(seed)
    state, seen = table.start(), dict.fromkeys(table.seen_kinds, 0)
    for _ in range(600):
        if table.finished(state):
            break
        assert isinstance(looked(state, table.scene(state), seats), InStep)
        action = table.tagged(state, wanted(state, seats, rng))
        after, _ = table.apply(state, action)
        lying = table.laid(state, action)
        if action.kind in seen and lying != table.scene(state):
            reading = looked(state, lying, seats)
            ways = reading.choices if isinstance(reading, Several) else (reading,)
            plain = [way for way in ways if isinstance(way, Proposal)]
            assert any(leads(state, way.actions, after, seats) for way in plain), (action, reading)
            seen[action.kind] += 1
        state = after
    assert all(count for kind, count in seen.items() if kind != "reveal"), seen


def leads(state: State, actions: tuple[Action, ...], after: State, seats: int) -> bool:
    for action in actions:
        state, _ = game(seats).apply(state, action)
    return state == after


def wanted(state: State, seats: int, rng: random.Random) -> Action:
    table = game(seats)
    seat = table.acting(state)[0].seat
    if seat == TABLE:
        action = table.chance(state, rng)
        assert action is not None
        return action
    if rng.random() < 0.7:
        return table.sensible(state, seat, rng)
    offer = rng.choice(table.offers(state, seat))
    return offer.sample(rng) if isinstance(offer, Form) else offer
