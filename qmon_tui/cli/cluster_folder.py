"""Opening what a command was given."""

from typing import Final

from qmon_tui.cli.answer import print_note
from qmon_tui.formats import unreadable
from qmon_tui.model import Cluster, Finding, foreign_decisions
from qmon_tui.sources import Reading, source_of

UNUSABLE: Final = 2


def read_cluster(path: str) -> tuple[Reading, tuple[str, ...]]:
    """A folder or a running cluster, and a line of talk for each part of it that cannot be read. Raises SourceError."""
    reading = source_of(path).read()
    if reading.undone:
        print_note(f"a save of {', '.join(reading.undone)} was interrupted; it was undone: the folder is as before it.")
    return reading, tuple(finding_text(finding) for finding in unreadable(reading.findings))


def forecast_notes(cluster: Cluster) -> tuple[str, ...]:
    """Return the note that a forecast is not made by the scheduler of the cluster's fork, if it is not."""
    words = foreign_decisions(cluster.dialect)
    return (f"Not simulated yet: {words}",) if words else ()


def exit_code(notes: tuple[str, ...]) -> int:
    """Return the exit code of an answer about a folder: 2 if `notes` name a part that could not be read."""
    return UNUSABLE if notes else 0


def finding_place(finding: Finding) -> str:
    """Where a finding was read: `hosts.yaml:12`."""
    return ":".join(str(part) for part in (finding.file, finding.line) if part is not None)


def finding_text(finding: Finding) -> str:
    """Return a reader's finding with its place and its hint."""
    return f"{finding_place(finding)}: " + "; ".join(filter(None, (finding.message, finding.hint)))
