"""qalter -w: whether a job as it would be finds a place, and what comes of the change then."""

from typing import Final

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.state import Job, State
from qmon_tui.scheduler.compiled.cluster import compile_cluster
from qmon_tui.scheduler.verifying import FOUND, ONLY_VERIFY, verified, warning
from qmon_tui.simulation.commands.reply import Reply
from qmon_tui.simulation.commands.tasks import left, task_of

_NOTHING_PENDING: Final = "verification: job is already running or is held"
_ERROR: Final = "e"


def with_verification(cluster: Cluster, before: State, reply: Reply, job: Job) -> Reply:
    """What becomes of a change, of which `job` is the outcome, by the option -w that came with it.

    With v and p nothing is changed, unless nothing of the job is pending: then the qmaster says so and goes on.
    """
    verify = job.request.verify
    said = () if verify in ONLY_VERIFY else reply.said
    if not _has_pending(job):
        return Reply(reply.state, (*said, _NOTHING_PENDING))
    compiled = compile_cluster(cluster)
    if verify in ONLY_VERIFY:
        found = verified(compiled, before, job)
        if found.slots is None:
            return Reply(before, tuple(found.lines(job.id)))
        number = f"verification: found possible assignment with {found.slots} slots"
        return Reply(before, (number if job.request.pe is not None else FOUND,))
    if verify == _ERROR and verified(compiled, before, job).slots is None:
        return Reply(before, ("error: no suitable queues",))
    text = warning(compiled, before, job)
    return reply if text is None else Reply(reply.state, (*said, text))


def _has_pending(job: Job) -> bool:
    """Tell whether a task waits that is not held: one that waits for other jobs does."""
    return any("q" in task_of(job, number).state and not job.own_holds(number) for number in left(job))
