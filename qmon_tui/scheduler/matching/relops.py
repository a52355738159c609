"""Comparisons, written `request RELOP offer` (matching.md#comparison)."""

import operator
from collections.abc import Callable, Mapping

from qmon_tui.scheduler.configuration import Attribute
from qmon_tui.values import evaluate

_COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "EXCL": lambda request, offer: request == 0 or request <= offer,
}


def holds(relop: str, request: float, offer: float) -> bool:
    """Compare numbers; False for an unknown operator."""
    compare = _COMPARISONS.get(relop)
    return compare is not None and compare(request, offer)


def holds_for_strings(attribute: Attribute, request: str, offer: str) -> bool:
    """Compare texts; != negates last, so that a request with a syntax error fits."""
    matched = evaluate(attribute.type, request, offer) == 0
    return not matched if attribute.relop == "!=" else matched


def tighter(relop: str, kept: float, other: float) -> bool:
    """True if `kept` is at least as tight as another value of the attribute on the same level."""
    if relop in ("==", "!="):
        return True
    return kept >= other if relop in (">=", ">") else kept <= other
