"""The tasks of a job changed in the text of its item: only those that differ, where some are written already."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from qmon_tui.formats.state.entries import TASK_LEAD, grouped_tasks, task_parts
from qmon_tui.formats.state.item_edit import edit_fields, edit_keyed, pairs_of
from qmon_tui.formats.text_changes import TextChange
from qmon_tui.formats.yaml import INDENT, Mapping as MappingNode, MappingEdit, Node, SharedKey, braces, column, scalar
from qmon_tui.model import Job, StateEntry
from qmon_tui.model.catalogue.state import TASKS
from qmon_tui.values import format_ranges, parse_ranges, range_numbers


@dataclass(frozen=True, slots=True)
class TaskChanges:
    """Changes of a job's tasks: fields to write as a whole, fields to remove, or changes inside the text."""

    given: Mapping[str, str]
    gone: tuple[str, ...]
    inner: list[TextChange]


def task_changes(text: str, item: MappingNode, before: StateEntry, after: StateEntry, newline: str) -> TaskChanges:
    """Return the changes of a job's tasks within its item in a text; raises ValueError as for all items."""
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
    wanted: dict[str, tuple[tuple[str, str], ...] | None] = {
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

    def token(value: Node) -> tuple[tuple[str, str], ...]:
        return tuple(first[id(value)].items())

    def change(key: SharedKey, _: str, fields: tuple[tuple[str, str], ...]) -> list[TextChange]:
        return edit_fields(text, key.key, key.value, first[id(key.value)], dict(fields), _raw_field,
                           newline)  # fmt: skip

    def render(fields: tuple[tuple[str, str], ...], _: bool) -> str:
        return braces(dict(fields))

    inner = edit_keyed(MappingEdit(text, body, pair[0]), pairs, wanted, _folded_numbers, token, change, render, newline)
    return TaskChanges({}, (), inner)


def _whole_tasks(text: str, item: MappingNode, entry: StateEntry, newline: str) -> str:
    """All tasks of a job as the text of a field: within the item's braces, or on lines below."""
    groups = grouped_tasks(entry)
    if item.flow:
        return braces(groups)
    indent = column(text, item.pairs[0][0].start) + INDENT
    return "".join(f"{newline}{indent}{scalar(numbers)}: {fields}" for numbers, fields in groups.items())


def _raw_field(_: str, text: str, _flow: bool, _style: str) -> str:
    return text


def _folded_numbers(names: Iterable[str]) -> tuple[str, ...]:
    return (format_ranges(int(name) for name in names),)
