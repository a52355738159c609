"""Print all findings about a cluster; exit code 1 if one of them is an error."""

import argparse
from collections import Counter
from collections.abc import Iterable
from itertools import groupby

from qmon_tui.checks import check
from qmon_tui.cli.answer import Answer
from qmon_tui.cli.cluster_folder import read_cluster
from qmon_tui.cli.text import Width, count, paragraph
from qmon_tui.model import Finding, Severity
from qmon_tui.workspace import check_json

_ELSEWHERE = "(not in a file)"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("path", help="the cluster folder")


def answer(options: argparse.Namespace) -> Answer:
    """Read and check the folder."""
    reading, _ = read_cluster(options.path)
    findings = sorted((*reading.findings, *check(reading.cluster, reading.state)), key=_place)
    numbers = Counter(finding.severity for finding in findings)
    summary = ", ".join(count(numbers[severity], word) for severity, word in _WORDS.items() if numbers[severity])
    return Answer(
        data=check_json(findings),
        table=lambda width: _lines(findings, width),
        code=1 if numbers[Severity.ERROR] else 0,
        closing=f"{options.path}: {summary or 'no findings'}.",
    )


_WORDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "remark"}


def _place(finding: Finding) -> tuple[bool, str, int]:
    return (finding.file is None, finding.file or "", finding.line or 0)


def _lines(all_findings: Iterable[Finding], width: Width) -> Iterable[str]:
    for number, (file, findings) in enumerate(groupby(all_findings, key=lambda finding: finding.file)):
        if number:
            yield ""
        yield file or _ELSEWHERE
        for finding in findings:
            yield from _finding(finding, width)


def _finding(finding: Finding, width: Width) -> Iterable[str]:
    first = f"{finding.line or '':>6}  {finding.severity.value:<7}  "
    rest = " " * len(first)
    # The only object of a kind is called like the kind.
    name = finding.name if finding.name != finding.kind else ""
    subject = " ".join(filter(None, (finding.kind, name, finding.field))) or "the file"
    yield from paragraph(f"{subject}  [{finding.rule}]", width, first=first, rest=rest)
    yield from paragraph(finding.message, width, first=rest, rest=rest)
    if finding.hint:
        yield from paragraph(finding.hint, width, first=f"{rest}→ ", rest=f"{rest}  ")
