"""Checks and engine never raise, whatever objects say: some of what `make verdicts ARGS=--alone` draws by thousands."""

from tests.differential.judging_alone import broken


def test_drawn_and_damaged_objects_raise_nothing() -> None:
    said: list[str] = []
    assert not broken(987654323, 600, said.append), "\n".join(said)
