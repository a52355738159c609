"""Charts over a day, one line each with its scale: used slots, startable tasks, oldest wait, resources."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from math import log10

from qmon_tui.report.bars import drawn_part
from qmon_tui.report.day.clock import lasting
from qmon_tui.report.spans import Line, Span, TextRole, fit, left
from qmon_tui.report.words import compact, count
from qmon_tui.simulation import Sample

STEPS = "▁▂▃▄▅▆▇"
"""Blocks by height; without the full block, so that adjacent lines stay apart."""
_NAME = 14
_WORDS = 30


class Chart(StrEnum):
    """The charts of the monitor."""

    GANTT = "Gantt"
    EVENTS = "Events"
    USE = "Use"
    SHARES = "Shares"
    ALARMS = "Alarms"


def spark(values: Sequence[float | None], top: float) -> str:
    """Return a block for each value: the lowest for 0, the highest for `top`, a blank for None."""
    return "".join(" " if value is None else STEPS[round(drawn_part(value, top) * 6)] for value in values)


def resampled(points: Sequence[tuple[int, float]], start: int, end: int, cells: int) -> list[float | None]:
    """Return the largest value in each of `cells` equal parts of the time; None before the first point.

    Points are (time, value), ordered by time; a value holds until the next point.
    """
    times = [time for time, _ in points]
    largest: list[float | None] = []
    for cell in range(cells):
        begin, until = start + (end - start) * cell / cells, start + (end - start) * (cell + 1) / cells
        first, last = bisect_right(times, begin), bisect_right(times, until)
        values = [value for _, value in points[max(0, first - 1) : max(last, first)]]
        largest.append(max(values) if values and (first or last) else None)
    if largest and points and times[0] <= end:
        largest[-1] = points[bisect_right(times, end) - 1][1]  # the last cell shows the current value
    return largest


def chart_lines(
    samples: Sequence[Sample], start: int, now: int, cells: int, waiting: int | None = None
) -> tuple[Line, ...]:
    """Return charts of used slots, startable tasks, the longest wait and each other resource, from `start` to `now`.

    Startable tasks are those that a run tried to place and could not. `waiting` is the number of tasks waiting now:
    with those above -tc, without those that fit nowhere (known only for now, as a check at each run is slow).
    """
    if not samples:
        return ((Span("No scheduling run yet.", TextRole.DIM),),)
    last = samples[-1]
    room = max(8, cells - _NAME - _WORDS - 2)

    def drawn(name: str, of: Callable[[Sample], float], top: float, role: TextRole, words: Line) -> Line:
        values = resampled([(sample.time, of(sample)) for sample in samples], start, max(now, start + 1), room)
        return fit((Span(left(name, _NAME), TextRole.DIM), Span(spark(values, top), role), Span("  "), *words), cells)

    used, total = last.slots
    waits, oldest = max(sample.waiting for sample in samples), max(sample.oldest_wait for sample in samples)
    waits_now = f"  {waiting} waiting" if waiting is not None else ""
    lines = [
        drawn("slots used", lambda sample: sample.slots[0], max(total, used), TextRole.RUNNING, _used("", last.slots)),
        drawn("startable", lambda sample: sample.waiting, waits, TextRole.WAITING,
              (Span(f"{count(last.waiting, 'task')}"), Span(f"  most {waits}", TextRole.DIM), Span(waits_now))),
        drawn("  oldest wait", lambda sample: sample.oldest_wait, oldest, TextRole.WAITING, _wait(last, oldest)),
    ]  # fmt: skip
    for name in last.resources:
        if name != "slots":
            top = max(sample.resources.get(name, (0.0, 0.0))[1] for sample in samples)
            lines.append(
                drawn(name, lambda sample, name=name: sample.resources.get(name, (0.0, 0.0))[0],  # type: ignore[misc]
                      top, TextRole.RUNNING, _used(name, last.resources[name]))
            )  # fmt: skip
    return tuple(lines)


def _used(name: str, amounts: tuple[float, float]) -> Line:
    used, total = amounts
    share = f"{100 * used / total:.0f} %" if total else "-"
    return (
        Span(f"{amount(used)}/{amount(total)}"), Span(f"  {share}"),
        Span(f"  {amount(max(0.0, total - used))} free", TextRole.DIM),
    )  # fmt: skip


def _wait(last: Sample, top: int) -> Line:
    if last.oldest is None:
        return (Span("no task"), Span(f"  most {lasting(top)}", TextRole.DIM))
    return (Span(f"{lasting(last.oldest_wait)} ({last.oldest})"), Span(f"  most {lasting(top)}", TextRole.DIM))


def amount(value: float) -> str:
    """Return an amount in few digits: 14, 2.5; from 2**20 on with a binary unit: 212G."""
    if value >= 2**20 and value != float("inf"):
        power = min(4, int(log10(value) / log10(1024)))
        number = value / 1024**power
        # With .3g, 1010G would be 1.01e+03G.
        return f"{f'{number:.0f}' if number >= 1000 else f'{number:.3g}'}{' KMGT'[power].strip()}"
    return "∞" if value == float("inf") else compact(value) if value != int(value) else str(int(value))


def heat_lines(
    used: Mapping[str, int], totals: Mapping[str, int], bad: Mapping[str, str], cells: int
) -> tuple[Line, ...]:
    """Return a block for each host, as high as its used slots; its first state letter instead if it is in `bad`."""
    if not totals:
        return ()
    hosts = list(totals)
    room = max(8, cells - _NAME)
    lines: list[Line] = []
    for first in range(0, len(hosts), room):
        name = left("hosts" if not first else "", _NAME)
        lines.append(
            (Span(name, TextRole.DIM), *(_heat(host, used, totals, bad) for host in hosts[first : first + room]))
        )
    full = sum(used.get(host, 0) >= totals[host] > 0 for host in hosts)
    idle = sum(not used.get(host, 0) for host in hosts)
    words = (Span(f"  {len(hosts)} hosts: {full} full, {idle} idle", TextRole.DIM),)
    if len(hosts) + _NAME + 30 <= cells and len(lines) == 1:
        return ((*lines[0], Span(" " * max(0, room - _WORDS - 2 - len(hosts))), *words),)
    return (*lines, (Span(" " * _NAME), *words))


def _heat(host: str, used: Mapping[str, int], totals: Mapping[str, int], bad: Mapping[str, str]) -> Span:
    if letter := bad.get(host):
        return Span(letter[:1], TextRole.FAILED)
    now, total = used.get(host, 0), totals[host]
    if not now or total <= 0:
        return Span("·", TextRole.FAINT)
    role = TextRole.WAITING if now >= total else TextRole.RUNNING
    return Span(STEPS[-1] if now >= total else STEPS[max(0, min(5, round(now / total * 6)))], role)
