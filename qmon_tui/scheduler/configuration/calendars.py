"""Calendars as queues use them."""

from collections.abc import Callable
from typing import TypeVar

from qmon_tui.model import ConfigObject
from qmon_tui.values import Calendar, parse_week, parse_year

Entries = TypeVar("Entries")


def compile_calendar(obj: ConfigObject) -> Calendar:
    """Parse one calendar; of what the qmaster would refuse nothing is in force."""
    return Calendar(_entries(parse_year, obj.text("year")), _entries(parse_week, obj.text("week")))


def _entries(parse: Callable[[str], tuple[Entries, ...]], text: str) -> tuple[Entries, ...]:
    try:
        return parse(text)
    except ValueError:
        return ()
