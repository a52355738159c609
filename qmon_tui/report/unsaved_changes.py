"""Unsaved changes by object and field, and the changed lines of the files to be saved."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from difflib import SequenceMatcher, unified_diff
from typing import Final

from qmon_tui.formats.state import TASK_LEAD
from qmon_tui.model import StateKind
from qmon_tui.report.spans import Line, Span, TextRole, line, wrap
from qmon_tui.report.words import age, count
from qmon_tui.values import format_ranges
from qmon_tui.workspace import AnyKind, ChangeKind, FieldChange, ObjectChange, Replayed, object_words, with_renames

SIGNS: Final = {
    ChangeKind.ADDED: Span("+ ", TextRole.ADDED),
    ChangeKind.REMOVED: Span("- ", TextRole.REMOVED),
    ChangeKind.CHANGED: Span("● ", TextRole.CHANGED),
    ChangeKind.RENAMED: Span("→ ", TextRole.CHANGED),
}

GROUPED: Final[Mapping[AnyKind, str]] = {
    StateKind.INSTANCE: "state of {} queue instances",
    StateKind.DRAIN: "drains of {} places",
}
"""Kind whose items with equal changes are shown as one group -> words for the group."""


def with_groups(changes: Iterable[ObjectChange]) -> tuple[ObjectChange, ...]:
    """Return the changes with renames recognised, and with equal changes of `GROUPED` kinds merged at the first.

    The name of a group is all names, separated by commas.
    """
    groups: dict[object, list[ObjectChange]] = {}
    for change in without_times(with_renames(changes)):
        alike = (change.what, change.fields) if change.kind in GROUPED else change.name
        groups.setdefault((change.kind, alike), []).append(change)
    return tuple(
        group[0] if len(group) == 1 else replace(group[0], name=",".join(change.name for change in group))
        for group in groups.values()
    )


def without_times(changes: Sequence[ObjectChange]) -> tuple[ObjectChange, ...]:
    """Return the changes without the field `changed` of state items; all changes if nothing else is left.

    These times follow from the other changes and are saved with them.
    """
    kept: list[ObjectChange] = []
    for change in changes:
        if isinstance(change.kind, StateKind) and any(field == "changed" for field, _, _ in change.fields):
            fields = tuple(field for field in change.fields if field[0] != "changed")
            kept += [replace(change, fields=fields)] if fields else []
        else:
            kept.append(change)
    return tuple(kept or changes)


def names_of(change: ObjectChange) -> tuple[str, ...]:
    """Return the names of a group, or the one name."""
    return tuple(change.name.split(",")) if change.kind in GROUPED else (change.name,)


def words_of(kind: AnyKind, name: str) -> str:
    """Return words for an object or a group: `queue all.q`, `state of 10 queue instances`."""
    number = len(name.split(",")) if kind in GROUPED else 1
    return object_words(kind, name) if number == 1 else GROUPED[kind].format(number)


def change_title(change: ObjectChange) -> Line:
    """Return the title of a change: `● queue all.q   changed`, `→ queue all.q   renamed to new.q`."""
    sign = SIGNS[change.what]
    name, words = change.name, change.what.value
    if change.what is ChangeKind.RENAMED and change.before is not None:
        name, words = change.before.name, f"renamed to {change.name}"
    return (sign, Span(words_of(change.kind, name), TextRole.STRONG), Span(f"   {words}", sign.role))


def change_lines(changes: Sequence[ObjectChange], cells: int, *, is_edited: bool = True) -> tuple[Line, ...]:
    """Return each object with its fields: old text, arrow, new text; on two lines if one is too short.

    With `is_edited`, the changes are edits of one document: renames are recognised, equal changes grouped, and the
    fields of removed objects left out.
    """
    lines: list[Line] = []
    for change in with_groups(changes) if is_edited else changes:
        if lines:
            lines.append(())
        lines.append(change_title(change))
        if len(names := names_of(change)) > 1:
            lines.extend(wrap(", ".join(names), cells, first="  ", rest="  "))
        if change.what is not ChangeKind.REMOVED or not is_edited:
            fields = _tasks_together(change)
            width = min(20, max((len(field) for field, _, _ in fields), default=0))
            for field in fields:
                lines.extend(_field(field, width, cells, change.what))
    return tuple(lines)


def _tasks_together(change: ObjectChange) -> tuple[FieldChange, ...]:
    """Return the fields of a change; tasks of a job with equal changes are merged."""
    if change.kind is not StateKind.JOB:
        return change.fields
    tasks: dict[tuple[str | None, str | None], list[int]] = {}
    for field, before, after in change.fields:
        if field.startswith(TASK_LEAD):
            tasks.setdefault((before, after), []).append(int(field.removeprefix(TASK_LEAD)))
    others = (field for field in change.fields if not field[0].startswith(TASK_LEAD))
    return (*others, *((f"{TASK_LEAD}{format_ranges(numbers)}", *texts) for texts, numbers in tasks.items()))


def _field(change: FieldChange, width: int, cells: int, what: ChangeKind) -> Iterable[Line]:
    name, before, after = change
    lead = f"  {name.ljust(width)}  "
    old, now = shown(before), shown(after)
    texts = [Span(old, TextRole.REMOVED)] if what is not ChangeKind.ADDED else []
    texts += [Span(now, TextRole.ADDED)] if what is not ChangeKind.REMOVED else []
    single_line = line(lead, texts[0], *(part for text in texts[1:] for part in (Span(" → ", TextRole.DIM), text)))
    if "\n" not in old + now and sum(len(span.text) for span in single_line) <= cells:
        yield single_line
        return
    yield (Span(f"  {name}"),)
    rows = {
        ChangeKind.REMOVED: [("-", text) for text in old.splitlines()],
        ChangeKind.ADDED: [("+", text) for text in now.splitlines()],
    }.get(what) or _changed_rows(old.splitlines(), now.splitlines())
    for sign, text in rows:
        role = TextRole.REMOVED if sign == "-" else TextRole.ADDED
        yield from wrap(text, cells, role, first=f"    {sign} ", rest="      ")


def _changed_rows(before: list[str], after: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the rows that differ between two texts, removed ones with `-`, added ones with `+`."""
    for tag, first, last, new_first, new_last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            yield from (("-", text) for text in before[first:last])
            yield from (("+", text) for text in after[new_first:new_last])


def shown(text: str | None) -> str:
    """Return the text of a field; `(default)` for None."""
    return "(default)" if text is None else text or '""'


def file_lines(files: Iterable[tuple[str, str | None, str | None]], cells: int) -> tuple[Line, ...]:
    """Return the lines that saving changes in each file (name, before, after), with two lines of context."""
    lines: list[Line] = []
    for name, before, after in files:
        if lines:
            lines.append(())
        kind = "new file" if before is None else "file removed" if after is None else ""
        lines.append((Span(name, TextRole.STRONG), Span(f"   {kind}" if kind else "", TextRole.DIM)))
        old, new = (before or "").splitlines(), (after or "").splitlines()
        for text in list(unified_diff(old, new, lineterm="", n=2))[2:]:
            lines.extend(_diff_lines(text, cells))
    return tuple(lines)


def _diff_lines(text: str, cells: int) -> Iterable[Line]:
    if text.startswith("@@"):
        start, _, number = text.split("+")[1].split(" ")[0].partition(",")
        last = int(start) + int(number or 1) - 1
        yield (Span(f"  line {start}" if last <= int(start) else f"  lines {start}–{last}", TextRole.DIM),)
        return
    sign, rest = text[:1] or " ", text[1:]
    role = {"+": TextRole.ADDED, "-": TextRole.REMOVED}.get(sign, TextRole.DIM)
    room = max(8, cells - 2)
    # A long line is wrapped, not cut, as the change may be at its end.
    for at in range(0, max(1, len(rest)), room):
        yield (Span(f"{sign if at == 0 else ' '} {rest[at : at + room]}", role),)


def summary(changes: Sequence[ObjectChange], files: Sequence[str]) -> str:
    """Return the changes and files in one line: `2 objects changed, 1 added, in policy.yaml`."""
    where = files[0] if len(files) == 1 else count(len(files), "file")
    return ", ".join(filter(None, (summary_of(with_renames(changes)), f"in {where}")))


def summary_of(changes: Iterable[ObjectChange]) -> str:
    """Return the number of changes: `2 objects changed, 1 added`; empty without changes."""
    kinds = [change.what for change in without_times(tuple(changes))]
    parts: list[str] = []
    for what in (ChangeKind.CHANGED, ChangeKind.RENAMED, ChangeKind.ADDED, ChangeKind.REMOVED):
        number = kinds.count(what)
        if number:
            # Only the first number has a noun.
            parts.append(f"{number} {what}" if parts else f"{count(number, 'object')} {what}")
    return ", ".join(parts)


def recovery_lines(replayed: Replayed, written: float, now: float, cells: int) -> tuple[Line, ...]:
    """Return the time and the edits of the lost session, and the places that changed on disk since."""
    when = datetime.fromtimestamp(written).strftime("%d %b %Y %H:%M")
    words = f"The program ended on {when}, {age(now - written)}, without saving these edits."
    lines = [*wrap(words, cells), (), *change_lines(replayed.changes, cells)]
    if replayed.conflicts:
        places = count(len(replayed.conflicts), "place")
        lines += [(), *wrap(f"{places} changed on disk since, too; you are asked about each:", cells, TextRole.WARNING)]
        lines += [(Span(f"· {conflict.label}", TextRole.WARNING),) for conflict in replayed.conflicts]
    return tuple(lines)
