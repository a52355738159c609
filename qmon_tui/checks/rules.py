"""Rules: every finding belongs to one, and each rule names the document that it comes from."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from qmon_tui.model import ConfigObject, Finding, Kind, Severity

_LONGEST = 100
_PAGE = re.compile(r"[\w-]+\.md")
_QUOTED = re.compile(f'"[^"]{{{_LONGEST + 1},}}"')


def _cut(message: str, name: str) -> str:
    """Truncate quoted texts to 100 characters, as the qmaster does (values.md#how-messages-quote)."""
    if len(name) > _LONGEST:
        message = message.replace(name, name[:_LONGEST])
    return _QUOTED.sub(lambda quoted: quoted.group()[: _LONGEST + 1] + '"', message)


class Rule(NamedTuple):
    """One rule: a sentence that states it, and the document that contains it."""

    id: str
    kind: Kind
    severity: Severity
    summary: str
    source: str

    def finding(self, obj: ConfigObject, field: str | None, message: str, hint: str = "") -> Finding:
        """Return a finding: the object violates this rule in one of its fields."""
        origin = obj.origin
        return Finding(
            rule=self.id,
            severity=self.severity,
            kind=obj.kind.value,
            name=obj.name,
            field=field,
            message=message if len(message) <= _LONGEST else _cut(message, obj.name),
            hint=hint,
            file=origin.file if origin else None,
            line=origin.line_of(field) if origin else None,
        )


class RuleBook(NamedTuple):
    """Declares the rules of one kind of object; their ids begin with the kind's word.

    A rule's source without a page, such as `#fields`, is a heading in the page of the book.
    """

    kind: Kind
    source: str

    def error(self, name: str, summary: str, source: str | None = None) -> Rule:
        """Declare a rule whose violation the qmaster refuses."""
        return self._declare(name, Severity.ERROR, summary, source)

    def warning(self, name: str, summary: str, source: str | None = None) -> Rule:
        """Declare a rule whose violation the qmaster accepts, but a document forbids, or that looks wrong."""
        return self._declare(name, Severity.WARNING, summary, source)

    def info(self, name: str, summary: str, source: str | None = None) -> Rule:
        """Declare a rule for a remark."""
        return self._declare(name, Severity.INFO, summary, source)

    def _declare(self, name: str, severity: Severity, summary: str, source: str | None) -> Rule:
        source = source or self.source
        if ".md" not in source:
            source = source.replace("#", f"{_PAGE.findall(self.source)[0]}#")
        rule = Rule(f"{self.kind.value}.{name}", self.kind, severity, summary, source)
        if rule.id in _DECLARED:
            raise ValueError(f"the rule {rule.id} is declared twice")
        _DECLARED[rule.id] = rule
        return rule


_DECLARED: dict[str, Rule] = {}

RULES: Mapping[str, Rule] = MappingProxyType(_DECLARED)
"""All rules by id, complete once `qmon_tui.checks` is imported."""


_SUMMARY: Final = "An edit leaves to advance reservations what they were granted."
_PAGES: Final = {
    Kind.QUEUE: "queue.md",
    Kind.HOST: "exec-host.md",
    Kind.PE: "pe.md",
    Kind.CALENDAR: "calendar.md",
    Kind.USERSET: "userset.md",
}
REFUSED_FOR_RESERVATIONS: Final = {
    kind: RuleBook(kind, f"qrsub(1), {page}#advance-reservations").warning("promised", _SUMMARY)
    for kind, page in _PAGES.items()
}
"""Kind -> rule. Only warnings: files may contain such an edit, but a qmaster with the reservations refuses it."""
