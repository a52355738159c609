"""The commands to the qmaster that the screens offer, as edits: for one job or many, always one step of undo."""

from collections.abc import Sequence

from qmon_tui.explain import CLEAN_UP, Change
from qmon_tui.model import Cluster, Job, State, read_only
from qmon_tui.qmaster import (
    CleanUp,
    InstanceCommand,
    JobCommand,
    Qalter,
    Qdel,
    Qhold,
    QmodJobs,
    QmodQueues,
    QmodReschedule,
    Qrdel,
    Qrls,
    Qrsub,
    Qsub,
    Target,
    read_command,
    read_target,
    target_words,
)
from qmon_tui.workspace.edits import Batch, Edit
from qmon_tui.workspace.state_edits import CommandEdit

__all__ = ["HOLD_WORDS", "target_words"]

HOLD_WORDS = {"u": "user", "o": "operator", "s": "system"}


def hold_jobs(targets: Sequence[Target], letters: str) -> CommandEdit:
    """qhold -h."""
    return CommandEdit(Qhold(tuple(targets), letters))


def release_jobs(targets: Sequence[Target], letters: str) -> CommandEdit:
    """qrls -h."""
    return CommandEdit(Qrls(tuple(targets), letters))


def modify_jobs(command: JobCommand, targets: Sequence[Target]) -> CommandEdit:
    """qmod -sj, -usj, -cj or -rj."""
    return CommandEdit(QmodJobs(tuple(targets), command))


def delete_jobs(targets: Sequence[Target], *, force: bool) -> CommandEdit:
    """qdel, with `force` qdel -f."""
    return CommandEdit(Qdel(tuple(targets), force))


def clean_up_after(targets: Sequence[Target]) -> CommandEdit:
    """Return the edit after which hosts have cleaned up after rescheduled tasks; no command does that."""
    return CommandEdit(CleanUp(tuple(targets)))


def alter_jobs(targets: Sequence[Target], options: str) -> CommandEdit:
    """qalter with some options; they are for whole jobs."""
    return CommandEdit(Qalter(tuple(targets), options))


def objection_to_altering(cluster: Cluster, state: State, numbers: Sequence[int], options: str) -> str | None:
    """Return the words of qalter about the first job that it refuses or does not change; None if there is none."""
    return Qalter(tuple(map(Target, numbers)), options).objection(cluster, state)


def submit_job(job: Job) -> CommandEdit:
    """qsub."""
    return CommandEdit(Qsub(job))


def submit_jobs(jobs: Sequence[Job]) -> Edit:
    """qsub, once for each job; all of it is one step of undo."""
    edits = tuple(submit_job(job) for job in jobs)
    return edits[0] if len(edits) == 1 else Batch(f"submit {len(edits)} jobs, {jobs[0].id} to {jobs[-1].id}", edits)


def reschedule_in(names: Sequence[str], *, force: bool) -> CommandEdit:
    """qmod -rq, with `force` qmod -f -rq."""
    return CommandEdit(QmodReschedule(tuple(names), force))


def make_reservation(owner: str, options: str, group: str = "staff") -> CommandEdit:
    """qrsub."""
    return CommandEdit(Qrsub(owner, options, group))


def delete_reservations(numbers: Sequence[int], *, force: bool) -> CommandEdit:
    """qrdel, with `force` qrdel -f."""
    return CommandEdit(Qrdel(tuple(numbers), force))


def change_queue_instances(
    command: InstanceCommand, names: Sequence[str], states: dict[str, str] | None = None
) -> CommandEdit:
    """qmod -d, -e, -sq, -usq or -cq; `states` has letters that are not in the state."""
    return CommandEdit(QmodQueues(command, tuple(names), read_only(states or {})))


def edit_of_change(cluster: Cluster, change: Change) -> CommandEdit | None:
    """Return the edit for an offered change of jobs, queue instances or reservations; None if there is none."""
    if change.field == CLEAN_UP:
        target = read_target(change.name)
        return clean_up_after([target]) if target else None
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
