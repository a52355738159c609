"""Two who save the same file at the same time: nothing is lost, whoever comes second is told."""

from pathlib import Path

import pytest

from tests.unit.sources.saving_stress import both


@pytest.mark.parametrize(("other", "rounds"), [("save", 200), ("edit", 200)])
def test_nothing_is_lost(tmp_path: Path, other: str, rounds: int) -> None:
    lost, conflicts = both(tmp_path, rounds, other)
    assert lost == 0
    assert conflicts > 0, "they never met"
    assert [path.name for path in tmp_path.iterdir()] == ["c.yaml"]
