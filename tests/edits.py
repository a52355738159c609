"""Commands to the qmaster as edits, as the screens give them."""

from collections.abc import Sequence

from qmon_tui.model import Job
from qmon_tui.qmaster import InstanceCommand, JobCommand, Qalter, Qdel, Qhold, QmodJobs, QmodQueues, Qsub, Target
from qmon_tui.workspace import CommandEdit


def hold_jobs(targets: Sequence[Target], letters: str) -> CommandEdit:
    return CommandEdit(Qhold(tuple(targets), letters))


def modify_jobs(command: JobCommand, targets: Sequence[Target]) -> CommandEdit:
    return CommandEdit(QmodJobs(tuple(targets), command))


def delete_jobs(targets: Sequence[Target], *, force: bool) -> CommandEdit:
    return CommandEdit(Qdel(tuple(targets), force))


def alter_jobs(targets: Sequence[Target], options: str) -> CommandEdit:
    return CommandEdit(Qalter(tuple(targets), options))


def submit_job(job: Job) -> CommandEdit:
    return CommandEdit(Qsub(job))


def change_queue_instances(command: InstanceCommand, names: Sequence[str]) -> CommandEdit:
    return CommandEdit(QmodQueues(command, tuple(names)))
