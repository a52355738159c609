"""The listings as tables of fixed columns, with the titles that qstat and qhost use."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final

from qmon_tui.tui.present.cluster.listings import LETTERS, HostLine, InstanceLine, QueueLine
from qmon_tui.tui.present.cluster.map import cell_idea
from qmon_tui.tui.present.instances import letter_words
from qmon_tui.tui.present.rows import Column, titles
from qmon_tui.tui.present.spans import Idea, Line, Span, fit


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

    @property
    def column(self) -> Column:
        """Its title and width."""
        return Column(self.title, self.title, self.cells, self.right)


def _dim(_: Any) -> Idea:
    return Idea.DIM


def _some(read: Callable[[Any], int], idea: Idea) -> Callable[[Any], Idea]:
    return lambda one: idea if read(one) else Idea.DIM


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
    Field("resv/used/tot.", 14, lambda one: one.slots_text),
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
        Field(title, 7, attrgetter(title.lower()), rank=rank)
        for title, rank in (("MEMTOT", 0), ("MEMUSE", 0), ("SWAPTO", 4), ("SWAPUS", 4))
    ),
)

AnyLine = QueueLine | InstanceLine | HostLine


class Listing:
    """Lines of one listing as rows of a table."""

    def __init__(
        self, title: str, lines: Sequence[AnyLine], fields: Sequence[Field], marked: frozenset[str] = frozenset()
    ) -> None:
        self._lines = lines
        self._fields = fields
        self._marked = marked
        self._name = Column("name", title, max(len(title), *(len(line.name) for line in lines), 8) if lines else 12)
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
        columns = (field.column for field in self._fitting(cells))
        return fit((Span(" "), *titles((self._name, *columns))), cells)

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
        while sum(field.cells + 1 for field in shown) + self._name.cells + 2 > cells:
            last = max(shown, key=lambda field: field.rank)
            if not last.rank:
                break
            shown.remove(last)
        return shown

    def text(self, index: int) -> str:
        """The values with blanks between them."""
        one = self._lines[index]
        return " ".join([one.name, *(text for field in self._fields if (text := field.text(one)))])
