"""The fast paths decide what the plain rules decide, say the same and come to the same numbers."""

from dataclasses import replace
from random import Random

import pytest

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.kinds import Kind
from qmon_tui.model.outcome import Outcome
from qmon_tui.model.state import State
from qmon_tui.qmaster.scheduling import schedule
from tests.bench.large import Size, large_cluster, large_state
from tests.differential.families import families
from tests.plain.moments import moments

NUMBERS = range(1000, 1003)
MORE = range(1003, 1030)


@pytest.mark.parametrize("family", families())
def test_drawn_clusters(family: str) -> None:
    assert_all_same(family, NUMBERS)


@pytest.mark.long
@pytest.mark.parametrize("family", families())
def test_more_drawn_clusters(family: str) -> None:
    assert_all_same(family, MORE)


def assert_all_same(family: str, numbers: range) -> None:
    for number in numbers:
        for cluster, state, fast in moments(families()[family].scenario(number)):
            assert_same(cluster, state, f"{family} {number}", fast)


@pytest.mark.parametrize("number", range(16))
def test_a_larger_cluster(number: int) -> None:
    assert_same(*drawn_site(number), f"cluster {number}")


def drawn_site(number: int) -> tuple[Cluster, State]:
    """A cluster of a few hosts with 120 jobs."""
    random = Random(number)
    size = Size(
        hosts=random.choice((3, 12)),
        slots=random.choice((1, 2, 8)),
        jobs=120,
        kinds=random.choice((10, 10, 50, 120)),
        quotas=number % 4 == 3,
        loads=number % 2 == 0,
        full=random.random() < 0.2,
    )
    cluster, state = large_cluster(size), large_state(size)
    return with_more_loads(random, cluster, state) if size.loads else (cluster, state)


def with_more_loads(random: Random, cluster: Cluster, state: State) -> tuple[Cluster, State]:
    """Loads that are consumables, loads that starts raise, loads that are asked for."""
    adjusted = cluster.single(Kind.SCHEDULER).with_values(
        {"schedd_job_info": "true", "job_load_adjustments": "np_load_avg=0.30,mem=100M"}
    )
    thresholds = cluster.objects(Kind.QUEUE)["a.q"].with_values({"load_thresholds": "np_load_avg=1.2,mem=1G"})
    told = {"mem": ("2G", "5G", "60G"), "scratch": ("30G", "300G"), "arch": ("lx-amd64", "lx-x86")}
    loads = {
        host: {**values, **{name: random.choice(texts) for name, texts in told.items() if random.random() < 0.5}}
        for host, values in state.loads.items()
    }
    asked = (("np_load_avg", "0.6"), ("arch", "lx-*"), ("mem", "1G"))
    jobs = tuple(
        replace(job, request=replace(job.request, hard=(*job.request.hard, asked[job.id % 5])))
        if job.id % 5 < len(asked)
        else job
        for job in state.jobs
    )
    asked_for = cluster.objects(Kind.COMPLEX)["np_load_avg"].with_values({"requestable": "YES"})
    return cluster.with_objects((adjusted, thresholds, asked_for)), replace(state, loads=loads, jobs=jobs)


def assert_same(cluster: Cluster, state: State, what: str, fast: Outcome | None = None) -> None:
    fast, plain = fast or schedule(cluster, state), schedule(cluster, state, fast=False)
    assert tuple(fast.jobs) == tuple(plain.jobs), what
    assert tuple(map(_of_instance, fast.queue_instances)) == tuple(map(_of_instance, plain.queue_instances)), what
    assert fast.messages == plain.messages, what


def _of_instance(instance: object) -> object:
    return replace(instance, values=dict(instance.values))  # type: ignore[type-var,attr-defined]
