"""What can be done in the place of the jobs."""

from qmon_tui.tui.keys.action import Action
from qmon_tui.tui.keys.action_context import Pane

_HERE = (Pane.PAGE,)

JOBS_ACTIONS = (
    Action("jobs.add", ("a",), "add", "Submit a job", dangerous=True, footer=_HERE),
    Action("jobs.edit", ("e",), "edit", "Change the options of this job (qalter)", dangerous=True, footer=_HERE),
    Action("jobs.clone", ("c",), "clone", "Submit a copy of this job, changed as you like", dangerous=True),
    Action("jobs.delete", ("d", "delete"), "delete", "Delete this job or the marked ones, after asking (qdel)",
           dangerous=True, footer=_HERE),
    Action("jobs.revert", ("x",), "revert", "Set this job back to what was saved", dangerous=True),
    Action("jobs.hold", ("W",), "hold", "Let it wait, or no longer: holds of user, operator and system (qhold, qrls)",
           dangerous=True, footer=_HERE),
    Action("jobs.priority", ("P",), "priority", "Give another POSIX priority (qalter -p)", dangerous=True,
           footer=_HERE),
    Action("jobs.override", ("ctrl+o",), "override", "Give other override tickets (qalter -ot)", dangerous=True),
    Action("jobs.share", ("percent_sign",), "job share", "Give another job share (qalter -js)", dangerous=True),
    Action("jobs.suspend", ("S",), "suspend", "Suspend what runs, or resume what is suspended (qmod -sj, -usj)",
           dangerous=True),
    Action("jobs.clear", ("K",), "clear error", "Let jobs in error state be scheduled again (qmod -cj)",
           dangerous=True),
    Action("jobs.again", ("O",), "send back", "Send a running job back to be scheduled again (qmod -rj, -f -rj)",
           dangerous=True),
    Action("jobs.clean", (), "clean up", "Let jobs sent back start again on the hosts where they ran before",
           dangerous=True),
    Action("jobs.tasks", ("N",), "tasks", "Give commands to some tasks of this array only"),
    Action("jobs.mark", ("m", "space"), "mark", "Mark this job, so that commands are for all marked ones"),
    Action("jobs.mark-all", ("A",), "mark all", "Mark all jobs that the filter lets through, or none"),
    Action("jobs.filter", ("slash",), "filter", "Show only some jobs: owner=bela state=qw slots>4 text",
           footer=_HERE),
    Action("jobs.order", ("o",), "order", "Order by another column; the same one again turns it round"),
    Action("jobs.columns", ("v",), "columns", "Choose the columns: those of qstat, -pri, -urg, -ext, or your own"),
    Action("jobs.why", ("w",), "why", "Everything about this job: its priority term by term and why it waits",
           footer=_HERE),
)  # fmt: skip
