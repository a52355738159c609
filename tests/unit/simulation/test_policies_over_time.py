"""What policies do in the course of time: suspension, reservations, usage that fades."""

from math import log
from types import MappingProxyType

import pytest

from qmon_tui.model import AdvanceReservation, Cluster, LoadModel, LoadValue, State
from qmon_tui.model.jobs import Job
from qmon_tui.simulation import Settings, Simulator
from tests.unit.scheduler.building import NOW, cluster, host, job, queue, scheduler, sharetree

QUICK = scheduler(schedule_interval="0:0:5")


def at(number: int, seconds: int, options: str = "", runtime: int = 60, owner: str = "anna") -> Job:
    return job(number, options, owner, submitted=NOW + seconds, runtime=runtime)


def day(on: Cluster, *jobs: Job, **more: object) -> Simulator:
    state = State(now=NOW, jobs=jobs, reservations=more.pop("reservations", ()))  # type: ignore[arg-type]
    simulator = Simulator(on, state, Settings(**more))  # type: ignore[arg-type]
    simulator.run()
    return simulator


def times(simulator: Simulator) -> dict[int, tuple[int | None, int | None]]:
    """Job -> start and end of its first task."""
    return {
        number: (record.started and record.started - NOW, record.ended and record.ended - NOW)
        for (number, task), record in simulator.records.items()
        if task == 1
    }


def test_a_subordinate_queue_stands_still_as_long_as_the_other_is_busy() -> None:
    on = cluster(
        queue("high.q", "h1", 1, subordinate_list="low.q=1"),
        queue("low.q", "h1", 1),
        QUICK,
    )
    simulator = day(on, at(1, 0, "-q low.q"), at(2, 20, "-q high.q", runtime=30))
    assert times(simulator) == {1: (0, 90), 2: (20, 50)}
    as_simulated_hosts = day(on, at(1, 0, "-q low.q"), at(2, 20, "-q high.q", runtime=30), simulated_hosts=True)
    assert times(as_simulated_hosts)[1] == (0, 60)


def test_a_slotwise_tree_lets_the_task_go_on_that_it_has_suspended() -> None:
    on = cluster(
        queue("high.q", "h1", 2, subordinate_list="slots=2(low.q:1:sr)"),
        queue("low.q", "h1", 2),
        QUICK,
    )
    simulator = day(on, at(1, 0, "-q low.q"), at(2, 0, "-q low.q"), at(3, 10, "-q high.q", runtime=20))
    assert sorted(end for _, end in times(simulator).values() if end is not None) == [30, 60, 80]


def test_suspend_thresholds_follow_the_load_that_the_jobs_make() -> None:
    """Two tasks are a load of 2: one after the other is suspended, a minute apart, and goes on when there is room."""
    on = cluster(
        queue("all.q", "h1", 2, suspend_thresholds="load_avg=1.5", nsuspend="1", suspend_interval="0:1:0"),
        host("h1"),
        QUICK,
    )
    model = LoadModel(20, MappingProxyType({"load_avg": LoadValue(per_slot=1.0)}))
    simulator = day(on, at(1, 0, runtime=300), at(2, 0, runtime=300), load=model, until=NOW + 1200)
    ends = sorted(end for _, end in times(simulator).values() if end is not None)
    assert len(ends) == 2
    assert ends[0] < ends[1]
    assert ends[1] > 400, "it stood still for a while"


def test_an_advance_reservation_takes_its_jobs_when_it_begins_and_ends_with_them() -> None:
    on = cluster(queue("all.q", "h1", 1), QUICK)
    reservation = AdvanceReservation(1, "anna", NOW + 130, NOW + 190, granted=MappingProxyType({"all.q@h1": 1}))
    simulator = day(
        on,
        at(1, 0, "-ar 1 -l h_rt=50", runtime=600),
        at(2, 0, "-l h_rt=0:1:0", runtime=60),
        at(3, 1, "-l h_rt=0:1:0", runtime=30),
        reservations=(reservation,),
    )
    assert times(simulator)[2] == (0, 60)
    start, end = times(simulator)[1]
    assert start is not None
    assert end is not None
    assert 130 <= start <= 135
    assert end <= 190
    assert (times(simulator)[3][0] or 0) >= 190, "it would run into the reservation"


@pytest.mark.parametrize("halftime", [1, 24])
def test_usage_fades_by_its_half_life(halftime: int) -> None:
    """Of 1000 s, 10 are booked in the run after the start, the rest at the end; both fade (tickets.md#decay)."""
    on = cluster(
        queue("all.q", "h1", 1),
        scheduler(
            schedule_interval="0:0:10",
            weight_tickets_share=1000,
            halftime=halftime,
            usage_weight_list="cpu=1,mem=0,io=0",
        ),
        sharetree(default=1),
    )
    hours = (at(number, 3600 * number, runtime=0) for number in range(1, 5))
    simulator = day(on, at(9, 0, runtime=1000), *hours)
    usage = simulator.state.usage.users["anna"]
    assert usage.time is not None
    by_minute = 1 - log(2) / (60 * halftime)
    faded = sum(amount * by_minute ** ((usage.time - NOW - booked) / 60) for amount, booked in ((10, 10), (990, 1000)))
    assert usage.amounts["cpu"] == pytest.approx(faded, rel=1e-9)


def test_a_waiting_job_goes_first_when_its_deadline_comes() -> None:
    on = cluster(
        queue("all.q", "h1", 1),
        scheduler(schedule_interval="0:0:5", weight_urgency=1, weight_deadline=3600000),
    )
    jobs = (at(1, 0, runtime=50), at(2, 1, runtime=50), at(3, 2, runtime=50))
    assert [start for start, _ in times(day(on, *jobs)).values()] == [0, 50, 100]
