"""Gantt chart: bars of tasks on each host over time, with their limits and reservations."""

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from math import inf
from typing import Final

from rich.cells import cell_len

from qmon_tui.report.spans import Line, Span, TextRole, crop, fit, left
from qmon_tui.report.table_rows import longest, natural_order
from qmon_tui.simulation import Plan, SlotInterval, SlotIntervalEnd

STEPS: Final = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400)
"""Seconds that a cell may stand for."""
_FOREVER: Final = 2**32 - 1
"""End of a plan without a run time limit, as the scheduler stores it."""
"""End of a plan without a run time limit, as the scheduler stores it."""
_BAR: Final = {
    "ended": ("▄", TextRole.DIM),
    "runs": ("▇", TextRole.RUNNING),
    "suspended": ("▚", TextRole.SUSPENDED),
    "limit": ("░", TextRole.RUNNING),
    "plan": ("▒", TextRole.WAITING),
}
LEGEND: Final[Line] = (
    Span("▇", TextRole.RUNNING), Span(" runs  ", TextRole.DIM),
    Span("░", TextRole.RUNNING), Span(" to its limit  ", TextRole.DIM),
    Span("▒", TextRole.WAITING), Span(" reserved  ", TextRole.DIM),
    Span("◆", TextRole.ACCENT), Span(" backfilled  ", TextRole.DIM),
    Span("▚", TextRole.SUSPENDED), Span(" suspended  ", TextRole.DIM),
    Span("▄", TextRole.DIM), Span(" ended", TextRole.DIM),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class GanttWindow:
    """The visible time: its start (seconds since the epoch), and the seconds per cell."""

    start: int
    step: int

    def cell(self, time: float) -> int:
        """Return the cell of a time; it may lie outside the window."""
        return int((time - self.start) // self.step)

    def zoomed(self, by: int, cells: int, at: int) -> "GanttWindow":
        """Return the window zoomed in (-1) or out (1); the time `at` keeps its cell."""
        place = STEPS.index(self.step) if self.step in STEPS else 0
        step = STEPS[max(0, min(len(STEPS) - 1, place + by))]
        share = max(0, min(cells, self.cell(at)))
        return GanttWindow(at - share * step, step)


def following(now: int, beginning: int, cells: int, step: int | None = None) -> GanttWindow:
    """Return the window around `now`: two thirds are past, at most back to the beginning; `step` None chooses one."""
    past = max(1, cells * 2 // 3)
    if step is None:
        step = next((known for known in STEPS if (now - beginning) / known <= past), STEPS[-1])
        step = max(15, min(60, step))
    start = max(beginning - step, now - past * step)
    return GanttWindow(start // step * step, step)


@dataclass(frozen=True, slots=True)
class _Bar:
    """A run of a task or a reservation on one host; times are seconds since the epoch."""

    job: int
    task: int
    label: str
    start: int
    end: float
    """End of the run so far, or of the reservation."""
    limit: float
    """Time at which its run time limit is reached; infinite without one."""
    kind: str
    """Key of `_BAR`."""
    backfilled: bool = False


@dataclass(slots=True)
class GanttContent:
    """The bars of all hosts in rows at the moment `now`; `used` and `totals` map hosts to slots."""

    hosts: Mapping[str, Sequence[Sequence[_Bar]]] = field(default_factory=dict)
    """Host -> rows of bars, each ordered by time."""
    used: Mapping[str, int] = field(default_factory=dict)
    totals: Mapping[str, int] = field(default_factory=dict)
    now: int = 0


def gantt_content(
    stretches: Iterable[tuple[SlotInterval, SlotIntervalEnd | None]],
    plans: Iterable[Plan],
    now: int,
    totals: Mapping[str, int],
    suspended: frozenset[tuple[int, int]] = frozenset(),
    arrays: frozenset[int] = frozenset(),
) -> GanttContent:
    """Return the bars. `totals`: host -> slots; `suspended`: (job, task); `arrays`: numbers of array jobs."""
    rows: dict[str, list[list[_Bar]]] = {host: [] for host in sorted(totals, key=natural_order)}
    used = dict.fromkeys(rows, 0)
    for stretch, end in stretches:
        for host, slots in _by_host(stretch.places):
            bar = _bar(stretch, end, now, slots, suspended, arrays)
            _put(rows.setdefault(host, []), bar)
            if end is None:
                used[host] = used.get(host, 0) + slots
    for plan in sorted(plans, key=lambda plan: plan.start):
        for host, slots in _by_host(plan.places):
            end_of_plan = inf if plan.end >= _FOREVER else plan.end
            label = _label(plan.job, plan.task, "reserved", slots, arrays)
            _put(rows.setdefault(host, []), _Bar(plan.job, plan.task, label, plan.start, end_of_plan, inf, "plan"))
    return GanttContent(rows, used, totals, now)


def _by_host(places: Sequence[tuple[str, int]]) -> Iterable[tuple[str, int]]:
    slots: dict[str, int] = {}
    for name, number in places:
        host = name.rpartition("@")[2]
        slots[host] = slots.get(host, 0) + number
    return slots.items()


def _bar(
    stretch: SlotInterval, end: SlotIntervalEnd | None, now: int, slots: int, suspended: frozenset[tuple[int, int]],
    arrays: frozenset[int],
) -> _Bar:  # fmt: skip
    limit = inf if stretch.limit is None else stretch.start + stretch.limit
    kind = "ended" if end is not None else "suspended" if (stretch.job, stretch.task) in suspended else "runs"
    return _Bar(
        stretch.job, stretch.task, _label(stretch.job, stretch.task, stretch.name, slots, arrays), stretch.start,
        end.time if end is not None else now, limit, kind, stretch.backfilled,
    )  # fmt: skip


def _label(job: int, task: int, name: str, slots: int, arrays: frozenset[int]) -> str:
    number = f"{job}.{task}" if job in arrays else str(job)
    return f"{number} {name}" + (f" ×{slots}" if slots > 1 else "")


def _put(rows: list[list[_Bar]], bar: _Bar) -> None:
    """Put the bar into the first row where it overlaps nothing; a reservation also avoids tasks that may still run."""
    for row in rows:
        last = row[-1]
        free = last.end if bar.kind != "plan" or last.kind != "runs" else max(last.end, min(last.limit, bar.start))
        if last.kind in ("runs", "suspended") and bar.kind != "plan":
            continue
        if last.kind == "plan" and bar.start < last.end:
            continue
        if bar.kind == "plan" and last.kind in ("runs", "suspended") and last.limit > bar.start:
            continue
        if free <= bar.start:
            row.append(bar)
            return
    rows.append([bar])


class GanttRows:
    """The rows of each host that have bars in the window, below a time axis."""

    def __init__(self, content: GanttContent | None = None, window: GanttWindow | None = None, cells: int = 80) -> None:
        self._content = content or GanttContent()
        self._window = window or GanttWindow(0, 60)
        self._host = longest([*self._content.hosts, ""], 5, 16)
        self._rows = list(self._in_sight(max(1, cells - self.side)))
        self._at = {(host, number): index for index, (host, number, _) in enumerate(self._rows)}

    @property
    def side(self) -> int:
        """Width before the bars, in cells: host, used and total slots."""
        return self._host + 8

    def _in_sight(self, cells: int) -> Iterable[tuple[str, int, Sequence[_Bar]]]:
        """Yield host, row number and the visible bars, which are adjacent as bars of a row do not overlap."""
        start, end = self._window.start, self._window.start + cells * self._window.step
        for host, rows in self._content.hosts.items():
            shown = 0
            for row in rows:
                first = bisect_right(row, float(start), key=lambda bar: max(self._reach(bar), bar.start + 1.0))
                last = bisect_left(row, end, lo=first, key=lambda bar: bar.start)
                bars = row[first:last]
                if bars:
                    yield host, shown, bars
                    shown += 1
            if not shown:
                yield host, 0, ()

    def __len__(self) -> int:
        return len(self._rows)

    def key(self, index: int) -> Hashable:
        return self._rows[index][:2]

    def find(self, key: Hashable) -> int | None:
        """Return the index of the row, else of the host's first row; None if the host is unknown."""
        if not isinstance(key, tuple):
            return self._at.get((str(key), 0))
        return self._at.get((key[0], key[1]), self._at.get((key[0], 0)))

    def job_at(self, key: Hashable, time: float | None = None) -> tuple[int, int] | None:
        """Return (job, task) of the bar at `time`; with None, of the bar nearest to now; None without such a bar."""
        index = self.find(key)
        bars = self._rows[index][2] if index is not None else ()
        wanted = self._content.now if time is None else time
        best = min(bars, key=lambda bar: max(bar.start - wanted, wanted - max(bar.end, bar.limit), 0), default=None)
        if time is not None and best is not None and not best.start <= time <= self._reach(best):
            return None
        return (best.job, best.task) if best is not None else None

    def time_at(self, cell: int) -> int:
        return self._window.start + (cell - self.side) * self._window.step

    def head(self, cells: int) -> Line | None:
        """Return the time axis with a mark at now."""
        room, window, now = cells - self.side, self._window, self._content.now
        every = next((tick_length for tick_length in _TICKS if tick_length / window.step >= 9), _TICKS[-1])
        axis = [" "] * max(0, room)
        first = datetime.fromtimestamp(window.start)
        midnight = int(first.replace(hour=0, minute=0, second=0).timestamp())
        tick = midnight + -(-(window.start - midnight) // every) * every
        at = window.cell(now)
        while (cell := window.cell(tick)) < room:
            text = _tick(tick, every)
            if not cell - 1 <= at <= cell + len(text) + 3:
                _write(axis, cell, text)
            tick += every
        if 0 <= at < room:
            _write(axis, max(0, at - 3), "now│" if at >= 3 else "│")
        text = "".join(axis)
        return fit((Span(left(" host", self.side), TextRole.DIM), Span(text, TextRole.DIM)), cells)

    def line(self, index: int, cells: int) -> Line:
        host, number, bars = self._rows[index]
        if number:
            side: Line = (Span(" " * self.side),)
        else:
            used, total = self._content.used.get(host, 0), self._content.totals.get(host, 0)
            role = TextRole.WAITING if used >= total > 0 else TextRole.DIM if not used else TextRole.PLAIN
            side = (Span(left(crop(host, self._host), self._host + 1)), Span(left(f"{used}/{total}", 7), role))
        return fit((*side, *self._drawn(bars, max(0, cells - self.side))), cells)

    def text(self, index: int) -> str:
        host, _, bars = self._rows[index]
        return " ".join((host, *(bar.label for bar in bars)))

    def _reach(self, bar: _Bar) -> float:
        return bar.end if bar.kind in ("ended", "plan") else max(bar.end, bar.limit)

    def _drawn(self, bars: Sequence[_Bar], room: int) -> Line:
        texts, roles = [" "] * room, [TextRole.PLAIN] * room
        now = self._window.cell(self._content.now)
        if 0 <= now < room:
            texts[now], roles[now] = "│", TextRole.FAINT
        for number, bar in enumerate(bars):
            following_bar = bars[number + 1].start if number + 1 < len(bars) else inf
            self._draw(bar, min(self._reach(bar), following_bar), texts, roles)
        pairs = groupby(zip(texts, roles, strict=True), key=lambda pair: pair[1])
        return tuple(Span("".join(text for text, _ in group), role) for role, group in pairs)

    def _draw(self, bar: _Bar, reach: float, texts: list[str], roles: list[TextRole]) -> None:
        room, window = len(texts), self._window
        begin = window.cell(bar.start)
        last = min(room - 1, window.cell(min(bar.end, window.start + room * window.step)))
        if bar.kind in ("ended", "plan") and bar.end <= window.start + last * window.step and last > begin:
            last -= 1
        for cell in range(max(0, begin), last + 1):
            texts[cell], roles[cell] = _BAR[bar.kind]
        if bar.kind in ("runs", "suspended") and reach > bar.end:
            limit_end = min(room, window.cell(min(reach, window.start + room * window.step)) or 0)
            for cell in range(max(0, last + 1), limit_end):
                texts[cell], roles[cell] = _BAR["limit"]
        self._write_label(bar, max(0, begin), last, texts)
        if 0 <= begin < room and begin <= last:
            if bar.backfilled:
                texts[begin], roles[begin] = "◆", TextRole.ACCENT
            elif begin and texts[begin - 1] not in " │":
                texts[begin] = "▐" if bar.kind != "ended" else "▗"

    def _write_label(self, bar: _Bar, begin: int, last: int, texts: list[str]) -> None:
        """Write job number and name into the bar, shortened to the number or left out to fit."""
        room = last - begin - 1
        for label in (bar.label, bar.label.rpartition(" ×")[0], bar.label.partition(" ")[0]):
            if label and cell_len(label) == len(label) and len(label) + 2 <= room:
                at = begin + 2
                texts[at - 1 : at + len(label) + 1] = [" ", *label, " "]
                return


_TICKS: Final = (5, 10, 15, 30, 60, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 7 * 86400)


def _tick(time: int, every: int) -> str:
    form = "%H:%M:%S" if every < 60 else "%H:%M" if every < 86400 else "%a %d"
    moment = datetime.fromtimestamp(time)
    if every < 86400 and moment.hour == 0 and moment.minute == 0 and moment.second == 0:
        form = "%a %d"
    return moment.strftime(form)


def _write(axis: list[str], at: int, text: str) -> None:
    if at >= 0 and at + len(text) <= len(axis):
        axis[at : at + len(text)] = text
