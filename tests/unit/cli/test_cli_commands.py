"""The commands in this process, on the clusters that are shipped and on broken ones."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from qmon_tui.cli import main
from qmon_tui.cli.schedule import not_simulated
from qmon_tui.qmaster.scheduling import schedule
from qmon_tui.sources import read_folder
from qmon_tui.sources.save_log import LoggedFile, write_log

CONFIGS = Path(__file__).parents[3] / "configs"
TEACHING = str(CONFIGS / "teaching")
SITE = str(CONFIGS / "site")

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    target = tmp_path / "cluster"
    shutil.copytree(TEACHING, target)
    return target


def answered(capsys: Capture, *arguments: str) -> Any:
    """The JSON that a command prints; anything else on stdout would not parse."""
    main([*arguments, "--format", "json"])
    return json.loads(capsys.readouterr().out)


def ordered(run: Any) -> Any:
    instances = sorted(run["queue_instances"], key=lambda instance: str(instance["name"]))
    return {**run, "queue_instances": instances, "messages": sorted(run["messages"])}


def test_check_says_nothing_is_wrong_with_0_and_something_with_1(capsys: Capture, copy: Path) -> None:
    assert main(["check", str(copy)]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "no findings" in captured.err
    (copy / "more.yaml").write_text("complexes:\n  foo: {shortcut: foo, type: STRING, relop: <=, default: NONE}\n")
    assert main(["check", str(copy)]) == 1
    captured = capsys.readouterr()
    assert captured.out.splitlines()[0] == "✗ error  complex foo relop"
    assert "more.yaml:2" in captured.out
    assert "rule complex.relop" in captured.out
    assert 'Complex "foo" has an invalid relational operator' in captured.out
    assert "1 error" in captured.err


def test_a_warning_alone_is_no_refusal(capsys: Capture, copy: Path) -> None:
    queue = copy / "cluster.yaml"
    queue.write_text(queue.read_text().replace("load_thresholds: NONE", "load_thresholds: nope=1"))
    assert main(["check", str(copy)]) == 0
    assert "1 warning" in capsys.readouterr().err


def test_what_cannot_be_read_is_a_finding_and_the_rest_is_scheduled(capsys: Capture, copy: Path) -> None:
    (copy / "broken.yaml").write_text("queues:\n  x.q: {slots: [}\n")
    (finding,) = answered(capsys, "check", str(copy))["findings"]
    assert (finding["rule"], finding["severity"], finding["file"], finding["line"]) == (
        "format.yaml",
        "error",
        "broken.yaml",
        2,
    )
    assert main(["schedule", str(copy)]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("broken.yaml:2: ")
    assert "jobC1" in captured.out


@pytest.mark.parametrize(
    ("file", "text"), [("x.yaml", "queues: ["), ("jobs.yaml", "now: yesterday\n"), ("x.yaml", "jobs:\n- {id: 900}\n")]
)
@pytest.mark.parametrize("command", ["schedule", "why", "diff", "info", "convert"])
def test_what_is_answered_without_a_part_of_the_folder_is_no_success(
    capsys: Capture, copy: Path, tmp_path: Path, command: str, file: str, text: str
) -> None:
    others = {"why": ["7"], "diff": [str(copy)], "convert": [str(tmp_path / "new"), "--to", "qconf"]}
    before = (copy / file).read_text() if (copy / file).exists() else ""
    (copy / file).write_text("".join(line for line in before.splitlines(True) if not line.startswith("now:")) + text)
    assert main([command, str(copy), *others.get(command, [])]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith(f"{file}:")
    assert captured.out or command == "diff"


def test_schedule_lists_jobs_in_order_then_queue_instances_then_reasons(capsys: Capture) -> None:
    assert main(["schedule", TEACHING]) == 0
    captured = capsys.readouterr()
    lines = captured.out.splitlines()
    assert lines[0].endswith("and what is after it: 8 jobs, 4 queue instances")
    assert lines[1] == "Now → after the run: 3 running, 5 waiting"
    assert [line.split()[0] for line in lines[4:12]] == ["7", "4", "8", "5", "6", "1", "2", "3"]
    assert lines[9].endswith("all.q@sim1")
    assert lines[13].split()[:2] == ["queue", "instance"]
    assert "cannot run globally because it offers only gc:lic=0.000000" in captured.out
    assert captured.err == ""


def test_numbers_of_a_column_end_in_the_same_place(capsys: Capture) -> None:
    main(["schedule", SITE])
    lines = capsys.readouterr().out.splitlines()
    start = lines.index("") + 1
    table = lines[start : lines.index("", start)]
    end = table[0].index("prior") + len("prior")
    assert all(line[:end].split()[-1].count(".") == 1 and line[end] == " " for line in table[1:])


def test_the_time_of_a_run_may_be_given(capsys: Capture) -> None:
    assert answered(capsys, "schedule", TEACHING)["at"] == "2011-04-06T12:00:00"
    assert answered(capsys, "schedule", TEACHING, "--at", "+5m")["at"] == "2011-04-06T12:05:00"
    assert answered(capsys, "schedule", TEACHING, "--at", "2011-04-07T00:00:00")["at"] == "2011-04-07T00:00:00"


def test_why_shows_a_sum_that_is_the_priority(capsys: Capture) -> None:
    assert main(["why", TEACHING, "7", "--all"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "7 jobC1  userc  qw waiting  1st of 5 pending"
    (total,) = (line.split()[1] for line in lines if line.startswith("prior "))
    terms = [line for line in lines if line[:2] in ("━━", "╍╍", "──")]
    assert sum(float(term.split()[-1]) for term in terms) == pytest.approx(float(total), abs=2e-5)
    assert [term[3:17].strip() for term in terms] == ["urgency", "tickets", "POSIX priority"]


def test_why_tells_the_first_lines_and_all_on_demand(capsys: Capture) -> None:
    assert main(["why", TEACHING, "7"]) == 0
    *first, last = capsys.readouterr().out.splitlines()
    assert main(["why", TEACHING, "7", "--all"]) == 0
    every = capsys.readouterr().out.splitlines()
    assert 15 < len(first) <= 20
    assert first == every[: len(first)]
    assert last == f"… {len(every) - len(first)} more lines: --all"


def test_why_opens_each_number_into_its_arithmetic(capsys: Capture) -> None:
    assert main(["why", TEACHING, "7", "--derive"]) == 0
    told = capsys.readouterr().out
    data = answered(capsys, "why", TEACHING, "7", "--derive")
    derivation = data["derivation"]
    assert (derivation["name"], derivation["value"]) == ("prior", pytest.approx(data["prior"]))
    assert [part["name"].split()[-1] for part in derivation["parts"]] == ["nurg", "ntckts", "npprior"]
    assert f"prior  {derivation['value']:.5f} = {derivation['arithmetic']}" in told
    assert "weight_tickets_functional  " in told


def test_why_explains_one_task_of_an_array(capsys: Capture) -> None:
    shape = answered(capsys, "why", SITE, "112.7")
    assert (shape["job"], shape["task"]) == (112, 7)
    assert main(["why", SITE, "112.7"]) == 0
    assert capsys.readouterr().out.startswith("112.7 lab1  dora  ")


def test_diff_is_0_for_the_same_and_1_for_different_clusters(capsys: Capture, copy: Path) -> None:
    assert main(["diff", TEACHING, str(copy)]) == 0
    assert capsys.readouterr().out == ""
    policy = copy / "policy.yaml"
    policy.write_text(policy.read_text().replace("weight_ticket: 0.010000", "weight_ticket: 1"))
    assert main(["diff", TEACHING, str(copy)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "● scheduler   changed",
        "  weight_ticket  0.010000 → 1",
    ]
    assert answered(capsys, "diff", TEACHING, str(copy)) == {
        "differences": [
            {
                "kind": "scheduler",
                "name": "scheduler",
                "what": "changed",
                "fields": [{"field": "weight_ticket", "before": "0.010000", "after": "1"}],
            }
        ]
    }


@pytest.mark.parametrize("source", [TEACHING, SITE])
def test_converting_there_and_back_loses_nothing(capsys: Capture, tmp_path: Path, source: str) -> None:
    there, back = str(tmp_path / "qconf"), str(tmp_path / "yaml")
    assert main(["convert", source, there, "--to", "qconf"]) == 0
    assert "schedconf" in capsys.readouterr().out.splitlines()
    assert main(["convert", there, back, "--to", "yaml"]) == 0
    assert main(["diff", source, there]) == main(["diff", source, back]) == 0
    capsys.readouterr()
    for folder in (there, back):
        # A qconf folder has its queues in the order of their names.
        assert ordered(answered(capsys, "schedule", folder)) == ordered(answered(capsys, "schedule", source))


def test_a_folder_is_converted_alone(capsys: Capture, tmp_path: Path) -> None:
    assert main(["convert", TEACHING, SITE, str(tmp_path / "new"), "--to", "qconf"]) == 2
    assert "one folder is converted at a time" in capsys.readouterr().err


def test_info_counts_what_is_there(capsys: Capture) -> None:
    shape = answered(capsys, "info", TEACHING)
    assert (shape["cluster"]["layout"], shape["cluster"]["jobs"], shape["objects"]["queue"]) == ("yaml", 8, 1)
    assert shape["versions"]["textual"].split(".")[0].isdigit()
    assert main(["info"]) == 0
    assert "cluster" not in capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    "arguments",
    [
        ["check"],
        ["check", "/nowhere/at/all"],
        ["check", __file__],
        ["schedule", TEACHING, "--at", "tomorrow"],
        ["schedule", TEACHING, "--format", "xml"],
        ["why", TEACHING, "99"],
        ["why", TEACHING, "7.2"],
        ["why", TEACHING, "seven"],
        ["diff", TEACHING],
        ["convert", TEACHING, TEACHING, "--to", "qconf"],
        ["convert", TEACHING, "somewhere"],
    ],
    ids=lambda arguments: " ".join(arguments[:1] + arguments[2:]),
)
def test_unusable_input_is_2_with_a_sentence_on_stderr_alone(capsys: Capture, arguments: list[str]) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert arguments[0] in captured.err
    assert "Traceback" not in captured.err


def test_an_interrupt_is_130(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("qmon_tui.cli.check.check", interrupt)
    assert main(["check", TEACHING]) == 130
    assert capsys.readouterr().err == "Interrupted.\n"


def test_a_mistake_of_the_program_is_a_line_to_report(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError("slots")

    monkeypatch.setattr("qmon_tui.cli.check.check", fail)
    assert main(["check", TEACHING]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert "KeyError: 'slots'" in captured.err
    assert ", fail)" in captured.err


@pytest.mark.parametrize("width", ["60", "80", "120"])
@pytest.mark.parametrize("arguments", [["schedule", SITE], ["why", SITE, "108"], ["info", SITE]], ids=lambda a: a[0])
def test_tables_keep_to_the_width(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, width: str, arguments: list[str]
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    main(arguments)
    lines = capsys.readouterr().out.splitlines()
    # A word that is longer than the line is shown whole.
    assert [line for line in lines if len(line) > int(width) and len(line.split()) > 3] == []


RESERVING = """
now: 2026-11-20T09:30:00
hosts: {h1: {}, h2: {}}
pes: {mpi: {slots: 9, allocation_rule: $fill_up}}
queues: {all.q: {hostlist: h1 h2, slots: 1, pe_list: mpi, load_thresholds: NONE}}
scheduler: {max_reservation: 2, default_duration: "1:0:0"}
jobs:
- {id: 1, owner: anna, qsub: -l h_rt=3600 x,
   tasks: {1: {state: r, granted: {all.q@h1: 1}, started: 2026-11-20T09:00:00}}}
- {id: 2, owner: bela, qsub: "-R y -pe mpi 2 -l h_rt=7200 -q all.q x"}
"""


def test_a_reservation_says_when_and_where(capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cluster.yaml").write_text(RESERVING)
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["schedule", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    start = next(number for number, line in enumerate(lines) if line.split()[:1] == ["2"])
    assert lines[start].endswith(" qw        2 from 10:01 until")
    assert [line.strip() for line in lines[start + 1 : start + 3]] == ["12:02 on all.q@h2,", "all.q@h1"]
    task = answered(capsys, "schedule", str(tmp_path))["jobs"][0]["tasks"][0]
    assert task["reserved"] == {"all.q@h1": 1, "all.q@h2": 1}
    assert (task["reserved_from"], task["reserved_until"]) == ("2026-11-20T10:01:00", "2026-11-20T12:02:00")


def test_what_leaves_every_job_pending_is_told_once() -> None:
    reading = read_folder(Path(TEACHING))
    run = schedule(reading.cluster, reading.state)
    jobs = [job._replace(not_simulated=("all", f"own {job.id}")) for job in run.jobs[:2]]
    said = not_simulated(replace(run, jobs=jobs, not_simulated=("all", "other")))
    assert said == (
        "Not simulated yet, so no job starts: all",
        "Not simulated yet: other",
        *(f"Job {job.id}, not simulated yet: own {job.id}" for job in jobs),
    )


def test_a_job_that_qsub_refuses_has_no_state(capsys: Capture, copy: Path) -> None:
    (copy / "more.yaml").write_text("jobs:\n- {id: 99, owner: anna, qsub: -p 9 x}\n")
    main(["why", str(copy), "99"])
    assert capsys.readouterr().out.splitlines()[:3] == [
        "99 x  anna  ✗ refused by qsub",
        "",
        "✗ qsub would refuse this job",
    ]


QUEUE_FILE = """\
qname all.q
hostlist elsewhere @others
slots {slots}
load_thresholds NONE
pe_list mpi
"""


def test_a_later_run_says_that_what_runs_is_taken_as_it_is(capsys: Capture) -> None:
    words = ("schedule", SITE)
    assert main([*words, "--at", "+30d"]) == 0
    (told,) = (line for line in capsys.readouterr().err.splitlines() if "taken as they are" in line)
    assert told.startswith("The state is that of ")
    assert "would have ended by then" in told
    assert answered(capsys, *words, "--at", "+30d")["notes"] == [told]
    assert "notes" not in answered(capsys, *words)
    assert "taken as" not in capsys.readouterr().err


def test_a_save_that_was_interrupted_is_undone_and_said_once(capsys: Capture, copy: Path) -> None:
    cluster = copy / "cluster.yaml"
    before = cluster.read_text()
    write_log(str(copy), [LoggedFile("cluster.yaml", before, "queues: {}\n", ".qmon-tui-1")])
    cluster.write_text("queues: {}\n")
    assert main(["info", str(copy)]) == 0
    assert (
        "a save of cluster.yaml was interrupted; it was undone: the folder is as before it." in capsys.readouterr().err
    )
    assert cluster.read_text() == before
    assert main(["info", str(copy)]) == 0
    assert "interrupted" not in capsys.readouterr().err


@pytest.mark.parametrize("job", ["9" * 5000, "-+5", "²", "108." + "9" * 5000, "1.²", "1e400", "\x1b[31m"])
def test_what_is_no_number_of_a_job(job: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", str(CONFIGS / "site"), "--", job]) == 2
    said = capsys.readouterr().err
    assert "is not a job" in said
    assert len(said) < 250
    assert "\x1b" not in said


@pytest.mark.parametrize("columns", ["²", "9" * 5000, "-+5", "1e3", "0", "\x1b"])
def test_a_width_that_is_no_number_is_passed_over(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert main(["check", str(CONFIGS / "site")]) == 0


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ((), 1),
        (("--only", "queue/*"), 0),
        (("--only", "users/anna"), 0),
        (("--only", "complex/*"), 1),
        (("--only", "complex/*", "--ignore", "urgency"), 0),
        (("--only", "host"), 2),
        (("--only", "nothing/x"), 2),
    ],
)
def test_diff_compares_some_objects_and_not_some_fields(
    capsys: Capture, copy: Path, options: tuple[str, ...], code: int
) -> None:
    text = (copy / "cluster.yaml").read_text()
    (copy / "cluster.yaml").write_text(text.replace("urgency: 0", "urgency: 7", 1))
    users = copy / "automatic.yaml"
    users.write_text("users: {zora: {delete_time: 1800000000}}\n")
    assert main(["diff", str(CONFIGS / "teaching"), str(copy), *options]) == code
    out, err = capsys.readouterr()
    assert "zora" not in out
    assert ("--only" in err) is (code == 2)
