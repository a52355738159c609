"""What can be done in the place of the jobs."""

from qmon_tui.tui.action import Action
from qmon_tui.tui.situation import Need, Pane

JOBS_ACTIONS = (
    Action("jobs.why", ("w",), "why", "Everything about this job: its priority term by term and why it waits",
           needs=(Need.JOB,), footer=(Pane.PLACE,)),
)  # fmt: skip
