"""Times and durations of a simulated day in words, and the status line with time, speed and runs."""

import re
from dataclasses import dataclass
from datetime import datetime

from qmon_tui.report.spans import Line, Span, TextRole, fit
from qmon_tui.report.words import count, day_clock
from qmon_tui.values import parse_moment

_UNITS = (("d", 86400), ("h", 3600), ("m", 60), ("s", 1))


def lasting(seconds: float) -> str:
    """Return a duration in its two largest units: `45 s`, `43 m`, `1 h 12 m`, `2 d 3 h`; the sign is dropped."""
    left = round(abs(seconds))
    for number, (unit, length) in enumerate(_UNITS[:-1]):
        if left >= length:
            rest = left % length // _UNITS[number + 1][1]
            return f"{left // length} {unit}" + (f" {rest} {_UNITS[number + 1][0]}" if rest else "")
    return f"{left} s"


def clock_at(epoch: float, now: float) -> str:
    """Return the time of day, with the weekday if the day is not that of `now`."""
    moment, other = datetime.fromtimestamp(epoch), datetime.fromtimestamp(now)
    return moment.strftime("%H:%M:%S" if moment.date() == other.date() else "%a %H:%M:%S")


_TIME_OF_DAY = re.compile(r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?")


def parse_day_time(text: str, now: int, beginning: int) -> int:
    """Return the time of `10:30` (on the day of `now`), of a full date, or of `+2h` or `-10m` from `now`.

    Raises ValueError with a sentence, also for a time before `beginning`.
    """
    word = text.strip()
    match = _TIME_OF_DAY.fullmatch(word)
    if match:
        hour, minute, second = (int(part or 0) for part in match.groups())
        try:
            of_day = datetime.fromtimestamp(now).replace(hour=hour, minute=minute, second=second, microsecond=0)
            moment = int(of_day.timestamp())
        except ValueError:
            raise ValueError(f'"{word}" is not a time of day') from None
    elif word.startswith("-"):
        moment = 2 * now - parse_moment(f"+{word[1:]}", now)
    else:
        moment = parse_moment(word, now)
    if moment < beginning:
        raise ValueError(f"the day begins at {day_clock(beginning)}: write a later time")
    return moment


FASTEST = 0
"""The speed without a limit."""
SPEEDS = (1, 10, 60, 300, 1800, 7200, FASTEST)
"""Speeds to choose from, in simulated seconds per second."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Content of the status line: times are seconds since the epoch, `speed` is one of `SPEEDS`, others are numbers."""

    time: int
    beginning: int
    speed: int = 60
    playing: bool = False
    working: bool = False
    """True while a jump is being simulated."""
    runs: int = 0
    entries: int = 0
    over: bool = False
    branches: int = 0
    notice: str = ""
    filter: str = ""
    """Words that the shown events contain."""
    ended_by: str = ""
    """Key that ends a long jump while `time` advances; empty without such a jump."""


def clock_line(clock: Clock, cells: int) -> Line:
    """Return the status line: time, state, speed, run number, branches, filter and notice."""
    state = Span("▶ plays", TextRole.RUNNING, "screen.do('monitor.play')") if clock.playing else Span(
        "■ over" if clock.over else "‖ stopped", TextRole.DIM if clock.over else TextRole.WAITING,
        "screen.do('monitor.play')",
    )  # fmt: skip
    pace = f"{clock.speed}x" if clock.speed else "max"
    speed = Span(f" {pace}", TextRole.ACCENT, "screen.do('monitor.faster')")
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
