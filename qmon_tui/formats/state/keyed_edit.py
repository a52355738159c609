"""Edit the tasks of a job and past usage in the text of a YAML file, only where they differ."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from qmon_tui.formats.state.entries import TASK_LEAD, grouped_tasks, task_parts, usage_text
from qmon_tui.formats.state.field_values import rendered
from qmon_tui.formats.state.item_edit import edit_fields, edit_keyed, pairs_of
from qmon_tui.formats.text_changes import TextChange
from qmon_tui.formats.yaml import (
    INDENT,
    Mapping as MappingNode,
    MappingEdit,
    Node,
    SharedKey,
    braces,
    column,
    named_lines,
    rewritten,
    scalar,
)
from qmon_tui.model import Job, StateEntry
from qmon_tui.model.catalogue.state import TASKS, USAGE
from qmon_tui.values import format_ranges, parse_ranges, range_numbers

_Fields = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class TaskChanges:
    """Changes of a job's tasks: `given` (field -> text) to write, `gone` fields to remove, or `inner` text changes."""

    given: Mapping[str, str]
    gone: tuple[str, ...]
    inner: list[TextChange]


def task_changes(text: str, item: MappingNode, before: StateEntry, after: StateEntry, newline: str) -> TaskChanges:
    """Return the changes of a job's tasks within its item. Raises ValueError if the text has no place for them."""
    old, new = ({n: t for n, t in entry.values.items() if n.startswith(TASK_LEAD)} for entry in (before, after))
    if old == new:
        return TaskChanges({}, (), [])
    pair = next(((key, value) for key, value in pairs_of(item) if key.text == TASKS), None)
    if pair is None or not isinstance(pair[1], MappingNode) or not pair[1].pairs:
        return TaskChanges({TASKS: _whole_tasks(text, item, after, newline)}, (), [])
    job, job_before = after.item, before.item
    assert isinstance(job, Job)
    assert isinstance(job_before, Job)
    body = pair[1]
    parts = {n: task_parts(t) for n, t in job_before.tasks.items()}
    wanted: dict[str, _Fields | None] = {
        name.removeprefix(TASK_LEAD): tuple(task_parts(job.tasks[int(name.removeprefix(TASK_LEAD))]).items())
        if name in new
        else None
        for name in {**old, **new}
        if old.get(name) != new.get(name)
    }
    known = {str(number) for number in job_before.tasks}

    def numbers(key: str) -> tuple[str, ...]:
        return tuple(name for name in map(str, range_numbers(parse_ranges(key))) if name in known)

    written = [SharedKey(numbers(key.text), key, value) for key, value in pairs_of(body)]
    pairs = [pair for pair in written if pair.names]
    if not new and pairs == written:
        return TaskChanges({}, (TASKS,), [])
    first = {id(pair.value): parts[int(pair.names[0])] for pair in pairs}

    def token(value: Node) -> _Fields:
        return tuple(first[id(value)].items())

    def change(key: SharedKey, fields: _Fields) -> list[TextChange]:
        old = first[id(key.value)]
        return edit_fields(text, key.key, key.value, old, dict(fields), lambda _, written, *__: written, newline)

    def render(fields: _Fields) -> str:
        return braces(dict(fields))

    def fold(names: Iterable[str]) -> tuple[str, ...]:
        return (format_ranges(int(name) for name in names),)

    inner = edit_keyed(MappingEdit(text, body, pair[0]), pairs, wanted, fold, token, change, render, newline)
    return TaskChanges({}, (), inner)


def _whole_tasks(text: str, item: MappingNode, entry: StateEntry, newline: str) -> str:
    """Return all tasks of a job as the text of a field: within the item's braces, or on lines below."""
    groups = grouped_tasks(entry)
    if item.flow:
        return braces(groups)
    indent = column(text, item.pairs[0][0].start) + INDENT
    return "".join(f"{newline}{indent}{scalar(numbers)}: {fields}" for numbers, fields in groups.items())


Pairs = Mapping[str, tuple[StateEntry | None, StateEntry | None]]
"""`user anna` -> the user's usage before and after."""
_Section = dict[str, tuple[StateEntry | None, StateEntry | None]]


def new_usage(pairs: Pairs) -> list[str]:
    """Return the lines below a new `usage:`."""
    sections = _sections(pairs).items()
    return [line for section, entries in sections for line in named_lines(section, _texts(entries), INDENT)]


def usage_changes(usage: MappingEdit, pairs: Pairs, newline: str) -> list[TextChange]:
    """Return the changes inside `usage:`; users and projects without a change keep their lines."""
    places = {key.text: (key, value) for key, value in pairs_of(usage.node)}
    changes: list[TextChange] = []
    fresh: list[tuple[int | None, str]] = []
    for section, entries in _sections(pairs).items():
        key, value = places.get(section, (None, None))
        if key is None or value is None:
            indent = "" if usage.node.flow else usage.indent(INDENT)
            fresh.append((None, f"{indent}{section}: {braces(_texts(entries))}"))
        elif isinstance(value, MappingNode):
            changes += _section_changes(MappingEdit(usage.text, value, key), entries, newline)
        else:
            changes.append(rewritten(usage.text, key, value, f" {braces(_texts(entries))}"))
    return [*changes, *(usage.update(set(), fresh, newline) if fresh else ())]


def _section_changes(container: MappingEdit, entries: _Section, newline: str) -> list[TextChange]:
    wanted = {name: tuple(after.values.items()) if after else None for name, (_, after) in entries.items()}

    def token(value: Node) -> _Fields:
        # A value that is not edited stays unchanged: its own position distinguishes it from all others.
        return (("", str(value.start)),)

    def write(name: str, text: str, flow: bool, style: str) -> str:
        return rendered(USAGE, name, text, flow=flow, style=style)

    def change(pair: SharedKey, fields: _Fields) -> list[TextChange]:
        before, _after = entries[pair.key.text]
        old = before.values if before is not None else {}
        return edit_fields(container.text, pair.key, pair.value, old, dict(fields), write, newline)

    def render(fields: _Fields) -> str:
        return usage_text(dict(fields))

    keyed = [SharedKey((name.text,), name, value) for name, value in pairs_of(container.node)]
    return edit_keyed(container, keyed, wanted, tuple, token, change, render, newline)


def _texts(entries: _Section) -> dict[str, str]:
    """Return name -> new usage in curly braces; removed names are left out."""
    return {name: usage_text(after.values) for name, (_, after) in entries.items() if after}


def _sections(pairs: Pairs) -> dict[str, _Section]:
    """Return `users` or `projects` -> name -> usage before and after."""
    sections: dict[str, _Section] = {}
    for name, pair in pairs.items():
        what, _, who = name.partition(" ")
        sections.setdefault(f"{what}s", {})[who] = pair
    return sections
