"""The configuration that a kiosk is started with, and the last good one for when somebody has spoilt it.

A table that was all right yesterday must not stay dark because of a comma. Every configuration that is
right is kept in the service's own folder; where the file is wrong, that one is used, and the screen says what
is wrong with the file. One is kept of each version of the file: a program of before, to which somebody goes
back, finds the last one that it can read.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from pathlib import Path

from ui.kiosk.config import Config, ConfigFaults, parsed, text_of
from ui.kiosk.config_versions import VERSION
from ui.presenters.words import Words
from vision.kept import write_safely

_log = logging.getLogger(__name__)


def kept_name(version: int) -> str:
    """How the last good file of a version is called. Before there were versions it had none in its name."""
    return "config.last-good.toml" if version == 1 else f"config.last-good-{version}.toml"


def load_or_last(file: Path, environment: Mapping[str, str] = os.environ) -> tuple[Config, tuple[str, ...]]:
    """The configuration in a file and what is wrong with it: then it is the last good one, kept where the
    service manager says (STATE_DIRECTORY). Raises ConfigFaults when there is none."""
    state = environment.get("STATE_DIRECTORY", "").partition(":")[0]
    try:
        text = text_of(file)
        config = parsed(text, file)
    except ConfigFaults as wrong:
        last = _last(Path(state), file) if state else None
        if last is None:
            raise
        for fault in wrong.faults:
            _log.error("%s is not right: %s", file, fault)
        return last, wrong.faults
    if state:
        _keep(text, config.version, Path(state))
    return config, ()


def _last(state: Path, file: Path) -> Config | None:
    """The last good one, the newest version first: those above the one that was kept last are removed."""
    for version in range(VERSION, 0, -1):
        try:
            # Paths in it are seen from where the file lies, as they were when it was right.
            return parsed(text_of(state / kept_name(version)), file)
        except ConfigFaults:
            continue
    return None


def _keep(text: str, version: int, state: Path) -> None:
    last, data = state / kept_name(version), text.encode()
    try:
        if not last.exists() or last.read_bytes() != data:
            write_safely(last, data)
        for later in range(version + 1, VERSION + 1):
            (state / kept_name(later)).unlink(missing_ok=True)
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
