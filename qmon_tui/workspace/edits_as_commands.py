"""All unsaved edits as commands: qconf for the configuration, then what was done to jobs and queues."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from qmon_tui.qmaster import Command, leading_commands
from qmon_tui.workspace.document import Document
from qmon_tui.workspace.edits import parts_of
from qmon_tui.workspace.state_edits import CommandEdit
from qmon_tui.workspace.undo_history import Step


class Remark(NamedTuple):
    """A sentence about edits that no command makes."""

    text: str


def unsaved_commands(saved: Document, now: Document, steps: Sequence[Step]) -> tuple[Command | Remark, ...]:
    """Return the commands that repeat the steps since the last save on a running cluster; `steps` are all steps."""
    of_state = tuple(_of_state(saved, now, steps)) if saved.state != now.state else ()
    return (*leading_commands(saved.cluster, now.cluster), *of_state)


def _of_state(saved: Document, now: Document, steps: Sequence[Step]) -> Iterator[Command | Remark]:
    """Yield the commands in the order in which they were given, from the last moment on at which all was saved."""
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
