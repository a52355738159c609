"""What the qmaster says to starts of which a host has too little (dispatch.md#acceptance-of-a-start-order).

The starts are those of a run in a cluster that has more; the qmaster looks at them in one that has less.
"""

import pytest

from qmon_tui.model.cluster import ConfigObject
from qmon_tui.qmaster import simulate
from qmon_tui.qmaster.start_order_check import refuse_starts
from tests.unit.scheduler.building import attribute, cluster, environment, host, job, queue, scheduler, state

QUEUES = (queue("a.q", "h1", 4, pe_list="mpi"), queue("b.q", "h1", 4, seq_no="1", pe_list="mpi"))
OTHERS = (queue("c.q", "h2", 4, seq_no="2", pe_list="mpi"), environment("mpi"))
Denied = dict[int, tuple[str, str, float]]
"""Job -> level and attribute of which there is too little, and by how much."""


def denied(line: str, more: tuple[ConfigObject, ...], less: tuple[ConfigObject, ...], *options: str) -> Denied:
    jobs = [job(number, f"-pe mpi {option}") for number, option in enumerate(options, 1)]
    starts = simulate(cluster(attribute(line), *more, *QUEUES, *OTHERS), state(jobs)).dispatch.starts
    assert [start.run_job.id for start in starts] == [*range(1, len(options) + 1)]
    run = simulate(cluster(attribute(line), *less, *QUEUES, *OTHERS), state([]))
    for start in starts:
        run.resources.debit(start.run_job.demand, start.grants)
    refuse_starts(starts, run.resources, run.availability)
    denials = {start.run_job.id: start.denial for start in starts}
    return {number: (told.place, told.attribute, told.missing) for number, told in denials.items() if told is not None}


PER_SLOT = "gpu gpu INT <= YES YES 0 0"
PER_JOB = "lic lic INT <= YES JOB 0 0"
EXCLUSIVE = "excl excl BOOL EXCL YES YES 0 0"


def on(name: str, first: int, second: int = 0) -> tuple[ConfigObject, ...]:
    return host("h1", f"{name}={first}"), host("h2", f"{name}={second}")


@pytest.mark.parametrize(
    ("line", "more", "less", "options", "expected"),
    [
        (PER_SLOT, on("gpu", 9), on("gpu", 6), ("3 -l gpu=1", "3 -l gpu=1"), {}),
        (PER_SLOT, on("gpu", 9), on("gpu", 5), ("3 -l gpu=1", "3 -l gpu=1"), {2: ("h1", "gpu", 1)}),
        # What a refused start does not take is there for the next one.
        (PER_SLOT, on("gpu", 9), on("gpu", 5), ("3 -l gpu=2", "2 -l gpu=1"), {1: ("h1", "gpu", 1)}),
        # Six slots of two queue instances of one host count together.
        (PER_SLOT, on("gpu", 9), on("gpu", 5), ("6 -l gpu=1",), {1: ("h1", "gpu", 1)}),
        (PER_SLOT, on("gpu", 9), on("gpu", 0), ("3",), {}),
        # Per job: once on the master's host, nothing on the others.
        (PER_JOB, on("lic", 2, 1), on("lic", 1), ("9 -l lic=1",), {}),
        (PER_JOB, on("lic", 2, 1), on("lic", 0, 1), ("9 -l lic=1",), {1: ("h1", "lic", 1)}),
        (PER_JOB, on("lic", 4), on("lic", 3), ("3 -l lic=2", "3 -l lic=2"), {2: ("h1", "lic", 1)}),
        (EXCLUSIVE, on("excl", 1, 1), on("excl", 1, 1), ("3 -l excl=true",), {}),
    ],
)
def test_consumables_of_hosts(
    line: str,
    more: tuple[ConfigObject, ...],
    less: tuple[ConfigObject, ...],
    options: tuple[str, ...],
    expected: Denied,
) -> None:
    assert denied(line, more, less, *options) == expected


def test_consumables_of_the_global_host() -> None:
    hosts = (host("h1"), host("h2"))
    more, less = (*hosts, host("global", "gpu=12")), (*hosts, host("global", "gpu=9"))
    assert denied(PER_SLOT, more, less, "9 -l gpu=1") == {}
    assert denied(PER_SLOT, more, less, "9 -l gpu=1", "1 -l gpu=1") == {2: ("global", "gpu", 1)}
    more, less = (*hosts, host("global", "lic=4")), (*hosts, host("global", "lic=1"))
    assert denied(PER_JOB, more, less, "9 -l lic=1", "1 -l lic=2") == {2: ("global", "lic", 2)}


def test_what_another_start_uses_exclusively_is_denied_to_those_that_do_not_ask_for_it() -> None:
    """On hosts by themselves both start; the qmaster looks at them with both queue instances on one host."""
    hosts = (attribute(EXCLUSIVE), host("h1", "excl=1"), host("h2", "excl=1"), scheduler(max_reservation=1))
    jobs = [job(1, "-q a.q -l excl=true"), job(2, "-q b.q")]
    starts = simulate(cluster(*hosts, queue("a.q", "h1"), queue("b.q", "h2")), state(jobs)).dispatch.starts
    assert [start.run_job.id for start in starts] == [1, 2]
    run = simulate(cluster(*hosts, queue("a.q", "h1"), queue("b.q", "h1"), queue("c.q", "h2")), state([]))
    for start in starts:
        run.resources.debit(start.run_job.demand, start.grants)
    refuse_starts(starts, run.resources, run.availability)
    denials = [start.denial for start in starts]
    assert denials[0] is None
    assert denials[1] is not None
    assert (denials[1].place, denials[1].attribute) == ("h1", "excl")
