"""All unsaved edits as rows: each object, and below it each of its fields; and the details of one row."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Final, NamedTuple

from qmon_tui.formats.state import TASK_LEAD
from qmon_tui.model import DEFAULT_SCOPE, Kind, StateKind, element_versions
from qmon_tui.model.catalogue import spec
from qmon_tui.report.spans import Line, Span, TextRole, fit, left, wrap
from qmon_tui.report.table_rows import ListRows, longest
from qmon_tui.report.unsaved_changes import GROUPED, SIGNS, change_lines, change_title, shown, with_groups, words_of
from qmon_tui.report.words import count
from qmon_tui.workspace import AnyKind, ChangeKind, FieldChange, ObjectChange


class ChangeKey(NamedTuple):
    """The subject of a row: a field, or (with None) the whole object or a group of items with equal changes."""

    kind: AnyKind
    name: str
    field: str | None = None

    @property
    def label(self) -> str:
        """The subject in words: `slots of queue all.q`."""
        words = words_of(self.kind, self.name)
        return f"{self.field} of {words}" if self.field else words

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the object, or of all items of the group."""
        return tuple(self.name.split(",")) if self.kind in GROUPED else (self.name,)


class ChangeRows(ListRows[tuple[ChangeKey, ObjectChange, FieldChange | None]]):
    """Rows of changed objects and their fields; an added or removed object has no rows for its fields."""

    def __init__(self, changes: Sequence[ObjectChange]) -> None:
        super().__init__(row for change in with_groups(changes) for row in _rows(change))
        self._places = {key: index for index, (key, _, _) in enumerate(self.items)}
        self._field = longest([field[0] for _, _, field in self.items if field], 8, 22)

    def key(self, index: int) -> Hashable:
        return self.items[index][0]

    def find(self, key: Hashable) -> int | None:
        """Return the index of the row with this key, or else of its object; None if neither has a row."""
        if not isinstance(key, ChangeKey):
            return None
        return self._places.get(key, self._places.get(key._replace(field=None)))

    def line(self, index: int, cells: int) -> Line:
        """Return `● queue all.q   2 fields`, or `slots  1 → 3`."""
        key, change, field = self.items[index]
        if field is None:
            if change.kind in GROUPED:
                return fit((*change_title(change)[:2], Span("   "), *_fields_in_line(change)), cells)
            if change.what is not ChangeKind.CHANGED:
                return fit(change_title(change), cells)
            sign, fields = SIGNS[change.what], count(len(change.fields), "field")
            return fit((sign, Span(key.label, TextRole.STRONG), Span(f"   {fields}", sign.role)), cells)
        name, before, after = field
        lead = Span(f"    {left(name, self._field)}  ")
        # A long text may differ only at its end, out of sight: show the list elements that differ.
        whole = (
            lead,
            Span(shown(before), TextRole.REMOVED),
            Span(" → ", TextRole.DIM),
            Span(shown(after), TextRole.ADDED),
        )
        if "\n" not in shown(before) + shown(after) and sum(len(span.text) for span in whole) <= cells:
            return whole
        differences = tuple(_elements(key, before, after)) or whole[1:]
        return fit((lead, *differences[:12]), cells)

    def text(self, index: int) -> str:
        key, _, field = self.items[index]
        return key.label if field is None else f"{key.label}: {shown(field[1])} → {shown(field[2])}"


def _rows(change: ObjectChange) -> Iterable[tuple[ChangeKey, ObjectChange, FieldChange | None]]:
    key = ChangeKey(change.kind, change.name)
    yield key, change, None
    if change.kind not in GROUPED and change.what in (ChangeKind.CHANGED, ChangeKind.RENAMED):
        for field in change.fields:
            # A job may have thousands of tasks: only the job has a row.
            if not (change.kind is StateKind.JOB and field[0].startswith(TASK_LEAD)):
                yield key._replace(field=field[0]), change, field


def _fields_in_line(change: ObjectChange) -> Iterable[Span]:
    """Yield `state (default) → d` for each changed field."""
    for name, before, after in change.fields:
        yield from (Span(f"{name} "), Span(shown(before), TextRole.REMOVED), Span(" → ", TextRole.DIM))
        yield Span(f"{shown(after)}  ", TextRole.ADDED)


def change_detail(changes: Sequence[ObjectChange], key: ChangeKey, cells: int) -> tuple[Line, ...]:
    """Return the details of a row: file and line, both texts, and the list elements that differ; empty if unknown."""
    change = next((known for known in with_groups(changes) if (known.kind, known.name) == (key.kind, key.name)), None)
    if change is None:
        return ()
    origin = change.before.origin if change.before else None
    where = f"{origin.file}:{origin.line_of(key.field)}" if origin else ""
    if key.field is None:
        concerned = {(key.kind, name) for name in (*key.names, *((change.before.name,) if change.before else ()))}
        return (
            *([(Span(where, TextRole.DIM),)] if where else []),
            *change_lines([known for known in changes if (known.kind, known.name) in concerned], cells),
            *_remark(change, cells),
        )
    field = next((changed for changed in change.fields if changed[0] == key.field), None)
    if field is None:
        return ()
    _, before, after = field
    lines: list[Line] = [(Span(key.label, TextRole.STRONG), Span(f"   {where}", TextRole.DIM))]
    elements = list(_elements(key, before, after))
    if elements:
        lines.append(fit(elements, max(cells, 8)))
    for word, text, role in (("before", before, TextRole.REMOVED), ("now", after, TextRole.ADDED)):
        for number, part in enumerate(shown(text).splitlines()):
            lines.extend(wrap(part, cells, role, first=left(word if not number else "", 8), rest=" " * 8))
    return tuple(lines)


_MOVES: Final = (
    "After this edit a running qmaster puts {} behind their equals until it is restarted; here they keep their place."
)
_MOVES_QUEUE: Final = _MOVES.format("the queue and those of its instances that change")
_MOVES_HOST: Final = _MOVES.format("the host's queue instances")
_CHANGES_INSTANCES: Final = frozenset(
    {"load_scaling", "usage_scaling", "user_lists", "xuser_lists", "projects", "xprojects"}
)
"""Fields of a host whose change also changes its queue instances (tried with 8.1.9, field by field)."""


def _remark(change: ObjectChange, cells: int) -> Iterable[Line]:
    """Yield a note if the edit also changes the order of equal queue instances in a running qmaster."""
    fields = {name for name, _, _ in change.fields}
    if change.what is not ChangeKind.CHANGED:
        return
    if change.kind is Kind.QUEUE:
        yield from wrap(_MOVES_QUEUE, cells, TextRole.DIM)
    elif change.kind is Kind.HOST and not _CHANGES_INSTANCES.isdisjoint(fields):
        yield from wrap(_MOVES_HOST, cells, TextRole.DIM)


def _elements(key: ChangeKey, before: str | None, after: str | None) -> Iterable[Span]:
    """Yield `-staff +crew gpu=1→2`: the elements of a list that differ; none for a field with a single value."""
    field = spec(key.kind).by_name.get(key.field or "") if isinstance(key.kind, Kind) else None
    if field is None:
        return
    old, new = (field.default if text is None else text for text in (before, after))
    # Only two versions are compared: the third argument repeats the second.
    versions = element_versions(field, old, new, new)
    if versions is None:
        return
    for name in dict.fromkeys((*versions.base, *versions.mine)):
        was, now = versions.base.get(name), versions.mine.get(name)
        word = f"[{name}]" if versions.by_host and name != DEFAULT_SCOPE else name
        if was == now:
            continue
        if was is None or now is None:
            sign, role = ("+", TextRole.ADDED) if was is None else ("-", TextRole.REMOVED)
            yield Span(f"{sign}{_element_text(word, now or was or '')}  ", role)
        else:
            yield from (Span(f"{word}: " if word else ""), Span(was, TextRole.REMOVED), Span("→", TextRole.DIM))
            yield Span(f"{now}  ", TextRole.ADDED)


def _element_text(word: str, value: str) -> str:
    """Return `gpu=2`; an element without a value is its own text."""
    return value if value.startswith(word) else f"{word}={value}"
