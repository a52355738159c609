"""The listings as tables of fixed columns, with the titles that qstat and qhost use."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final, NamedTuple

from qmon_tui.tui.present.cluster.listings import LETTERS, HostLine, InstanceLine, QueueLine
from qmon_tui.tui.present.cluster.map import cell_idea
from qmon_tui.tui.present.instances import letter_words
from qmon_tui.tui.present.ordering import natural
from qmon_tui.tui.present.rows import Column
from qmon_tui.tui.present.spans import Idea, Line, Span, fit
from qmon_tui.values.number import is_number, parse_number


@dataclass(frozen=True, slots=True)
class Field:
    """One column: title, width, text, and what it means."""

    title: str
    cells: int
    text: Callable[[Any], str]
    right: bool = True
    idea: Callable[[Any], Idea] = lambda _: Idea.PLAIN
    rank: int = 0
    """0 is always shown; of the others the highest is left out first where there is little room."""
    order: Callable[[Any], Any] | None = None
    """What lines are ordered by, where that is not the text."""

    @property
    def column(self) -> Column:
        """Its title and width, with room for an arrow before the title."""
        return Column(self.title, self.title, max(self.cells, len(self.title) + 1), self.right)


def _dim(_: Any) -> Idea:
    return Idea.DIM


def _some(read: Callable[[Any], int], idea: Idea) -> Callable[[Any], Idea]:
    return lambda one: idea if read(one) else Idea.DIM


def _bytes(name: str) -> Callable[[Any], float]:
    """What an amount of memory is ordered by; what is not reported comes first."""

    def read(one: Any) -> float:
        text = getattr(one, name)
        return parse_number(text) if is_number(text) else -1.0

    return read


QUEUE_FIELDS: Final = (
    Field("CQLOAD", 7, lambda one: one.load_text, rank=1),
    Field("USED", 6, lambda one: str(one.used), idea=_some(lambda one: one.used, Idea.RUNNING)),
    Field("RES", 6, lambda one: str(one.reserved), idea=_some(lambda one: one.reserved, Idea.PLAIN), rank=2),
    Field("AVAIL", 6, lambda one: str(one.available), idea=_some(lambda one: one.available, Idea.PLAIN)),
    Field("TOTAL", 6, lambda one: str(one.total)),
    Field("aoACDS", 6, lambda one: str(one.passing), idea=_some(lambda one: one.passing, Idea.WARNING)),
    Field("cdsuE", 6, lambda one: str(one.manual), idea=_some(lambda one: one.manual, Idea.FAILED)),
    *(
        Field(letter, 5, lambda one, letter=letter: str(one.by_letter.get(letter, 0)),  # type: ignore[misc]
              idea=lambda one, letter=letter: Idea.WARNING if one.by_letter.get(letter) else Idea.DIM, rank=3)  # type: ignore[misc]
        for letter in LETTERS
    ),
)  # fmt: skip
INSTANCE_FIELDS: Final = (
    Field("qtype", 5, lambda one: one.qtype, False, _dim, 1),
    Field("resv/used/tot.", 14, lambda one: one.slots_text, order=lambda one: one.used / max(one.total, 1)),
    Field("load_avg", 8, lambda one: one.load_text, idea=_dim, rank=2),
    Field("arch", 10, lambda one: one.arch or "-NA-", False, _dim, 3),
    Field("states", 6, lambda one: one.state, False, cell_idea),
    Field("", 30, lambda one: letter_words(one.state), False, _dim, 4),
)
HOST_FIELDS: Final = (
    Field("ARCH", 10, lambda one: one.arch, False, _dim, 2),
    *(
        Field(title, 5, attrgetter(title.lower()), rank=rank)
        for title, rank in (("NCPU", 0), ("NSOC", 3), ("NCOR", 3), ("NTHR", 3), ("LOAD", 0))
    ),
    *(
        Field(title, 7, attrgetter(title.lower()), rank=rank, order=_bytes(title.lower()))
        for title, rank in (("MEMTOT", 0), ("MEMUSE", 0), ("SWAPTO", 4), ("SWAPUS", 4))
    ),
)

AnyLine = QueueLine | InstanceLine | HostLine


class Order(NamedTuple):
    """The column by which a listing is ordered."""

    title: str
    falling: bool = False


def _ordered(lines: Sequence[AnyLine], fields: Sequence[Field], order: Order) -> Sequence[AnyLine]:
    """The lines in the order of a column; by name where there is no column of that title."""
    field = next((field for field in fields if field.title == order.title), None)

    def value(one: AnyLine) -> Any:
        if field is None:
            return natural(one.name)
        return field.order(one) if field.order else natural(field.text(one))

    return sorted(lines, key=value, reverse=order.falling)


class Listing:
    """Lines of one listing as rows of a table."""

    def __init__(
        self,
        title: str,
        lines: Sequence[AnyLine],
        fields: Sequence[Field],
        marked: frozenset[str] = frozenset(),
        order: Order | None = None,
    ) -> None:
        self._order = order
        self._lines = lines = _ordered(lines, fields, order) if order else lines
        self._fields = fields
        self._marked = marked
        self._name = Column("name", title, max(len(title) + 1, *(len(line.name) for line in lines), 8) if lines else 12)
        self._at = {line.name: index for index, line in enumerate(lines)}

    def __len__(self) -> int:
        return len(self._lines)

    def key(self, index: int) -> Hashable:
        """The name."""
        return self._lines[index].name

    def find(self, key: Hashable) -> int | None:
        """Where it is now."""
        return self._at.get(str(key))

    def head(self, cells: int) -> Line | None:
        """The titles of qstat and qhost."""
        columns = (self._name, *(field.column for field in self._fitting(cells)))
        return fit((Span(" "), *(span for column in columns for span in (self._title(column), Span(" ")))), cells)

    def _title(self, column: Column) -> Span:
        """The title, with an arrow where it orders."""
        if self._order is None or self._order.title != column.title:
            return column.cell(column.title, Idea.DIM)
        return column.cell(("▼" if self._order.falling else "▲") + column.title, Idea.ACCENT)

    def title_at(self, cell: int, cells: int) -> str | None:
        """The title of the column at a cell of a line."""
        start = 1
        for column in (self._name, *(field.column for field in self._fitting(cells))):
            if start <= cell < start + column.cells + 1:
                return column.title
            start += column.cells + 1
        return None

    def titles(self, cells: int) -> tuple[str, ...]:
        """The titles of the columns in sight that have one, the name first."""
        return tuple(filter(None, (self._name.title, *(field.title for field in self._fitting(cells)))))

    def line(self, index: int, cells: int) -> Line:
        """One line."""
        one = self._lines[index]
        spans = [Span("✓" if one.name in self._marked else " ", Idea.ACCENT), self._name.cell(one.name), Span(" ")]
        for field in self._fitting(cells):
            spans += [field.column.cell(field.text(one), field.idea(one)), Span(" ")]
        return fit(spans, cells)

    def _fitting(self, cells: int) -> list[Field]:
        """The columns that there is room for."""
        shown = list(self._fields)
        while sum(field.column.cells + 1 for field in shown) + self._name.cells + 2 > cells:
            last = max(shown, key=lambda field: field.rank)
            if not last.rank:
                break
            shown.remove(last)
        return shown

    def text(self, index: int) -> str:
        """The values with blanks between them."""
        one = self._lines[index]
        return " ".join([one.name, *(text for field in self._fields if (text := field.text(one)))])
