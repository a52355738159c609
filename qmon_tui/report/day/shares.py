"""Shares of users, projects and departments: their part of the used slot seconds, beside that of the tickets."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from qmon_tui.model import Job, Outcome
from qmon_tui.report.bars import drawn_part
from qmon_tui.report.day.alarms import waiting_tasks
from qmon_tui.report.spans import Line, Span, TextRole, crop, fit, left, right
from qmon_tui.report.table_rows import longest
from qmon_tui.simulation import SlotInterval, SlotIntervalEnd

Stretches = Sequence[tuple[SlotInterval, SlotIntervalEnd | None]]
"""Intervals in which tasks had slots, each with its end; None if the task still runs."""


@dataclass(frozen=True, slots=True)
class ShareRow:
    """One user, project or department."""

    name: str
    received: float
    """Its part of the slot seconds that all rows have used since the day began, 0 to 1."""
    target: float | None
    """Its part of all tickets of the run at this moment; None without tickets."""
    running: int
    """Slots that it has now."""
    waiting: int
    """Its tasks that wait."""


_GROUPS: Mapping[str, Callable[[SlotInterval], str | None]] = {
    "users": lambda stretch: stretch.owner,
    "projects": lambda stretch: stretch.project,
    "departments": lambda stretch: stretch.department,
}


def share_groups(
    stretches: Stretches, outcome: Outcome | None, beginning: int, now: int, jobs: Sequence[Job]
) -> Mapping[str, Sequence[ShareRow]]:
    """Return title -> rows of users, projects and departments, the largest share first; empty groups are left out.

    `jobs` are those of the moment; the tickets come from `outcome`, the last known run, which may be older.
    """
    departments = {job.id: job.department for job in outcome.jobs} if outcome is not None else {}
    tasks = waiting_tasks(outcome)
    groups: dict[str, Sequence[ShareRow]] = {}
    for title, name_of in _GROUPS.items():
        seconds: dict[str, float] = {}
        running: dict[str, int] = {}
        for stretch, end in stretches:
            name = name_of(stretch) or (departments.get(stretch.job) if title == "departments" else None)
            if name is None or name == "NONE":
                continue
            until = now if end is None else end.time
            seconds[name] = seconds.get(name, 0.0) + stretch.slots * max(0, until - max(stretch.start, beginning))
            running[name] = running.get(name, 0) + (stretch.slots if end is None else 0)
        tickets, waiting = _tickets(outcome, title), _waiting(jobs, title, departments, tasks)
        names = dict.fromkeys((*seconds, *tickets, *waiting))
        whole, all_tickets = sum(seconds.values()), sum(tickets.values())
        rows = [
            ShareRow(
                name, seconds.get(name, 0.0) / whole if whole else 0.0,
                tickets.get(name, 0.0) / all_tickets if all_tickets else None,
                running.get(name, 0), waiting.get(name, 0),
            )
            for name in names
        ]  # fmt: skip
        if rows:
            groups[title] = sorted(rows, key=lambda row: (-max(row.received, row.target or 0.0), row.name))
    return groups


def _waiting(
    jobs: Sequence[Job], title: str, departments: Mapping[int, str | None], tasks: Mapping[int, int]
) -> dict[str, int]:
    """Return name -> number of waiting tasks in the group `title`; `tasks` maps jobs to waiting tasks."""
    waiting: dict[str, int] = {}
    for job in jobs:
        number = tasks.get(job.id, 0)
        project, department = job.request.project or job.project, departments.get(job.id) or job.department
        name = {"users": job.owner, "projects": project, "departments": department}[title]
        if number and name is not None and name != "NONE":
            waiting[name] = waiting.get(name, 0) + number
    return waiting


def _tickets(outcome: Outcome | None, title: str) -> dict[str, float]:
    tickets: dict[str, float] = {}
    for job in outcome.jobs if outcome is not None else ():
        name = {"users": job.owner, "projects": job.project, "departments": job.department}[title]
        if name is None or job.rejected is not None:
            continue
        tickets[name] = tickets.get(name, 0.0) + sum(task.tckts for task in job.tasks)
    return tickets


def share_lines(groups: Mapping[str, Sequence[ShareRow]], cells: int) -> tuple[Line, ...]:
    """Return a bar for each row: the received share, with a mark at its share of the tickets."""
    if not groups:
        return ((Span("No usage yet: no task has run.", TextRole.DIM),),)
    lines: list[Line] = []
    widths = _widths([row for members in groups.values() for row in members], cells)
    for title, members in groups.items():
        lines.append(_heading(title, widths, cells))
        lines += (_row(row, members, widths, cells) for row in members)
    return tuple(lines)


class _Widths(NamedTuple):
    """Widths of the columns in cells, equal for all groups."""

    name: int
    bar: int
    target: int
    """0 without tickets."""


def _widths(rows: Sequence[ShareRow], cells: int) -> _Widths:
    target = 7 if any(row.target is not None for row in rows) else 0
    name = min(longest([row.name for row in rows], 11, 16), max(6, cells - target - 20))
    return _Widths(name, max(4, cells - name - target - 16), target)


def _heading(title: str, widths: _Widths, cells: int) -> Line:
    name, bar, target = widths
    words = "got ┃ target" if target and bar >= 12 else ""
    return fit(
        (Span(left(crop(title, name), name + 1), TextRole.TITLE), Span(left(words, bar + 1), TextRole.DIM),
         Span(right("got %", 6) + right("target" if target else "", target) + right("waits", 7), TextRole.DIM)),
        cells,
    )  # fmt: skip


def _row(row: ShareRow, members: Sequence[ShareRow], widths: _Widths, cells: int) -> Line:
    name, bar, width = widths
    top = max(max(member.received, member.target or 0.0) for member in members) or 1.0
    target = "" if row.target is None else f"{100 * row.target:.1f}"
    behind = row.target is not None and row.waiting > 0 and row.received < 0.8 * row.target
    drawn = target_bar(row.received / top, row.target and row.target / top, bar)
    got = Span(right(f"{100 * row.received:.1f}", 6), TextRole.STRONG if behind else TextRole.PLAIN)
    waits = Span(right(str(row.waiting or ""), 5))
    mark = Span(" !" if behind else "  ", TextRole.WARNING)
    name_cell = Span(left(crop(row.name, name), name + 1))
    return fit((name_cell, *drawn, Span(" "), got, Span(right(target, width), TextRole.DIM), waits, mark), cells)


def target_bar(value: float, target: float | None, cells: int) -> Line:
    """Return a bar for a part from 0 to 1, with a mark at the target."""
    filled = round(drawn_part(value) * cells)
    text = ["━"] * filled + ["─"] * (cells - filled)
    roles = [TextRole.TICKETS] * filled + [TextRole.FAINT] * (cells - filled)
    if target is not None and cells:
        at = max(0, round(drawn_part(target) * cells) - (target > 0))
        text[at], roles[at] = "┃", TextRole.STRONG
    return tuple(Span(letter, role) for letter, role in zip(text, roles, strict=True))
