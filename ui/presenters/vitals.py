"""How machine, camera and program are (`ui.health`), in the table's words: short for the status bar, with
figures and what to do for the page.

A reading is told by its name and its figures; one that is not known here is said as it came.
"""

from __future__ import annotations

from babel.numbers import format_decimal

from ui.health import LATE_S, LIGHTS, RUNS, Light, Reading
from ui.presenters.elements import Signal, Tone
from ui.presenters.shown import Shown

SIGNALS: dict[Light, Signal] = {"green": "clear", "amber": "caution", "red": "stop"}
TONES: dict[Light, Tone] = {"green": "clear", "amber": "caution", "red": "stop"}
ICONS = {"power": "power", "heat": "heat", "disk": "disk"}
"""Signs of what the status bar warns of. The camera has its own place there."""


def named(shown: Shown, name: str) -> Reading | None:
    """The reading of that name, None where there is none."""
    return next((one for one in shown.house.health if one.name == name), None)


def by_need(shown: Shown) -> tuple[Reading, ...]:
    """All readings that somebody has words for here, what is to be mended first."""
    return tuple(sorted(shown.house.health, key=lambda one: LIGHTS.index(one.light)))


def warnings(shown: Shown) -> tuple[Reading, ...]:
    """What the status bar warns of, the worst first. What is over is told by the page alone."""
    wrong = (one for one in by_need(shown) if one.name in ICONS and one.light != "green")
    return tuple(one for one in wrong if not _text(one, "state").startswith("was_"))


def short(shown: Shown, one: Reading) -> str:
    """One warning in a word or two."""
    t, red = shown.words.t, one.light == "red"
    if one.name == "power":
        return t("low power") if _text(one, "state") == "low" else t("slowed down")
    if one.name == "heat":
        degrees = round(_figure(one, "celsius"))
        return t("hot: {n} °C", n=degrees) if red else t("warm: {n} °C", n=degrees)
    return t("disk full") if red else t("disk nearly full")


def camera_short(shown: Shown) -> tuple[str, Tone]:
    """The camera's rate, or the age of its newest picture where that is too old; "" when nobody knows."""
    t, one = shown.words.t, named(shown, "camera")
    if one is None or one.values is None or _text(one, "state") not in RUNS:
        return "", "text2"
    tone: Tone = "text2" if one.light == "green" else TONES[one.light]
    if _figure(one, "picture_age_s") >= LATE_S and one.light != "green":
        return t("{n} s old", n=round(_figure(one, "picture_age_s"))), tone
    if "pictures_s" not in one.values or _text(one, "state") == "ended":
        return "", "text2"
    rate = _figure(one, "pictures_s")
    return t("{n}/s", n=_number(shown, rate) if rate < 1 else str(round(rate))), tone


def title(shown: Shown, one: Reading) -> str:
    """What a reading is about."""
    t = shown.words.t
    names = {
        "power": t("Power"),
        "heat": t("Heat"),
        "disk": t("Disk"),
        "camera": t("Camera"),
        "start": t("Start-up"),
        "memory": t("Memory"),
    }
    return names.get(one.name, one.name.capitalize())


def told(shown: Shown, one: Reading) -> str:
    """How it is, with its figures."""
    t = shown.words.t
    if one.name == "power":
        return {
            "steady": t("Steady since the start"),
            "low": t("The voltage is too low now"),
            "slowed": t("The processor is slowed down now"),
            "was_low": t("The voltage was too low since the start"),
            "was_slowed": t("The processor was slowed down since the start"),
        }.get(_text(one, "state"), one.text)
    if one.name == "heat":
        return t("{n} °C", n=round(_figure(one, "celsius")))
    if one.name == "disk":
        megabytes = _figure(one, "free_mb")
        if megabytes >= 1000:
            return t("{n} GB free", n=_number(shown, megabytes / 1000))
        return t("{n} MB free", n=round(megabytes))
    if one.name == "camera":
        return _camera(shown, one)
    if one.name == "start":
        return t("First page after {n} s", n=_number(shown, _figure(one, "started_s")))
    if one.name == "memory":
        return t("{n} MB in use", n=round(_figure(one, "memory_mb")))
    return one.text


def _camera(shown: Shown, one: Reading) -> str:
    t, values = shown.words.t, one.values or {}
    if values.get("state") not in RUNS:
        return shown.house.camera.words or t("It sends no pictures now")
    if values.get("state") == "ended":
        return t("There are no more pictures")
    if "pictures_s" not in values or "picture_age_s" not in values:
        return t("It has begun to read pictures")
    rate, age = _number(shown, _figure(one, "pictures_s")), round(_figure(one, "picture_age_s"))
    return t("{rate} pictures a second, the newest {age} s old", rate=rate, age=age)


def advice(shown: Shown, one: Reading) -> str:
    """What to do about it; empty when it is well."""
    t, values = shown.words.t, one.values or {}
    if one.light == "green":
        return ""
    air = t("Let air to the board, and keep it away from the lamp")
    if one.name == "power":
        low = _text(one, "state").endswith("low")
        return t("Use the board's own supply and a short cable") if low else air
    if one.name == "camera":
        slow = values.get("state") in RUNS and _figure(one, "picture_age_s") < LATE_S
        if slow:
            return t("The processor has too little time: look at power and heat")
        return t("Staff can start the camera again; else check its cable")
    return {
        "heat": air,
        "disk": t("Back up the games, then delete old ones"),
        "start": t("Take a faster card, and look at power"),
        "memory": t("Start the table anew when nobody plays"),
    }.get(one.name, one.advice)


def _text(one: Reading, key: str) -> str:
    return str((one.values or {}).get(key, ""))


def _figure(one: Reading, key: str) -> float:
    """A figure of a reading; 0 where it has none."""
    value = (one.values or {}).get(key, 0)
    return 0.0 if isinstance(value, str) else float(value)


def _number(shown: Shown, value: float) -> str:
    """A number with one decimal, as the language writes it."""
    return format_decimal(round(value, 1), format="0.0", locale=shown.words.language)
