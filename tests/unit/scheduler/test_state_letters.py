"""Letters of tasks in qstat's order (lifecycle.md#letters-of-tasks)."""

import pytest

from qmon_tui.scheduler.suspension.state_letters import with_hold, with_letters, without_letters


@pytest.mark.parametrize(
    ("state", "added", "shown"),
    [("r", "S", "S"), ("t", "S", "St"), ("S", "T", "ST"), ("dr", "T", "dT"), ("Rr", "s", "Rs"), ("hr", "S", "Sh")],
)
def test_what_is_made_to_stand_still_is_not_shown_as_running(state: str, added: str, shown: str) -> None:
    assert with_letters(state, added) == shown


@pytest.mark.parametrize(
    ("state", "removed", "shown"),
    [
        ("S", "S", "r"),
        ("ST", "S", "Tr"),
        ("ST", "T", "S"),
        ("Ss", "S", "s"),
        ("St", "S", "t"),
        ("dS", "S", "dr"),
        ("RS", "S", "Rr"),
        ("T", "T", "r"),
        ("r", "S", "r"),
    ],
)
def test_what_nothing_else_keeps_runs(state: str, removed: str, shown: str) -> None:
    assert without_letters(state, removed) == shown


def test_a_job_that_waits_for_others_is_shown_with_its_hold() -> None:
    assert [with_hold(state) for state in ("r", "hr", "dr", "t", "qw")] == ["hr", "hr", "dhr", "ht", "hqw"]
