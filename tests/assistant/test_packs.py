"""Content packs, with a small game of their own: what is refused and how, what the digest sees, marks."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.packs import (
    Fault,
    Pack,
    PackFaults,
    Provenance,
    available,
    find,
    load,
    nearest,
    read_header,
)


class Part(msgspec.Struct, frozen=True):
    colour: Literal["red", "green", "blue"]
    size: Annotated[int, msgspec.Meta(ge=1, le=9)] = 1


class Card(msgspec.Struct, frozen=True):
    id: str
    cost: Annotated[int, msgspec.Meta(ge=0)]
    parts: tuple[Part, ...] = ()
    gain: dict[Literal["wood", "stone"], int] = {}
    weight: float = 1.0
    note: str | None = None


class Draw(msgspec.Struct, frozen=True, tag="draw", tag_field="does"):
    count: int


class Trash(msgspec.Struct, frozen=True, tag="trash", tag_field="does"):
    what: str = "any"


class Content(msgspec.Struct, frozen=True):
    cards: tuple[Card, ...]
    track: dict[Literal["slow", "fast"], tuple[int, ...]]
    limit: int
    names: tuple[str, ...] = ()
    effects: tuple[Draw | Trash, ...] = ()
    options: dict[str, str | bool] = {}


HEAD = """
[pack]
id = "toy"
game = "toy_game"
title = "Toy"
edition = "first"
provenance = "invented"
"""
REST = """
[[cards]]
id = "k1"
cost = 2
[[cards]]
id = "k2"
cost = 0x3
parts = [{ colour = "red" }, { colour = "blue", size = 2 }]
gain = { stone = 1, wood = 2 }
weight = 2
[track]
slow = [1, 2]
fast = [3]
[limit]
value = 1_0
"""


def write(folder: Path, text: str, name: str = "toy.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def toy(folder: Path, text: str = HEAD + REST) -> Pack[Content]:
    return load(write(folder, text), Content)


def faults(folder: Path, text: str) -> list[str]:
    """What is wrong with a pack, one line each, without the file."""
    path = write(folder, text)
    with pytest.raises(PackFaults) as caught:
        load(path, Content)
    lines = [str(fault) for fault in caught.value.faults]
    assert str(caught.value) == "\n".join(lines)
    assert all(line.startswith(f"{path}: ") and "\n" not in line for line in lines)
    return [line.removeprefix(f"{path}: ") for line in lines]


def test_a_sound_pack(tmp_path: Path) -> None:
    pack = toy(tmp_path)
    assert (pack.id, pack.game, pack.title, pack.edition) == ("toy", "toy_game", "Toy", "first")
    assert pack.content.cards[1] == Card(
        "k2", 3, (Part("red"), Part("blue", 2)), {"stone": 1, "wood": 2}, weight=2.0
    )
    assert pack.content.track == {"fast": (3,), "slow": (1, 2)}
    assert pack.content.limit == 10
    assert len(pack.digest) == 64
    assert not pack.fixture
    assert pack.warnings == ()


def test_three_ways_to_write_rows(tmp_path: Path) -> None:
    short = '[cards]\nrows = [{ id = "k1", cost = 2 }]\n[track]\nslow = [1]\n[limit]\nvalue = 3\n'
    arrays = '[[cards]]\nid = "k1"\ncost = 2\n[track]\nslow = [1]\n[limit]\nvalue = 3\n'
    first = 'limit = 3\ncards = [{ id = "k1", cost = 2 }]\n' + HEAD + "[track]\nslow = [1]\n"
    assert (
        toy(tmp_path, HEAD + short).digest
        == toy(tmp_path, HEAD + arrays).digest
        == toy(tmp_path, first).digest
    )


def test_tagged_rows_and_options(tmp_path: Path) -> None:
    more = '[effects]\nrows = [{ does = "draw", count = 2 }, { does = "trash", provenance = "rulebook" }]\n'
    more += '[options]\na.b = true\nc = "x"\n'
    pack = toy(tmp_path, HEAD + REST + more)
    assert pack.content.effects == (Draw(2), Trash())
    assert pack.provenance_of("effects", "2", "what").mark == "rulebook"
    assert pack.content.options == {"a.b": True, "c": "x"}
    assert Pack.from_canonical(pack.text, Content) == pack
    bad = '[effects]\nrows = [{ does = "drew", count = 2 }, {}, { does = "draw", count = "two" }]\n'
    assert faults(tmp_path, HEAD + REST + bad) == [
        'effects, row 1.does: expected one of "draw", "trash", found "drew"; nearest is "draw"',
        'effects, row 2.does: missing; expected one of "draw", "trash"',
        'effects, row 3.count: expected a whole number, found "two"',
    ]


def test_every_fault_of_a_file_is_listed(tmp_path: Path) -> None:
    text = """
    [pack]
    id = "Toy Pack"
    game = "toy_game"
    title = "Toy"
    provenance = "guessed"
    [cards]
    provenance = "public"
    rows = [
        { id = "k1", cost = "two" },
        { id = "k2", cost = -1, parts = [{ colour = "Red" }, { colour = "gren" }] },
        { id = "k1", cst = 3 },
        { cost = 1.5, weight = nan },
        7,
        { id = "k5", cost = true, gain = { wod = 1 }, price = 2000-01-01 },
    ]
    [trak]
    slow = [1]
    [limit]
    value = 99999999999999999999
    [rules]
    """
    assert faults(tmp_path, text) == [
        'pack, provenance: expected one of "rulebook", "public", "invented", found "guessed"',
        'pack, id: expected small letters, digits, - and _, found "Toy Pack"',
        "pack, edition: missing; expected text that is not empty",
        "rules: unknown table",
        'cards, provenance: a value marked "public" needs a source',
        'cards, k1.cost: expected a whole number, at least 0, found "two"',
        "cards, k2.cost: expected a whole number, at least 0, found -1",
        'cards, k2.parts[1].colour: expected one of "blue", "green", "red", found "Red"; nearest is "red"',
        'cards, k2.parts[2].colour: expected one of "blue", "green", "red", found "gren"; nearest is "green"',
        'cards, row 3 (k1): the id "k1" is already used by row 1',
        'cards, row 3 (k1).cst: unknown key; nearest is "cost"',
        "cards, row 4.cost: expected a whole number, at least 0, found 1.5",
        "cards, row 4.weight: expected a number, found nan",
        "cards, row 4.id: missing; expected text",
        "cards, row 5: expected a table, found 7",
        "cards, k5.cost: expected a whole number, at least 0, found true",
        'cards, k5.gain.wod: unknown key: expected one of "stone", "wood", found "wod"; nearest is "wood"',
        "cards, k5.price: unknown key",
        'track: missing; the file has "trak" instead',
        "limit: expected a whole number, found 99999999999999999999",
    ]


def test_wrong_shapes_of_tables(tmp_path: Path) -> None:
    text = HEAD + 'cards = 3\n[track]\nslow = "1"\nrows = [1]\n[limit]\nvale = 2\n[names]\nrows = "ab"\n'
    found = faults(tmp_path, text.replace("cards = 3\n", "") + "[cards]\nrows = 3\n")
    assert found == [
        "cards: expected rows, found 3",
        'track, slow: expected a list, found "1"',
        'track, rows: unknown key: expected one of "fast", "slow", found "rows"',
        'limit, vale: unknown key; the table is written as "value = ..."',
        'limit, value: missing; the table is written as "value = ..."',
        'names: expected a list, found "ab"',
    ]
    assert faults(tmp_path, "pack = 3\n" + REST)[0] == "pack: expected a table [pack], found 3"
    assert "pack: missing" in faults(tmp_path, REST)[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[pack]\nid = "a\n', "line 2, column 8: "),
        ("[pack]\nid = \n", "line 2, column 6: "),
        ("[pack", "line 1, column 6: expected ']' at the end of a table declaration at the end of the file"),
        ("a = 1\na = 2\n", "line 2, column 6: "),
        ("a = " + "9" * 5000, "a value cannot be read: "),
        ("a = " + "[" * 5000 + "]" * 5000, "tables are nested too deeply"),
    ],
)
def test_broken_toml_is_one_fault_with_its_place(tmp_path: Path, text: str, expected: str) -> None:
    (line,) = faults(tmp_path, text)
    assert line.startswith(expected)


def test_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "toy.toml"
    path.write_bytes(HEAD.encode() + b"# caf\xe9\n")
    with pytest.raises(PackFaults) as caught:
        load(path, Content)
    assert [fault.text for fault in caught.value.faults] == [
        "line 8, column 6: byte 0xe9 is not UTF-8; save the file as UTF-8"
    ]


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "bom.toml"
    path.write_bytes(b"\xef\xbb\xbf" + (HEAD + REST).encode())
    assert load(path, Content).digest == toy(tmp_path).digest


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    def text(path: Path) -> str:
        with pytest.raises(PackFaults) as caught:
            load(path, Content)
        (fault,) = caught.value.faults
        assert fault.file == str(path)
        return fault.text

    assert text(tmp_path / "none.toml") == "there is no such file"
    assert text(tmp_path) == "this is a folder"
    assert text(tmp_path / "toy\0") == "the file cannot be read: embedded null byte"
    os.mkfifo(tmp_path / "pipe")
    assert text(tmp_path / "pipe") == "this is not a plain file"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(tmp_path: Path) -> None:
    path = write(tmp_path, HEAD)
    path.chmod(0)
    with pytest.raises(PackFaults, match="the file cannot be read: Permission denied"):
        load(path, Content)


def test_a_fault_is_one_line_whatever_it_quotes() -> None:
    fault = Fault("a.toml", "cards", "k\n1", "odd\x1b[31m\ttext", "T-1")
    assert str(fault) == "a.toml: cards, k 1: odd\\x1b[31m text [T-1]"
    assert str(Fault("", "", "", "alone")) == "alone"


def test_a_pack_for_another_game_is_not_read_further(tmp_path: Path) -> None:
    path = write(tmp_path, HEAD)
    with pytest.raises(PackFaults) as caught:
        load(path, Content, game="other")
    assert [str(fault) for fault in caught.value.faults] == [
        f'{path}: pack, game: the pack is for the game "toy_game", expected "other"'
    ]


def test_checks_of_the_game(tmp_path: Path) -> None:
    seen: list[tuple[bool, frozenset[str]]] = []

    def check(content: Content, fixture: bool, unsure: frozenset[str]) -> list[Fault]:
        seen.append((fixture, unsure))
        about = [
            Fault("", "cards", f"{card.id}.cost", f"{card.cost} is odd", "T-2") for card in content.cards
        ]
        return [*about, Fault("", "limit", "", "rather low", warning=True)]

    path = write(tmp_path, HEAD + REST)
    with pytest.raises(PackFaults) as caught:
        load(path, Content, check)
    assert [str(fault) for fault in caught.value.faults] == [
        f"{path}: cards, k1.cost: 2 is odd [T-2]",
        f"{path}: cards, k2.cost: 3 is odd [T-2]",
    ]
    # What could not be read is not judged a second time; the rest of its table is.
    write(tmp_path, HEAD + REST.replace("cost = 2", 'cost = "2"'))
    with pytest.raises(PackFaults) as caught:
        load(path, Content, check)
    assert [fault.key for fault in caught.value.faults] == ["k1.cost", "k2.cost"]
    assert "expected a whole number" in caught.value.faults[0].text
    write(tmp_path, HEAD + "fixture = true\n" + REST)
    pack = load(path, Content, lambda content, fixture, unsure: check(content, fixture, unsure)[2:])
    assert [str(warning) for warning in pack.warnings] == [f"{path}: limit: rather low"]
    assert seen == [(False, frozenset()), (False, frozenset({"cards"})), (True, frozenset())]


def test_equal_rows_may_repeat_in_a_fixture_only(tmp_path: Path) -> None:
    twice = '[[cards]]\nid = "k1"\ncost = 2\n' + REST
    assert faults(tmp_path, HEAD + twice) == ['cards, row 2 (k1): the id "k1" is already used by row 1']
    fixture = HEAD + "fixture = true\n"
    assert [card.id for card in toy(tmp_path, fixture + twice).content.cards] == ["k1", "k1", "k2"]
    other = twice.replace("cost = 2", "cost = 1", 1)
    assert faults(tmp_path, fixture + other) == ['cards, row 2 (k1): the id "k1" is already used by row 1']


# The canonical form.


def test_the_canonical_text_gives_the_same_pack(tmp_path: Path) -> None:
    pack = toy(tmp_path)
    again = Pack.from_canonical(pack.text, Content)
    assert again == pack
    assert list(again.content.track) == list(pack.content.track) == ["fast", "slow"]
    spaced = json.dumps(json.loads(pack.text), indent=2)
    assert Pack.from_canonical(spaced, Content) == pack


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "Expecting value"),
        ("[]", "expected a canonical pack of format 1"),
        ('{"format": 2}', "expected a canonical pack of format 1"),
        ('{"format": 1}', "the part 'pack' is missing"),
        ('{"format": 1, "pack": {"id": "x"}}', "missing required field"),
    ],
)
def test_what_is_no_canonical_text(text: str, expected: str) -> None:
    with pytest.raises(PackFaults, match=expected):
        Pack.from_canonical(text, Content)


def test_the_canonical_text_leaves_out_defaults(tmp_path: Path) -> None:
    spelled = REST.replace("cost = 2", 'cost = 2\nparts = []\nweight = 1.0\nprovenance = "invented"')
    assert toy(tmp_path, HEAD + "fixture = false\n" + spelled).text == toy(tmp_path).text
    assert '"parts"' not in json.dumps(json.loads(toy(tmp_path).text)["tables"]["cards"][0])


def test_composed_and_decomposed_letters_are_one(tmp_path: Path) -> None:
    one = toy(tmp_path, HEAD.replace("Toy", "Caf\u00e9") + REST)
    two = toy(tmp_path, HEAD.replace("Toy", "Cafe\u0301") + REST)
    assert one.digest == two.digest
    assert one.title == "Caf\u00e9"


def test_every_value_and_the_order_of_rows_change_the_digest(tmp_path: Path) -> None:
    base = toy(tmp_path).digest
    first, second = '[[cards]]\nid = "a"\ncost = 1\n', '[[cards]]\nid = "b"\ncost = 1\n'
    digests = [
        toy(tmp_path, HEAD + REST.replace(*change)).digest
        for change in [
            ("cost = 2", "cost = 1"),
            ("size = 2", "size = 3"),
            ("fast = [3]", "fast = [3, 3]"),
            ("value = 1_0", "value = 11"),
            ("cost = 2", 'cost = 2\nprovenance = "rulebook"'),
        ]
    ]
    digests += [toy(tmp_path, HEAD.replace("first", "second") + REST).digest]
    digests += [toy(tmp_path, HEAD + rows + REST).digest for rows in (first + second, second + first)]
    assert len({base, *digests}) == len(digests) + 1


def toml(value: Any, rng: random.Random) -> str:
    """The value as TOML, spelled and ordered by chance."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        spelled = [str(value)]
        if value >= 0:
            spelled += [f"+{value}", hex(value), f"0b{value:b}"]
        return rng.choice(spelled)
    if isinstance(value, float):
        return rng.choice([repr(value), f"{value:.6e}"])
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        inner = ", ".join(toml(item, rng) for item in value)
        return f"[{inner}{rng.choice(['', ', ' if value else ''])}]"
    items = list(value.items())
    rng.shuffle(items)
    return "{" + ", ".join(f"{json.dumps(key)} = {toml(item, rng)}" for key, item in items) + "}"


def document(pack: Mapping[str, Any], tables: Mapping[str, Any], rng: random.Random) -> str:
    """A pack file with its keys, tables and comments in any order."""

    def noise() -> str:
        return rng.choice(["", "\n", "# a remark\n", '# [pack] id = "other"\n'])

    parts = []
    for name, table in [("pack", pack), *tables.items()]:
        items = list(table.items())
        rng.shuffle(items)
        lines = [f"{json.dumps(key)} = {toml(value, rng)}\n{noise()}" for key, value in items]
        parts.append(f"{noise()}[{name}]\n" + "".join(lines))
    rng.shuffle(parts)
    return "".join(parts)


CARDS = st.lists(
    st.fixed_dictionaries(
        {"cost": st.integers(0, 2**40)},
        optional={
            "parts": st.lists(
                st.fixed_dictionaries(
                    {"colour": st.sampled_from(["red", "blue"]), "size": st.integers(1, 9)}
                ),
                max_size=3,
            ),
            "gain": st.dictionaries(st.sampled_from(["wood", "stone"]), st.integers(-5, 5)),
            "weight": st.sampled_from([0.5, 1.0, 2.0, 1e6]),
            "note": st.text(st.characters(codec="utf-8", exclude_categories=["C", "Zl", "Zp"]), max_size=5),
            "provenance": st.sampled_from(["rulebook", "invented"]),
        },
    ),
    max_size=4,
)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    cards=CARDS,
    slow=st.lists(st.integers(), max_size=3).map(lambda v: [n % 1000 for n in v]),
    seed=st.integers(),
)
def test_layout_comments_and_spelling_do_not_change_the_digest(
    tmp_path: Path, cards: list[dict[str, Any]], slow: list[int], seed: int
) -> None:
    rows = [{"id": f"k{place}", **card} for place, card in enumerate(cards)]
    head = {"id": "toy", "game": "g", "title": "T", "edition": "1", "provenance": "invented"}
    tables = {"cards": {"rows": rows}, "track": {"slow": slow, "fast": [1]}, "limit": {"value": 3}}
    rng = random.Random(seed)
    one = toy(tmp_path, document(head, tables, rng))
    two = toy(tmp_path, document(head, tables, rng))
    assert one.text == two.text
    assert one == two
    assert Pack.from_canonical(one.text, Content) == one
    assert [list(card.gain) for card in one.content.cards] == [list(card.gain) for card in two.content.cards]


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    junk=st.recursive(
        st.integers() | st.booleans() | st.text("ab", max_size=3) | st.floats(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["id", "cost", "rows", "value", "slow", "provenance", "fields"]),
                inner,
                max_size=3,
            )
        ),
    )
)
def test_nonsense_is_a_list_of_faults_and_nothing_else(tmp_path: Path, junk: object) -> None:
    rng = random.Random(0)
    text = "\n".join(
        f"{name} = {toml(junk, rng)}" for name in ("cards", "track", "limit", "options", "effects")
    )
    # No one value is both rows and a number.
    with pytest.raises(PackFaults) as caught:
        toy(tmp_path, text + HEAD)
    assert caught.value.faults


# Provenance.

MARKED = """
[pack]
id = "toy"
game = "toy_game"
title = "Toy"
edition = "first"
provenance = "rulebook"
source = "a public page"
[cards]
provenance = { mark = "public", fields = { cost = "invented" } }
rows = [
    { id = "k1", cost = 1 },
    { id = "k2", cost = 1, provenance = "rulebook" },
    { id = "k3", cost = 1, provenance = { mark = "public", source = "map", fields = { note = "invented" } } },
    { id = "k4", cost = 1, provenance = "public", source = "a photograph" },
    { id = "k5", cost = 1, provenance = { fields = { cost = "public" } } },
]
[track]
provenance = { fields = { fast = { mark = "public", source = "a card" } } }
slow = [1]
fast = [2]
[limit]
provenance = "invented"
value = 3
"""


def test_provenance_of_table_row_and_field(tmp_path: Path) -> None:
    pack = toy(tmp_path, MARKED)
    page = Provenance("public", "a public page")
    invented, rulebook = Provenance("invented"), Provenance("rulebook")
    of = pack.provenance_of
    assert of("cards") == of("cards", "k1") == of("cards", "k1", "weight") == page
    assert of("cards", field="cost") == of("cards", "k1", "cost") == invented
    # A row's own mark speaks for all of it.
    assert of("cards", "k2") == of("cards", "k2", "cost") == rulebook
    assert of("cards", "k3", "cost") == Provenance("public", "map")
    assert of("cards", "k3", "note") == invented
    assert of("cards", "k4", "cost") == Provenance("public", "a photograph")
    assert of("cards", "k5", "cost") == of("cards", "k5", "weight") == page
    assert of("track") == of("track", "slow") == Provenance("rulebook", "a public page")
    assert of("track", "fast") == of("track", field="fast") == Provenance("public", "a card")
    assert of("limit") == invented
    assert pack.invented
    assert Pack.from_canonical(pack.text, Content) == pack


def test_inventions_are_named_as_widely_as_they_hold(tmp_path: Path) -> None:
    assert toy(tmp_path).inventions() == {"cards": ("",), "track": ("",), "limit": ("",)}
    found = toy(tmp_path, MARKED).inventions()
    pack = toy(tmp_path, MARKED)
    assert found["limit"] == ("",)
    for name in found["cards"]:
        row, _, field = name.partition(".")
        assert pack.provenance_of("cards", row, field or None).mark == "invented"
    assert "k3.note" in found["cards"]
    assert "k2" not in {name.partition(".")[0] for name in found["cards"]}
    assert "track" not in found


def test_provenance_of_what_is_not_there(tmp_path: Path) -> None:
    pack = toy(tmp_path, MARKED)
    for asked in [("card",), ("cards", "k9"), ("cards", "k1", "price"), ("track", "rows")]:
        with pytest.raises(KeyError):
            pack.provenance_of(*asked)


def test_nothing_invented(tmp_path: Path) -> None:
    head = HEAD.replace('"invented"', '"rulebook"')
    assert not toy(tmp_path, head + REST).invented
    assert toy(tmp_path, head + REST.replace("weight = 2", 'weight = 2\nprovenance = "invented"')).invented
    # A pack that is invented by default, but says otherwise of everything it holds, is not.
    all_said = (
        HEAD + '[cards]\nprovenance = "rulebook"\nrows = []\n[track]\nprovenance = "rulebook"\nslow = []\n'
    )
    assert not toy(tmp_path, all_said + '[limit]\nprovenance = "rulebook"\nvalue = 1\n').invented


def test_faulty_provenance(tmp_path: Path) -> None:
    text = (
        HEAD
        + """
    [cards]
    source = "a page"
    rows = [
        { id = "k1", cost = 1, provenance = "publik" },
        { id = "k2", cost = 1, provenance = { source = "x" } },
        { id = "k3", cost = 1, provenance = { fields = { cst = "invented" } } },
        { id = "k4", cost = 1, provenance = { mark = "public", sauce = "x" } },
        { id = "k5", cost = 1, provenance = {} },
        { id = "k6", cost = 1, provenance = "public", source = 7 },
    ]
    [track]
    provenance = { fields = { slwo = "invented" } }
    slow = [1]
    [limit]
    value = 1
    """
    )
    assert faults(tmp_path, text) == [
        "cards, source: a source needs a provenance beside it",
        'cards, k1.provenance: expected one of "rulebook", "public", "invented", found "publik"; '
        'nearest is "public"',
        'cards, k2.provenance.mark: missing; expected one of "rulebook", "public", "invented"',
        'cards, k3.provenance.fields.cst: unknown field; nearest is "cost"',
        'cards, k4.provenance.sauce: unknown key; nearest is "source"',
        'cards, k4.provenance: a value marked "public" needs a source',
        'cards, k5.provenance: expected one of "rulebook", "public", "invented"',
        "cards, k6.source: expected a source in words, found 7",
        'cards, k6.provenance: a value marked "public" needs a source',
        'track, provenance.fields.slwo: unknown field; nearest is "slow"',
    ]


# Finding packs.


def test_find_by_name_or_path(tmp_path: Path) -> None:
    (tmp_path / "packs").mkdir()
    shipped = write(tmp_path / "packs", HEAD, "inland_sea.toml")
    assert available(tmp_path) == [shipped]
    assert find(tmp_path, "inland_sea") == find(tmp_path, "inland-sea") == shipped
    assert find(tmp_path, "./inland_sea") == Path("inland_sea")
    assert find(tmp_path, "other.toml") == Path("other.toml")
    assert find(tmp_path, Path("other")) == Path("other")
    with pytest.raises(PackFaults) as caught:
        find(tmp_path, "inlandsea")
    text = 'there is no pack "inlandsea"; nearest is "inland_sea"; packs here: inland_sea'
    assert str(caught.value) == text


def test_the_header_alone(tmp_path: Path) -> None:
    assert read_header(write(tmp_path, HEAD)).game == "toy_game"
    with pytest.raises(PackFaults, match="pack, game: missing"):
        read_header(write(tmp_path, HEAD.replace("game =", "gamut =").replace("gamut", "zzz")))


def test_nearest() -> None:
    assert nearest("PLAINS", ["plains", "forest"]) == "plains"
    assert nearest("xyz", ["plains", "forest"]) is None


# --- a pack that takes tables from another ---------------------------------------------------------

EXTENDING = HEAD.replace('id = "toy"', 'id = "other"').replace("first", "second")


def test_a_pack_takes_the_tables_that_it_lacks_from_the_one_it_extends(tmp_path: Path) -> None:
    base = toy(tmp_path)
    own = "\n[track]\nslow = [7]\nfast = [8]\n"
    other = load(write(tmp_path, EXTENDING + 'extends = "toy"\n' + own, "other.toml"), Content)
    assert (other.id, other.edition) == ("other", "second")
    assert other.content.cards == base.content.cards
    assert other.content.track != base.content.track
    # The text stands for itself: what a journal keeps needs no other file.
    assert "extends" not in other.text
    assert Pack.from_canonical(other.text, Content) == msgspec.structs.replace(other, warnings=())


def test_lent_tables_keep_the_marks_of_their_own_pack(tmp_path: Path) -> None:
    write(tmp_path, HEAD.replace('"invented"', '"rulebook"') + REST)
    other = load(
        write(tmp_path, EXTENDING + 'extends = "./toy.toml"\n[limit]\nvalue = 3\n', "other.toml"), Content
    )
    assert other.provenance_of("cards", "k1", "cost") == Provenance("rulebook")
    assert other.provenance_of("limit") == Provenance("invented")


def test_faults_name_the_file_that_has_them(tmp_path: Path) -> None:
    base = write(tmp_path, HEAD + REST.replace("cost = 2", 'cost = "two"'))
    other = write(tmp_path, EXTENDING + 'extends = "toy"\n[limit]\nvalue = "x"\n', "other.toml")
    with pytest.raises(PackFaults) as caught:
        load(other, Content)
    found = {(fault.file, fault.table) for fault in caught.value.faults}
    assert found == {(str(base), "cards"), (str(other), "limit")}


def test_what_is_extended_must_be_there_and_not_extend_back(tmp_path: Path) -> None:
    alone = write(tmp_path, EXTENDING + 'extends = "nowhere"\n', "other.toml")
    with pytest.raises(PackFaults, match=r"nowhere\.toml: there is no such file"):
        load(alone, Content)
    write(tmp_path, HEAD + 'extends = "other"\n' + REST)
    write(tmp_path, EXTENDING + 'extends = "toy"\n', "other.toml")
    with pytest.raises(PackFaults, match="extends this pack in turn"):
        load(alone, Content)


def test_an_own_pack_extends_one_of_the_game_by_its_id(tmp_path: Path) -> None:
    game = tmp_path / "game"
    (game / "packs").mkdir(parents=True)
    write(game / "packs", HEAD + REST)
    mine = write(tmp_path, EXTENDING + 'extends = "toy"\n', "other.toml")
    assert load(mine, Content, folder=game).content.cards[0].id == "k1"
