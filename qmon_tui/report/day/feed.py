"""The feed of a simulated day in words, the latest event first, and the chosen task in one line."""

from bisect import bisect_right
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from qmon_tui.report.day.clock import clock_at, lasting
from qmon_tui.report.spans import Line, Span, TextRole, fit, line, plain
from qmon_tui.simulation import LIMIT, FeedEntry, FeedKind, Moment, SlotInterval, SlotIntervalEnd

_EVENTS: Final = {
    FeedKind.SUBMITTED: ("+", TextRole.DIM, "{who} submitted by {entry.owner}"),
    FeedKind.REJECTED: ("✗", TextRole.ERROR, "{who} refused: {entry.text}"),
    FeedKind.STARTED: ("▶", TextRole.RUNNING, "{who} starts on {where} after {time}"),
    FeedKind.BACKFILLED: ("◆", TextRole.ACCENT, ""),
    FeedKind.RESERVED: ("▒", TextRole.WAITING, ""),
    FeedKind.ENDED: ("■", TextRole.DIM, "{who} ends on {where}: ran {time}"),
    FeedKind.DELETED: ("✗", TextRole.WARNING, "{who} deleted on {where} after {time}"),
    FeedKind.SENT_BACK: ("↺", TextRole.WARNING, "{who} rescheduled from {where}: {time} of work lost"),
    FeedKind.SUSPENDED: ("‖", TextRole.SUSPENDED, "{who} suspended on {where} ({entry.text})"),
    FeedKind.RESUMED: ("▷", TextRole.RUNNING, "{who} runs again on {where}"),
    FeedKind.FAILED: ("!", TextRole.FAILED, "{who} is in error state ({entry.text})"),
    FeedKind.CALENDAR: ("◷", TextRole.TITLE, "calendar {entry.name} changes state"),
    FeedKind.RESERVATION_BEGAN: ("▒", TextRole.TITLE, "advance reservation {entry.name} begins"),
    FeedKind.RESERVATION_ENDED: ("▒", TextRole.DIM, "advance reservation {entry.name} ends"),
    FeedKind.HOST_FAILED: ("!", TextRole.FAILED, "{entry.name} stops reporting"),
    FeedKind.HOST_RETURNED: ("▷", TextRole.TITLE, "{entry.name} reports again"),
    FeedKind.COMMAND: ("$", TextRole.TITLE, "{entry.name}"),
    FeedKind.EDIT: ("●", TextRole.CHANGED, "edit: {entry.name}"),
}
"""Kind of event -> sign, its colour, and the sentence; empty if `feed_words` makes the sentence."""


def _ranges(numbers: Sequence[int]) -> str:
    """Return numbers as at most three ranges: `9-20,24`, `1,3,5,…`."""
    parts: list[list[int]] = []
    for number in sorted(numbers):
        if parts and number == parts[-1][-1] + 1:
            parts[-1][1:] = [number]
        else:
            parts.append([number])
    texts = ["-".join(map(str, part)) for part in parts]
    return ",".join(texts[:3]) + (",…" if len(texts) > 3 else "")


def places_words(places: Sequence[tuple[str, int]], *, most: int = 3) -> str:
    """Return hosts and slots without queues: `node05 ×10`, `node01, node02 ×24`."""
    hosts = list(dict.fromkeys(name.rpartition("@")[2] for name, _ in places))
    slots = sum(number for _, number in places)
    named = ", ".join(hosts[:most]) + (f" + {len(hosts) - most}" if len(hosts) > most else "")
    return named + (f" ×{slots}" if slots != 1 else "")


def feed_words(entry: FeedEntry, tasks: Sequence[int] = ()) -> str:
    """Return the event as a sentence without full stop; `tasks` are the task numbers of an array job."""
    who = f"{entry.job}{f'.{_ranges(tasks)}' if tasks else ''} {entry.name}".rstrip()
    where = places_words(entry.places)
    time = lasting(entry.seconds or 0)
    match entry.kind:
        case FeedKind.BACKFILLED:
            return f"{who} starts on {where}: {_backfill_words(entry)}"
        case FeedKind.RESERVED:
            begins = clock_at(entry.seconds or 0, entry.time)
            if entry.before is None:
                return f"{who} gets a reservation from {begins} on {where}"
            return f"{who}: its reservation moves {clock_at(entry.before, entry.time)} → {begins} on {where}"
        case FeedKind.ENDED if entry.text == LIMIT:
            return f"{who} ends on {where}: stopped at its limit of {lasting(entry.limit or 0)}"
        case FeedKind.ENDED if entry.limit is not None:
            return f"{who} ends on {where}: ran {time} of {lasting(entry.limit)} asked"
        case FeedKind.COMMAND if entry.text:
            return f"{entry.name}: {entry.text}"
        case FeedKind.EDIT if not entry.name:
            return "edit: from here on another cluster"
    return _EVENTS[entry.kind][2].format(who=who, where=where, time=time, entry=entry)


def _backfill_words(entry: FeedEntry) -> str:
    if entry.spare is None:
        return f"backfilled beside {entry.other}'s reservation"
    if entry.spare == 0:
        return f"done just before {entry.other}'s reservation"
    return f"done {lasting(entry.spare)} before {entry.other}'s reservation"


class FeedRow(NamedTuple):
    """One row: an entry, or the same entry of several tasks of a job at one time."""

    entry: FeedEntry
    """The first entry, with the places of all."""
    tasks: tuple[int, ...] = ()
    """Task numbers of an array job."""


def feed_rows(entries: Sequence[FeedEntry], arrays: frozenset[int]) -> list[FeedRow]:
    """Return the rows of the entries, in their order; tasks of `arrays` with one event at one time share a row."""
    rows: list[FeedRow] = []
    at: dict[tuple[int, FeedKind, int | None], int] = {}
    for entry in entries:
        if entry.task is None or entry.job not in arrays:
            rows.append(FeedRow(entry))
            continue
        key = entry.time, entry.kind, entry.job
        known = at.get(key)
        if known is None:
            at[key] = len(rows)
            rows.append(FeedRow(entry, (entry.task,)))
        else:
            first = rows[known]
            joined = replace(first.entry, places=(*first.entry.places, *entry.places))
            rows[known] = FeedRow(joined, (*first.tasks, entry.task))
    return rows


class FeedRows:
    """The events up to a moment, the latest first; the key of a row is its number since the beginning of the day."""

    def __init__(
        self,
        entries: Sequence[FeedEntry] = (),
        now: int = 0,
        arrays: frozenset[int] = frozenset(),
        words: str = "",
    ) -> None:
        """Keep only rows that contain all `words`; `arrays` are the numbers of array jobs."""
        self._rows = feed_rows(entries, arrays)
        self._now = now
        self._shown: Sequence[int] = range(len(self._rows))
        if wanted := words.casefold().split():
            texts = (feed_words(*row).casefold() for row in self._rows)
            self._shown = [number for number, text in enumerate(texts) if all(word in text for word in wanted)]

    def __len__(self) -> int:
        return len(self._shown)

    def entry(self, key: object) -> FeedEntry | None:
        return self._rows[key].entry if isinstance(key, int) and 0 <= key < len(self._rows) else None

    def key(self, index: int) -> Hashable:
        return self._shown[len(self._shown) - 1 - index]

    def find(self, key: Hashable) -> int | None:
        """Return the index of the row with this key, else of the event before it; None without rows."""
        if not isinstance(key, int) or not self._shown:
            return None
        return min(len(self._shown) - 1, len(self._shown) - bisect_right(self._shown, key))

    def head(self, cells: int) -> Line | None:
        return None

    def line(self, index: int, cells: int) -> Line:
        entry, tasks = self._rows[self._shown[len(self._shown) - 1 - index]]
        role = TextRole.DIM if entry.kind in (FeedKind.SUBMITTED, FeedKind.ENDED) else TextRole.PLAIN
        time = Span(f"{clock_at(entry.time, self._now)} ", TextRole.DIM)
        return fit(line(time, Span(*_EVENTS[entry.kind][:2]), " ", Span(feed_words(entry, tasks), role)), cells)

    def text(self, index: int) -> str:
        return plain(self.line(index, 400)).rstrip()


def chosen_line(moment: Moment, key: tuple[int, int], cells: int) -> Line:
    """Return number, name, owner, submission, start and end of the task, and its slowdown."""
    number, task = key
    job = next((job for job in moment.state.jobs if job.id == number), None)
    runs = [(stretch, end) for stretch, end in moment.stretches if (stretch.job, stretch.task) == key]
    submitted = job.submitted if job is not None else _submitted(moment, number)
    if not runs and job is None:
        return fit((Span(f" {number}", TextRole.STRONG), Span(" is not there at this moment", TextRole.DIM)), cells)
    name, owner = (job.name, job.owner) if job is not None else (runs[-1][0].name, runs[-1][0].owner)
    is_array = task != 1 or (job is not None and len(job.task_ids) > 1)
    spans = [Span(f" {number}{f'.{task}' if is_array else ''} {name}", TextRole.STRONG), Span(f"  {owner}")]
    if submitted is not None:
        spans.append(Span(f"  submitted {clock_at(submitted, moment.time)}", TextRole.DIM))
    if not runs:
        waits = moment.time - (submitted if submitted is not None else moment.time)
        return fit((*spans, Span(f"  waits {lasting(waits)}", TextRole.WAITING)), cells)
    return fit((*spans, *_run_words(runs[-1], submitted, moment.time)), cells)


def _run_words(run: tuple[SlotInterval, SlotIntervalEnd | None], submitted: int | None, now: int) -> Line:
    stretch, end = run
    length = (end.time if end is not None else now) - stretch.start
    waited = None if submitted is None else stretch.start - submitted
    where = places_words(stretch.places)
    spans = [Span(f"  {'ran' if end else 'runs'} {lasting(length)} on {where}", TextRole.PLAIN)]
    if stretch.limit is not None and end is None:
        spans.append(Span(f" of {lasting(stretch.limit)}", TextRole.DIM))
    if end is not None and end.kind is not FeedKind.ENDED:
        spans.append(Span(f", {end.kind}", TextRole.WARNING))
    if waited is not None:
        spans.append(Span(f"  waited {lasting(waited)}", TextRole.DIM))
        if end is not None and length > 0:
            spans.append(Span(f"  slowdown {(waited + length) / length:.1f}", TextRole.DIM))
    if stretch.backfilled:
        spans.append(Span("  ◆ backfilled", TextRole.ACCENT))
    return tuple(spans)


def _submitted(moment: Moment, number: int) -> int | None:
    """Return when an ended job was submitted, from its feed entries; None if they are missing."""
    for entry in moment.entries:
        if entry.job == number:
            if entry.kind is FeedKind.SUBMITTED:
                return entry.time
            if entry.kind in (FeedKind.STARTED, FeedKind.BACKFILLED) and entry.seconds is not None:
                return entry.time - entry.seconds
    return None
