"""Every rule case below this folder, one test each."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from assistant.cases import find, read, run

HERE = Path(__file__).parent
FILES = find([HERE])


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(HERE).with_suffix("")))
def test_case(file: Path) -> None:
    result = run(file)
    assert result.passed, "\n".join(result.why)


def test_every_id_is_used_once_in_its_game() -> None:
    cases = [read(file) for file in FILES]
    twice = [key for key, count in Counter((case.game, case.id) for case in cases).items() if count > 1]
    assert twice == []
