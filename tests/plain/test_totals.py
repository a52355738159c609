"""A run whose consumables get other totals stands where there was enough of them, and only there."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from qmon_tui.explain import Explainer
from qmon_tui.incremental import RunChain
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.jobs import PeRequest, TaskRange
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.qmaster.outcome_builder import build_outcome
from qmon_tui.qmaster.scheduling import simulate
from qmon_tui.workspace.evaluation import changes_of_schedule
from tests.bench.large import Size, large_cluster, large_state
from tests.examples import one_in
from tests.plain.test_plain import assert_same, drawn_site

EDITS = 5


@pytest.mark.parametrize("number", one_in(3, range(24)))
def test_edits_of_totals(number: int) -> None:
    """Each edit is compared with the plain run, and each standing one with what is said of some jobs in a new run."""
    random = Random(number)
    chain, (cluster, state) = RunChain(), drawn_site(number)
    shown = build_outcome(chain.simulate(cluster, state))
    for edited in edited_totals(random, cluster):
        before, shown = shown, build_outcome(chain.simulate(edited, state))
        assert_same(edited, state, f"cluster {number}", shown)
        if shown.jobs is before.jobs and shown is not before:
            assert not changes_of_schedule(before, shown)
            explainers = [Explainer(chain.simulate(edited, state)), Explainer(simulate(edited, state, fast=False))]
            for job in random.sample(state.jobs, 3):
                standing, plain = (explainer.explanation(job.id) for explainer in explainers)
                assert repr(standing) == repr(plain), f"cluster {number}, job {job.id}"


def test_most_edits_of_totals_of_which_there_is_enough_take_no_run() -> None:
    stood = 0
    for number in range(8):
        cluster, state = large_cluster(Size(hosts=9, jobs=60)), large_state(Size(hosts=9, jobs=60))
        chain = RunChain()
        run = chain.simulate(cluster, state)
        for edited in edited_totals(Random(number), cluster):
            again = chain.simulate(edited, state)
            stood += again.dispatch.starts is run.dispatch.starts and again.compiled.cluster is edited
            run = again
    assert stood >= 10


@pytest.mark.parametrize(
    ("values", "stands"),
    [
        ("mem=64G,scratch=390G", True),
        ("mem=9G,scratch=400G", False),
        ("mem=64G", False),
        ("scratch=400G,mem=64G", False),
        ("mem=64G,scratch=400G,lic=3", False),
    ],
)
def test_a_run_stands_where_there_is_enough(values: str, stands: bool) -> None:
    size = Size(hosts=3, jobs=60)
    cluster, state = large_cluster(size), large_state(size)
    assert _stands(cluster, state, Kind.HOST, "node0001", "complex_values", values) is stands


@pytest.mark.parametrize(("values", "stands"), [("lic=90", True), ("lic=9", False)])
def test_a_run_stands_where_there_is_enough_for_all(values: str, stands: bool) -> None:
    size = Size(hosts=9, jobs=120)
    assert _stands(large_cluster(size), large_state(size), Kind.HOST, "global", "complex_values", values) is stands


@pytest.mark.parametrize(("slots", "stands"), [("8,[node0002=6]", True), ("8,[node0002=9]", False)])
def test_slots_of_a_queue_instance_that_is_full_before_the_run(slots: str, stands: bool) -> None:
    size = Size(hosts=3, jobs=60, full=True)
    assert _stands(large_cluster(size), large_state(size), Kind.QUEUE, "b.q", "slots", slots) is stands


def test_free_slots_decide_for_how_many_tasks_there_are_tickets() -> None:
    size = Size(hosts=3, jobs=1, kinds=1)
    cluster, state = large_cluster(size), large_state(size)
    request = replace(state.jobs[0].request, hard=(("mem", "900G"),))
    for tasks, stands in ((48, True), (49, False)):
        job = replace(state.jobs[0], request=replace(request, array=TaskRange(1, tasks)))
        assert _stands(cluster, replace(state, jobs=(job,)), Kind.QUEUE, "b.q", "slots", "8,[node0003=7]") is stands


def test_free_slots_are_those_with_the_latest_totals() -> None:
    size = Size(hosts=1, jobs=1, kinds=1)
    cluster, state = large_cluster(size), large_state(size)
    request = replace(state.jobs[0].request, hard=(("mem", "900G"),), array=TaskRange(1, 20))
    state = replace(state, jobs=(replace(state.jobs[0], request=request),))
    of_b = cluster.objects(Kind.QUEUE)["b.q"]
    much, less, little = (cluster.with_objects([of_b.with_values({"slots": slots})]) for slots in ("90", "20", "1"))
    chain = RunChain()
    run = chain.simulate(much, state)
    starts = run.dispatch.starts
    # With this the first run is gone, and the one that stands for it is the latest.
    run = chain.simulate(less, state)
    assert run.dispatch.starts is starts
    assert chain.simulate(little, state).dispatch.starts is not starts


@pytest.mark.parametrize(("before", "after"), [("1G", "4G"), ("4G", "1G")])
def test_a_total_may_hold_more_slots_than_can_be_counted(before: str, after: str) -> None:
    size = Size(hosts=1, jobs=1, kinds=1)
    state = large_state(size)
    request = replace(state.jobs[0].request, hard=(("mem", "1"),), pe=PeRequest("mpi", ((2, 2, 1),)))
    state = replace(state, jobs=(replace(state.jobs[0], request=request),))
    cluster = large_cluster(size)
    host = cluster.objects(Kind.HOST)["node0001"].with_values({"complex_values": f"mem={before}"})
    cluster = cluster.with_objects([host])
    assert not _stands(cluster, state, Kind.HOST, "node0001", "complex_values", f"mem={after}")


def test_thresholds_tell_by_how_much_a_queue_instance_is_full() -> None:
    size = Size(hosts=3, jobs=60, full=True)
    cluster = large_cluster(size)
    queue = cluster.objects(Kind.QUEUE)["b.q"].with_values({"load_thresholds": "slots=2"})
    cluster = cluster.with_objects([queue])
    assert not _stands(cluster, large_state(size), Kind.QUEUE, "b.q", "slots", "8,[node0002=6]")


def test_immediate_jobs_that_could_not_start_would_with_more() -> None:
    size = Size(hosts=1, jobs=2, kinds=1)
    cluster, state = large_cluster(size), large_state(size)
    first, *others = state.jobs
    request = replace(first.request, hard=(("mem", "70G"),), immediate=True)
    state = replace(state, jobs=(replace(first, request=request), *others))
    assert not _stands(cluster, state, Kind.HOST, "node0001", "complex_values", "mem=90G,scratch=400G")


def _stands(cluster: Cluster, state: State, kind: Kind, name: str, field: str, text: str) -> bool:
    chain = RunChain()
    before = build_outcome(chain.simulate(cluster, state))
    edited = cluster.with_objects([cluster.objects(kind)[name].with_values({field: text})])
    after = build_outcome(chain.simulate(edited, state))
    assert_same(edited, state, text, after)
    return after.jobs is before.jobs


def edited_totals(random: Random, cluster: Cluster) -> Iterator[Cluster]:
    """One edit after the other of what hosts and queues have of consumables."""
    for _ in range(EDITS):
        if random.random() < 0.6:
            host = random.choice(list(cluster.objects(Kind.HOST))[:5])
            values = f"mem={random.choice((3, 20, 50, 64, 90))}G,scratch={random.choice((5, 90, 390, 800))}G"
            values = f"lic={random.choice((3, 40, 900, 5000))}" if host == "global" else values
            edited = cluster.objects(Kind.HOST)[host].with_values({"complex_values": values})
        else:
            slots = f"{random.choice((2, 8, 8, 60))},[node0002={random.choice((1, 7, 8, 9, 40))}]"
            edited = cluster.objects(Kind.QUEUE)[random.choice(("a.q", "b.q"))].with_values({"slots": slots})
        cluster = cluster.with_objects([edited])
        yield cluster
