"""Dialogs for times and amounts of memory: the user types the parts, the dialog builds the text."""

from dataclasses import dataclass, replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widgets import Input, Static

from qmon_tui.tui.base import QInput, key_hints, key_of, local_bindings
from qmon_tui.tui.forms.dialogs.value_dialog import Check, ValueDialog
from qmon_tui.values import INFINITY, humane_memory, humane_time, is_number, parse_number, whole_number

UNITS = ("bytes", "k", "K", "m", "M", "g", "G", "t", "T")
"""Multipliers of the number grammar; capitals count by 1024, small letters by 1000."""
_FACTORS = {"": 1, **{letter: 1000 ** (place + 1) for place, letter in enumerate("kmgt")}}
_FACTORS |= {letter: 1024 ** (place + 1) for place, letter in enumerate("KMGT")}
INFINITE = "INFINITY"


@dataclass(frozen=True, slots=True)
class TimeParts:
    """A time in days, hours, minutes and seconds; `infinite` means INFINITY, whatever the parts are."""

    days: int = 0
    hours: int = 0
    minutes: int = 0
    seconds: int = 0
    infinite: bool = False

    @property
    def total(self) -> int:
        """The whole time in seconds."""
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
    """Split a time into its parts; an invalid or negative one is zero."""
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
    """Split an amount into number and unit; without a unit, take the largest that keeps the number whole.

    INFINITY gets the unit G, the usual one of limits.
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
    """Return True if a unit may follow the amount."""
    return is_number(amount) and amount[-1:].isdigit() and ":" not in amount


_PARTS = ("days", "hours", "minutes", "seconds")


class PartInput(QInput):
    """One part of a value; Enter belongs to the dialog."""

    BINDINGS: ClassVar[list[BindingType]] = local_bindings(
        {"typing.up": "screen.turn(1)", "typing.down": "screen.turn(-1)"}
    )

    def on_mount(self) -> None:
        """Remove the margin that other inputs have: the parts are in one row."""
        self.styles.margin = 0


class _Amount(ValueDialog):
    """Base class of the dialogs for times and memory amounts."""

    WIDE: ClassVar[bool] = False
    DEFAULT_CSS = """
    _Amount Horizontal { height: 1; }
    _Amount Horizontal Static { width: auto; padding: 0 2 0 1; }
    _Amount PartInput { width: 6; }
    _Amount #amount { width: 16; }
    """
    BINDINGS: ClassVar[list[BindingType]] = local_bindings({"dialog.switch": "infinity"})
    FIRST_FOCUS = "PartInput"

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if self.is_mounted:
            self.take_in(event.input, event.value)
            self.preview()

    def take_in(self, part: Input, text: str) -> None:
        """Adjust the other parts to the text typed in `part`: it ends INFINITY."""


class TimeDialog(_Amount):
    """Days, hours, minutes and seconds, or INFINITY."""

    def __init__(self, title: str, text: str, check: Check) -> None:
        self._parts = time_parts(text)
        super().__init__(title, check)

    def content(self) -> ComposeResult:
        with Horizontal():
            for part in _PARTS:
                yield PartInput(str(getattr(self._parts, part)), select_on_focus=True, id=part)
                yield Static(part, markup=False)

    def _number(self, part: str) -> int | None:
        """Return the typed number of a part, 0 if it is empty; None for any other text."""
        return whole_number(self.query_one(f"#{part}", PartInput).value.strip() or "0")

    @property
    def parts(self) -> TimeParts:
        days, hours, minutes, seconds = (self._number(part) or 0 for part in _PARTS)
        return TimeParts(days, hours, minutes, seconds, self._parts.infinite)

    def keys(self) -> tuple[str, ...]:
        return ("type numbers", "Tab next", f"{_arrows(self)} one more or less", *_infinity_hint(self), *super().keys())

    @property
    def text(self) -> str:
        return self.parts.text

    def problem(self) -> str:
        """Return which part is no whole number; empty if all are."""
        wrong = [part for part in _PARTS if self._number(part) is None]
        return f"{wrong[0]} must be a whole number" if wrong and not self._parts.infinite else ""

    def hint(self) -> str:
        return humane_time(self.text) or ""

    def take_in(self, part: Input, text: str) -> None:
        """End INFINITY if a part has changed."""
        if text != str(getattr(self._parts, part.id or "")):
            self._parts = replace(self.parts, infinite=False)

    def action_infinity(self) -> None:
        """Switch between INFINITY and the parts."""
        self._parts = replace(self.parts, infinite=not self._parts.infinite)
        self.preview()

    def action_turn(self, by: int) -> None:
        focused = self.focused
        number = whole_number(focused.value.strip()) if isinstance(focused, PartInput) else None
        if isinstance(focused, PartInput) and number is not None:
            focused.value = str(max(0, number + by))


class MemoryDialog(_Amount):
    """An amount and a unit, or INFINITY."""

    def __init__(self, title: str, text: str, check: Check) -> None:
        self._parts = memory_parts(text)
        super().__init__(title, check)
        self._unit = Static(self._parts.unit, markup=False)

    def content(self) -> ComposeResult:
        with Horizontal():
            yield PartInput(self._parts.amount, select_on_focus=True, id="amount")
            yield self._unit

    def keys(self) -> tuple[str, ...]:
        return ("type the amount, such as 4G", f"{_arrows(self)} unit", *_infinity_hint(self), *super().keys())

    @property
    def text(self) -> str:
        amount = self.query_one("#amount", PartInput).value.strip()
        return MemoryParts(amount, self._parts.unit, self._parts.infinite).text

    def problem(self) -> str:
        """Return a problem if the amount is no number; empty if it is one."""
        amount = self.query_one("#amount", PartInput).value.strip()
        return "" if self._parts.infinite or valid_amount(amount) else "the amount must be a number"

    def hint(self) -> str:
        return humane_memory(self.text) or ""

    def take_in(self, part: Input, text: str) -> None:
        """End INFINITY if the amount has changed; a unit typed after it becomes the unit."""
        if text == self._parts.amount:
            return
        amount, unit = text.strip(), self._parts.unit
        if amount[-1:] in UNITS and valid_amount(amount[:-1]):
            amount, unit = amount[:-1], amount[-1]
        self._parts = MemoryParts(amount, unit)
        self._unit.update(unit)
        if amount != text:
            part.value = amount

    def action_infinity(self) -> None:
        """Switch between INFINITY and the amount."""
        self._parts = replace(self._parts, infinite=not self._parts.infinite)
        self.preview()

    def action_turn(self, by: int) -> None:
        place = (UNITS.index(self._parts.unit) + by) % len(UNITS)
        self._parts = replace(self._parts, unit=UNITS[place])
        self._unit.update(self._parts.unit)
        self.preview()


def _arrows(dialog: _Amount) -> str:
    return f"{key_of(dialog, 'typing.up')}{key_of(dialog, 'typing.down')}"


def _infinity_hint(dialog: _Amount) -> tuple[str, ...]:
    return key_hints(dialog, ("dialog.switch", "INFINITY"))
