"""What the pages of a running game say: people, actions, options, what would change, in the table's language.

Every function takes `Shown` first and needs a game that runs (`shown.playing`), unless it says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from assistant.actions import TABLE, Action
from assistant.choosing import Choice, Option
from assistant.display import POINTS, Change, Foresight
from assistant.events import Told
from assistant.game import Game
from assistant.offers import STOP
from ui.names import called
from ui.presenters.shown import Shown, playing_of
from ui.presenters.words import Words
from ui.sentences import MISSING, Sentences, renamed

_UNITS = {
    "round": ("Round {n}", "Round {n} of {of}"),
    "turn": ("Turn {n}", "Turn {n} of {of}"),
    "lot": ("Lot {n}", "Lot {n} of {of}"),
}
"""What games count, without an end and with one."""


def progress_words(words: Words, unit: str, at: int, of: int) -> str:
    """Where a game stands: "Round 2 of 4"; `of` is 0 for an open end. Empty where nothing is counted."""
    open_end, ended = _UNITS.get(unit, ("{n}", "{n} / {of}"))
    return words.t(ended if of else open_end, n=at, of=of) if at else ""


def capital(words: str) -> str:
    """The words with a capital first letter."""
    return words[:1].upper() + words[1:]


def word(shown: Shown, key: str) -> str:
    """The game's word for a key."""
    return playing_of(shown).sentences.value(key)


def printed(shown: Shown, text: str) -> str:
    """What stands on a card, in the table's language; names of cards stay as they are printed."""
    playing = playing_of(shown)
    if shown.words.language == "en":
        return text
    return _printed(playing.game, playing.sentences).get(text, text)


@lru_cache(maxsize=4)
def _printed(game: Game[Any], sentences: Sentences) -> Mapping[str, str]:
    return game.card_words(sentences.catalogue)


def seat_name(shown: Shown, seat: str | None) -> str:
    """Who sits there, as short as they can be called; "the table" for the table."""
    if seat is None or seat == TABLE:
        return shown.words.t("The table")
    return called(playing_of(shown).names).get(seat) or shown.words.t("Seat {seat}", seat=seat)


def full_name(shown: Shown, seat: str) -> str:
    """Who sits there, in full."""
    return playing_of(shown).names.get(seat) or seat_name(shown, seat)


def seat_names(shown: Shown, seats: Iterable[str]) -> str:
    """Several seats in a sentence: "Aiko, Tom"."""
    return ", ".join(seat_name(shown, seat) for seat in seats)


def named(shown: Shown, value: Any) -> Any:
    """A value of an action or hint with printed names instead of ids of cards, in all its parts."""
    return renamed(value, playing_of(shown).game.name_of)


def fields_of(shown: Shown, action: Action) -> dict[str, Any]:
    """The fields of an action, for a template; a seat stays a letter, which the sentences know."""
    return {
        name: value if name == "seat" else named(shown, value)
        for name in action.__struct_fields__
        if (value := getattr(action, name)) is not None
    }


def action_words(shown: Shown, action: Action) -> str:
    """What somebody does, in a sentence without its full stop: "Jonas places a rail on h10"."""
    playing = playing_of(shown)
    if not playing.sentences.has("actions", action.kind):
        return playing.sentences.action(action)
    key = playing.sentences.key("actions", action)
    words = playing.sentences.say("actions", key, fields_of(shown, action))
    # The table and other subjects stand in lower case within sentences; here they begin one.
    return capital(words)


def told_words(shown: Shown, told: Told) -> str:
    """Something for people to know or do."""
    return playing_of(shown).sentences.say("told", told.key, {"seat": told.seat, **named_values(shown, told)})


def named_values(shown: Shown, told: Told) -> dict[str, Any]:
    """The values of something told, with printed names instead of ids of cards."""
    letters = playing_of(shown).game.seats

    def seats(value: Any) -> bool:
        return value in letters if isinstance(value, str) else False

    # What are letters of seats stays so: the sentences turn these into people.
    return {
        key: value
        if seats(value) or (isinstance(value, list | tuple) and all(map(seats, value)))
        else named(shown, value)
        for key, value in told.values.items()
    }


def value_label(shown: Shown, value: Any) -> str:
    """A value of a blank, as a button: a name, a number, "No more"."""
    playing = playing_of(shown)
    if value == STOP:
        return shown.words.t("No more")
    if isinstance(value, bool) or value is None:
        return playing.sentences.value(value)
    if isinstance(value, str):
        name = playing.game.name_of(value)
        if name != value:
            # A catalogue may know what is printed, to say it in its language.
            return capital(playing.sentences.value(name))
        if value in playing.names and not playing.sentences.has("words", value):
            return seat_name(shown, value)
        return capital(playing.sentences.value(value))
    if isinstance(value, Mapping):
        return playing.sentences.value(named(shown, value))
    if isinstance(value, Sequence):
        return ", ".join(value_label(shown, inner) for inner in value) or playing.sentences.value([])
    return str(value)


def option_label(shown: Shown, option: Option) -> str:
    """An option as a button, about 24 characters: "Rail on g9", "Record", "Back"."""
    t, playing = shown.words.t, playing_of(shown)
    if option.role == "value":
        return value_label(shown, option.value)
    if option.role in ("offer", "form"):
        values = fields_of(shown, option.action) if option.action is not None else {}
        values |= named(shown, option.values)
        if option.role == "form" and option.value is not None:
            values = {"card": named(shown, option.value)}
        if playing.sentences.has("offers", option.kind):
            sentences, action = playing.sentences, option.action
            key = option.kind if action is None else sentences.key("offers", action)
            return capital(sentences.say("offers", key, values))
        return capital(option.kind.replace("_", " ")) if option.action is None else _spelt(shown, option)
    return {
        "back": t("Back"),
        "accept": t("Record"),
        "dismiss": t("Not this one"),
        "agree": t("Agree"),
        "decline": t("Do not agree"),
        "told": t("It is put back"),
    }[option.role]


def _spelt(shown: Shown, option: Option) -> str:
    """The label of an action that its game has no words for: what it is and what it is about."""
    assert option.action is not None
    about = [value_label(shown, v) for k, v in fields_of(shown, option.action).items() if k != "seat"]
    return capital(" ".join((option.kind.replace("_", " "), *about)))


def change_words(shown: Shown, change: Change) -> str:
    """What would change: "3 → 1 power"."""
    return f"{change.before} → {change.after} {word(shown, change.what)}"


def changes_words(shown: Shown, changes: Iterable[Change]) -> str:
    """Several changes in one line; those of points are left out where the house keeps scores hidden."""
    hidden = playing_of(shown).hidden_scores
    return ", ".join(change_words(shown, c) for c in changes if not (hidden and c.what == POINTS))


def hint_words(shown: Shown, foresight: Foresight | None) -> str:
    """The sentence about what an action would do; empty where the game has none."""
    if foresight is None or foresight.hint is None:
        return ""
    hint = foresight.hint
    values = {"seat": hint.seat, **named_values(shown, hint)}
    return playing_of(shown).sentences.say("hints", hint.key, values)


def foresight_words(shown: Shown, foresight: Foresight | None) -> str:
    """What an action would do: its sentence, then what changes; empty where nothing is foretold."""
    if foresight is None:
        return ""
    said, changed = hint_words(shown, foresight), changes_words(shown, foresight.changes)
    return " ".join(part for part in (said, changed and f"{changed}.") if part)


def option_detail(shown: Shown, option: Option) -> str:
    """What taking an option would do; empty where nothing is foretold."""
    return foresight_words(shown, option.foresight)


def asked_words(shown: Shown, why: str, seat: str) -> str:
    """What a seat is asked, as it stands after its name: "build the railway"."""
    said = playing_of(shown).sentences.say("why", why, {"seat": seat})
    # English catalogues have "to build", as after "is asked"; other languages a plain infinitive.
    return said.removeprefix("to ") if shown.words.language == "en" else said


def within(shown: Shown, label: str) -> str:
    """A label as it stands within a sentence: English ones lose their capital."""
    return label[:1].lower() + label[1:] if shown.words.language == "en" else label


def label_within(shown: Shown, option: Option) -> str:
    """The label of an option within a sentence; names and values keep their capital."""
    label, sentences = option_label(shown, option), playing_of(shown).sentences
    key = option.kind if option.action is None else sentences.key("offers", option.action)
    begins_with_value = sentences.say("offers", key, {}).startswith(MISSING)
    return label if option.role == "value" or begins_with_value else within(shown, label)


def question(shown: Shown, choice: Choice) -> str:
    """The question of the blank that is asked now, of a form that is open; empty without one."""
    if not choice.kind:
        return ""
    sentences, number = playing_of(shown).sentences, len(choice.filled) + 1
    for key in (f"{choice.kind}.{number}", f"{choice.kind}.more"):
        if sentences.has("blanks", key):
            return sentences.say("blanks", key)
    return shown.words.t("Which one?")


def clock_words(seconds: float) -> str:
    """Seconds as "12:05"."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02d}"
