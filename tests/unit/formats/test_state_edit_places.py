"""Into which file a change of the state goes, and that it is spelled as what stood there."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.folder_writer import EditRefused, texts_with_state
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.formats.state.entries import changed_entries
from qmon_tui.model.jobs import AdvanceReservation, Job, Task
from qmon_tui.model.state import State

NOW = "now: 2026-01-01T00:00:00\n"
JOB = "- {{id: {}, owner: anna, submitted: 2026-01-01T00:00:00, qsub: sleep 1}}\n"
TIMES = "start: 2026-01-02T00:00:00, end: 2026-01-03T00:00:00"
RESERVATIONS = f"reservations:\n- {{id: 1, owner: anna, {TIMES}, granted: {{a.q@n1: 1}}, state: w}}\n"
JOBS = {
    "a.yaml": NOW + "jobs:\n" + JOB.format(1),
    "b.yaml": "jobs:\n" + JOB.format(2),
    "c.yaml": "states: {a.q@n1: d}\n",
}
NEW = Job(9, "ben", 1_767_225_600, parse_qsub("sleep 1").request, "sleep", runtime=1, qsub="sleep 1")
GRANTED = AdvanceReservation(9, "ben", 1_767_225_600, 1_767_229_200, {"a.q@n1": 1})


def changed(texts: Mapping[str, str], change: Callable[[State], State], layout: Layout = Layout.YAML) -> dict[str, str]:
    """The new texts of the files that change; the folder then says what was meant."""
    state = read_texts(layout, "cluster", texts).state
    wanted = change(state)
    after = texts_with_state(layout, "cluster", texts, wanted)
    assert not list(changed_entries(read_texts(layout, "cluster", {**texts, **after}).state, wanted))
    return dict(after)


def with_owner(number: int) -> Callable[[State], State]:
    return lambda state: replace(
        state, jobs=tuple(replace(job, owner="ben") if job.id == number else job for job in state.jobs)
    )


def without(number: int) -> Callable[[State], State]:
    return lambda state: replace(state, jobs=tuple(job for job in state.jobs if job.id != number))


def with_new_job(state: State) -> State:
    return replace(state, jobs=(*state.jobs, NEW))


def with_loads(state: State) -> State:
    return replace(state, loads={**state.loads, "n1": {"arch": "lx"}})


def with_state(state: State) -> State:
    return replace(state, queue_states={**state.queue_states, "a.q@n2": "s"})


def reserved(state: State) -> State:
    return replace(state, reservations=(*state.reservations, GRANTED))


LOADS = {"l.yaml": "loads: {n2: {arch: lx}}\n"}


@pytest.mark.parametrize(
    ("texts", "change", "files"),
    [
        (JOBS, with_owner(1), ["a.yaml"]),
        (JOBS, with_owner(2), ["b.yaml"]),
        (JOBS, without(1), ["a.yaml"]),
        (JOBS, without(2), ["b.yaml"]),
        (JOBS, with_new_job, ["b.yaml"]),
        (JOBS, with_state, ["c.yaml"]),
        (JOBS, with_loads, ["b.yaml"]),
        (JOBS, reserved, ["b.yaml"]),
        ({**JOBS, **LOADS}, with_loads, ["l.yaml"]),
        ({**JOBS, "r.yaml": RESERVATIONS}, reserved, ["r.yaml"]),
        ({"a.yaml": "queues: {}\n"}, with_loads, ["jobs.yaml"]),
        ({"a.yaml": "queues: {}\n"}, with_new_job, ["jobs.yaml"]),
    ],
)  # fmt: skip
def test_a_change_goes_where_such_things_stand(
    texts: dict[str, str], change: Callable[[State], State], files: list[str]
) -> None:
    assert sorted(changed(texts, change)) == files


@pytest.mark.parametrize(("change", "file"), [(with_loads, "loads.yaml"), (with_state, "x.yaml"), (reserved, "x.yaml")])
def test_in_a_folder_of_qconf_loads_have_a_file_of_their_own(change: Callable[[State], State], file: str) -> None:
    texts = {"schedconf": "algorithm default\n", "x.yaml": JOBS["a.yaml"]}
    assert list(changed(texts, change, Layout.QCONF)) == [file]


TIME = 1_767_225_600


@pytest.mark.parametrize(
    ("text", "numbers", "after"),
    [
        ("jobseqnum: 7   # last\n" + NOW, {"jobseqnum": 0}, NOW),
        (NOW + "jobseqnum: 7", {"jobseqnum": 0}, NOW),
        (f"{{jobseqnum: 7, {NOW[:-1]}}}\n", {"jobseqnum": 0}, f"{{jobseqnum: 0, {NOW[:-1]}}}\n"),
        ("jobseqnum: 7   # last\n" + NOW, {"jobseqnum": 9}, "jobseqnum: 9   # last\n" + NOW),
        (f"queues: {{}}\n# state\n{NOW}states: {{a.q@n: d}}\n", {"jobseqnum": 9},
         f"queues: {{}}\n# state\njobseqnum: 9\n{NOW}states: {{a.q@n: d}}\n"),
        (f"queues: {{}}\r\n{NOW[:-1]}\r\n", {"arseqnum": 9}, f"queues: {{}}\r\narseqnum: 9\r\n{NOW[:-1]}\r\n"),
        ("queues: {}\n", {"jobseqnum": 9}, "queues: {}\njobseqnum: 9\n"),
        ("queues: {}", {"jobseqnum": 9, "arseqnum": 3}, "queues: {}\njobseqnum: 9\narseqnum: 3\n"),
        ("jobseqnum: 7\n", {"now": TIME}, NOW + "jobseqnum: 7\n"),
        ("jobseqnum:\n  7\n" + NOW, {"jobseqnum": 0}, NOW),
    ],
)  # fmt: skip
def test_the_time_and_last_numbers_have_lines_of_their_own(text: str, numbers: dict[str, int], after: str) -> None:
    assert changed({"jobs.yaml": text}, lambda state: replace(state, **numbers)) == {"jobs.yaml": after}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("written", "after"),
    [
        ('"d"', '"ds"'), ("'d'", "'ds'"), ("d", "ds"),
        ("d  # since noon", "ds  # since noon"), ("  d", "  ds"),
        ("''", "'ds'"), ('""', '"ds"'), (">-\n    d", "ds"),
    ],
)  # fmt: skip
def test_states_keep_their_quotes(written: str, after: str) -> None:
    texts = {"jobs.yaml": f"{NOW}states:\n  a.q@n1: {written}\n  b.q@n1: E\n"}
    new = changed(texts, lambda state: replace(state, queue_states={"a.q@n1": "ds", "b.q@n1": "E"}))
    assert new == {"jobs.yaml": texts["jobs.yaml"].replace(written, after)}


@pytest.mark.parametrize(
    ("written", "after"),
    [
        ("  a.q@n1:", "  a.q@n1: ds"),
        ("  a.q@n1:   # none", "  a.q@n1: ds   # none"),
        ("  a.q@n1: |\n    d", "  a.q@n1: ds"),
        ("  a.q@n1:\n    d", "  a.q@n1:\n    ds"),
    ],
)
def test_a_state_takes_the_place_of_none_and_of_several_lines(written: str, after: str) -> None:
    texts = {"jobs.yaml": f"{NOW}states:\n{written}\n  b.q@n1: E\n"}
    new = changed(texts, lambda state: replace(state, queue_states={"a.q@n1": "ds", "b.q@n1": "E"}))
    assert new == {"jobs.yaml": texts["jobs.yaml"].replace(written, after)}


def without_department(state: State) -> State:
    (job,) = state.jobs
    return replace(state, jobs=(replace(job, department=None),))


def without_department_and_project(state: State) -> State:
    (job,) = without_department(state).jobs
    return replace(state, jobs=(replace(job, project=None),))


def without_arch(state: State) -> State:
    return replace(state, loads={"n1": {name: text for name, text in state.loads["n1"].items() if name != "arch"}})


REST = "  owner: anna\n  submitted: 2026-01-01T00:00:00\n  qsub: sleep 1\n"


@pytest.mark.parametrize(
    ("text", "change", "after"),
    [
        ("jobs:\n- department: d\n  id: 1\n" + REST, without_department, "jobs:\n- id: 1\n" + REST),
        ("jobs:\n- department: d   # his\n  id: 1\n" + REST, without_department, "jobs:\n- id: 1\n" + REST),
        ("jobs:\n- id: 1\n  department: d\n" + REST, without_department, "jobs:\n- id: 1\n" + REST),
        ("jobs:\n- id: 1\n" + REST + "  department: d\n", without_department, "jobs:\n- id: 1\n" + REST),
        ("jobs:\n-\n  department: d\n  id: 1\n" + REST, without_department, "jobs:\n-\n  id: 1\n" + REST),
        (
            "jobs:\n- department: d   # his\n  # the number\n\n  id: 1\n" + REST,
            without_department,
            "jobs:\n  # the number\n- id: 1\n" + REST,
        ),
        (
            "jobs:\n- department: d\n  # of it\n  project: p # it\n  # the number\n  id: 1\n" + REST,
            without_department_and_project,
            "jobs:\n  # of it\n  # the number\n- id: 1\n" + REST,
        ),
        (
            "jobs:\n- department: d\n  id: 1\n  project: p\n" + REST,
            without_department_and_project,
            "jobs:\n- id: 1\n" + REST,
        ),
        ("jobs:\n" + JOB.format(1).replace("{id", "{department: d, id"), without_department, "jobs:\n" + JOB.format(1)),
        ("loads:\n  n1:\n    arch: lx\n    num_proc: 4\n", without_arch, "loads:\n  n1:\n    num_proc: 4\n"),
        ("loads:\n  n1:\n    num_proc: 4\n    arch: lx\n", without_arch, "loads:\n  n1:\n    num_proc: 4\n"),
        ("loads:\n  n1: {arch: lx, num_proc: 4}\n", without_arch, "loads:\n  n1: {num_proc: 4}\n"),
        ("loads:\n  n1:\n    arch: lx\n", without_arch, "loads:\n  n1: {}\n"),
    ],
)
def test_a_field_goes_from_wherever_it_stands(text: str, change: Callable[[State], State], after: str) -> None:
    """Behind a dash, which stays, or between others."""
    assert changed({"jobs.yaml": text}, change) == {"jobs.yaml": after}


@pytest.mark.parametrize(
    ("text", "lines"), [("", []), ("queues: {}\n", ["queues: {}"]), ("queues: {}", ["queues: {}"]), ("\n", [""])]
)
def test_a_new_key_begins_a_line_of_its_own(text: str, lines: list[str]) -> None:
    (new,) = changed({"jobs.yaml": text}, with_loads).values()
    assert new.splitlines()[: len(lines) + 1] == [*lines, "loads:"]


def only_new(state: State) -> State:
    return replace(state, jobs=(NEW,))


def last_replaced(state: State) -> State:
    return replace(state, jobs=(*state.jobs[:-1], NEW))


A, B = (JOB.format(number)[2:-1] for number in (1, 2))
WRITTEN = "{id: 9, owner: ben, group: staff, submitted: 2026-01-01T00:00:00, qsub: sleep 1}"


def in_lines(flow: str, lead: str = "") -> str:
    return f"{lead}- " + flow[1:-1].replace(", ", f"\n{lead}  ") + "\n"


@pytest.mark.parametrize(
    ("text", "change", "after"),
    [
        ("jobs: []", with_new_job, f"jobs: [{WRITTEN}]"),
        ("jobs: []\n", with_new_job, f"jobs: [{WRITTEN}]\n"),
        (f"jobs: [{A}]\n", with_new_job, f"jobs: [{A}, {WRITTEN}]\n"),
        (f"jobs: [{A}, {B}]\n", only_new, f"jobs: [{WRITTEN}]\n"),
        (f"jobs: [{A}, {B},]\n", only_new, f"jobs: [{WRITTEN}]\n"),
        (f"jobs: [{A},]\n", without(1), "jobs: []\n"),
        (f"jobs: [{A}, {B}]\n", last_replaced, f"jobs: [{A}, {WRITTEN}]\n"),
        (f"jobs:\n  - {A}\n  - {B}\n", with_new_job, f"jobs:\n  - {A}\n  - {B}\n  - {WRITTEN}\n"),
        (f"jobs:\n- {A}\n# a\n- {B}\n# b\n", only_new, f"jobs:\n- {WRITTEN}\n# a\n# b\n"),
        (f"jobs:\n- {A}\njobs:\n- {B}\n", only_new, f"jobs:\njobs:\n- {WRITTEN}\n"),
        (f"jobs:\n{in_lines(A)}# a\n", with_new_job, f"jobs:\n{in_lines(A)}{in_lines(WRITTEN)}# a\n"),
        (f"jobs:\n{in_lines(A)}# a\n", only_new, f"jobs:\n{in_lines(WRITTEN)}# a\n"),
        (f"jobs:\n{in_lines(A, '  ')}", with_new_job, f"jobs:\n{in_lines(A, '  ')}{in_lines(WRITTEN, '  ')}"),
        ("jobs:\nloads: {}\n", with_new_job, f"jobs:\n{in_lines(WRITTEN)}loads: {{}}\n"),
        ("states:\nloads: {}\n", with_state, "states:\n  a.q@n2: s\nloads: {}\n"),
        ("loads:\nstates: {}\n", with_loads, "loads:\n  n1: {arch: lx}\nstates: {}\n"),
    ],
)
def test_a_new_item_is_written_as_the_others_are_or_in_their_place(
    text: str, change: Callable[[State], State], after: str
) -> None:
    assert changed({"jobs.yaml": NOW + text}, change) == {"jobs.yaml": NOW + after}


RUNNING = "{state: r, granted: {a.q@n1: 1}, started: 2026-01-01T00:00:00}"


@pytest.mark.parametrize(
    ("text", "after"),
    [
        (f"jobs:\n- {A}\n", f"jobs:\n- {A[:-1]}, tasks: {{1: {RUNNING}}}}}\n"),
        (f"jobs:\n{in_lines(A)}", f"jobs:\n{in_lines(A)}  tasks:\n    1: {RUNNING}\n"),
        (f"jobs:\n{in_lines(A, '    ')}", f"jobs:\n{in_lines(A, '    ')}      tasks:\n        1: {RUNNING}\n"),
        (f"jobs:\n{in_lines(A)}  tasks: {{}}  # n\n", f"jobs:\n{in_lines(A)}  tasks:  # n\n    1: {RUNNING}\n"),
        (f"jobs:\n{in_lines(A)}  tasks:\n", f"jobs:\n{in_lines(A)}  tasks:\n    1: {RUNNING}\n"),
    ],
)
def test_the_first_tasks_of_a_job_are_written_as_its_other_fields_are(text: str, after: str) -> None:
    def started(state: State) -> State:
        (job,) = state.jobs
        return replace(state, jobs=(replace(job, tasks={1: Task("r", {"a.q@n1": 1}, TIME)}),))

    for end in ("\n", "\r\n"):
        texts = {"jobs.yaml": (NOW + text).replace("\n", end)}
        assert changed(texts, started) == {"jobs.yaml": (NOW + after).replace("\n", end)}


def test_each_job_without_a_number_behind_one_that_goes_gets_its_own() -> None:
    """Whether others that go have one behind them that says its number, or none."""
    bare = A.replace("id: 1, ", "")
    jobs = [A, B, A.replace("1", "3", 1), bare, A.replace("1", "5", 1), bare, B.replace("2", "7", 1)]
    text = NOW + "jobs:\n" + "".join(f"- {job}\n" for job in jobs)
    kept = [B, bare.replace("{", "{id: 4, "), bare.replace("{", "{id: 6, ")]
    after = NOW + "jobs:\n" + "".join(f"- {job}\n" for job in kept)

    def without_odd(state: State) -> State:
        assert [job.id for job in state.jobs] == [1, 2, 3, 4, 5, 6, 7]
        return replace(state, jobs=tuple(job for job in state.jobs if job.id % 2 == 0))

    assert changed({"jobs.yaml": text}, without_odd) == {"jobs.yaml": after}


def test_an_alias_behind_a_job_that_goes_cannot_be_given_its_number() -> None:
    text = "jobs:\n- &a {owner: anna, submitted: 2026-01-01T00:00:00, qsub: sleep 1}\n- {owner: ben}\n- *a\n"
    state = read_texts(Layout.YAML, "cluster", {"jobs.yaml": text}).state
    assert [job.id for job in state.jobs] == [1, 2, 3]
    with pytest.raises(EditRefused, match=r"^job 2 .*an alias"):
        texts_with_state(Layout.YAML, "cluster", {"jobs.yaml": text}, without(2)(state))


HEAD = f"{NOW}jobs:\n- id: 1   # one\n  owner: anna\n  submitted: 2026-01-01T00:00:00\n"
RANGE = "    2-3,5: {state: hqw, hold: o}  # b\n"
FOURTH = "    4:   # c\n      state: hqw\n      # h\n      hold: u   # d\n"
TASKED = (
    f"{HEAD}  qsub: -t 1-6 sleep 1\n  tasks:   # all\n    1: {{state: qw}}   # a\n    # more\n{RANGE}{FOURTH}# end\n"
)
UNREAD = TASKED.replace("1-6", "1-1")
"""Where the array has one task only, so that those of the others are told and left out."""
NO_TASKS: dict[int, Task | None] = dict.fromkeys(range(1, 7))


@pytest.mark.parametrize(
    ("text", "tasks", "after"),
    [
        (TASKED, {1: None}, TASKED.replace("    1: {state: qw}   # a\n", "")),
        (TASKED, {2: None}, TASKED.replace("2-3,5", "3,5")),
        (TASKED, {3: Task("qw")}, TASKED.replace("2-3,5", "2,5").replace("# b\n", "# b\n    3: {state: qw}\n")),
        (TASKED, {4: Task("qw")}, TASKED.replace("hqw\n", "qw\n").replace("      hold: u   # d\n", "")),
        (TASKED, {4: Task("hqw", hold="o")}, TASKED.replace("hold: u", "hold: o")),
        (TASKED, {6: Task("Eqw")}, TASKED.replace("# end", "    6: {state: Eqw}\n# end")),
        (TASKED, NO_TASKS, f"{HEAD}  qsub: -t 1-6 sleep 1\n# end\n"),
        # What cannot be read stays.
        (UNREAD, {1: None}, UNREAD.replace("    1: {state: qw}   # a\n", "")),
        (UNREAD, {1: Task("Eqw")}, UNREAD.replace("1: {state: qw}", "1: {state: Eqw}")),
    ],
)
def test_tasks_come_and_go_where_they_stand(text: str, tasks: Mapping[int, Task | None], after: str) -> None:
    def edited(state: State) -> State:
        (job,) = state.jobs
        wanted = {number: task for number, task in sorted({**job.tasks, **tasks}.items()) if task is not None}
        return replace(state, jobs=(replace(job, tasks=wanted),))

    assert changed({"jobs.yaml": text}, edited) == {"jobs.yaml": after}
