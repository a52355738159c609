"""The items of a state as entries with the texts that a YAML file gives of them, and back."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.formats.state.jobs import CATEGORY_AR, SEEN, SUSPENDED, UNLIMITED, WALLCLOCK_LIMIT
from qmon_tui.formats.state.reader import read_state
from qmon_tui.formats.yaml.reader import read_file
from qmon_tui.formats.yaml.yaml_writer import scalar
from qmon_tui.model.cluster import Origin
from qmon_tui.model.state import (
    CHANGED_AT,
    LAST_NUMBERS,
    AdvanceReservation,
    Amounts,
    Job,
    PastUsage,
    State,
    Task,
    Usage,
)
from qmon_tui.model.state_entry import StateEntry, StateKind
from qmon_tui.values.number import INFINITY
from qmon_tui.values.number_ranges import format_ranges
from qmon_tui.values.times import format_time

TASK: Final = "task "
"""What the field of a task begins with; its number follows."""

PROJECTS: Final = "projects"
"""The field of a user's usage that says what was used within projects."""

_NOW: Final = "now"
STATE: Final = "state"
"""The field with the letters of a queue instance or task."""

CHANGED: Final = "changed"
"""The field that says when a job, a task, a queue instance or a cluster queue last changed."""

SINGLE: Final = frozenset({StateKind.TIME, StateKind.NUMBER})
"""Kinds of which each item is a key of a file with one value, which is the field of the item, too."""

KEYS_OF_INSTANCES: Final = {STATE: "states", CHANGED: "changed", SEEN: SEEN}
"""Fields of a queue instance -> the keys of a file that hold them for all."""

Items = Mapping[str, Any]
"""Name -> item, in the order of the state."""


class EntryAccess(NamedTuple):
    """Where a state keeps the items of a kind, and how they are written."""

    items: Callable[[State], Items]
    put: Callable[[State, Items], State]
    texts: Callable[[str, Any], Mapping[str, str]]
    origin: Callable[[State, str, Any], Origin | None]


def entry(state: State, kind: StateKind, name: str) -> StateEntry | None:
    """One item as an entry, or None."""
    drawer = ENTRY_ACCESS[kind]
    item = drawer.items(state).get(name)
    return None if item is None else _entry(drawer, state, kind, name, item)


def names(state: State, kind: StateKind) -> tuple[str, ...]:
    """The names of all items of a kind in their order."""
    return tuple(ENTRY_ACCESS[kind].items(state))


def changed_entries(before: State, after: State) -> Iterator[tuple[StateEntry | None, StateEntry | None]]:
    """The items that differ, before and after, in the order of the kinds and then of `before`."""
    for kind, drawer in ENTRY_ACCESS.items():
        old, new = drawer.items(before), drawer.items(after)
        if old is new:
            continue
        for name in dict.fromkeys((*old, *new)):
            old_item, new_item = old.get(name), new.get(name)
            if old_item is not new_item and old_item != new_item:
                yield (
                    None if old_item is None else _entry(drawer, before, kind, name, old_item),
                    None if new_item is None else _entry(drawer, after, kind, name, new_item),
                )


def with_entries(
    state: State,
    changed: Iterable[StateEntry],
    removed: Iterable[tuple[StateKind, str]] = (),
    order: Sequence[str] = (),
) -> State:
    """The state with items replaced in place or added, and others taken away; raises ValueError for senseless texts.

    An added item that `order` names stands behind the nearest of those that it names before it, another one at the end.
    """
    fresh: dict[StateKind, dict[str, Any]] = {}

    def items(kind: StateKind) -> dict[str, Any]:
        return fresh.setdefault(kind, dict(ENTRY_ACCESS[kind].items(state)))

    for kind, name in removed:
        items(kind).pop(name, None)
    for state_entry in changed:
        known = items(state_entry.kind)
        is_new = state_entry.name not in known
        known[state_entry.name] = state_entry.item if state_entry.item is not None else built(state_entry, state)
        if is_new and state_entry.name in order:
            fresh[state_entry.kind] = _in_order(known, state_entry.name, order)
    for kind, known in fresh.items():
        state = ENTRY_ACCESS[kind].put(state, known)
    return state


def _in_order(items: dict[str, Any], name: str, order: Sequence[str]) -> dict[str, Any]:
    earlier = set(order[: order.index(name)])
    names = [known for known in items if known != name]
    place = max((number for number, known in enumerate(names, start=1) if known in earlier), default=0)
    return {known: items[known] for known in (*names[:place], name, *names[place:])}


def built(state_entry: StateEntry, state: State) -> Any:
    """The item that the texts of an entry say, read as they would be from a file; raises ValueError."""
    text = "\n".join((f"now: {format_time(state.now)}", *_lines(state_entry))) + "\n"
    read = read_state([("", item) for item in read_file(text, "").state])
    for finding in read.findings:
        raise ValueError(finding.message)
    item = ENTRY_ACCESS[state_entry.kind].items(read.state)[state_entry.name]
    return replace(item, origin=state_entry.origin) if isinstance(item, Job) else item


def _lines(state_entry: StateEntry) -> Iterator[str]:
    if state_entry.kind in SINGLE:
        yield from (f"{name}: {text}" for name, text in state_entry.values.items())
    elif state_entry.kind is StateKind.INSTANCE:
        for field, key in KEYS_OF_INSTANCES.items():
            if field in state_entry.values:
                yield from (f"{key}:", f"  {scalar(state_entry.name)}: {scalar(state_entry.values[field])}")
    elif state_entry.kind is StateKind.LOADS:
        pairs = ", ".join(
            f"{scalar(name, flow=True)}: {scalar(text, flow=True)}" for name, text in state_entry.values.items()
        )
        yield from ("loads:", f"  {scalar(state_entry.name)}: {{{pairs}}}")
    elif state_entry.kind is StateKind.USAGE:
        what, _, name = state_entry.name.partition(" ")
        yield from ("usage:", f"  {what}s:", f"    {scalar(name)}: {usage_text(state_entry.values)}")
    else:
        yield "jobs:" if state_entry.kind is StateKind.JOB else "reservations:"
        yield from item_lines(state_entry)


def item_lines(state_entry: StateEntry, indent: str = "") -> Iterator[str]:
    """The lines of a job or an advance reservation in its list, without line ends."""
    yield f"{indent}- id: {state_entry.name}"
    fields = {name: text for name, text in state_entry.values.items() if not name.startswith(TASK)}
    for name, text in fields.items():
        yield f"{indent}  {name}: {rendered(name, text)}"
    tasks = list(grouped_tasks(state_entry))
    if tasks:
        yield f"{indent}  tasks:"
    for numbers, text in tasks:
        yield f"{indent}    {scalar(numbers)}: {text}"


def flow_item(state_entry: StateEntry) -> str:
    """A job or an advance reservation in curly braces."""
    pairs = [f"id: {state_entry.name}"]
    pairs += [
        f"{name}: {rendered(name, text, flow=True)}"
        for name, text in state_entry.values.items()
        if not name.startswith(TASK)
    ]
    tasks = [f"{scalar(numbers, flow=True)}: {text}" for numbers, text in grouped_tasks(state_entry)]
    if tasks:
        pairs.append(f"tasks: {{{', '.join(tasks)}}}")
    return "{" + ", ".join(pairs) + "}"


def rendered(name: str, text: str, *, flow: bool = False, style: str = "") -> str:
    """The text of a field as YAML; what a reservation was granted is YAML already."""
    return text if name == "granted" else scalar(text, flow=flow, style=style)


def grouped_tasks(state_entry: StateEntry) -> Iterator[tuple[str, str]]:
    """Ranges of tasks of a job that say the same, with what they say."""
    tasks = [(text, int(name.removeprefix(TASK))) for name, text in state_entry.values.items() if name.startswith(TASK)]
    for text, run in groupby(sorted(tasks), key=lambda pair: pair[0]):
        yield format_ranges(number for _, number in run), text


def task_parts(task: Task) -> dict[str, str]:
    """What a file says of a task: field -> YAML within curly braces."""
    parts = {STATE: _flow(task.state)}
    if task.hold:
        parts["hold"] = _flow(task.hold)
    if task.granted:
        parts["granted"] = granted_text(task.granted)
    if task.environment is not None:
        parts["pe"] = _flow(task.environment)
    if task.started is not None:
        parts["started"] = format_time(task.started)
    if task.used is not None:
        parts["used"] = amounts_text(task.used)
    if task.unclean:
        parts["unclean"] = _flow(" ".join(task.unclean))
    if task.tickets is not None:
        parts["tickets"] = amounts_text(task.tickets)
    if task.changed is not None:
        parts[CHANGED] = format_time(task.changed)
    if task.wallclock_limit is not None:
        limit = task.wallclock_limit
        parts[WALLCLOCK_LIMIT] = UNLIMITED if limit == INFINITY else f"{limit:.0f}"
    if task.seen_suspended:
        parts[SEEN] = SUSPENDED
    return parts


def task_text(task: Task) -> str:
    """A task in curly braces."""
    return "{" + ", ".join(f"{name}: {text}" for name, text in task_parts(task).items()) + "}"


def granted_text(granted: Mapping[str, int]) -> str:
    """Queue instances and slots in curly braces."""
    return "{" + ", ".join(f"{_flow(instance)}: {slots}" for instance, slots in granted.items()) + "}"


def amounts_text(amounts: Amounts) -> str:
    """Amounts in curly braces, all digits, without the fraction of a whole number."""
    return "{" + ", ".join(f"{_flow(kind)}: {amount_text(amount)}" for kind, amount in amounts.items()) + "}"


def amount_text(amount: float) -> str:
    """An amount of usage with all its digits, without the fraction of a whole number."""
    return str(int(amount)) if amount.is_integer() else repr(amount)


def usage_text(values: Mapping[str, str]) -> str:
    """The usage of a user or project in curly braces; what a user used within projects is YAML already."""
    pairs = (f"{_flow(name)}: {text if name == PROJECTS else _flow(text)}" for name, text in values.items())
    return "{" + ", ".join(pairs) + "}"


def _flow(text: str) -> str:
    return scalar(text, flow=True)


# -- each kind


def _job_texts(_: str, job: Job) -> dict[str, str]:
    parsed = parse_qsub(job.qsub, now=job.submitted if "-a" in job.qsub or "-dl" in job.qsub else 0)
    texts = {"owner": job.owner, "group": job.group, "submitted": format_time(job.submitted), "qsub": job.qsub}
    if job.name != parsed.name:
        texts["name"] = job.name
    if job.runtime is not None and job.runtime != parsed.runtime:
        texts["runtime"] = str(job.runtime)
    if job.changed is not None:
        texts[CHANGED] = format_time(job.changed)
    given = {"project": job.project, "department": job.department, CATEGORY_AR: job.category_ar}
    texts |= {key: text for key, text in given.items() if text is not None}
    if job.reservation_rejected:
        texts["reservation"] = "rejected"
    return texts | {f"{TASK}{number}": task_text(task) for number, task in job.tasks.items()}


def _reservation_texts(_: str, reservation: AdvanceReservation) -> dict[str, str]:
    texts = {
        "owner": reservation.owner,
        "start": format_time(reservation.start),
        "end": format_time(reservation.end),
        "state": reservation.state,
        "granted": granted_text(reservation.granted),
        "requests": ",".join(name if text is None else f"{name}={text}" for name, text in reservation.requests),
        "users": " ".join(reservation.users),
        "pe": reservation.environment or "",
        "submitted": "" if reservation.submitted is None else format_time(reservation.submitted),
        "strict": "true" if reservation.strict else "",
        "name": reservation.name,
        "account": reservation.account,
    }
    return {name: text for name, text in texts.items() if text}


class _Instance(NamedTuple):
    """What a state says of a queue instance; of a cluster queue only the second."""

    letters: str | None
    changed: float | None
    seen_suspended: bool

    @property
    def texts(self) -> dict[str, str]:
        """What a file says of it."""
        texts = {} if self.letters is None else {STATE: self.letters}
        if self.changed is not None:
            texts[CHANGED] = format_time(self.changed)
        return {**texts, SEEN: SUSPENDED} if self.seen_suspended else texts


def _instance_items(state: State) -> Items:
    letters, times, seen = state.queue_states, state.changed, state.seen_suspended
    told = {**letters, **times, **dict.fromkeys(sorted(seen))}
    return {name: _Instance(letters.get(name), times.get(name), name in seen) for name in told}


def _with_instances(state: State, items: Items) -> State:
    letters = {name: item.letters for name, item in items.items() if item.letters is not None}
    times = {name: item.changed for name, item in items.items() if item.changed is not None}
    seen = frozenset(name for name, item in items.items() if item.seen_suspended)
    state = replace(state, queue_states=MappingProxyType(letters), changed=MappingProxyType(times))
    return state if seen == state.seen_suspended else replace(state, seen_suspended=seen)


def _usage_items(state: State) -> Items:
    book = state.usage
    users = {f"user {name}": usage for name, usage in book.users.items()}
    return users | {f"project {name}": usage for name, usage in book.projects.items()}


def _with_usage(state: State, items: Items) -> State:
    books: dict[str, dict[str, Usage]] = {"user": {}, "project": {}}
    for key, usage in items.items():
        what, _, name = key.partition(" ")
        books[what][name] = usage
    return replace(state, usage=PastUsage(MappingProxyType(books["user"]), MappingProxyType(books["project"])))


def _usage_texts(_: str, usage: Usage) -> dict[str, str]:
    texts = {kind: amount_text(amount) for kind, amount in usage.amounts.items()}
    if usage.time is not None:
        texts["time"] = format_time(usage.time)
    if usage.by_project:
        pairs = (f"{_flow(name)}: {amounts_text(amounts)}" for name, amounts in usage.by_project.items())
        texts[PROJECTS] = "{" + ", ".join(pairs) + "}"
    return texts


def _entry(drawer: EntryAccess, state: State, kind: StateKind, name: str, item: Any) -> StateEntry:
    texts = MappingProxyType(drawer.texts(name, item))
    return StateEntry(kind, name, texts, drawer.origin(state, name, item), item)


def _number_items(state: State) -> Items:
    return {name: number for name in LAST_NUMBERS if (number := getattr(state, name))}


def _by_id(items: Iterable[Job | AdvanceReservation]) -> Items:
    return {str(item.id): item for item in items}


ENTRY_ACCESS: Final[Mapping[StateKind, EntryAccess]] = MappingProxyType(
    {
        StateKind.TIME: EntryAccess(
            lambda state: {_NOW: state.now},
            lambda state, items: replace(state, now=items.get(_NOW, state.now)),
            lambda name, now: {name: format_time(now)},
            lambda *_: None,
        ),
        StateKind.NUMBER: EntryAccess(
            _number_items,
            lambda state, items: replace(state, **{name: items.get(name, 0) for name in LAST_NUMBERS}),
            lambda name, number: {name: str(number)},
            lambda state, name, _: state.places.get(name),
        ),
        StateKind.LOADS: EntryAccess(
            lambda state: state.loads,
            lambda state, items: replace(state, loads=MappingProxyType(items)),
            lambda _, values: dict(values),
            lambda state, host, _: state.places.get(host),
        ),
        StateKind.INSTANCE: EntryAccess(
            _instance_items,
            _with_instances,
            lambda _, item: item.texts,
            lambda state, name, _: state.places.get(name) or state.places.get(CHANGED_AT + name),
        ),
        StateKind.USAGE: EntryAccess(
            _usage_items,
            _with_usage,
            _usage_texts,
            lambda state, name, _: state.places.get(f"usage of {name.partition(' ')[2]}"),
        ),
        StateKind.RESERVATION: EntryAccess(
            lambda state: _by_id(state.reservations),
            lambda state, items: replace(state, reservations=tuple(items.values())),
            _reservation_texts,
            lambda *_: None,
        ),
        StateKind.JOB: EntryAccess(
            lambda state: _by_id(state.jobs),
            lambda state, items: replace(state, jobs=tuple(items.values())),
            _job_texts,
            lambda _state, _name, job: job.origin,
        ),
    }
)
"""In the order in which a file says them."""
