"""Amounts of attributes as users type them."""

from qmon_tui.scheduler.configuration import Attribute
from qmon_tui.values import INFINITY, time_text

_UNITS = (("T", 1024.0**4), ("G", 1024.0**3), ("M", 1024.0**2), ("K", 1024.0))
_SMALLER = {"T": "G", "G": "M", "M": "K", "K": ""}


def amount_text(attribute: Attribute, amount: float) -> str:
    """Return an amount as users type it, rounded up."""
    if not amount < INFINITY:
        return "INFINITY"
    if attribute.type == "BOOL":
        return "TRUE" if amount else "FALSE"
    if attribute.type == "TIME" and amount == int(amount) >= 0:
        return time_text(amount)
    if attribute.type == "MEMORY":
        for unit, size in _UNITS:
            if amount >= size and amount % (size / 1024) == 0:
                whole = amount % size == 0
                return f"{amount / size:g}{unit}" if whole else f"{amount * 1024 / size:.0f}{_SMALLER[unit]}"
    if amount == int(amount):
        return str(int(amount))
    return f"{amount:f}".rstrip("0")
