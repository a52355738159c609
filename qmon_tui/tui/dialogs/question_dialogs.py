"""Questions: one with a few answers, one for a name or a number, and one before commands are run."""

from collections.abc import Callable, Sequence
from typing import ClassVar, Final, TypeVar

from textual import events, on
from textual.app import App, ComposeResult
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Input, Label

from qmon_tui.report import Line, TextRole, count, wrap
from qmon_tui.tui.base import Lines, QInput, QLines
from qmon_tui.tui.dialogs.dialog import Answer, AnswerButton, Dialog, fit_height, paragraphs
from qmon_tui.values import is_number

T = TypeVar("T")


class ChoiceDialog(Dialog[T]):
    """Question with a text and a few answers; an empty result is None."""

    def __init__(
        self,
        title: str,
        content: Callable[[int], tuple[Line, ...]],
        answers: Sequence[Answer[T]],
        *,
        wide: bool = False,
    ) -> None:
        super().__init__(title, answers)
        self._content = content
        self.set_class(wide, "-wide")

    def body(self) -> ComposeResult:
        yield Lines(self._content, id="said")

    def answer(self, result: T) -> None:
        self.dismiss(result or None)

    def on_resize(self, event: events.Resize) -> None:
        """Fit the height of the text to its content."""
        fit_height(self, self.query_one("#said", Lines), self._content, event.size)


def confirm(title: str, yes: str, *texts: str, letter: str = "y") -> ChoiceDialog[bool]:
    """Return a question with yes and no; no is the safe answer."""
    answers = (Answer("n", "no", False, safe=True), Answer(letter, yes, True))
    return ChoiceDialog(title, paragraphs(*texts), answers)


Check = Callable[[str], str | None]
"""Returns the problem with a name as a sentence, None if there is none."""


def is_asking(app: App[None]) -> bool:
    """Return True if a question is open, such as the one about unsaved edits of an earlier session."""
    return any(isinstance(screen, ChoiceDialog) for screen in app.screen_stack)


class NameDialog(Dialog[str]):
    """Answers a name that the check accepts, or None."""

    FIRST_FOCUS = "#name"

    def __init__(self, title: str, explanation: str, check: Check, value: str = "") -> None:
        super().__init__(title, (Answer("", "cancel", "cancel"), Answer("", "ok", "ok")))
        self._explanation = explanation
        self._check = check
        self._value = value
        self._wrong = QLines(((),), id="wrong")

    def again(self, result: str) -> "NameDialog":
        return NameDialog(self._title, self._explanation, self._check, result)

    def body(self) -> ComposeResult:
        text = Lines(paragraphs(self._explanation))
        text.can_focus = False
        yield text
        yield QInput(self._value, select_on_focus=is_number(self._value), id="name")
        yield self._wrong

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        problem = self._check(event.value.strip()) if event.value.strip() else None
        self._say(problem)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self.answer("ok")

    def answer(self, result: str) -> None:
        if result == "cancel":
            self.dismiss(None)
            return
        name = self.query_one("#name", QInput).value.strip()
        problem = self._check(name) if name else "Nothing is typed. Esc closes without a change."
        if problem is None:
            self.dismiss(name)
        else:
            self._say(problem)
            self.query_one("#name").focus()

    def _say(self, problem: str | None) -> None:
        """Show a problem on as many lines as it takes; None removes it."""
        cells = self.query_one("#name").size.width
        self._wrong.show(wrap(problem, cells, TextRole.ERROR, first="✗ ", rest="  ") if problem else ((),))


_RUN_KEY: Final = "f2"
_OTHER_RUN_KEY: Final = "f4"
"""The key that runs the commands after a form that F2 has accepted."""
_REASON_LABEL: Final = "Reason, for the log:"
_RUN_NOTHING: Final[Answer[str]] = Answer("Esc", "run nothing", "", safe=True)


class CommandsDialog(Dialog[str]):
    """Answers the reason and `run` as `run: REASON`; None if nothing is to run.

    Neither Enter nor a letter nor the key that opened it runs anything, so no key typed twice or by mistake changes a
    cluster.
    """

    WIDE: ClassVar[bool] = True

    def __init__(
        self, title: str, content: Callable[[int], tuple[Line, ...]], *, may_run: bool = True, verb: str = "run them"
    ) -> None:
        self._run_key = _OTHER_RUN_KEY if getattr(self.app, "last_key", "") == _RUN_KEY else _RUN_KEY
        run = Answer(self._run_key.upper(), verb, "run")
        super().__init__(title, (_RUN_NOTHING, run) if may_run else (_RUN_NOTHING,))
        self._content = content
        self._may_run = may_run

    def body(self) -> ComposeResult:
        yield Lines(self._content, id="said")
        if self._may_run:
            yield Label(_REASON_LABEL, id="asks")
            yield QInput(id="reason", select_on_focus=False)

    def on_mount(self) -> None:
        super().on_mount()
        self.watch(self.query_one("#said", Lines), "scroll_y", self._say_more, init=False)

    def first_focus(self) -> Widget:
        for button in self.query(AnswerButton).results():
            button.can_focus = not self._may_run  # Enter on a button would run the commands
        return self.query_one("#said")

    def redraw(self) -> None:
        """Draw the content again, as it has changed."""
        self.query_one("#said", Lines).show(self._content, keep_place=True)
        self._fit(self.app.size)

    def on_resize(self, event: events.Resize) -> None:
        """Make the text as high as it needs to be, as far as the screen allows."""
        self._fit(event.size)

    def _fit(self, size: Size) -> None:
        fit_height(self, self.query_one("#said", Lines), self._content, size - Size(0, 4))
        self.call_after_refresh(self._say_more)

    def _say_more(self) -> None:
        """Show the number of lines below the visible ones."""
        lines = self.query_one("#said", Lines)
        below = round(lines.max_scroll_y - lines.scroll_offset.y)
        more = f"{count(below, 'line')} more below (PgDn)   " if below > 0 else ""
        for label in self.query("#asks").results(Label):
            label.update(f"{more}{_REASON_LABEL}")

    def on_key(self, event: events.Key) -> None:
        """Run the commands even while the reason is typed; start the reason with any printable key."""
        if not self._may_run or event.time < self._visible_at:
            return
        if event.is_printable and event.character and not isinstance(self.focused, Input):
            event.stop()
            reason = self.query_one("#reason", QInput).focus()
            reason.insert_text_at_cursor(event.character)
        elif event.key == self._run_key and isinstance(self.focused, Input):
            event.stop()
            self.answer("run")

    def answer(self, result: str) -> None:
        if result != "run":
            self.dismiss(None)
        else:
            self.dismiss(f"run: {self.query_one('#reason', QInput).value.strip()}")
