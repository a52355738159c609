"""Why an object may not be deleted as long as certain jobs and advance reservations are there (tried with 8.1.9)."""

from collections.abc import Iterator

from qmon_tui.checks.rules import RuleBook
from qmon_tui.model.cluster import Cluster, ConfigObject
from qmon_tui.model.findings import Finding
from qmon_tui.model.job_uses import jobs_naming
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State

_SOURCE = "validation/others.md section 1.3"
_OCCUPIED = {
    Kind.QUEUE: RuleBook(Kind.QUEUE, _SOURCE).error(
        "occupied", "A queue in which jobs run, or that advance reservations have been granted, cannot be deleted."
    ),
    Kind.PE: RuleBook(Kind.PE, _SOURCE).error(
        "occupied", "A parallel environment that a job asks for cannot be deleted."
    ),
    Kind.CKPT: RuleBook(Kind.CKPT, _SOURCE).error(
        "occupied", "A checkpointing environment that a job asks for cannot be deleted."
    ),
}
_ASKED_FOR = {Kind.PE: ("-pe ", "Parallel environment"), Kind.CKPT: ("-ckpt ", "Checkpointing object")}
_FINISHED = frozenset("xz")


def occupation(cluster: Cluster, state: State, obj: ConfigObject) -> Iterator[Finding]:
    """What the qmaster says against deleting an object that is in use by jobs, before it looks at the configuration."""
    rule = _OCCUPIED.get(obj.kind)
    if rule is None:
        return
    if obj.kind is Kind.QUEUE:
        if any(name.partition("@")[0] == obj.name for name in _taken(state)):
            hint = "Wait until its jobs have ended, or delete them, and its advance reservations (qrdel)."
            yield rule.finding(obj, None, "There are still running jobs in the queue. Deletion denied.", hint)
        return
    option, word = _ASKED_FOR[obj.kind]
    asking = (use for use in jobs_naming(cluster, state, obj.kind, obj.name) if use.where.startswith(option))
    first = next(asking, None)
    if first is not None:
        said = f'denied: {word} "{obj.name}" is still referenced in job {first.job.id}.'
        yield rule.finding(obj, None, said, f"Job {first.job.id} asks for it with {first.where}.")


def _taken(state: State) -> Iterator[str]:
    """Queue instances of which something is held, some of them more than once."""
    for job in state.jobs:
        for task in job.tasks.values():
            if task.state not in _FINISHED:
                yield from task.granted
    for one in state.reservations:
        if not one.is_over:
            yield from one.granted
