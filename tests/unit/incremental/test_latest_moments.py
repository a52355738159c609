"""What is remembered of the jobs of one state is the same as what all jobs of the next one say."""

from dataclasses import replace
from random import Random

import pytest

from qmon_tui.incremental.latest_changes import LatestChanges, TaskKey, listed_hosts, listed_instances
from qmon_tui.incremental.latest_moments import LatestMoments, MomentsOfJobs, difference, latest_change, newly_dated
from qmon_tui.model import Job, Task
from qmon_tui.scheduler.dispatch import Moment, before_starts
from tests.unit.scheduler.building import NOW, job


def drawn_job(random: Random, number: int) -> Job:
    moment = random.choice((None, NOW + random.random()))
    task = Task("r", {"all.q@h1": 1}, random.choice((None, NOW + random.random())), changed=moment)
    options = random.choice(("", "", "-hold_jid 1"))
    return job(number, options, tasks=random.choice(({}, {1: task})), changed=random.choice((None, moment)))


@pytest.mark.parametrize("seed", range(20))
def test_moments_are_remembered_from_state_to_state(seed: int) -> None:
    random, latest = Random(seed), LatestMoments()
    jobs = tuple(drawn_job(random, number) for number in range(1, 9))
    for step in range(60):
        assert latest.of(jobs) == MomentsOfJobs.of(jobs)
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


def test_newly_dated_names_are_those_that_a_comparison_finds() -> None:
    before, changed = {"a": 1.0, "b": 2.0, "c": 3.0}, {"a": 1.0, "c": 3.0, "b": 4.0, "d": 5.0}
    assert newly_dated(before, changed) == [("b", 4.0), ("d", 5.0)]
    assert newly_dated({**before, "b": 4.0}, changed) == [("d", 5.0)]
    assert newly_dated(changed, dict(before)) == [("b", 2.0), ("d", None)]


@pytest.mark.parametrize("seed", range(5))
def test_hosts_are_in_the_order_of_their_latest_tasks(seed: int) -> None:
    """Those that were never used come first, in their own order."""
    random, changes, latest = Random(seed), LatestChanges([f"h{number}" for number in range(12)]), dict[int, float]()
    for task in range(60):
        for _ in range(random.choice((0, 1, 2, 9))):
            host, when = random.randrange(12), NOW + random.choice((task, task - 0.5))
            changes.note_task(host, (task, host), (when, 0, 0))
            latest[host] = max(when, latest.get(host, 0.0))
        assert listed_hosts(changes) == sorted(range(12), key=lambda host: latest.get(host, 0.0))


@pytest.mark.parametrize("seed", range(8))
def test_queue_instances_and_hosts_are_in_order_whatever_comes_and_goes(seed: int) -> None:
    """Cluster queues go by their own changes first; of two that nothing has happened to the number tells."""
    random, names = Random(seed), [f"q{number}" for number in range(16)]
    queues = {"a": range(6), "b": range(6, 16)}
    instances, hosts = LatestChanges(names), LatestChanges(names)
    tasks, changed, queue_changes = dict[tuple[int, TaskKey], Moment](), dict[int, Moment](), dict[str, float]()
    for step in range(60):
        for _ in range(random.choice((0, 1, 1, 2, 9))):
            number, key, what = random.randrange(16), (random.randrange(5), 1), random.randrange(5)
            if what < 2:
                tasks[number, key] = max((NOW + step, 0, 0), tasks.get((number, key), (0, 0, 0)))
            elif what == 2:
                tasks.pop((number, key), None)
            else:
                changed.pop(number, None)
                if what == 3:
                    changed[number] = before_starts(NOW + step)
            for changes in (instances, hosts):
                if what < 2:
                    changes.note_task(number, key, (NOW + step, 0, 0))
                elif what == 2:
                    changes.forget_task(number, key)
                else:
                    changes.note_change(names[number], NOW + step if what == 3 else None)
                    changes.note_change("unknown", NOW + step)
        if random.random() < 0.1:
            queue_changes[random.choice("ab")] = NOW + step
        latest = dict(changed)
        for (number, _), moment in tasks.items():
            latest[number] = max(moment, latest.get(number, moment))
        open_ones = {number for number in range(16) if random.random() < 0.97}
        in_order = sorted(range(16), key=lambda number: (number in latest, latest.get(number, ()), number))
        assert listed_hosts(hosts) == in_order
        of_queue = sorted(queues, key=lambda name: queue_changes.get(name, 0.0))
        assert listed_instances(instances, queues, open_ones, queue_changes) == [
            number for name in of_queue for number in in_order if number in queues[name] and number in open_ones
        ]
        assert instances.has_tasks is bool(tasks)
        assert all({*instances.tasks_of(n)} == {key for m, key in tasks if m == n} for n in range(16))


@pytest.mark.parametrize(
    ("gone", "come", "after"),
    [
        ((5, 5, 5, 0, 3), (1, 1, 1, 0, 4), (10, 10, 10, 2, 9)),
        ((10, 5, 5, 0, 3), (9, 1, 1, 0, 4), None),
        ((10, 5, 5, 1, 3), (10, 1, 1, 0, 4), (10, 10, 10, 1, 9)),
        ((5, 10, 5, 0, 3), (1, 9, 1, 0, 4), None),
        ((5, 5, 10, 0, 3), (1, 1, 9, 0, 4), None),
        ((5, 5, 5, 0, 9), (1, 1, 1, 0, 8), None),
        ((5, 5, 5, 0, 9), (1, 1, 11, 3, 9), (10, 10, 11, 5, 9)),
        ((5, 5, 5, 2, 8), (1, 12, 1, 0, 12), (10, 12, 10, 0, 12)),
    ],
)
def test_what_is_the_latest_after_some_have_gone(
    gone: tuple[float, float, float, int, int],
    come: tuple[float, float, float, int, int],
    after: tuple[float, float, float, int, int] | None,
) -> None:
    known = MomentsOfJobs(10, 10, 10, 2, 9)
    assert known.with_changes(MomentsOfJobs(*gone), MomentsOfJobs(*come)) == (after and MomentsOfJobs(*after))


def test_the_moments_of_jobs() -> None:
    jobs = (
        job(4, "-hold_jid 1", changed=7.0, tasks={1: Task("r", {}, 3.0, changed=2.0), 2: Task("r", {}, 5.0)}),
        job(2, "-hold_jid_ad 1", changed=6.0),
        job(3, tasks={1: Task("r", {}, 4.0, changed=8.0)}),
    )
    assert MomentsOfJobs.of(jobs) == MomentsOfJobs(5.0, 8.0, 7.0, 2, 4)


def test_the_latest_change() -> None:
    assert (latest_change({"a": 1.0, "b": 4.0}), latest_change({})) == (4.0, -float("inf"))
