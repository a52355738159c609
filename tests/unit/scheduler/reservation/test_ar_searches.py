"""How jobs find a place in their advance reservation (reservation.md#jobs-in-an-advance-reservation)."""

import pytest

from qmon_tui.model import AdvanceReservation, Task
from qmon_tui.qmaster import simulate
from qmon_tui.scheduler.dispatch.reservation_dispatch import ReservationDispatch
from tests.unit.scheduler.building import (
    NOW,
    attribute,
    cluster,
    environment,
    host,
    job,
    queue,
    scheduler,
    state as state_of,
    userset,
)

ON = cluster(
    attribute("lic lic INT <= YES YES 0"),
    attribute("kind kind STRING == YES NO NONE"),
    attribute("deep deep INT <= YES NO 0"),
    userset("some", "bob"),
    environment("mpi", user_lists="some", slots=6),
    environment("other"),
    host("h1", "lic=1,kind=x,deep=3"),
    host("h2", "lic=1,kind=y,deep=5", user_lists="some"),
    host("h3", "lic=1,kind=x"),
    queue("a.q", "h1 h2 h3", 5, user_lists="NONE,[h1=some]"),
    queue("b.q", "h1 h2 h3", 5, pe_list="mpi other"),
    queue("c.q", "h1", 5),
    queue("d.q", "h1", 3, user_lists="some"),
    scheduler(max_reservation=3, default_duration="0:1:0", params="DURATION_OFFSET=0"),
)
TOLD = {
    "not contained in its hard queue list": "not asked for",
    "was not reserved by advance reservation": "not reserved",
    "has no permission": "not let in",
    "(null)": "no words",
    "offers only": "too little",
    "missing attribute": "missing",
}


def place(number: str) -> str:
    return f"{number[0]}.q@h{number[1]}"


class Site:
    """An advance reservation of two slots and two licences for each in some queue instances; who asks for a place."""

    def __init__(self, granted: str, options: str, owner: str, in_use: str = "", **more: object) -> None:
        fields = {"state": "r", "requests": (("lic", "2"),), "environment": None, **more}
        slots = {place(name): 2 for name in granted.split()}
        reservation = AdvanceReservation(7, "anna", NOW - 10, NOW + 100, slots, **fields)  # type: ignore[arg-type]
        used = [
            job(number, "-ar 7 -l lic=1,h_rt=50", tasks={1: Task("r", {place(name): 1}, NOW - 5)})
            for number, name in enumerate(in_use.split(), 1)
        ]
        used.append(job(50, "-pe mpi 3", tasks={1: Task("r", {"c.q@h1": 3}, NOW - 5, environment="mpi")}))
        # What runs already is not refused, whatever qsub would say of it.
        started = Task("r", {"d.q@h1": 1}, NOW - 5, environment="other" if "-pe" in options else None)
        asking = job(99, f"{options} -ar 7 -t 1-2 -h", owner, tasks={1: started})
        self.run = run = simulate(ON, state_of([*used, asking], reservations=(reservation,)))
        assert isinstance(run.dispatch, ReservationDispatch)
        self.names = [instance.name[0] + instance.name[-1] for instance in run.resources.instances]
        self.searches = run.dispatch.reservation_state.ar_searches["7"]
        self.order = run.dispatch.reservation_state.order
        self.asking = next(run_job for run_job in run.jobs if run_job.id == 99)
        run.dispatch.prepare_checks(self.asking)

    def arranged(self, order: str) -> None:
        self.order.restore_order([self.names.index(name) for name in order.split()])

    def started(self) -> tuple[str | None, list[str]]:
        said: list[str] = []
        _, number = self.searches.start(self.asking, said.append)
        told = [next(short for words, short in TOLD.items() if words in text) for text in said]
        return None if number is None else self.names[number], told


ALL = "a1 a2 a3 b1 b2 b3"


@pytest.mark.parametrize(
    ("granted", "options", "owner", "order", "found", "told"),
    [
        (ALL, "", "bob", "a1 a2 b1", "a1", []),
        (ALL, "", "anna", "b1", "b1", []),
        # That the cluster queue is not one of the reservation's comes after -q, and before all else.
        (ALL, "", "anna", "c1 b1", "b1", ["not reserved"]),
        (ALL, "", "anna", "d1 b1", "b1", ["not reserved"]),
        (f"{ALL} d1", "", "anna", "d1 b1", "b1", ["not let in"]),
        (ALL, "-q c.q,b.q", "anna", "a1 c1 d1 b1", "b1", ["not asked for", "not reserved", "not asked for"]),
        # An instance that is not is told to all, not to the one.
        ("b1", "", "anna", "b2 b1", "b1", ["not let in"]),
        ("b1", "", "anna", "b3 b1", "b1", []),
        # After one that did not fit, 8.1.9 has no words for the next where its host is known to be all right.
        (ALL, "", "anna", "a1 b1", "b1", ["not let in"]),
        (ALL, "", "anna", "a1 a2 b1", None, ["not let in", "not let in", "no words"]),
        (ALL, "", "anna", "a1 a2 b3", "b3", ["not let in", "not let in"]),
        (ALL, "", "anna", "a2 a1 b1", "b1", ["not let in", "not let in"]),
        (ALL, "-l kind=x", "anna", "a1 a2 b1", "b1", ["not let in", "not let in"]),
        (ALL, "-q a.q@h1,b.q@h1", "anna", "a1 a2 b1", "b1", ["not let in", "not asked for"]),
        (
            ALL,
            "-q a.q@h1,a.q@h2,b.q@h1",
            "anna",
            "a1 a2 b3 b1",
            None,
            ["not let in", "not let in", "not asked for", "no words"],
        ),
        # Fixed values are those of all levels together, and told of the host.
        (ALL, "-l kind=y", "bob", "a1 a2", "a2", ["too little"]),
        (ALL, "-l kind=y", "bob", "a3 a1 b2", "b2", ["too little", "too little"]),
        (ALL, "-l deep=4", "bob", "a1 b1 b2", "b2", ["too little", "too little"]),
        (ALL, "-l deep=3", "bob", "a1", "a1", []),
    ],
)
def test_where_a_job_fits_in_its_reservation(
    granted: str, options: str, owner: str, order: str, found: str | None, told: list[str]
) -> None:
    site = Site(granted, options, owner)
    site.arranged(order)
    assert site.started() == (found, told)


@pytest.mark.parametrize(
    ("options", "in_use", "order", "found", "told"),
    [
        # Of what is consumed only the stock counts: four licences in each queue instance.
        ("-l lic=4", "", "a1 b1", "a1", []),
        ("-l lic=3", "a1", "a1 b1", "a1", []),
        ("-l lic=4", "a1", "a1 a3", "a3", ["too little"]),
        ("-l lic=4", "a1", "a1 b1", None, ["too little", "no words"]),
        ("-l lic=4,deep=3", "a1", "a1 b1", "b1", ["too little"]),
        ("", "a1", "a1 b1", "a1", []),
        ("", "a1 a1", "a1 a3", "a3", ["too little"]),
        ("", "a1 a1 b1 b1", "a1 a3 b1", "a3", ["too little"]),
    ],
)
def test_the_stock_that_its_other_jobs_have_left(
    options: str, in_use: str, order: str, found: str | None, told: list[str]
) -> None:
    site = Site(ALL, options, "bob", in_use)
    site.arranged(order)
    assert site.started() == (found, told)


@pytest.mark.parametrize(
    ("granted", "options", "found"),
    [
        # In its own environment, whichever is asked for, whoever may use that, and however many of its slots are free.
        (ALL, "-pe other 2", "mpi b1:2"),
        (ALL, "-pe other 4", "mpi b1:2 b2:2"),
        (ALL, "-pe other 6", "mpi b1:2 b2:2 b3:2"),
        (ALL, "-pe other 7", None),
        (ALL, "-pe mpi 3", "mpi b1:2 b2:1"),
        ("b2 b3", "-pe other 3", "mpi b2:2 b3:1"),
        # Of what is consumed the stock of each queue instance counts, of the rest all levels.
        (ALL, "-pe other 2 -l lic=2", "mpi b1:2"),
        (ALL, "-pe other 2 -l lic=4", "mpi b1:1 b2:1"),
        (ALL, "-pe other 3 -l kind=x", "mpi b1:2 b3:1"),
        (ALL, "-pe other 2 -l kind=y", "mpi b2:2"),
        (ALL, "-pe other 3 -l kind=y", None),
        (ALL, "-pe other 1 -l deep=4", "mpi b2:1"),
        (ALL, "-pe other 3 -l deep=3", "mpi b1:2 b2:1"),
    ],
)
def test_where_a_parallel_job_fits_in_its_reservation(granted: str, options: str, found: str | None) -> None:
    site = Site(granted, options, "bob", environment="mpi")
    site.arranged("b1 b2 b3")
    _, assignment = site.searches.collect(site.asking, None, list(site.order))
    grants = None if assignment is None else [f"{site.names[number]}:{slots}" for number, slots in assignment.grants]
    assert (assignment and grants and " ".join((assignment.environment, *grants))) == found


@pytest.mark.parametrize(("owner", "may"), [("bob", True), ("anna", False)])
def test_who_may_not_use_it_is_told_so_and_nothing_else(owner: str, *, may: bool) -> None:
    said: list[str] = []
    alone = Site("b1 b2", "", owner, users=("bob",))
    parallel = Site("b1", "-pe other 1", owner, users=("bob",), environment="mpi")
    parallel.arranged("b1")
    assert (alone.started()[0] is not None) is may
    assert (alone.searches.reserve(alone.asking) is not None) is may
    assert (parallel.searches.collect(parallel.asking, said.append, list(parallel.order))[1] is not None) is may
    assert said == ([] if may else ['has no permission for advance_reservation "7"'])


def test_what_is_said_of_queue_instances_and_hosts() -> None:
    site = Site("a1 b1", "-l kind=y", "bob")
    site.arranged("a2 a1 b1")
    said: list[str] = []
    site.searches.start(site.asking, said.append)
    assert said == ['(-l kind=y) cannot run at host "h1" because it offers only hf:kind=x'] * 2
    announced = 'cannot run in queue "a.q@h2" because it was not reserved by advance reservation 7'
    assert site.run.availability.messages == [announced]


def test_times_of_a_search_are_those_of_the_stock() -> None:
    site = Site("b1 b2", "-pe other 2 -l lic=1", "bob", "b1", environment="mpi")
    resources, search = site.run.resources, site.searches.timed_parallel
    changes = search.change_times_of(resources.queues[site.names.index("b1")], site.asking)
    assert [time - NOW for time in changes] == [-5, 45, -5, 45]
    assert list(search.change_times_of(resources.global_level, site.asking)) == []
