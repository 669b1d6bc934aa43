"""Rule cases kept as data: a position, what is done, what must follow.

A case is a TOML file; `docs/cases.md` tells how to write one. `run` plays a case against the rules and lists
everything that does not hold. Whatever is wrong with the file itself (no TOML, an unknown key, an impossible
position) is reported the same way, so that a folder of cases always gives a full answer.

`case_of` goes the other way: it writes a position of a running game as a case, as a small difference from a
fresh game.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import msgspec
import tomli_w

from assistant.actions import TABLE, Action
from assistant.game import Game, PositionFaults, Title, find_title
from assistant.offers import Form, Offer, expand
from assistant.packs import Pack, PackFaults, nearest
from assistant.positions import Position, merged, without
from assistant.rulings import NotUnderstood
from assistant.scores import Line, ScoreSheet

EXPANDED = 2000
"""How many concrete actions of one form `ask = "legal"` lists at most."""

_CASE_KEYS = ("id", "note", "refused", "game", "pack", "players", "options", "without", "given", "step")
_STEP_KEYS = ("note", "branch", "do", "ask", "expect", "refused")
_LIST_TESTS = ("count", "contains", "lacks")
_SHOWN = 160
_TOO_DEEP = "tables or lists are nested too deeply"


class Step(msgspec.Struct, frozen=True):
    """One `[[step]]`: actions or a question, and what must follow. `args` go with the question."""

    do: tuple[dict[str, Any], ...] = ()
    ask: str | None = None
    args: dict[str, Any] = {}
    expect: dict[str, Any] = {}
    refused: str | None = None
    branch: bool = False


class Case(msgspec.Struct, frozen=True):
    """A case file that could be read. `refused` is the rule that forbids `given` or `players` itself."""

    id: str
    file: str
    game: str
    pack: str | None = None
    players: int | None = None
    options: dict[str, str | bool] = {}
    without: tuple[str, ...] = ()
    given: dict[str, Any] = {}
    refused: str | None = None
    steps: tuple[Step, ...] = ()


class CaseResult(msgspec.Struct, frozen=True):
    """What running a case gave; `why` holds one line for everything that does not hold."""

    id: str
    file: str
    why: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether everything held."""
        return not self.why


class CaseFaults(ValueError):
    """A case file that says nothing clear: every fault, one line each. `id` is "" when it has none."""

    def __init__(self, faults: Sequence[str], id: str = "") -> None:
        self.faults = tuple(faults)
        self.id = id
        super().__init__("; ".join(faults))


# Running.


def run(path: str | Path) -> CaseResult:
    """Run one case file. Never raises for what is in the file."""
    file = str(path)
    try:
        case = read(path)
        return CaseResult(case.id, file, tuple(_failures(case)))
    except CaseFaults as wrong:
        return CaseResult(wrong.id or Path(file).stem, file, wrong.faults)
    except RecursionError:
        return CaseResult(Path(file).stem, file, (_TOO_DEEP,))


def run_many(paths: Iterable[str | Path]) -> list[CaseResult]:
    """Run several case files, in the order given. An id fails where an earlier file of its folder has it."""
    seen: dict[tuple[Path, str], str] = {}
    out: list[CaseResult] = []
    for path in paths:
        result = run(path)
        first = seen.setdefault((Path(path).parent, result.id), result.file)
        if first != result.file:
            twice = f"the id {result.id!r} is already that of {first}"
            result = msgspec.structs.replace(result, why=(twice, *result.why))
        out.append(result)
    return out


def find(paths: Iterable[str | Path]) -> list[Path]:
    """The case files meant: files as they are; in folders all `*.toml`, except in folders named `packs`
    and `locale`."""
    out: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            inside = sorted(path.rglob("*.toml"))
            out += [file for file in inside if not {"packs", "locale"} & {*file.relative_to(path).parts[:-1]}]
        else:
            out.append(path)
    return out


def opened(case: Case) -> tuple[Game[Any], Any]:
    """The rules and the state that `given` describes.

    LookupError for an unknown game, `PackFaults`, `PositionFaults` (with the rule when the number of players
    or the position breaks one), ValueError for a wrong switch.
    """
    title = find_title(case.game)
    pack = load_pack(title, case.pack, Path(case.file).parent)
    game = title.open(pack, title.seats[0] if case.players is None else case.players, case.options)
    state = game.start()
    if not (case.given or case.without):
        return game, state
    return game, game.from_position(_laid_over(game, game.to_position(state), case))


def load_pack(title: Title, name: str | None, folder: Path) -> Pack[Any]:
    """A title's pack by id, or by path relative to `folder`; None means the title's default pack.

    `PackFaults` lists everything wrong with it. Packs are kept in memory until their file changes.
    """
    if name is None:
        name = title.default_pack
    if not (name.endswith(".toml") or "/" in name or "\\" in name):
        return _load(title, name, None)
    path = folder / name
    try:
        found = path.stat()
    except OSError:
        return title.load_pack(path)
    return _load(title, str(path), (found.st_mtime_ns, found.st_size))


@lru_cache(maxsize=32)
def _load(title: Title, name: str, stamp: tuple[int, int] | None) -> Pack[Any]:
    return title.load_pack(name if stamp is None else Path(name))


def _failures(case: Case) -> Iterator[str]:
    try:
        game, state = opened(case)
    except PackFaults as wrong:
        rules = {fault.rule for fault in wrong.faults}
        yield from _refusal("pack", case.refused, rules, [str(fault) for fault in wrong.faults])
        return
    except PositionFaults as wrong:
        yield from _refusal("given", case.refused, {wrong.rule}, wrong.faults)
        return
    except (LookupError, ValueError) as wrong:
        yield _said(wrong)
        return
    except RecursionError:
        yield f"given: {_TOO_DEEP}"
        return
    except Exception as wrong:
        yield f"given: {_broken(wrong)}"
        return
    if case.refused is not None:
        yield f"given: expected refused {case.refused}, found accepted"
        return
    first = state
    for number, step in enumerate(case.steps, 1):
        if step.branch:
            state = first
        where = f"step {number}"
        try:
            if step.ask is None:
                state, said = _done(game, state, step)
            else:
                said = _asked(case, game, state, step)
        except PositionFaults as wrong:
            said = list(wrong.faults)
        except NotUnderstood as wrong:
            said = [str(wrong)]
        except RecursionError:
            said = [_TOO_DEEP]
        except Exception as wrong:
            yield f"{where}: {_broken(wrong)}"
            return
        yield from (f"{where}: {line}" for line in said)


def _refusal(what: str, wanted: str | None, rules: set[str | None], faults: Sequence[str]) -> Iterator[str]:
    """Nothing when the wanted rule is among those broken; else what was found instead."""
    if wanted is not None and wanted in rules:
        return
    if wanted is not None:
        found = ", ".join(sorted(rule for rule in rules if rule)) or "no rule"
        yield f"{what}: expected refused {wanted}, found faults that cite {found}"
    yield from (f"{what}: {fault}" for fault in faults)


def _done(game: Game[Any], state: Any, step: Step) -> tuple[Any, list[str]]:
    """The state after a step's actions and everything that does not hold."""
    events: list[Any] = []
    for number, form in enumerate(step.do, 1):
        last = number == len(step.do)
        here = f"do {number}: " if len(step.do) > 1 else ""
        try:
            action = game.codec.from_json(form)
        except NotUnderstood as wrong:
            wanted = f" (expected refused {step.refused})" if last and step.refused else ""
            return state, [f"{here}not understood: {wrong}{wanted}"]
        before = game.digest(state)
        violation = game.refuse(state, action)
        if violation is not None:
            if game.digest(state) != before:
                return state, [f"{here}refused {violation.rule}, but the state has changed"]
            if last and step.refused == violation.rule:
                break
            values = f" {_show(violation.values)}" if violation.values else ""
            wanted = f"refused {step.refused}" if last and step.refused else "accepted"
            return state, [f"{here}expected {wanted}, found refused {violation.rule}{values}"]
        if last and step.refused:
            return state, [f"{here}expected refused {step.refused}, found accepted"]
        state, caused = game.apply(state, action)
        events += caused
    if not step.expect:
        return state, []
    seen: Position = {
        "acting": [msgspec.to_builtins(who) for who in game.acting(state)],
        "finished": game.finished(state),
        "events": [msgspec.to_builtins(event) for event in events],
        **game.to_position(state),
    }
    return state, list(differences(step.expect, seen))


def _asked(case: Case, game: Game[Any], state: Any, step: Step) -> list[str]:
    """Everything that does not hold about the answer to a step's question."""
    assert step.ask is not None
    before = game.digest(state)
    try:
        answer = ask(game, state, step.ask, step.args, Path(case.file).parent)
    except PackFaults as wrong:
        rules = {fault.rule for fault in wrong.faults}
        return list(_refusal(step.ask, step.refused, rules, [str(fault) for fault in wrong.faults]))
    except PositionFaults as wrong:
        return list(_refusal(step.ask, step.refused, {wrong.rule}, wrong.faults))
    if game.digest(state) != before:
        return [f"the question {step.ask} has changed the state"]
    if step.refused is not None:
        return [f"expected refused {step.refused}, found accepted"]
    return list(differences(step.expect, answer))


def ask(
    game: Game[Any], state: Any, name: str, args: Mapping[str, Any], folder: Path = Path()
) -> dict[str, Any]:
    """The answer to a question about a position, as a JSON-able dict.

    - "legal" (`seat`): `acting`, `offers`, `count` of the offers, `actions` with forms written out (at most
      `EXPANDED` of each; `cut` tells whether more exist).
    - "score" (`seat`): the position scored as if the game ended now; with `kind` it is the game's question.
    - "load_pack" (`pack`): what the pack is; raises `PackFaults`.
    - Any other is the game's own (`Game.ask`).

    `NotUnderstood` for an unknown question, argument or seat.
    """
    if name == "legal":
        _only(name, args, ("seat",))
        return legal(game, state, args.get("seat"), full=True)
    if name == "score" and "kind" not in args:
        _only(name, args, ("seat",))
        return score(game, state, args.get("seat"))
    if name == "load_pack":
        _only(name, args, ("pack",))
        wanted = args.get("pack")
        if wanted is not None and not isinstance(wanted, str):
            raise NotUnderstood(f"load_pack: pack: expected text, found {_show(_plain(wanted))}")
        pack = load_pack(game.title, wanted, folder)
        header = {key: getattr(pack, key) for key in ("id", "game", "title", "edition", "digest")}
        return {**header, "invented": pack.invented, "warnings": [str(fault) for fault in pack.warnings]}
    return game.ask(state, name, args)


def legal(
    game: Game[Any],
    state: Any,
    seat: str | None = None,
    limit: int = EXPANDED,
    *,
    expand_forms: bool = True,
    full: bool = False,
) -> dict[str, Any]:
    """What may be done, for one seat or for all: who is asked, the offers, and the actions behind them.

    `owed` is what the table must turn up (`deck` and `count`), None when nothing.

    A form appears among the offers as its `form` and `seat`, the space that it is about where there is one,
    and the values of its first blank. `cut` is true
    when a form has more than `limit` completions. Without `expand_forms` there are no `actions` and no `cut`.
    With `full`, actions show fields at their default as well. `NotUnderstood` for a seat not at the table.
    """
    everyone = (*game.seats, TABLE)
    if seat is not None and seat not in everyone:
        raise NotUnderstood(f"there is no seat {seat!r}; there are: {', '.join(everyone)}")
    acting = game.acting(state)
    first = [who.seat for who in acting]
    order = sorted(everyone, key=lambda name: first.index(name) if name in first else len(first))
    offers = [(name, offer) for name in order if seat in (None, name) for offer in game.offers(state, name)]
    answer: dict[str, Any] = {
        "acting": [msgspec.to_builtins(who) for who in acting if seat in (None, who.seat)],
        "owed": owed_json(game, state) if seat in (None, TABLE) else None,
        "count": len(offers),
        "offers": [_offer(game, name, offer, full) for name, offer in offers],
    }
    if expand_forms:
        answer |= {"actions": [], "cut": False}
        for _, offer in offers:
            completions = [_action(game, action, full) for action in expand([offer], limit + 1)]
            answer["actions"] += completions[:limit]
            answer["cut"] = answer["cut"] or len(completions) > limit
    return answer


def owed_json(game: Game[Any], state: Any) -> dict[str, Any] | None:
    """What the table must turn up now, as JSON: the `deck` and the `count` of cards; None for nothing."""
    owed = game.owed(state)
    return None if owed is None else {"deck": owed[0], "count": owed[1]}


def _action(game: Game[Any], action: Action, full: bool) -> dict[str, Any]:
    form = game.codec.to_json(action)
    if not full:
        return form
    fields = {name: getattr(action, name) for name in action.__struct_fields__ if name not in form}
    return form | {name: msgspec.to_builtins(value) for name, value in fields.items() if value is not None}


def _offer(game: Game[Any], seat: str, offer: Offer, full: bool) -> dict[str, Any]:
    if isinstance(offer, Form):
        return {"form": offer.kind, "seat": seat, **offer.about, "first": list(offer.domain(()) or ())}
    return _action(game, offer, full)


def score(game: Game[Any], state: Any, seat: str | None = None) -> dict[str, Any]:
    """The position scored as if the game ended now: `ScoreSheet.to_json`, `places` and `winners`.

    What a seat had before final scoring is one line with the source "before". For one seat its `total`,
    `by_source` and `lines` only. `NotUnderstood` when the game cannot be scored early.
    """
    if seat is not None and seat not in game.seats:
        raise NotUnderstood(f"there is no seat {seat!r}; there are: {', '.join(game.seats)}")
    before = game.totals(state)
    last, events = (state, []) if game.finished(state) else game.final(state)
    late = game.sheet(last, events)
    lines = tuple(Line(name, before[name], "before") for name in game.seats if before.get(name))
    sheet = ScoreSheet(game.seats, lines + late.lines)
    if seat is not None:
        own = [msgspec.to_builtins(line) for line in sheet.lines if line.seat == seat]
        return {"total": sheet.total(seat), "by_source": sheet.by_source(seat), "lines": own}
    places = [list(group) for group in game.places(last)]
    return {**sheet.to_json(), "places": places, "winners": places[0] if places else []}


def _only(name: str, args: Mapping[str, Any], known: Sequence[str]) -> None:
    for key in args:
        if key not in known:
            raise NotUnderstood(f"the question {name} has no {key!r}; it has: {', '.join(known)}")


# Comparing.


def differences(wanted: Mapping[str, Any], found: Any) -> Iterator[str]:
    """Every place where `found` is not as wanted, as "path: expected X, found Y".

    Keys are paths with dots. A wanted table needs only what it names; `{}` wants nothing to be there. Lists
    are compared entry by entry; a table wanted of a list tests it: `count`, `contains`, `lacks`, or entries
    by their position from 0. Truth values are not numbers.
    """
    for path, want in wanted.items():
        if path in ("contains", "lacks") and isinstance(found, Mapping) and "actions" in found:
            # Of a list of legal actions, so that no case depends on what is offered as a form.
            yield from _list_test(path, want, [*found["actions"], *found["offers"]], path)
            continue
        yield from _different(want, _found(found, path), path)


def _different(want: Any, found: Any, path: str) -> Iterator[str]:
    if isinstance(want, Mapping):
        if not want:
            if found not in (None, {}, [], ()):
                yield f"{path}: expected nothing, found {_show(found)}"
        elif isinstance(found, Mapping):
            for key, value in want.items():
                yield from _different(value, _found(found, key), f"{path}.{key}")
        elif isinstance(found, list | tuple):
            for key, value in want.items():
                if key in _LIST_TESTS:
                    yield from _list_test(key, value, found, f"{path}.{key}")
                else:
                    yield from _different(value, _found(found, key), f"{path}.{key}")
        else:
            yield f"{path}: expected {_show(want)}, found {_show(found)}"
    elif not _same(want, found):
        yield f"{path}: expected {_show(want)}, found {_show(found)}"


def _list_test(test: str, want: Any, found: Sequence[Any], path: str) -> Iterator[str]:
    if test == "count":
        if not _same(want, len(found)):
            yield f"{path}: expected {_show(want)}, found {len(found)}"
        return
    for entry in want if isinstance(want, list) else [want]:
        there = any(_same(entry, item) for item in found)
        if there != (test == "contains"):
            close = max(found, key=lambda item: _alike(entry, item), default=None)
            hint = f", nearest {_show(close)}" if not there and _alike(entry, close) else ""
            negation = "" if test == "contains" else "no "
            yield f"{path}: expected {negation}{_show(entry)} among {len(found)}{hint}"


def _same(want: Any, found: Any) -> bool:
    """Whether a value is as wanted; of a table only what is named counts."""
    if isinstance(want, Mapping):
        return not any(_different(want, found, ""))
    if isinstance(want, list):
        if not isinstance(found, list | tuple) or len(want) != len(found):
            return False
        return all(_same(one, other) for one, other in zip(want, found, strict=True))
    return isinstance(want, bool) == isinstance(found, bool) and bool(want == found)


def _alike(want: Any, item: Any) -> int:
    """How many wanted values a table has."""
    if not isinstance(want, Mapping) or not isinstance(item, Mapping):
        return 0
    return sum(_same(value, item.get(key)) for key, value in want.items())


def _found(position: Any, path: str) -> Any:
    """The value at a path, where `count` after a list is its length. None when the path leads nowhere.

    A key that itself holds dots (written in quotes in TOML) is found as well.
    """
    if isinstance(position, Mapping):
        if path in position:
            return position[path]
        head, _, rest = path.partition(".")
        return _found(position[head], rest) if rest and head in position else None
    if isinstance(position, list | tuple):
        head, _, rest = path.partition(".")
        if head == "count" and not rest:
            return len(position)
        if not head.isdecimal() or int(head) >= len(position):
            return None
        return _found(position[int(head)], rest) if rest else position[int(head)]
    return None


def _show(value: Any) -> str:
    """A value as people read it, shortened."""
    if value is None:
        return "nothing"
    try:
        text = msgspec.json.encode(value).decode() if not isinstance(value, str) else f'"{value}"'
    except (OverflowError, RecursionError, TypeError, ValueError):
        return "a value that cannot be shown"
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def _said(wrong: Exception) -> str:
    """An error's own words; a bare KeyError would show its quotes."""
    return str(wrong.args[0]) if isinstance(wrong, KeyError) and wrong.args else str(wrong)


def _broken(wrong: Exception) -> str:
    """A mistake of the program's, in one line: what and where."""
    trace = wrong.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = "" if trace is None else f" ({Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno})"
    return f"the rules failed here: {type(wrong).__name__}: {_said(wrong)}{place}"


# Reading.


def read(path: str | Path) -> Case:
    """Read a case file; `CaseFaults` lists everything wrong with its form."""
    file = Path(path)
    try:
        raw = tomllib.loads(file.read_bytes().decode("utf-8-sig"))
    except RecursionError:
        raise CaseFaults([_TOO_DEEP]) from None
    except FileNotFoundError:
        raise CaseFaults(["there is no such file"]) from None
    except OSError as wrong:
        raise CaseFaults([f"the file cannot be read: {wrong.strerror}"]) from None
    except UnicodeDecodeError:
        raise CaseFaults(["the file is not UTF-8"]) from None
    except ValueError as wrong:  # Not all of tomllib's are its own: a number may have too many digits.
        raise CaseFaults([f"this is not TOML: {wrong}"]) from None
    try:
        return from_toml(raw, str(path))
    except RecursionError:
        raise CaseFaults([_TOO_DEEP]) from None


def from_toml(raw: Mapping[str, Any], file: str = "") -> Case:
    """The case that parsed TOML describes; `CaseFaults` lists everything wrong with its form."""
    faults: list[str] = []
    id_ = _take(raw, "id", str, "", faults)
    if not id_ and "id" not in raw:
        faults.insert(0, "a case begins with its id")
    _unknown(raw, _CASE_KEYS, "", faults)
    game = _take(raw, "game", str, "", faults)
    if "game" not in raw:
        faults.append("game is missing: which game is this case about?")
    options = dict(_flat(_take(raw, "options", dict, {}, faults)))
    for name, value in options.items():
        if not isinstance(value, str | bool):
            faults.append(f"options.{name}: expected text, true or false, found {_show(value)}")
    dropped = _take(raw, "without", list, [], faults)
    if not all(isinstance(path, str) for path in dropped):
        faults.append("without: expected a list of position paths")
        dropped = []
    _take(raw, "note", str, "", faults)
    steps: list[Step] = []
    tables = raw.get("step", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        faults.append("step: expected tables, each written under [[step]]")
        tables = []
    for number, table in enumerate(tables, 1):
        steps.append(_step(table, f"step {number}: ", faults))
    refused = _take(raw, "refused", str, None, faults)
    if refused is not None and steps:
        faults.append("a case that is refused as given has no steps")
    players = _take(raw, "players", int, None, faults)
    pack = _take(raw, "pack", str, None, faults)
    given = _take(raw, "given", dict, {}, faults)
    _dates(given, "given", faults)
    if faults:
        raise CaseFaults(faults, id_)
    return Case(id_, file, game, pack, players, options, tuple(dropped), given, refused, tuple(steps))


def _step(raw: Mapping[str, Any], where: str, faults: list[str]) -> Step:
    if ("do" in raw) == ("ask" in raw):
        faults.append(f"{where}a step has either do or ask")
    name = _take(raw, "ask", str, None, faults, where)
    args: dict[str, Any] = {}
    if name is None:
        _unknown(raw, _STEP_KEYS, where, faults)
    else:
        args = {key: value for key, value in raw.items() if key not in _STEP_KEYS}
    do = raw.get("do", [])
    actions = [do] if isinstance(do, dict) else do
    if not isinstance(actions, list) or not all(isinstance(form, dict) for form in actions):
        faults.append(f'{where}do: expected an action such as {{ do = "bid", ... }} or a list of them')
        actions = []
    elif "do" in raw and not actions:
        faults.append(f"{where}do: the list of actions is empty")
    _take(raw, "note", str, "", faults, where)
    expect = _take(raw, "expect", dict, {}, faults, where)
    refused = _take(raw, "refused", str, None, faults, where)
    for key in ("expect", "do"):
        _dates(raw.get(key), f"{where}{key}", faults)
    branch = _take(raw, "branch", bool, False, faults, where)
    return Step(tuple(actions), name, args, expect, refused, branch)


_WORDS = {str: "text", int: "a whole number", bool: "true or false", dict: "a table", list: "a list"}


def _take(
    raw: Mapping[str, Any], key: str, kind: type, default: Any, faults: list[str], where: str = ""
) -> Any:
    value = raw.get(key, default)
    if key in raw and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
        faults.append(f"{where}{key}: expected {_WORDS[kind]}, found {_show(_plain(value))}")
        return default
    return value


def _unknown(raw: Mapping[str, Any], known: Sequence[str], where: str, faults: list[str]) -> None:
    for key in raw:
        if key not in known:
            close = nearest(key, known)
            hint = f"; nearest is {close!r}" if close else f"; there are: {', '.join(known)}"
            faults.append(f"{where}there is no key {key!r} here{hint}")


def _plain(value: Any) -> Any:
    return value if isinstance(value, str | int | float | bool | list | dict) else str(value)


def _dates(value: Any, where: str, faults: list[str]) -> None:
    """TOML knows dates and times; no position and no action does."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            _dates(inner, f"{where}.{key}", faults)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            _dates(inner, f"{where}.{index}", faults)
    elif value is not None and not isinstance(value, str | int | float | bool):
        faults.append(f"{where}: a date or time cannot stand here")


def _flat(raw: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Switches have dots in their names, which TOML reads as tables when the quotes are left out."""
    for key, value in raw.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{key}.")
        else:
            yield before + key, value


def _laid_over(game: Game[Any], base: Position, case: Case) -> Position:
    """`base` without what the case drops and with what it gives. `PositionFaults` names wrong paths.

    What follows from the rest is left for the game to work out anew, unless the case gives it.
    """
    wrong: list[str] = []
    base = _underived(game, base)
    for path in case.without:
        try:
            base = without(base, path)
        except KeyError:
            wrong.append(f"without: a fresh game has nothing at {path}")
    if wrong:
        raise PositionFaults(wrong)
    return merged(base, case.given)


# Writing.


def case_of(game: Game[Any], state: Any, id: str, note: str = "") -> str:
    """A case file (TOML text) whose `given` is this state, as a difference from a fresh game.

    It loads back to a state of the same digest; ValueError when the position cannot be written so. The pack
    is named by its id: one that does not ship with the game must be put beside the case and named by hand.
    """
    title = game.title
    usual = title.open(game.pack, len(game.seats)).options
    options = {name: value for name, value in game.options.items() if usual.get(name) != value}
    fresh = _writable(_underived(game, game.to_position(game.start())))
    whole = game.to_position(state)
    short = _underived(game, whole)
    follows = short != whole and game.digest(game.from_position(short)) == game.digest(state)
    target = _writable(short if follows else whole)
    gone: list[str] = []
    given = _difference(fresh, target, "", gone)
    document: dict[str, Any] = {"id": id}
    if note:
        document["note"] = note
    document |= {"game": title.id, "pack": game.pack.id, "players": len(game.seats)}
    if gone:
        document["without"] = gone
    if options:
        document["options"] = options
    if given:
        document["given"] = given
    text = tomli_w.dumps(document)
    case = from_toml(tomllib.loads(text))
    again = title.open(game.pack, len(game.seats), case.options)
    back = again.from_position(_laid_over(again, again.to_position(again.start()), case))
    if again.digest(back) != game.digest(state):
        raise ValueError("this position cannot be written as a difference from a fresh game")
    return text


def _difference(base: Position, target: Position, before: str, gone: list[str]) -> Position:
    out: Position = {}
    for key, value in target.items():
        old = base.get(key)
        if key in base and old == value and isinstance(old, bool) == isinstance(value, bool):
            continue
        if isinstance(value, Mapping) and isinstance(old, Mapping):
            inner = _difference(cast(Position, old), cast(Position, value), f"{before}{key}.", gone)
            if inner:
                out[key] = inner
        else:
            out[key] = value
    gone += [f"{before}{key}" for key in base if key not in target]
    return out


def _underived(game: Game[Any], position: Position) -> Position:
    """The position without what follows from the rest."""
    for path in game.derived:
        position = _drop(position, path.split("."))
    return position


def _drop(position: Any, path: Sequence[str]) -> Any:
    if not isinstance(position, Mapping):
        return position
    head, *rest = path
    keys = list(position) if head == "*" else [head] if head in position else []
    out = dict(position)
    for key in keys:
        if rest:
            out[key] = _drop(out[key], rest)
        else:
            del out[key]
    return out


def _writable(value: Any) -> Any:
    """TOML has no null: an absent key is null."""
    if isinstance(value, Mapping):
        return {str(key): _writable(inner) for key, inner in value.items() if inner is not None}
    if isinstance(value, list | tuple):
        return [_writable(inner) for inner in value]
    return value
