"""Findings of readers about text that they cannot read; their rule ids begin with `format.`."""

from collections.abc import Iterable
from types import MappingProxyType
from typing import Final, NamedTuple

from qmon_tui.model import Finding, Kind, Severity

MOST_FINDINGS: Final = 2000
"""Maximum number of findings reported for one file."""


class FormatRule(NamedTuple):
    """A rule of readers: its demand in one clause, and the heading of the reference that contains it."""

    demand: str
    source: str


RULES: Final = MappingProxyType(
    {
        "format.encoding": FormatRule("a file is UTF-8 text without NUL bytes", "formats.md#files"),
        "format.empty": FormatRule(
            "a file of an object is not empty", "formats.md#missing-unknown-and-repeated-attributes"
        ),
        "format.crlf": FormatRule("lines end in LF alone; the qmaster refuses CR LF", "formats.md#blanks-and-lines"),
        "format.missing": FormatRule(
            "an object's file has all its attributes", "formats.md#missing-unknown-and-repeated-attributes"
        ),
        "format.unknown": FormatRule(
            "an attribute is one that Grid Engine knows", "formats.md#missing-unknown-and-repeated-attributes"
        ),
        "format.duplicate": FormatRule(
            "an attribute or an object is written once", "formats.md#missing-unknown-and-repeated-attributes"
        ),
        "format.no_value": FormatRule("an attribute has a value", "formats.md#missing-unknown-and-repeated-attributes"),
        "format.line": FormatRule(
            "a line begins with the name of an attribute", "formats.md#missing-unknown-and-repeated-attributes"
        ),
        "format.name": FormatRule("an object is named like the place in which it stands", "formats.md#files"),
        "format.table": FormatRule("a complex has eight columns", "formats.md#complex-table"),
        "format.quota": FormatRule("a resource quota set stands in braces", "formats.md#resource-quota-sets"),
        "format.sharetree": FormatRule("a share tree is written depth first, childnodes last", "formats.md#share-tree"),
        "format.yaml": FormatRule("a YAML file can be parsed", "formats.md#files"),
        "format.yaml.key": FormatRule("a top-level key is a kind of object", "formats.md#files"),
        "format.yaml.type": FormatRule("a value has the shape of its field", "formats.md#shapes"),
        "format.yaml.alias": FormatRule("aliases stay within bounds", "formats.md#files"),
        "format.nodeset": FormatRule("a node set is well formed and of sensible size", "formats.md#node-sets"),
        "format.qsub": FormatRule("a job's options are those of qsub", "clients.md#options-of-qsub"),
        "format.job": FormatRule("a job has an owner, a number and times that can be read", "formats.md#state"),
        "format.load": FormatRule("load values are names and values of a host", "formats.md#state"),
        "format.usage": FormatRule(
            "usage is that of users and projects, in amounts that are not negative", "formats.md#state"
        ),
        "format.drain": FormatRule("a drain has a reason, and may say who, since and until", "formats.md#state"),
        "format.exception": FormatRule(
            "an exception names a member or a holder of tickets, with reason and end", "formats.md#state"
        ),
        "format.reservation": FormatRule(
            "an advance reservation has an owner, a time, a state and queue instances with slots", "formats.md#state"
        ),
        "format.simulation": FormatRule(
            "a simulation has an end, load values, commands and failures that can be read", "formats.md#state"
        ),
        "format.workload": FormatRule(
            "a workload has arrivals and kinds of jobs that can be read", "workloads.md#arrivals"
        ),
        "format.time": FormatRule("a time is ISO 8601 or an offset", "formats.md#state"),
        "format.xml": FormatRule(
            "what qstat, qhost and qquota print is well-formed XML without a document type",
            "formats.md#records-of-clusters",
        ),
        "format.record": FormatRule(
            "a record of a cluster says what its program writes", "formats.md#records-of-clusters"
        ),
        "format.overlap": FormatRule("a place in the folder holds one thing", "formats.md#files"),
    }
)
"""Rule id -> the rule."""


def problem(
    rule: str,
    message: str,
    *,
    file: str | None = None,
    line: int | None = None,
    column: int | None = None,
    kind: Kind | str = "",
    name: str = "",
    field: str | None = None,
    hint: str = "",
    severity: Severity = Severity.ERROR,
) -> Finding:
    """Return a finding of a reader; leave out the parts of its place that are unknown."""
    return Finding(rule, severity, str(kind), name, field, message, hint, file, line, column)


def unreadable(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the errors of readers among the findings."""
    return tuple(f for f in findings if f.rule.startswith(_PREFIX) and f.severity is Severity.ERROR)


_PREFIX: Final = "format."
