"""Conflicts as table rows: the place, our version, the other version, and a mark at the chosen one."""

from collections.abc import Hashable, Mapping, Sequence

from qmon_tui.report.spans import Line, Span, TextRole, fit, left, wrap
from qmon_tui.report.table_rows import Column, ListRows, titles
from qmon_tui.report.unsaved_changes import shown
from qmon_tui.workspace import Conflict, ConflictVersion, Decision, EditedText, Side


def version(conflict: Conflict, value: ConflictVersion) -> str:
    """Return a version in words: the text of a field, or the changes of an object since the common base."""
    if value is None and conflict.field is None:
        return "removed"
    if value is None:
        return "(not there)" if conflict.key else "(default)"
    if isinstance(value, str):
        return value or '""'
    before = conflict.base
    if before is None or isinstance(before, str) or value == before:
        return "there"
    texts = {name: (before.given(name), value.given(name)) for name in {**before.values, **value.values}}
    changed = [
        f"{name} {shown(new)}"
        for name, (old, new) in texts.items()
        if old != new and (old, new) != (before.name, value.name)
    ]
    words = f"renamed {value.name}" if value.name != before.name else "changed"
    return f"{words}: {', '.join(changed)}" if changed else words


class ConflictRows(ListRows[Conflict]):
    """One row for each place that both sides changed."""

    def __init__(self, conflicts: Sequence[Conflict], decided: Mapping[Conflict, Decision]) -> None:
        super().__init__(conflicts)
        self._decided = dict(decided)

    def key(self, index: int) -> Hashable:
        return index

    def head(self, cells: int) -> Line | None:
        where, mine, theirs = self._columns(cells)
        # One cell before each version is for the mark of the chosen one.
        shifted = (where, mine._replace(title=f" {mine.title}"), theirs._replace(title=f" {theirs.title}"))
        return (Span("  "), *titles(shifted))

    def line(self, index: int, cells: int) -> Line:
        conflict = self.items[index]
        where, mine, theirs = self._columns(cells)
        side = self._decided.get(conflict)
        if isinstance(side, EditedText):
            text = Span(left(f"✎{side.text}", mine.cells + 1 + theirs.cells), TextRole.ADDED)
            return fit((Span("✓ ", TextRole.ADDED), where.cell(conflict.label), Span(" "), text), cells)
        return fit(
            (
                Span("? " if side is None else "✓ ", TextRole.WARNING if side is None else TextRole.ADDED),
                where.cell(conflict.label),
                Span(" "),
                mine.cell(_marked(version(conflict, conflict.mine), side is Side.MINE), _role(side, Side.MINE)),
                Span(" "),
                theirs.cell(_marked(version(conflict, conflict.theirs), side is Side.THEIRS), _role(side, Side.THEIRS)),
            ),
            cells,
        )

    def text(self, index: int) -> str:
        return self.items[index].label

    def _columns(self, cells: int) -> tuple[Column, Column, Column]:
        # The place gets the most room: both versions are shown in full below the table.
        where = max(8, (cells - 4) * 9 // 20)
        side = max(8, (cells - 4 - where) // 2)
        return (
            Column("where", "where", where),
            Column("mine", "yours", side),
            Column("theirs", self.items[0].there if self.items else "", side),
        )


def _marked(text: str, counts: bool) -> str:
    return f"▸{text}" if counts else f" {text}"


def _role(side: Decision | None, own: Side) -> TextRole:
    return TextRole.PLAIN if side is None else TextRole.ADDED if side is own else TextRole.DIM


def conflict_lines(conflict: Conflict, cells: int, decision: Decision | None = None) -> tuple[Line, ...]:
    """Return the base and both versions in full, and the edited text if that was chosen."""
    lines: list[Line] = [(Span(conflict.label, TextRole.STRONG),)]
    room = max(8, len(conflict.there) + 1)
    for word, value in (("before", conflict.base), ("yours", conflict.mine), (conflict.there, conflict.theirs)):
        lines.extend(wrap(version(conflict, value), cells, first=word.ljust(room), rest=" " * room))
    if isinstance(decision, EditedText):
        lines.extend(wrap(decision.text, cells, TextRole.ADDED, first="edited".ljust(room), rest=" " * room))
    return tuple(lines)
