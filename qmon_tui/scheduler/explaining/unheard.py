"""What becomes of a task whose host is not heard from (queue instances in state u).

As tried on a real qmaster whose execd was killed: what has its master queue on the host is sent back to be scheduled
after reschedule_unknown, suspended or not, if it may be run again. How long the silence lasts no state can tell.
"""

from qmon_tui.model.effective_configuration import effective_configuration
from qmon_tui.model.kinds import Kind
from qmon_tui.scheduler.compiled.parsing import number
from qmon_tui.scheduler.explanation import ReasonGroup, Why
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.outcome import TaskOutcome
from qmon_tui.scheduler.run import Run

_UNKNOWN, _TOLD_TO_END, _WHEN_RESCHEDULED = "u", "d", "r"
_FOR_EVER = "the task counts as running until somebody deletes it or sends it back, as reschedule_unknown is {}"
_SENT_BACK = (
    "if that lasts for {} (reschedule_unknown) the task is sent back to be scheduled, as if submitted then, and not to "
    "{} until that is cleaned up"
)


def unheard_reasons(run: Run, run_job: RunJob, task: TaskOutcome) -> tuple[ReasonGroup, ...]:
    """What happens to a running task; nothing where the host of its master queue is heard from."""
    master = next(iter(task.granted), "")
    instance = run.resources.instance_numbers.get(master)
    if instance is None or _UNKNOWN not in run.availability.states[instance]:
        return ()
    host = run.resources.instances[instance].host
    settings = effective_configuration(run.compiled.cluster, host)
    timer = next((one.text for one in settings if one.field == "reschedule_unknown"), "")
    obstacle = _why_it_stays(run, run_job, task, instance)
    if not number(timer):
        words = _FOR_EVER.format(timer)
    elif obstacle is not None:
        words = f"the task stays there however long that lasts, as {obstacle}"
    else:
        words = _SENT_BACK.format(timer, host)
    return (ReasonGroup(Why.STATE, "host", f"host {host} is not heard from (u): {words}", (master,)),)


def _why_it_stays(run: Run, run_job: RunJob, task: TaskOutcome, instance: int) -> str | None:
    """Why a task may not be run again, in the qmaster's order; None where it may."""
    request, place = run_job.job.request, run.resources.instances[instance]
    if request.rerun == "n":
        return "the job was submitted with -r n"
    if request.checkpoint is not None:
        checkpointing = run.compiled.cluster.get(Kind.CKPT, request.checkpoint)
        if checkpointing is None or _WHEN_RESCHEDULED not in checkpointing.text("when"):
            return f"when of the checkpointing environment {request.checkpoint} has no r"
    if _TOLD_TO_END in task.state:
        return "it has been told to end"
    if not request.rerun and not place.profile.fields["rerun"].number:
        return f"rerun of queue instance {place.name} is FALSE"
    return None
