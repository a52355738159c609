"""All unsaved edits as lines for a shell: qconf for the configuration, then what was done to jobs and queues."""

from collections.abc import Iterator, Sequence

from qmon_tui.qmaster import Qrsub, Qsub, leading_commands, script_lines
from qmon_tui.workspace.document import Document
from qmon_tui.workspace.edits import Batch, Edit
from qmon_tui.workspace.state_edits import CommandEdit
from qmon_tui.workspace.undo_history import Step


def unsaved_commands(saved: Document, now: Document, steps: Sequence[Step]) -> tuple[str, ...]:
    """Return the command lines that repeat the steps since the last save on a running cluster; `steps` are all steps.

    Changes that no command makes are comments.
    """
    of_state = tuple(_of_state(saved, now, steps)) if saved.state != now.state else ()
    return (*script_lines(leading_commands(saved.cluster, now.cluster)), *of_state)


def _of_state(saved: Document, now: Document, steps: Sequence[Step]) -> Iterator[str]:
    """The commands in the order in which they were given, from the last moment on at which all was saved."""
    backwards = range(len(steps) - 1, -1, -1)
    first = next((number for number in backwards if steps[number].before.state == saved.state), None)
    if first is None:
        yield "# what was done to jobs and queues before the files were read again is not known any more"
        first = 0
    for step in steps[first:]:
        if step.before.state == step.after.state:
            continue
        for edit in _parts(step.edit) if step.edit is not None else (None,):
            yield from _lines(edit, step.label)


def _parts(edit: Edit) -> Iterator[Edit]:
    if isinstance(edit, Batch):
        for part in edit.edits:
            yield from _parts(part)
    else:
        yield edit


def _lines(edit: Edit | None, label: str) -> Iterator[str]:
    command = edit.command if isinstance(edit, CommandEdit) else None
    if command is None or not command.line:
        yield f"# no command does this: {edit.label if edit is not None else label}"
        return
    if isinstance(command, Qsub | Qrsub):
        yield f"# by {command.job.owner if isinstance(command, Qsub) else command.owner}:"
    yield command.line
