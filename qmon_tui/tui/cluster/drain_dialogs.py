"""The questions about drains: the reason for disabling queue instances, and which reasons are over."""

from collections.abc import Callable, Mapping, Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Input, Static

from qmon_tui.explain import DrainEffect, drain_effect
from qmon_tui.model import Drain
from qmon_tui.qmaster import Run
from qmon_tui.report import Line, Span, TextRole, count, drain_words, effect_lines, wrap
from qmon_tui.tui.base import LatestWorker, Lines, QInput, QLines
from qmon_tui.tui.cluster.prompts import hidden_words, instance_letters, instances_words, named
from qmon_tui.tui.dialogs import Answer, ChoiceDialog, Dialog
from qmon_tui.workspace import Edit, Workspace, drains

Apply = Callable[[Edit], object]
_DISABLE, _ADD = "disable", "add"
_ENABLE = ("enable", "end it and enable", "end all and enable")
"""Labels of the answer that enables, for no reason, one and several."""
_MOST_REASONS = 9


class DisableDialog(Dialog[Drain | str]):
    """Dialog for the reason to disable queue instances; its effect is shown below. Answers a Drain, or None."""

    def __init__(self, title: str, workspace: Workspace, names: Sequence[str], hidden: Sequence[str] = ()) -> None:
        super().__init__(title, (Answer("", "cancel", "cancel"), Answer("", "disable", _DISABLE)))
        self._workspace = workspace
        self._names = tuple(names)
        self._hidden = tuple(hidden)
        self._now = workspace.state.now
        self._reason = QInput(placeholder="why they take no more jobs (required)", id="drain-reason")
        self._who = QInput(drains.administrator(), id="drain-who")
        self._until = QInput(placeholder="open; or 2026-12-01T08:00, +2d, +8h", id="drain-until")
        self._wrong = QLines(((),), id="wrong")
        self._effect: DrainEffect | None = None
        self._effects: LatestWorker[Run, DrainEffect] = LatestWorker(
            lambda run: drain_effect(run, self._names), self._show_effect
        )
        self._effect_text = Lines(self._lines, id="drain-effect")

    def body(self) -> ComposeResult:
        self._effect_text.can_focus = False
        for label, widget in (("reason", self._reason), ("who", self._who), ("until", self._until)):
            with Horizontal(classes="drain-row"):
                yield Static(label, classes="drain-label")
                yield widget
        yield self._wrong
        yield self._effect_text

    def on_mount(self) -> None:
        """Start computing the effect in a worker."""
        super().on_mount()
        self.run_worker(self._effects.run(), group="effect")
        result = self._workspace.result
        if result is not None and result.explainer is not None:
            self._effects.ask(result.explainer.run)

    def _show_effect(self, _: Run, effect: DrainEffect) -> None:
        self._effect = effect
        self._effect_text.show(self._lines)

    def _lines(self, cells: int) -> tuple[Line, ...]:
        names = wrap(named(self._names), cells, TextRole.DIM)
        names += tuple(line for text in hidden_words(self._hidden) for line in wrap(text, cells, TextRole.WARNING))
        if self._effect is None:
            return (*names, (Span("What runs there and what fits nowhere else is being worked out …", TextRole.DIM),))
        return (*names, *effect_lines(self._effect, cells))

    def first_focus(self) -> Widget:
        return self._reason

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.answer(_DISABLE)

    @on(Input.Changed)
    def _typed(self) -> None:
        self._wrong.show(((),))

    def answer(self, result: Drain | str) -> None:
        if result != _DISABLE:
            self.dismiss(None)
            return
        reason, who = self._reason.value.strip(), self._who.value.strip()
        problem, until = "", None
        try:
            until = drains.read_until(self._until.value, self._now)
        except ValueError as error:
            problem = f"{error}, or as +2d."
            self._until.focus()
        if not problem and until is not None and until <= self._now:
            problem = "That time is over already."
            self._until.focus()
        if not reason:
            problem = "A reason is needed. Esc closes without a change."
            self._reason.focus()
        if problem:
            self._wrong.show(wrap(problem, self._reason.size.width, TextRole.ERROR, first="✗ ", rest="  "))
        else:
            self.dismiss(Drain(reason, who, self._now, until))


def ask_disable(
    view: Widget, workspace: Workspace, names: Sequence[str], letters: Mapping[str, str], apply: Apply,
    hidden: Sequence[str] = (),
) -> None:  # fmt: skip
    """Ask why queue instances are disabled, and disable them. `hidden`: targets that the filter hides."""

    def chosen(drain: Drain | str) -> None:
        if isinstance(drain, Drain):
            apply(drains.disable(workspace.document, names, drain, letters))

    DisableDialog(f"Disable {instances_words(names)}", workspace, names, hidden).ask(view.app, chosen)


def ask_enable(
    view: Widget, workspace: Workspace, names: Sequence[str], letters: Mapping[str, str], apply: Apply
) -> None:
    """Show the reasons, ask which are over, and enable queue instances without any left.

    A single queue instance without a reason is enabled without a question, as undo restores it.
    """
    document = workspace.document
    reasons = drains.reasons_for(document.state, names)
    me = drains.administrator()
    own = tuple(reason for reason in reasons if reason.drain.who == me)

    def end(over: Sequence[drains.GivenReason]) -> None:
        edit, left = drains.enable(document, names, over, letters)
        apply(edit)
        if left:
            words = f"{instances_words(left)} {'stays' if len(left) == 1 else 'stay'} disabled: other reasons remain."
            view.notify(words, severity="warning", markup=False)

    if not reasons and len(names) == 1:
        end(())
        return
    answers: list[Answer[str]] = [Answer("n", "no", "", safe=True)]
    answers.append(Answer("a", "add a reason", _ADD))
    if len(reasons) > 1:
        answers += [Answer(str(number), "only this", str(number))
                    for number, _ in enumerate(reasons[:_MOST_REASONS], 1)]  # fmt: skip
    if own and len(own) < len(reasons):
        answers.append(Answer("m", "end mine", "mine"))
    answers.append(Answer("y", _ENABLE[min(len(reasons), 2)], "all"))

    def chosen(answer: str) -> None:
        if answer == _ADD:
            ask_disable(view, workspace, names, letters, apply)
        else:
            end(reasons if answer == "all" else own if answer == "mine" else (reasons[int(answer) - 1],))

    def content(cells: int) -> tuple[Line, ...]:
        lines: list[Line] = []
        for number, reason in enumerate(reasons, 1):
            lead = f"{number}  " if len(reasons) > 1 else ""
            lines += wrap(drain_words(reason.drain), cells, TextRole.WARNING, first=lead, rest="   ")
            lines += wrap(named(reason.places), cells, TextRole.DIM, first="   ", rest="   ")
        if not reasons:
            return wrap(f"{named(names)}: no reason is recorded. Jobs may start there again.", cells)
        words = f"{count(len(names), 'queue instance')}: enabled when no reason remains."
        return (*lines, (), *wrap(words, cells))

    ChoiceDialog(f"Enable {instances_words(names)}?", content, answers, wide=True).ask(view.app, chosen)


def toggle_disabled(
    view: Widget, workspace: Workspace, names: Sequence[str], apply: Apply, hidden: Sequence[str] = ()
) -> None:
    """Enable queue instances if all of them are disabled, else disable them; each asks first."""
    letters = instance_letters(workspace)
    known = [name for name in names if name in letters]
    if not known:
        view.notify("There is no queue instance.", severity="warning", markup=False)
    elif all("d" in letters[name] for name in known):
        ask_enable(view, workspace, known, letters, apply)
    else:
        ask_disable(view, workspace, known, letters, apply, hidden)
