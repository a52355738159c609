"""Tasks that stand still or go on because a command has stopped or freed others (suspension.md)."""

from collections.abc import Mapping
from types import MappingProxyType

import pytest

from qmon_tui.model.jobs import Job, Task
from qmon_tui.model.state import State
from qmon_tui.qmaster import JobCommand, QmodJobs, Target
from qmon_tui.qmaster.commands.subordinate_suspension import (
    has_subordinates,
    propagated,
    set_letters,
    starts_disabled,
    suspended_by_others,
    with_suspensions,
)
from tests.unit.scheduler.building import cluster, job, queue, state

LOW = queue("low.q", "n1 n2", 9)
TREE = cluster(queue("high.q", "n1 n2", 9, subordinate_list="slots=1(low.q)"), LOW)
QUEUES = cluster(queue("high.q", "n1 n2", 9, subordinate_list="low.q=1"), LOW)


def there(number: int, letters: str, *instances: str) -> Job:
    return job(number, tasks={1: Task(letters, MappingProxyType(dict.fromkeys(instances, 1)), 100 + number)})


def letters(after: State) -> dict[int, str]:
    return {job.id: job.tasks[1].state for job in after.jobs}


FULL = (there(3, "r", "high.q@n2"), there(4, "r", "low.q@n2"))
"""More runs in the tree of n2 than may: only a start there has it looked at."""


def test_a_task_that_runs_again_stops_others_of_its_own_tree_only() -> None:
    others = (there(2, "r", "low.q@n1"), *FULL)
    before = state([there(1, "s", "high.q@n1"), *others])
    reply = QmodJobs((Target(1),), JobCommand.UNSUSPEND).apply(TREE, before)
    assert letters(reply.state) == {1: "r", 2: "S", 3: "r", 4: "r"}
    after = with_suspensions(TREE, before, state([there(1, "r", "high.q@n1"), *others]))
    assert letters(after) == letters(reply.state)


def test_a_task_that_was_sent_back_stands_in_nobodys_way_and_is_not_stopped() -> None:
    others = (there(2, "r", "low.q@n1"), there(3, "Rq", "low.q@n1"))
    reply = QmodJobs((Target(1),), JobCommand.UNSUSPEND).apply(TREE, state([there(1, "s", "high.q@n1"), *others]))
    assert letters(reply.state) == {1: "r", 2: "S", 3: "Rq"}


@pytest.mark.parametrize("end", [[there(1, "s", "high.q@n1")], []], ids=["stands still", "is gone"])
def test_a_task_that_runs_no_longer_lets_others_of_its_own_tree_go_on(end: list[Job]) -> None:
    others = [there(2, "S", "low.q@n1"), there(3, "S", "low.q@n2")]
    before = state([there(1, "r", "high.q@n1"), *others])
    after = letters(with_suspensions(TREE, before, state([*end, *others])))
    assert (after[2], after[3]) == ("r", "S")


def test_an_instance_that_is_freed_goes_on_with_all_that_stood_still_because_of_it() -> None:
    standing = [there(2, "S", "low.q@n1"), there(3, "sS", "low.q@n1"), there(4, "S", "low.q@n2")]
    jobs = [there(1, "r", "high.q@n1"), *standing]
    before = state(jobs, queue_states={"low.q@n1": "dS", "low.q@n2": "s"})
    after = with_suspensions(QUEUES, before, state(standing, queue_states=before.queue_states))
    assert letters(after) == {2: "r", 3: "s", 4: "S"}
    assert after.queue_states == {"low.q@n1": "d", "low.q@n2": "s"}
    assert suspended_by_others(QUEUES, before) == {"low.q@n1"}
    assert suspended_by_others(TREE, before) == frozenset()
    assert with_suspensions(QUEUES, before, before) is before


def test_an_instance_that_is_freed_stands_still_where_an_operator_has_stopped_it() -> None:
    jobs = [there(1, "r", "high.q@n1"), there(2, "S", "low.q@n1")]
    before = state(jobs, queue_states={"low.q@n1": "sS"})
    assert letters(with_suspensions(QUEUES, before, state(jobs[1:], queue_states=before.queue_states))) == {2: "S"}


def test_without_subordinates_nothing_is_looked_at() -> None:
    assert [has_subordinates(each) for each in (TREE, QUEUES, cluster(LOW))] == [True, True, False]
    after = state(FULL)
    assert with_suspensions(cluster(LOW), state([]), after) is after
    assert suspended_by_others(cluster(LOW), after) == frozenset()


@pytest.mark.parametrize(
    ("letters", "granted", "after"),
    [
        ("r", ("a.q@n1",), "S"),
        ("r", ("c.q@n1", "a.q@n1"), "S"),
        ("s", ("a.q@n1",), "Ss"),
        ("r", ("c.q@n1",), "r"),
        ("Rq", ("a.q@n1",), "Rq"),
        ("S", ("b.q@n1",), "r"),
        ("s", ("b.q@n1",), "s"),
        ("S", ("c.q@n1",), "S"),
        ("S", ("b.q@n1", "a.q@n1"), "S"),
        ("qw", (), "qw"),
    ],
)
def test_a_task_stands_still_with_any_of_its_instances(letters: str, granted: tuple[str, ...], after: str) -> None:
    before = there(1, letters, *granted)
    changed = propagated(before, {"a.q@n1"}, {"b.q@n1"})
    assert changed.tasks[1].state == after
    assert (changed == before) is (letters == after)


@pytest.mark.parametrize(
    ("name", "shown", "states"),
    [
        ("low.q@n1", "", {}),
        ("low.q@n1", "d", {"low.q@n1": "d"}),
        ("off.q@n1", "", {"off.q@n1": ""}),
        ("off.q@n1", "d", {"off.q@n1": "d"}),
        ("off.q@n2", "", {}),
    ],
)
def test_letters_are_noted_unless_an_instance_begins_with_none(
    name: str, shown: str, states: Mapping[str, str]
) -> None:
    on = cluster(LOW, queue("off.q", "n1 n2", 9, initial_state="disabled,[n2=enabled]"))
    noted: dict[str, str] = {}
    set_letters(on, noted, name, shown)
    assert noted == states
    assert starts_disabled(on, name) is (name == "off.q@n1")
