"""A renewed value is what `dataclasses.replace` makes of it."""

from dataclasses import replace

import pytest

from qmon_tui.model import Job, State, Task, renewed
from tests.unit.scheduler.building import NOW, job

TASK = Task("r", {"all.q@h1": 1}, NOW + 0.5)
JOB = job(7, "-l mem=1G", tasks={1: TASK})


@pytest.mark.parametrize(
    ("value", "changes"),
    [
        (State(now=NOW, jobs=(JOB,)), {"now": NOW + 15, "jobs": ()}),
        (JOB, {"tasks": {}, "changed": 3.5}),
        (TASK, {"state": "t"}),
        (TASK, {}),
    ],
)
def test_what_is_renewed_is_equal_to_what_is_replaced(value: State | Job | Task, changes: dict[str, object]) -> None:
    after = renewed(value, **changes)
    assert after == replace(value, **changes)  # type: ignore[arg-type]
    assert after is not value


def test_a_field_that_is_not_there_cannot_be_renewed() -> None:
    with pytest.raises(KeyError):
        renewed(TASK, hosts="h1")
