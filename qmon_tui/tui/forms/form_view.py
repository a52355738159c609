"""The form of an object: hosts, tabs, one row per field or a panel, references to the object, and help."""

from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.markup import escape
from textual.widget import Widget

from qmon_tui.checks import stored
from qmon_tui.model import Cluster, ConfigObject, Field, Kind, Severity, references_to
from qmon_tui.model.catalogue import spec
from qmon_tui.report import Span, TextRole, field_finding_lines, visible, wrap
from qmon_tui.tui.base import QLines, SelectionMoved, local_bindings
from qmon_tui.tui.forms.editors import fields_of
from qmon_tui.tui.forms.field_lines import label_width
from qmon_tui.tui.forms.field_row import FieldRow
from qmon_tui.tui.forms.field_view import SHORT_TITLES, FormState, field_view, general_findings, group_marks, help_lines
from qmon_tui.tui.forms.panel_host import PanelHost
from qmon_tui.tui.forms.scopes import ALL_HOSTS, DEFAULT, has_scopes, scopes_of
from qmon_tui.tui.forms.strip import Item, Strip
from qmon_tui.tui.forms.used_by import USED_BY, UsedBy
from qmon_tui.tui.keys import Panel, PanelTable
from qmon_tui.workspace import EditError, Workspace, existing, object_findings, original_in, reader_findings

ADD_SCOPE = "+"
_USED_BY_HELP = "Objects that refer to this one. Enter goes to one of them."
_TALL = 18
"""Height of a form, in lines, from which its tabs may take two lines."""
_SEVERITY = {Severity.ERROR: Span(" ✗", TextRole.ERROR), Severity.WARNING: Span(" !", TextRole.WARNING)}


class FormView(Vertical):
    """Form of one object; another object or tab reuses the mounted rows."""

    DEFAULT_CSS = """
    FormView {
        #rows { height: 1fr; overflow-y: auto; scrollbar-size-vertical: 1; }
        #general { display: none; }
        #help { height: auto; min-height: 1; max-height: 3; padding: 0 1; }
        Strip { padding: 0 1; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = local_bindings({
        "up": "move(-1)",
        "down": "move(1)",
        "page-up": "move(-8)",
        "page-down": "move(8)",
        "first": "move(-100)",
        "last": "move(100)",
        "tab-before": "group(-1)",
        "tab-next": "group(1)",
        "host-before": "scope(-1)",
        "host-next": "scope(1)",
    })  # fmt: skip

    def __init__(
        self,
        workspace: Workspace,
        *,
        panels: PanelTable | None = None,
        id: str | None = None,  # noqa: A002
    ) -> None:
        super().__init__(id=id)
        self.workspace = workspace
        self.state: FormState | None = None
        """The state that is shown; None if no object is."""
        self.scope = DEFAULT
        """The host or group whose values are shown."""
        self.rows: list[FieldRow] = []
        """One per field of the largest tab shown until now; rows that the present tab does not need are hidden."""
        self.used_by = UsedBy()
        self.scopes = Strip("for ", id="scopes")
        self.tabs = Strip(id="tabs")
        self.panels = PanelHost(workspace)
        self._panels_of_kinds = panels or PanelTable()
        self.kind = Kind.COMPLEX
        self.object_name: str | None = None
        """The name of the shown object, None if none is shown."""
        self._groups: dict[Kind, str] = {}
        self._at = 0
        """Index of the row that has or last had the focus."""
        self._general = QLines(id="general")
        self._body = Vertical(id="rows")
        self._help = QLines(id="help")

    def compose(self) -> ComposeResult:
        """Yield hosts, tabs, rows and help; parts that the object does not need are hidden."""
        yield self.scopes
        yield self.tabs
        yield self._general
        with self._body:
            yield self.used_by
        yield self.panels
        yield self._help

    def on_mount(self) -> None:
        """Draw the object that was chosen before the form was mounted."""
        self.draw()

    @property
    def field(self) -> str | None:
        """The field that has or last had the focus."""
        fields = self.fields()
        return fields[self._at].name if self._at < len(fields) else None

    def group(self) -> str:
        """Return the title of the shown tab; each kind remembers its own."""
        groups = self.groups()
        group = self._groups.get(self.kind, "")
        return group if group in groups else groups[0]

    def groups(self) -> tuple[str, ...]:
        """Return the titles of all tabs: those of the fields, with panels before and after them."""
        panels = self._panels_of_kinds.of(self.kind)
        before = (panel.title for panel in panels if panel.first)
        behind = (panel.title for panel in panels if not panel.first)
        return (*before, *self._field_groups(), *behind)

    def _field_groups(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*spec(self.kind).groups, *(field.group for field in self._all_fields()))))

    @property
    def panel(self) -> Panel | None:
        """The panel that is shown instead of fields."""
        return self._panels_of_kinds.titled(self.kind, self.group())

    def _all_fields(self) -> tuple[Field, ...]:
        obj = self.object()
        return fields_of(obj) if obj is not None else spec(self.kind).fields

    def fields(self) -> list[Field]:
        group = self.group()
        return [field for field in self._all_fields() if field.group == group]

    def object(self) -> ConfigObject | None:
        """Return the shown object; all defaults if every cluster has it but no file. None if none is shown."""
        if self.object_name is None:
            return None
        return _existing(self.workspace.cluster, self.kind, self.object_name)

    def candidate(self, obj: ConfigObject) -> ConfigObject:
        """Return the object to draw; a form with an open input adds its text."""
        return obj

    def _current(self) -> FormState | None:
        obj = self.object()
        if obj is None:
            return None
        cluster, candidate, known = self.workspace.cluster, self.candidate(obj), self.state
        moving, read = self.workspace.state, self.workspace.reading.findings
        saved = _existing(self.workspace.base_document.cluster, self.kind, obj.name)
        is_same = known is not None and known.cluster is cluster and known.moving is moving
        if known is not None and is_same and known.obj == candidate and known.saved is saved:
            return replace(known, scope=self.scope)
        return FormState(
            cluster=cluster,
            obj=candidate,
            saved=saved,
            original=original_in(self.workspace.history.edits_done, self.kind, obj.name) if saved is None else None,
            stored=stored(cluster, candidate),
            findings=(
                *reader_findings(read, saved, candidate, obj.name),
                *object_findings(cluster, obj.name, candidate, moving),
            ),
            scope=self.scope,
            read_only=self.workspace.read_only,
            moving=moving,
        )

    # Drawing ----------------------------------------------------------------------------------------------------

    def draw(self) -> None:
        """Redraw the form, except for rows that have not changed."""
        if not self.is_attached:
            return
        state = self.state = self._current()
        panel = self.panel if state is not None else None
        self._body.display = state is not None and panel is None
        self._help.display = True
        self.panels.show(panel, self.kind, self.object_name or "")
        self.border_title = escape(visible(self._title())) if state is not None else ""
        if state is None:
            for strip in (self.scopes, self.tabs, self._general):
                strip.display = False
            self._show_kind_help()
            return
        self._draw_strips(state)
        cells = max(self.size.width - 2, 20)
        general = [text for finding in general_findings(state) for text in field_finding_lines(finding, cells, 1)]
        self._general.show(general)
        self._general.display = bool(general)
        self._draw_rows(state, cells)
        self.draw_help()

    def _show_kind_help(self) -> None:
        """Show the help of the kind, as there is no object to edit."""
        self._help.show(wrap(spec(self.kind).help, max(self.size.width - 2, 20), TextRole.DIM))

    def _title(self) -> str:
        declared = spec(self.kind)
        return declared.title if declared.single else f"{self.kind} {self.object_name}"

    def _draw_rows(self, state: FormState, cells: int) -> None:
        fields = self.fields()
        first = self.group() == self._field_groups()[0]
        references = references_to(state.cluster, self.kind, state.obj.name) if first else ()
        names = [field.name for field in fields]
        labels = label_width([*names, USED_BY] if references else names, cells)
        missing = [FieldRow() for _ in range(len(fields) - len(self.rows))]
        if missing:
            self.rows += missing
            self._body.mount_all(missing, before=self.used_by)
        for index, row in enumerate(self.rows):
            row.display = index < len(fields)
            if index < len(fields):
                row.show(field_view(state, fields[index]), labels)
        self.used_by.display = bool(references)
        self.used_by.show(references, labels)
        self._at = min(self._at, max(len(self._stops()) - 1, 0))
        self._make_focusable()

    def _draw_strips(self, state: FormState) -> None:
        groups = self.groups()
        marks = group_marks(state, groups)
        items = []
        for group in groups:
            worst, edited = marks[group]
            signs = (_SEVERITY[worst],) if worst else ()
            dirty = (Span(" ●", TextRole.CHANGED),) if edited else ()
            items.append(Item(group, group, (*signs, *dirty), SHORT_TITLES.get(group, "")))
        lines = 2 if self.size.height >= _TALL else 1
        self.tabs.show(items, self.group(), lines=lines)
        self.tabs.display = len(groups) > 1
        self.scopes.display = has_scopes(state.obj)
        if self.scopes.display:
            self.scopes.show(self._scope_items(state), self.scope, lines=lines)

    def _scope_items(self, state: FormState) -> list[Item]:
        scopes = scopes_of(state.cluster, state.obj)
        items = [Item(DEFAULT, ALL_HOSTS)]
        for scope in scopes:
            detached = (Span(" detached", TextRole.WARNING),) if scope.detached else ()
            items.append(Item(scope.key, scope.key, (Span(f" ◆{scope.fields}", TextRole.ACCENT), *detached)))
        if self.scope != DEFAULT and all(scope.key != self.scope for scope in scopes):
            items.append(Item(self.scope, self.scope))
        return [*items, Item(ADD_SCOPE, "+ host")]

    def draw_help(self) -> None:
        cells = max(self.size.width - 2, 20)
        if (panel := self.panel) is not None:
            self._help.show(wrap(panel.help, cells))
        elif self.used_by.has_focus:
            self._help.show([(Span(_USED_BY_HELP),)])
        elif self._at < len(self.rows) and (view := self.rows[self._at].view) is not None:
            self._help.show(help_lines(view, cells, editing=self.rows[self._at].editing))

    def on_resize(self) -> None:
        self.draw()

    # Moving about -----------------------------------------------------------------------------------------------

    def _stops(self) -> list[Widget]:
        if self.panel is not None:
            return []
        rows: list[Widget] = list(self.rows[: len(self.fields())])
        return [*rows, self.used_by] if self.used_by.display else rows

    def focus_row(self, index: int) -> None:
        """Focus the row `index` of this tab, or the last one if there are fewer; a panel gets the focus itself."""
        if self.panel is not None:
            self.panels.focus()
            return
        stops = self._stops()
        if self.state is not None and stops:
            self._at = max(0, min(index, len(stops) - 1))
            self._make_focusable()
            # Immediately: later, another row may be the only one that can have the focus.
            self.screen.set_focus(stops[self._at])

    def _make_focusable(self) -> None:
        """Make only the current row focusable, so that Tab goes from pane to pane."""
        for index, stop in enumerate(self._stops()):
            stop.can_focus = index == self._at

    def focus(self, scroll_visible: bool = True, from_app_focus: bool = False) -> "FormView":
        """Give the focus to the row that had it last."""
        self.focus_row(self._at)
        return self

    def on_descendant_focus(self) -> None:
        """Show the help of the row that got the focus."""
        for index, stop in enumerate(self._stops()):
            if stop.has_focus_within:
                self._at = index
        self._make_focusable()
        self.draw_help()
        self.post_message(SelectionMoved())

    def action_move(self, by: int) -> None:
        self.focus_row(self._at + by)

    def action_group(self, by: int) -> None:
        groups = self.groups()
        self.choose_group(groups[(groups.index(self.group()) + by) % len(groups)])

    def choose_group(self, group: str) -> None:
        """Show a tab, its first field focused."""
        if group != self.group():
            self.leave()
            self._groups[self.kind] = group
            self._at = 0
            self.draw()
            self._body.scroll_home(animate=False)
        self.focus_row(self._at)
        # Rows are reused for other fields, so the focus may be on the same widget as before.
        self.post_message(SelectionMoved())

    def action_scope(self, by: int) -> None:
        """Show the host or group that is `by` places to the right in the line of hosts."""
        keys = [item.key for item in self.scopes.items if item.key != ADD_SCOPE]
        if self.scopes.display and self.scope in keys:
            self.choose_scope(keys[(keys.index(self.scope) + by) % len(keys)])

    def choose_scope(self, key: str) -> None:
        """Show the values that hold for a host, a group, or all hosts."""
        self.leave()
        self.scope = key
        self.draw()
        self.focus_row(self._at)
        self.post_message(SelectionMoved())

    def leave(self) -> None:
        """Close open inputs before the rows show another object."""

    @on(Strip.Chosen)
    def _tab_clicked(self, event: Strip.Chosen) -> None:
        if event.strip is self.tabs:
            event.stop()
            self.choose_group(event.key)
        elif event.key != ADD_SCOPE:
            event.stop()
            self.choose_scope(event.key)


def _existing(cluster: Cluster, kind: Kind, name: str) -> ConfigObject | None:
    """Return an object; all defaults if every cluster has it but no file. None if it does not exist."""
    try:
        return existing(cluster, kind, name)
    except EditError:
        return None
