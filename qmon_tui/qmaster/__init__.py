"""What the qmaster does around a scheduling run."""

from qmon_tui.qmaster.ar_conflicts import ar_conflicts
from qmon_tui.qmaster.commands import (
    InstanceCommand,
    JobCommand,
    Reply,
    Target,
    change_instances,
    clean_up,
    delete,
    give_back,
    hold,
    instances_named,
    looks_at_others,
    new_job,
    release,
    reschedule_instances,
    reserve,
    submit,
)
from qmon_tui.qmaster.commands.job_numbers import next_job, remembered
from qmon_tui.qmaster.commands.qrsub_qrdel import NO_PLACE
from qmon_tui.qmaster.commands.subordinate_suspension import has_subordinates
from qmon_tui.qmaster.commands.tasks import left
from qmon_tui.qmaster.outcome_builder import build_outcome
from qmon_tui.qmaster.run import Run, schedule, simulate
from qmon_tui.qmaster.running_job_check import objection_to_consumables, objection_to_project_or_ar
from qmon_tui.qmaster.scheduler_events import (
    latest_moment,
    moments,
    resent,
    resent_with_tasks,
    with_changed_instances,
    with_job,
    with_released_jobs,
)
from qmon_tui.qmaster.share_tree_outcome import usage_ahead
from qmon_tui.qmaster.submission_check import refusal
from qmon_tui.qmaster.task_end import changed_by_end

__all__ = [
    "NO_PLACE",
    "InstanceCommand",
    "JobCommand",
    "Reply",
    "Run",
    "Target",
    "ar_conflicts",
    "build_outcome",
    "change_instances",
    "changed_by_end",
    "clean_up",
    "delete",
    "give_back",
    "has_subordinates",
    "hold",
    "instances_named",
    "latest_moment",
    "left",
    "looks_at_others",
    "moments",
    "new_job",
    "next_job",
    "objection_to_consumables",
    "objection_to_project_or_ar",
    "refusal",
    "release",
    "remembered",
    "reschedule_instances",
    "resent",
    "resent_with_tasks",
    "reserve",
    "schedule",
    "simulate",
    "submit",
    "usage_ahead",
    "with_changed_instances",
    "with_job",
    "with_released_jobs",
]
