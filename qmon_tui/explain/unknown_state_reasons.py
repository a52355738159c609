"""What becomes of a task whose host is not heard from (queue instances in state u).

As tried on a real qmaster whose execd was killed: what has its master queue on the host is sent back to be scheduled
after reschedule_unknown, suspended or not, if it may be run again. How long the silence lasts no state can tell.
qmaster_params may say that nothing is sent back, that any queue instance of a task counts, and that what may not be run
again ends (sge_conf(5)).
"""

from qmon_tui.explain.explanation import ReasonGroup, ReasonKind
from qmon_tui.model import Kind, TaskOutcome, effective_configuration, rescheduling_of
from qmon_tui.qmaster import Run
from qmon_tui.scheduler.configuration import number
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.suspension import UNREACHABLE

_TOLD_TO_END, _WHEN_RESCHEDULED = "d", "r"
_FOR_EVER = "the task counts as running until somebody deletes it or sends it back, as reschedule_unknown is {}"
_ENDED = "if that lasts for {} (reschedule_unknown) the task is ended (qmaster_params ENABLE_RESCHEDULE_KILL), as {}"
_SENT_BACK = (
    "if that lasts for {} (reschedule_unknown) the task is sent back to be scheduled, as if submitted then, and not to "
    "{} until that is cleaned up"
)


def unknown_state_reasons(run: Run, run_job: RunJob, task: TaskOutcome) -> tuple[ReasonGroup, ...]:
    """What happens to a running task; nothing where the host of its master queue is heard from."""
    rules = rescheduling_of(run.compiled.cluster)
    counting = list(task.granted)[: None if rules.minds_slaves else 1]
    numbers_by_name = ((name, run.resources.instance_numbers.get(name)) for name in counting)
    states = run.availability.states
    silent = (
        (name, number) for name, number in numbers_by_name if number is not None and UNREACHABLE in states[number]
    )
    name, instance = next(silent, ("", -1))
    if not name:
        return ()
    host = run.resources.instances[instance].host
    settings = effective_configuration(run.compiled.cluster, host)
    timer = next((setting.text for setting in settings if setting.field == "reschedule_unknown"), "")
    master = run.resources.instance_numbers.get(next(iter(task.granted)), instance)
    reason, ends = _why_it_stays(run, run_job, task, master)
    if not rules.is_automatic:
        words = _FOR_EVER.format("without effect (qmaster_params DISABLE_AUTO_RESCHEDULING)")
    elif not number(timer):
        words = _FOR_EVER.format(timer)
    elif reason is not None and ends and rules.ends_others:
        words = _ENDED.format(timer, reason)
    elif reason is not None:
        words = f"the task stays there however long that lasts, as {reason}"
    else:
        words = _SENT_BACK.format(timer, host)
    return (ReasonGroup(ReasonKind.STATE, "host", f"host {host} is not heard from (u): {words}", (name,)),)


def _why_it_stays(run: Run, run_job: RunJob, task: TaskOutcome, instance: int) -> tuple[str | None, bool]:
    """Why a task may not be run again, in the qmaster's order, None where it may; whether it may be ended for that."""
    request, place = run_job.job.request, run.resources.instances[instance]
    if request.rerun == "n":
        return "the job was submitted with -r n", True
    if request.checkpoint is not None:
        checkpointing = run.compiled.cluster.get(Kind.CKPT, request.checkpoint)
        if checkpointing is None or _WHEN_RESCHEDULED not in checkpointing.text("when"):
            return f"when of the checkpointing environment {request.checkpoint} has no r", False
    if _TOLD_TO_END in task.state:
        return "it has been told to end", False
    if not request.rerun and not place.profile.fields["rerun"].number:
        return f"rerun of queue instance {place.name} is FALSE", True
    return None, False
