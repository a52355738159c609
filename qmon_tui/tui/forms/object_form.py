"""The form of one object of any kind, built from the catalogue: tabs, one row per field, help and findings."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.markup import escape
from textual.timer import Timer

from qmon_tui.checks import check_object
from qmon_tui.checks.stored import stored
from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import ConfigObject
from qmon_tui.model.fields import Field
from qmon_tui.model.findings import Severity
from qmon_tui.model.kinds import Kind
from qmon_tui.tui.base.lines import QLines
from qmon_tui.tui.forms.changes import Typing, changes_for, next_choice, typed_text
from qmon_tui.tui.forms.dialogs.effective import EffectiveDialog
from qmon_tui.tui.forms.dialogs.factory import ALL_HOSTS, dialog_for, scope_dialog
from qmon_tui.tui.forms.drawing import finding_lines, label_width
from qmon_tui.tui.forms.editors import QUICK_CHOICES
from qmon_tui.tui.forms.field_row import FieldRow
from qmon_tui.tui.forms.scopes import DEFAULT, has_scopes, scopes_of
from qmon_tui.tui.forms.strip import Item, Strip
from qmon_tui.tui.forms.view import FieldView, FormState, field_view, general_findings, group_marks
from qmon_tui.tui.forms.words import help_lines
from qmon_tui.tui.messages import FieldEdited, FieldsEdited
from qmon_tui.tui.present.spans import Idea, Span
from qmon_tui.workspace.edits import EditError, existing
from qmon_tui.workspace.workspace import Workspace

TYPING_PAUSE = 0.25
"""Seconds without a key after which what is typed so far is passed on, so that the schedule follows."""
_ADD_SCOPE = "+"
_SEVERITY = {Severity.ERROR: Span(" ✗", Idea.ERROR), Severity.WARNING: Span(" !", Idea.WARNING)}


class ObjectForm(Vertical):
    """Shows and edits one object. Posts `FieldEdited`, `FieldsEdited` and `JumpRequested`; changes nothing itself."""

    DEFAULT_CSS = """
    ObjectForm {
        #rows { height: 1fr; overflow-y: auto; scrollbar-size-vertical: 1; }
        #general { display: none; }
        #help { height: auto; min-height: 1; max-height: 3; padding: 0 1; }
        Strip { padding: 0 1; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "Field above", show=False),
        Binding("down,j", "move(1)", "Field below", show=False),
        Binding("home", "move(-100)", "First field", show=False),
        Binding("end", "move(100)", "Last field", show=False),
        Binding("left,h", "group(-1)", "Tab before", show=False),
        Binding("right,l", "group(1)", "Next tab", show=False),
        Binding("comma", "scope(-1)", "Host before", show=False),
        Binding("full_stop", "scope(1)", "Next host", show=False),
        Binding("o", "pick_scope", "Set for a host", show=False),
    ]

    def __init__(
        self,
        workspace: Workspace,
        *,
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._workspace = workspace
        self._kind = Kind.COMPLEX
        self._name: str | None = None
        self._groups: dict[Kind, str] = {}
        self._scope = DEFAULT
        self._typing: Typing | None = None
        self._pause: Timer | None = None
        self._renaming: str | None = None
        self._at = 0
        self._state: FormState | None = None
        self._rows: list[FieldRow] = []
        self._scopes = Strip("for ", id="scopes")
        self._tabs = Strip(id="tabs")
        self._general = QLines(id="general")
        self._body = Vertical(id="rows")
        self._help = QLines(id="help")

    def compose(self) -> ComposeResult:
        """Hosts, tabs, rows, help; what the object does not need is hidden."""
        yield self._scopes
        yield self._tabs
        yield self._general
        yield self._body
        yield self._help

    def on_mount(self) -> None:
        """Draw what was chosen before the form was there."""
        self._draw()

    # What is shown ----------------------------------------------------------------------------------------------

    @property
    def kind(self) -> Kind:
        """The kind of the object."""
        return self._kind

    @property
    def object_name(self) -> str | None:
        """The name of the object, None where nothing is shown."""
        return self._name

    @property
    def field(self) -> str | None:
        """The field that has or last had the focus."""
        fields = self._fields()
        return fields[min(self._at, len(fields) - 1)].name if fields else None

    def show(self, kind: Kind, name: str | None) -> None:
        """Show an object, or nothing. What is being typed for another object is kept first."""
        if (kind, name) != (self._kind, self._name):
            self._stop_editing()
            if kind is not self._kind:
                self._at = 0
            self._kind, self._name, self._scope = kind, name, DEFAULT
        self._draw()

    def refresh_from(self) -> None:
        """Draw again what the workspace holds now; an open input is left alone."""
        objects = self._workspace.cluster.objects(self._kind)
        if self._renaming is not None and self._name not in objects and self._renaming in objects:
            self._name = self._renaming
        self._renaming = None
        self._draw()

    def focus(self, scroll_visible: bool = True, from_app_focus: bool = False) -> "ObjectForm":
        """Give the focus to the field that had it last."""
        self._focus_row(self._at)
        return self

    def focus_field(self, field: str) -> bool:
        """Show a field's tab and give it the focus; False where the kind has no such field."""
        declared = spec(self._kind).by_name.get(field)
        if declared is None:
            return False
        self._groups[self._kind] = declared.group
        self._draw()
        self._focus_row(self._fields().index(declared))
        return True

    def edit_field(self, field: str) -> bool:
        """Give a field the focus and open its input or dialog."""
        if not self.focus_field(field):
            return False
        self._rows[self._at].action_edit()
        return True

    def _group(self) -> str:
        groups = spec(self._kind).groups
        group = self._groups.get(self._kind, "")
        return group if group in groups else groups[0]

    def _fields(self) -> list[Field]:
        group = self._group()
        return [field for field in spec(self._kind).fields if field.group == group]

    def _object(self) -> ConfigObject | None:
        if self._name is None:
            return None
        try:
            return existing(self._workspace.cluster, self._kind, self._name)
        except EditError:
            return None

    def _current(self) -> FormState | None:
        obj = self._object()
        if obj is None:
            return None
        candidate = obj
        if self._typing is not None and self._typing.typed:
            field, text = self._typing.field.name, self._typing.text
            candidate = obj.renamed(text or "") if self._is_name(field) else obj.with_value(field, text)
        cluster = self._workspace.cluster
        known = self._state
        if known is not None and known.cluster is cluster and known.obj is candidate:
            return replace(known, scope=self._scope)
        return FormState(
            cluster=cluster,
            obj=candidate,
            saved=self._workspace.base.get(self._kind, obj.name),
            stored=stored(cluster, candidate),
            findings=check_object(cluster, candidate),
            scope=self._scope,
            read_only=self._workspace.read_only,
        )

    def _is_name(self, field: str) -> bool:
        return field == spec(self._kind).name_field

    # Drawing ----------------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        if not self.is_attached:
            return
        state = self._state = self._current()
        self._show_title(state)
        self._body.display = state is not None
        if state is None:
            self._help.show(())
            return
        self._draw_strips(state)
        cells = max(self.size.width - 2, 20)
        general = [text for f in general_findings(state) for text in finding_lines(f, cells, 1)]
        self._general.show(general)
        self._general.display = bool(general)
        fields = self._fields()
        labels = label_width((field.name for field in fields), cells)
        missing = [FieldRow() for _ in range(len(fields) - len(self._rows))]
        if missing:
            self._rows += missing
            self._body.mount_all(missing)
        for index, row in enumerate(self._rows):
            row.display = index < len(fields)
            if index < len(fields):
                row.show(field_view(state, fields[index]), labels)
        self._draw_help()

    def _show_title(self, state: FormState | None) -> None:
        if state is None:
            self.border_title = ""
        else:
            single = spec(self._kind).single
            self.border_title = escape(spec(self._kind).title if single else f"{self._kind} {self._name}")

    def _draw_strips(self, state: FormState) -> None:
        groups = spec(self._kind).groups
        marks = group_marks(state, groups)
        items = []
        for group in groups:
            worst, edited = marks[group]
            signs = [_SEVERITY[worst]] if worst else []
            items.append(Item(group, group, (*signs, *([Span(" ●", Idea.CHANGED)] if edited else []))))
        self._tabs.show(items, self._group())
        self._tabs.display = len(groups) > 1
        self._scopes.display = has_scopes(state.obj)
        if self._scopes.display:
            self._scopes.show(self._scope_items(state), self._scope)

    def _scope_items(self, state: FormState) -> list[Item]:
        scopes = scopes_of(state.cluster, state.obj)
        items = [Item(DEFAULT, ALL_HOSTS)]
        for scope in scopes:
            detached = (Span(" detached", Idea.WARNING),) if scope.detached else ()
            items.append(Item(scope.key, scope.key, (Span(f" ◆{scope.fields}", Idea.ACCENT), *detached)))
        if self._scope != DEFAULT and all(scope.key != self._scope for scope in scopes):
            items.append(Item(self._scope, self._scope))
        return [*items, Item(_ADD_SCOPE, "+ host")]

    def _draw_help(self) -> None:
        row = self._rows[self._at] if self._at < len(self._rows) else None
        if row is not None and row.view is not None:
            cells = max(self.size.width - 2, 20)
            self._help.show(help_lines(row.view, cells, editing=row.editing))

    def on_resize(self) -> None:
        """Labels and help depend on the width."""
        self._draw()

    # Moving about -----------------------------------------------------------------------------------------------

    def _focus_row(self, index: int) -> None:
        fields = self._fields()
        if self._name is None or not fields or not self._rows:
            return
        self._at = max(0, min(index, len(fields) - 1))
        self._rows[self._at].focus()

    def on_descendant_focus(self) -> None:
        """Help follows the focus."""
        for index, row in enumerate(self._rows):
            if row.has_focus or row.editing:
                self._at = index
        self._draw_help()

    def action_move(self, by: int) -> None:
        """Go to another field of this tab."""
        self._focus_row(self._at + by)

    def action_group(self, by: int) -> None:
        """Go to another tab."""
        groups = spec(self._kind).groups
        self._choose_group(groups[(groups.index(self._group()) + by) % len(groups)])

    def _choose_group(self, group: str) -> None:
        if group != self._group():
            self._stop_editing()
            self._groups[self._kind] = group
            self._at = 0
            self._draw()
            self._body.scroll_home(animate=False)
        self._focus_row(self._at)

    def action_scope(self, by: int) -> None:
        """Set values for the host or group before or after in the line of hosts."""
        keys = [item.key for item in self._scopes.items if item.key != _ADD_SCOPE]
        if self._scopes.display and keys:
            self._choose_scope(keys[(keys.index(self._scope) + by) % len(keys)])

    def _choose_scope(self, key: str) -> None:
        self._stop_editing()
        self._scope = key
        self._draw()
        self._focus_row(self._at)

    def action_pick_scope(self) -> None:
        """Choose any host or group of the cluster to set values for."""
        if self._scopes.display and self._state is not None:
            self.app.push_screen(scope_dialog(self._state), self._scope_picked)

    def _scope_picked(self, key: str | None) -> None:
        if key is not None:
            self._choose_scope(DEFAULT if key == ALL_HOSTS else key)

    @on(Strip.Chosen)
    def _strip_chosen(self, event: Strip.Chosen) -> None:
        event.stop()
        if event.strip is self._tabs:
            self._choose_group(event.key)
        elif event.key == _ADD_SCOPE:
            self.action_pick_scope()
        else:
            self._choose_scope(event.key)

    # Editing ----------------------------------------------------------------------------------------------------

    @on(FieldRow.Wanted)
    def _wanted(self, event: FieldRow.Wanted) -> None:
        event.stop()
        view, state = event.row.view, self._state
        if view is None or state is None:
            return
        if event.what == "effective":
            self._show_effective(view)
        elif view.locked:
            self.app.bell()
        elif event.what == "edit_text":
            self._type(event.row, state.obj.text(view.field.name), whole=True)
        elif event.what == "reset":
            self._set(view.field, None)
        elif event.what == "pick" and view.options and len(view.options) <= QUICK_CHOICES:
            self._set(view.field, next_choice(view.options, view.value))
        elif (dialog := dialog_for(state, view, typed=event.what == "edit")) is not None:
            self.app.push_screen(dialog, lambda text: self._set(view.field, text) if text is not None else None)
        else:
            self._type(event.row, view.value, whole=False)

    def _type(self, row: FieldRow, text: str, *, whole: bool) -> None:
        if row.view is not None and self._state is not None:
            field = row.view.field
            before = self._state.obj.given(field.name)
            self._typing = Typing(field, self._scope, whole, before, text)
            row.edit(text)
            self._draw_help()

    @on(FieldRow.Typed)
    def _typed(self, event: FieldRow.Typed) -> None:
        event.stop()
        typing, obj = self._typing, self._object()
        if typing is None or obj is None or (not typing.typed and event.text == typing.shown):
            return
        typing.typed, typing.text = True, typed_text(obj, typing, event.text)
        self._draw()
        if self._pause is not None:
            self._pause.stop()
        self._pause = self.set_timer(TYPING_PAUSE, self._pass_on)

    def _pass_on(self) -> None:
        """Let the schedule follow what is typed, unless the qmaster would refuse it or it renames the object."""
        self._pause = None
        typing, state = self._typing, self._state
        if typing is None or state is None or self._is_name(typing.field.name):
            return
        wrong = any(f.severity is Severity.ERROR and f.field == typing.field.name for f in state.findings)
        if not wrong:
            typing.passed_on = True
            self._post({typing.field.name: typing.text}, typing=True)

    @on(FieldRow.Finished)
    def _finished(self, event: FieldRow.Finished) -> None:
        event.stop()
        if self._pause is not None:
            self._pause.stop()
            self._pause = None
        typing, self._typing = self._typing, None
        if typing is not None and typing.typed:
            text = typing.before if event.text is None else typing.text
            if typing.passed_on or text != typing.before:
                self._post({typing.field.name: text})
        self._draw()
        if event.move is not None:
            self._focus_row(self._at + event.move)

    def _stop_editing(self) -> None:
        for row in self._rows:
            row.finish(None)

    def _set(self, field: Field, value: str | None) -> None:
        """Post the edit that gives a field another value in the present scope."""
        obj = self._object()
        if obj is not None:
            self._post(changes_for(obj, field, self._scope, value))

    def _post(self, changes: Mapping[str, str | None], *, typing: bool = False) -> None:
        """Post an edit of the object; an object cannot be without a name."""
        if self._name is None or not changes:
            return
        if len(changes) > 1:
            texts = {field: text for field, text in changes.items() if text is not None}
            self.post_message(FieldsEdited(self._kind, self._name, texts))
            return
        ((field, text),) = changes.items()
        if self._is_name(field):
            if not text:
                return
            self._renaming = text
        self.post_message(FieldEdited(self._kind, self._name, field, text, typing))

    def _show_effective(self, view: FieldView) -> None:
        if view.field.per_host and self._state is not None:
            self.app.push_screen(EffectiveDialog(self._state, view.field))
