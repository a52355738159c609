"""What happens in one second, and in which order: submissions, ends, the timers of simulated hosts."""

from qmon_tui.model import Cluster
from qmon_tui.model.jobs import Job
from qmon_tui.model.state import State
from qmon_tui.simulation import Settings, Simulator
from qmon_tui.simulation.event_queue import EventQueue
from tests.unit.scheduler.building import NOW, cluster, environment, job, queue, scheduler

HOSTS = ("h1", "h2", "h3")


def three_hosts(**fields: str) -> Cluster:
    """A host more than once is taken again only after all others: what was used last comes last in the list."""
    settings = scheduler(
        queue_sort_method="seqno",
        load_formula="slots",
        job_load_adjustments="NONE",
        schedule_interval="0:0:3",
        **fields,
    )
    return cluster(queue("all.q", " ".join(HOSTS), 2), settings)


def places(on: Cluster, *jobs: tuple[int, int]) -> list[str]:
    """Where each job, given by its second and run time, ran on simulated hosts."""
    coming = tuple(
        job(number, submitted=NOW + at, runtime=seconds, qsub=f"sleep {seconds}")
        for number, (at, seconds) in enumerate(jobs, 1)
    )
    simulator = Simulator(on, State(now=NOW, jobs=coming), Settings(start_delay=5, simulated_hosts=True))
    simulator.run()
    return [next(iter(one.granted)).partition("@")[2] for one in simulator.records.values()]


def test_jobs_of_one_second_have_a_run_each_where_they_do_not_wait() -> None:
    """In one run they fill the host that is first, in runs of their own each finds another one there."""
    jobs = [(1, 60)] * 3
    assert places(three_hosts(flush_submit_sec="0"), *jobs) == ["h1", "h1", "h2"]
    assert places(three_hosts(flush_submit_sec="1"), *jobs) == ["h1", "h2", "h3"]


def test_of_timers_in_one_second_the_one_set_last_rings_first() -> None:
    """All but the first two hold their slots to the end; of these the second ends first, so that its host is found."""
    on = three_hosts(flush_submit_sec="1", flush_finish_sec="1")
    jobs = [(1, 20), (2, 19), *([(3, 99)] * 4), (4, 99), (4, 99)]
    assert places(on, *jobs) == ["h1", "h2", "h3", "h1", "h2", "h3", "h2", "h1"]


def starts(on: Cluster, *jobs: Job, **settings: object) -> list[int]:
    """The second of each start on simulated hosts."""
    simulator = Simulator(on, State(now=NOW, jobs=jobs), Settings(start_delay=5, simulated_hosts=True, **settings))  # type: ignore[arg-type]
    simulator.run()
    return [(record.started or 0) - NOW for record in simulator.records.values()]


def at(number: int, second: int, seconds: int, options: str = "") -> Job:
    return job(number, options, submitted=NOW + second, runtime=seconds)


def test_chance_decides_whether_a_run_sees_one_or_all_of_the_ends_of_a_second() -> None:
    """Job 3 needs both slots and is first in line: where a run sees one end alone job 4 takes that slot."""
    on = cluster(
        queue("all.q", "h1", 2, pe_list="mpi"),
        environment("mpi"),
        scheduler(schedule_interval="0:0:30", flush_submit_sec="1", flush_finish_sec="1", queue_sort_method="seqno"),
    )
    jobs = (at(1, 1, 9), at(2, 1, 9), at(3, 2, 5, "-p 0 -pe mpi 2"), at(4, 3, 20, "-p -100"))
    found = {seed: tuple(starts(on, *jobs, seed=seed)) for seed in range(40)}
    assert set(found.values()) == {(1, 1, 15, 25), (1, 1, 40, 15)}
    assert 15 <= sum(one == (1, 1, 40, 15) for one in found.values()) <= 33
    assert found == {seed: tuple(starts(on, *jobs, seed=seed)) for seed in range(40)}


def test_chance_decides_whether_the_run_after_an_end_sees_who_waited_for_it() -> None:
    """Job 2 has waited for job 1 and goes before job 3; where its release is sent too late job 3 takes the slot."""
    on = cluster(
        queue("all.q", "h1", 1), scheduler(schedule_interval="0:0:30", flush_submit_sec="1", flush_finish_sec="1")
    )
    jobs = (at(1, 1, 9), at(2, 2, 20, "-hold_jid 1"), at(3, 3, 5, "-p -100"))
    found = [tuple(starts(on, *jobs, seed=seed)) for seed in range(40)]
    assert set(found) == {(1, 15, 40), (1, 25, 15)}
    assert 15 <= found.count((1, 25, 15)) <= 33


def test_events_wait_for_the_next_delivery_which_comes_with_the_interval_though_nothing_has_happened() -> None:
    """Recorded of a real qmaster with an interval of seven; no job wakes the scheduler."""
    on = cluster(queue("all.q", "h1", 9), scheduler(schedule_interval="0:0:7"))
    jobs = [at(number, second, 1) for number, second in enumerate((23, 49, 81, 108), 1)]
    assert starts(on, *jobs) == [28, 56, 84, 112]


def test_a_delivery_that_is_due_comes_before_what_is_submitted_in_that_second() -> None:
    on = cluster(queue("all.q", "h1", 9), scheduler(schedule_interval="0:0:7"))
    assert starts(on, at(1, 7, 1), at(2, 8, 1)) == [14, 14]


def test_what_is_ahead_comes_before_all_else_of_its_second() -> None:
    queue: EventQueue[str] = EventQueue()
    for time, what, ahead in ((1, "a", False), (1, "b", True), (2, "c", True), (1, "d", True), (1, "e", False)):
        queue.plan(time, what, ahead=ahead)
    queue.plan(1, "a", ahead=True)
    assert [what for _, what in queue] == ["a", "d", "b", "e", "c"]
    assert [queue.pop()[1] for _ in range(5)] == ["a", "d", "b", "e", "c"]


def test_of_timers_the_one_that_is_awaited_stays_the_first_of_its_second() -> None:
    """The thread of the qmaster waits for `a` when a run sets `b` and `c`; `d` is earlier, and awaited from then on."""
    queue: EventQueue[str] = EventQueue()
    for time, what in ((5, "a"), (5, "b"), (5, "c"), (4, "d"), (5, "e"), (4, "f")):
        queue.plan(time, what, ahead=True, behind_first=True)
    assert [queue.pop()[1] for _ in range(6)] == ["d", "f", "e", "a", "c", "b"]


def test_what_starts_in_one_second_ends_in_an_order_that_shows_in_the_next_places() -> None:
    """Jobs 1 to 3 arrive as 1, 3, 2, as the first is awaited, and end as 2, 3, 1 (as in recorded days)."""
    on = three_hosts(flush_submit_sec="1", flush_finish_sec="1")
    assert places(on, *[(1, 20)] * 3, *[(2, 99)] * 3, *[(4, 99)] * 3)[6:] == ["h2", "h3", "h1"]
