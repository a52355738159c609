"""The work of simulated days: where it comes from, and what is strange about it."""

import argparse
from collections.abc import Iterator
from typing import Final

from qmon_tui.cli.answer import InputError
from qmon_tui.cli.cluster_folder import finding_text
from qmon_tui.cli.text import count
from qmon_tui.model import Finding

_TOLD_FINDINGS: Final = 20


def workload_argument(parser: argparse.ArgumentParser) -> None:
    """Declare the file that the work may come from."""
    parser.add_argument("--workload", metavar="FILE", help="the work instead of the folder's: YAML with workload or "
                        "jobs, an SWF trace, or an accounting file")  # fmt: skip


def work_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare where the work comes from."""
    workload_argument(parser)
    parser.add_argument("--seed", metavar="N", type=int, help="the seed of all that is drawn at random")


def refuse_seed(options: argparse.Namespace) -> None:
    """Raises InputError for a seed that is none."""
    if options.seed is not None and options.seed < 0:
        raise InputError("--seed: write a whole number, 0 or more.")


def finding_lines(findings: tuple[Finding, ...]) -> Iterator[str]:
    """What is wrong with the work, the first of it; a trace may lack the same of thousands of jobs."""
    lines = list(dict.fromkeys(finding_text(finding) if finding.file else finding.message for finding in findings))
    yield from lines[:_TOLD_FINDINGS]
    if lines[_TOLD_FINDINGS:]:
        yield f"... and {count(len(lines) - _TOLD_FINDINGS, 'finding')} more"
