"""The Jobs page."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.jobs.actions import JOB_ACTIONS as JOB_ACTIONS
    from qmon_tui.tui.jobs.job_form import OwnedForm as OwnedForm
    from qmon_tui.tui.jobs.prompts import ask_delete as ask_delete
    from qmon_tui.tui.jobs.view import JobsView as JobsView
else:
    __getattr__ = late_names(__name__, __file__, modules=True)
