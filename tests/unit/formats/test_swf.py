"""Traces in the Standard Workload Format: what each column comes to, and rows at their bounds."""

import pytest

from qmon_tui.formats.records import record as records
from qmon_tui.formats.records.record import Recorded
from qmon_tui.formats.records.record_reader import read_records
from qmon_tui.formats.records.swf import parse_swf, swf_lines
from qmon_tui.model import HIGHEST_NUMBER
from qmon_tui.model.jobs import Job, PeRequest, Request


def read(text: str) -> Recorded:
    return read_records({"file": text.encode()})


def columns(**known: str) -> str:
    """A row in which these columns are known, counted from c1 on as the format counts them."""
    return " ".join(known.get(f"c{place}", "5" if place == 1 else "-1") for place in range(1, 19))


def job_of(row: str) -> Job:
    (job,) = read(f"; x\n{row}").state.jobs
    return job


def test_a_trace_gives_jobs_to_play() -> None:
    trace = """; UnixStartTime: 1000000000
      1 0 5 60 4 55.5 -1 4 120 2048 1 7 3 9 1 -1 -1 -1
      2 30 -1 -1 -1 -1 -1 -1 -1 -1 0 -1 -1 -1 -1 -1 1 -1
      nonsense"""
    record = read(trace)
    first, second = record.state.jobs
    assert (first.owner, first.group, first.name, first.submitted, first.runtime) == (
        "user7", "group3", "app9", 1000000000, 60,
    )  # fmt: skip
    assert first.request.hard == (("h_rt", "120"), ("h_vmem", "2048K"))
    assert first.request.pe == PeRequest("swf", ((4, 4, 1),))
    assert (second.submitted, second.request.hold_jid, second.runtime) == (1000000030, ("1",), 0)
    assert [finding.line for finding in record.findings] == [4]


def swf_row(job: str = "1", submitted: str = "0", run_time: str = "60", processors: str = "1", **more: str) -> str:
    asked = more.get("asked", "-1")
    return f"{job} {submitted} {more.get('wait', '-1')} {run_time} {processors} -1 -1 {asked} " + " ".join(["-1"] * 10)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (swf_row(job="0"), "0 is not a job number"),
        (swf_row(job="1.5"), "1.5 is not a job number"),
        (swf_row(job=str(HIGHEST_NUMBER + 1)), f"{HIGHEST_NUMBER + 1} is not a job number"),
        (f"{swf_row(job='7')}\n{swf_row(job='7')}", "job 7 is in the trace twice"),
    ],
)
def test_jobs_of_a_trace_have_numbers_of_their_own(row: str, said: str) -> None:
    assert [finding.message for finding in read(f"; x\n{row}").findings] == [said]


@pytest.mark.parametrize(
    ("known", "slots", "started", "ended"),
    [
        ({"c2": "5", "c3": "7", "c4": "60", "c5": "3", "c8": "9"}, 3, 1012, 1072),
        ({"c2": "5", "c3": "0", "c4": "0", "c5": "0", "c8": "9"}, 9, 1005, 1005),
        ({"c2": "5", "c4": "60", "c5": "-1", "c8": "1"}, 1, None, None),
        ({"c3": "7", "c4": "60", "c5": "0", "c8": "0"}, 1, None, None),
        ({"c2": "0", "c3": "7"}, 1, 1007, None),
        ({"c2": "0", "c3": "0", "c4": "1", "c5": "1", "c8": "9"}, 1, 1000, 1001),
    ],
)
def test_when_a_job_ran(known: dict[str, str], slots: int, started: int | None, ended: int | None) -> None:
    (task,) = read(f"; UnixStartTime: 1000\n{columns(**known)}").finished
    assert (task.slots, task.started, task.ended) == (slots, started, ended)
    assert (task.task, task.failed, task.exit_status, task.cpu) == (1, 0, 0, 0)


@pytest.mark.parametrize(("cpu", "seconds"), [("2.5", 10), ("-1", 0), ("0.5", 2)])
def test_processor_time_is_that_of_all_processors(cpu: str, seconds: float) -> None:
    (task,) = read(f"; x\n{columns(c5='4', c6=cpu)}").finished
    assert (task.cpu, task.memory, task.io) == (seconds, 0, 0)


@pytest.mark.parametrize(
    ("places", "names"),
    [
        ({12: "anna", 13: "staff", 14: "blast", 15: "long.q"}, ("anna", "staff", "blast", "long.q")),
        ({12: "7", 13: "-1", 14: "", 15: "8"}, ("user7", "group", "app", "queue8")),
        ({12: "1.2.3", 13: "--1", 14: "1.5", 15: "-"}, ("1.2.3", "--1", "app1", "-")),
        ({12: "2a", 14: "x-1"}, ("2a", "group", "x-1", "")),
    ],
)
def test_columns_between_semicolons_may_be_names(places: dict[int, str], names: tuple[str, ...]) -> None:
    record = read(";".join(places.get(place, "5" if place == 1 else "-1") for place in range(1, 19)))
    assert not record.findings
    (job,) = record.state.jobs
    assert (job.owner, job.group, job.name, record.finished[0].granted) == names


def test_columns_between_blanks_are_numbers() -> None:
    (finding,) = read(f"; x\n{columns(c12='anna')}").findings
    assert finding.message == "a column of this line is not a number"


def test_rows_that_are_left_out_are_said_in_the_order_of_their_lines_and_the_others_are_taken() -> None:
    record = read("\n".join(("; x", swf_row("7"), swf_row("7"), "nonsense", swf_row("0"), swf_row("8"))))
    assert [job.id for job in record.state.jobs] == [7, 8]
    assert [finding.line for finding in record.findings] == [3, 4, 5]


def test_only_so_many_rows_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MOST_RECORDS", 2)
    rows = [swf_row(str(number)) for number in (1, 2, 3, 4)]
    assert not parse_swf(rows[:2], "file").findings
    trace = parse_swf(rows, "file")
    assert [row.job for row in trace.rows] == [1, 2]
    assert [(finding.line, finding.message) for finding in trace.findings] == [(3, records.TOO_MANY.format(2))]


def test_comments_are_written_back_whether_a_blank_follows_the_semicolon_or_not() -> None:
    trace = parse_swf([";UnixStartTime: 7", ";", swf_row()], "file")
    assert (trace.comments, trace.start) == (["UnixStartTime: 7", ""], 7)
    lines = list(swf_lines(trace.comments, trace.rows))
    assert lines[:2] == ["; UnixStartTime: 7", ";"]
    assert parse_swf(lines, "file").rows == trace.rows


def test_numbers_of_a_trace_at_their_bounds() -> None:
    rows = (
        swf_row("1", submitted="-1", run_time="59.6", processors="2", asked="3"),
        swf_row(str(HIGHEST_NUMBER), submitted="1.9", run_time="-1", processors="2", wait="0"),
        swf_row("2", submitted="0", run_time="0", processors="-1", asked="1", wait="5"),
    )
    record = read("; UnixStartTime: 1000\n" + "\n".join(rows))
    assert [(job.id, job.submitted, job.runtime, job.request.pe, job.owner) for job in record.state.jobs] == [
        (1, 1000, 60, PeRequest("swf", ((3, 3, 1),)), "user"),
        (2, 1000, 0, None, "user"),
        (HIGHEST_NUMBER, 1001, 0, PeRequest("swf", ((2, 2, 1),)), "user"),
    ]
    by_job = {task.job: (task.slots, task.started, task.ended) for task in record.finished}
    assert by_job == {1: (2, None, None), HIGHEST_NUMBER: (2, 1001, None), 2: (1, 1005, 1005)}
    assert [(hole.job, hole.missing) for hole in record.holes] == [
        (1, "when it was submitted"),
        (HIGHEST_NUMBER, "how long it ran"),
    ]


@pytest.mark.parametrize(
    ("known", "request_of_it"),
    [
        ({"c5": "1", "c8": "0", "c9": "0", "c10": "0", "c17": "0"}, Request()),
        ({"c5": "2", "c8": "0"}, Request(pe=PeRequest("swf", ((2, 2, 1),)))),
        ({"c5": "2", "c8": "1"}, Request()),
        ({"c9": "1"}, Request(hard=(("h_rt", "1"),))),
        ({"c9": "0.4"}, Request(hard=(("h_rt", "1"),))),
        ({"c10": "1"}, Request(hard=(("h_vmem", "1K"),))),
        ({"c10": "1.5"}, Request(hard=(("h_vmem", "2K"),))),
        ({"c17": "1"}, Request(hold_jid=("1",))),
    ],
)
def test_what_a_job_asks_for_begins_above_zero(known: dict[str, str], request_of_it: Request) -> None:
    assert job_of(columns(**known)).request == request_of_it


@pytest.mark.parametrize(
    ("known", "names"),
    [
        ({}, ("user", "group", "app", "")),
        ({"c12": "0", "c13": "0", "c14": "0", "c15": "0"}, ("user0", "group0", "app0", "queue0")),
        ({"c12": "1", "c13": "2", "c14": "3", "c15": "4", "c16": "9"}, ("user1", "group2", "app3", "queue4")),
    ],
)
def test_numbers_that_stand_for_names(known: dict[str, str], names: tuple[str, ...]) -> None:
    record = read(f"; x\n{columns(**known)}")
    (job,) = record.state.jobs
    assert (job.owner, job.group, job.name, record.finished[0].granted) == names


CENTURY = 100 * 366 * 86400
TOO_LONG = "of this line is 3.162e+09 s, more than a hundred years"


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (columns().rsplit(" ", 1)[0], "this line has 17 columns, a trace has 18"),
        (f"{columns()} -1", None),
        (columns(c18="x"), "a column of this line is not a number"),
        (columns(c10="999999999999999"), None),
        (columns(c18="nan"), "a column of this line is not a number"),
        (columns(c10="1e15"), "a column of this line is too large"),
        (columns(c10="-1e15"), "a column of this line is too large"),
        (columns(c2=str(CENTURY), c3=str(CENTURY), c4=str(CENTURY), c9=str(CENTURY + 1)), None),
        (columns(c2=str(CENTURY + 1)), f"the time of submission {TOO_LONG}"),
        (columns(c3=str(CENTURY + 1)), f"the wait {TOO_LONG}"),
        (columns(c4=str(CENTURY + 1)), f"the run time {TOO_LONG}"),
    ],
)
def test_a_row_at_its_bounds(row: str, said: str | None) -> None:
    record = read(f"; x\n{row}")
    assert [finding.message for finding in record.findings] == ([said] if said else [])
    assert len(record.state.jobs) == (said is None)


@pytest.mark.parametrize(
    ("comment", "start"),
    [("UnixStartTime: 7", 7), ("UnixStartTime: 99999999999 (GMT)", 99999999999), ("UnixStartTime: 221845392001", 0),
     ("UnixStartTime: 7\n; UnixStartTime: 8", 8), ("UnixStartTime: 7\n; UnixStartTime:", 7), ("StartTime: 7", 0),
     ("UnixStartTime: -7", 0), ("UnixStartTime: \u0667", 0)],
)  # fmt: skip
def test_a_trace_begins_when_its_comments_say(comment: str, start: int) -> None:
    assert parse_swf(f"; {comment}\n{columns()}".splitlines(), "file").start == start


@pytest.mark.parametrize(
    ("known", "missing"),
    [
        ({"c2": "0", "c4": "0", "c5": "1"}, []),
        ({"c2": "0", "c4": "0", "c8": "1"}, []),
        ({"c2": "0", "c4": "0"}, ["how many processors it had"]),
        ({"c2": "0", "c4": "0", "c5": "0", "c8": "0"}, ["how many processors it had"]),
        ({"c2": "0", "c5": "1"}, ["how long it ran"]),
        ({"c4": "0"}, ["when it was submitted and how many processors it had"]),
    ],
)
def test_what_a_row_has_to_say_to_be_played(known: dict[str, str], missing: list[str]) -> None:
    assert [hole.missing for hole in read(f"; x\n{columns(**known)}").holes] == missing
