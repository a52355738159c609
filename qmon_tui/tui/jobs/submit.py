"""Submitting a job: a form that says the same as the line of qsub, and a trial against the engine before."""

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Input as TextInput
from textual.widgets import Static

from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.state import Job, State
from qmon_tui.simulation.commands import new_job
from qmon_tui.tui.base.inputs import QInput
from qmon_tui.tui.dialogs.base import Answer, Dialog
from qmon_tui.tui.latest import Latest
from qmon_tui.tui.panes.lines import Lines
from qmon_tui.tui.panes.table import LineTable
from qmon_tui.tui.present.jobtable.jobform import FormRows, Input, form_fields, is_soft, value_of, with_value
from qmon_tui.tui.present.jobtable.trial import trial_lines
from qmon_tui.tui.present.spans import Idea, Line, Span, wrap
from qmon_tui.workspace.verify import Trial, admitted, try_job

if TYPE_CHECKING:
    from qmon_tui.tui.jobs.view import JobsView

Verdict = Trial | str | None


class SubmitDialog(Dialog[Job]):
    """Answers the job, or None. The form and the line always say the same."""

    WIDE: ClassVar[bool] = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "submit", "Submit it"),
        Binding("ctrl+t", "verify", "Try it against the engine"),
        Binding("delete,backspace", "clear", "Leave this out"),
        Binding("tilde", "soften", "Ask hard or softly for this resource"),
        Binding("slash", "search", "Go to a field by its name"),
    ]

    def __init__(self, cluster: Cluster, state: State, number: int, owner: str, group: str, line: str) -> None:
        answers = (Answer("s", "submit", "submit"), Answer("v", "verify", "verify"), Answer("", "cancel", "cancel"))
        super().__init__(f"Submit job {number}", answers)  # type: ignore[arg-type]
        self.add_class("-tall")
        self._cluster, self._state, self._number = cluster, state, number
        self._fields = form_fields(cluster)
        self.line = line
        self._verdict: Verdict = None
        self._editing = ""
        self._owner = QInput(f"{owner}:{group}" if group != "staff" else owner, id="submit-owner")
        self._line_input = QInput(line, id="submit-line")
        self._table = LineTable(FormRows(self._fields, line), id="submit-fields")
        self._value = QInput(id="submit-value")
        self._said = Lines(id="submit-said")
        self._checks: Latest[Job, str | None] = Latest(self._check, self._checked, pause=0.05, patience=0.3)
        self._trials: Latest[Job, Trial] = Latest(self._try, self._tried, pause=0.0)

    def body(self) -> ComposeResult:
        """Who, the line, the form, what is typed, what is said."""
        with Horizontal(classes="submit-row"):
            yield Static("user  ", classes="submit-label")
            yield self._owner
        with Horizontal(classes="submit-row"):
            yield Static("qsub  ", classes="submit-label")
            yield self._line_input
        yield self._table
        yield self._value
        yield self._said

    def on_mount(self) -> None:
        """Begin in the form."""
        super().on_mount()
        self._said.can_focus = False
        self._value.display = False
        self.run_worker(self._checks.run(), group="checks")
        self.run_worker(self._trials.run(), group="trials")
        self._changed()

    def first_focus(self) -> Widget:
        """The form."""
        return self._table

    @property
    def busy(self) -> bool:
        """It is being looked at."""
        return self._checks.busy or self._trials.busy

    @property
    def job(self) -> Job:
        """The job as it would be submitted."""
        owner, _, group = self._owner.value.strip().partition(":")
        return new_job(self._state, owner or "nobody", self.line, group=group or "staff", number=self._number)

    # Both ways --------------------------------------------------------------------------------------------------

    def _set_line(self, line: str) -> None:
        """From the form to the line."""
        self.line = line
        with self._line_input.prevent(TextInput.Changed):
            self._line_input.value = line
        self._changed()

    @on(TextInput.Changed, "#submit-line")
    def _line_typed(self, event: TextInput.Changed) -> None:
        """From the line to the form."""
        event.stop()
        self.line = event.value
        self._changed()

    @on(TextInput.Changed, "#submit-owner")
    def _owner_typed(self, event: TextInput.Changed) -> None:
        event.stop()
        self._changed()

    def _changed(self) -> None:
        self._table.show(FormRows(self._fields, self.line))
        problems = parse_qsub(self.line).problems
        if problems:
            self._say("; ".join(problems))
        else:
            self._verdict = None
            self._checks.ask(self.job)

    # Values -----------------------------------------------------------------------------------------------------

    def on_line_table_opened(self, event: LineTable.Opened) -> None:
        """Go to the next choice, or type a value."""
        event.stop()
        field = self._fields[self._table.cursor]
        value = value_of(self.line, field.key)
        if field.input is Input.CHOICE:
            at = field.choices.index(value) if value in field.choices else -1
            self._set_line(with_value(self.line, field.key, field.choices[(at + 1) % len(field.choices)]))
            return
        self._editing = field.key
        choices = f"   {' '.join(field.choices[:8])}" if field.choices else ""
        self._value.placeholder = f"{field.title}: {field.help}{choices}"
        self._value.value = value
        self._value.display = True
        self._value.focus()

    @on(TextInput.Submitted, "#submit-value")
    def _value_given(self, event: TextInput.Submitted) -> None:
        event.stop()
        self._set_line(with_value(self.line, self._editing, event.value))
        self._end_editing()

    @on(TextInput.Submitted, "#submit-line,#submit-owner")
    def _line_given(self, event: TextInput.Submitted) -> None:
        event.stop()
        self._table.focus()

    def _end_editing(self) -> None:
        self._value.display = False
        self._table.focus()

    def action_cancel(self) -> None:
        """Esc leaves the value first, then the dialog."""
        if self._value.display:
            self._end_editing()
        else:
            self.dismiss(None)

    def action_clear(self) -> None:
        """Leave the field out."""
        self._set_line(with_value(self.line, self._fields[self._table.cursor].key, ""))

    def action_soften(self) -> None:
        """Ask softly for what was asked hard, and the other way round."""
        key = self._fields[self._table.cursor].key
        value = value_of(self.line, key)
        if key.startswith("-l ") and value:
            self._set_line(with_value(self.line, key, value, soft=not is_soft(self.line, key)))

    def action_search(self) -> None:
        """Go on to the first field that is asked for nothing yet below the options: the resources."""
        first = next((field.key for field in self._fields if field.key.startswith("-l ")), None)
        if first is not None:
            self._table.move_to(first)

    # What it would come to --------------------------------------------------------------------------------------

    def _check(self, job: Job) -> str | None:
        return admitted(self._cluster, self._state, job)

    def _checked(self, _: Job, text: str | None) -> None:
        if not isinstance(self._verdict, Trial):
            self._say(text)

    def _try(self, job: Job) -> Trial:
        return try_job(self._cluster, self._state, job)

    def _tried(self, _: Job, trial: Trial) -> None:
        self._verdict = trial
        self._said.show(lambda cells: trial_lines(trial, cells))

    def _say(self, refused: str | None) -> None:
        self._verdict = refused

        def lines(cells: int) -> tuple[Line, ...]:
            if refused is None:
                return (
                    (Span("qsub would take it. ", Idea.RUNNING), Span("v or ^t tries where it would run", Idea.DIM)),
                )
            return wrap(refused, cells, Idea.ERROR, first="✗ ", rest="  ")

        self._said.show(lines)

    def action_verify(self) -> None:
        """Run the engine with the job."""
        self._said.show(lambda _: ((Span("trying …", Idea.DIM),),))
        self._trials.ask(self.job)

    def action_submit(self) -> None:
        """Answer the job unless it would be refused."""
        problems = parse_qsub(self.line).problems
        refused = "; ".join(problems) or admitted(self._cluster, self._state, self.job)
        if refused:
            self._say(refused)
        else:
            self.dismiss(self.job)

    def answer(self, result: object) -> None:
        """Submit, verify, or leave."""
        {"submit": self.action_submit, "verify": self.action_verify}.get(str(result), self.action_cancel)()


def ask_submit(view: "JobsView", pattern: Job | None, make: Callable[[Job], None]) -> None:
    """Ask for a new job, like another one where that is given."""
    workspace = view.workspace
    owner, group, line = (pattern.owner, pattern.group, pattern.qsub) if pattern else (_somebody(view), "staff", "")
    dialog = SubmitDialog(workspace.cluster, workspace.state, workspace.next_job, owner, group, line or "sleep 600")

    def chosen(job: Job | None) -> None:
        if job is not None:
            make(job)

    view.app.push_screen(dialog, chosen)


def _somebody(view: "JobsView") -> str:
    """The owner of the job under the cursor, or of the last job."""
    if view.row is not None:
        return view.row.job.owner
    jobs = view.workspace.state.jobs
    return jobs[-1].owner if jobs else "user"
