"""What the qmaster says to starts of which a host has too little (dispatch.md#acceptance-of-a-start-order).

The starts are those of a run in a cluster that has more; the qmaster looks at them in one that has less.
"""

import pytest

from qmon_tui.model.cluster import ConfigObject, config_object
from qmon_tui.model.jobs import Job
from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster import simulate
from qmon_tui.qmaster.start_order_check import refuse_starts
from qmon_tui.scheduler.matching import DenialReason
from tests.unit.scheduler.building import attribute, cluster, environment, host, job, queue, scheduler, state, userset

QUEUES = (queue("a.q", "h1", 4, pe_list="mpi"), queue("b.q", "h1", 4, seq_no="1", pe_list="mpi"))
OTHERS = (queue("c.q", "h2", 4, seq_no="2", pe_list="mpi"), environment("mpi"))
Denied = dict[int, tuple[str, str, float]]
"""Job -> level and attribute of which there is too little, and by how much."""


def denied(line: str, more: tuple[ConfigObject, ...], less: tuple[ConfigObject, ...], *options: str) -> Denied:
    jobs = [job(number, f"-pe mpi {option}") for number, option in enumerate(options, 1)]
    ordered = simulate(cluster(attribute(line), *more, *QUEUES, *OTHERS), state(jobs)).dispatch.starts
    starts = sorted(ordered, key=lambda start: start.run_job.id)
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
        # Each on a host of its own: who does not ask for it is not in the way.
        (EXCLUSIVE, on("excl", 1, 1), on("excl", 1, 1), ("2", "3 -l excl=true"), {}),
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


def calendar(name: str, what: str) -> ConfigObject:
    return config_object(Kind.CALENDAR, name, {"week": f"mon-sun=0-24={what}"})


Told = list[tuple[int, DenialReason | None, str]]


def looked_at(now: tuple[ConfigObject, ...], *jobs: Job) -> Told:
    """What is said of starts in two open queue instances with 8 slots, by a qmaster that has other ones."""
    open_queues = (queue("a.q", "h1", 8, pe_list="mpi"), queue("b.q", "h2", 8, pe_list="mpi"), environment("mpi"))
    starts = sorted(simulate(cluster(*open_queues), state(jobs)).dispatch.starts, key=lambda start: start.run_job.id)
    assert [start.run_job.id for start in starts] == [each.id for each in jobs]
    run = simulate(cluster(environment("mpi"), *now), state([]))
    for start in starts:
        run.resources.debit(start.run_job.demand, start.grants)
    refuse_starts(starts, run.resources, run.availability)
    used = [run.resources.slots_used(number) for number in range(len(run.resources.instances))]
    assert sum(used) == sum(slots for start in starts if start.denial is None for _, slots in start.grants)
    return [
        (start.run_job.id, start.denial.why if start.denial else None, start.denial.place if start.denial else "")
        for start in starts
    ]


def on_both(
    first: dict[str, str] | None = None, second: dict[str, str] | None = None, slots: int = 8
) -> tuple[ConfigObject, ...]:
    return (
        queue("a.q", "h1", slots, pe_list="mpi", **(first or {})),
        queue("b.q", "h2", slots, pe_list="mpi", **(second or {})),
    )


def in_pe(number: int, slots: int, instance: str = "a.q", owner: str = "anna") -> Job:
    return job(number, f"-q {instance} -pe mpi {slots}", owner)


OUT, DEPARTMENT = userset("out", "anna"), userset("out", "anna", "DEPT")
CLOSED, SLOTS, USER, UNREAD = (
    DenialReason.CLOSED, DenialReason.SLOTS, DenialReason.USER, DenialReason.UNREAD,
)  # fmt: skip


@pytest.mark.parametrize(
    ("now", "jobs", "expected"),
    [
        # Slots, of parallel jobs: what fits exactly is taken, what comes behind a refusal is not read.
        (on_both(slots=4), (in_pe(1, 4), in_pe(2, 4, "b.q")), [(1, None, ""), (2, None, "")]),
        (on_both(slots=3), (in_pe(1, 2), in_pe(2, 2), in_pe(3, 1)),
         [(1, None, ""), (2, SLOTS, "a.q@h1"), (3, UNREAD, "")]),
        (on_both(slots=3), (in_pe(1, 2, "b.q"), in_pe(2, 4), in_pe(3, 1, "b.q")),
         [(1, None, ""), (2, SLOTS, "a.q@h1"), (3, UNREAD, "")]),
        (on_both(slots=2), (in_pe(1, 2), in_pe(2, 1)), [(1, None, ""), (2, SLOTS, "a.q@h1")]),
        # Users: for the qmaster departments are access lists as well.
        ((*on_both({"xuser_lists": "out"}), DEPARTMENT), (job(1, owner="bert"), job(2), job(3, owner="bert")),
         [(1, None, ""), (2, USER, "a.q@h1"), (3, UNREAD, "")]),
        ((*on_both({"user_lists": "out"}), DEPARTMENT), (job(1), job(2, owner="bert")),
         [(1, None, ""), (2, USER, "a.q@h1")]),
        ((*on_both(second={"xuser_lists": "out"}), OUT), (in_pe(1, 1), in_pe(2, 1, "b.q")),
         [(1, None, ""), (2, USER, "b.q@h2")]),
        ((*on_both(), DEPARTMENT), (job(1), job(2)), [(1, None, ""), (2, None, "")]),
        # Calendars: a parallel job, or where the scheduler takes all instances for open.
        ((*on_both({"calendar": "shut"}), calendar("shut", "off")), (in_pe(1, 1, "b.q"), in_pe(2, 1)),
         [(1, None, ""), (2, CLOSED, "a.q@h1")]),
        ((*on_both({"calendar": "shut"}, {"calendar": "shut"}), calendar("shut", "suspended")), (job(1), job(2)),
         [(1, CLOSED, "a.q@h1"), (2, UNREAD, "")]),
        # The first in the order of the starts, whatever is the matter with it.
        ((*on_both({"xuser_lists": "out"}, slots=3), OUT),
         (in_pe(1, 4, "b.q", "bert"), in_pe(2, 1)), [(1, SLOTS, "b.q@h2"), (2, UNREAD, "")]),
        ((*on_both({"xuser_lists": "out"}, slots=3), OUT),
         (in_pe(1, 1), in_pe(2, 4, "b.q", "bert")), [(1, USER, "a.q@h1"), (2, UNREAD, "")]),
    ],
)  # fmt: skip
def test_the_first_start_that_fails_for_anything_but_consumables_ends_the_reading(
    now: tuple[ConfigObject, ...], jobs: tuple[Job, ...], expected: Told
) -> None:
    assert looked_at(now, *jobs) == expected


def test_a_consumable_per_job_of_another_host_does_not_end_the_counting_there() -> None:
    complexes = (attribute(PER_JOB), attribute(PER_SLOT))
    more, less = ("lic=2,gpu=9", "lic=1,gpu=9"), ("lic=2,gpu=9", "lic=1,gpu=0")

    def on_hosts(amounts: tuple[str, str]) -> tuple[ConfigObject, ...]:
        return (*complexes, host("h1", amounts[0]), host("h2", amounts[1]), *QUEUES, *OTHERS)

    starts = simulate(cluster(*on_hosts(more)), state([job(1, "-pe mpi 9 -l lic=1,gpu=1")])).dispatch.starts
    run = simulate(cluster(*on_hosts(less)), state([]))
    for start in starts:
        run.resources.debit(start.run_job.demand, start.grants)
    refuse_starts(starts, run.resources, run.availability)
    (denial,) = (start.denial for start in starts)
    assert denial is not None
    assert (denial.place, denial.attribute) == ("h2", "gpu")
