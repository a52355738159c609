"""Warn about exceptions whose end date is over. Source: quota-set.md#exceptions-with-an-end."""

from collections.abc import Iterator
from typing import Final

from qmon_tui.checks.rules import RuleBook
from qmon_tui.model import Cluster, Finding, Kind, exceptions_in

_SOURCE: Final = "quota-set.md#exceptions-with-an-end"
_SUMMARY: Final = "An exception is deleted when the date in its name is over."
_ENDED: Final = {
    kind: RuleBook(kind, _SOURCE).warning("ended", _SUMMARY) for kind in (Kind.QUOTA, Kind.USERSET, Kind.PROJECT)
}


def ended_exceptions(cluster: Cluster, now: int) -> Iterator[Finding]:
    """Yield a warning for each exception that has ended at `now`, seconds since the epoch."""
    for entry in exceptions_in(cluster):
        if entry.end <= now:
            noun = f'rule "{entry.rule}"' if entry.rule else f'{entry.obj.kind.value} "{entry.obj.name}"'
            field = "limit" if entry.rule else None
            hint = "Delete it, or give it another date."
            yield _ENDED[entry.obj.kind].finding(entry.obj, field, f"the exception {noun} has ended", hint)
