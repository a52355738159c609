"""The line of the simulated time: time, speed, and number of runs and events."""

from dataclasses import dataclass

from qmon_tui.report.day.times import lasting
from qmon_tui.report.spans import Line, Span, TextRole, fit
from qmon_tui.report.words import count, day_clock

FASTEST = 0
"""The speed without a limit."""
SPEEDS = (1, 10, 60, 300, 1800, 7200, FASTEST)
"""Simulated seconds for each second."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Facts of the line."""

    time: int
    beginning: int
    speed: int = 60
    playing: bool = False
    working: bool = False
    """A jump is under way."""
    runs: int = 0
    entries: int = 0
    over: bool = False
    branches: int = 0
    notice: str = ""
    filter: str = ""
    """Words that the shown events contain."""
    ended_by: str = ""
    """The key that ends a long jump; `time` is then on the way."""


def speed_words(speed: int) -> str:
    """`60x`, or `max`."""
    return f"{speed}x" if speed else "max"


def clock_line(clock: Clock, cells: int) -> Line:
    """Time, state, speed, and how much has happened."""
    state = Span("▶ plays", TextRole.RUNNING, "screen.do('monitor.play')") if clock.playing else Span(
        "■ over" if clock.over else "‖ stopped", TextRole.DIM if clock.over else TextRole.WAITING,
        "screen.do('monitor.play')",
    )  # fmt: skip
    speed = Span(f" {speed_words(clock.speed)}", TextRole.ACCENT, "screen.do('monitor.faster')")
    if clock.ended_by:
        state, speed = state._replace(text="▶ jumps", role=TextRole.RUNNING), Span(f", {clock.ended_by} ends it")
    spans = [
        Span(f" {day_clock(clock.time)}", TextRole.STRONG), Span("  "), state, speed,
        Span(f"  {lasting(clock.time - clock.beginning)} in", TextRole.DIM),
        Span(f"  run {clock.runs}", TextRole.DIM),
    ]  # fmt: skip
    if clock.working:
        spans.append(Span("  ↻ …", TextRole.DIM))
    if clock.branches:
        spans.append(Span(f"  {count(clock.branches, 'branch', 'branches')}", TextRole.CHANGED))
    if clock.filter:
        spans.append(Span(f"  / {clock.filter}", TextRole.STRONG))
    if clock.notice:
        spans.append(Span(f"  {clock.notice}", TextRole.WARNING))
    return fit(spans, cells)
