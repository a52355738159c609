"""What runs already is booked once for runs in a row, and comes to what the rules come to after edits of all kinds."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import PeRequest, State, Task
from qmon_tui.qmaster.scheduling import schedule, simulate
from qmon_tui.scheduler.dispatch import started_tasks
from tests.bench.large import Size, large_cluster, large_state
from tests.differential.families import families
from tests.examples import one_in
from tests.plain.moments import moments
from tests.plain.test_edits import edits
from tests.plain.test_plain import assert_same, drawn_site


@pytest.fixture(autouse=True)
def of_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few jobs are kept as many are."""
    monkeypatch.setattr(started_tasks, "_FEWEST", 1)


@pytest.mark.parametrize("number", one_in(2, range(8)))
def test_edits_of_configuration_and_jobs(number: int) -> None:
    random = Random(number)
    cluster, state = _with_running(random, *drawn_site(number))
    for what, edited in edits(random, cluster):
        assert_same(edited, state, f"cluster {number}: {what}")
        state = _with_edited_job(random, state)
        assert_same(edited, state, f"cluster {number}: {what}, and a job")


@pytest.mark.parametrize("family", families())
def test_moments_of_drawn_clusters(family: str) -> None:
    *_, (cluster, state, _) = moments(families()[family].scenario(2002))
    for what, edited in (("as it is", cluster), *_few(edits(Random(2002), cluster))):
        assert_same(edited, state, f"{family}: {what}")


def test_the_same_tasks_are_booked_once() -> None:
    size = Size(hosts=5, jobs=20, full=True)
    cluster, state = large_cluster(size), large_state(size)
    schedule(cluster, state)
    booked = started_tasks._latest[0]
    more = cluster.objects(Kind.QUEUE)["b.q"].with_values({"slots": "9"})
    for edited in (cluster.with_objects([more]), _with_weight(cluster)):
        for one in (state, _with_edited_job(Random(1), state)):
            assert_same(edited, one, "another edit")
            assert started_tasks._latest[0] is booked
    first, *others = state.jobs
    ended = replace(state, jobs=tuple(others))
    assert_same(cluster, ended, f"{first.id} has ended")
    assert started_tasks._latest[0] is not booked


def test_which_environment_a_task_is_taken_to_have_depends_on_their_order() -> None:
    size = Size(hosts=5, jobs=20, full=True)
    cluster, state = large_cluster(size), large_state(size)
    request = PeRequest("*", ((1, 1, 1),))
    state = replace(state, jobs=tuple(replace(job, request=replace(job.request, pe=request)) for job in state.jobs))
    first, *_ = cluster.objects(Kind.PE).values()
    for edited in (cluster, cluster.without(Kind.PE, first.name).with_objects([first])):
        fast, plain = (simulate(edited, state, fast=fast) for fast in (True, False))
        assert fast.resources.environment_slots == plain.resources.environment_slots


def _with_weight(cluster: Cluster) -> Cluster:
    return cluster.with_objects([cluster.single(Kind.SCHEDULER).with_values({"weight_urgency": "0.7"})])


def _few(edited: Iterator[tuple[str, Cluster]]) -> list[tuple[str, Cluster]]:
    return [next(edited) for _ in range(4)][1:]


def _with_running(random: Random, cluster: Cluster, state: State) -> tuple[Cluster, State]:
    """Some of its jobs run already, where the last run has placed them."""
    placed = {
        job.id: {task.task: task.granted for task in job.tasks if task.granted} for job in schedule(cluster, state).jobs
    }
    jobs = []
    for job in state.jobs:
        granted = placed.get(job.id, {})
        if granted and not job.tasks and random.random() < 0.4:
            started = state.now - random.choice((5, 300, 4_000))
            job = replace(job, tasks={number: Task("r", places, started) for number, places in granted.items()})
        jobs.append(job)
    return cluster, replace(state, jobs=tuple(jobs))


def _with_edited_job(random: Random, state: State) -> State:
    """A waiting job has another priority, or asks for something else."""
    place = random.choice([place for place, job in enumerate(state.jobs) if not job.tasks])
    job = state.jobs[place]
    if random.random() < 0.5:
        request = replace(job.request, priority=-random.randint(1, 500))
    else:
        request = replace(job.request, hard=(("mem", f"{random.randint(1, 70)}G"),))
    jobs = (*state.jobs[:place], replace(job, request=request, changed=state.now), *state.jobs[place + 1 :])
    return replace(state, jobs=jobs)
