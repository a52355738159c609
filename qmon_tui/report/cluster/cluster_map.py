"""The map: a row for each host, a column for each cluster queue, cells with slots and state letters."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from qmon_tui.report.bars import usage_bar
from qmon_tui.report.cluster.qstat_listings import AOACDS, CDSUE, InstanceLine
from qmon_tui.report.spans import Line, Span, TextRole, fit, left, right
from qmon_tui.report.table_rows import longest, part_at
from qmon_tui.report.words import ARROW, shown_figure, without_domains
from qmon_tui.workspace import Figures

_STEPS: Final = " ▁▂▃▄▅▆▇█"
_LOAD: Final = 6
"""Width of the load column, in cells."""
_LEAST: Final = 5
_MOST: Final = 12
"""Limits of the width that a queue name gives its column, in cells."""
_BAR: Final = range(4, 11)
"""Possible widths of a bar, in cells; with less room per queue, one block replaces it."""


NOTHING: Final[Mapping[str, InstanceLine]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class MapCell:
    """A cell of the map, given by host and cluster queue."""

    host: str
    queue: str

    @property
    def instance(self) -> str:
        """queue@host."""
        return f"{self.queue}@{self.host}"


def fill(used: int, total: int) -> str:
    """Return a block as high as the used part of the slots: a blank for 0, a full block only for all."""
    if total <= 0 or used <= 0:
        return " "
    return _STEPS[-1] if used >= total else _STEPS[max(1, min(7, round(used / total * 8)))]


def cell_role(line: InstanceLine) -> TextRole:
    """Return the colour of a cell, from its state letters, else its used slots."""
    if (role := letters_role(line.state)) is not TextRole.PLAIN:
        return role
    if line.used >= line.total > 0:
        return TextRole.WAITING
    return TextRole.RUNNING if line.used else TextRole.DIM


def letters_role(letters: str) -> TextRole:
    """Return the colour of the most severe of some state letters; PLAIN without any."""
    state = set(letters)
    if state & set("Eu"):
        return TextRole.FAILED
    if state & set("sSC"):
        return TextRole.SUSPENDED
    return TextRole.WARNING if state & (CDSUE | AOACDS) else TextRole.PLAIN


def mark_sign(names: Collection[str], marked: Collection[str]) -> str:
    """Return ✓ if all queue instances in `names` are in `marked`, - if some are, empty if none is."""
    number = sum(name in marked for name in names)
    return "" if not number else "✓" if number == len(names) else "-"


class ClusterMap:
    """The rows of the map. The view sets `row` and `column` of the cursor; `row` None hides it."""

    def __init__(
        self,
        hosts: Sequence[str] = (),
        queues: Sequence[str] = (),
        instances: Mapping[str, InstanceLine] | None = None,
        column: int = 0,
        marked: frozenset[str] = frozenset(),
        after: Mapping[str, InstanceLine] = NOTHING,
        figures: Figures = Figures.NOW,
    ) -> None:
        """`after` maps names to the queue instances after the next run; `figures` selects now, next or both."""
        self.row: int | None = None
        self._after, self._figures = after, figures
        self.hosts = hosts
        self.queues = queues
        self.instances = instances or {}
        self.column = column
        self.marked = marked
        self._at = {host: index for index, host in enumerate(hosts)}
        self._short = without_domains(hosts)
        self._host = longest(list(self._short.values()), 6, 20) + 1  # with the sign of a mark before it
        self._numbers = self._digits()
        self._loads = {line.host: line for line in self.instances.values() if line.load is not None}

    def __len__(self) -> int:
        return len(self.hosts)

    def key(self, index: int) -> Hashable:
        return self.hosts[index]

    def find(self, key: Hashable) -> int | None:
        return self._at.get(str(key))

    def head(self, cells: int) -> Line | None:
        """Return the names of the queues, the cursor's highlighted."""
        spans = [Span(f"{left(' host', self._host)} {right('load', _LOAD)} ", TextRole.DIM)]
        bar = self._bar(cells)
        for number in self._shown(cells):
            here = number == self.column
            title = f" {left(self.queues[number], self._width(number, bar))} "
            spans.append(Span(title, TextRole.ACCENT if here else TextRole.DIM))
        return fit(spans, cells)

    def column_at(self, cell: int, cells: int) -> int | None:
        """Return the index of the queue at a cell of a line; None if there is no queue."""
        bar = self._bar(cells)
        widths = ((number, self._width(number, bar) + 2) for number in self._shown(cells))
        return part_at(widths, self._host + _LOAD + 2, cell)

    def line(self, index: int, cells: int) -> Line:
        host = self.hosts[index]
        line = self._loads.get(host)
        load = "-" if line is None else line.load_text
        names = [name for queue in self.queues if (name := f"{queue}@{host}") in self.instances] if self.marked else []
        spans = [
            Span(mark_sign(names, self.marked) or " ", TextRole.ACCENT),
            Span(f"{left(self._short[host], self._host - 1)} "),
            Span(right(load, _LOAD) + " ", TextRole.PLAIN),
        ]
        bar = self._bar(cells)
        for number in self._shown(cells):
            spans += self._cell(host, number, bar, has_cursor=number == self.column and index == self.row)
        return fit(spans, cells)

    def text(self, index: int) -> str:
        host = self.hosts[index]
        lines = (self.instances.get(f"{queue}@{host}") for queue in self.queues)
        return " ".join(
            [
                host,
                *(
                    f"{instance_line.name} {self._used(instance_line)}/{self._total(instance_line, ' ')}".rstrip()
                    for instance_line in lines
                    if instance_line
                ),
            ]
        )

    def _used(self, line: InstanceLine) -> str:
        after = self._after.get(line.name, line)
        return shown_figure(self._figures, str(line.used), str(after.used), ARROW.strip())

    def _total(self, line: InstanceLine, gap: str = "") -> str:
        after = self._after.get(line.name, line)
        state = shown_figure(self._figures, line.state, after.state, ARROW.strip())
        return f"{(after if self._figures is Figures.NEXT else line).total}{gap}{state}"

    def _digits(self) -> dict[str, tuple[int, int]]:
        """Return queue -> widths in characters of the longest used slots, and of the longest total with its letters."""
        digits = dict.fromkeys(self.queues, (1, 1))
        for line in self.instances.values():
            used, total = digits.get(line.queue, (1, 1))
            digits[line.queue] = (max(used, len(self._used(line))), max(total, len(self._total(line))))
        return digits

    def _cell(self, host: str, number: int, bar: int, *, has_cursor: bool) -> Line:
        width = self._width(number, bar)
        instance_line = self.instances.get(f"{self.queues[number]}@{host}")
        if instance_line is not None and self._figures is Figures.NEXT:
            instance_line = self._after.get(instance_line.name, instance_line)
        start, end = (Span(edge, TextRole.ACCENT) for edge in ("[]" if has_cursor else "  "))
        if instance_line is None:
            return start, Span(left("·", width), TextRole.FAINT), end
        used, total = self._numbers[instance_line.queue]
        role = cell_role(instance_line)
        words = f"{self._used(instance_line):>{used}}/{self._total(instance_line):<{total}}"
        drawn = self._drawn(instance_line, bar, role)
        return (start, *drawn, Span(left(words, width - bar - (bar > 1)), role), end)

    def _drawn(self, instance_line: InstanceLine, bar: int, role: TextRole) -> Line:
        """Return the used slots as a bar or a block; a ✓ instead if the instance is marked."""
        if instance_line.name in self.marked:
            return (Span(left("✓", bar + (bar > 1)), TextRole.ACCENT),)
        if bar == 1:
            return (Span(fill(instance_line.used, instance_line.total), role),)
        return (*usage_bar(instance_line.used, instance_line.total, bar, role), Span(" "))

    def _width(self, number: int, bar: int) -> int:
        """Return the width of a column between its edges, in cells."""
        queue = self.queues[number]
        words = sum(self._numbers[queue]) + 1 + bar + (bar > 1)
        return max(min(_MOST, len(queue)), words, _LEAST)

    def _bar(self, cells: int) -> int:
        """Return the width of each bar, in cells; 1 means a block."""
        if not self.queues:
            return 1
        room = cells - self._host - _LOAD - 2
        words = sum(sum(digits) + 1 for digits in self._numbers.values()) + 3 * len(self.queues)
        spare = (room - words) // len(self.queues)
        fits = sum(self._width(number, spare) + 2 for number in range(len(self.queues))) <= room
        return min(spare, _BAR[-1]) if fits and spare >= _BAR[0] else 1

    def _shown(self, cells: int) -> range:
        """Return the indexes of the visible columns: as many as fit, the cursor's included."""
        bar = self._bar(cells)
        widths = [self._width(number, bar) + 2 for number in range(len(self.queues))]
        room = cells - self._host - _LOAD - 2
        first = 0
        while True:
            used, last = 0, first
            while last < len(widths) and used + widths[last] <= room:
                used += widths[last]
                last += 1
            if self.column < last or first >= self.column:
                return range(first, max(last, min(first + 1, len(widths))))
            first += 1

    def hidden(self, cells: int) -> int:
        """Return the number of queues that do not fit."""
        return len(self.queues) - len(self._shown(cells))
