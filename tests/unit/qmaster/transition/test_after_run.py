"""What a run leaves: starts carried out, usage booked, what has ended removed and who waited for it sent once more."""

from dataclasses import replace

import pytest

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.state import state_text
from qmon_tui.model import NO_RESERVATION, LaterNumbers
from qmon_tui.model.jobs import Task
from qmon_tui.model.state import State
from qmon_tui.qmaster.scheduling import simulate
from qmon_tui.qmaster.transition import after_run
from qmon_tui.values.number import INFINITY
from tests.unit.scheduler import building

NOW = 1_767_258_000
"""2026-01-01T09:00:00 in UTC."""
CLUSTER = """
queues:
  a.q: {hostlist: h1, slots: 2, load_thresholds: NONE, pe_list: both, h_rt: "1:0:0"}
  b.q: {hostlist: h1, slots: 2, load_thresholds: NONE}
pes: {both: {slots: 20, control_slaves: "TRUE"}}
users: {ada: {fshare: 1}}
scheduler: {schedd_job_info: "true"}
"""


def left(jobs: str, cluster: str = CLUSTER) -> State:
    """The state after a run."""
    contents = read_texts(
        Layout.YAML, "world", {"cluster.yaml": cluster, "jobs.yaml": f"now: 2026-01-01T09:00:00Z\n{jobs}"}
    )
    assert not contents.findings, contents.findings
    return after_run(simulate(contents.cluster, contents.state))


def task(state: State, job: int, number: int = 1) -> Task:
    return next(other for other in state.jobs if other.id == job).tasks[number]


PENDING = "submitted: 2026-01-01T08:59:00Z"


def test_starts_are_dated_in_their_order_and_told_for_how_long_they_are() -> None:
    state = left(f"""
jobs:
- {{id: 1, owner: ada, {PENDING}, qsub: -q a.q sleep 60}}
- {{id: 2, owner: ada, {PENDING}, qsub: "-q b.q -l h_rt=10 sleep 60"}}
- {{id: 3, owner: ada, {PENDING}, qsub: -q b.q sleep 60}}
""")
    assert state.now == NOW
    assert [task(state, job).state for job in (1, 2, 3)] == ["t", "t", "t"]
    assert dict(task(state, 1).granted) == {"a.q@h1": 1}
    assert [task(state, job).started for job in (1, 2, 3)] == [NOW, NOW + 1e-6, NOW + 2e-6]
    assert [task(state, job).wallclock_limit for job in (1, 2, 3)] == [3600, 10, INFINITY]
    assert set(task(state, 1).tickets or ()) == {"prior", "ntckts", "tckts", "otckt", "ftckt", "stckt", "share"}


def test_in_an_advance_reservation_a_task_is_started_for_as_long_as_elsewhere() -> None:
    reservation = "{id: 1, owner: ada, start: 2026-01-01T08:59:00Z, end: 2026-01-01T09:05:00Z, state: r, " \
        "granted: {a.q@h1: 1, b.q@h1: 1}}"  # fmt: skip
    state = left(f"""
reservations:
- {reservation}
jobs:
- {{id: 1, owner: ada, {PENDING}, qsub: -ar 1 -q a.q sleep 60}}
- {{id: 2, owner: ada, {PENDING}, qsub: -ar 1 -q b.q sleep 60}}
""")
    assert [task(state, job).wallclock_limit for job in (1, 2)] == [3600, INFINITY]


def test_what_has_no_place_stays_as_it_was() -> None:
    jobs = f"jobs:\n- {{id: 1, owner: ada, {PENDING}, qsub: -a 203501010000 sleep 60}}\n"
    (job,) = left(jobs).jobs
    assert not job.tasks
    assert job.changed is None


def test_a_parallel_task_keeps_its_environment_and_the_order_of_its_queue_instances() -> None:
    state = left(f"jobs:\n- {{id: 1, owner: ada, {PENDING}, qsub: -pe both 2 sleep 60}}\n")
    assert (task(state, 1).environment, dict(task(state, 1).granted)) == ("both", {"a.q@h1": 2})


@pytest.mark.parametrize("again", [False, True])
def test_what_was_sent_back_is_told_apart_and_keeps_the_hosts_that_are_not_cleaned_up(again: bool) -> None:
    pending = "{state: Rq, unclean: h2, hold: ''}" if again else "{state: qw}"
    state = left(f"jobs:\n- {{id: 1, owner: ada, {PENDING}, qsub: sleep 60, tasks: {{1: {pending}}}}}\n")
    assert (task(state, 1).state, task(state, 1).unclean) == (("Rt", ("h2",)) if again else ("t", ()))


ARRAY = f"""
jobs:
- id: 1
  owner: ada
  {PENDING}
  qsub: -t 1-3 -tc 1 sleep 60
  tasks: {{1: {{state: x, started: 2026-01-01T08:59:30Z, used: {{cpu: 7}}}}}}
"""


def test_a_task_that_has_ended_counts_once_more_and_is_gone_then() -> None:
    state = left(ARRAY)
    (job,) = state.jobs
    assert dict(job.tasks) == {1: Task("gone", started=NOW - 30)}
    contents = read_texts(Layout.YAML, "world", {"cluster.yaml": CLUSTER})
    later = after_run(simulate(contents.cluster, state, at=NOW + 15))
    assert [(number, one.state) for number, one in later.jobs[0].tasks.items()] == [(1, "gone"), (2, "t")]


def test_usage_is_booked_in_the_run_and_not_again() -> None:
    state = left(ARRAY)
    assert dict(state.usage.users["ada"].amounts) == {"cpu": 7.0, "finished_jobs": 1.0}
    assert state.usage.users["ada"].time == NOW
    contents = read_texts(Layout.YAML, "world", {"cluster.yaml": CLUSTER})
    again = after_run(simulate(contents.cluster, state, at=NOW))
    assert again.usage.users["ada"].amounts == state.usage.users["ada"].amounts


def test_of_what_runs_the_reported_usage_is_booked_but_not_of_what_is_suspended() -> None:
    places = "granted: a.q@h1, started: 2026-01-01T08:00:00Z, used: {cpu: 5}"
    state = left(f"""
jobs:
- {{id: 1, owner: ada, {PENDING}, qsub: sleep 60, tasks: {{1: {{state: r, {places}}}}}}}
- {{id: 2, owner: ada, {PENDING}, qsub: sleep 60, tasks: {{1: {{state: s, {places}}}}}}}
""")
    assert dict(state.usage.users["ada"].amounts) == {"cpu": 5.0}
    assert task(state, 1).used is None
    assert dict(task(state, 2).used or {}) == {"cpu": 5.0}


def test_with_the_last_task_the_job_is_gone_and_who_waited_for_it_is_sent_once_more() -> None:
    state = left(f"""
jobs:
- {{id: 7, owner: ada, {PENDING}, qsub: sleep 60, tasks: {{1: {{state: x}}}}}}
- {{id: 8, owner: ada, {PENDING}, qsub: -hold_jid 7 -a 203501010000 sleep 60}}
- {{id: 6, owner: ada, {PENDING}, qsub: -a 203501010000 sleep 60}}
""")
    assert {job.id: job.changed for job in state.jobs} == {8: NOW + 1e-6, 6: None}


def test_the_number_of_the_last_job_is_remembered_when_it_goes() -> None:
    assert (
        left(f"jobs:\n- {{id: 7, owner: ada, {PENDING}, qsub: sleep 60, tasks: {{1: {{state: x}}}}}}\n").jobseqnum == 7
    )


def test_jobs_that_are_refused_or_cannot_start_at_once_are_gone() -> None:
    state = left(f"""
jobs:
- {{id: 1, owner: ada, {PENDING}, qsub: -P nobody sleep 60}}
- {{id: 2, owner: ada, {PENDING}, qsub: -now y -t 1-9 sleep 60}}
""")
    assert (state.jobs, state.jobseqnum) == ((), 2)


SUBORDINATES = """
queues:
  high.q: {hostlist: h1, slots: 2, load_thresholds: NONE, subordinate_list: low.q=1}
  low.q: {hostlist: h1, slots: 2, load_thresholds: NONE}
"""


def test_a_start_suspends_a_subordinate_with_all_that_runs_there() -> None:
    state = left(
        f"""
jobs:
- id: 1
  owner: ada
  {PENDING}
  qsub: -q low.q sleep 60
  tasks: {{1: {{state: r, granted: low.q@h1, started: 2026-01-01T08:00:00Z}}}}
- {{id: 2, owner: ada, {PENDING}, qsub: -q high.q sleep 60}}
""",
        SUBORDINATES,
    )
    assert dict(state.queue_states) == {"low.q@h1": "S"}
    assert (task(state, 1).state, task(state, 2).state) == ("S", "t")
    # The queue instance is sent with the start in it, not because of the letter.
    assert state.seen_suspended == frozenset()


THRESHOLDS = """
queues:
  a.q: {hostlist: h1, slots: 4, suspend_thresholds: np_load_avg=1, nsuspend: 1, load_thresholds: NONE}
"""


@pytest.mark.parametrize(("load", "before", "after"), [("3", "r", "T"), ("0.1", "T", "r")])
def test_thresholds_date_the_task_and_its_master_queue_alike(load: str, before: str, after: str) -> None:
    state = left(
        f"""
loads: {{h1: {{np_load_avg: "{load}"}}}}
jobs:
- id: 1
  owner: ada
  {PENDING}
  qsub: sleep 60
  tasks: {{1: {{state: {before}, granted: a.q@h1, started: 2026-01-01T08:00:00Z}}}}
""",
        THRESHOLDS,
    )
    assert (task(state, 1).state, task(state, 1).changed) == (after, NOW + 1e-6)
    assert dict(state.changed) == {"a.q@h1": NOW + 1e-6}


def test_a_parallel_task_that_thresholds_suspend_is_sent_with_its_master_queue_alone() -> None:
    state = left(
        """
loads: {h1: {np_load_avg: "3"}}
jobs:
- id: 1
  owner: ada
  submitted: 2026-01-01T08:59:00Z
  qsub: -pe both 2 sleep 60
  tasks: {1: {state: r, granted: {a.q@h1: 1, b.q@h1: 1}, pe: both, started: 2026-01-01T08:00:00Z}}
""",
        THRESHOLDS.replace("nsuspend: 1,", "nsuspend: 1, pe_list: both,")
        + "  b.q: {hostlist: h1, slots: 4, pe_list: both, load_thresholds: NONE}\npes: {both: {slots: 9}}\n",
    )
    assert task(state, 1).state == "T"
    assert dict(state.changed) == {"a.q@h1": NOW + 1e-6}


def test_what_calendars_do_is_no_letter_that_is_kept() -> None:
    cluster = """
calendars: {never: {week: "mon-sun=0-24=off"}}
queues: {a.q: {hostlist: h1, calendar: never}}
"""
    state = left("states: {a.q@h1: d}\njobs: []\n", cluster)
    assert dict(state.queue_states) == {"a.q@h1": "d"}


def test_a_suspended_task_keeps_the_numbers_that_it_had() -> None:
    """Those of the run before where they are known, else those that it would have if it ran."""
    known = "prior: 0.7, ntckts: 0.2, tckts: 5, otckt: 1, ftckt: 3, stckt: 1, share: 0.1"
    states = [
        left(f"""
jobs:
- id: 1
  owner: ada
  {PENDING}
  qsub: sleep 60
  tasks: {{1: {{state: {letter}, granted: a.q@h1, started: 2026-01-01T08:59:00Z{numbers}}}}}
- {{id: 2, owner: bob, {PENDING}, qsub: sleep 60}}
""")
        for letter, numbers in (
            ("r", ""), ("s", ""), ("s", f", tickets: {{{known}}}"), ("s", ", tickets: {prior: 0.7}")
        )
    ]  # fmt: skip
    running, suspended, remembered, listed = (dict(task(state, 1).tickets or {}) for state in states)
    assert suspended == listed == running
    assert running["prior"] > 0
    assert remembered == {
        "prior": 0.7, "ntckts": 0.2, "tckts": 5, "otckt": 1, "ftckt": 3, "stckt": 1, "share": 0.1}  # fmt: skip


@pytest.mark.parametrize(
    ("before", "now"), [("08:59:59Z", NOW), ("09:00:00Z", NOW + 1e-6), ("09:00:05Z", NOW + 5 + 1e-6)]
)
def test_a_start_is_dated_after_those_of_the_same_second(before: str, now: float) -> None:
    places = f"granted: b.q@h1, started: 2026-01-01T{before}"
    state = left(f"""
jobs:
- {{id: 1, owner: ada, {PENDING}, qsub: sleep 60, tasks: {{1: {{state: r, {places}}}}}}}
- {{id: 2, owner: ada, {PENDING}, qsub: sleep 60}}
""")
    assert task(state, 2).started == pytest.approx(now, abs=1e-7)


@pytest.mark.parametrize(
    ("changed", "when"),
    [("08:59:59Z", NOW + 1e-6), ("09:00:00Z", NOW + 1e-6), ("09:00:05Z", NOW + 5 + 1e-6)],
)
def test_thresholds_date_what_they_halt_after_all_that_has_changed(changed: str, when: float) -> None:
    state = left(
        f"""
loads: {{h1: {{np_load_avg: "3"}}}}
changed: {{a.q@h1: 2026-01-01T{changed}}}
jobs:
- id: 1
  owner: ada
  {PENDING}
  qsub: sleep 60
  tasks: {{1: {{state: r, granted: a.q@h1, started: 2026-01-01T08:00:00Z}}}}
""",
        THRESHOLDS.replace("nsuspend: 1", "nsuspend: 1, suspend_interval: 0:0:1"),
    )
    assert task(state, 1).state == "T"
    assert task(state, 1).changed == pytest.approx(when, abs=1e-7)


def test_who_gets_no_reservation_tells_so_from_then_on() -> None:
    asks = "complexes: {lic: {shortcut: lic, type: INT, relop: <=, requestable: YES, consumable: YES, default: 0}}\n"
    plans = CLUSTER.replace("scheduler: {", "scheduler: {max_reservation: 2, ").lstrip()
    jobs = f"""
jobs:
- {{id: 1, owner: ada, {PENDING}, qsub: -R y -l lic=1 sleep 60}}
- {{id: 2, owner: ada, {PENDING}, qsub: -a 203501010000 sleep 60}}
"""
    state = left(jobs, asks + plans)
    assert [job.reservation_rejected for job in state.jobs] == [True, False]


def test_slots_that_are_in_use_already_help_to_suspend_with_the_next_start() -> None:
    """The first of two starts reaches the threshold, so that the other queue instance is sent as it stands then."""
    state = left(
        f"""
seen: {{low.q@h1: suspended}}
jobs:
- id: 1
  owner: ada
  {PENDING}
  qsub: -q high.q sleep 60
  tasks: {{1: {{state: r, granted: high.q@h1, started: 2026-01-01T08:00:00Z}}}}
- {{id: 2, owner: ada, {PENDING}, qsub: -q high.q sleep 60}}
- {{id: 3, owner: ada, {PENDING}, qsub: -q low.q sleep 60}}
""",
        SUBORDINATES.replace("low.q=1", "low.q=2"),
    )
    assert [task(state, number).state for number in (2, 3)] == ["t", "t"]
    assert state.seen_suspended == {"low.q@h1"}


def test_with_a_start_a_job_is_sent_and_its_category_made_anew() -> None:
    runs = {1: Task("r", {"a.q@h1": 1}, building.NOW - 9)}
    jobs = (
        building.job(1, category_ar=NO_RESERVATION),
        building.job(2, "-t 1-3 -tc 1", tasks=runs, category_ar=NO_RESERVATION),
    )
    state = after_run(simulate(building.cluster(building.queue("a.q", "h1", 9)), building.state(jobs)))
    assert [(job.category_ar, [*job.tasks]) for job in state.jobs] == [(None, [1]), (NO_RESERVATION, [1])]


def test_numbers_that_somebody_may_ask_for_are_written_down_by_a_plain_run() -> None:
    numbers = {"prior": 0.5, "tckts": 7.0}
    known = building.state([building.job(1, tasks={1: Task("Eqw", tickets=LaterNumbers())})], numbers={(1, 1): numbers})
    state = after_run(simulate(building.cluster(building.queue("a.q", "h1")), known))
    assert state.jobs[0].tasks[1].tickets == numbers
    assert not isinstance(state.jobs[0].tasks[1].tickets, LaterNumbers)


def test_a_task_whose_start_is_refused_is_enrolled_and_keeps_the_columns_of_its_job() -> None:
    on = building.cluster(
        building.attribute("tok tok INT <= YES JOB 0"),
        building.host("global", "tok=2"),
        building.host("h1", "tok=0"),
        building.queue("all.q", "h1", 2, pe_list="mpi"),
        building.environment("mpi"),
        building.scheduler(weight_urgency=1),
    )
    waiting = building.job(2, "-pe mpi 2 -l tok=1 -t 1-2")
    first = after_run(simulate(on, building.state([building.running(1, "all.q@h1"), waiting])))
    columns = dict(first.columns_of(first.jobs[1]))
    assert columns == {"nurg": 1, "npprior": 0.5, "urg": 2000, "rrcontr": 2000}
    second = after_run(simulate(on, replace(first, jobs=first.jobs[1:])))
    refused, plain = second.jobs[0].tasks[1], second.jobs[0].tasks.get(2)
    assert (refused.state, refused.start_failed, plain) == ("qw", True, None)
    again = read_texts(Layout.YAML, "cluster", {"jobs.yaml": state_text(second)})
    assert not again.findings
    assert again.state.columns_of(again.state.jobs[0]) == second.columns_of(second.jobs[0])
    assert again.state.jobs[0].tasks[1].start_failed
