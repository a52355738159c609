"""Queues x hosts as a map: a row for each host, a column for each cluster queue, slots and letters in the cells."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from qmon_tui.tui.present.cluster.listings import MANUAL, PASSING, InstanceLine
from qmon_tui.tui.present.rows import longest
from qmon_tui.tui.present.spans import Idea, Line, Span, fit, left, right

_STEPS: Final = " ▁▂▃▄▅▆▇█"
_LOAD: Final = 6
_LEAST: Final = 7
_MOST: Final = 12


@dataclass(frozen=True, slots=True)
class MapCell:
    """Where the cursor is."""

    host: str
    queue: str

    @property
    def instance(self) -> str:
        """queue@host."""
        return f"{self.queue}@{self.host}"


def fill(used: int, total: int) -> str:
    """A block as high as the slots are used; nothing for none, full only where all are."""
    if total <= 0 or used <= 0:
        return " "
    return _STEPS[-1] if used >= total else _STEPS[max(1, min(7, round(used / total * 8)))]


def cell_idea(line: InstanceLine) -> Idea:
    """The colour of a cell, which its letters and numbers say as well."""
    state = set(line.state)
    if state & set("Eu"):
        return Idea.FAILED
    if state & set("sSC"):
        return Idea.SUSPENDED
    if state & (MANUAL | PASSING):
        return Idea.WARNING
    if line.used >= line.total > 0:
        return Idea.WAITING
    return Idea.RUNNING if line.used else Idea.DIM


def _words(line: InstanceLine) -> str:
    return f"{line.used}/{line.total}{line.state}"


class ClusterMap:
    """The rows of the map; the column of the cursor is remembered by the view."""

    def __init__(
        self,
        hosts: Sequence[str] = (),
        queues: Sequence[str] = (),
        instances: Mapping[str, InstanceLine] | None = None,
        column: int = 0,
        marked: frozenset[str] = frozenset(),
    ) -> None:
        self.hosts = hosts
        self.queues = queues
        self.instances = instances or {}
        self.column = column
        self.marked = marked
        self._at = {host: index for index, host in enumerate(hosts)}
        self._host = longest(hosts, 6, 20)
        wide = dict.fromkeys(queues, _LEAST)
        for line in self.instances.values():
            wide[line.queue] = max(wide.get(line.queue, _LEAST), len(_words(line)) + 2)
        self._widths = [max(min(_MOST, len(queue)), wide[queue]) for queue in queues]
        self._loads = {line.host: line for line in self.instances.values() if line.load is not None}

    def __len__(self) -> int:
        return len(self.hosts)

    def key(self, index: int) -> Hashable:
        """The host."""
        return self.hosts[index]

    def find(self, key: Hashable) -> int | None:
        """Where the host is now."""
        return self._at.get(str(key))

    def head(self, cells: int) -> Line | None:
        """The names of the queues, that of the cursor marked."""
        spans = [Span(f"{left('host', self._host)} {right('load', _LOAD)} ", Idea.DIM)]
        for number in self._shown(cells):
            here = number == self.column
            spans.append(Span(left(self.queues[number], self._widths[number]) + " ", Idea.ACCENT if here else Idea.DIM))
        return tuple(spans)

    def line(self, index: int, cells: int) -> Line:
        """A host: its load, then used and total slots of each queue instance with its letters."""
        host = self.hosts[index]
        line = self._loads.get(host)
        load = "-" if line is None else line.load_text
        spans = [Span(f"{left(host, self._host)} "), Span(right(load, _LOAD) + " ", Idea.DIM)]
        for number in self._shown(cells):
            spans += self._cell(host, number)
        return fit(spans, cells)

    def text(self, index: int) -> str:
        """The host with all of its queue instances."""
        host = self.hosts[index]
        found = (self.instances.get(f"{queue}@{host}") for queue in self.queues)
        return " ".join([host, *(f"{one.name} {one.used}/{one.total} {one.state}".rstrip() for one in found if one)])

    def _cell(self, host: str, number: int) -> Line:
        width = self._widths[number]
        one = self.instances.get(f"{self.queues[number]}@{host}")
        edge = "[" if number == self.column else " "
        if one is None:
            return (Span(edge.replace("[", "·") + left("", width), Idea.DIM),)
        words = ("✓" if one.name in self.marked else fill(one.used, one.total)) + _words(one)
        return (Span(edge, Idea.ACCENT), Span(left(words, width - 1), cell_idea(one)), Span("]" if edge == "[" else " ",
                Idea.ACCENT))  # fmt: skip

    def _shown(self, cells: int) -> range:
        """The columns in sight: as many as there is room for, the cursor's among them."""
        room = cells - self._host - _LOAD - 2
        first = 0
        while True:
            used, last = 0, first
            while last < len(self._widths) and used + self._widths[last] + 1 <= room:
                used += self._widths[last] + 1
                last += 1
            if self.column < last or first >= self.column:
                return range(first, max(last, min(first + 1, len(self._widths))))
            first += 1

    def hidden(self, cells: int) -> int:
        """How many queues are out of sight at the sides."""
        return len(self.queues) - len(self._shown(cells))
