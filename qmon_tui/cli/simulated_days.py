"""The work of simulated days: where it comes from, and what is strange about it."""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from qmon_tui.cli.answer import InputError
from qmon_tui.cli.cluster_folder import UNUSABLE, finding_text
from qmon_tui.cli.parser import whole
from qmon_tui.formats import unreadable
from qmon_tui.model import Finding, Severity
from qmon_tui.report import count
from qmon_tui.values import format_time

_MOST_FINDINGS: Final = 20
_MOST_COMMANDS: Final = 20


def workload_argument(parser: argparse.ArgumentParser) -> None:
    """Declare the file that the work may come from."""
    parser.add_argument("--workload", metavar="FILE", help="the work instead of the folder's: YAML with workload or "
                        "jobs, an SWF trace, or an accounting file")  # fmt: skip


def work_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare where the work comes from."""
    workload_argument(parser)
    parser.add_argument("--seed", metavar="N", type=whole, help="seed of the random numbers")


def refuse_seed(options: argparse.Namespace) -> None:
    """Raises InputError for a seed that is none."""
    if options.seed is not None and options.seed < 0:
        raise InputError("--seed: write a whole number, 0 or more.")


def work_code(findings: Iterable[Finding]) -> int:
    """The exit code of an answer about work: 2 where a part of it could not be taken as it is written."""
    return UNUSABLE if unreadable(findings) else 0


def finding_lines(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield the first findings about the work; a trace may have thousands that are alike."""
    ordered = sorted(findings, key=lambda finding: finding.severity is not Severity.ERROR)
    lines = list(dict.fromkeys(finding_text(finding) if finding.file else finding.message for finding in ordered))
    yield from lines[:_MOST_FINDINGS]
    if lines[_MOST_FINDINGS:]:
        yield f"... and {count(len(lines) - _MOST_FINDINGS, 'finding')} more"


def reply_lines(replies: Sequence[tuple[int, str, Sequence[str]]]) -> Iterator[str]:
    """Yield the output of the day's first commands: time, command line, printed lines."""
    for time, line, printed in replies[:_MOST_COMMANDS]:
        words = "; ".join(text for lines in printed for text in lines.splitlines())
        yield f"{format_time(time)} {line}: {words or 'done'}"
    if replies[_MOST_COMMANDS:]:
        yield f"... and {count(len(replies) - _MOST_COMMANDS, 'command')} more"
