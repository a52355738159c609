"""Edits that are carried out immediately on a running cluster: commands for jobs, instances, reservations; drains."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from qmon_tui.applying.gate import Gate, Verdict, Written, apply_lock
from qmon_tui.formats import Layout
from qmon_tui.model import State
from qmon_tui.qmaster import (
    Command,
    InstanceCommand,
    JobCommand,
    Qdel,
    QmodJobs,
    QmodQueues,
    QmodReschedule,
    Qrdel,
    keys_of,
)
from qmon_tui.sources import SourceError, planned_files, reading_of
from qmon_tui.sources.atomic_write import replace_file
from qmon_tui.sources.cell_folder import DRAINS, cell_folder, drains_file, drains_text
from qmon_tui.sources.qmaster_source import QmasterSource
from qmon_tui.workspace import Document, Edit, drains as drain_edits, parts_of, state_edits

_RESCHEDULING: Final = (JobCommand.RESCHEDULE, JobCommand.FORCE_RESCHEDULE)


Reasons = drain_edits.SetDrains | drain_edits.SetException
"""Edits of the drains and exceptions that are kept beside the cell."""


class Immediate(NamedTuple):
    """The parts of an edit that are carried out immediately."""

    commands: tuple[Command, ...]
    drains: tuple[Reasons, ...]
    """Edits of drains and exceptions, which are kept beside the cell."""
    others: tuple[str, ...]
    """Labels of parts for which no command exists."""


def immediate(edit: Edit) -> Immediate | None:
    """Return the parts of an edit of jobs, queue states or drains; None for an edit of the configuration."""
    parts = tuple(parts_of(edit))
    commands = tuple(
        part.command for part in parts if isinstance(part, state_edits.CommandEdit) and not keys_of(part.command)
    )
    drains = tuple(part for part in parts if isinstance(part, Reasons))
    if not commands and not drains:
        return None
    others = (part.label for part in parts if not isinstance(part, state_edits.CommandEdit | Reasons))
    return Immediate(commands, drains, tuple(others))


def warnings(commands: tuple[Command, ...], document: Document) -> tuple[str, ...]:
    """Return warnings as sentences: commands that cannot be undone or change nothing, and causes of cleared errors.

    `document` is the cluster as last read.
    """
    state = document.state
    texts = dict.fromkeys(text for command in commands for text in _warnings(command, state))
    for command in commands:
        reply = command.apply(document.cluster, state)
        if reply.state is state and reply.messages:
            texts[f"As last read, it changes nothing: {reply.messages[0]}"] = None
    return tuple(texts)


def _warnings(command: Command, state: State) -> Iterator[str]:
    match command:
        case Qdel():
            yield "Deleted jobs do not come back: this cannot be undone."
        case QmodReschedule():
            yield "What these jobs have computed without a checkpoint is lost: this cannot be undone."
        case QmodJobs(_, verb) if verb in _RESCHEDULING:
            yield "What these jobs have computed without a checkpoint is lost: this cannot be undone."
        case Qrdel():
            yield "The jobs of a reservation are deleted with it: this cannot be undone."
        case QmodQueues(InstanceCommand.SUSPEND, _):
            yield "What runs there is suspended, too."
        case QmodQueues(InstanceCommand.CLEAR_ERROR, names):
            causes: dict[str, list[str]] = {}
            for name in names:
                if "E" in state.queue_states.get(name, ""):
                    causes.setdefault(state.error_reasons.get(name, "unknown"), []).append(name)
            for cause, places in causes.items():
                more = f" and {len(places) - 3} more" if len(places) > 3 else ""
                yield f"Cause of the error of {', '.join(places[:3])}{more}: {cause}."


def run_immediate(gate: Gate, asked: Immediate) -> tuple[Written, ...]:
    """Run the commands in their order; if all succeed, keep the drains beside the cell.

    A failure to log or to keep them is a result, not an exception, as earlier commands have run.
    """
    results: list[Written] = []
    for command in asked.commands:
        try:
            results.append(gate.run(command))
        except SourceError as error:
            results.append(Written(command.line or command.words, Verdict.REFUSED, (error.message,)))
    if asked.drains and all(written.verdict.is_well for written in results):
        try:
            keep_drains(gate.source, asked.drains)
        except SourceError as error:
            results.append(Written("; ".join(edit.label for edit in asked.drains), Verdict.REFUSED, (error.message,)))
    return tuple(results)


def keep_drains(source: QmasterSource, edits: tuple[Reasons, ...]) -> None:
    """Edit drains and exceptions in the file that users of the program share. Raises SourceError.

    A damaged file, or one that this user may not write, stays unchanged.
    """
    with apply_lock(source.cell):
        text = drains_text(source.cell)
        place = cell_folder(source.cell) / DRAINS
        if text and place != drains_file(source.cell):
            raise SourceError(f"{drains_file(source.cell)} cannot be written: Permission denied")
        reading = reading_of(source, Layout.QCONF, source.cell.cell, {DRAINS: text} if text else {})
        for finding in reading.findings:
            raise SourceError(
                f"{place} line {finding.line}: {finding.message}. Nothing is written until it is corrected."
            )
        document = Document(reading.cluster, reading.state)
        for edit in edits:
            document = edit.made(document)
        changes = planned_files(reading, reading.cluster, document.state).files
        after = next((change.after for change in changes if change.file == DRAINS), text)
        try:
            if after:
                replace_file(place, after)
            else:
                place.unlink(missing_ok=True)
        except OSError as error:
            raise SourceError(f"the reasons cannot be kept beside the cell: {error.strerror}") from None
