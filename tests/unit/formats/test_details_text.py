"""Blocks of qstat -j and qacct -j, name by name (clients.md#tables, clients.md#qacct)."""

from datetime import datetime

import pytest

from qmon_tui.formats.format_findings import unreadable
from qmon_tui.formats.records import details_text, job_builders
from qmon_tui.formats.records.accounting import FIELDS, read_accounts
from qmon_tui.formats.records.details_text import accounting_records, read_moment
from qmon_tui.formats.records.record_reader import read_records
from qmon_tui.model import PeRequest, Request, TaskRange

NOON = int(datetime(2026, 11, 24, 12, 13, 46).timestamp())


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("Tue Nov 24 12:13:46 2026", NOON),
        ("Tue Nov  24  12:13:46 2026 ", NOON),
        ("11/24/2026 12:13:46", NOON),
        ("11/24/2026 12:13:46.789", NOON),
        (str(NOON), NOON),
        ("-/-", None),
        ("undefined", None),
        (" ", None),
    ],
)
def test_times_of_all_versions(text: str, seconds: int | None) -> None:
    assert read_moment(text) == seconds


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("hard resource_list: h_rt=600,lic=2", Request(hard=(("h_rt", "600"), ("lic", "2")))),
        ("soft_resource_list: arch=lx*", Request(soft=(("arch", "lx*"),))),
        ("hard_queue_list: all.q,b.q", Request(hard_queues=("all.q", "b.q"))),
        ("soft_queue_list: b.q", Request(soft_queues=("b.q",))),
        ("master_hard queue_list: b.q", Request(master_queues=("b.q",))),
        ("parallel environment: mpi range: 2-4", Request(pe=PeRequest("mpi", ((2, 4, 1),)))),
        ("parallel environment: mpi range: 2-9999999", Request(pe=PeRequest("mpi", ((2, 9999999, 1),)))),
        ("parallel environment: mpi range: 1,4-8", Request(pe=PeRequest("mpi", ((1, 1, 1), (4, 8, 1))))),
        ("parallel environment: mpi", Request()),
        ("priority: -5", Request(priority=-5)),
        ("priority: 0", Request()),
        ("project: NONE", Request()),
        ("project: sea", Request(project="sea")),
        ("account: sge", Request()),
        ("account: acct", Request(account="acct")),
        ("project: sge", Request(project="sge")),
        ("oticket: 7", Request(override_tickets=7)),
        ("jobshare: 7", Request(job_share=7)),
        ("reserve: y", Request(reserve=True)),
        ("restart: n", Request(rerun="n")),
        ("ar_id: 4", Request(advance_reservation="4")),
        ("execution_time: Tue Nov 24 12:13:46 2026", Request(start_time=NOON)),
        ("deadline: Tue Nov 24 12:13:46 2026", Request(deadline=NOON)),
        ("jid_predecessor_list: 3, 4", Request(hold_jid=("3", "4"))),
        ("jid_predecessor_list (req): 3", Request(hold_jid=("3",))),
        ("ja_ad_predecessor_list: 3", Request(hold_jid_ad=("3",))),
        ("job-array tasks: 1-9:2", Request(array=TaskRange(1, 9, 2))),
        ("script_file: sleep\njob_args: 60,a b", Request(command=("sleep", "60", "a b"))),
        ("script_file: sleep", Request(command=("sleep",))),
        ("job_args: 60", Request()),
        ("priority: -5\npriority: -6", Request(priority=-5)),
        ("what nobody knows: 7", Request()),
    ],
)
def test_what_a_line_says_that_a_job_asks_for(line: str, expected: Request) -> None:
    record = read_records({"file": f"{'=' * 60}\njob_number: 7\n{line}\n".encode()})
    assert [(finding.line, finding.message) for finding in record.findings] == [
        (2, "job 7 is there without a time of submission or start: the newest time of all is taken")
    ]
    assert [job.request for job in record.state.jobs] == [expected]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("priority: high", "job 7: "),
        ("deadline: someday", ""),
        ("submission_time: someday", ""),
        ("job-array tasks: 1-1000001", '"1-1000001" are more than 1000000 tasks'),
    ],
)
def test_what_is_wrong_in_a_block_is_said_where_it_begins(lines: str, message: str) -> None:
    record = read_records({"file": f"{'=' * 60}\njob_number: 7\n{lines}\n".encode()})
    (finding,) = unreadable(record.findings)
    assert (finding.rule, finding.line) == ("format.record", 2)
    assert message in finding.message
    assert [job.id for job in record.state.jobs] == [7]


@pytest.mark.parametrize(("last", "message"), [(4, ""), (5, '"1-5" are more than 4 tasks')])
def test_only_so_many_tasks_are_listed(monkeypatch: pytest.MonkeyPatch, last: int, message: str) -> None:
    monkeypatch.setattr(details_text, "MOST_TASKS", 4)
    monkeypatch.setattr(job_builders, "MOST_TASKS", 4)
    record = read_records({"file": f"{'=' * 60}\njob_number: 7\njob-array tasks: 1-{last}\n".encode()})
    assert [finding.message for finding in unreadable(record.findings)] == ([message] if message else [])


def test_details_tell_the_submission_and_leave_the_states_to_a_listing_that_tells_them() -> None:
    """A listing says what there is now; of what the details say it is guessed."""
    row = "<JB_job_number>7</JB_job_number><JB_owner>ada</JB_owner><JB_submission_time>5</JB_submission_time>"
    text = f"{'=' * 60}\njob_number: 7\nusage 1: cpu=1\nusage 3: cpu=1\njob-array tasks: 1-3\n"
    told: dict[str, tuple[int, dict[int, str]]] = {}
    for name, rows, more in (
        ("waits", ["<state>qw</state><tasks>1-3:1</tasks>"], ""),
        ("runs", ["<state>r</state><queue_name>a.q@n1</queue_name><tasks>2</tasks>"], ""),
        ("nothing", [], "submission_time: Tue Nov 24 12:13:46 2026\n"),
    ):
        listed = "".join(f"<job_list>{row}{body}</job_list>" for body in rows)
        files = {"list": f"<job_info><job_info>{listed}</job_info></job_info>", "details": text + more}
        (job,) = read_records({file: content.encode() for file, content in files.items()}).state.jobs
        told[name] = (job.submitted, {number: task.state for number, task in job.tasks.items()})
    assert told == {
        "waits": (5, {}),
        "runs": (5, {1: "gone", 2: "r", 3: "gone"}),
        "nothing": (NOON, {1: "r", 3: "r"}),
    }


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("3600s", "3600.0"),
        ("3600", "3600.0"),
        ("1.500", "1.5"),
        ("2.000GBs", "2.0"),
        ("2.000G", "2.0"),
        ("2.000TBs", "2048.0"),
        ("1.000PB", "1048576.0"),
        ("512.000MB", "0.5"),
        ("1048576.000KB", "1.0"),
        ("1073741824.000B", "1.0"),
        ("-1.0", "-1.0"),
        ("much", "much"),
        ("", ""),
    ],
)
def test_amounts_have_units(text: str, amount: str) -> None:
    block = ["=" * 60, "jobnumber 7", "slots 1", f"mem {text}"]
    ((line, record),) = accounting_records(block, FIELDS, lambda at, message: None)
    assert (line, record["job_number"], record["mem"], record["task_number"]) == (2, "7", amount, "0")


def test_blocks_that_are_no_jobs_are_left_out_and_wrong_ones_said() -> None:
    said: list[tuple[int, str]] = []
    blocks = [
        "jobnumber 5", "slots 1", "=" * 60,
        "jobnumber x", "slots 1", "=" * 20,
        "jobnumber 7", "slots two", "=" * 20,
        "jobnumber 8", "jobnumber 9", "slots 1", "taskid 3", "=" * 19, "=" * 20,
        "owner total",
    ]  # fmt: skip
    found = list(accounting_records(blocks, FIELDS, lambda at, message: said.append((at, message))))
    assert [(line, record["job_number"], record["task_number"]) for line, record in found] == [
        (4, "x", "0"),
        (7, "7", "0"),
        (10, "8", "3"),
    ]
    assert said == []
    record = read_accounts(["=" * 60, *blocks], "qacct")
    assert [job.id for job in record.state.jobs] == [5, 8]
    assert [(finding.line, finding.message) for finding in unreadable(record.findings)] == [
        (5, 'job_number is "x", not a whole number from 1 to 9999999'),
        (8, 'slots is "two", not a whole number from 0 to 9999999'),
    ]
