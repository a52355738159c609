"""What YAML says of jobs, hosts and usage at the bounds of what can be right, and where what is wrong stands."""

import pytest

from qmon_tui.formats.folder_reader import Contents, read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.state.state_contents import DEFAULT_START
from qmon_tui.model.exceptions import Drain
from qmon_tui.model.jobs import Job
from qmon_tui.model.state import State
from qmon_tui.values.times import parse_time


def contents(text: str) -> Contents:
    return read_texts(Layout.YAML, "c", {"jobs.yaml": text})


def read(text: str) -> tuple[State, list[tuple[int | None, int | None, str]]]:
    """The state, and of each finding its line, its column and how it begins."""
    found = contents(text)
    return found.state, [(one.line, one.column, one.message) for one in found.findings]


def job_of(fields: str) -> tuple[Job, list[tuple[int | None, str, str | None, str]]]:
    """The one job, and of each finding its column, its job, its field and its message."""
    found = contents(f"jobs:\n- {{owner: a, submitted: 2025-03-01T00:00:00, {fields}}}\n")
    (job,) = found.state.jobs
    return job, [(one.column, one.name, one.field, one.message) for one in found.findings]


START = parse_time("2025-03-01T00:00:00")


@pytest.mark.parametrize("key", ["jobs", "reservations", "loads", "states", "usage", "changed"])
@pytest.mark.parametrize("nothing", ["", "NONE", "''"])
def test_a_section_may_say_nothing(key: str, nothing: str) -> None:
    assert read(f"{key}: {nothing}\n") == (State(now=parse_time(DEFAULT_START)), [])


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("jobs: x\n", 7, "jobs is a list, each job begins with a dash"),
        ("reservations: x\n", 15, "reservations is a list, each one begins with a dash"),
        ("loads: [1]\n", 8, "loads holds names and values, such as sim1: {np_load_avg: 0.3}"),
        ("loads: {'': {x: 1}}\n", 9, "a name in loads is one word"),
        ("loads: {a: {x: 1, [b]: 2}}\n", 19, "a name in a is one word"),
        ("usage: {hosts: {}}\n", 9, 'usage has no "hosts"; known are users, projects'),
        ("usage: {users: {a: {cpu: x}}}\n", 26, '"x" is not an amount of cpu, write a number such as 3600'),
    ],
)
def test_a_section_has_its_shape(text: str, column: int, said: str) -> None:
    assert read(text)[1] == [(1, column, said)]


@pytest.mark.parametrize(
    ("numbers", "known", "said"),
    [
        (("1", "9999999"), [1, 9999999], []),
        (("10000000", ""), [1], [(2, 18, '"10000000" is not a job number, write 1 to 9999999')]),
        (("-1", "²"), [], [(2, 18, '"-1" is not a job number'), (3, 18, '"²" is not a job number')]),
        (("5", "", "5", ""), [5, 6, 7], [(4, 3, "job 5 is written twice, also in jobs.yaml line 2")]),
        (("", "3", ""), [1, 3, 4], []),
    ],
)
def test_numbers_of_jobs(numbers: tuple[str, ...], known: list[int], said: list[tuple[int, int, str]]) -> None:
    state, findings = read("jobs:\n" + "".join(f"- {{owner: a{n and f', id: {n}'}}}\n" for n in numbers))
    assert [job.id for job in state.jobs] == known
    assert [(line, column) for line, column, _ in findings] == [(line, column) for line, column, _ in said]
    assert all(message.startswith(start) for (*_, message), (*_, start) in zip(findings, said, strict=True))


@pytest.mark.parametrize(
    ("tasks", "known", "said"),
    [
        ("2-6: {state: hqw}", [2, 4, 6], ""),
        ("'2,6': {state: hqw}", [2, 6], ""),
        ("3: {state: hqw}", [], ""),
        ("1-4: {state: hqw}", [], "job 1 has no tasks 1-4, only 2-6"),
        ("2-7: {state: hqw}", [], "job 1 has no tasks 2-7, only 2-6"),
        ("4: {state: hqw}, 2-6: {state: hqw}", [2, 4, 6], "task 4 of job 1 is written twice"),
        ("2: 5", [], "task 2 is written as {state: ..., granted: ...}"),
        (
            "2: {granted: a@b}",
            [],
            '"" is not a state of a task, write letters of qstat such as qw, hqw, r, t, s, or gone',
        ),
        ("4-: {state: hqw}", [], "job 1 has no tasks 4-, only 2-6"),
    ],
)
def test_tasks_of_an_array(tasks: str, known: list[int], said: str) -> None:
    job, findings = job_of(f"qsub: -t 2-6:2 x, tasks: {{{tasks}}}")
    assert list(job.tasks) == known
    assert [message for *_, message in findings] == ([said] if said else [])
    assert all(name == "1" for _, name, _, _ in findings)


@pytest.mark.parametrize(
    ("granted", "slots", "said"),
    [
        ("{a@B: 1}", {"a@b": 1}, ""),
        ("{a@B: 9999999, c@d: 2}", {"a@b": 9999999, "c@d": 2}, ""),
        ("a@B", {"a@b": 1}, ""),
        ("{a@B: 0}", None, "granted is a queue instance and its slots: all.q@sim1: 1"),
        ("{a@B: 10000000}", None, "granted is a queue instance and its slots: all.q@sim1: 1"),
        ("{a: 1}", None, "granted is a queue instance and its slots: all.q@sim1: 1"),
        ("", None, "a task in state r has a place: granted: {all.q@sim1: 1}"),
    ],
)
def test_places_of_a_task(granted: str, slots: dict[str, int] | None, said: str) -> None:
    job, findings = job_of(f"tasks: {{1: {{state: r, granted: {granted} }}}}")
    assert [dict(task.granted) for task in job.tasks.values()] == ([] if slots is None else [slots])
    assert [(field, message) for _, _, field, message in findings] == ([("tasks", said)] if said else [])


@pytest.mark.parametrize("state", ["r", "t", "s", "S", "T", "dr", "Rr", "qw", "hqw", "Eqw", "hRwq", "gone"])
def test_what_runs_has_a_place_and_a_start(state: str) -> None:
    runs = "q" not in state and state != "gone"
    job, findings = job_of(f"tasks: {{1: {{state: {state}}}}}")
    assert [message for *_, message in findings] == [
        f"a task in state {state} has a place: granted: {{all.q@sim1: 1}}"
    ] * runs
    assert [task.started for task in job.tasks.values()] == [None] * (not runs)
    job, findings = job_of(f"tasks: {{1: {{state: {state}, granted: a@b}}}}")
    assert [(task.state, task.started) for task in job.tasks.values()] == [(state, START if runs else None)]
    job, findings = job_of(f"tasks: {{1: {{state: {state}, granted: a@b, started: soon}}}}")
    assert [task.started for task in job.tasks.values()] == [START]
    assert [message for *_, message in findings] == ['"soon" is not a time: write it as 2026-11-21T09:00:00']


@pytest.mark.parametrize(("text", "is_known"), [("rejected", True), ("refused", False)])
def test_a_flag_is_its_one_word(text: str, is_known: bool) -> None:
    job, findings = job_of(f"reservation: {text}")
    assert job.reservation_rejected is is_known
    assert [(name, field) for _, name, field, _ in findings] == ([] if is_known else [("1", "reservation")])


@pytest.mark.parametrize(("text", "known"), [("suspended", {"q@n1", "q@n2"}), ("running", set())])
def test_queue_instances_that_the_scheduler_sees_suspended(text: str, known: set[str]) -> None:
    state, findings = read(f"seen: {{'q@n[1-2]': {text}}}\n")
    assert (set(state.seen_suspended), len(findings)) == (known, int(not known))


def test_the_first_of_two_simulations_holds() -> None:
    found = read_texts(Layout.YAML, "c", {"a.yaml": "simulation: {seed: 1}\n", "b.yaml": "simulation: {seed: 2}\n"})
    assert found.state.simulation.seed == 1
    assert [(one.file, one.line, one.message) for one in found.findings] == [
        ("b.yaml", 1, "simulation is written twice, also in a.yaml")
    ]


def test_run_times_are_those_of_tasks_that_there_are() -> None:
    job, findings = job_of("qsub: -t 1-3 x, runtimes: {1: 5, 3: 6}")
    assert (dict(job.runtimes), findings) == ({1: 5, 3: 6}, [])
    _, ((_, name, field, message),) = job_of("qsub: -t 1-3 x, runtimes: {1: 5, 4-5: 6}")
    assert (name, field, message) == ("1", "runtimes", "job 1 has no tasks 4-5")


@pytest.mark.parametrize(
    ("text", "known", "said"),
    [
        ("{x: 5, 1: y, 2: 6}", {2: 6}, ['"x: 5" is not a run time', '"1: y" is not a run time']),
        ("{1: -5}", {}, ['"1: -5" is not a run time']),
        ("{'2-': 5}", {}, ['"2-: 5" is not a run time']),
        ("{1000000: 6}", {1000000: 6}, []),
        ("{1000001: 6}", {}, ['"1000001: 6" is not a run time, write tasks and whole seconds such as {2-5: 60}']),
        ("5", {}, ["runtimes holds names and values, such as 2-5: 60, 7: 90"]),
    ],
)
def test_run_times_that_are_none_are_said_and_left_out(text: str, known: dict[int, int], said: list[str]) -> None:
    job, findings = job_of(f"qsub: -t 1-2000000 x, runtimes: {text}")
    assert dict(job.runtimes) == known
    assert all(message.startswith(start) for (*_, message), start in zip(findings, said, strict=True))


@pytest.mark.parametrize(
    ("text", "said"),
    [("5", "map_users holds names and values, such as user1: anna"), ("{a: [1]}", "a in map_users is one value")],
)
def test_names_of_a_trace_that_are_none_are_said(text: str, said: str) -> None:
    assert [message for *_, message in read(f"workload: {{map_users: {text}}}\n")[1]] == [said]


@pytest.mark.parametrize(("option", "name"), [("-a", "start_time"), ("-dl", "deadline")])
def test_a_date_without_a_year_is_in_the_year_of_submission(option: str, name: str) -> None:
    job, _ = job_of(f"qsub: {option} 12241800 x")
    assert getattr(job.request, name) == parse_time("2025-12-24T18:00:00")


def test_hosts_of_a_node_set_are_known_once() -> None:
    state, findings = read("loads: {'n[1-2]': {x: 1}, N2: {x: 2}, 'm[': {x: 1}}\n")
    assert {host: dict(values) for host, values in state.loads.items()} == {"n1": {"x": "1"}, "n2": {"x": "1"}}
    assert findings == [
        (1, 27, "the load values of n2 are written twice"),
        (1, 39, '"m[" is not a node set: write node[001-100]'),
    ]


@pytest.mark.parametrize(
    ("states", "known", "said"),
    [
        ("'q@n[1-2]': d, q@N2: s", {"q@n1": "d", "q@n2": "d"}, ["the state of q@n2 is written twice"]),
        (
            "'@n': d, 'q@': d, q: d",
            {},
            [f'"{name}" is not a queue instance, write all.q@sim1' for name in ("@n", "q@", "q")],
        ),
        ("q@n: ''", {"q@n": ""}, []),
        ("q@n: ", {}, ['"" is not a state, write letters of aACDduESsco']),
        ("q@n: dk", {}, ['"dk" is not a state, write letters of aACDduESsco']),
    ],
)
def test_states_of_queue_instances(states: str, known: dict[str, str], said: list[str]) -> None:
    state, findings = read(f"states: {{{states}}}\n")
    assert dict(state.queue_states) == known
    assert [message for *_, message in findings] == said


def test_reasons_of_errors() -> None:
    state, findings = read("reasons: {'q@n[1-2]': 'no: shell', q@N2: other, q@n3: [a], q: x}\n")
    assert dict(state.error_reasons) == {"q@n1": "no: shell", "q@n2": "no: shell"}
    assert [message for *_, message in findings] == [
        "q@n3 in reasons is one value",
        "the reason of q@n2 is written twice",
        '"q" is not a queue instance, write all.q@sim1',
    ]


def test_drains_of_hosts_and_queue_instances() -> None:
    text = """drains:
  n[1-2]: {reason: psu, who: anna, since: 2026-01-01T00:00:00, until: 2026-01-02T00:00:00}
  Q@n1: [{reason: disk}, {reason: 'a: b', who: bert}, {reason: disk}]
  N2: {reason: disk, who: anna}
  n3: {who: anna}
  q@: {reason: x}
  n4: x
  n5: {reason: x, end: 5}
"""
    state, findings = read(text)
    start = parse_time("2026-01-01T00:00:00")
    first = Drain("psu", "anna", start, start + 86400)
    assert dict(state.drains) == {
        "n1": (first,), "n2": (first, Drain("disk", "anna")), "Q@n1": (Drain("disk"), Drain("a: b", "bert")),
        "n5": (Drain("x"),),
    }  # fmt: skip
    assert [message for *_, message in findings] == [
        "a drain needs a reason",
        '"q@" is neither a host nor a queue instance',
        "a reason is written as node05: {reason: new power supply, who: anna}",
        'a drain has no "end"; known are reason, who, since, until',
        "disk is written twice for Q@n1",
    ]


def test_when_queues_and_instances_changed() -> None:
    first = "2026-01-01T00:00:00"
    state, findings = read(f"changed: {{'q@n[1-2]': {first}, q@n2: +5, q: {first}.5, '@n': {first}, q@: {first}}}\n")
    start = parse_time(first)
    assert dict(state.changed) == {"q@n1": start, "q@n2": start, "q": start + 0.5}
    assert [message for *_, message in findings] == [
        "when q@n2 changed is written twice",
        '"@n" is not a queue, write all.q or all.q@sim1',
        '"q@" is not a queue, write all.q or all.q@sim1',
    ]


@pytest.mark.parametrize(
    ("text", "scores"),
    [
        ("-34/-68/-136", (-34, -68, -136)),
        ("-123456789/0/0", (-123456789, 0, 0)),
        ("0/0/0", (0, 0, 0)),
        ("-1234567890/0/0", None),
        ("1/0/0", None),
        ("-1/0", None),
    ],
)
def test_what_the_scheduler_remembers_of_searches(text: str, scores: tuple[int, int, int] | None) -> None:
    state, findings = read(f"pe_alg: {text}\n")
    assert (state.pe_alg, len(findings)) == (scores or (0, 0, 0), scores is None)


def test_a_job_takes_over_what_it_does_not_say_itself_from_the_first_that_says_it() -> None:
    text = """jobs:
- &a {owner: a, qsub: -p 1 x}
- {<<: *a, qsub: y}
- {<<: [{group: g, odd: 1}, *a, {group: h}]}
- {<<: 5, owner: b}
- {owner: c, [x]: 1}
"""
    state, findings = read(text)
    assert [(job.owner, job.qsub, job.group) for job in state.jobs] == [
        ("a", "-p 1 x", "staff"),
        ("a", "y", "staff"),
        ("a", "-p 1 x", "g"),
        ("b", "", "staff"),
        ("c", "", "staff"),
    ]
    assert [(line, column, message.partition(";")[0]) for line, column, message in findings] == [
        (5, 8, "<<: takes over a mapping"),
        (6, 14, 'a job has no "?"'),
    ]


def test_usage_is_known_once_and_of_a_user_by_project() -> None:
    state, findings = read(
        "usage: {users: {a: {cpu: 1, projects: {p: {cpu: 2}}}, a: {cpu: 3}}, projects: {a: {cpu: 4}}}\n"
    )
    assert dict(state.usage.users["a"].amounts) == {"cpu": 1}
    assert dict(state.usage.users["a"].by_project["p"]) == {"cpu": 2}
    assert dict(state.usage.projects["a"].amounts) == {"cpu": 4}
    assert findings == [(1, 55, "the usage of a is written twice")]


@pytest.mark.parametrize(
    ("now", "submitted", "times"),
    [
        ("09:00:00", ("soon", "+10"), (-10, 0)),
        ("09:00:00", ("+5", "09:00:30"), (0, 30)),
        ("09:00:00", ("", "+10", "+60", ""), (-60, -50, 0, 0)),
        ("09:00:00", ("", ""), (0, 0)),
        ("09:00:00", ("08:59:00", "+10"), (-60, -50)),
    ],
)
def test_offsets_count_so_that_no_job_comes_after_now(
    now: str, submitted: tuple[str, ...], times: tuple[int, ...]
) -> None:
    day = "2026-01-01T"
    written = [day + text if ":" in text else text for text in submitted]
    items = "".join(f"- {{owner: a{text and f', submitted: {text}'}}}\n" for text in written)
    state, _ = read(f"now: {day}{now}\njobs:\n{items}")
    assert [job.submitted - parse_time(day + now) for job in state.jobs] == list(times)


def test_what_says_nothing_or_is_wrong_is_passed_over_and_what_comes_behind_it_is_read() -> None:
    job, findings = job_of("group: '', name: [x], runtime: 5, project: ''")
    assert (job.group, job.runtime, job.project) == ("staff", 5, None)
    assert [message for *_, message in findings] == ["this is one value, not a list or mapping"]
    state, said = read("usage: {users: {a: {cpu: [1], mem: x, io: 2}}}\n")
    assert dict(state.usage.users["a"].amounts) == {"io": 2}
    assert [message for *_, message in said] == [
        "cpu is one value",
        '"x" is not an amount of mem, write a number such as 3600',
    ]
