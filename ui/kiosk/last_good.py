"""The configuration that a kiosk is started with, and the last good one for when somebody has spoilt it.

A table that was all right yesterday must not stay dark because of a comma. Every configuration that is
right is kept as `config.last-good.toml` in the service's own folder; where the file is wrong, that one is
used, and the screen says what is wrong with the file.
"""

from __future__ import annotations

import logging
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path

from ui.kiosk.config import Config, ConfigFaults, load, read
from ui.presenters.words import Words
from vision.kept import write_safely

_log = logging.getLogger(__name__)
NAME = "config.last-good.toml"


def load_or_last(file: Path, environment: Mapping[str, str] = os.environ) -> tuple[Config, tuple[str, ...]]:
    """The configuration in a file and what is wrong with it: then it is the last good one, kept where the
    service manager says (STATE_DIRECTORY). Raises ConfigFaults when there is none."""
    state = environment.get("STATE_DIRECTORY", "").partition(":")[0]
    last = Path(state) / NAME if state else None
    try:
        config = load(file)
    except ConfigFaults as wrong:
        if last is None:
            raise
        try:
            # Paths in it are seen from where the file lies, as they were when it was right.
            config = read(tomllib.loads(last.read_text(encoding="utf-8-sig")), file.parent)
        except (OSError, ValueError):
            raise wrong from None
        for fault in wrong.faults:
            _log.error("%s is not right: %s", file, fault)
        return config, wrong.faults
    if last is not None:
        _keep(file, last)
    return config, ()


def _keep(file: Path, last: Path) -> None:
    try:
        data = file.read_bytes()
        if not last.exists() or last.read_bytes() != data:
            write_safely(last, data)
    except OSError as error:
        _log.warning("the configuration cannot be kept as the last good one: %s", error)


def notice(words: Words, faults: tuple[str, ...]) -> str:
    """What the screen says about it."""
    return words.n(
        "The configuration has {n} fault, so the last good one is used: {first}",
        "The configuration has {n} faults, so the last good one is used. The first: {first}",
        len(faults),
        first=faults[0],
    )
