"""Convert the items of a state to entries with their texts in a YAML file, and back."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.formats.state import field_values
from qmon_tui.formats.state.drains import drain_texts, drains_line
from qmon_tui.formats.state.field_values import amount_text, field_texts, flow_text, value_text
from qmon_tui.formats.state.reader import read_state
from qmon_tui.formats.yaml import INDENT, braces, named_lines, read_file, scalar
from qmon_tui.model import (
    CHANGED_AT,
    DRAIN_AT,
    EXCEPTION_AT,
    LAST_NUMBERS,
    Job,
    Origin,
    PastUsage,
    State,
    StateEntry,
    StateKind,
    StateSpec,
    StateType,
    Task,
    Usage,
)
from qmon_tui.model.catalogue.state import INSTANCE, JOB, RESERVATION, TASK, TASKS, USAGE
from qmon_tui.values import format_ranges, format_time

TASK_LEAD: Final = "task "
"""Prefix of the field of a task; its number follows."""

_NOW: Final = "now"

SINGLE: Final = frozenset({StateKind.TIME, StateKind.NUMBER})
"""Kinds whose items are each a top-level key with one value; the item's only field has the key's name."""

_SPECS: Final[Mapping[StateKind, StateSpec]] = MappingProxyType(
    {StateKind.JOB: JOB, StateKind.RESERVATION: RESERVATION}
)
"""Kind -> fields of the items in its list."""

Items = Mapping[str, Any]
"""Name -> item, in the order of the state."""


class EntryAccess(NamedTuple):
    """Functions for the items of a kind: get them from a state, put them into it, their texts, their origin."""

    items: Callable[[State], Items]
    put: Callable[[State, Items], State]
    texts: Callable[[str, Any], Mapping[str, str]]
    origin: Callable[[State, str, Any], Origin | None]


def entry(state: State, kind: StateKind, name: str) -> StateEntry | None:
    """Return one item as an entry; None if the state does not have it."""
    access = ENTRY_ACCESS[kind]
    item = access.items(state).get(name)
    return None if item is None else _entry(access, state, kind, name, item)


def names(state: State, kind: StateKind) -> tuple[str, ...]:
    """Return the names of all items of a kind, in the order of the state."""
    return tuple(ENTRY_ACCESS[kind].items(state))


def changed_entries(before: State, after: State) -> Iterator[tuple[StateEntry | None, StateEntry | None]]:
    """Yield (before, after) of each item that differs, by kind and then in the order of `before`."""
    has_no_time = before.begins_with_first_job and after.begins_with_first_job
    for kind, access in ENTRY_ACCESS.items():
        old, new = access.items(before), access.items(after)
        if old is new or (has_no_time and kind is StateKind.TIME):
            continue
        for name in dict.fromkeys((*old, *new)):
            old_item, new_item = old.get(name), new.get(name)
            if old_item is not new_item and old_item != new_item:
                yield (
                    None if old_item is None else _entry(access, before, kind, name, old_item),
                    None if new_item is None else _entry(access, after, kind, name, new_item),
                )


def with_entries(
    state: State,
    changed: Iterable[StateEntry],
    removed: Iterable[tuple[StateKind, str]] = (),
    order: Sequence[str] = (),
) -> State:
    """Return the state with items replaced in place, added or removed; raises ValueError for invalid texts.

    An added item follows the nearest item before it in `order`; if `order` does not name it, it comes last.
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
    """Return the item of an entry, read from its texts as from a file. Raises ValueError."""
    now = () if state_entry.kind is StateKind.TIME else (f"now: {format_time(state.now)}",)
    text = "\n".join((*now, *_lines(state_entry))) + "\n"
    read = read_state([("", item) for item in read_file(text, "").state])
    for finding in read.findings:
        raise ValueError(finding.message)
    item = ENTRY_ACCESS[state_entry.kind].items(read.state)[state_entry.name]
    return replace(item, origin=state_entry.origin) if isinstance(item, Job) else item


def _lines(state_entry: StateEntry) -> Iterator[str]:
    if state_entry.kind in SINGLE:
        yield from (f"{name}: {text}" for name, text in state_entry.values.items())
    elif state_entry.kind is StateKind.INSTANCE:
        for field in INSTANCE.fields:
            if field.name in state_entry.values:
                yield from named_lines(field.key, {state_entry.name: scalar(state_entry.values[field.name])})
    elif state_entry.kind is StateKind.LOADS:
        yield from named_lines("loads", {state_entry.name: loads_text(state_entry.values)})
    elif state_entry.kind in (StateKind.DRAIN, StateKind.EXCEPTION):
        yield from named_lines(f"{state_entry.kind}s", {state_entry.name: drains_line(state_entry.values.values())})
    elif state_entry.kind is StateKind.USAGE:
        what, _, name = state_entry.name.partition(" ")
        yield from ("usage:", *named_lines(f"{what}s", {name: usage_text(state_entry.values)}, INDENT))
    else:
        yield "jobs:" if state_entry.kind is StateKind.JOB else "reservations:"
        yield from item_lines(state_entry)


def item_lines(state_entry: StateEntry) -> Iterator[str]:
    """Yield the lines of a job or an advance reservation in its list, without line ends."""
    yield f"- id: {state_entry.name}"
    fields = {name: text for name, text in state_entry.values.items() if not name.startswith(TASK_LEAD)}
    for name, text in fields.items():
        yield f"  {name}: {rendered(state_entry.kind, name, text)}"
    yield from named_lines(TASKS, grouped_tasks(state_entry), INDENT)


def flow_item(state_entry: StateEntry) -> str:
    """Return a job or an advance reservation in curly braces."""
    fields = {name: text for name, text in state_entry.values.items() if not name.startswith(TASK_LEAD)}
    texts = {"id": state_entry.name, **field_values.flow_texts(_SPECS[state_entry.kind], fields)}
    tasks = grouped_tasks(state_entry)
    return braces({**texts, TASKS: braces(tasks)} if tasks else texts)


def rendered(kind: StateKind, name: str, text: str, *, flow: bool = False, style: str = "") -> str:
    """Return the text of a field of a job or an advance reservation as YAML."""
    return field_values.rendered(_SPECS[kind], name, text, flow=flow, style=style)


def grouped_tasks(state_entry: StateEntry) -> dict[str, str]:
    """Return range of task numbers -> their common text in curly braces."""
    tasks = [
        (text, int(name.removeprefix(TASK_LEAD)))
        for name, text in state_entry.values.items()
        if name.startswith(TASK_LEAD)
    ]
    groups = groupby(sorted(tasks), key=lambda pair: pair[0])
    return {format_ranges(number for _, number in run): text for text, run in groups}


def task_parts(task: Task) -> dict[str, str]:
    """Return the fields of a task in a file: field -> YAML for curly braces."""
    return field_values.flow_texts(TASK, field_texts(TASK, task))


def loads_text(values: Mapping[str, str]) -> str:
    """Return the load values of a host in curly braces."""
    return braces({name: scalar(text, flow=True) for name, text in values.items()})


def usage_text(values: Mapping[str, str]) -> str:
    """Return the usage of a user or project in curly braces; usage within projects is YAML already."""
    return braces(field_values.flow_texts(USAGE, values))


# -- each kind


def _job_texts(_: str, job: Job) -> dict[str, str]:
    parsed = parse_qsub(job.qsub, now=job.submitted if "-a" in job.qsub or "-dl" in job.qsub else 0)
    texts = field_texts(JOB, job)
    for field in JOB.fields:
        if field.in_qsub and getattr(job, field.attribute) == getattr(parsed, field.attribute):
            texts.pop(field.name, None)
    return texts | {f"{TASK_LEAD}{number}": flow_text(TASK, task) for number, task in job.tasks.items()}


Instance = dict[str, Any]
"""Field -> value of a queue instance; a cluster queue has only the time of its change."""


def _instance_items(state: State) -> Items:
    items: dict[str, Instance] = {}
    for field in INSTANCE.fields:
        column = getattr(state, field.attribute)
        for name, value in (dict.fromkeys(sorted(column), True) if field.type is StateType.FLAG else column).items():
            items.setdefault(name, {})[field.name] = value
    return items


def _with_instances(state: State, items: Items) -> State:
    columns: dict[str, Any] = {}
    for field in INSTANCE.fields:
        column = {name: item[field.name] for name, item in items.items() if field.name in item}
        columns[field.attribute] = frozenset(column) if field.type is StateType.FLAG else MappingProxyType(column)
    return replace(state, **columns)


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


def usage_texts(usage: Usage) -> dict[str, str]:
    """Return kind of usage, or field -> text, for a user or project."""
    return {kind: amount_text(amount) for kind, amount in usage.amounts.items()} | field_texts(USAGE, usage)


def _entry(access: EntryAccess, state: State, kind: StateKind, name: str, item: Any) -> StateEntry:
    texts = MappingProxyType(access.texts(name, item))
    return StateEntry(kind, name, texts, access.origin(state, name, item), item)


ENTRY_ACCESS: Final[Mapping[StateKind, EntryAccess]] = MappingProxyType(
    {
        StateKind.TIME: EntryAccess(
            lambda state: {_NOW: state.now},
            lambda state, items: replace(state, now=items[_NOW], beginning=None) if _NOW in items else state,
            lambda name, now: {name: format_time(now)},
            lambda *_: None,
        ),
        StateKind.NUMBER: EntryAccess(
            lambda state: {name: number for name in LAST_NUMBERS if (number := getattr(state, name))},
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
            lambda _, item: {name: value_text(INSTANCE.by_name[name], value) for name, value in item.items()},
            lambda state, name, _: state.places.get(name) or state.places.get(CHANGED_AT + name),
        ),
        StateKind.DRAIN: EntryAccess(
            lambda state: state.drains,
            lambda state, items: replace(state, drains=MappingProxyType(items)),
            lambda _, drains: drain_texts(drains),
            lambda state, name, _: state.places.get(f"{DRAIN_AT}{name}"),
        ),
        StateKind.EXCEPTION: EntryAccess(
            lambda state: state.exceptions,
            lambda state, items: replace(state, exceptions=MappingProxyType(items)),
            lambda _, reasons: drain_texts(reasons),
            lambda state, name, _: state.places.get(f"{EXCEPTION_AT}{name}"),
        ),
        StateKind.USAGE: EntryAccess(
            _usage_items,
            _with_usage,
            lambda _, usage: usage_texts(usage),
            lambda state, name, _: state.places.get(f"usage of {name.partition(' ')[2]}"),
        ),
        StateKind.RESERVATION: EntryAccess(
            lambda state: {str(granted.id): granted for granted in state.reservations},
            lambda state, items: replace(state, reservations=tuple(items.values())),
            lambda _, reservation: field_texts(RESERVATION, reservation),
            lambda *_: None,
        ),
        StateKind.JOB: EntryAccess(
            lambda state: {str(job.id): job for job in state.jobs},
            lambda state, items: replace(state, jobs=tuple(items.values())),
            _job_texts,
            lambda _state, _name, job: job.origin,
        ),
    }
)
"""Kind -> its functions, in the order of the keys in a file."""
