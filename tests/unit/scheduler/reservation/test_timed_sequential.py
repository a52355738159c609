"""Where one slot fits for its whole time, or from when on (reservation.md#fitting-now, #earliest-time-of-one-slot)."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from qmon_tui.model import ConfigObject, Job, Kind, Task, config_object
from qmon_tui.qmaster import simulate
from qmon_tui.scheduler.dispatch.reservation_dispatch import ReservationDispatch
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching import FITS, LATER, NEVER
from qmon_tui.scheduler.reservation import TimedSequentialSearch
from qmon_tui.values import INFINITE
from tests.unit.scheduler.building import NOW, attribute, cluster, host, job, queue, scheduler, state

RESULTS = {FITS: "now", LATER: "later", NEVER: "never"}
HALF = (("a1", "lic=3", 100), ("a2", "lic=3", 50), ("a3", "lic=1", 70))
"""On h1 and h2 one of four licences is left, on h3 one of two."""
QUEUES = (("a1", "own=2", 30), ("a2", "own=2", 90), ("a3", "own=2", 60), ("b1", "own=2", 20), ("b2", "own=2", 10))
"""No queue instance has anything left, and each has it from another time on."""
LAST = INFINITE - NOW

REFUSED = re.compile(r"(?:globally|(?<=queue \")[^\"]+|(?<=host \")[^\"]+|(?<=limit \")[^\"]+)")
"""Who it is of whom a message tells."""

Claims = Sequence[tuple[str, str, int]]
"""The queue instance, what a job asks for, and for how many seconds from now on."""


class Site:
    """Queues a on h1 to h3 and b on h1 and h2, in this order; a job that asks for a place, and how many are alike."""

    def __init__(self, claims: Claims, options: str, *more: ConfigObject, alike: int = 1) -> None:
        on = cluster(
            attribute("lic lic INT <= YES YES 0"), attribute("own own INT <= YES YES 0"),
            attribute("all all INT <= YES YES 0"), attribute("kind kind STRING == YES NO NONE"),
            host("global", "all=4"), host("h1", "lic=4"), host("h2", "lic=4,kind=y"), host("h3", "lic=2,kind=x"),
            queue("a.q", "h1 h2 h3", 5, complex_values="own=2"), queue("b.q", "h1 h2", 5, complex_values="own=2"),
            scheduler(max_reservation=3, default_duration="0:1:0", params="DURATION_OFFSET=0"),
            *more,
        )  # fmt: skip
        jobs = [self._holder(number, *claim) for number, claim in enumerate(claims, 1)]
        run = simulate(on, state([*jobs, job(99, f"{options} -h")]))
        assert isinstance(run.dispatch, ReservationDispatch)
        self.dispatch = run.dispatch
        self.names = [instance.name[0] + instance.name[-1] for instance in run.resources.instances]
        self.asking: RunJob = next(run_job for run_job in run.jobs if run_job.id == 99)
        self.asking.category.jobs = alike
        reservation_state = run.dispatch.reservation_state
        self.search: TimedSequentialSearch = reservation_state.searches.sequential
        self.search.order.restore_order([self.names.index(name) for name in ("a1", "a2", "a3", "b1", "b2")])
        run.dispatch.prepare_checks(self.asking)

    @staticmethod
    def _holder(number: int, name: str, asked: str, seconds: int) -> Job:
        place = f"{name[0]}.q@h{name[1]}"
        return job(number, f"-l {asked},h_rt={seconds}", tasks={1: Task("r", {place: 1}, NOW)})

    def started(self) -> str:
        """Whether the job fits, where, and of whom it is told that they do not take it."""
        said: list[str] = []
        result, number = self.search.start(self.asking, said.append)
        words = [RESULTS[result], *([self.names[number]] if number is not None else ())]
        refused = [REFUSED.findall(text)[0] for text in said]
        return " ".join([*words, *(["not", *refused] if refused else ())])

    def skipped(self) -> str:
        """What others of its kind leave out."""
        category, hosts = self.asking.category, self.dispatch.resources.host_names
        return " ".join(
            [
                *(hosts[number] for number in category.skipped_hosts),
                *(self.names[number] for number in category.skipped_instances),
            ]
        )

    def reserved(self) -> tuple[str, str, str]:
        """The queue instance and the seconds from now on; those that were found, each with its time; the marks."""
        reserved = self.search.reserve(self.asking)
        place = "" if reserved is None else f"{self.names[reserved[0]]} {reserved[1] - NOW}"
        times = (f"{self.names[number]}:{time - NOW}" for number, time in self.search.times.items())
        return place, " ".join(times), self.marked()

    def marked(self) -> str:
        return " ".join(sorted(self.names[number] for number in self.search.marks))


def quotas(limits: str) -> list[ConfigObject]:
    """A set for each limit."""
    texts = enumerate(limits.split("; "))
    return [
        config_object(Kind.QUOTA, f"q{n}", {"name": f"q{n}", "enabled": "TRUE", "limit": text}) for n, text in texts
    ]


FEW = [("a1", "own=1", 30), ("a3", "own=1", 20), ("b2", "own=1", 10)]
"""One slot of each host in use."""


@pytest.mark.parametrize(
    ("claims", "options", "started"),
    [
        ([], "", "now a1"),
        (HALF, "-l lic=1", "now a1"),
        (HALF, "-l lic=2", "later not h1 h2 h3"),
        (HALF, "-l lic=3", "later not h1 h2 h3"),
        (HALF, "-l lic=5", "never not h1 h2 h3"),
        (QUEUES[:3], "-l own=1", "now b1 not a.q@h1 a.q@h2 a.q@h3"),
        ([], "-q *@h2", "now a2 not h1"),
        ([("a1", "all=4", 40)], "-l all=1", "later not globally"),
        ([("a1", "all=4", 40)], "-l all=5", "never not globally"),
        # The first with the fewest soft requests that are not met.
        ([], "-soft -l kind=x", "now a3"),
        ([], "-soft -l kind=y", "now a2"),
        ([], "-soft -l kind=z", "now a1"),
        ([], "-soft -q b.q", "now b1"),
        ([], "-soft -l kind=y -q b.q", "now b2"),
        # A host that meets no more than the best so far is not looked at, and says nothing of its queues.
        ([("a2", "own=2", 9), ("b2", "own=2", 9)], "-l own=1 -soft -l kind=y", "now a1 not a.q@h2 b.q@h2"),
        ([("a3", "own=2", 9), ("b1", "own=2", 9)], "-l own=1 -soft -l kind=y", "now a2"),
        ([("a1", "own=2", 9), ("b1", "own=2", 9)], "-l own=1 -soft -l kind=z", "now a2 not a.q@h1 b.q@h1"),
    ],
)
def test_where_one_slot_fits_now(claims: Claims, options: str, started: str) -> None:
    site = Site(claims, options)
    assert (site.started(), site.marked()) == (started, "".join(started.split()[1:2]) if "now" in started else "")


@pytest.mark.parametrize(
    ("claims", "options", "started", "skipped", "again"),
    [
        (HALF, "-l lic=2", "later not h1 h2 h3", "h1 h2 h3", "never"),
        (HALF[:2], "-l lic=2", "now a3 not h1 h2", "h1 h2", "now a3"),
        (QUEUES[:4], "-l own=1", "now b2 not a.q@h1 a.q@h2 a.q@h3 b.q@h1", "a1 a2 a3 b1", "now b2"),
        # What the cluster queue rules out is found again by everybody.
        ([], "-q b.q", "now b1 not a.q", "", "now b1 not a.q"),
        ([], "-q *@h2", "now a2 not h1", "h1", "now a2"),
    ],
)
def test_jobs_alike_are_not_told_again_what_was_found_out(
    claims: Claims, options: str, started: str, skipped: str, again: str
) -> None:
    site = Site(claims, options, alike=2)
    assert (site.started(), site.skipped()) == (started, skipped)
    assert (site.started(), site.skipped()) == (again, skipped)
    site = Site(claims, options, alike=1)
    assert (site.started(), site.skipped(), site.started()) == (started, "", started)


@pytest.mark.parametrize(
    ("claims", "limit", "started", "reserved", "times", "marked"),
    [
        ([], "to slots=1", "now a1", "a1 0", "a1:0", "a1"),
        (FEW[:1], "to slots=1", "later not /////", "a1 30", "a1:30", "a1"),
        # Nobody is asked any more where a rule shuts all out.
        (FEW[:1], "queues b.q to slots=0; to slots=1", "later not /////", "a1 30", "a1:30", "a1"),
        (FEW[:1], "to slots=0", "never not /////", "", "", ""),
        (FEW, "queues a.q to slots=1", "now b1 not /////", "b1 0", "a1:30 b1:0", "a1 b1"),
        (FEW, "queues {*} to slots=1", "later not ///a.q// ///b.q//", "b1 10", "a1:30 b1:10", "a1 b1"),
        (FEW, "hosts {*} to slots=1", "later not ////h1/ ////h2/ ////h3/", "a2 10", "a1:30 a2:10", "a1 a2"),
        (FEW[1:], "hosts {*} to slots=1", "now a1", "a1 0", "a1:0", "a1"),
    ],
)
def test_what_quotas_let_in_now_and_from_when_on(
    claims: Claims, limit: str, started: str, reserved: str, times: str, marked: str
) -> None:
    site = Site(claims, "", *quotas(limit))
    assert site.started() == started
    site.search.marks.clear()
    assert site.reserved() == (reserved, times, marked)


ALL = ("a1", "all=4", 40)
NEVER_FREE = tuple((name, "own=2", LAST) for name in ("a1", "a2", "a3", "b1", "b2"))


@pytest.mark.parametrize(
    ("claims", "options", "reserved", "times", "marked", "is_silent"),
    [
        ([], "", "a1 0", "a1:0", "a1", False),
        # A host that is free no earlier than the best so far is left out with all its queues.
        (HALF, "-l lic=2", "a2 50", "a1:100 a2:50", "a1 a2", False),
        (HALF, "-l lic=5", "", "", "", False),
        # So is a queue that is.
        (QUEUES, "-l own=1", "b2 10", "a1:30 b1:20 b2:10", "a1 b1 b2", False),
        ((*QUEUES, *HALF), "-l own=1,lic=2", "b2 50", "a1:100 a2:90 a3:70 b2:50", "a1 a2 a3 b2", False),
        ((("a1", "lic=3", 50), ("a2", "lic=3", 50)), "-l lic=2 -q *@h1,*@h2", "a1 50", "a1:50", "a1", False),
        ((("a1", "own=2", 50), ("a2", "own=2", 50)), "-l own=1 -q a.q@h1,a.q@h2", "a1 50", "a1:50", "a1", False),
        # Where the global host decides there is nothing earlier.
        ([ALL], "-l all=1", "a1 40", "a1:40", "a1", False),
        ([ALL, ("a1", "own=2", 40)], "-l all=1,own=1", "a1 40", "a1:40", "a1", False),
        ([ALL, ("a1", "own=2", 41)], "-l all=1,own=1", "a2 40", "a1:41 a2:40", "a1 a2", False),
        ([ALL], "-l all=5", "", "", "", False),
        # Of those with the earliest time the one that meets most soft requests; only that keeps its mark.
        (HALF, "-l lic=2 -soft -l kind=x", "a2 50", "a1:100 a2:50", "a2", False),
        ([ALL], "-l all=1 -soft -l kind=y", "a2 40", "a1:40 a2:40 a3:40 b1:40 b2:40", "a2", False),
        ([ALL], "-l all=1 -soft -l kind=y -q b.q", "b2 40", "a1:40 a2:40 a3:40 b1:40 b2:40", "b2", False),
        ([ALL, ("b1", "own=2", 60)], "-l all=1,own=1 -soft -q b.q", "b2 40", "a1:40 a2:40 a3:40 b2:40", "b2", False),
        # What is never free is found, but not taken without soft requests; then nothing is said any more.
        (NEVER_FREE, "-l own=1", "", f"a1:{LAST}", "a1", True),
        (NEVER_FREE, "-l own=1 -soft -q b.q", f"a1 {LAST}", f"a1:{LAST}", "a1", False),
        (
            (*NEVER_FREE[:3], ("b1", "own=2", LAST - 1), NEVER_FREE[4]),
            "-l own=1",
            f"b1 {LAST - 1}",
            f"a1:{LAST} b1:{LAST - 1}",
            "a1 b1",
            False,
        ),
    ],
)
def test_from_when_on_one_slot_fits(
    claims: Claims, options: str, reserved: str, times: str, marked: str, is_silent: bool
) -> None:
    site = Site(claims, options)
    site.search.earliest.times.append(NOW + 1000)  # what was found for another job
    assert site.reserved() == (reserved, times, marked)
    assert site.search.job_messages.is_silent is is_silent


@pytest.mark.parametrize(
    ("claims", "options", "reserved", "times", "marked"),
    [
        (QUEUES, "-l own=1", "b2 10", "a1:30 a2:90 a3:60 b1:20 b2:10", "a1 a2 a3 b1 b2"),
        (QUEUES, "-l own=1 -soft -q b.q", "b2 10", "a1:30 a2:90 a3:60 b1:20 b2:10", "b2"),
        ([ALL], "-l all=1", "a1 40", "a1:40 a2:40 a3:40 b1:40 b2:40", "a1 a2 a3 b1 b2"),
    ],
)
def test_inside_an_advance_reservation_each_queue_instance_is_looked_at(
    claims: Claims, options: str, reserved: str, times: str, marked: str
) -> None:
    site = Site(claims, options)
    site.search.passes_over = False
    assert site.reserved() == (reserved, times, marked)


@pytest.mark.parametrize(
    ("marks", "times", "order", "started", "reserved", "found"),
    [
        ("", {}, "a1 a2", "a1", "a1", "a1 40"),
        # Only what is looked at loses a mark of before; the others count with their time of then.
        ("a1", {"a1": 7}, "a1 a3", "a1", "a1", "a1 40"),
        ("a3 b1", {"a3": 47, "b1": 45}, "a1 a3 b1", "a1 a3 b1", "a1 a3 b1", "a1 40"),
        ("a3 b1", {"a3": 40, "b1": 40}, "a1 a3 b1", "a1 a3 b1", "a1 a3 b1", "a1 40"),
        ("a3 b1", {"a3": 39, "b1": 7}, "a1 a3 b1", "a1 a3 b1", "a1 a3 b1", "b1 7"),
        ("a3 b1", {"a3": 39, "b1": 39}, "a1 a3 b1", "a1 a3 b1", "a1 a3 b1", "a3 39"),
        ("b1", {"a3": 39, "b1": 39}, "a1 a3 b1", "a1 b1", "a1 b1", "b1 39"),
        ("b1", {"b1": 39}, "a1 a3", "a1 b1", "a1 b1", "a1 40"),
        ("b1", {}, "a1 a3 b1", "a1 b1", "a1 b1", f"b1 {-NOW}"),
    ],
)
def test_marks_that_were_left_count(
    marks: str, times: dict[str, int], order: str, started: str, reserved: str, found: str
) -> None:
    def left(*claims: tuple[str, str, int]) -> Site:
        site = Site(claims, "-l all=1")
        number_of = site.names.index
        site.search.order.restore_order([number_of(name) for name in order.split()])
        site.search.marks = {number_of(name) for name in marks.split()}
        site.search.times = {number_of(name): NOW + time for name, time in times.items()}
        return site

    idle, full = left(), left(ALL)
    assert (idle.started(), idle.marked()) == ("now a1", started)
    assert (full.reserved()[0], full.marked()) == (found, reserved)
    full.search.wipe()
    assert full.marked() == " ".join(sorted(set(marks.split()) - set(order.split())))


def test_what_is_looked_at_loses_its_mark_though_it_is_not_taken() -> None:
    busy = [("a1", "own=2", 60), ("a2", "own=2", 90)]
    idle, full = Site(busy, "-l own=1"), Site([ALL, *busy], "-l own=1,all=1")
    shut = Site(FEW[:1], "", *quotas("to slots=1"))
    for site in (idle, full, shut):
        site.search.marks = {site.names.index(name) for name in ("a1", "a2", "b1")}
        site.search.times = {site.names.index("b1"): NOW + 20}
    assert (idle.started(), idle.marked()) == ("now a3 not a.q@h1 a.q@h2", "a3 b1")
    assert full.reserved() == ("b1 20", "b1:20 a1:60 a3:40", "a1 a3 b1")
    assert shut.reserved() == ("b1 20", "b1:20 a1:30", "a1 b1")


@pytest.mark.parametrize(("unclean", "told", "alone"), [((), "now a1", False), (("h1",), "now a2 not h1", True)])
def test_a_job_that_was_not_cleaned_up_somewhere_fails_alone(unclean: tuple[str, ...], told: str, alone: bool) -> None:
    site = Site([], "")
    site.search.fails_alone = not alone
    waiting = Task("qw", unclean=unclean)
    site.asking.job = replace(site.asking.job, tasks={1: waiting})
    site.asking.queue = (1,)
    assert site.started() == told
    assert site.search.fails_alone is alone
