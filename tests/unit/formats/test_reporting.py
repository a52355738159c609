"""Submissions in reporting(5), one by one."""

import pytest

from qmon_tui.formats.records.record import Recorded
from qmon_tui.formats.records.reporting import read_reporting
from qmon_tui.model import Request

FIELDS = {
    "submission_time": "1000000000", "job_number": "5", "task_number": "-1", "pe_taskid": "NONE", "job_name": "a",
    "owner": "anna", "group": "staff", "project": "", "department": "none", "account": "sge", "priority": "1024",
}  # fmt: skip


def submission(**others: str) -> Recorded:
    return read_reporting([f"1000000001:new_job:{':'.join((FIELDS | others).values())}"], "reporting")


@pytest.mark.parametrize(
    ("others", "request_of_it"),
    [
        ({}, Request()),
        ({"project": "sea"}, Request(project="sea")),
        ({"priority": "1"}, Request(priority=-1023)),
        ({"priority": "0"}, Request()),
        ({"priority": "2048"}, Request(priority=1024)),
        ({"priority": "2049"}, Request()),
        ({"priority": "99999"}, Request()),
        ({"priority": "999999"}, Request()),
        ({"priority": "-5"}, Request()),
        ({"priority": "x"}, Request()),
        ({"priority": ""}, Request()),
        ({"priority": "²"}, Request()),
    ],
)
def test_what_a_submission_tells(others: dict[str, str], request_of_it: Request) -> None:
    record = submission(**others)
    (job,) = record.state.jobs
    assert not record.findings
    assert (job.id, job.owner, job.name, job.group, job.submitted) == (5, "anna", "a", "staff", 1000000000)
    assert job.request == request_of_it


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ({"job_number": "x"}, 'job_number is "x", not a whole number from 1 to 9999999: is there a colon in a name?'),
        ({"job_number": f"{5:020}"}, None),
        ({"job_number": f"{5:05000}"}, None),
        (
            {"submission_time": "3" + "0" * 17},
            'submission_time is "300000000000000000", not a whole number from 0 to '
            "221845392000000000: is there a colon in a name?",
        ),
        ({"submission_time": ""}, "submission_time is missing: is there a colon in a name?"),
    ],
)
def test_numbers_of_a_submission_at_their_bounds(others: dict[str, str], said: str | None) -> None:
    record = submission(**others)
    assert [finding.message for finding in record.findings] == ([said] if said else [])
    assert len(record.state.jobs) == (said is None)


def test_a_submission_has_all_its_fields() -> None:
    record = read_reporting(["1:new_job:" + ":".join([*FIELDS.values()][:-1])], "reporting")
    assert [finding.message for finding in record.findings] == ["this line has 10 fields, a submission has 11"]
