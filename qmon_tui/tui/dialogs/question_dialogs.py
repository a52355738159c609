"""Questions: one with a few answers, and one for a name or a number, checked while it is typed."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from textual import events, on
from textual.app import App, ComposeResult
from textual.widgets import Input

from qmon_tui.report import Line, TextRole, wrap
from qmon_tui.tui.base import Lines, QInput, QLines
from qmon_tui.tui.dialogs.dialog import Answer, Dialog, fit_height, paragraphs
from qmon_tui.values import is_number

T = TypeVar("T")


class ChoiceDialog(Dialog[T]):
    """Says what is the case and offers the answers; an empty one is None."""

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
        """The text is as high as it needs to be, as far as the screen allows."""
        fit_height(self, self.query_one("#said", Lines), self._content, event.size)


def confirm(title: str, yes: str, *texts: str, letter: str = "y") -> ChoiceDialog[bool]:
    """A question whose safe answer is no."""
    answers = (Answer("n", "no", False, safe=True), Answer(letter, yes, True))
    return ChoiceDialog(title, paragraphs(*texts), answers)


Check = Callable[[str], str | None]
"""Returns the problem with a name as a sentence, None if there is none."""


def is_asking(app: App[None]) -> bool:
    """A question of the program is open, such as that about unsaved edits of an earlier session."""
    return any(isinstance(screen, ChoiceDialog) for screen in app.screen_stack)


class NameDialog(Dialog[str]):
    """Answers a name that the check lets through, or None."""

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
        """Show all that is wrong, on as many lines as that takes."""
        cells = self.query_one("#name").size.width
        self._wrong.show(wrap(problem, cells, TextRole.ERROR, first="✗ ", rest="  ") if problem else ((),))
