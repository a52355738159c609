"""The page of the jobs."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.jobs.actions import JOB_ACTIONS
    from qmon_tui.tui.jobs.job_form import OwnedForm
    from qmon_tui.tui.jobs.prompts import ask_delete
    from qmon_tui.tui.jobs.view import JobsView
else:
    __getattr__ = late_names(
        __name__,
        {
            "actions": ("JOB_ACTIONS",),
            "job_form": ("OwnedForm",),
            "prompts": ("ask_delete",),
            "view": ("JobsView",),
        },
    )

__all__ = ["JOB_ACTIONS", "JobsView", "OwnedForm", "ask_delete"]
