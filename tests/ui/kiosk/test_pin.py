"""The staff's PIN: a hash, and a pause that grows and survives switching off."""

from __future__ import annotations

import pytest

from ui.kiosk.pin import FIRST_PAUSE_S, FREE, LONGEST_PAUSE_S, Pin, pause
from ui.kiosk.store import PinRecord


def made() -> tuple[Pin, list[PinRecord]]:
    kept: list[PinRecord] = []
    pin = Pin(PinRecord(), kept.append, 0.0)
    pin.set("4711")
    return pin, kept


def test_only_a_hash_is_kept() -> None:
    pin, kept = made()
    assert kept[-1].hash.startswith("$argon2id$")
    assert "4711" not in kept[-1].hash
    assert pin.check("4711", 0.0)
    assert not pin.check("4712", 0.0)


@pytest.mark.parametrize("digits", ["", "123", "1234567890123", "abcd", "1111", "1234", "8765", "٤٧١١"])
def test_what_is_no_pin_is_refused(digits: str) -> None:
    pin = Pin(PinRecord(), lambda record: None, 0.0)
    with pytest.raises(ValueError, match="PIN"):
        pin.set(digits)
    assert not pin.there


def test_wrong_ones_cost_a_growing_pause_in_which_not_even_the_right_one_counts() -> None:
    pin, _ = made()
    now = 0.0
    for _ in range(FREE):
        assert not pin.check("0000", now)
    assert pin.wait(now) == FIRST_PAUSE_S
    assert not pin.check("4711", now)
    now += FIRST_PAUSE_S
    assert not pin.check("0000", now)
    assert pin.wait(now) == 2 * FIRST_PAUSE_S
    now += 2 * FIRST_PAUSE_S
    assert pin.check("4711", now)
    assert pin.wait(now) == 0.0
    assert pin.record.wrong == 0


def test_switching_off_does_not_help() -> None:
    pin, kept = made()
    for _ in range(FREE):
        pin.check("0000", 0.0)
    again = Pin(kept[-1], kept.append, 500.0)
    assert again.wait(500.0) == FIRST_PAUSE_S
    assert not again.check("4711", 500.0)


def test_a_try_counts_before_it_is_looked_at() -> None:
    pin, kept = made()
    pin.check("0000", 0.0)
    assert kept[-1].wrong == 1


def test_the_pause_has_an_end() -> None:
    assert pause(10_000) == LONGEST_PAUSE_S
    assert pause(FREE - 1) == 0.0
