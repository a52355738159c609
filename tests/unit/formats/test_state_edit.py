"""Changes of jobs, loads, states and reservations in a text: only the lines concerned, and all that is meant."""

from collections.abc import Mapping
from dataclasses import replace
from difflib import unified_diff
from types import MappingProxyType

import pytest
from hypothesis import given, strategies as st

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.folder_writer import EditRefused, texts_with_state
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.formats.state.entries import changed_entries, entry, with_entries
from qmon_tui.model.exceptions import Drain
from qmon_tui.model.jobs import AdvanceReservation, Job, Task
from qmon_tui.model.state import State
from qmon_tui.model.state_fields import StateKind

TEXT = """\
# the state of a morning
states:
  all.q@sim[1-3]: d   # off for repair
loads:
  sim[1-2]: {np_load_avg: 0.3, arch: lx}
jobs:
  # the first
  - owner: anna
    submitted: 2026-01-01T00:00:00
    qsub: -t 1-10 sleep 5  # ten of them
    tasks:
      2-5: {state: hqw}   # held
      7: {state: r, granted: all.q@sim1, started: +5s}
  # the second
  - owner: ben
    submitted: +10s
    qsub: sleep 5
  - {owner: cora, qsub: "-N x sleep 1"}
"""


def read(texts: Mapping[str, str], layout: Layout = Layout.YAML) -> State:
    contents = read_texts(layout, "cluster", texts)
    assert not contents.findings
    return contents.state


def edited(wanted: State, text: str = TEXT) -> list[str]:
    """The lines of the difference, without head and context."""
    after = texts_with_state(Layout.YAML, "cluster", {"jobs.yaml": text}, wanted)
    new = {"jobs.yaml": text, **after}
    assert not list(changed_entries(read(new), wanted))
    lines = unified_diff(text.splitlines(), new["jobs.yaml"].splitlines(), n=0, lineterm="")
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]


def with_first(state: State, job: Job) -> State:
    return replace(state, jobs=(job, *state.jobs[1:]))


STATE = read({"jobs.yaml": TEXT})
FIRST = STATE.jobs[0]


def tasks(**changes: Task | None) -> Mapping[int, Task]:
    found = {**FIRST.tasks, **{int(name[1:]): task for name, task in changes.items()}}
    return MappingProxyType({number: task for number, task in sorted(found.items()) if task is not None})


def test_a_task_that_changes_alone_keeps_the_spelling_of_its_other_fields() -> None:
    suspended = replace(FIRST.tasks[7], state="s")
    assert edited(with_first(STATE, replace(FIRST, tasks=tasks(t7=suspended)))) == [
        "-      7: {state: r, granted: all.q@sim1, started: +5s}",
        "+      7: {state: s, granted: all.q@sim1, started: +5s}",
    ]


def test_a_task_is_taken_out_of_its_range() -> None:
    assert edited(with_first(STATE, replace(FIRST, tasks=tasks(t3=Task("hqw", hold="o"), t5=None)))) == [
        "-      2-5: {state: hqw}   # held",
        "+      2,4: {state: hqw}   # held",
        "+      3: {state: hqw, hold: o}",
    ]


def test_new_tasks_stand_behind_the_others_and_the_last_one_takes_the_key_along() -> None:
    held = Task("hqw")
    assert edited(with_first(STATE, replace(FIRST, tasks=tasks(t9=held, t10=held)))) == ["+      9-10: {state: hqw}"]
    assert edited(with_first(STATE, replace(FIRST, tasks=MappingProxyType({})))) == [
        "-    tasks:",
        "-      2-5: {state: hqw}   # held",
        "-      7: {state: r, granted: all.q@sim1, started: +5s}",
    ]


def test_an_option_changes_one_line_and_its_comment_stays() -> None:
    line = "-t 1-10 -p 5 sleep 5"
    altered = replace(FIRST, qsub=line, request=parse_qsub(line).request)
    assert edited(with_first(STATE, altered)) == [
        "-    qsub: -t 1-10 sleep 5  # ten of them",
        "+    qsub: -t 1-10 -p 5 sleep 5  # ten of them",
    ]


def test_what_followed_from_a_job_that_goes_is_written_out() -> None:
    assert edited(replace(STATE, jobs=STATE.jobs[1:])) == [
        "+now: 2026-01-01T00:00:10",
        *("-  - owner: anna", "-    submitted: 2026-01-01T00:00:00", "-    qsub: -t 1-10 sleep 5  # ten of them"),
        *("-    tasks:", "-      2-5: {state: hqw}   # held"),
        "-      7: {state: r, granted: all.q@sim1, started: +5s}",
        *("-  - owner: ben", "-    submitted: +10s"),
        *("+  - id: 2", "+    owner: ben", "+    submitted: 2026-01-01T00:00:10"),
        '-  - {owner: cora, qsub: "-N x sleep 1"}',
        '+  - {owner: cora, qsub: "-N x sleep 1", submitted: 2026-01-01T00:00:10}',
    ]


def test_a_new_job_is_written_as_the_last_one_is() -> None:
    fresh = replace(STATE.jobs[2], id=4)
    assert edited(replace(STATE, jobs=(*STATE.jobs, fresh))) == [
        "+  - {id: 4, owner: cora, group: staff, submitted: 2026-01-01T00:00:10, qsub: -N x sleep 1}"
    ]


def test_queue_instances_and_hosts_leave_the_node_set_that_they_were_written_in() -> None:
    states = MappingProxyType({"all.q@sim1": "d", "all.q@sim3": "ds", "b.q@sim1": "E"})
    assert edited(replace(STATE, queue_states=states)) == [
        "-  all.q@sim[1-3]: d   # off for repair",
        *("+  all.q@sim1: d   # off for repair", "+  all.q@sim3: ds", "+  b.q@sim1: E"),
    ]
    loads = MappingProxyType({**STATE.loads, "sim2": MappingProxyType({"np_load_avg": "0.4", "arch": "lx"})})
    assert edited(replace(STATE, loads=loads)) == [
        "-  sim[1-2]: {np_load_avg: 0.3, arch: lx}",
        *("+  sim1: {np_load_avg: 0.3, arch: lx}", "+  sim2: {np_load_avg: 0.4, arch: lx}"),
    ]


def test_what_was_not_written_at_all_gets_its_own_key() -> None:
    text = "jobs:\n- {id: 3, owner: anna, submitted: 2026-01-01T00:00:00, qsub: sleep 1}\n"
    state = read({"jobs.yaml": text})
    reservation = AdvanceReservation(5, "ben", state.now + 60, state.now + 120, {"all.q@sim1": 2})
    wanted = replace(state, queue_states={"all.q@sim1": "d"}, reservations=(reservation,), now=state.now + 1)
    assert [line for line in edited(wanted, text) if not line.startswith("+")] == []
    assert "+now: 2026-01-01T00:00:01" in edited(wanted, text)


def test_a_reservation_that_goes_or_changes_is_found_by_its_number() -> None:
    text = (
        "now: 2026-01-01T00:00:00\nreservations:\n"
        "- {id: 1, owner: anna, start: +60s, end: +90s, granted: {all.q@sim1: 1}, state: w}\n"
        "- {id: 2, owner: anna, start: +60s, end: +90s, granted: {all.q@sim2: 1}, state: w}\n"
    )
    state = read({"jobs.yaml": text})
    assert edited(replace(state, reservations=state.reservations[1:]), text) == [f"-{text.splitlines()[2]}"]
    error = replace(state.reservations[1], state="E")
    assert len(edited(replace(state, reservations=(state.reservations[0], error)), text)) == 2


def test_a_reservation_changes_in_the_file_that_has_it() -> None:
    times = "start: 2026-01-02T00:00:00, end: 2026-01-03T00:00:00"
    line = f"- {{{{id: {{}}, owner: anna, {times}, granted: {{{{all.q@sim1: 1}}}}, state: w}}}}\n"
    texts = {"a.yaml": "reservations:\n" + line.format(1), "b.yaml": "reservations:\n" + line.format(2)}
    state = read(texts)
    for place, file in ((0, "a.yaml"), (1, "b.yaml")):
        changed = replace(state.reservations[place], state="E")
        others = tuple(changed if number == place else one for number, one in enumerate(state.reservations))
        after = texts_with_state(Layout.YAML, "cluster", texts, replace(state, reservations=others))
        assert set(after) == {file}


def test_a_folder_of_qconf_gets_files_for_jobs_and_loads() -> None:
    texts = {"schedconf": "algorithm default\n"}
    state = read_texts(Layout.QCONF, "cluster", texts).state
    job = Job(1, "anna", state.now, parse_qsub("sleep 1").request, "sleep", runtime=1, qsub="sleep 1")
    wanted = replace(state, jobs=(job,), loads={"sim1": {"load_avg": "1"}}, queue_states={"all.q@sim1": "d"},
                     drains={"sim1": (Drain("psu"),)})  # fmt: skip
    after = texts_with_state(Layout.QCONF, "cluster", texts, wanted)
    assert sorted(after) == ["drains.yaml", "jobs.yaml", "loads.yaml"]
    assert not list(changed_entries(read_texts(Layout.QCONF, "cluster", {**texts, **after}).state, wanted))


def test_what_an_alias_stands_for_is_written_out_where_it_changes() -> None:
    text = (
        "jobs:\n- {id: 1, owner: anna, submitted: 2026-01-01T00:00:00, tasks: &t {1: {state: hqw}}}\n"
        "- {id: 2, owner: ben, tasks: *t}\n"
    )
    state = read({"jobs.yaml": text})
    wanted = replace(state, jobs=(state.jobs[0], replace(state.jobs[1], tasks={1: Task("Eqw")})))
    assert edited(wanted, text)[1:] == ["+- {id: 2, owner: ben, tasks: {1: {state: Eqw}}}"]


def test_jobs_that_are_aliases_take_no_number_of_their_own() -> None:
    text = """\
jobs:
- {owner: zoe, submitted: 2026-01-01T00:00:00, qsub: sleep 1}
- &a {owner: anna, submitted: 2026-01-01T00:00:00, qsub: sleep 1}
- {owner: ben, submitted: 2026-01-01T00:00:00, qsub: sleep 1}
- *a
- {owner: cora, submitted: 2026-01-01T00:00:00, qsub: sleep 1}
"""
    state = read({"jobs.yaml": text})
    assert [(job.id, job.owner) for job in state.jobs] == list(
        enumerate(("zoe", "anna", "ben", "anna", "cora"), start=1)
    )
    # Behind zoe's job stands what the alias stands for, behind ben's the alias.
    for place in (0, 2):
        with pytest.raises(EditRefused, match=r"an alias, a merged mapping"):
            texts_with_state(
                Layout.YAML, "cluster", {"jobs.yaml": text},
                replace(state, jobs=(*state.jobs[:place], *state.jobs[place + 1 :])),
            )  # fmt: skip
    assert edited(replace(state, jobs=(*state.jobs[:3], state.jobs[4])), text) == [
        "-- *a",
        "-- {owner: cora, submitted: 2026-01-01T00:00:00, qsub: sleep 1}",
        "+- {id: 5, owner: cora, submitted: 2026-01-01T00:00:00, qsub: sleep 1}",
    ]


def test_a_state_that_no_file_can_say_is_refused_and_its_jobs_are_named() -> None:
    text = "jobs:\n- &a {id: 1, owner: anna, submitted: 2026-01-01T00:00:00, qsub: &q sleep 1}\n"
    state = read({"jobs.yaml": text})
    wanted = replace(state, jobs=(replace(state.jobs[0], owner="ben", tasks={99: Task("Eqw")}),))
    with pytest.raises(EditRefused, match=r"job 1 \(jobs.yaml line 2\) cannot be saved"):
        texts_with_state(Layout.YAML, "cluster", {"jobs.yaml": text}, wanted)


def test_a_job_takes_over_what_others_say_and_is_not_changed_in_the_text() -> None:
    text = """\
jobs:
- &a {id: 1, owner: anna, submitted: 2026-01-01T00:00:00, qsub: sleep 1}
- <<: [*a, {owner: cora, runtime: 5}]
  id: 2
- {<<: *a, id: 3, owner: ben}
"""
    state = read({"jobs.yaml": text})
    assert [(job.id, job.owner, job.qsub, job.runtime) for job in state.jobs] == [
        (1, "anna", "sleep 1", 1),
        (2, "anna", "sleep 1", 5),
        (3, "ben", "sleep 1", 1),
    ]
    without_last = replace(state, jobs=state.jobs[:2])
    assert edited(without_last, text) == ["-- {<<: *a, id: 3, owner: ben}"]
    for jobs in (state.jobs[1:], (*state.jobs[:2], replace(state.jobs[2], owner="cora"))):
        with pytest.raises(EditRefused, match="a merged mapping"):
            texts_with_state(Layout.YAML, "cluster", {"jobs.yaml": text}, replace(state, jobs=jobs))
    findings = read_texts(Layout.YAML, "cluster", {"jobs.yaml": "jobs:\n- {<<: 5, owner: anna}\n"}).findings
    assert [(finding.line, finding.message) for finding in findings] == [(2, "<<: takes over a mapping")]


def test_a_new_job_that_cannot_be_written_has_no_place() -> None:
    nobody = Job(9, "", 0, parse_qsub("").request, "x")
    with pytest.raises(EditRefused, match=r"^job 9 cannot be saved as it is; "):
        edited(replace(STATE, jobs=(*STATE.jobs, nobody)))


def test_a_refusal_names_three_of_many_jobs() -> None:
    text = "jobs:\n" + "".join(
        f"- &a{number} {{id: {number}, owner: anna, submitted: 2026-01-01T00:00:00, qsub: &q{number} sleep 1}}\n"
        for number in range(1, 6)
    )
    state = read({"jobs.yaml": text})
    wanted = replace(state, jobs=tuple(replace(job, owner="ben", tasks={99: Task("Eqw")}) for job in state.jobs))
    with pytest.raises(
        EditRefused, match=r"^job 1, job 2, job 3 \(jobs.yaml line 2, jobs.yaml line 3, jobs.yaml line 4"
    ):
        texts_with_state(Layout.YAML, "cluster", {"jobs.yaml": text}, wanted)


some_tasks = st.dictionaries(
    st.integers(1, 6),
    st.sampled_from([Task("hqw"), Task("hqw", hold="o"), Task("Eqw"), Task("z"), Task("qw")]),
    max_size=4,
).map(lambda found: MappingProxyType(dict(sorted(found.items()))))
lines = st.sampled_from(["-t 1-6 sleep 1", "-t 1-6 -N 'a b' -l gpu=1,h_rt=1:0:0 sleep 1", '-t 1-6 -A "#" run.sh'])


def job_of(number: int, owner: str, line: str, found: Mapping[int, Task], offset: int) -> Job:
    parsed = parse_qsub(line)
    return Job(number, owner, STATE.now + offset, parsed.request, parsed.name, "staff", found, parsed.runtime, line)


jobs = st.lists(
    st.builds(job_of, st.integers(1, 9), st.sampled_from(("anna", "ben: x")), lines, some_tasks, st.integers(0, 99)),
    max_size=4,
    unique_by=lambda job: job.id,
).map(tuple)
letters = st.dictionaries(
    st.sampled_from([f"all.q@sim{n}" for n in range(1, 6)]), st.sampled_from(("d", "ds", "E", "")), max_size=4
)
values = st.dictionaries(st.sampled_from(("np_load_avg", "arch")), st.sampled_from(("0.3", "lx", "a: b")), min_size=1)
hosts = st.dictionaries(st.sampled_from([f"sim{n}" for n in range(1, 5)]), values, max_size=3)
times = st.dictionaries(
    st.sampled_from(["all.q", *(f"all.q@sim{n}" for n in range(1, 4))]),
    st.integers(0, 9).map(lambda part: STATE.now + part / 1_000_000),
    max_size=3,
)
seen = st.frozensets(st.sampled_from([f"all.q@sim{n}" for n in range(1, 5)]), max_size=3)
reasons = st.builds(Drain, st.sampled_from(("psu", "a: b, c")), st.sampled_from(("anna", "")), st.just(STATE.now))
drains = st.dictionaries(
    st.sampled_from(["all.q@sim1", "all.q@sim2", *(f"sim{n}" for n in range(1, 5))]),
    st.lists(reasons, min_size=1, max_size=3, unique_by=lambda drain: drain.key).map(tuple),
    max_size=4,
)
ends = st.builds(replace, reasons, until=st.integers(STATE.now, STATE.now + 9))
exceptions = st.dictionaries(
    st.sampled_from(["user/anna", "project/sea", "userset/guests", "userset/guests/bela", "userset/guests/@x"]),
    st.lists(ends, min_size=1, max_size=2, unique_by=lambda given: given.key).map(tuple),
    max_size=3,
)
states = st.builds(
    State,
    st.integers(STATE.now + 100, STATE.now + 200),
    jobs,
    hosts,
    letters,
    changed=times.map(MappingProxyType),
    seen_suspended=seen,
    drains=drains.map(MappingProxyType),
    exceptions=exceptions.map(MappingProxyType),
)


@given(st.sampled_from(["", TEXT, TEXT.replace("\n", "\r\n")]), states, states)
def test_any_state_can_be_written_over_any_other(text: str, first: State, second: State) -> None:
    texts = {"jobs.yaml": text}
    for wanted in (first, second):
        texts |= texts_with_state(Layout.YAML, "cluster", texts, wanted)
        assert not list(changed_entries(read(texts), wanted))


def test_a_job_that_was_changed_says_when() -> None:
    assert edited(with_first(STATE, replace(FIRST, changed=float(FIRST.submitted + 60)))) == [
        "+    changed: 2026-01-01T00:01:00",
    ]


def test_the_change_of_a_queue_instance_stands_under_its_own_key_in_its_own_file() -> None:
    texts = {"jobs.yaml": TEXT, "moves.yaml": "changed:\n  all.q@sim[1-2]: 2026-01-01T00:00:01  # both\n  all.q: +3s\n"}
    state = read(texts)
    assert state.changed["all.q"] == FIRST.submitted + 3
    later = {**state.changed, "all.q@sim2": FIRST.submitted + 9.000001, "all.q": FIRST.submitted + 5.0}
    wanted = replace(state, changed=MappingProxyType(later), queue_states=MappingProxyType({"all.q@sim1": "d"}))
    after = texts_with_state(Layout.YAML, "cluster", texts, wanted)
    assert read({**texts, **after}) == wanted
    assert after["jobs.yaml"] == TEXT.replace("sim[1-3]", "sim1")
    assert after["moves.yaml"].splitlines() == [
        "changed:",
        "  all.q@sim1: 2026-01-01T00:00:01  # both",
        "  all.q@sim2: 2026-01-01T00:00:09.000001",
        "  all.q: 2026-01-01T00:00:05",
    ]


@pytest.mark.parametrize("number", range(4))
def test_what_is_put_back_stands_where_it_stood(number: int) -> None:
    times = ({"np_load_avg": "0.1"}, {"arch": "lx"}, {"mem_free": "1G"}, {"np_load_avg": "0.4"})
    state = replace(STATE, loads=dict(zip(("d", "b", "c", "a"), times, strict=True)))
    name = tuple(state.loads)[number]
    kept = entry(state, StateKind.LOADS, name)
    assert kept is not None
    taken_away = with_entries(state, (), [(StateKind.LOADS, name)])
    assert tuple(with_entries(taken_away, [kept], order=tuple(state.loads)).loads) == ("d", "b", "c", "a")


def test_what_is_put_back_stands_behind_the_nearest_before_it_that_is_still_there() -> None:
    state = replace(STATE, loads={name: {"arch": "lx"} for name in "abcd"})
    kept = entry(state, StateKind.LOADS, "c")
    assert kept is not None
    fewer = with_entries(state, (), [(StateKind.LOADS, "b"), (StateKind.LOADS, "c")])
    assert tuple(with_entries(fewer, [kept], order=("a", "b", "c", "d")).loads) == ("a", "c", "d")
