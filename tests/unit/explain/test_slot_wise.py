"""Whose slot-wise subordinate_list makes a task stand still: each limit that is named matters when it is raised."""

import re
from dataclasses import replace
from random import Random

import pytest

from qmon_tui.explain import Explainer
from qmon_tui.explain.explainer import explain
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.jobs import Job
from qmon_tui.qmaster.scheduling import schedule, simulate
from tests.unit.scheduler.building import cluster, job, queue, running, scheduler, state

_NAMED = re.compile(r"slot-wise subordinate_lists? of queue instances? (.*) allows?")


def chain(*limits: int) -> Cluster:
    """q0 above q1 above q2 ..., each with a limit but for the last."""
    lists = [f"slots={limit}(q{place + 1})" for place, limit in enumerate(limits)]
    return cluster(
        scheduler(),
        *(queue(f"q{place}", "h1", 9, subordinate_list=text) for place, text in enumerate((*lists, "NONE"))),
    )


def named(message: str) -> list[str]:
    """The queues whose limits are named."""
    found = _NAMED.search(message)
    return [name.removesuffix("@h1") for name in found[1].split(" and ")] if found else []


def stopped(number: int, place: str) -> Job:
    known = running(number, place)
    return replace(known, tasks={1: replace(known.tasks[1], state="S")})


def test_the_limit_that_is_reached_is_named_and_not_the_nearest_one() -> None:
    """By suspension.md#slot-wise-subordination the list of q1 counts q1 and q2, that of q0 all three."""
    jobs = (running(1, "q0@h1"), running(2, "q1@h1"), job(3, "-q q2"))
    (group,) = explain(chain(2, 2), state(jobs), 3).groups
    assert named(group.message) == ["q0"]
    assert [schedule(chain(*limits), state(jobs)).jobs[0].tasks[0].state for limits in ((2, 3), (3, 2))] == ["St", "t"]


def test_limits_that_have_to_be_raised_together_are_named_together() -> None:
    jobs = (running(1, "q0@h1"), running(2, "q1@h1"), job(3, "-q q2"))
    (group,) = explain(chain(2, 1), state(jobs), 3).groups
    assert named(group.message) == ["q1", "q0"]


def test_what_stands_still_since_an_earlier_run_waits_for_the_root() -> None:
    """By suspension.md#releasing-in-a-tree it goes on when fewer run than the root allows."""
    (group,) = explain(chain(2, 1), state((running(1, "q0@h1"), running(2, "q1@h1"), stopped(3, "q2@h1"))), 3).groups
    assert named(group.message) == ["q0"]


def test_a_slot_wise_superordinate_that_was_full_before_the_run_is_no_cause() -> None:
    """By suspension.md#subordination-during-a-run only what is reached in the run keeps a subordinate out of it."""
    on = cluster(
        scheduler(),
        queue("full", "h1", 1, subordinate_list="slots=5(lo)"),
        queue("hi", "h1", 2, subordinate_list="lo=1"),
        queue("lo", "h1", 9),
    )
    explanation = explain(on, state((running(1, "full@h1"), job(2, "-q hi"), job(3, "-q lo"))), 3)
    assert [group.state for group in explanation.groups if group.instances == ("lo@h1",)] == [
        "while a slot of hi@h1 is in use"
    ]


@pytest.mark.parametrize("seed", range(60))
def test_of_drawn_trees_raising_what_is_named_lets_the_task_run(seed: int) -> None:
    random = Random(seed)
    limits = [random.randint(1, 4) for _ in range(random.randint(1, 3))]
    places = [random.randint(0, len(limits)) for _ in range(random.randint(2, 5))]
    jobs = tuple(
        running(number, f"q{place}@h1") if random.random() < 0.5 else job(number, f"-q q{place}")
        for number, place in enumerate(places, 1)
    )
    world = state(jobs)
    explainer = Explainer(simulate(chain(*limits), world))
    for outcome in explainer.outcome.jobs:
        (task,) = outcome.tasks
        if "S" not in task.state:
            continue
        queues = [name for group in explainer.explanation(outcome.id).groups for name in named(group.message)]
        assert queues

        def state_with(raised: list[str], number: int = outcome.id) -> str:
            higher = [99 if f"q{place}" in raised else limit for place, limit in enumerate(limits)]
            told = schedule(chain(*higher), world).job(number)
            assert told is not None
            return told.tasks[0].state

        assert "S" not in state_with(queues), (limits, places, queues)
        for name in queues:
            assert "S" in state_with([other for other in queues if other != name])
