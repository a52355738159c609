"""Form for the options of a job, as fields and as a command line; a trial shows the result of a scheduling run."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Generic, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widgets import Input as TextInput, Static

from qmon_tui.report import Line, Span, TextRole
from qmon_tui.report.jobtable import (
    FLAG_ON,
    AnyDraft,
    FormField,
    FormRows,
    Input,
    choice_lines,
    completed,
    field_named,
    is_soft,
    value_of,
    verdict_lines,
)
from qmon_tui.tui.base import LatestWorker, Lines, LineTable, QInput, key_of, local_bindings
from qmon_tui.tui.dialogs import Answer, Dialog

Result = TypeVar("Result")
Tried = TypeVar("Tried")
_SEARCH = "Go to a field: an option, or a part of its name"


class JobForm(Dialog[Result], Generic[Result, Tried]):
    """Dialog with a line of options, the same options as fields, and the qmaster's objection to them."""

    WIDE: ClassVar[bool] = True
    BINDINGS: ClassVar[list[BindingType]] = local_bindings({
        "dialog.accept": "submit",
        "dialog.try": "verify",
        "reset": "clear",
        "dialog.soften": "soften",
        "filter": "search",
        "typing.next": "complete",
    })  # fmt: skip
    FIRST_FOCUS = "LineTable"

    def __init__(self, title: str, verb: str, fields: Sequence[FormField], draft: AnyDraft) -> None:
        answers = (Answer("", "cancel", "cancel"), Answer("v", "verify", "verify"), Answer("s", verb, "submit"))
        super().__init__(title, answers)  # type: ignore[arg-type]
        self.add_class("-tall")
        self._fields = tuple(fields)
        self._draft = draft
        self._is_tried = False
        self._complaint: str | None = None
        """Why the last value was refused; None if it was accepted."""
        self._editing = ""
        """Key of the field whose value is typed; empty while the user searches for a field."""
        self._line_input = QInput(draft.typed, id="submit-line")
        self._table = LineTable(FormRows(self._fields, draft), id="submit-fields")
        self._value = QInput(id="submit-value")
        self._objection = Lines(id="submit-said")
        self._checks: LatestWorker[object, str | None] = LatestWorker(lambda _: self.objection(), self._checked,
            pause=0.05, patience=0.3)  # fmt: skip
        self._trials: LatestWorker[object, Tried] = LatestWorker(lambda _: self.trial(), self._tried, pause=0.0)

    # For subclasses ---------------------------------------------------------------------------------------------

    @abstractmethod
    def objection(self) -> str | None:
        """Return why the command would refuse the typed options, None if it would accept them; runs in a thread."""

    @abstractmethod
    def trial(self) -> Tried:
        """Return the effect of the job or change; runs in a thread."""

    @abstractmethod
    def result(self) -> Result:
        """Return the dialog's answer."""

    @abstractmethod
    def trial_lines(self, trial: Tried, cells: int) -> tuple[Line, ...]:
        """Return the effect as lines."""

    def head(self) -> ComposeResult:
        yield from ()

    @property
    def is_begun(self) -> bool:
        """True if there is something to confirm."""
        return True

    # The frame --------------------------------------------------------------------------------------------------

    @property
    def program(self) -> str:
        return self._draft.program

    @property
    def line(self) -> str:
        """The typed text: the line of qsub, or the options of qalter."""
        return self._draft.typed

    def body(self) -> ComposeResult:
        yield from self.head()
        with Horizontal(classes="submit-row"):
            yield Static(f"{self.program:<7}", classes="submit-label")
            yield self._line_input
        yield self._table
        yield self._value
        yield self._objection

    def on_mount(self) -> None:
        super().on_mount()
        self._objection.can_focus = False
        self._value.display = False
        self.run_worker(self._checks.run(), group="checks")
        self.run_worker(self._trials.run(), group="trials")
        self.changed()

    @property
    def busy(self) -> bool:
        return self._checks.busy or self._trials.busy

    # Line and fields --------------------------------------------------------------------------------------------

    def _put(self, key: str, text: str, *, soft: bool | None = None) -> None:
        """Copy a value from a field to the line. `soft`: of a request, True for -soft; None keeps it."""
        self._draft, complaint = self._draft.with_value(key, text, soft=soft)
        with self._line_input.prevent(TextInput.Changed):
            self._line_input.value = self._draft.typed
        self.changed()
        self._complaint = complaint

    @on(TextInput.Changed, "#submit-line")
    def _line_typed(self, event: TextInput.Changed) -> None:
        """Copy the typed line to the fields."""
        event.stop()
        self._draft = self._draft.with_typed(event.value)
        self.changed()

    def changed(self) -> None:
        """Draw the fields again, and check them in a thread."""
        self._table.show(FormRows(self._fields, self._draft))
        self._is_tried = False
        self._complaint = None
        self._checks.ask(object())

    # Values -----------------------------------------------------------------------------------------------------

    def on_line_table_opened(self, event: LineTable.Opened) -> None:
        """Take the next choice of the field, or let the user type a value."""
        event.stop()
        field = self._fields[self._table.cursor]
        value = value_of(self._draft.line, field.key)
        if self._draft.is_fixed(field.key):
            self._put(field.key, value)
        elif field.input is Input.FLAG:
            self._put(field.key, "" if value else FLAG_ON)
        elif field.input is Input.CHOICE:
            at = field.choices.index(value) if value in field.choices else -1
            self._put(field.key, field.choices[(at + 1) % len(field.choices)])
        else:
            self._type(field.key, field.title, value)
            self._objection.show(lambda cells: choice_lines(field, cells))

    def _type(self, key: str, explanation: str, value: str) -> None:
        self._editing = key
        self._value.placeholder = explanation
        self._value.value = value
        self._value.select_all()
        self._value.display = True
        self._value.focus()

    @on(TextInput.Changed, "#submit-value")
    def _value_typed(self, event: TextInput.Changed) -> None:
        event.stop()
        if not self._editing and (field := field_named(self._fields, event.value)):
            self._table.move_to(field.key)

    @on(TextInput.Submitted, "#submit-value")
    def _value_given(self, event: TextInput.Submitted) -> None:
        event.stop()
        if self._editing:
            self._put(self._editing, event.value)
        self._end_editing()

    @on(TextInput.Submitted)
    def _line_given(self, event: TextInput.Submitted) -> None:
        event.stop()
        self._table.focus()

    def action_complete(self) -> None:
        """Complete the name that is being typed; elsewhere focus the next widget."""
        if not (self._value.has_focus and self._editing):
            self.app.action_focus_next()
            return
        field = next(field for field in self._fields if field.key == self._editing)
        self._value.value = completed(field, self._value.value)
        self._value.cursor_position = len(self._value.value)

    def _end_editing(self) -> None:
        self._value.display = False
        self._table.focus()

    def action_cancel(self) -> None:
        """Leave the value being typed on Esc, else the dialog."""
        if self._value.display:
            self._end_editing()
        else:
            self.dismiss(None)

    def action_clear(self) -> None:
        """Remove the field under the cursor from the line."""
        self._put(self._fields[self._table.cursor].key, "")

    def action_soften(self) -> None:
        """Make a hard request soft, and a soft one hard."""
        key = self._fields[self._table.cursor].key
        value = value_of(self._draft.line, key)
        if key.startswith("-l ") and value:
            self._put(key, value, soft=not is_soft(self._draft.line, key))

    def action_search(self) -> None:
        self._type("", _SEARCH, "")

    # Checks and trials ------------------------------------------------------------------------------------------

    def _checked(self, _: object, text: str | None) -> None:
        if not self._is_tried:
            self._say(self._complaint or text)

    def _tried(self, _: object, trial: Tried) -> None:
        self._is_tried = True
        self._objection.show(lambda cells: self.trial_lines(trial, cells))

    def _say(self, objection: str | None) -> None:
        tries = f"v or {key_of(self, 'dialog.try')}"
        line, begun = self.line, self.is_begun
        self._objection.show(lambda cells: verdict_lines(self.program, line, tries, objection, cells, begun=begun))

    def action_verify(self) -> None:
        self._objection.show(lambda _: ((Span("trying …", TextRole.DIM),),))
        self._trials.ask(object())

    def action_submit(self) -> None:
        """Answer the result; if the qmaster would refuse the job, show the objection instead."""
        objection = self.objection()
        if objection:
            self._say(objection)
        else:
            self.dismiss(self.result())

    def answer(self, result: object) -> None:
        {"submit": self.action_submit, "verify": self.action_verify}.get(str(result), self.action_cancel)()


class OwnedForm(JobForm[Result, Tried], Generic[Result, Tried]):
    """The form with a row for the owner; on a running cluster the owner is fixed: the user who runs the clients."""

    def __init__(
        self, title: str, verb: str, fields: Sequence[FormField], draft: AnyDraft, owner: str, *, is_given: bool
    ) -> None:
        super().__init__(title, verb, fields, draft)
        self._owner = QInput(owner, id="submit-owner")
        self._owner.disabled = is_given

    def head(self) -> ComposeResult:
        with Horizontal(classes="submit-row"):
            yield Static("user   ", classes="submit-label")
            yield self._owner
            yield from self.beside_owner()

    def beside_owner(self) -> ComposeResult:
        """Yield further widgets for the owner's row."""
        yield from ()

    @on(TextInput.Changed, "#submit-owner")
    def _owner_typed(self, event: TextInput.Changed) -> None:
        event.stop()
        self.changed()

    def owner_and_group(self, otherwise: str) -> tuple[str, str]:
        """Return the typed owner and group; `otherwise` if no owner is typed."""
        owner, _, group = self._owner.value.strip().partition(":")
        return owner or otherwise, group or "staff"
