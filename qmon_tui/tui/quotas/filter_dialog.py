"""Names and limits for the clauses of a quota rule, and the dialog for a filter of included and excluded names."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Input

from qmon_tui.model import (
    Cluster,
    Field,
    Kind,
    QuotaFilter,
    Separator,
    State,
    ValueType,
    filter_text,
    is_dynamic,
    resolve_group,
)
from qmon_tui.report import BLANK, Cell, Column, GridRow, TextRole, count, filter_words
from qmon_tui.tui.base import FilterInput, Grid, LineTable, key_hints, local_bindings
from qmon_tui.tui.forms import EntriesTable, TableRow, best_matches
from qmon_tui.tui.forms.dialogs import Check, ValueDialog
from qmon_tui.values import is_none, split_entries

Choice = tuple[str, str]
"""A name and a note about it."""

LIMITS = Field("to", ValueType.ENTRIES, "NONE", "", refers_to=Kind.COMPLEX, separator=Separator.COMMA)
_KINDS = {"projects": Kind.PROJECT, "pes": Kind.PE, "queues": Kind.QUEUE}
_ALL = {
    "users": "everybody",
    "projects": "every job with a project",
    "pes": "every parallel job",
    "queues": "every cluster queue",
    "hosts": "every host",
}


def choices_for(cluster: Cluster, state: State, keyword: str) -> tuple[Choice, ...]:
    """Return all names for a filter: `*` first, groups before their members."""
    return (("*", _ALL[keyword]), *_names(cluster, state, keyword))


def users_of(cluster: Cluster, state: State) -> tuple[Choice, ...]:
    """Return the configured users, then other owners of jobs."""
    jobs: dict[str, int] = {}
    for job in state.jobs:
        jobs[job.owner] = jobs.get(job.owner, 0) + 1
    names = dict.fromkeys((*cluster.objects(Kind.USER), *jobs))
    return tuple((name, count(jobs[name], "job") if name in jobs else "") for name in names)


def hosts_of(cluster: Cluster) -> tuple[Choice, ...]:
    """Return the execution hosts."""
    return tuple((name, "") for name in cluster.objects(Kind.HOST) if name != "global")


def _names(cluster: Cluster, state: State, keyword: str) -> Iterator[Choice]:
    if keyword == "users":
        for name, userset in cluster.objects(Kind.USERSET).items():
            is_list = "ACL" in userset.text("type").upper()
            yield f"@{name}", "userset" if is_list else "department: the scheduler does not look into it"
        yield from users_of(cluster, state)
    elif keyword == "hosts":
        for name in cluster.objects(Kind.HOSTGROUP):
            yield name, count(len(resolve_group(cluster, name)), "host")
        yield from hosts_of(cluster)
    else:
        yield from ((name, "") for name in cluster.objects(_KINDS[keyword]))


@dataclass(frozen=True, slots=True)
class LimitsTable(EntriesTable):
    """The limits of a rule: attributes with values of their types, or with formulas (dynamic limits)."""

    heads: tuple[str, str] = ("attribute", "limit")

    @property
    def rows(self) -> tuple[TableRow, ...]:
        return tuple(self._limit(name, value) for name, value in self.entries)

    @property
    def text(self) -> str:
        return ",".join(f"{name}={value}" for name, value in self.entries) or "NONE"

    def _limit(self, name: str, value: str) -> TableRow:
        if is_dynamic(value):
            return TableRow(name, value, "worked out for each host")
        return self._row(name, value)


def limits_table(cluster: Cluster, text: str) -> LimitsTable | None:
    """Return the table of a rule's limits; None if they cannot be parsed."""
    try:
        return LimitsTable(cluster, LIMITS, () if is_none(text) else split_entries(text, Separator.COMMA))
    except ValueError:
        return None


_COLUMNS = (Column("name", "name", minimum=10), Column("means", "", minimum=8), Column("note", "", minimum=6, rank=1))
_COUNTS = (Cell("+", TextRole.RUNNING), Cell("counts", TextRole.RUNNING))
_LEFT_OUT = (Cell("!", TextRole.FAILED), Cell("left out", TextRole.FAILED))


class NameInput(FilterInput):
    """Input that filters the names; Space, which no name contains, includes or excludes the name under the cursor."""

    BINDINGS: ClassVar[list[BindingType]] = local_bindings({
        "dialog.tick": "screen.turn",
        "typing.next": "screen.braces",
        "dialog.switch": "screen.braces",
    }, priority=True)  # fmt: skip


class FilterDialog(ValueDialog):
    """Dialog for a filter; answers its word, empty for no filter. Space includes a name, excludes it, or drops it."""

    DEFAULT_CSS = """
    FilterDialog Grid { height: auto; margin-top: 1; }
    """
    FIRST_FOCUS = "QInput"

    def __init__(
        self, keyword: str, clause: QuotaFilter | None, choices: Sequence[Choice], check: Check, title: str
    ) -> None:
        self._keyword = keyword
        self._names = list(clause.names) if clause else []
        self._excluded = list(clause.excluded) if clause else []
        self._apart = clause.expanded if clause else False
        known = dict(choices)
        named = (*self._names, *self._excluded)
        self._notes = {name: known.get(name, "as typed") for name in (*named, *known)}
        super().__init__(title, check)
        self._grid = Grid(_COLUMNS, show_head=False, empty="No match: delete a letter.")
        self._grid.lit, self._grid.can_focus = True, False
        self._input = NameInput(placeholder="type a few letters, or another name or pattern")

    @property
    def text(self) -> str:
        """The word after the keyword."""
        return filter_text(self._names, self._excluded, each=self._apart) or ""

    def hint(self) -> str:
        if not self.text:
            return "no filter: the rule applies to all"
        return filter_words(self._keyword, QuotaFilter(tuple(self._names), tuple(self._excluded), self._apart))

    def keys(self) -> tuple[str, ...]:
        other = "count together" if self._apart else "count each apart {}"
        turn = key_hints(self, ("dialog.tick", "counts, left out, neither"), ("dialog.switch", other))
        return (*turn, *super().keys())

    def content(self) -> ComposeResult:
        yield self._input
        yield self._grid

    def on_mount(self) -> None:
        """Show all names, those of the filter first."""
        self._fill()
        super().on_mount()

    def on_resize(self, event: events.Resize) -> None:
        super().on_resize(event)
        self._grid.styles.max_height = max(3, min(14, event.size.height - 14))

    def _fill(self) -> None:
        typed = self._input.value.strip()
        names = best_matches(self._notes, typed)
        rows = [self._row(name) for name in names]
        if typed and typed not in self._notes:
            rows.append(GridRow(typed, (Cell(typed), BLANK, Cell("as typed", TextRole.DIM)), (BLANK,)))
        self._grid.show_rows(rows)
        if typed and rows and self._grid.chosen not in names:
            self._grid.move_to(rows[0].key)

    def _row(self, name: str) -> GridRow:
        sign, word = _COUNTS if name in self._names else _LEFT_OUT if name in self._excluded else (BLANK, BLANK)
        return GridRow(name, (Cell(name), word, Cell(self._notes[name], TextRole.DIM)), (sign,))

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._fill()

    @on(LineTable.Opened)
    def _opened(self, event: Grid.Opened) -> None:
        event.stop()
        self.action_turn()

    def action_step(self, by: int) -> None:
        self._grid.action_move(by)

    def action_turn(self) -> None:
        """Include the name under the cursor; exclude it if it is included; drop it if it is excluded."""
        name = self._grid.chosen
        if name is None:
            return
        self._notes.setdefault(name, "as typed")
        if name in self._names:
            self._names.remove(name)
            self._excluded.append(name)
        elif name in self._excluded:
            self._excluded.remove(name)
        else:
            self._names.append(name)
        self._fill()
        self.preview()

    def action_braces(self) -> None:
        """Switch between counting each name on its own (braces) and all together."""
        self._apart = not self._apart
        self.preview()
