"""Runs after edits, which take over what earlier ones have found out about the jobs, decide as the plain rules do."""

from collections.abc import Iterator
from random import Random

import pytest

from qmon_tui.explain import Explainer
from qmon_tui.incremental import RunChain
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster.outcome_builder import build_outcome
from qmon_tui.qmaster.scheduling import schedule, simulate
from tests.differential.families import families
from tests.examples import one_in
from tests.plain.moments import moments
from tests.plain.test_plain import assert_same, drawn_site

EDITS = 7
"""In a row; the first runs with a state keep nothing."""
VALUES: dict[Kind, dict[str, tuple[str, ...]]] = {
    Kind.SCHEDULER: {
        "weight_urgency": ("0.1", "0.9"),
        "weight_ticket": ("0.5", "0.01"),
        "max_pending_tasks_per_job": ("1", "3", "50"),
        "maxujobs": ("0", "2", "20"),
        "max_reservation": ("0", "0", "3"),
        "params": ("none", "JC_FILTER=1"),
        "queue_sort_method": ("seqno", "load"),
        "schedule_interval": ("0:0:9", "0:0:15"),
    },
    Kind.QUEUE: {
        "slots": ("1", "2", "8,[node0002=1]", "8,[node0003=9]", "90", "99,[node0001=98]"),
        "seq_no": ("0", "30"),
        "user_lists": ("NONE", "deadlineusers"),
        "suspend_thresholds": ("NONE", "np_load_avg=0.3", "slots=1"),
        "load_thresholds": ("NONE", "np_load_avg=1.75"),
        "pe_list": ("NONE", "mpi smp ring"),
        "initial_state": ("default", "disabled"),
        "prolog": ("NONE", "/bin/true"),
    },
    Kind.HOST: {
        "complex_values": ("NONE", "mem=2G,scratch=30G", "mem=64G", "mem=50G,scratch=400G", "mem=400G,scratch=300G"),
        "load_scaling": ("NONE", "np_load_avg=2"),
    },
    Kind.QUOTA: {"enabled": ("TRUE", "FALSE"), "limit": ("users {*} to slots=3", "users {user01,user02} to slots=1")},
    Kind.USER: {"fshare": ("0", "100", "900"), "oticket": ("0", "50")},
    Kind.PE: {"slots": ("0", "3", "999"), "allocation_rule": ("$pe_slots", "$round_robin", "2")},
    Kind.COMPLEX: {"urgency": ("0", "1000"), "default": ("0", "1")},
}


@pytest.mark.parametrize("number", one_in(3, range(16)))
def test_edits_of_a_larger_cluster(number: int) -> None:
    chain, (cluster, state) = RunChain(), drawn_site(number)
    for what, edited in edits(Random(number), cluster):
        run = chain.simulate(edited, state)
        assert_same(edited, state, f"cluster {number}: {what}", build_outcome(run))
        assert run.compiled.cluster is edited


@pytest.mark.parametrize("family", families())
def test_edits_of_drawn_clusters(family: str) -> None:
    compare_edits(family, 2000)


@pytest.mark.long
@pytest.mark.parametrize("family", families())
def test_more_edits_of_drawn_clusters(family: str) -> None:
    compare_edits(family, 2001)


def compare_edits(family: str, number: int) -> None:
    *_, (cluster, state, _) = moments(families()[family].scenario(number))
    chain = RunChain()
    for what, edited in edits(Random(number), cluster):
        run = chain.simulate(edited, state)
        assert_same(edited, state, f"{family} {number}: {what}", build_outcome(run))
        assert run.compiled.cluster is edited


@pytest.mark.parametrize("number", one_in(2, [1, 3, 5, 9]))
def test_what_is_said_of_a_job_after_edits(number: int) -> None:
    chain, (cluster, state) = RunChain(), drawn_site(number)
    asked = Random(number).sample([job.id for job in state.jobs], 5)
    for what, edited in edits(Random(number), cluster):
        explainers = [Explainer(run(edited, state)) for run in (chain.simulate, simulate)]
        for job in asked:
            kept, new = (explainer.explanation(job) for explainer in explainers)
            assert repr(kept) == repr(new), f"cluster {number}: {what}, job {job}"


def test_an_edit_of_what_nobody_reads_leaves_the_run_as_it_was() -> None:
    chain, (cluster, state) = RunChain(), drawn_site(3)
    run = chain.simulate(cluster, state)
    for kind, name, field, text in (
        (Kind.QUEUE, "a.q", "prolog", "/bin/true"),
        (Kind.HOST, "node0001", "usage_scaling", "cpu=2"),
        (Kind.SCHEDULER, "scheduler", "flush_submit_sec", "4"),
    ):
        cluster = cluster.with_objects([cluster.objects(kind)[name].with_values({field: text})])
        again = chain.simulate(cluster, state)
        assert again.dispatch is run.dispatch, field
        assert again.compiled.cluster is cluster, field
    cluster = cluster.with_objects([cluster.objects(Kind.QUEUE)["a.q"].with_values({"slots": "1"})])
    assert chain.simulate(cluster, state).dispatch is not run.dispatch


def test_the_outcome_stands_through_many_edits_of_what_nobody_reads() -> None:
    """A screen keeps what was told, not the runs that stood for the one that was made."""
    chain, (cluster, state) = RunChain(), drawn_site(3)
    shown = build_outcome(chain.simulate(cluster, state))
    for number in range(3):
        cluster = cluster.with_objects([cluster.objects(Kind.QUEUE)["a.q"].with_values({"prolog": f"/bin/{number}"})])
        assert build_outcome(chain.simulate(cluster, state)) is shown


def test_a_run_stays_as_it_was_when_others_follow() -> None:
    chain, (cluster, state) = RunChain(), drawn_site(13)
    runs = [(edited, chain.simulate(edited, state)) for _, edited in edits(Random(13), cluster)]
    for edited, run in runs:
        assert tuple(Explainer(run).outcome.jobs) == tuple(schedule(edited, state, fast=False).jobs)


def edits(random: Random, cluster: Cluster) -> Iterator[tuple[str, Cluster]]:
    """The configuration after one edit after the other; most of them leave the scheduler's own alone."""
    yield "nothing", cluster
    for _ in range(EDITS):
        kinds = [kind for kind in VALUES if cluster.objects(kind)]
        obj = random.choice(list(cluster.objects(random.choice(kinds)).values()))
        field = random.choice(list(VALUES[obj.kind]))
        edited = obj.with_values({field: random.choice(VALUES[obj.kind][field])})
        cluster = cluster.with_objects([edited])
        yield f"{obj.kind.name} {obj.name} {field}={edited.text(field)}", cluster
