"""Earlier versions as rows, and the changes that restoring one makes."""

from collections.abc import Sequence

from qmon_tui.report.spans import Line, Span, TextRole, fit, wrap
from qmon_tui.report.table_rows import Column, ListRows, longest, titles
from qmon_tui.report.unsaved_changes import change_lines
from qmon_tui.report.words import age, count, moment
from qmon_tui.sources.versions import Version, VersionKind
from qmon_tui.workspace import ObjectChange, RestoredPart, changes_of

_WORDS = {
    VersionKind.FOUND: ("as found", TextRole.DIM),
    VersionKind.SAVED: ("saved", TextRole.PLAIN),
    VersionKind.SNAPSHOT: ("snapshot", TextRole.ACCENT),
}


_PARTS = {
    RestoredPart.OBJECTS: "Restoring the objects",
    RestoredPart.STATE: "Restoring jobs and state",
}
RESTORED = {
    RestoredPart.ALL: "objects, jobs and state",
    RestoredPart.OBJECTS: "the objects",
    RestoredPart.STATE: "jobs and state",
}
NOTHING_TO_RESTORE = {
    RestoredPart.ALL: "Everything is the same now",
    RestoredPart.OBJECTS: "The configuration is the same now",
    RestoredPart.STATE: "Jobs and state are the same now",
}


def version_words(version: Version) -> str:
    """Return the name of a version, or the objects that its save changed."""
    if version.name:
        return version.name
    if version.kind is VersionKind.FOUND:
        return "the folder before the next save"
    return ", ".join(version.changed) or "no object"


def size_words(size: int) -> str:
    """Return a size in bytes with its unit: `512 B`, `1.5 KiB`, `2.0 MiB`."""
    return f"{size} B" if size < 1024 else f"{size / 1024:.1f} KiB" if size < 1024**2 else f"{size / 1024**2:.1f} MiB"


class VersionRows(ListRows[Version]):
    """One row for each version, the newest first."""

    def __init__(self, versions: Sequence[Version]) -> None:
        super().__init__(versions)
        size = longest([size_words(version.size) for version in versions], 4, 10)
        self._columns = (
            Column("time", "time", 19), Column("kind", "kind", 8), Column("size", "size", size, right=True),
        )  # fmt: skip

    def head(self, cells: int) -> Line | None:
        return fit((*titles(self._columns, "  "), Span("what", TextRole.DIM)), cells)

    def line(self, index: int, cells: int) -> Line:
        version = self.items[index]
        time, kind, size = self._columns
        word, role = _WORDS[version.kind]
        return fit(
            (
                time.cell(moment(version.time)), Span("  "), kind.cell(word, role), Span("  "),
                size.cell(size_words(version.size), TextRole.DIM), Span("  "),
                Span(version_words(version), TextRole.STRONG if version.name else TextRole.PLAIN),
            ),
            cells,
        )  # fmt: skip

    def text(self, index: int) -> str:
        version = self.items[index]
        return f"{moment(version.time)} {version.kind} {version_words(version)}"


def version_lines(
    version: Version, changes: Sequence[ObjectChange] | str | None, now: float, cells: int
) -> tuple[Line, ...]:
    """Return a version and the changes of restoring it; None while computed, a text is an error."""
    lines: list[Line] = list(wrap(f"{version_words(version)} · {age(now - version.time)}", cells, TextRole.STRONG))
    if changes is None:
        lines.append((Span("comparing …", TextRole.DIM),))
    elif isinstance(changes, str):
        lines.extend(wrap(changes, cells, TextRole.ERROR))
    elif not changes:
        lines.append((Span("✓ ", TextRole.ADDED), Span("everything is the same now, jobs too")))
    else:
        for part, words in _PARTS.items():
            if object_changes := changes_of(part, changes):
                lines.append((Span(f"{words} ({count(len(object_changes), 'change')})", TextRole.TITLE),))
                lines.extend((*change_lines(object_changes, cells), ()))
    return tuple(lines)
