"""What is remembered of the jobs of one state is the same as what all jobs of the next one say."""

from dataclasses import replace
from random import Random

import pytest

from qmon_tui.model import Job, Task
from qmon_tui.qmaster.latest_moments import (
    MomentsOfJobs,
    difference,
    latest_change,
    moments_of,
    newly_dated,
    remember_change,
)
from qmon_tui.qmaster.next_run.latest_changes import HostOrder
from tests.unit.scheduler.building import NOW, job


def drawn_job(random: Random, number: int) -> Job:
    moment = random.choice((None, NOW + random.random()))
    task = Task("r", {"all.q@h1": 1}, random.choice((None, NOW + random.random())), changed=moment)
    options = random.choice(("", "", "-hold_jid 1"))
    return job(number, options, tasks=random.choice(({}, {1: task})), changed=random.choice((None, moment)))


@pytest.mark.parametrize("seed", range(20))
def test_moments_are_remembered_from_state_to_state(seed: int) -> None:
    random = Random(seed)
    jobs = tuple(drawn_job(random, number) for number in range(1, 9))
    for step in range(60):
        assert moments_of(jobs) == MomentsOfJobs.of(jobs)
        changed = list(jobs)
        what = random.randrange(4)
        if what == 0 and changed:
            del changed[random.randrange(len(changed))]
        elif what == 1:
            changed.append(drawn_job(random, 100 + step))
        elif what == 2 and changed:
            place = random.randrange(len(changed))
            changed[place] = drawn_job(random, changed[place].id)
        elif changed:
            changed[0], changed[-1] = replace(changed[0]), replace(changed[-1])
        jobs = tuple(changed)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("count", [9, 700])
def test_what_has_gone_and_come_is_all_that_differs(seed: int, count: int) -> None:
    """In the order of their numbers or not, few or many."""
    random = Random(seed)
    before = [job(number) for number in range(1, count)]
    after = [replace(one) if random.random() < 0.2 else one for one in before if random.random() < 0.9]
    after += [job(count + number) for number in range(random.randrange(3))]
    if random.random() < 0.3:
        random.shuffle(after)
    gone, come = difference(tuple(before), tuple(after))
    assert {one.id for one in gone} >= {one.id for one in before} - {one.id for one in after}
    left = {id(one) for one in before} - {id(one) for one in gone} | {id(one) for one in come}
    assert left == {id(one) for one in after}
    assert len(set(map(id, come))) == len(come)


@pytest.mark.parametrize("is_remembered", [True, False])
def test_newly_dated_names_are_those_that_a_comparison_finds(is_remembered: bool) -> None:
    before = {"a": 1.0, "b": 2.0, "c": 3.0}
    changed = {"a": 1.0, "c": 3.0, "b": 4.0, "d": 5.0}
    if is_remembered:
        remember_change(changed, 5.0, before, ("b", "d"))
        assert latest_change(changed) == 5.0
    assert newly_dated(before, changed) == [("b", 4.0), ("d", 5.0)]
    assert newly_dated(dict(before), changed) == [("b", 4.0), ("d", 5.0)], "also where another state was before"
    assert newly_dated({**before, "b": 4.0}, changed) == [("d", 5.0)]
    assert newly_dated(changed, dict(before)) == [("b", 2.0), ("d", None)]


@pytest.mark.parametrize("seed", range(5))
def test_hosts_are_in_the_order_of_their_latest_tasks(seed: int) -> None:
    """Those that were never used come first, in their own order."""
    random, order, latest = Random(seed), HostOrder([f"h{number}" for number in range(12)]), dict[int, float]()
    for task in range(60):
        for _ in range(random.choice((0, 1, 2, 9))):
            host, when = random.randrange(12), NOW + random.choice((task, task - 0.5))
            order.changes.note_task(host, (task, host), (when, 0, 0))
            latest[host] = max(when, latest.get(host, 0.0))
        assert order.all() == sorted(range(12), key=lambda host: latest.get(host, 0.0))
