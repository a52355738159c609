"""Jobs, load values and queue states in YAML."""

import pytest

from qmon_tui.formats.folder_reader import Contents, read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.state.state_contents import DEFAULT_START
from qmon_tui.formats.state.state_writer import state_text
from qmon_tui.model.state import State
from qmon_tui.values.times import parse_time


def contents(text: str) -> Contents:
    return read_texts(Layout.YAML, "c", {"jobs.yaml": text})


def state(text: str) -> State:
    found = contents(text)
    assert found.findings == ()
    return found.state


DESIGN = """\
now: 2026-11-21T09:00:00
jobs:
- id: 17
  owner: usera
  group: staff
  submitted: 2026-11-21T08:59:30
  qsub: -N blast -l h_vmem=2G,gpu=1 -pe mpi 4-8 -p -10 -hold_jid 12 sleep 600
  runtime: 60
- id: 18
  owner: userb
  qsub: -t 1-10 -tc 2 run.sh
  tasks:
    1: {state: r, granted: {all.q@SIM1: 1}, started: 2026-11-21T08:55:00}
    2-3: {state: hqw}
"""


def test_the_example_of_the_design() -> None:
    read = state(DESIGN)
    assert read.now == parse_time("2026-11-21T09:00:00")
    blast, array = read.jobs
    assert (blast.id, blast.owner, blast.name, blast.runtime) == (17, "usera", "blast", 60)
    assert blast.submitted == parse_time("2026-11-21T08:59:30")
    assert (array.id, array.name, array.submitted, array.group) == (18, "run.sh", blast.submitted, "staff")
    assert dict(array.tasks[1].granted) == {"all.q@sim1": 1}
    assert array.tasks[1].started == parse_time("2026-11-21T08:55:00")
    assert [array.tasks[task].state for task in (2, 3)] == ["hqw", "hqw"]
    assert sorted(array.tasks) == [1, 2, 3]
    assert blast.origin is not None
    assert blast.origin.line == 3


def test_when_a_job_was_changed_last() -> None:
    read = state(
        "jobs:\n- {owner: a, submitted: 2026-11-21T08:00:00, changed: 2026-11-21T08:30:00.000002}\n- {owner: b}\n"
    )
    assert read.jobs[0].changed == pytest.approx(parse_time("2026-11-21T08:30:00") + 2e-6, abs=1e-7)
    assert read.jobs[1].changed is None
    assert state(state_text(read)) == read


def test_numbers_and_times_that_are_left_out() -> None:
    read = state(
        "jobs:\n- {owner: a}\n- {owner: b, submitted: +90s}\n- {owner: c, id: 9}\n- {owner: d, submitted: +1:00:00}\n"
    )
    assert [job.id for job in read.jobs] == [1, 2, 9, 10]
    start = parse_time(DEFAULT_START)
    assert [job.submitted - start for job in read.jobs] == [0, 90, 90, 3600]
    # The run happens at the newest time in the file.
    assert read.now == start + 3600


def test_offsets_count_from_the_first_job() -> None:
    read = state("now: +5m\njobs:\n- {owner: a, submitted: 2026-03-02T08:00:00}\n- {owner: b, submitted: +60}\n")
    first = parse_time("2026-03-02T08:00:00")
    assert [job.submitted for job in read.jobs] == [first, first + 60]
    assert read.now == first + 300


def test_without_a_time_no_job_comes_after_now() -> None:
    read = state("now: 2026-03-02T09:00:00\njobs:\n- {owner: a}\n- {owner: b, submitted: +10m}\n")
    assert read.jobs[1].submitted == read.now
    assert read.jobs[0].submitted == read.now - 600


def test_the_latest_start_counts_for_now() -> None:
    task = "{1: {state: r, granted: all.q@a, started: 2026-03-02T09:30:00}}"
    read = state(f"jobs:\n- {{owner: a, submitted: 2026-03-02T08:00:00, tasks: {task}}}\n")
    assert read.now == parse_time("2026-03-02T09:30:00")
    assert dict(read.jobs[0].tasks[1].granted) == {"all.q@a": 1}


def test_zones_of_times() -> None:
    read = state(
        "jobs:\n- {owner: a, submitted: 2026-03-02T08:00:00+00:00}\n- {owner: b, submitted: 2026-03-02T08:00:00Z}\n"
    )
    assert [job.submitted for job in read.jobs] == [1772438400, 1772438400]


def test_jobs_of_several_files() -> None:
    texts = {"a.yaml": "jobs: [{owner: a}]\n", "b.yaml": "jobs: [{owner: b}]\nnow: +1s\nloads: {X: {cpu: 5}}\n"}
    found = read_texts(Layout.YAML, "c", texts)
    assert found.findings == ()
    assert [(job.id, job.owner) for job in found.state.jobs] == [(1, "a"), (2, "b")]
    assert {host: dict(values) for host, values in found.state.loads.items()} == {"x": {"cpu": "5"}}


def test_jobs_may_stand_in_a_qconf_folder() -> None:
    texts = {"managers": "root\n", "jobs.yaml": "jobs: [{owner: a}]\n", "loads.yaml": "loads: {h: {cpu: 1}}\n"}
    found = read_texts(Layout.QCONF, "c", texts)
    assert found.findings == ()
    assert len(found.state.jobs) == 1
    assert "h" in found.state.loads
    (finding,) = read_texts(Layout.QCONF, "c", {**texts, "q.yaml": "queues: {}\n"}).findings
    assert (finding.rule, finding.file, finding.line) == ("format.overlap", "q.yaml", 1)


def test_load_values_of_saved_hosts() -> None:
    fields = (
        "load_scaling NONE\ncomplex_values NONE\nload_values arch=lx-amd64, num_proc=4,=1,m_core=,swap\nprocessors 4\n"
    )
    fields += (
        "user_lists NONE\nxuser_lists NONE\nprojects NONE\nxprojects NONE\nusage_scaling NONE\nreport_variables NONE\n"
    )
    texts = {"execution/sim1": "hostname sim1\n" + fields, "loads.yaml": "loads: {sim2: {cpu: 1}}\n"}
    found = read_texts(Layout.QCONF, "c", texts)
    assert found.findings == ()
    assert dict(found.state.loads["sim1"]) == {"arch": "lx-amd64", "num_proc": "4"}
    assert dict(found.state.loads["sim2"]) == {"cpu": "1"}


@pytest.mark.parametrize(
    ("text", "rule", "line", "words"),
    [
        ("now: soon\n", "format.time", 1, "soon"),
        ("now: {a: b}\n", "format.yaml.type", 1, "time"),
        ("jobs: {a: b}\n", "format.yaml.type", 1, "list"),
        ("jobs:\n- 5\n", "format.yaml.type", 2, "owner"),
        ("jobs:\n- {qsub: x}\n", "format.job", 2, "no owner"),
        ("jobs:\n- {owner: a, ownr: b}\n", "format.job", 2, "did you mean owner?"),
        ("jobs:\n- {owner: a, id: x}\n", "format.job", 2, "job number"),
        ("jobs:\n- {owner: a, id: 0}\n", "format.job", 2, "job number"),
        ("jobs:\n- {owner: a}\n- {owner: b, id: 1}\n", "format.duplicate", 3, "jobs.yaml line 2"),
        ("jobs:\n- owner: a\n  submitted: yesterday\n", "format.time", 3, "yesterday"),
        ("jobs:\n- owner: a\n  runtime: 5m\n", "format.job", 3, "5m"),
        ("jobs:\n- owner: a\n  qsub: -zz x\n", "format.qsub", 3, "-zz"),
        ("jobs:\n- owner: a\n  owner: b\n", "format.duplicate", 3, "owner"),
        ("jobs:\n- owner: a\n  tasks: {2: {state: qw}}\n", "format.job", 3, "only 1-1"),
        ("jobs:\n- owner: a\n  tasks: {x: {state: qw}}\n", "format.job", 3, "range"),
        ("jobs:\n- owner: a\n  tasks: {1: {state: k}}\n", "format.job", 3, "not a state"),
        *(
            (f"jobs:\n- owner: a\n  tasks: {{1: {{state: {state}, granted: {{a@b: 1}}}}}}\n", "format.job", 3, state)
            for state in ("zz", "rr", "hqwq", "rz")
        ),
        ("jobs:\n- owner: a\n  tasks: {1: {state: r}}\n", "format.job", 3, "place"),
        ("jobs:\n- owner: a\n  tasks: {1: {state: r, granted: {all.q: 1}}}\n", "format.job", 3, "queue instance"),
        ("jobs:\n- owner: a\n  tasks: {1: {state: r, granted: {all.q@a: x}}}\n", "format.job", 3, "queue instance"),
        (
            "jobs:\n- {owner: a, qsub: -t 1-3 x, tasks: {1-2: {state: qw}, 2: {state: qw}}}\n",
            "format.duplicate",
            2,
            "task 2",
        ),
        ("loads: {a: 5}\n", "format.yaml.type", 1, "a holds"),
        ("loads: {a: {x: [1]}}\n", "format.yaml.type", 1, "one value"),
        ("loads: {a: {x: 1}, A: {x: 2}}\n", "format.duplicate", 1, "a"),
        ("states: {all.q: d}\n", "format.load", 1, "queue instance"),
        ("states: {all.q@a: k}\n", "format.load", 1, "not a state"),
        ("states: {'all.q@n[1-': d}\n", "format.nodeset", 1, "node set"),
    ],
)
def test_what_is_wrong_is_said(text: str, rule: str, line: int, words: str) -> None:
    (finding,) = contents(text).findings
    assert (finding.rule, finding.file, finding.line) == (rule, "jobs.yaml", line)
    assert words in finding.message


def test_a_wrong_job_takes_no_other_with_it() -> None:
    found = contents("jobs:\n- {owner: a}\n- {}\n- {owner: c, qsub: -nope x}\n")
    assert [job.owner for job in found.state.jobs] == ["a", "c"]


def test_a_state_written_out_reads_back_the_same() -> None:
    given = "- {id: 19, owner: userb, qsub: run.sh, project: NONE, department: lab}\n"
    read = state(DESIGN + given + "loads: {a: {x: '1: 2', 'b,c': '*'}}\nstates: {all.q@a: dE}\n")
    again = state(state_text(read))
    assert (again.now, again.jobs, again.queue_states) == (read.now, read.jobs, read.queue_states)
    assert again.loads == read.loads
    assert state_text(State()) == ""
