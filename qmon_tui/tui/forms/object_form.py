"""The form of one object of any kind: makes the fields of `FormView` editable, and posts the edits."""

from collections.abc import Mapping
from typing import ClassVar

from textual import on
from textual.binding import BindingType
from textual.timer import Timer

from qmon_tui.model import ConfigObject, Field, Kind, Severity
from qmon_tui.model.catalogue import spec
from qmon_tui.tui.base import EditRequested, FieldEdited, JumpRequested, local_bindings
from qmon_tui.tui.forms.dialogs import Pick, PickOne
from qmon_tui.tui.forms.editors import QUICK_CHOICES
from qmon_tui.tui.forms.field_edits import FieldInput, already_holds, changes_for, next_choice, typed_text
from qmon_tui.tui.forms.field_row import FieldRow
from qmon_tui.tui.forms.field_view import READ_ONLY, FieldView
from qmon_tui.tui.forms.form_view import ADD_SCOPE, FormView
from qmon_tui.tui.forms.scopes import ALL_HOSTS, DEFAULT
from qmon_tui.tui.forms.strip import Strip
from qmon_tui.tui.forms.used_by import UsedBy, reference_words
from qmon_tui.workspace import edits, name_problem

TYPING_PAUSE = 0.25
"""Seconds without a key after which the typed text is passed on to the schedule."""


class ObjectForm(FormView):
    """Editable form of one object. Posts `FieldEdited`, `EditRequested` and `JumpRequested`; changes nothing itself."""

    BINDINGS: ClassVar[list[BindingType]] = local_bindings({
        "host-pick": "pick_scope",
    })  # fmt: skip

    _typing: FieldInput | None = None
    _pause: Timer | None = None
    _renaming: str | None = None
    """The new name that was posted until the workspace has it; else None."""

    def show(self, kind: Kind, name: str | None) -> None:
        """Show an object, or nothing. Text that is being typed for another object is posted first."""
        is_other_kind = kind is not self.kind
        if (kind, name) != (self.kind, self.object_name):
            self.leave()
            self.kind, self.object_name, self.scope = kind, name, DEFAULT
        if is_other_kind:
            self._at = 0
        self.draw()
        if is_other_kind and self.has_focus_within:
            self.focus_row(0)

    def refresh_from(self) -> None:
        """Draw the state of the workspace again; an open input is left alone."""
        objects = self.workspace.cluster.objects(self.kind)
        if self._renaming is not None and self.object_name not in objects and self._renaming in objects:
            self.object_name = self._renaming
        self._renaming = None
        self.draw()

    def focus_field(self, field: str) -> bool:
        """Show a field's tab and give it the focus; False if the kind has no such field."""
        declared = next((known for known in self._all_fields() if known.name == field), None)
        if declared is None:
            return False
        self.leave()
        self._groups[self.kind] = declared.group
        self.draw()
        self.focus_row(self.fields().index(declared))
        return True

    def edit_field(self, field: str) -> bool:
        """Give a field the focus and open its input or dialog."""
        if not self.focus_field(field) or self.state is None:
            return False
        self.rows[self._at].action_request("edit")
        return True

    def candidate(self, obj: ConfigObject) -> ConfigObject:
        if self._typing is None or not self._typing.typed:
            return obj
        field, text = self._typing.field.name, self._typing.text
        return obj.renamed(text or "") if self._is_name(field) else obj.with_value(field, text)

    def leave(self) -> None:
        """Post the text that is being typed before the rows show another object or tab."""
        for row in self.rows:
            if (text := row.close()) is not None:
                self._end_typing(text)

    def _is_name(self, field: str) -> bool:
        return field == spec(self.kind).name_field

    # Requests of the user ---------------------------------------------------------------------------------------

    @on(FieldRow.Requested)
    def _wanted(self, event: FieldRow.Requested) -> None:
        # The dialogs are imported when the first is wanted: the first frame does not wait for them.
        from qmon_tui.tui.forms.dialogs import dialog_for

        event.stop()
        view, state = event.row.view, self.state
        if view is None or state is None:
            return
        # Post the typed text first, so that the helper starts from it.
        self.leave()
        if event.what == "effective":
            self._show_effective(view)
        elif event.what == "spread":
            self._copy_value(view)
        elif view.locked:
            self._refuse(f"{view.field.name} is fixed: {view.locked}.")
        elif event.what == "edit_text":
            self._type(event.row, state.obj.text(view.field.name), whole=True)
        elif event.what == "type":
            self._type(event.row, view.value, whole=False, begun=event.text)
        elif event.what == "reset":
            if view.resettable:
                self._set(view.field, None)
        elif event.what == "pick" and view.options and len(view.options) <= QUICK_CHOICES:
            self._set(view.field, next_choice(view.options, view.value))
        elif (dialog := dialog_for(state, view, typed=event.what == "edit")) is not None:
            dialog.ask(self.app, lambda text: self._keep(view, text))
        else:
            self._type(event.row, view.value, whole=False)

    def _keep(self, view: FieldView, text: str) -> None:
        """Set the value that a dialog returned, unless it is the one that it began with."""
        if text != view.value:
            self._set(view.field, text)

    def _refuse(self, reason: str) -> None:
        self.app.notify(reason, severity="warning", timeout=4, markup=False)

    def _copy_value(self, view: FieldView) -> None:
        from qmon_tui.tui.forms.dialogs import (  # late: a form comes before its dialogs
            copy_value_dialog,
            copy_value_edit,
            names_in,
        )

        state, field = self.state, view.field
        if state is None:
            return
        if state.read_only:
            self._refuse(f"{field.name} is fixed: {READ_ONLY}.")
            return
        if spec(self.kind).single or self._is_name(field.name):
            self._refuse("No other object can have this value.")
            return
        before = state

        copy_value_dialog(before, field).ask(
            self.app, lambda text: self.post_message(EditRequested(copy_value_edit(before, field, names_in(text))))
        )

    def _show_effective(self, view: FieldView) -> None:
        from qmon_tui.tui.forms.dialogs import (
            EffectiveDialog,  # late: a form comes before its dialogs
        )

        if view.field.per_host and self.state is not None:
            EffectiveDialog(self.state, view.field).ask(self.app, self._scope_picked)

    def action_pick_scope(self) -> None:
        """Open the dialog that chooses a host or group of the cluster as scope."""
        from qmon_tui.tui.forms.dialogs import scope_dialog  # late: a form comes before its dialogs

        if self.scopes.display and self.state is not None:
            scope_dialog(self.state).ask(self.app, self._scope_picked)

    def _scope_picked(self, key: str) -> None:
        self.choose_scope(DEFAULT if key == ALL_HOSTS else key)

    @on(Strip.Chosen)
    def _add_scope_clicked(self, event: Strip.Chosen) -> None:
        if event.key == ADD_SCOPE:
            event.stop()
            self.action_pick_scope()

    @on(UsedBy.Opened)
    def _used_by_opened(self, event: UsedBy.Opened) -> None:
        event.stop()
        references = {reference_words(reference): reference for reference in self.used_by.references}

        def jump(words: str) -> None:
            reference = references[words]
            self.post_message(JumpRequested(reference.kind, reference.name, reference.field))

        title = f"{self.object_name} is used by"
        PickOne(title, [Pick(words) for words in references]).ask(self.app, jump)

    # Typing -----------------------------------------------------------------------------------------------------

    def _type(self, row: FieldRow, text: str, *, whole: bool, begun: str = "") -> None:
        """Open a row's input with the field's text, or with `begun`, the typed character that replaces it."""
        if row.view is not None and self.state is not None:
            field = row.view.field
            shown = "" if text.upper() == "NONE" else text
            self._typing = FieldInput(field, self.scope, whole, self.state.obj.given(field.name), shown)
            row.edit(begun or shown, begun=bool(begun))
            if begun:
                self._follow(begun)
            self.draw_help()

    @on(FieldRow.Typed)
    def _typed(self, event: FieldRow.Typed) -> None:
        event.stop()
        self._follow(event.text)

    def _follow(self, text: str) -> None:
        """Draw the object with the input's text, and pass it on to the schedule after a pause."""
        typing, obj = self._typing, self.object()
        if typing is None or obj is None or (not typing.typed and text == typing.shown):
            return
        typing.typed, typing.text = True, typed_text(obj, typing, text)
        self.draw()
        if self._pause is not None:
            self._pause.stop()
        self._pause = self.set_timer(TYPING_PAUSE, self._pass_on)

    def _pass_on(self) -> None:
        """Update the schedule with the typed value, unless the qmaster would refuse it or it renames the object."""
        self._pause = None
        typing, state = self._typing, self.state
        if typing is None or state is None or self._is_name(typing.field.name):
            return
        wrong = any(f.severity is Severity.ERROR and f.field == typing.field.name for f in state.findings)
        if not wrong:
            typing.passed_on = True
            self._post({typing.field.name: typing.text}, typing=True)

    @on(FieldRow.Finished)
    def _finished(self, event: FieldRow.Finished) -> None:
        event.stop()
        self._end_typing(event.text)
        if event.move is not None:
            self.focus_row(self._at + event.move)

    def _end_typing(self, text: str | None) -> None:
        """Post the typed text, if any; None restores the value before."""
        if self._pause is not None:
            self._pause.stop()
            self._pause = None
        typing, self._typing = self._typing, None
        obj = self.object()
        if typing is not None and obj is not None and (typing.typed or text not in (None, typing.shown)):
            after = typing.before if text is None else typed_text(obj, typing, text)
            problem = self._name_problem(obj, typing.field, after)
            if problem is not None:
                self._refuse(problem)
            elif typing.passed_on or not already_holds(obj, typing.field, after):
                self._post({typing.field.name: after})
        self.draw()

    def _name_problem(self, obj: ConfigObject, field: Field, text: str | None) -> str | None:
        """Return why the object cannot get this name; None if it can, or if the field is not its name."""
        if not text or not self._is_name(field.name) or text == obj.name:
            return None
        return name_problem(self.workspace.cluster, obj.name, obj.renamed(text))

    # Posting ----------------------------------------------------------------------------------------------------

    def _set(self, field: Field, value: str | None) -> None:
        """Post the edit that gives a field another value in the present scope."""
        obj = self.object()
        if obj is not None:
            self._post(changes_for(obj, field, self.scope, value))

    def _post(self, changes: Mapping[str, str | None], *, typing: bool = False) -> None:
        """Post an edit of the object, unless it would remove its name."""
        if self.object_name is None or not changes:
            return
        if len(changes) > 1:
            texts = {field: text for field, text in changes.items() if text is not None}
            self.post_message(EditRequested(edits.SetFields(self.kind, self.object_name, texts)))
            return
        ((field, text),) = changes.items()
        if self._is_name(field):
            if not text:
                return
            self._renaming = text
        self.post_message(FieldEdited(self.kind, self.object_name, field, text, typing))
