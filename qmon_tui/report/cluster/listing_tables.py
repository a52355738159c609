"""The listings as tables of fixed columns, with the titles that qstat and qhost use, and their filter."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from qmon_tui.report.cluster.cluster_map import cell_role, letters_role
from qmon_tui.report.cluster.qstat_listings import LETTERS, HostLine, InstanceLine, QueueLine
from qmon_tui.report.live_instances import state_letter_words
from qmon_tui.report.row_filter import FilterField, FilterFields, address_test, host_test, instance_state_test
from qmon_tui.report.spans import Line, Span, TextRole, fit
from qmon_tui.report.table_rows import Column, natural_order, part_at
from qmon_tui.report.words import figure_cell, shown_figure, without_domains
from qmon_tui.values import decimal_number, is_number, parse_number
from qmon_tui.workspace import Figures


@dataclass(frozen=True, slots=True)
class ListingField:
    """One column of a listing; its functions take a line of that listing."""

    title: str
    cells: int
    text: Callable[[Any], str]
    right: bool = True
    role: Callable[[Any], TextRole] = lambda _: TextRole.PLAIN
    rank: int = 0
    """0 is always shown; if the columns do not fit, those of the highest rank are hidden first."""
    order: Callable[[Any], Any] | None = None
    """Return the sort key of a line; None sorts by the text."""
    spare: bool = False
    """Hidden if it is empty in all lines."""

    @property
    def column(self) -> Column:
        """Title and width, with room for the sort arrow before the title."""
        return Column(self.title, self.title, max(self.cells, len(self.title) + 1), self.right)


def _dim(_: Any) -> TextRole:
    return TextRole.DIM


def _some(read: Callable[[Any], int], role: TextRole) -> Callable[[Any], TextRole]:
    return lambda line: role if read(line) else TextRole.DIM


def _bytes(name: str) -> Callable[[Any], float]:
    """Return the sort key for the memory in attribute `name`: bytes, or -1 if not reported."""

    def read(line: Any) -> float:
        text = getattr(line, name)
        return parse_number(text) if is_number(text) else -1.0

    return read


_DRAIN: Final = ListingField("drain", 12, lambda line: line.drain, False, lambda _: TextRole.WARNING, spare=True)
"""The last column; its text may use the rest of the line."""
QUEUE_FIELDS: Final = (
    ListingField("CQLOAD", 7, lambda line: line.load_text, rank=1),
    ListingField("USED", 6, lambda line: str(line.used), role=_some(lambda line: line.used, TextRole.RUNNING)),
    ListingField(
        "RES", 6, lambda line: str(line.reserved), role=_some(lambda line: line.reserved, TextRole.PLAIN), rank=2
    ),
    ListingField("AVAIL", 6, lambda line: str(line.available), role=_some(lambda line: line.available, TextRole.PLAIN)),
    ListingField("TOTAL", 6, lambda line: str(line.total)),
    ListingField("aoACDS", 6, lambda line: str(line.aoacds), role=_some(lambda line: line.aoacds, TextRole.WARNING)),
    ListingField("cdsuE", 6, lambda line: str(line.cdsue), role=_some(lambda line: line.cdsue, TextRole.FAILED)),
    *(
        ListingField(letter, 5, lambda line, letter=letter: str(line.by_letter.get(letter, 0)),  # type: ignore[misc]
              role=lambda line, letter=letter: TextRole.WARNING if line.by_letter.get(letter) else TextRole.DIM, rank=3)  # type: ignore[misc]
        for letter in LETTERS
    ),
    _DRAIN,
)  # fmt: skip
INSTANCE_FIELDS: Final = (
    ListingField("qtype", 5, lambda line: line.qtype, False, _dim, 1),
    ListingField("resv/used/tot.", 14, lambda line: line.slots_text, order=lambda line: line.used / max(line.total, 1)),
    ListingField("load_avg", 8, lambda line: line.load_text, role=_dim, rank=2),
    ListingField("arch", 10, lambda line: line.arch or "-NA-", False, _dim, 3),
    ListingField("states", 6, lambda line: line.state, False, cell_role),
    ListingField("", 30, lambda line: state_letter_words(line.state), False, _dim, 4),
    _DRAIN,
)
HOST_FIELDS: Final = (
    ListingField("ARCH", 10, lambda line: line.arch, False, _dim, 2),
    *(
        ListingField(title, 5, attrgetter(title.lower()), rank=rank)
        for title, rank in (("NCPU", 0), ("NSOC", 3), ("NCOR", 3), ("NTHR", 3), ("LOAD", 0))
    ),
    *(
        ListingField(title, 7, attrgetter(title.lower()), rank=rank, order=_bytes(title.lower()))
        for title, rank in (("MEMTOT", 0), ("MEMUSE", 0), ("SWAPTO", 4), ("SWAPUS", 4))
    ),
    ListingField("states", 12, lambda line: line.states, False, lambda line: letters_role(line.states)),
    _DRAIN,
)

AnyLine = QueueLine | InstanceLine | HostLine
_LEAST_NAME: Final = 12
NO_MARKS: Final[Mapping[str, str]] = MappingProxyType({})
NO_LINES: Final[Mapping[str, AnyLine]] = MappingProxyType({})


class SortOrder(NamedTuple):
    """Title of the column that a listing is sorted by, and the direction."""

    title: str
    descending: bool = False


def _ordered(lines: Sequence[AnyLine], fields: Sequence[ListingField], order: SortOrder) -> Sequence[AnyLine]:
    """Return the lines sorted by a column; by name if no column has that title."""
    field = next((field for field in fields if field.title == order.title), None)

    def value(line: AnyLine) -> Any:
        if field is None:
            return natural_order(line.name)
        return field.order(line) if field.order else natural_order(field.text(line))

    return sorted(lines, key=value, reverse=order.descending)


class ListingTable:
    """Lines of one listing as rows; `marked` maps a line's name to its sign: ✓, or - if only a part is marked."""

    def __init__(
        self,
        title: str,
        lines: Sequence[AnyLine],
        fields: Sequence[ListingField],
        marked: Mapping[str, str] = NO_MARKS,
        order: SortOrder | None = None,
        after: Mapping[str, AnyLine] = NO_LINES,
        figures: Figures = Figures.NOW,
    ) -> None:
        """`after` maps names to the lines after the next run; `figures` selects now, next or both."""
        self._order = order
        self._after, self._figures = after, figures
        self._lines = lines = _ordered(lines, fields, order) if order else lines
        self._fields = fields = [field for field in fields if not field.spare or any(map(field.text, lines))]
        self._columns = {field.title: self._column(field) for field in fields}
        self._marked = marked
        # A cluster queue has no domain, even if its name has dots.
        self._short = without_domains(line.name for line in lines if not isinstance(line, QueueLine))
        longest = max((len(self._short.get(line.name, line.name)) for line in lines), default=12)
        self._name = Column("name", title, max(len(title) + 1, longest, 8))
        self._at = {line.name: index for index, line in enumerate(lines)}

    def _column(self, field: ListingField) -> Column:
        """Return the column of a field, widened for values that the next run changes."""
        cells = max((len(self._figure(field, self._after[line.name], line)) for line in self._changed), default=0)
        return field.column._replace(cells=max(field.column.cells, cells + bool(cells)))

    @cached_property
    def _changed(self) -> Sequence[AnyLine]:
        """The lines that the next run changes."""
        return [line for line in self._lines if self._after.get(line.name, line) != line]

    def _figure(self, field: ListingField, after: AnyLine, now: AnyLine) -> str:
        return shown_figure(self._figures, field.text(now), field.text(after))

    def __len__(self) -> int:
        return len(self._lines)

    def at(self, index: int) -> AnyLine:
        return self._lines[index]

    def key(self, index: int) -> Hashable:
        return self._lines[index].name

    def find(self, key: Hashable) -> int | None:
        return self._at.get(str(key))

    def head(self, cells: int) -> Line | None:
        columns = (self._named(cells), *(self._columns[field.title] for field in self._fitting(cells)))
        return fit((Span(" "), *(span for column in columns for span in (self._title(column), Span(" ")))), cells)

    def _title(self, column: Column) -> Span:
        """Return the title, with an arrow if the listing is sorted by it."""
        if self._order is None or self._order.title != column.title:
            return column.cell(column.title, TextRole.DIM)
        return column.cell(("▼" if self._order.descending else "▲") + column.title, TextRole.ACCENT)

    def title_at(self, cell: int, cells: int) -> str | None:
        columns = (self._named(cells), *(self._columns[field.title] for field in self._fitting(cells)))
        return part_at(((column.title, column.cells + 1) for column in columns), 1, cell)

    def titles(self, cells: int) -> tuple[str, ...]:
        """Return the titles of the visible columns, the name first, without empty titles."""
        return tuple(filter(None, (self._name.title, *(field.title for field in self._fitting(cells)))))

    def line(self, index: int, cells: int) -> Line:
        line = self._lines[index]
        spans = [
            Span(self._marked.get(line.name, " "), TextRole.ACCENT),
            self._named(cells).cell(self._short.get(line.name, line.name)),
            Span(" "),
        ]
        after = self._after.get(line.name, line)
        for field in self._fitting(cells):
            now, then = (Span(field.text(shown), field.role(shown)) for shown in (line, after))
            if field is _DRAIN:
                spans.append(now)
                continue
            column = self._columns[field.title]
            spans += [*figure_cell(self._figures, now, then, column.cells, at_right=column.right), Span(" ")]
        return fit(spans, cells)

    def _named(self, cells: int) -> Column:
        """Return the name column, narrowed if the other columns need the room."""
        others = sum(self._columns[field.title].cells + 1 for field in self._fitting(cells)) + 2
        return self._name._replace(cells=max(_LEAST_NAME, min(self._name.cells, cells - others)))

    def _fitting(self, cells: int) -> list[ListingField]:
        """Return the columns that fit; the highest rank is dropped first."""
        shown = list(self._fields)
        while sum(self._columns[field.title].cells + 1 for field in shown) + self._name.cells + 2 > cells:
            last = max(shown, key=lambda field: field.rank)
            if not last.rank:
                break
            shown.remove(last)
        return shown

    def text(self, index: int) -> str:
        line = self._lines[index]
        after = self._after.get(line.name, line)
        return " ".join([line.name, *(text for field in self._fields if (text := self._figure(field, after, line)))])


@dataclass(frozen=True, slots=True)
class ListingRow:
    """A line of a listing with its queue instances; a filter searches `text` for words."""

    line: AnyLine
    instances: Sequence[InstanceLine]
    text: str


def _queues(row: ListingRow) -> Iterator[str]:
    if isinstance(row.line, QueueLine):
        yield row.line.name
    for instance in row.instances:
        yield from (instance.name, instance.queue)


def _hosts(row: ListingRow) -> Iterator[str]:
    if isinstance(row.line, HostLine):
        yield row.line.name
    yield from (instance.host for instance in row.instances)


def _load(row: ListingRow) -> float | None:
    load = row.line.load
    return decimal_number(load) if isinstance(load, str) else load


def _slots(name: str) -> FilterField[ListingRow]:
    """Return the filter field for the slots in attribute `name`, summed over the row's queue instances."""

    def read(row: ListingRow) -> float:
        return float(sum(getattr(instance, name) for instance in row.instances))

    return FilterField(lambda row: (f"{read(row):.0f}",), f"{name} slots", number=read, is_numeric=True)


LISTING_FILTER_FIELDS: Final = FilterFields(
    {
        "queue": FilterField(_queues, "queue or queue instance", special=address_test),
        "host": FilterField(_hosts, "host, node set or @hostgroup", special=host_test),
        "state": FilterField(lambda row: (instance.state for instance in row.instances) if row.instances else ("",),
                             "letters of qstat -f, or error, disabled, suspended, alarm, unknown, none",
                             exact=True, special=instance_state_test),
        "load": FilterField(lambda row: (str(row.line.load),), "load_avg, of a cluster queue CQLOAD", number=_load),
        "used": _slots("used"),
        "total": _slots("total"),
        "reserved": _slots("reserved"),
        "free": FilterField(lambda row: (str(_free(row)),), "slots that are neither used nor reserved",
                            number=lambda row: float(_free(row)), is_numeric=True),
        "type": FilterField(lambda row: (instance.qtype for instance in row.instances), "B, I, P, C as qstat -f has"),
        "drain": FilterField(lambda row: (row.line.drain,), "why it was disabled"),
    },
    lambda row: row.text,
    {"q": "queue", "qs": "state", "slots": "total", "h": "host"},
    {"-q": "queue=={}".format, "-qs": "state={}".format},
    hosts="host",
)  # fmt: skip


def _free(row: ListingRow) -> int:
    return sum(instance.total - instance.used - instance.reserved for instance in row.instances)
