"""Why each queue instance did not take a job, found by matching again with what is free after the run."""

from qmon_tui.scheduler.explaining.parallel import parallel_reasons
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.outcome import InstanceReason
from qmon_tui.scheduler.placement.sequential import GLOBAL_SCOPE, HOST_SCOPE, Attempt
from qmon_tui.scheduler.run import Run

_LEVELS = {GLOBAL_SCOPE: "global", HOST_SCOPE: "host"}


def instance_reasons(run: Run, run_job: RunJob) -> tuple[InstanceReason, ...]:
    """One reason for each queue instance that was dropped or does not fit; none for those that would fit."""
    if run_job.job.request.pe is not None:
        return parallel_reasons(run, run_job)
    attempt = Attempt(run.search.applicant(run_job))
    everywhere = run.search.examine_global(attempt)
    reasons: list[InstanceReason] = []
    for number, instance in enumerate(run.resources.instances):
        dropped = run.availability.dropped.get(number)
        if dropped is not None:
            reasons.append(InstanceReason(instance.name, "queue", dropped))
            continue
        verdict = everywhere
        if verdict is None:
            attempt.bad_hosts.clear()
            attempt.bad_queues.clear()
            verdict = run.search.examine(number, attempt)
        if verdict is not None:
            level = _LEVELS.get(verdict.scope, "queue")
            reasons.append(InstanceReason(instance.name, level, verdict.message, verdict.attribute))
    return tuple(reasons)
