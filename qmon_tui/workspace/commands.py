"""Commands to the qmaster as edits, edits as commands, and edits computed in advance, off the screen's thread."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from qmon_tui.explain import CLEAN_UP, Change
from qmon_tui.model import Cluster, Job
from qmon_tui.qmaster import (
    CleanUp,
    Command,
    Qalter,
    Qdel,
    Qhold,
    QmodJobs,
    QmodQueues,
    QmodReschedule,
    Qrdel,
    Qrls,
    Qsub,
    leading_commands,
    read_command,
    read_target,
)
from qmon_tui.workspace.difference import unsaved_changes
from qmon_tui.workspace.document import Document
from qmon_tui.workspace.edits import Batch, Edit, parts_of
from qmon_tui.workspace.state_edits import CommandEdit
from qmon_tui.workspace.undo_history import Step

HOLD_WORDS = {"u": "user", "o": "operator", "s": "system"}


def submit_jobs(jobs: Sequence[Job]) -> Edit:
    """Return the edit that submits the jobs with one qsub each; it is one undo step."""
    edits = tuple(CommandEdit(Qsub(job)) for job in jobs)
    return edits[0] if len(edits) == 1 else Batch(f"submit {len(edits)} jobs, {jobs[0].id} to {jobs[-1].id}", edits)


def edit_of_change(cluster: Cluster, change: Change) -> CommandEdit | None:
    """Return the edit for an offered change of jobs, queue instances or reservations; None for any other change."""
    if change.field == CLEAN_UP:
        target = read_target(change.name)
        return CommandEdit(CleanUp((target,))) if target else None
    return edit_of_command(cluster, change.command)


def edit_of_command(cluster: Cluster, line: str) -> CommandEdit | None:
    """Return the edit of a line of qalter, qhold, qrls, qmod, qdel or qrdel; None for any other command.

    qdel ends a job immediately, as with -f: no simulated host takes time to end it.
    """
    command = read_command(cluster, line)
    if isinstance(command, Qdel):
        return CommandEdit(Qdel(command.targets, force=True))
    is_of_state = isinstance(command, Qalter | Qhold | Qrls | QmodJobs | QmodQueues | QmodReschedule | Qrdel)
    return CommandEdit(command) if command is not None and is_of_state else None


class Remark(NamedTuple):
    """A sentence about edits that no command makes."""

    text: str


def unsaved_commands(saved: Document, now: Document, steps: Sequence[Step]) -> tuple[Command | Remark, ...]:
    """Return the commands that repeat the steps since the last save on a running cluster; `steps` are all steps."""
    of_state = tuple(_of_state(saved, now, steps)) if saved.state != now.state else ()
    return (*leading_commands(saved.cluster, now.cluster), *of_state)


def _of_state(saved: Document, now: Document, steps: Sequence[Step]) -> Iterator[Command | Remark]:
    """Yield the commands in the order in which they were made, from the last step that began with the saved state."""
    backwards = range(len(steps) - 1, -1, -1)
    first = next((number for number in backwards if steps[number].before.state == saved.state), None)
    if first is None:
        yield Remark("what was done to jobs and queues before the files were read again is not known any more")
        first = 0
    for step in steps[first:]:
        if step.before.state == step.after.state:
            continue
        for edit in parts_of(step.edit) if step.edit is not None else (None,):
            command = edit.command if isinstance(edit, CommandEdit) else None
            if command is not None and command.line:
                yield command
            else:
                yield Remark(f"no command does this: {edit.label if edit is not None else step.label}")


@dataclass(frozen=True, slots=True)
class PreparedEdit(Edit):
    """An edit with its result for one document, made in advance; any other document is edited as usual."""

    edit: Edit
    before: Document
    after: Document

    @property
    def label(self) -> str:
        return self.edit.label

    def made(self, document: Document) -> Document:
        return self.after if document is self.before else self.edit.made(document)


def prepared_edit(edit: Edit, read: Document, document: Document) -> PreparedEdit:
    """Make the edit in a document, and compute (memoize) the unsaved changes after it. Raises EditError."""
    after = edit.made(document)
    unsaved_changes(read, after)
    return PreparedEdit(edit, document, after)
