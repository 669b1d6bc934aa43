"""The referee: what it records, takes back, brings back, overrules, corrects, resumes and replays."""

from __future__ import annotations

import random
import re
import time
import tomllib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

import assistant
from assistant.dealer import Dealer
from assistant.dealing import Deal
from assistant.events import Points
from assistant.game import PositionFaults, Title, find_title
from assistant.journal import (
    Entry,
    Header,
    Journal,
    JournalIOError,
    MemoryJournal,
    Recorded,
    SeatInfo,
    export_text,
)
from assistant.random_play import play
from assistant.referee import CORRECTION, CannotResume, Differs, Referee, header_for, replay
from assistant.rulings import Accepted, Refused
from tests import properties
from tests.toys.shelf import toy

pytestmark = pytest.mark.usefixtures("toys")
ROOT = Path(__file__).resolve().parents[2]


def act(referee: Referee[Any], *forms: dict[str, Any], **more: Any) -> Accepted | Refused:
    return referee.submit(*(referee.game.codec.from_json(form) for form in forms), **more)


def done(ruling: Accepted | Refused) -> Accepted:
    assert isinstance(ruling, Accepted), ruling
    return ruling


def roll(value: int = 1) -> dict[str, Any]:
    return {"do": "roll", "value": value}


def place(seat: str, space: str, coins: int = 0) -> dict[str, Any]:
    return {"do": "place", "seat": seat, "space": space, "coins": coins, "goods": 0}


def end(seat: str) -> dict[str, Any]:
    return {"do": "end_turn", "seat": seat}


def yard(*forms: dict[str, Any]) -> Referee[Any]:
    referee = properties.referee_for(toy("toy_yard"))
    for form in forms:
        done(act(referee, form))
    return referee


def rule(ruling: Accepted | Refused) -> str:
    assert isinstance(ruling, Refused)
    return ruling.rule


# --- submitting ----------------------------------------------------------------------------------


def test_a_ruling_of_several_actions_is_one_transaction() -> None:
    class Counting(MemoryJournal):
        calls = 0

        def append(self, entries: Sequence[Entry]) -> tuple[Recorded, ...]:
            Counting.calls += 1
            return super().append(entries)

    game = toy("toy_yard")
    referee = Referee.new(game, Counting(header_for(game)))
    ruling = done(act(referee, roll(), place("A", "mint"), end("A")))
    assert (ruling.seq, Counting.calls) == (3, 1)
    assert {recorded.ruling for recorded in referee.journal.entries()} == {1}
    assert ruling.digest == game.digest(referee.state)
    # The unit that is taken back is the ruling.
    assert [action.kind for action in referee.undo_terms("A").actions] == ["roll", "place", "end_turn"]


def test_each_action_is_judged_on_what_the_one_before_left() -> None:
    referee = yard(roll())
    ruling = properties.check_untouched(
        referee, partial(act, referee, place("A", "mint"), place("A", "shed"), end("A"))
    )
    assert (ruling.rule, ruling.at) == ("TW-6", 1)


def test_nothing_changes_when_the_journal_cannot_be_written() -> None:
    class Full(MemoryJournal):
        def append(self, entries: Sequence[Entry]) -> tuple[Recorded, ...]:
            raise OSError(28, "no space left on device")

    game = toy("toy_yard")
    referee = Referee.new(game, Full(header_for(game)))
    before = referee.state
    with pytest.raises(OSError, match="no space"):
        act(referee, roll())
    assert referee.state is before
    assert referee.history() == ()


def test_a_ruling_that_failed_and_is_recorded_all_the_same_is_taken_in() -> None:
    class Doubtful(MemoryJournal):
        def append(self, entries: Sequence[Entry]) -> tuple[Recorded, ...]:
            recorded = super().append(entries)
            if recorded[-1].seq == 2:
                raise JournalIOError("the flush failed, the entry is in", recorded=True)
            return recorded

    game = toy("toy_yard")
    referee = Referee.new(game, Doubtful(header_for(game)))
    done(act(referee, roll()))
    with pytest.raises(JournalIOError):
        act(referee, place("A", "mint"))
    assert rule(act(referee, place("A", "shed"))) == "TW-6"
    assert referee.catch_up() == 0
    assert referee.state == yard(roll(), place("A", "mint")).state
    done(act(referee, end("A")))
    properties.check_replay(referee)


def test_an_empty_ruling_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="at least one action"):
        yard().submit()


def test_a_header_of_another_game_is_not_begun() -> None:
    with pytest.raises(ValueError, match="game differs"):
        Referee.new(toy("toy_yard"), MemoryJournal(header_for(toy("toy_shunt"))))
    with pytest.raises(ValueError, match="seats differ"):
        Referee.new(toy("toy_yard", 3), MemoryJournal(header_for(toy("toy_yard"))))
    with pytest.raises(ValueError, match="already holds a game"):
        Referee.new(toy("toy_yard"), yard(roll()).journal)


def test_a_game_can_begin_in_the_middle_and_that_cannot_be_taken_back() -> None:
    game = toy("toy_yard")
    middle = game.to_position(yard(roll(), place("A", "mint")).state)
    referee = Referee.new(game, MemoryJournal(header_for(game)), given=middle)
    assert game.to_position(referee.state) == middle
    assert rule(referee.undo("A")) == "SM-UNDO-1"
    done(act(referee, end("A")))
    properties.check_replay(referee)
    with pytest.raises(PositionFaults):
        Referee.new(game, MemoryJournal(header_for(game)), given={**middle, "colour": "red"})


# --- taking back ---------------------------------------------------------------------------------


def test_undo_within_ones_own_uninformed_steps_asks_nobody() -> None:
    referee = yard(roll(), place("A", "mint"), {"do": "trade", "seat": "A"})
    terms = referee.undo_terms("A", 2)
    assert (terms.consents, terms.tells, terms.entries) == ((), (), (2, 3))
    done(referee.undo("A", 2))
    assert referee.state == yard(roll()).state
    assert [(entry.kind, entry.live) for entry in referee.history()] == [
        ("act", True),
        ("act", False),
        ("act", False),
        ("undo", False),
    ]


def test_undo_past_another_seat_needs_its_consent() -> None:
    referee = yard(roll(), place("A", "mint"), end("A"), roll(), place("B", "shed"))
    assert referee.undo_terms("B").consents == ()
    assert referee.undo_terms("A").consents == ("B",)
    assert referee.undo_terms("staff", 2).consents == ("A", "B")
    refused = properties.check_untouched(referee, partial(referee.undo, "A", 2, steps_done=True))
    assert (refused.rule, refused.violation.values) == ("SM-UNDO-2", {"seats": ["B"]})
    done(referee.undo("A", 2, consents=["B"], steps_done=True))
    (entry,) = referee.journal.entries(referee.seq)
    assert entry.entry.body["consents"] == ["B"]


def test_undo_past_information_lists_what_to_do_and_must_be_confirmed() -> None:
    referee = yard(roll(), place("A", "mint"), end("A"), roll(3))
    terms = referee.undo_terms("A")
    assert [told.key for told in terms.tells] == ["roll_again"]
    assert rule(properties.check_untouched(referee, partial(referee.undo, "A"))) == "SM-UNDO-3"
    # The roll would be due again at once, so it goes with the step that called for it.
    done(referee.undo("A", steps_done=True))
    assert referee.state == yard(roll(), place("A", "mint")).state


def test_the_table_takes_back_its_own_input_alone() -> None:
    referee = yard(roll(), place("A", "mint"), end("A"), roll(3))
    terms = referee.undo_terms("table")
    assert (terms.entries, terms.consents) == ((4,), ())
    done(referee.undo("table", steps_done=True))
    assert referee.state == yard(roll(), place("A", "mint"), end("A")).state


def test_there_is_no_more_to_take_back_than_was_done() -> None:
    referee = yard(roll())
    for by, steps in (("A", 1), ("table", 2)):
        assert referee.undo_terms(by, steps).actions == ()
        attempt = partial(referee.undo, by, steps, steps_done=True)
        assert rule(properties.check_untouched(referee, attempt)) == "SM-UNDO-1"
    with pytest.raises(ValueError, match="at least one"):
        referee.undo("A", 0)


def test_redo_brings_back_the_same_digest_until_something_else_is_done() -> None:
    referee = yard(roll(), place("A", "mint"), {"do": "trade", "seat": "A"})
    digest = referee.game.digest(referee.state)
    assert rule(properties.check_untouched(referee, partial(referee.redo, "A"))) == "SM-REDO-1"
    done(referee.undo("A"))
    done(referee.undo("A"))
    assert rule(properties.check_untouched(referee, partial(referee.redo, "B"))) == "SM-REDO-2"
    done(referee.redo("A"))
    done(referee.redo("table"))
    assert referee.game.digest(referee.state) == digest
    done(referee.undo("A"))
    done(act(referee, end("A")))
    assert rule(referee.redo("A")) == "SM-REDO-1"
    properties.check_replay(referee)


def test_what_was_hidden_again_is_not_brought_back() -> None:
    referee = yard(roll(), place("A", "mint"), end("A"), roll(3))
    done(referee.undo("A", steps_done=True))
    assert rule(properties.check_untouched(referee, partial(referee.redo, "A"))) == "SM-REDO-3"


def test_a_reshuffled_deck_stays_unknown_however_far_is_gone_back() -> None:
    game = toy("toy_shunt")
    referee = properties.recorded(
        game, [Deal("A", 3, ("scout", "scout", "hook")[1:] + ("cart",)), Deal("B", 3)]
    )
    done(act(referee, {"do": "play", "seat": "A", "card": "scout", "apply": True}))
    done(referee.submit(Deal("A", 1, ("order",))))
    done(act(referee, {"do": "pick", "seat": "A"}))  # the order stays on top, and A knows it
    done(act(referee, {"do": "play", "seat": "A", "card": "hook", "apply": True}))
    deck = referee.state.cards["A"]["deck"]
    assert deck.named[0].card == "order"
    assert deck.named[0].at == 0
    done(referee.submit(Deal("A", 2, ("order", "cart"))))
    done(referee.undo("A", steps_done=True))
    # The draw is taken back and the deck shuffled: the order is somewhere in it, and no further back either.
    for _ in range(2):
        assert all(known.at is None for known in referee.state.cards["A"]["deck"].named)
        done(referee.undo("A", steps_done=True))
    properties.check_replay(referee)


def test_clocks_come_back_with_undo_and_resume_and_are_no_part_of_the_digest() -> None:
    first, second = yard(), yard()
    done(act(first, roll(), clocks={"A": 300, "B": 300}))
    done(act(first, place("A", "mint"), clocks={"A": 250.5, "B": 300}))
    done(act(second, roll()))
    done(act(second, place("A", "mint")))
    assert first.game.digest(first.state) == second.game.digest(second.state)
    assert first.clocks == {"A": 250.5, "B": 300}
    assert Referee.resume(first.journal).clocks == first.clocks
    done(act(first, end("A")))
    assert first.clocks == {"A": 250.5, "B": 300}
    done(first.undo("A", 2))
    assert first.clocks == {"A": 300, "B": 300}
    assert Referee.resume(first.journal).clocks == first.clocks
    done(first.redo("A"))
    assert first.clocks == {"A": 250.5, "B": 300}
    properties.check_replay(first)


# --- overruling ----------------------------------------------------------------------------------


def test_only_what_the_game_calls_waivable_can_be_overruled() -> None:
    referee = yard(roll(), place("A", "mint"))
    wrong = referee.game.codec.from_json(place("A", "nowhere"))
    refused = properties.check_untouched(
        referee, partial(referee.overrule, wrong, ["TW-4", "TW-6"], ["A", "B"])
    )
    assert (refused.rule, refused.violation.values) == ("SM-OVR-1", {"rules": ["TW-4"]})


def test_overruling_one_rule_leaves_the_others_in_force() -> None:
    referee = yard(roll(), place("A", "mint"))
    twice = referee.game.codec.from_json(place("A", "mint"))
    attempt = partial(referee.overrule, twice, ["TW-6"], ["A", "B"])
    assert rule(properties.check_untouched(referee, attempt)) == "TW-5"
    assert isinstance(referee.overrule(twice, ["TW-5", "TW-6", "TW-7"], ["A", "B"]), Accepted)
    entry = referee.history()[-1]
    assert (entry.kind, entry.waived, entry.consents) == ("overrule", ("TW-5", "TW-6"), ("A", "B"))


def test_a_legal_action_is_not_overruled_and_every_seat_must_agree() -> None:
    referee = yard(roll())
    legal = referee.game.codec.from_json(place("A", "mint"))
    assert rule(
        properties.check_untouched(referee, partial(referee.overrule, legal, ["TW-6"], ["A", "B"]))
    ) == ("SM-OVR-4")
    assert (
        rule(properties.check_untouched(referee, partial(referee.overrule, legal, ["TW-6"], ["A"])))
        == "SM-OVR-2"
    )


def test_an_impossible_result_is_refused_however_much_all_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    referee = yard(roll(), place("A", "mint"))
    monkeypatch.setattr(type(referee.game), "faults", lambda self, state: ["a card is in two places"])
    again = referee.game.codec.from_json(place("A", "shed"))
    refused = properties.check_untouched(referee, partial(referee.overrule, again, ["TW-6"], ["A", "B"]))
    assert (refused.rule, refused.violation.values) == ("SM-OVR-3", {"faults": ["a card is in two places"]})


def test_taking_back_what_the_table_agreed_on_asks_everybody() -> None:
    referee = yard(roll(), place("A", "mint"))
    referee.overrule(referee.game.codec.from_json(place("A", "shed")), ["TW-6"], ["A", "B"])
    assert referee.undo_terms("A").consents == ("B",)


# --- correcting and reading again ----------------------------------------------------------------


def test_a_correction_sets_facts_and_its_points_have_a_source() -> None:
    referee = yard(roll(), place("A", "mint"))
    done(referee.correct({"has.A.points": 4, "has.A.coins": 0}, ["A", "B"]))
    assert referee.state.has["A"] | {"coins": 0, "points": 4} == referee.state.has["A"]
    assert [e for e in referee.events if isinstance(e, Points)] == [Points("A", 4, CORRECTION)]
    assert referee.sheet().check(referee.game.totals(referee.state)) == []
    (entry,) = referee.journal.entries(referee.seq)
    assert entry.entry.body["was"] == {"has.A.points": 0, "has.A.coins": 3}
    properties.check_replay(referee)
    done(referee.undo("A", consents=["B"]))
    done(referee.redo("A"))
    assert referee.state.has["A"]["points"] == 4
    properties.check_replay(referee)


@pytest.mark.parametrize(
    ("facts", "says"),
    [
        ({"has.A.coins": -1}, "has.A.coins: -1 cannot be"),
        ({"has.Z.coins": 1}, "has.Z.coins: there is no 'Z'"),
        ({"colour": "red"}, "there is no field 'colour'"),
        ({"left": None}, "left is missing"),
        ({"spaces.nowhere": None}, "spaces.nowhere: there is no 'nowhere'"),
    ],
)
def test_a_correction_to_what_cannot_be_lists_every_fault(facts: dict[str, Any], says: str) -> None:
    referee = yard(roll())
    refused = properties.check_untouched(referee, partial(referee.correct, facts, ["A", "B"]))
    assert refused.rule == "SM-COR-2"
    assert says in " / ".join(refused.violation.values["faults"])


def test_all_faults_of_a_correction_are_listed_at_once() -> None:
    refused = yard(roll()).correct({"has.A.coins": -1, "has.B.red": 99}, ["A", "B"])
    assert isinstance(refused, Refused)
    assert len(refused.violation.values["faults"]) == 2


def test_a_correction_needs_everybody_and_a_change() -> None:
    referee = yard(roll())
    assert (
        rule(properties.check_untouched(referee, partial(referee.correct, {"left": 3}, ["A"]))) == "SM-COR-1"
    )
    assert rule(properties.check_untouched(referee, partial(referee.correct, {"turn": "A"}, ["A", "B"]))) == (
        "SM-COR-3"
    )


def test_an_absent_key_is_null_in_a_correction() -> None:
    referee = yard(roll(), place("A", "mint"))
    done(referee.correct({"spaces.mint": None}, ["A", "B"]))
    assert referee.state.spaces == {}


def test_a_wrongly_read_input_is_put_right_while_nothing_depends_on_it() -> None:
    referee = yard(roll(1))
    other = referee.game.codec.from_json(roll(3))
    done(referee.reread(1, other))
    assert referee.state == yard(roll(3)).state
    properties.check_replay(referee)
    done(act(referee, place("A", "mint")))
    refused = properties.check_untouched(referee, partial(referee.reread, 1, other))
    assert (refused.rule, refused.violation.values) == ("SM-READ-2", {"seq": 1, "seat": "A"})
    for seq, action in ((2, other), (3, other), (99, other), (1, referee.game.codec.from_json(end("A")))):
        assert rule(properties.check_untouched(referee, partial(referee.reread, seq, action))) == "SM-READ-1"


def test_inputs_read_after_the_wrong_one_are_kept_if_they_can_be() -> None:
    game = toy("toy_shunt")
    referee = properties.recorded(game, [Deal("A", 3, ("cart", "cart", "hook")), Deal("B", 3)])
    assert rule(referee.reread(1, Deal("A", 3, ("hook", "hook", "hook")))) == "TD-4"
    done(referee.reread(1, Deal("A", 3, ("cart", "scout", "hook"))))
    assert referee.state.cards["A"]["hand"].names == ("cart", "hook", "scout")
    assert referee.state.cards["B"]["hand"].size == 3
    properties.check_replay(referee)


# --- resuming and replaying ----------------------------------------------------------------------


def test_a_game_is_resumed_from_its_file_where_it_was_left(tmp_path: Path) -> None:
    game = toy("toy_shunt", 3)
    actions = play(game, random.Random(1)).actions
    with Journal.create(tmp_path / "game.journal", header_for(game), secret="the seed") as journal:
        referee = Referee.new(game, journal)
        for action in actions[:20]:
            done(referee.submit(action))
        state = referee.state
    with Journal.open(tmp_path / "game.journal") as journal:
        again = Referee.resume(journal)
        assert again.game.to_position(again.state) == game.to_position(state)
        assert again.seq == 20
        for action in actions[20:]:
            done(again.submit(again.game.codec.from_json(game.codec.to_json(action))))
        assert again.sheet().check(again.game.totals(again.state)) == []
        properties.check_replay(again)


def changed(header: Header, **fields: Any) -> MemoryJournal:
    return MemoryJournal(msgspec.structs.replace(header, **fields))


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"rules_version": "2"}, "recorded under rules version 2; here is version 1"),
        ({"rules_version": "new"}, "no rules version 'new'"),
        ({"edition": "second"}, "edition 'second'"),
        ({"pack_digest": "0" * 64}, "pack basic is not the one"),
        ({"pack_text": "{}"}, "canonical pack"),
        ({"seats": (SeatInfo("A", "Ann"),)}, "for 2 to 3 players, not 1"),
        ({"seats": (SeatInfo("A", "Ann"), SeatInfo("Q", "Quinn"))}, "its seats are not A, B"),
        ({"options": {"magic": True}}, "no switch 'magic'"),
    ],
)
def test_what_cannot_be_played_on_is_refused_with_the_reason(fields: dict[str, Any], says: str) -> None:
    journal = changed(header_for(toy("toy_yard")), **fields)
    with pytest.raises(CannotResume, match=re.escape(says)):
        Referee.resume(journal)
    with pytest.raises(CannotResume, match=re.escape(says)):
        list(replay(journal))


def test_a_title_that_keeps_old_rulings_is_asked_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    journal = yard(roll()).journal
    title = find_title("toy_yard")
    asked: list[int] = []
    monkeypatch.setattr(type(title), "rules_version", 2)

    def at_version(self: Title, version: int) -> Title:
        asked.append(version)
        return self

    monkeypatch.setattr(type(title), "at_version", at_version)
    Referee.resume(journal)
    assert asked == [1]


def tampered(referee: Referee[Any], seq: int, **fields: Any) -> tuple[Header, list[Recorded]]:
    entries = list(referee.journal.entries())
    entry = msgspec.structs.replace(entries[seq - 1].entry, **fields)
    entries[seq - 1] = msgspec.structs.replace(entries[seq - 1], entry=entry)
    return referee.journal.header, entries


@pytest.mark.parametrize(
    ("seq", "fields", "says", "cites"),
    [
        (2, {"body": {"action": place("B", "mint")}}, "it was accepted and is now refused, TW-2", "TW-2"),
        (2, {"digest": "0" * 32}, "the digest is", None),
        (
            2,
            {"body": {"action": {"do": "jump"}}},
            "it cannot be understood: no action is called 'jump'",
            None,
        ),
        (2, {"body": {}}, "it cannot be understood", None),
        (3, {"body": {"undone": [1], "consents": []}}, "not the last live ones", None),
        (4, {"body": {"redone": [1]}}, "not the last ones taken back", None),
        (5, {"body": {"action": place("A", "shed"), "waived": ["TW-7"]}}, "refused, TW-6", "TW-6"),
        (6, {"body": {"facts": {"left": -1}}}, "digest", None),
        (6, {"body": {"facts": {"has.A.red": 99}}}, "has.A.red: 99 cannot be", None),
        (7, {"kind": "dance"}, "unknown kind, 'dance'", None),
        (7, {"kind": "undo", "body": {"undone": [6], "consents": []}}, "lacks the consent of B", None),
        (7, {"kind": "reread", "body": {"seq": 2, "action": roll()}}, "no live input of the table", None),
    ],
)
def test_a_replay_is_strict_and_says_where_it_differs(
    seq: int, fields: dict[str, Any], says: str, cites: str | None
) -> None:
    referee = yard(roll(), place("A", "mint"))
    done(referee.undo("A"))
    done(referee.redo("A"))
    referee.overrule(referee.game.codec.from_json(place("A", "shed")), ["TW-6"], ["A", "B"])
    done(referee.correct({"left": 3}, ["A", "B"]))
    done(act(referee, end("A")))
    lines = list(replay(tampered(referee, seq, **fields)))
    assert lines[-1].seq == seq
    assert says in lines[-1].differs
    assert lines[-1].rule == cites
    assert not any(line.differs for line in lines[:-1])
    kinds = ["accepted", "accepted", "undone", "redone", "overruled", "corrected", "accepted"]
    assert [line.ruling for line in lines[:-1]] == kinds[: seq - 1]


def test_a_resume_stops_at_what_differs() -> None:
    class Altered(MemoryJournal):
        def entries(self, first: int = 1) -> Any:
            return iter(tampered(yard(roll(), place("A", "mint")), 2, digest="0" * 32)[1])

    with pytest.raises(Differs, match="entry 2: the digest is"):
        Referee.resume(Altered(header_for(toy("toy_yard"))))


def test_what_people_note_is_no_part_of_the_game() -> None:
    referee = yard(roll())
    referee.journal.append([Entry(kind="note", body={"text": "coffee"})])
    act(referee, place("A", "mint"))
    assert [line.ruling for line in replay(referee.journal)] == ["accepted", "noted", "accepted"]
    assert Referee.resume(referee.journal).state == referee.state


def test_replaying_costs_little_besides_the_rules() -> None:
    """The referee's own part of a replay, with chain and legality but without a game's rules."""
    game = toy("toy_yard")
    trade = game.codec.from_json({"do": "trade", "seat": "A"})
    middle = game.to_position(yard(roll()).state)
    middle["has"]["A"]["goods"] = 5000
    referee = Referee.new(game, MemoryJournal(header_for(game)), given=middle)
    for _ in range(1000):
        referee.submit(trade)

    def rules() -> None:
        state = game.from_position(middle)
        for _ in range(1000):
            game.refuse(state, trade)
            state, _events = game.apply(state, trade)

    def whole() -> None:
        referee.journal.verify()
        assert sum(1 for _ in replay(referee.journal, digests=False)) == 1001

    def cost(work: Any) -> float:
        start = time.process_time()
        work()
        return time.process_time() - start

    own = min(cost(whole) for _ in range(5)) - min(cost(rules) for _ in range(5))
    assert own < 0.030, f"{own * 1e3:.1f} ms"


# --- the rules of the referee --------------------------------------------------------------------


def test_every_refusal_of_the_referee_has_a_rule_and_a_sentence() -> None:
    own = r"SM-(?:UNDO|REDO|OVR|COR|READ)-\d+"
    code = Path(assistant.__file__).with_name("referee.py").read_text()
    rules = set(re.findall(rf'"({own})"', code))
    document = re.findall(rf"^\| ({own}) \|", (ROOT / "docs/rules/kernel.md").read_text(), re.M)
    catalogue = tomllib.loads((ROOT / "assistant/locale/en.toml").read_text())["refusals"]
    sentences = {rule for rule in catalogue if re.fullmatch(own, rule)}
    assert len(document) == len(set(document))
    assert rules == set(document) == sentences
    assert not set(re.findall(r'"(SM-[A-Z]+-\d+)"', code)) - rules


def test_the_seed_of_the_dealer_is_in_no_view_history_or_live_export() -> None:
    game = toy("toy_shunt")
    seed = "a very secret seed"
    journal = MemoryJournal(header_for(game), secret=seed)
    referee, dealer = Referee.new(game, journal), Dealer(seed)
    done(referee.submit(*dealer.inputs(game, referee.state, referee.seq + 1)))
    told = [export_text(journal), repr(referee.history()), repr(dealer), repr(vars(referee))]
    told += [repr(game.view(referee.state, viewer)) for viewer in (*game.seats, "public", "staff")]
    assert not any(seed in text for text in told)
