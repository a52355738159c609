"""Read reporting(5), which the qmaster writes during operation: submissions, and accounting of ended tasks.

Each line is `time:type:...`; after `acct` it has the fields of accounting(5) (clients.md#reporting). Requests are only
written at a job's end; of jobs that have not ended, mainly name and owner are known.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from qmon_tui.formats.format_findings import problem
from qmon_tui.formats.qsub_options import PRIORITIES
from qmon_tui.formats.records.accounting import MOVED, need_numbers, read_accounting
from qmon_tui.formats.records.job_builders import JobBuilders
from qmon_tui.formats.records.record import Recorded, epoch
from qmon_tui.model import Finding, beginning_of_day
from qmon_tui.values import whole_number

IS_REPORTING: Final = re.compile(
    r"[0-9]+:(?:new_job|job_log|acct|queue|queue_consumable|host|host_consumable|sharelog|new_ar|ar_\w+):"
)
_NEW_JOB: Final = (
    "submission_time", "job_number", "task_number", "pe_taskid", "job_name", "owner", "group", "project",
    "department", "account", "priority",
)  # fmt: skip
_SHIFT: Final = 1024
"""A priority is written plus this, so that it is never negative."""


def read_reporting(lines: Iterable[str], file: str) -> Recorded:
    """Return the jobs as submitted, all pending; ended ones with their requests and run times."""
    records: list[str] = []
    submitted: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        kind, _, rest = line.partition(":")[2].partition(":")
        records.append(rest if kind == "acct" else "")
        if kind == "new_job":
            submitted.append((number, rest))
    ended = read_accounting(records, file)
    known = {job.id for job in ended.state.jobs}
    findings: list[Finding] = []
    drafts = JobBuilders()
    for number, text in submitted:
        try:
            _take(drafts, text, known)
        except ValueError as error:
            findings.append(problem("format.record", str(error), file=file, line=number))
    waiting = drafts.state()
    jobs = sorted((*ended.state.jobs, *waiting.jobs), key=lambda job: job.id)
    state = replace(ended.state, jobs=tuple(jobs), now=max(ended.state.now, waiting.now))
    state = replace(state, beginning=beginning_of_day(state))
    return replace(ended, state=state, findings=(*ended.findings, *findings))


def _take(drafts: JobBuilders, text: str, ended: set[int]) -> None:
    fields = text.split(":")
    if len(fields) < len(_NEW_JOB):
        raise ValueError(f"this line has {len(fields)} fields, a submission has {len(_NEW_JOB)}")
    record = dict(zip(_NEW_JOB, fields, strict=False))
    need_numbers(record, ("submission_time", "job_number"), MOVED)
    job, submitted = int(record["job_number"]), epoch(int(record["submission_time"]))
    if job in ended:
        return
    draft = drafts.of(job)
    draft.owner, draft.name, draft.group = record["owner"], record["job_name"], record["group"]
    draft.submitted = submitted
    if record["project"]:
        draft.request["project"] = record["project"]
    priority = whole_number(record["priority"], PRIORITIES[0] + _SHIFT, PRIORITIES[-1] + _SHIFT)
    draft.request["priority"] = priority - _SHIFT if priority is not None else 0
