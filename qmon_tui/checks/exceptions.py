"""Warn about exceptions whose end date is over. Source: quota-set.md#exceptions-with-an-end."""

from collections.abc import Iterator
from typing import Final

from qmon_tui.checks.rules import RuleBook
from qmon_tui.model import Cluster, Finding, Kind, State, exceptions_in

_SOURCE: Final = "quota-set.md#exceptions-with-an-end"
_SUMMARY: Final = "An exception is deleted when its end date is over."
_ENDED: Final = {
    kind: RuleBook(kind, _SOURCE).warning("ended", _SUMMARY)
    for kind in (Kind.QUOTA, Kind.USERSET, Kind.PROJECT, Kind.USER)
}


def ended_exceptions(cluster: Cluster, state: State) -> Iterator[Finding]:
    """Yield a warning for each exception that has ended at the time of the state."""
    for entry in exceptions_in(cluster, state.exceptions):
        if entry.end > state.now:
            continue
        if entry.place is not None:
            reason = f" ({entry.given.key})" if entry.given is not None else ""
            message = f"the exception for {entry.place.words} has ended{reason}"
            hint = f"Remove {'the member' if entry.place.member else 'the tickets'}, or give another date."
            yield _ENDED[entry.obj.kind].finding(entry.obj, entry.place.field, message, hint)
        else:
            noun = f'rule "{entry.rule}"' if entry.rule else f'{entry.obj.kind.value} "{entry.obj.name}"'
            field = "limit" if entry.rule else None
            hint = "Delete it, or give it another date."
            yield _ENDED[entry.obj.kind].finding(entry.obj, field, f"the exception {noun} has ended", hint)
