"""Commands to the qmaster as edits: of an offered change, of a line, of several new jobs in one step of undo."""

from collections.abc import Sequence

from qmon_tui.explain import CLEAN_UP, Change
from qmon_tui.model import Cluster, Job
from qmon_tui.qmaster import (
    CleanUp,
    Qalter,
    Qdel,
    Qhold,
    QmodJobs,
    QmodQueues,
    QmodReschedule,
    Qrdel,
    Qrls,
    Qsub,
    read_command,
    read_target,
)
from qmon_tui.workspace.edits import Batch, Edit
from qmon_tui.workspace.state_edits import CommandEdit

HOLD_WORDS = {"u": "user", "o": "operator", "s": "system"}


def submit_jobs(jobs: Sequence[Job]) -> Edit:
    """qsub, once for each job; all of it is one step of undo."""
    edits = tuple(CommandEdit(Qsub(job)) for job in jobs)
    return edits[0] if len(edits) == 1 else Batch(f"submit {len(edits)} jobs, {jobs[0].id} to {jobs[-1].id}", edits)


def edit_of_change(cluster: Cluster, change: Change) -> CommandEdit | None:
    """Return the edit for an offered change of jobs, queue instances or reservations; None if there is none."""
    if change.field == CLEAN_UP:
        target = read_target(change.name)
        return CommandEdit(CleanUp((target,))) if target else None
    return edit_of_command(cluster, change.command)


def edit_of_command(cluster: Cluster, line: str) -> CommandEdit | None:
    """Return the edit of a line of qalter, qhold, qrls, qmod, qdel or qrdel; None for any other command.

    A job ends immediately, as no host takes time to end it; the next run books it.
    """
    command = read_command(cluster, line)
    if isinstance(command, Qdel):
        return CommandEdit(Qdel(command.targets, force=True))
    is_of_state = isinstance(command, Qalter | Qhold | Qrls | QmodJobs | QmodQueues | QmodReschedule | Qrdel)
    return CommandEdit(command) if command is not None and is_of_state else None
