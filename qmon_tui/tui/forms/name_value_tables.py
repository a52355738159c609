"""Lists of names and values as tables that can be edited row by row; no Textual here."""

from dataclasses import dataclass, replace
from typing import Protocol

from qmon_tui.model import Cluster, ComplexEntry, Field, Kind, complex_index, is_load_value
from qmon_tui.values import (
    Subordinate,
    humane_memory,
    humane_time,
    is_none,
    is_number,
    join_entries,
    parse_subordinates,
    split_entries,
    whole_number,
)


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row: a picked name, a typed value, the meaning of the value (`note`), and its problem if any."""

    name: str
    value: str
    note: str = ""
    problem: str = ""
    fixed: bool = False
    """True if the row cannot be removed."""


class Table(Protocol):
    """A list field as a table for the dialog; every change makes a new table."""

    @property
    def rows(self) -> tuple[TableRow, ...]:
        """The rows in order."""

    @property
    def text(self) -> str:
        """The list as Grid Engine reads it."""

    @property
    def heads(self) -> tuple[str, str]:
        """Headings of name and value."""

    @property
    def other(self) -> str:
        """The name of the other notation of the list; empty if there is none."""

    def picks(self) -> tuple[tuple[str, str], ...]:
        """Return the names that can be added, each with a note."""

    def with_value(self, index: int, value: str) -> "Table":
        """Return the table with another value in one row."""

    def with_added(self, name: str) -> "Table":
        """Return the table with one more row at the end."""

    def without(self, index: int) -> "Table":
        """Return the table without one row."""

    def switched(self) -> "Table":
        """Return the table with the same names in the other notation."""


@dataclass(frozen=True, slots=True)
class EntriesTable:
    """`name=value` entries; names are attributes of the complexes, or free if the field refers to no kind."""

    cluster: Cluster
    field: Field
    entries: tuple[tuple[str, str], ...]
    other: str = ""
    heads: tuple[str, str] = ("attribute", "value")

    @property
    def rows(self) -> tuple[TableRow, ...]:
        """Entries with the type of their attribute and their value in words."""
        return tuple(self._row(name, value) for name, value in self.entries)

    @property
    def text(self) -> str:
        """The entries as the qmaster prints them."""
        return join_entries(self.entries, self.field.separator)

    def picks(self) -> tuple[tuple[str, str], ...]:
        """Return the attributes that are not listed yet: load values first for thresholds, else consumables first."""
        if self.field.refers_to is not Kind.COMPLEX:
            return ()
        listed = {name for name, _ in self.entries}
        loads_first = self.field.name.endswith("thresholds") or self.field.name == "job_load_adjustments"

        def rank(entry: ComplexEntry) -> bool:
            return not (is_load_value(entry.name) and entry.is_numeric if loads_first else entry.is_consumable)

        entries = sorted(complex_index(self.cluster).entries.values(), key=rank)
        return tuple((entry.name, describe(entry)) for entry in entries if entry.name not in listed)

    def with_value(self, index: int, value: str) -> "EntriesTable":
        entries = list(self.entries)
        entries[index] = (entries[index][0], value.strip())
        return replace(self, entries=tuple(entries))

    def with_added(self, name: str) -> "EntriesTable":
        """Return the table with one more entry, whose value is empty."""
        return replace(self, entries=(*self.entries, (name, "")))

    def without(self, index: int) -> "EntriesTable":
        return replace(self, entries=self.entries[:index] + self.entries[index + 1 :])

    def switched(self) -> "EntriesTable":
        """Return the same table: entries have only one notation."""
        return self

    def _row(self, name: str, value: str) -> TableRow:
        if self.field.refers_to is not Kind.COMPLEX:
            return TableRow(name, value, problem="" if value else "a value is missing")
        attribute = complex_index(self.cluster).find(name)
        if attribute is None:
            return TableRow(name, value, problem="there is no such attribute")
        return TableRow(name, value, _note(attribute, value), _problem(attribute, value))


def entries_table(cluster: Cluster, field: Field, text: str) -> EntriesTable | None:
    """Return the table of a list's text; None if it cannot be parsed, so that it is edited as text."""
    try:
        return EntriesTable(cluster, field, split_entries(text, field.separator))
    except ValueError:
        return None


def describe(entry: ComplexEntry) -> str:
    """Return type and consumption of an attribute: `MEMORY, consumable per slot`."""
    consumed = {"YES": ", consumable per slot", "JOB": ", consumable per job"}
    return entry.type + consumed.get(entry.consumable, "")


def _note(entry: ComplexEntry, value: str) -> str:
    words = humane_time(value) if entry.type == "TIME" else humane_memory(value) if entry.type == "MEMORY" else None
    return describe(entry) + (f", {words}" if words else "")


def _problem(entry: ComplexEntry, value: str) -> str:
    if not value:
        return "a value is missing"
    if (entry.is_numeric or entry.type == "BOOL") and not is_number(value):
        return f"not a value of type {entry.type}"
    return ""


@dataclass(frozen=True, slots=True)
class SubordinatesTable:
    """A subordinate_list: queue-wise with a threshold per queue, or slot-wise sharing a number of slots."""

    cluster: Cluster
    own: str
    """The queue that the list belongs to; it cannot subordinate itself."""
    entries: tuple[tuple[str, str], ...]
    """Queue -> threshold, or slot-wise `seq_no:action`, as typed."""
    slots: str | None = None
    """The number of slots as typed; None for a queue-wise list."""

    @property
    def heads(self) -> tuple[str, str]:
        return ("queue", "used slots" if self.slots is None else "order:which")

    @property
    def other(self) -> str:
        """The name of the other notation."""
        return "slot-wise" if self.slots is None else "queue-wise"

    @property
    def rows(self) -> tuple[TableRow, ...]:
        """The queues; in a slot-wise list after the number of slots."""
        rows = [self._row(queue, value) for queue, value in self.entries]
        if self.slots is not None:
            wrong = "" if whole_number(self.slots, 1) is not None else "a number above 0 is needed"
            note = "slots per host that this queue and those below may use together"
            rows.insert(0, TableRow("slots", self.slots, note, wrong, fixed=True))
        return tuple(rows)

    @property
    def text(self) -> str:
        """The list as the qmaster prints it, or as typed while it has mistakes."""
        if not self.entries:
            return "NONE"
        if self.slots is None:
            raw = ", ".join(f"{queue}={value}" if value else queue for queue, value in self.entries)
        else:
            raw = f"slots={self.slots}(" + ", ".join(f"{q}:{v}" if v else q for q, v in self.entries) + ")"
        try:
            return parse_subordinates(raw).text()
        except ValueError:
            return raw

    def picks(self) -> tuple[tuple[str, str], ...]:
        """Return all other queues that are not listed yet."""
        listed = {self.own, *(queue for queue, _ in self.entries)}
        queues = self.cluster.objects(Kind.QUEUE).values()
        return tuple((queue.name, f"seq_no {queue.text('seq_no')}") for queue in queues if queue.name not in listed)

    def with_value(self, index: int, value: str) -> "SubordinatesTable":
        """Return the table with another threshold, order, or number of slots."""
        value = value.strip()
        if self.slots is not None:
            if index == 0:
                return replace(self, slots=value)
            index -= 1
        entries = list(self.entries)
        entries[index] = (entries[index][0], value)
        return replace(self, entries=tuple(entries))

    def with_added(self, name: str) -> "SubordinatesTable":
        return replace(self, entries=(*self.entries, (name, "" if self.slots is None else "0:sr")))

    def without(self, index: int) -> "SubordinatesTable":
        index -= self.slots is not None
        return replace(self, entries=self.entries[:index] + self.entries[index + 1 :]) if index >= 0 else self

    def switched(self) -> "SubordinatesTable":
        """Return the same queues in the other notation, with default values: a threshold implies no order."""
        if self.slots is None:
            return replace(self, slots="1", entries=tuple((queue, "0:sr") for queue, _ in self.entries))
        return replace(self, slots=None, entries=tuple((queue, "") for queue, _ in self.entries))

    def _row(self, queue: str, value: str) -> TableRow:
        if queue not in self.cluster.objects(Kind.QUEUE):
            return TableRow(queue, value, problem="there is no such queue")
        sign = "=" if self.slots is None else ":"
        entry = f"{queue}{sign}{value}" if value else queue
        try:
            parsed = parse_subordinates(entry if self.slots is None else f"slots=1({entry})").queues[0]
        except (ValueError, IndexError):
            needed = "a number of slots is needed" if self.slots is None else "a number and sr or lr: 1:sr"
            return TableRow(queue, value, problem=needed)
        return TableRow(queue, value, _subordinate_note(parsed, slot_wise=self.slots is not None))


def subordinates_table(cluster: Cluster, own: str, text: str) -> SubordinatesTable | None:
    """Return the table of a subordinate_list's text; None if it cannot be parsed."""
    try:
        parsed = parse_subordinates("" if is_none(text) else text)
    except ValueError:
        return None
    if parsed.slots is None:
        entries = [(q.queue, str(q.threshold) if q.threshold else "") for q in parsed.queues]
        return SubordinatesTable(cluster, own, tuple(entries))
    entries = [(q.queue, f"{q.seq_no}:{q.action}") for q in parsed.queues]
    return SubordinatesTable(cluster, own, tuple(entries), str(parsed.slots))


def _subordinate_note(parsed: Subordinate, *, slot_wise: bool) -> str:
    if slot_wise:
        which = "the job that has run longest" if parsed.action == "lr" else "the job that has run shortest"
        return f"higher numbers are suspended first; {which} goes first"
    if parsed.threshold:
        return f"suspended on a host when {parsed.threshold} of its slots are used here"
    return "suspended on a host when all its slots are used here"
