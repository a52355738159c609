"""Times and amounts of memory taken apart for a helper, and put together again; no Textual here."""

from dataclasses import dataclass

from qmon_tui.values import INFINITY, is_number, parse_number

UNITS = ("bytes", "k", "K", "m", "M", "g", "G", "t", "T")
"""Multipliers of the number grammar; capitals count by 1024, small letters by 1000."""
_FACTORS = {"": 1, **{letter: 1000 ** (place + 1) for place, letter in enumerate("kmgt")}}
_FACTORS |= {letter: 1024 ** (place + 1) for place, letter in enumerate("KMGT")}
INFINITE = "INFINITY"


@dataclass(frozen=True, slots=True)
class TimeParts:
    """A time in the parts that people think in; `infinite` leaves the parts without meaning."""

    days: int = 0
    hours: int = 0
    minutes: int = 0
    seconds: int = 0
    infinite: bool = False

    @property
    def total(self) -> int:
        """Seconds altogether."""
        return ((self.days * 24 + self.hours) * 60 + self.minutes) * 60 + self.seconds

    @property
    def text(self) -> str:
        """The time as Grid Engine reads it: hours:minutes:seconds, or INFINITY."""
        if self.infinite:
            return INFINITE
        minutes, seconds = divmod(self.total, 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours:02}:{minutes:02}:{seconds:02}"


def time_parts(text: str) -> TimeParts:
    """A time taken apart; what is no time, or negative, is zero."""
    if not is_number(text):
        return TimeParts()
    value = parse_number(text)
    if value >= INFINITY:
        return TimeParts(infinite=True)
    if not 0 <= value < 1e15:
        return TimeParts()
    minutes, seconds = divmod(int(value), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    return TimeParts(days, hours, minutes, seconds)


@dataclass(frozen=True, slots=True)
class MemoryParts:
    """An amount of memory: a number as typed and one of `UNITS`."""

    amount: str = "0"
    unit: str = "bytes"
    infinite: bool = False

    @property
    def text(self) -> str:
        """The amount as Grid Engine reads it: 1.5G, or INFINITY."""
        if self.infinite:
            return INFINITE
        return (self.amount or "0") + ("" if self.unit == "bytes" else self.unit)


def memory_parts(text: str) -> MemoryParts:
    """An amount taken apart as it is written; one without a unit gets the largest that keeps it whole.

    INFINITY waits with G, which limits are mostly given in.
    """
    if not is_number(text):
        return MemoryParts()
    value = parse_number(text)
    if value >= INFINITY:
        return MemoryParts(unit="G", infinite=True)
    if text[-1:] in _FACTORS and text[-1:].isalpha() and is_number(text[:-1]) and ":" not in text:
        return MemoryParts(text[:-1], text[-1])
    for unit in "TGMK":
        if value and value % _FACTORS[unit] == 0:
            return MemoryParts(str(int(value // _FACTORS[unit])), unit)
    return MemoryParts(text if value else "0")


def valid_amount(amount: str) -> bool:
    """Whether a unit may follow the amount."""
    return is_number(amount) and amount[-1:].isdigit() and ":" not in amount
