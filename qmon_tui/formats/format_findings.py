"""What readers say about text that they cannot take: findings whose rule ids begin with `format.`."""

from collections.abc import Iterable
from types import MappingProxyType
from typing import Final

from qmon_tui.model.findings import Finding, Severity
from qmon_tui.model.kinds import Kind

RULES: Final = MappingProxyType(
    {
        "format.encoding": "a file is UTF-8 text without NUL bytes",
        "format.empty": "a file of an object is not empty",
        "format.crlf": "lines end in LF alone; the qmaster refuses CR LF",
        "format.missing": "an object's file has all its attributes",
        "format.unknown": "an attribute is one that Grid Engine knows",
        "format.duplicate": "an attribute or an object is written once",
        "format.no_value": "an attribute has a value",
        "format.line": "a line begins with the name of an attribute",
        "format.name": "an object is named like the place in which it stands",
        "format.table": "a complex has eight columns",
        "format.quota": "a resource quota set stands in braces",
        "format.sharetree": "a share tree is written depth first, childnodes last",
        "format.yaml": "a YAML file can be parsed",
        "format.yaml.key": "a top-level key is a kind of object",
        "format.yaml.type": "a value has the shape of its field",
        "format.yaml.alias": "aliases stay within bounds",
        "format.nodeset": "a node set is well formed and of sensible size",
        "format.qsub": "a job's options are those of qsub",
        "format.job": "a job has an owner, a number and times that can be read",
        "format.load": "load values are names and values of a host",
        "format.usage": "usage is that of users and projects, in amounts that are not negative",
        "format.reservation": "an advance reservation has an owner, a time, a state and queue instances with slots",
        "format.time": "a time is ISO 8601 or an offset",
        "format.xml": "what qstat, qhost and qquota print is well-formed XML without a document type",
        "format.record": "a record of a cluster says what its program writes",
        "format.overlap": "a place in the folder holds one thing",
    }
)
"""Rule id -> what it demands, in one clause."""


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
    """A finding of a reader."""
    return Finding(rule, severity, str(kind), name, field, message, hint, file, line, column)


def unreadable(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings that say that something could not be read."""
    return tuple(f for f in findings if f.rule.startswith(_PREFIX) and f.severity is Severity.ERROR)


_PREFIX: Final = "format."
