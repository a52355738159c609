"""Jobs as a run finds them: what they ask for, which of their tasks take part, which are alike."""

from qmon_tui.scheduler.jobs.categories import (
    EMPTY_SNAPSHOT,
    Category,
    Cursor,
    HostScan,
    Key,
    PeCache,
    PlainCategory,
    Snapshot,
)
from qmon_tui.scheduler.jobs.dependencies import NO_ARRAY, Dependencies, dependencies_of, is_finished
from qmon_tui.scheduler.jobs.jc_filter import apply_jc_filter
from qmon_tui.scheduler.jobs.job_profiles import JobProfile, JobProfiles, job_profiles_of, leaves_category
from qmon_tui.scheduler.jobs.resource_requests import Demand, ResourceRequest, as_typed, compile_demand
from qmon_tui.scheduler.jobs.run_job import RunJob, TicketHolder, TicketHolders, Tickets, Urgency
from qmon_tui.scheduler.jobs.split import (
    Split,
    TaskList,
    has_just_finished,
    is_enrolled,
    split_job,
    task_list_of,
    untouched,
)

__all__ = [
    "EMPTY_SNAPSHOT",
    "NO_ARRAY",
    "Category",
    "Cursor",
    "Demand",
    "Dependencies",
    "HostScan",
    "JobProfile",
    "JobProfiles",
    "Key",
    "PeCache",
    "PlainCategory",
    "ResourceRequest",
    "RunJob",
    "Snapshot",
    "Split",
    "TaskList",
    "TicketHolder",
    "TicketHolders",
    "Tickets",
    "Urgency",
    "apply_jc_filter",
    "as_typed",
    "compile_demand",
    "dependencies_of",
    "has_just_finished",
    "is_enrolled",
    "is_finished",
    "job_profiles_of",
    "leaves_category",
    "split_job",
    "task_list_of",
    "unsupported",
    "untouched",
]
