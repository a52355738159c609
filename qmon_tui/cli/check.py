"""Print all findings about a cluster, or about one file that qconf printed; exit code 1 if one of them is an error."""

import argparse
import os
from collections import Counter
from collections.abc import Iterable, Sequence

from qmon_tui.checks import check, check_object, single_file_findings
from qmon_tui.cli.answer import Answer, InputError
from qmon_tui.cli.cluster_folder import read_cluster
from qmon_tui.model import Finding, Severity
from qmon_tui.model.catalogue import spec
from qmon_tui.report import Line, count, finding_lines, json_report
from qmon_tui.sources.object_file import read_object_file


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "path", metavar="PATH", help="the cluster folder, or a file as qconf -sq, -se, -srqs ... print it"
    )
    parser.add_argument(
        "--in",
        dest="folder",
        metavar="FOLDER",
        help="cluster to check the file against; without it, referenced objects are assumed to exist",
    )


def answer(options: argparse.Namespace) -> Answer:
    """Read and check the folder or the file."""
    what = ""
    if os.path.isfile(options.path):
        findings, what = _of_file(options.path, options.folder)
    elif options.folder is not None:
        raise InputError("--in is for a file: give one that qconf printed.")
    else:
        reading, _ = read_cluster(options.path)
        findings = (*reading.findings, *check(reading.cluster, reading.state))
    in_order = sorted(findings, key=_place)
    numbers = Counter(finding.severity for finding in in_order)
    summary = ", ".join(count(numbers[severity], word) for severity, word in _WORDS.items() if numbers[severity])
    return Answer(
        data=json_report.check_json(in_order),
        table=lambda width: _lines(in_order, width),
        code=1 if numbers[Severity.ERROR] else 0,
        closing=f"{options.path.rstrip(':')}{what}: {summary or 'no findings'}.",
    )


def _of_file(path: str, folder: str | None) -> tuple[tuple[Finding, ...], str]:
    file = read_object_file(path)
    objects = file.objects
    what = (
        f" ({file.kind} {objects[0].name})"
        if len(objects) == 1
        else f" ({count(len(objects), file.kind, spec(file.kind).title.lower())})"
    )
    if file.instance:
        what = f" ({objects[0].name}@{objects[0].text('hostlist')}, a queue instance)"
    if folder is None:
        return (*file.findings, *single_file_findings(objects)), what
    reading, _ = read_cluster(folder)
    cluster = reading.cluster.with_objects(objects)
    inside = (finding for obj in objects for finding in check_object(cluster, obj, reading.state))
    return (*file.findings, *inside), what


_WORDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "remark"}


def _place(finding: Finding) -> tuple[bool, str, int]:
    return (finding.file is None, finding.file or "", finding.line or 0)


def _lines(findings: Sequence[Finding], width: int) -> Iterable[str | Line]:
    for number, finding in enumerate(findings):
        if number:
            yield ""
        yield from finding_lines(finding, width)
