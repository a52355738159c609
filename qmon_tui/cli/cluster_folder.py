"""Reading the cluster of a command, its --only and --ignore, and notes about unreadable parts."""

import argparse
from collections.abc import Iterable, Iterator
from typing import Final

from qmon_tui.cli.answer import InputError, print_note
from qmon_tui.formats import unreadable
from qmon_tui.model import Cluster, Finding, Severity, foreign_decisions
from qmon_tui.model.catalogue import specs
from qmon_tui.report import count
from qmon_tui.sources import Reading, source_of

UNUSABLE: Final = 2
_MOST_FINDINGS: Final = 20


def read_cluster(path: str) -> tuple[Reading, tuple[str, ...]]:
    """Read a folder or a running cluster; return it with a note for each unreadable part. Raises SourceError."""
    reading = source_of(path).read()
    if reading.undone:
        print_note(f"a save of {', '.join(reading.undone)} was interrupted; it was undone: the folder is as before it.")
    return reading, tuple(finding_text(finding) for finding in unreadable(reading.findings))


def forecast_notes(cluster: Cluster) -> tuple[str, ...]:
    """Return a note if the cluster is of a Grid Engine version whose scheduler is not simulated; else nothing."""
    words = foreign_decisions(cluster.dialect)
    return (f"Not simulated yet: {words}",) if words else ()


def exit_code(notes: tuple[str, ...]) -> int:
    """Return the exit code of an answer: 2 if there are `notes` about unreadable parts, else 0."""
    return UNUSABLE if notes else 0


def finding_text(finding: Finding) -> str:
    """Return a reader's finding with its place, such as `hosts.yaml:12`, and its hint."""
    place = ":".join(str(part) for part in (finding.file, finding.line) if part is not None)
    return f"{place}: " + "; ".join(filter(None, (finding.message, finding.hint)))


def scope_arguments(parser: argparse.ArgumentParser, verb: str, past: str) -> None:
    """Declare --only and --ignore; `verb` and `past`, its participle, describe the command in the help."""
    parser.add_argument(
        "--only", metavar="KIND/NAME", action="append", default=[],
        help=f"{verb} only these objects, such as queue/all.q, host/node* or quota/*; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--ignore", metavar="FIELD", action="append", default=[],
        help=f"a field that is not {past}; may be repeated",
    )  # fmt: skip


def wanted_objects(patterns: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return (kind, name pattern) of each --only. Raises InputError."""
    kinds = {word: spec.kind.value for spec in specs().values() for word in (spec.kind.value, spec.yaml_key)}
    wanted = []
    for pattern in patterns:
        kind, slash, name = pattern.partition("/")
        if kind not in kinds or not slash:
            raise InputError(f"--only {pattern}: write KIND/NAME, with one of the kinds {', '.join(specs())}.")
        wanted.append((kinds[kind], name))
    return tuple(wanted)


def work_code(findings: Iterable[Finding]) -> int:
    """Return the exit code of an answer about work: 2 if a part of it is unreadable, else 0."""
    return UNUSABLE if unreadable(findings) else 0


def finding_lines(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield the first findings about the work, errors first, each text once; a trace may have thousands."""
    ordered = sorted(findings, key=lambda finding: finding.severity is not Severity.ERROR)
    lines = list(dict.fromkeys(finding_text(finding) if finding.file else finding.message for finding in ordered))
    yield from lines[:_MOST_FINDINGS]
    if lines[_MOST_FINDINGS:]:
        yield f"... and {count(len(lines) - _MOST_FINDINGS, 'finding')} more"
