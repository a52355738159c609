"""Records of accounting(5) one by one: what a job asked for, how long it ran, and which lines cannot be right."""

import pytest

from qmon_tui.formats.records import record as records
from qmon_tui.formats.records.accounting import FEWEST, FIELDS, read_accounting, read_accounts
from qmon_tui.formats.records.record import Hole, Recorded
from qmon_tui.model import HIGHEST_NUMBER, PeRequest, Request, TaskRange

PLAIN = {
    "qname": "all.q", "hostname": "N1", "group": "staff", "owner": "anna", "job_name": "a", "job_number": "5",
    "account": "sge", "priority": "0", "submission_time": "1000000000", "start_time": "1000000010",
    "end_time": "1000000070", "failed": "0", "exit_status": "0", "ru_wallclock": "60", "project": "NONE",
    "department": "defaultdepartment", "granted_pe": "NONE", "slots": "1", "task_number": "0", "cpu": "1.5",
    "mem": "2.5", "io": "3.5", "category": "NONE", "pe_taskid": "NONE", "maxvmem": "4.0",
}  # fmt: skip


def line(**others: str) -> str:
    return ":".join((PLAIN | others).get(name, "0") for name in FIELDS)


def read(*lines: str) -> Recorded:
    return read_accounting(lines, "accounting")


def request(**others: str) -> Request:
    record = read(line(**others))
    assert not record.findings
    return record.state.jobs[0].request


def said(record: Recorded) -> list[tuple[int | None, str]]:
    return [(finding.line, finding.message) for finding in record.findings]


def test_a_job_is_known_with_how_it_ended() -> None:
    record = read("# Version: 8.1.9", "", "  ", line(failed="37  enforced", exit_status="137", slots="2"))
    assert not record.findings
    (one,) = record.state.jobs
    assert (one.id, one.owner, one.name, one.group, one.submitted) == (5, "anna", "a", "staff", 1000000000)
    assert (one.runtime, dict(one.runtimes), dict(one.tasks)) == (60, {}, {})
    (task,) = record.finished
    assert (task.job, task.task, task.granted, task.slots) == (5, 1, "all.q@n1", 2)
    assert (task.started, task.ended, task.failed, task.exit_status) == (1000000010, 1000000070, 37, 137)
    assert (task.cpu, task.memory, task.io) == (1.5, 2.5, 3.5)
    assert record.holes == ()


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ({}, Request()),
        ({"account": "NONE", "project": "none", "granted_pe": "none"}, Request()),
        ({"account": "", "project": "", "granted_pe": "", "category": ""}, Request()),
        ({"account": "acct", "project": "sea"}, Request(account="acct", project="sea")),
        ({"granted_pe": "mpi", "slots": "4"}, Request(pe=PeRequest("mpi", ((4, 4, 1),)))),
        ({"granted_pe": "mpi", "slots": "4", "category": "-pe m* 2-8"}, Request(pe=PeRequest("m*", ((2, 8, 1),)))),
        ({"category": "-U acl -u anna -l a=1 -I y -q b.q"}, Request(hard=(("a", "1"),), hard_queues=("b.q",))),
        ({"category": "-l a=1 -u"}, Request(hard=(("a", "1"),))),
        ({"category": "-soft -l b=2 -masterq m.q -ckpt c"},
         Request(soft=(("b", "2"),), master_queues=("m.q",), checkpoint="c")),
        ({"priority": "-1023"}, Request(priority=-1023)),
        ({"priority": "1024"}, Request(priority=1024)),
        ({"priority": "-1024"}, Request()),
        ({"priority": "1025"}, Request()),
        ({"priority": "x"}, Request()),
    ],
)  # fmt: skip
def test_what_a_record_says_that_a_job_asked_for(others: dict[str, str], expected: Request) -> None:
    assert request(**others) == expected


def test_what_a_category_asks_for_wrongly_is_said() -> None:
    ((at, message),) = said(read(line(category="-p x")))
    assert at == 1
    assert message.startswith("what job 5 asks for: ")


@pytest.mark.parametrize(
    ("others", "seconds", "words"),
    [
        ({"start_time": "1000000070"}, 0, []),
        ({"start_time": "1000000071"}, 60, ["job 5 ended before it started: its run time is ru_wallclock"]),
        ({"start_time": "1000000071", "ru_wallclock": "0.4"}, 0, ["job 5 ended before it started"]),
        ({"start_time": "0", "end_time": "0"}, 60, []),
        ({"start_time": "0", "end_time": "0", "ru_wallclock": "0.6"}, 1, []),
        ({"start_time": "0", "end_time": "0", "ru_wallclock": "-1"}, 0, []),
        ({"start_time": "0", "end_time": "0", "ru_wallclock": "inf"}, 0, []),
        ({"start_time": "0", "end_time": "0", "ru_wallclock": "soon"}, 0, []),
    ],
)
def test_how_long_a_job_ran(others: dict[str, str], seconds: int, words: list[str]) -> None:
    record = read(line(**others))
    assert record.state.jobs[0].runtime == seconds
    assert len(record.findings) == len(words)
    for (at, message), wanted in zip(said(record), words, strict=True):
        assert at == 1
        assert message.startswith(wanted)
    assert record.holes == (() if others.get("end_time") != "0" else (Hole(5, 1, "when it ran"),))


def test_tasks_of_an_array_have_run_times_of_their_own() -> None:
    ends = {1: "1000000020", 3: "1000000030", 5: "1000000030"}
    record = read(*(line(task_number=str(task), end_time=end) for task, end in ends.items()), line(job_number="4"))
    array = record.state.jobs[1]
    assert (array.request.array, array.runtime, dict(array.runtimes)) == (TaskRange(1, 5, 2), 20, {1: 10})
    assert record.state.jobs[0].request.array is None
    assert [(task.job, task.task) for task in record.finished] == [(5, 1), (5, 3), (5, 5), (4, 1)]
    shortest = read(line(task_number="1", end_time="1000000010"), line(task_number="3", end_time="1000000020"))
    assert (shortest.state.jobs[0].runtime, dict(shortest.state.jobs[0].runtimes)) == (10, {1: 0})
    one = read(line(task_number="3", end_time="1000000030"))
    assert one.state.jobs[0].request.array == TaskRange(3, 3)
    again = read(
        *(line(task_number=task, end_time=f"10000000{end}") for task, end in (("3", 25), ("3", 20), ("5", 30)))
    )
    assert (again.state.jobs[0].runtime, dict(again.state.jobs[0].runtimes)) == (20, {3: 15})


def test_a_number_that_came_twice_is_the_first_job() -> None:
    record = read("#", line(), line(owner="bert", submission_time="1000000001", end_time="1000000080"))
    assert [(job.owner, job.runtime) for job in record.state.jobs] == [("anna", 60)]
    assert len(record.finished) == 1
    ((at, message),) = said(record)
    assert at == 3
    assert message.startswith("there is another job 5 before it, in line 2, submitted at another time")


def test_a_job_never_started_is_a_hole_only_where_no_record_of_it_ran() -> None:
    never = {"start_time": "0", "end_time": "0"}
    record = read(line(**never), line(), line(job_number="6", **never), line(job_number="7", start_time="0"))
    assert record.holes == (Hole(6, 3, "when it ran"), Hole(7, 4, "when it ran"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (line(job_number="1"), ""),
        (line(job_number=str(HIGHEST_NUMBER)), ""),
        (line(job_number="0"), f'job_number is "0", not a whole number from 1 to {HIGHEST_NUMBER}: is there a colon'),
        (
            line(job_number=str(HIGHEST_NUMBER + 1)),
            f'job_number is "{HIGHEST_NUMBER + 1}", not a whole number from 1 to {HIGHEST_NUMBER}',
        ),
        (line(slots="0" * 19 + "1"), ""),
        (line(slots="0" * 5000 + "1"), ""),
        (line(slots="²"), f'slots is "²", not a whole number from 0 to {HIGHEST_NUMBER}: is there a colon in a name?'),
        (line(slots="--5"), 'slots is "--5", not a whole number'),
        (line(job_name="a:b"), f'job_number is "b", not a whole number from 1 to {HIGHEST_NUMBER}: is there a colon'),
        (line(end_time="1" * 20), 'end_time is "11111111111111111111", not a whole number'),
        (line(end_time="1" * 4300), f'end_time is "{"1" * 40}…", not a whole number'),
        (":".join(line().split(":")[:FEWEST]), ""),
        (":".join(line().split(":")[: FEWEST - 1]), "this line has 42 fields, an accounting record has 43 or more"),
    ],
)
def test_lines_at_the_bounds_of_what_can_be_right(text: str, words: str) -> None:
    record = read(text, line(job_number="9"))
    assert [words in message for _, message in said(record)] == [True] * bool(words)
    assert len(record.state.jobs) == 2 - bool(words)
    assert all(at == 1 for at, _ in said(record))


def test_only_so_long_lines_are_read() -> None:
    longest = "b" * (100_001 - len(line()))
    assert len(read(line(job_name=longest)).state.jobs) == 1
    assert said(read(line(job_name=longest + "b"))) == [(1, "this line is longer than 100000 characters")]


def test_only_so_many_records_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MOST_RECORDS", 2)
    lines = [line(job_number=str(number)) for number in (1, 2, 3, 4)]
    assert not said(read(*lines[:2]))
    record = read(*lines)
    assert [job.id for job in record.state.jobs] == [1, 2]
    assert said(record) == [(3, "only the 2 jobs and tasks above are taken: give a part of this file")]


TIMELESS = ": each has no time of submission or start: the newest time of all is taken"


def test_only_so_many_blocks_of_qacct_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MOST_RECORDS", 2)
    lines = [line for number in (1, 2, 3, 4) for line in ("=" * 62, f"jobnumber    {number}", "slots        1")]
    assert said(read_accounts(lines[:6], "qacct")) == [(2, f"jobs 1-2{TIMELESS}")]
    record = read_accounts(lines, "qacct")
    assert [job.id for job in record.state.jobs] == [1, 2]
    assert said(record) == [
        (8, "only the 2 jobs and tasks above are taken: give a part of this file"),
        (2, f"jobs 1-2{TIMELESS}"),
    ]


SLAVE = {"pe_taskid": "1.node01", "submission_time": "0", "granted_pe": "mpi", "slots": "4"}


def test_a_record_of_a_task_within_a_parallel_job_does_not_stand_for_the_job() -> None:
    ended = read(line(**SLAVE), line(granted_pe="mpi", slots="4"), line(**SLAVE))
    assert [(job.id, job.submitted, job.runtime) for job in ended.state.jobs] == [(5, 1000000000, 60)]
    assert (len(ended.finished), said(ended)) == (1, [])
    alone = read(line(job_number="9"), line(**SLAVE))
    assert [(job.id, job.submitted) for job in alone.state.jobs] == [(5, 1000000010), (9, 1000000000)]
    assert said(alone) == [
        (2, "job 5 has only records of tasks within it (pe_taskid): the first of them is taken for it"),
        (2, "job 5 has no submission time: that of the start is taken"),
    ]


def test_without_a_submission_time_that_of_the_start_is_taken() -> None:
    record = read(line(submission_time="0"), line(job_number="6", submission_time="0", start_time="0", end_time="0"))
    assert [(job.id, job.submitted) for job in record.state.jobs] == [(5, 1000000010), (6, 1000000010)]
    assert said(record) == [
        (1, "job 5 has no submission time: that of the start is taken"),
        (2, "job 6 has no time of submission or start: the newest time of all is taken"),
    ]


@pytest.mark.parametrize(
    ("text", "code"), [("0", 0), ("37  : qmaster enforced h_rt limit", 37), ("-1", -1), ("", 0), ("NONE", 0)]
)
def test_a_code_may_stand_before_what_it_means(text: str, code: int) -> None:
    lines = ["=" * 62, "jobnumber    1", "slots        1", f"failed       {text}", f"exit_status  {text}"]
    (task,) = read_accounts(lines, "qacct").finished
    assert (task.failed, task.exit_status) == (code, code)
