"""`?`: everything that can be done here, searchable; Enter does it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.widget import Widget
from textual.widgets import Input

from qmon_tui.report import (
    MARKS,
    Line,
    ListRows,
    SearchTarget,
    Span,
    TextRole,
    contains,
    fit,
    left,
    longest,
    stroke,
)
from qmon_tui.tui.base import FilterInput, Lines, LineTable, OneLine
from qmon_tui.tui.dialogs.dialog import Dialog
from qmon_tui.tui.keys import ActionContext, Group, KeyRegistry, LocalGroup, shown_keys


@dataclass(frozen=True, slots=True)
class HelpEntry:
    """One line of the help. `id` is the action that Enter runs; empty for keys of a single widget."""

    id: str
    keys: str
    description: str
    group: str
    reason: str | None = None
    """Why it is not possible now; None if it is."""
    label: str = ""
    """One or two words; an entry whose label matches a search comes first."""
    go: Callable[[], None] | None = None
    """Goes to the page, tab or field that the entry describes; None for keys."""


def registry_entries(registry: KeyRegistry, now: ActionContext) -> tuple[HelpEntry, ...]:
    """Return the entries of all actions that exist here, by group."""
    return tuple(
        HelpEntry(
            action.id,
            shown_keys(action.keys),
            action.description,
            group,
            action.disabled_reason(now),
            action.label,
        )
        for group in Group
        for action in registry.here(now)
        if action.group is group
    )


def navigation_entries(registry: KeyRegistry) -> tuple[HelpEntry, ...]:
    """Return the entries of the keys that move the cursor, of the terminal, and of dialogs and inputs."""
    moves = [
        HelpEntry("", shown_keys(entry.keys), entry.description, entry.group)
        for entry in registry.local
        if entry.group is LocalGroup.MOVING
    ]
    terminal = (
        ("Tab ⇧Tab", "Next and previous pane"),
        ("⇧ + drag", "Select text with the mouse, as the terminal does"),
        ("a … z, 1 … 9", "In a dialog: the answer or the change with that letter or digit"),
    )
    dialogs = [
        HelpEntry("", shown_keys(entry.keys), entry.description, entry.group)
        for group in (LocalGroup.DIALOG, LocalGroup.TYPING)
        for entry in registry.local
        if entry.group is group
    ]
    return (*moves, *(HelpEntry("", keys, description, LocalGroup.MOVING) for keys, description in terminal), *dialogs)


def local_entries(registry: KeyRegistry, ids: Iterable[str]) -> tuple[HelpEntry, ...]:
    """Return the entries for the keys of the focused widget, without those that move the cursor."""
    known = set(ids)
    return tuple(
        HelpEntry("", shown_keys(entry.keys), entry.description, Group.HERE)
        for entry in registry.local
        if entry.id in known and entry.group is not LocalGroup.MOVING
    )


TOPICS = "What it is about"
"""Heading of the topics: search results that are no keys."""


def topic_entries(targets: Iterable[SearchTarget]) -> tuple[HelpEntry, ...]:
    """Return an entry for each field, tab and page; Enter goes there."""
    return tuple(
        HelpEntry("", target.name, f"{target.text}: {target.about}", TOPICS, label=target.name, go=target.go)
        for target in targets
    )


class HelpRows(ListRows["HelpEntry | str"]):
    """Help entries as table rows, with a heading before each group. Topics appear only in a search."""

    def __init__(self, entries: Sequence[HelpEntry], topics: Sequence[HelpEntry] = ()) -> None:
        self._all = tuple(entries)
        self._topics = tuple(topics)
        self._keys = longest([entry.keys for entry in entries], 5, 15)
        rows: list[HelpEntry | str] = []
        for group, members in groupby(entries, lambda entry: entry.group):
            rows += (group, *members)
        super().__init__(rows)

    def entry(self, index: int) -> HelpEntry | None:
        """Return the entry of a row; None for a heading."""
        row = self.items[index] if index < len(self.items) else ""
        return row if isinstance(row, HelpEntry) else None

    def line(self, index: int, cells: int) -> Line:
        """Return keys and description, dim if the action is impossible now."""
        row = self.items[index]
        if isinstance(row, str):
            return (Span(row, TextRole.TITLE),)
        look = TextRole.FAINT if row.reason else TextRole.PLAIN
        keys = Span(f"  {left(row.keys, self._keys)}  ", TextRole.FAINT if row.reason else TextRole.ACCENT)
        return fit((keys, Span(row.description, look)), cells)

    def text(self, index: int) -> str:
        row = self.items[index]
        return row if isinstance(row, str) else f"{row.keys} {row.description} {row.id}"

    def containing(self, words: str) -> "HelpRows":
        """Return the entries that contain all words: first those with such a name, topics last."""
        called = " ".join(words.casefold().split())
        if not called:
            return HelpRows(self._all, self._topics)
        entries = [
            entry
            for entry in (*self._all, *self._topics)
            if contains(f"{entry.keys} {entry.description} {entry.id} {entry.group}", words)
        ]

        def rank(entry: HelpEntry) -> tuple[int, bool]:
            names = (entry.id, entry.label.casefold())
            place = 0 if called in names else 1 if any(called in name for name in names) else 2
            return place, entry.group == TOPICS

        return HelpRows(sorted(entries, key=rank))


def entry_notes(entry: HelpEntry | None, cells: int) -> Line:
    """Return why the action is impossible now; else its description, if that may be too long for the row."""
    if entry is None:
        return ()
    if entry.reason:
        return fit((Span(f"Not now: {entry.reason}", TextRole.WARNING),), cells)
    words = entry.description
    return fit((Span(words, TextRole.DIM),), cells) if len(words) > cells - _ROOM else ()


_ROOM = 22
"""Most cells of a row that its keys take."""


def legend() -> tuple[Line, ...]:
    """Return the explanation of the signs on the screen."""
    return (
        (
            Span("● unsaved  ", TextRole.CHANGED),
            Span("✗ error  ", TextRole.ERROR),
            Span("! warning  ", TextRole.WARNING),
            Span("⇅ changed on disk  ", TextRole.WARNING),
            Span("↻ time of the last run", TextRole.DIM),
        ),
        (
            Span("prior = "),
            Span(f"{stroke(TextRole.URGENCY) * 2} urgency", TextRole.URGENCY),
            Span(" + "),
            Span(f"{stroke(TextRole.TICKETS) * 2} tickets", TextRole.TICKETS),
            Span(" + "),
            Span(f"{stroke(TextRole.POSIX) * 2} POSIX priority", TextRole.POSIX),
        ),
        (
            Span("filters: "),
            Span("state=E queue=all.q host=@rack load>20 -u bela -s r node[01-08] word !word", TextRole.DIM),
        ),
        tuple(span for sign, meaning in MARKS for span in (sign, Span(f" {meaning}   ", TextRole.DIM))),
    )


class HelpDialog(Dialog[HelpEntry]):
    """Answers the chosen entry, or None."""

    WIDE: ClassVar[bool] = True

    def __init__(self, entries: Sequence[HelpEntry], legend: Sequence[Line], topics: Sequence[HelpEntry] = ()) -> None:
        super().__init__("Help: type to search, Enter does it, Esc leaves")
        self._all = HelpRows(entries, topics)
        self._rows = self._all
        self._legend = tuple(legend)

    def body(self) -> ComposeResult:
        yield FilterInput(placeholder="search: delete, filter, theme, ticket, h_vmem …", id="help-search")
        yield LineTable(self._all, empty="No match", id="help-table")
        yield OneLine(id="help-reason")
        legend = Lines(lambda _: self._legend, id="help-legend")
        legend.border_title = "Signs"
        legend.can_focus = False
        legend.styles.height = len(self._legend) + 1
        yield legend

    def first_focus(self) -> Widget:
        self.query_one(LineTable).action_move(1)
        return self.query_one(FilterInput)

    def action_step(self, by: int) -> None:
        self.query_one(LineTable).action_move(by)

    @on(Input.Changed)
    def _searched(self, event: Input.Changed) -> None:
        self._rows = self._all.containing(event.value)
        table = self.query_one(LineTable)
        table.show(self._rows)
        # The first row is a heading: Enter should do the first thing found.
        table.action_edge(-1)
        table.action_move(1)

    @on(LineTable.Moved)
    def _moved(self) -> None:
        entry = self._rows.entry(self.query_one(LineTable).cursor)
        self.query_one("#help-reason", OneLine).show(lambda cells: entry_notes(entry, cells))

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self._run(self._rows.entry(self.query_one(LineTable).cursor))

    @on(LineTable.Opened)
    def _opened(self) -> None:
        self._run(self._rows.entry(self.query_one(LineTable).cursor))

    def _run(self, entry: HelpEntry | None) -> None:
        if entry is not None and (entry.id or entry.go):
            self.dismiss(entry)
