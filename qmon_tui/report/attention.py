"""Things that need attention now: broken queue instances, jobs, hosts and reservations, grouped by message and host."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Final, NamedTuple

from qmon_tui.formats import fold_hosts
from qmon_tui.model import Cluster, Kind, Outcome, Separator, State, drains_at, exceptions_in
from qmon_tui.report.drains import drains_words
from qmon_tui.report.spans import Line, Span, TextRole, fit, wrap
from qmon_tui.report.table_rows import Column, ListRows, longest, titles
from qmon_tui.report.words import count, day_and_time
from qmon_tui.values import format_ranges, format_time, parse_number, split_names

STUCK_SECONDS: Final = 300
FULL_PERCENT: Final = 95.0
_LETTERS: Final = {
    "E": "in error", "u": "does not answer", "c": "ambiguous configuration", "o": "orphaned",
    "a": "load alarm", "A": "suspended by threshold",
}  # fmt: skip
"""State letter of a queue instance that needs attention -> its meaning."""
_DISABLED: Final = "d"
_STUCK: Final = {"t": "is being transferred", "d": "is being deleted"}


class ConcernKind(StrEnum):
    """Type of a thing that needs attention."""

    INSTANCE = "queue instance"
    JOB = "job"
    HOST = "host"
    RESERVATION = "advance reservation"
    CONSUMABLE = "consumable"
    DRAIN = "drain"
    EXCEPTION = "exception"


class Concern(NamedTuple):
    """Objects of one type for which the same message holds."""

    kind: ConcernKind
    message: str
    names: tuple[str, ...]
    """Queue instances, hosts, consumables, or numbers of jobs (`17`, `17.4` for a task) or reservations.

    Exceptions are KIND/NAME, followed by the rule of a quota set or the member of a userset.
    """
    since: int | None = None
    """When it began for the last of the names, seconds since the epoch; None if unknown."""

    @property
    def places(self) -> str:
        """The names, hosts and numbers folded."""
        if self.kind is ConcernKind.EXCEPTION:
            return ", ".join(self.names)
        if self.kind in (ConcernKind.JOB, ConcernKind.RESERVATION):
            plain = [int(name) for name in self.names if name.isdigit()]
            tasks = [name for name in self.names if not name.isdigit()]
            return ", ".join(filter(None, (format_ranges(plain) if plain else "", *tasks)))
        by_queue: dict[str, list[str]] = {}
        for name in self.names:
            queue, _, host = name.rpartition("@")
            by_queue.setdefault(queue, []).append(host)
        return " ".join(
            f"{queue}@{host}" if queue else host for queue, hosts in by_queue.items() for host in fold_hosts(hosts)
        )


class Limits(NamedTuple):
    """Thresholds from which a thing needs attention."""

    stuck: int = STUCK_SECONDS
    """Seconds for which a task may be transferred or deleted."""
    full: float = FULL_PERCENT
    """Percentage of a consumable of the whole cluster that may be in use."""


USUAL_LIMITS: Final = Limits()


def concerns(cluster: Cluster, state: State, outcome: Outcome, limits: Limits = USUAL_LIMITS) -> tuple[Concern, ...]:
    """Return what needs attention before the run of `outcome`, the newest first."""
    entries: dict[tuple[ConcernKind, str], tuple[list[str], list[int]]] = {}

    def note(kind: ConcernKind, message: str, name: str, since: float | None = None) -> None:
        names, times = entries.setdefault((kind, message), ([], []))
        names.append(name)
        times.extend([int(since)] if since is not None else [])

    _note_instances(note, state, outcome)
    _note_jobs(note, state, outcome, limits)
    _note_hosts(note, cluster, state, outcome)
    for entry in exceptions_in(cluster, state.exceptions):
        if entry.end <= state.now and entry.place is not None and entry.given is not None:
            message = f"has ended ({entry.given.key}): remove it, or give it another date"
            note(ConcernKind.EXCEPTION, message, entry.place.text, entry.end)
        elif entry.end <= state.now:
            name = "/".join(filter(None, (entry.obj.kind.value, entry.obj.name, entry.rule)))
            note(ConcernKind.EXCEPTION, "has ended: delete it, or give it another date", name, entry.end)
    for reservation in state.reservations:
        if reservation.state in ("E", "W"):
            note(ConcernKind.RESERVATION, "is in error: hosts of it are missing", str(reservation.id))
    for name, used, total in _consumables(cluster, outcome):
        if total > 0 and used / total * 100 >= limits.full:
            note(ConcernKind.CONSUMABLE, f"{used / total:.0%} of the cluster's amount is in use", name)
    everything = (
        Concern(kind, message, tuple(names), max(times, default=None))
        for (kind, message), (names, times) in entries.items()
    )
    order = list(ConcernKind)
    return tuple(sorted(everything, key=lambda concern: (-(concern.since or 0), order.index(concern.kind))))


_Note = Callable[..., None]


def _note_instances(note: _Note, state: State, outcome: Outcome) -> None:
    for instance in outcome.instances_before or outcome.queue_instances:
        known = state.queue_states.get(instance.name, "")
        letters = dict.fromkeys((*instance.state, *known))
        for letter in letters:
            if letter in _LETTERS:
                reason = state.error_reasons.get(instance.name, "") if letter == "E" else ""
                message = f"{letter}: {_LETTERS[letter]}{f' ({reason})' if reason else ''}"
                note(ConcernKind.INSTANCE, message, instance.name, state.changed.get(instance.name))
        if _DISABLED in letters and (reasons := drains_at(state.drains, instance.name)):
            since = max((drain.since for drain in reasons if drain.since is not None), default=None)
            note(ConcernKind.DRAIN, drains_words(reasons), instance.name, since)


def _note_jobs(note: _Note, state: State, outcome: Outcome, limits: Limits) -> None:
    for job in state.jobs:
        for number, task in job.tasks.items():
            name = str(job.id) if job.request.array is None else f"{job.id}.{number}"
            if "E" in task.state:
                note(ConcernKind.JOB, f"{task.state}: {task.reason or 'in error'}", name, job.submitted)
            elif task.started is not None and state.now - task.started > limits.stuck:
                letter = "t" if "t" in task.state else "d" if "d" in task.state else ""
                if letter:
                    words = f"{task.state}: {_STUCK[letter]}, started more than {limits.stuck // 60} min ago"
                    note(ConcernKind.JOB, words, name, task.started)
    submitted = {job.id: job.submitted for job in state.jobs}
    for number in sorted(outcome.impossible):
        note(ConcernKind.JOB, "can never run, even when other jobs end", str(number), submitted.get(number))


def _note_hosts(note: _Note, cluster: Cluster, state: State, outcome: Outcome) -> None:
    """Note hosts with queues that reported no loads; none if no host did (the state has no loads)."""
    if not any(state.loads.values()):
        return
    hosts = dict.fromkeys(instance.name.rpartition("@")[2] for instance in outcome.queue_instances)
    for host in hosts:
        if not state.loads.get(host) and not any(
            "u" in state.queue_states.get(instance.name, "")
            for instance in outcome.queue_instances
            if instance.name.endswith(f"@{host}")
        ):
            note(ConcernKind.HOST, "has reported no load values", host)


def _consumables(cluster: Cluster, outcome: Outcome) -> Iterator[tuple[str, float, float]]:
    """Yield name, used and total amount of the consumables of the global host."""
    global_host = cluster.get(Kind.HOST, "global")
    if global_host is None or not outcome.queue_instances:
        return
    values = (outcome.instances_before or outcome.queue_instances)[0].values
    for word in split_names(global_host.text("complex_values"), Separator.COMMA):
        name, _, text = word.partition("=")
        left = values.get(f"gc:{name}")
        if left is None:
            continue
        try:
            total, free = parse_number(text), parse_number(left)
        except ValueError:
            continue
        yield name, total - free, total


# Words ----------------------------------------------------------------------------------------------------------------

_NOUNS: Final = {ConcernKind.DRAIN: "drained instance"}
"""Type -> the noun for its objects, if it is not the name of the type."""


def _numbered(concern: Concern) -> str:
    """Return the number of objects with their noun: `2 jobs`, `15 drained instances`."""
    return count(len(concern.names), _NOUNS.get(concern.kind, concern.kind.value))


_FIRST_PLACES: Final = 12
"""Least width of the last column, in cells."""


class ConcernRows(ListRows[Concern]):
    """One row for each message. The time is hidden if the columns do not fit; the detail below the table has it."""

    def __init__(self, items: Iterable[Concern] = ()) -> None:
        super().__init__(items)
        texts = [(_numbered(concern), concern.message, concern.places) for concern in self.items]
        self._kind, self._message, self._places = (
            longest([row[place] for row in texts], len(title), most)
            for place, (title, most) in enumerate((("what", 20), ("message", 60), ("where", 24)))
        )

    def _columns(self, cells: int) -> tuple[Column, ...]:
        """Return the columns before the places. A narrow table cuts the places first, then the message."""
        since, kind = Column("since", "since", 11), Column("kind", "what", self._kind)
        room = cells - 1 - (kind.cells + 1)
        with_time = room - (since.cells + 1) > self._message + self._places
        room -= since.cells + 1 if with_time else 0
        spare = room - 1 - min(self._places, _FIRST_PLACES)
        message = Column("message", "message", max(_FIRST_PLACES, min(self._message, spare)))
        return (since, kind, message) if with_time else (kind, message)

    def key(self, index: int) -> Hashable:
        return self.items[index][:2]

    def head(self, cells: int) -> Line | None:
        return fit((Span(" "), *titles(self._columns(cells)), Span("where", TextRole.DIM)), cells)

    def line(self, index: int, cells: int) -> Line:
        concern = self.items[index]
        texts = {
            "since": _since(concern),
            "kind": _numbered(concern),
            "message": concern.message,
        }
        role = TextRole.DIM if concern.kind is ConcernKind.DRAIN else TextRole.FAILED
        spans = [Span(" ")]
        for column in self._columns(cells):
            spans += [column.cell(texts[column.key], role if column.key == "message" else TextRole.PLAIN), Span(" ")]
        return fit((*spans, Span(concern.places)), cells)


def concern_lines(entries: Sequence[Concern], limits: Limits, cells: int) -> Iterator[Line]:
    """Yield each message with all its places, then the thresholds."""
    for concern in entries:
        when = f", since {_since(concern)}" if concern.since is not None else ""
        yield from wrap(f"{_numbered(concern)}: {concern.message}{when}", cells)
        yield from wrap(f"  {concern.places}", cells, TextRole.DIM, rest="  ")
    yield from wrap(limits_words(limits), cells, TextRole.DIM)


def _since(concern: Concern) -> str:
    """Return month, day and time of this year, else the date; empty if the time is unknown."""
    if concern.since is None:
        return ""
    day = datetime.fromtimestamp(concern.since)
    return day_and_time(concern.since) if day.year == datetime.now().year else day.strftime("%Y-%m-%d")


def limits_words(limits: Limits) -> str:
    """Return the thresholds in words."""
    return f"Tasks may be t or dr for {limits.stuck} s; consumables of the cluster may be {limits.full:g} % full."


def concerns_json(entries: Iterable[Concern], limits: Limits, now: int) -> Mapping[str, object]:
    """Return the concerns for JSON, with names of the schema; `now` is the time of the state."""
    return {
        "at": format_time(now),
        "limits": limits._asdict(),
        "concerns": [
            {
                "kind": concern.kind.value,
                "message": concern.message,
                "names": list(concern.names),
                "since": format_time(concern.since) if concern.since is not None else None,
            }
            for concern in entries
        ],
    }
