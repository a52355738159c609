"""What each event leaves, in small states that were worked out by hand."""

import pickle
from dataclasses import replace
from types import MappingProxyType

import pytest

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.jobs import Task
from qmon_tui.model.state import State, Usage
from qmon_tui.qmaster import simulate
from qmon_tui.qmaster.transition import (
    CalendarSwitched,
    EarlierRunCleanedUp,
    Event,
    HostTimedOut,
    HostUnheard,
    LoadReported,
    ReservationBegan,
    ReservationEnded,
    TaskArrived,
    TaskEnded,
    UsageReported,
    UserExpired,
    after_event,
    after_run,
)
from qmon_tui.qmaster.transition.events import StartFailed, StartFault, TaskSentBack

NOW = 1_767_258_000
"""2026-01-01T09:00:00Z, a Thursday."""
LATER = NOW + 60
CLUSTER = """
complexes: {lic: {shortcut: lic, type: INT, relop: <=, requestable: "YES", consumable: "YES", default: "0"}}
hosts: {h1: {complex_values: lic=5}, h2: {}}
calendars: {nights: {week: "mon-sun=9-10=suspended"}, days: {week: "mon-sun=9-10=off"}}
queues:
  c.q: {hostlist: h1 h2, slots: 4, load_thresholds: NONE, rerun: "TRUE"}
  p.q: {hostlist: h2, slots: 4, pe_list: one, load_thresholds: NONE}
  night.q: {hostlist: h1, slots: 2, calendar: nights, load_thresholds: NONE}
  day.q: {hostlist: h1, slots: 2, calendar: days, load_thresholds: NONE}
pes: {one: {slots: 20}}
quotas:
  first: {enabled: "TRUE", limit: ["queues c.q to slots=2"]}
  second: {enabled: "TRUE", limit: ["users {*} to slots=9"]}
"""
PLACED = "started: 2026-01-01T08:00:00Z"


def read(state: str, cluster: str = CLUSTER) -> tuple[Cluster, State]:
    contents = read_texts(
        Layout.YAML, "world", {"cluster.yaml": cluster, "jobs.yaml": f"now: 2026-01-01T09:00:00Z\n{state}"}
    )
    assert not contents.findings, contents.findings
    return contents.cluster, contents.state


def task(state: State, job: int, number: int = 1) -> Task:
    return next(other for other in state.jobs if other.id == job).tasks[number]


RUNNING = f"""
jobs:
- id: 1
  owner: ada
  qsub: -l lic=1 sleep 60
  tasks: {{1: {{state: r, granted: c.q@h1, {PLACED}}}}}
- id: 2
  owner: ada
  qsub: -pe one 2 sleep 60
  tasks: {{1: {{state: t, granted: {{p.q@h2: 2}}, {PLACED}}}}}
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [("t", "r"), ("Rt", "Rr"), ("St", "S"), ("Tt", "T"), ("st", "s"), ("dt", "dr"), ("dSt", "dS"), ("r", "r")],
)
def test_what_arrives_runs_unless_it_stands_still(before: str, after: str) -> None:
    jobs = f"jobs: [{{id: 1, owner: ada, tasks: {{1: {{state: {before}, granted: c.q@h1, {PLACED}}}}}}}]"
    cluster, state = read(jobs)
    arrived = after_event(cluster, state, TaskArrived(1), at=LATER)
    assert task(arrived, 1) == replace(task(state, 1), state=after)
    assert arrived.now == LATER


@pytest.mark.parametrize(
    ("job", "places"),
    [(1, ["c.q@h1", "hosts/h1", "quotas/first", "quotas/second"]), (2, ["p.q@h2", "quotas/second", "pes/one"])],
)
def test_an_end_dates_all_that_the_task_was_in(job: int, places: list[str]) -> None:
    cluster, state = read(RUNNING)
    ended = after_event(cluster, state, TaskEnded(job, used=(("cpu", 3.0),)), at=LATER)
    assert list(ended.changed) == places
    assert [*ended.changed.values()] == [pytest.approx(LATER + (place + 1) * 1e-6) for place in range(len(places))]
    known = task(ended, job)
    assert (known.state, dict(known.granted), dict(known.used or {})) == ("z", {}, {"cpu": 3.0})
    assert known.started == task(state, job).started


def test_an_end_lets_go_on_what_it_had_suspended() -> None:
    cluster = """
queues:
  high.q: {hostlist: h1, slots: 2, subordinate_list: low.q=1}
  low.q: {hostlist: h1, slots: 2}
"""
    jobs = f"""
states: {{low.q@h1: S}}
jobs:
- {{id: 1, owner: ada, tasks: {{1: {{state: r, granted: high.q@h1, {PLACED}}}}}}}
- {{id: 2, owner: ada, tasks: {{1: {{state: S, granted: low.q@h1, {PLACED}}}}}}}
"""
    ended = after_event(*read(jobs, cluster), TaskEnded(1), at=LATER)
    assert task(ended, 2).state == "r"
    assert not ended.queue_states


def test_what_ends_where_it_stood_still_has_its_queue_instance_sent_as_it_stands() -> None:
    cluster = """
queues:
  high.q: {hostlist: h1, slots: 2, subordinate_list: low.q=1}
  low.q: {hostlist: h1, slots: 2}
"""
    jobs = f"""
states: {{low.q@h1: S}}
jobs:
- {{id: 1, owner: ada, tasks: {{1: {{state: r, granted: high.q@h1, {PLACED}}}}}}}
- {{id: 2, owner: ada, tasks: {{1: {{state: S, granted: low.q@h1, {PLACED}}}}}}}
"""
    ended = after_event(*read(jobs, cluster), TaskEnded(2), at=LATER)
    assert ended.seen_suspended == {"low.q@h1"}


WAITING = f"""
jobs:
- {{id: 1, owner: ada, qsub: -t 1-2 sleep 60, tasks: {{1-2: {{state: r, granted: c.q@h1, {PLACED}}}}}}}
- {{id: 2, owner: ada, qsub: -t 1-2 -hold_jid_ad 1 sleep 60}}
- {{id: 3, owner: ada, qsub: -hold_jid 1 sleep 60, category_ar: "7"}}
- {{id: 4, owner: ada, qsub: sleep 60}}
"""


def test_the_end_of_a_task_sends_who_waits_for_it_and_that_of_the_last_one_who_waits_for_the_job() -> None:
    cluster, state = read(WAITING)
    first = after_event(cluster, state, TaskEnded(1, 1), at=LATER)
    assert {job.id: job.changed for job in first.jobs if job.changed} == {2: LATER + 1e-6}
    last = after_event(cluster, first, TaskEnded(1, 2), at=LATER + 1)
    changed = {job.id: job.changed for job in last.jobs if job.changed}
    assert changed == {3: LATER + 1 + 1e-6, 2: LATER + 1 + 2e-6}
    # The category is found anew with it.
    assert last.jobs[2].category_ar is None


@pytest.mark.parametrize(
    ("params", "status", "state", "used"),
    [("none", 0, "z", 3.0), ("none", 1, "z", 3.0), ("none", 99, "Rq", 3.0), ("none", 100, "Eqw", 3.0),
     ("FORBID_RESCHEDULE", 99, "z", 3.0), ("FORBID_APPERROR=1", 100, "z", 3.0)],
)  # fmt: skip
def test_exit_statuses_that_ask_for_something(params: str, status: int, state: str, used: float) -> None:
    cluster, before = read(RUNNING, CLUSTER + f"configuration: {{global: {{qmaster_params: {params}}}}}\n")
    ended = after_event(cluster, before, TaskEnded(1, used=(("cpu", used),), exit_status=status), at=LATER)
    known = task(ended, 1)
    assert (known.state, dict(known.granted), dict(known.used or {})) == (state, {}, {"cpu": used})
    assert not known.unclean
    assert list(ended.changed)[:2] == ["c.q@h1", "hosts/h1"]


def test_what_is_being_deleted_ends_whatever_it_asks_for() -> None:
    cluster, state = read(RUNNING.replace("state: r", "state: dr"))
    assert task(after_event(cluster, state, TaskEnded(1, exit_status=99), at=LATER), 1).state == "z"


@pytest.mark.parametrize(
    ("fault", "tasks", "letters"),
    [
        (StartFault.NOBODY, {1: "qw"}, {}),
        (StartFault.JOB, {1: "Eqw"}, {}),
        (StartFault.QUEUE, {1: "qw"}, {"p.q@h2": "E"}),
    ],
)
def test_a_start_that_fails(fault: StartFault, tasks: dict[int, str], letters: dict[str, str]) -> None:
    failed = after_event(*read(RUNNING), StartFailed(2, fault=fault), at=LATER)
    assert {number: one.state for number, one in failed.jobs[1].tasks.items()} == tasks
    assert dict(failed.queue_states) == letters
    assert {"p.q@h2", "pes/one"} <= set(failed.changed)
    assert task(failed, 2).start_failed


@pytest.mark.parametrize("fault", StartFault)
def test_a_job_whose_start_fails_stays_let_in_whatever_qsub_would_say_now(fault: StartFault) -> None:
    cluster, state = read(RUNNING)
    failed = after_event(cluster, state, StartFailed(2, fault=fault), at=LATER)
    later, _ = read("", CLUSTER.replace("pe_list: one, ", "").replace("pes: {one: {slots: 20}}", ""))
    assert simulate(later, failed).rejected == []
    assert [job.id for job in after_run(simulate(later, failed)).jobs] == [1, 2]


def test_what_is_sent_back_waits_anew_until_its_host_is_cleaned_up() -> None:
    cluster, state = read(RUNNING)
    back = after_event(cluster, state, TaskSentBack(1), at=LATER)
    assert (task(back, 1).state, task(back, 1).unclean, back.jobs[0].submitted) == ("Rq", ("h1",), LATER)
    assert not task(after_event(cluster, back, EarlierRunCleanedUp(1), at=LATER), 1).unclean


def test_usage_adds_up_until_it_is_booked() -> None:
    cluster, state = read(RUNNING)
    for cpu in (2.0, 3.0):
        state = after_event(cluster, state, UsageReported(1, 1, (("cpu", cpu), ("mem", 1.0))), at=LATER)
    assert dict(task(state, 1).used or {}) == {"cpu": 5.0, "mem": 2.0}


def test_a_load_report_has_its_host_come_last_and_be_heard_of() -> None:
    cluster, state = read('states: {c.q@h2: du, p.q@h2: u}\nloads: {h2: {np_load_avg: "2", arch: lx}}\njobs: []')
    reported = after_event(cluster, state, LoadReported("h2", (("np_load_avg", "0.5"),)), at=LATER)
    assert dict(reported.loads["h2"]) == {"np_load_avg": "0.5", "arch": "lx"}
    assert dict(reported.queue_states) == {"c.q@h2": "d"}
    assert list(reported.changed) == ["hosts/h2", "c.q@h2", "p.q@h2"]


def test_a_host_that_is_not_heard_from_keeps_only_what_cannot_change() -> None:
    cluster, state = read('loads: {h2: {np_load_avg: "2", arch: lx}}\n' + RUNNING.lstrip())
    silent = after_event(cluster, state, HostUnheard("h2"), at=LATER)
    assert dict(silent.loads["h2"]) == {"arch": "lx"}
    loads = {"h1": {"np_load_avg": "1"}, "h2": {"np_load_avg": "2"}}
    assert after_event(cluster, replace(state, loads=loads), HostUnheard("h2"), at=LATER).loads == {"h1": loads["h1"]}
    assert dict(silent.queue_states) == {"c.q@h2": "u", "p.q@h2": "u"}
    assert task(silent, 2) == task(state, 2)


@pytest.mark.parametrize("forbidden", [False, True])
def test_after_some_time_what_may_be_run_again_is_sent_back_from_it(forbidden: bool) -> None:
    params = "DISABLE_AUTO_RESCHEDULING" if forbidden else "none"
    cluster, state = read(RUNNING, CLUSTER + f"configuration: {{global: {{qmaster_params: {params}}}}}\n")
    lost = after_event(cluster, after_event(cluster, state, HostTimedOut("h1"), at=LATER), HostTimedOut("h2"), at=LATER)
    assert [task(lost, job).state for job in (1, 2)] == (["r", "t"] if forbidden else ["Rq", "t"])


CALENDARS = f"""
jobs:
- {{id: 1, owner: ada, tasks: {{1: {{state: STATE, granted: night.q@h1, {PLACED}}}}}}}
- {{id: 2, owner: ada, tasks: {{1: {{state: r, granted: day.q@h1, {PLACED}}}}}}}
"""


@pytest.mark.parametrize("late", [0, 1])
def test_a_calendar_suspends_what_runs_and_lets_it_go_on(late: int) -> None:
    cluster, state = read(CALENDARS.replace("STATE", "r"))
    closed = after_event(cluster, state, CalendarSwitched("nights"), at=NOW + late)
    assert [task(closed, job).state for job in (1, 2)] == ["S", "r"]
    assert list(closed.changed) == ["night.q@h1"]
    opened = after_event(cluster, closed, CalendarSwitched("nights"), at=NOW + 3600 + late)
    assert task(opened, 1).state == "r"
    # Nothing of it is a letter that has to be kept.
    assert not closed.queue_states


def test_a_calendar_that_opens_lets_nothing_go_on_that_was_suspended_by_hand() -> None:
    cluster, state = read("states: {night.q@h1: s}\n" + CALENDARS.replace("STATE", "S").lstrip())
    opened = after_event(cluster, state, CalendarSwitched("nights"), at=NOW + 3600)
    assert task(opened, 1).state == "S"


def test_a_calendar_that_disables_leaves_what_runs() -> None:
    cluster, state = read(CALENDARS.replace("STATE", "r"))
    closed = after_event(cluster, state, CalendarSwitched("days"), at=NOW)
    assert [job.tasks for job in closed.jobs] == [job.tasks for job in state.jobs]
    assert list(closed.changed) == ["day.q@h1"]


RESERVED = f"""
reservations:
- {{id: 5, owner: ada, start: 2026-01-01T09:01:00Z, end: 2026-01-01T10:00:00Z, state: AR, granted: {{c.q@h1: 2}}}}
jobs:
- id: 1
  owner: ada
  qsub: -ar 5 sleep 60
  tasks: {{1: {{state: r, granted: c.q@h1, {PLACED}}}}}
- {{id: 2, owner: ada, qsub: -ar 5 sleep 60}}
- {{id: 3, owner: ada, qsub: sleep 60}}
"""


@pytest.mark.parametrize(
    ("letters", "before", "after"), [("''", "w", "r"), ("d", "W", "E"), ("''", "W", "r"), ("d", "w", "E")]
)
def test_a_reservation_begins(letters: str, before: str, after: str) -> None:
    cluster, state = read(f"states: {{c.q@h1: {letters}}}\n" + RESERVED.replace("AR,", f"{before},").lstrip())
    begun = after_event(cluster, state, ReservationBegan(5), at=LATER)
    assert [reservation.state for reservation in begun.reservations] == [after]


def test_with_its_end_a_reservation_is_gone_and_so_are_its_jobs() -> None:
    cluster, state = read(RESERVED.replace("AR,", "r,"))
    over = after_event(cluster, state, ReservationEnded(5), at=LATER)
    assert (over.reservations, [job.id for job in over.jobs], over.arseqnum) == ((), [1, 3], 5)
    assert over.jobs[0].tasks[1].state == "z", "the next run books what it has used"
    assert "c.q@h1" in over.changed


def test_a_deleted_reservation_stays_after_its_last_task_until_its_own_end() -> None:
    jobs = "\n".join(line for line in RESERVED.splitlines() if "id: 2" not in line)
    cluster, state = read(jobs.replace("AR,", "d,"))
    idle = after_event(cluster, state, TaskEnded(1), at=LATER)
    assert [reservation.state for reservation in idle.reservations] == ["d"]
    assert not after_event(cluster, idle, ReservationEnded(5), at=LATER + 1).reservations


def test_a_user_who_goes_takes_his_usage_with_him() -> None:
    cluster, state = read(RUNNING)
    used = MappingProxyType({"ada": Usage({"cpu": 1.0}), "ben": Usage({"cpu": 2.0})})
    state = replace(state, usage=replace(state.usage, users=used))
    assert [*after_event(cluster, state, UserExpired("ada"), at=LATER).usage.users] == ["ben"]


EVERYTHING: tuple[Event, ...] = (
    TaskArrived(9),
    TaskEnded(9),
    TaskEnded(1, 9),
    StartFailed(9),
    TaskSentBack(9),
    EarlierRunCleanedUp(9),
    UsageReported(9, 1, (("cpu", 1.0),)),
    CalendarSwitched("none"),
    ReservationBegan(9),
    ReservationEnded(9),
    UserExpired("nobody"),
)


@pytest.mark.parametrize("event", EVERYTHING, ids=repr)
def test_what_no_longer_fits_changes_nothing_but_the_time(event: Event) -> None:
    cluster, state = read(RUNNING)
    assert after_event(cluster, state, event, at=LATER) == replace(state, now=LATER)


@pytest.mark.parametrize("event", [*EVERYTHING, LoadReported("h1", (("a", "1"),)), HostUnheard("h1")], ids=repr)
def test_events_are_values_that_can_be_sent(event: Event) -> None:
    assert pickle.loads(pickle.dumps(event)) == event
    assert hash(event) == hash(replace(event))
