"""Hosts that are lost and calendars that switch, at their bounds."""

from time import mktime

import pytest

from qmon_tui.model import ConfigObject, Kind, Task, config_object
from qmon_tui.qmaster.transition import HostTimedOut, after_event
from qmon_tui.qmaster.transition.events import StartFailed, StartFault
from qmon_tui.qmaster.transition.instance_events import _before_switch
from qmon_tui.scheduler.configuration import compile_cluster
from qmon_tui.values import CalendarState
from tests.unit.scheduler.building import NOW, cluster, configuration, environment, job, queue, state

ON, OFF, SUSPENDED = CalendarState.ON, CalendarState.OFF, CalendarState.SUSPENDED
MIDNIGHT = int(mktime((2026, 1, 6, 0, 0, 0, 0, 0, -1)))


def calendar(**lists: str) -> ConfigObject:
    return config_object(Kind.CALENDAR, "days", {"calendar_name": "days", "year": "NONE", "week": "NONE", **lists})


ONE, TWO, SHORT, ONCE = (
    "9-10=suspended",
    "9-10=suspended 10-11=off",
    "8:59:59-9=off 9-10=suspended",
    "6.1.2026=9-10=off",
)


@pytest.mark.parametrize(
    ("times", "hour", "before"),
    [
        (ONE, "8:59:59", SUSPENDED),
        (ONE, "9:00:00", ON),
        (ONE, "9:30:00", ON),
        (ONE, "9:59:59", ON),
        (ONE, "10:00:00", SUSPENDED),
        (ONE, "20:00:00", SUSPENDED),
        (TWO, "9:00:00", ON),
        (TWO, "10:00:00", SUSPENDED),
        (TWO, "10:30:00", SUSPENDED),
        (TWO, "11:00:00", OFF),
        (TWO, "8:59:59", OFF),
        (SHORT, "8:59:58", SUSPENDED),
        (SHORT, "8:59:59", ON),
        (SHORT, "9:00:00", OFF),
        (SHORT, "9:30:00", OFF),
        (ONCE, "8:59:59", ON),
        (ONCE, "9:00:00", ON),
        (ONCE, "10:00:00", OFF),
    ],
)
def test_what_a_calendar_did_before_what_it_does_now(times: str, hour: str, before: CalendarState) -> None:
    week = " ".join(f"mon-sun={entry}" for entry in times.split())
    lists = {"year": times} if times == ONCE else {"week": week}
    compiled = compile_cluster(cluster(calendar(**lists), queue("a.q", "n1", calendar="days")))
    hours, minutes, seconds = map(int, hour.split(":"))
    now = MIDNIGHT + 3600 * hours + 60 * minutes + seconds
    assert _before_switch(compiled.calendars["days"], now) is before


@pytest.mark.parametrize(
    ("granted", "letters", "lost", "after"),
    [
        (("n1",), "r", "n1", "Rq"),
        (("n1",), "t", "n1", "Rq"),
        (("n1",), "S", "n1", "Rq"),
        (("n1",), "r", "n2", "r"),
        (("n1", "n2"), "r", "n1", "Rq"),
        (("n1", "n2"), "r", "n2", "r"),
        ((), "hqw", "n1", "hqw"),
    ],
)
def test_what_has_its_master_queue_on_a_lost_host_is_sent_back(
    granted: tuple[str, ...], letters: str, lost: str, after: str
) -> None:
    on = cluster(queue("a.q", "n1 n2", 2, rerun="TRUE", pe_list="mpi"), configuration(reschedule_unknown="0:5:0"))
    task = Task(letters, {f"a.q@{name}": 1 for name in granted}, NOW - 50, hold="u" if "h" in letters else "")
    left = after_event(on, state([job(1, tasks={1: task})]), HostTimedOut(lost), at=NOW)
    assert [task.state for task in left.jobs[0].tasks.values()] == [after]


@pytest.mark.parametrize(
    ("fault", "letters", "states"), [(StartFault.QUEUE, ["qw"], {"a.q@n2": "E"}), (StartFault.JOB, ["Eqw"], {})]
)
def test_a_failed_start_closes_the_master_queue_alone(
    fault: StartFault, letters: list[str], states: dict[str, str]
) -> None:
    on = cluster(queue("a.q", "n1 n2", 2, pe_list="mpi"), environment("mpi"))
    task = Task("t", {"a.q@n2": 1, "a.q@n1": 1}, NOW - 5, environment="mpi")
    left = after_event(on, state([job(1, "-pe mpi 2", tasks={1: task})]), StartFailed(1, 1, fault), at=NOW)
    assert [task.state for task in left.jobs[0].tasks.values()] == letters
    assert dict(left.queue_states) == states
