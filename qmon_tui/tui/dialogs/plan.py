"""Commands for a running cluster, read before they run, with the reason that the log keeps."""

from collections.abc import Callable
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Input, Label

from qmon_tui.report import Line, count
from qmon_tui.tui.base import Lines, QInput
from qmon_tui.tui.dialogs.dialog import Answer, AnswerButton, Dialog, fit_height

_RUN_KEY: Final = "f2"
_OTHER_RUN_KEY: Final = "f4"
"""The key that runs the commands after a form that F2 has accepted."""
_ASKS: Final = "Reason, for the log:"
_KEEP: Final[Answer[str]] = Answer("Esc", "run nothing", "", safe=True)


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
        super().__init__(title, (_KEEP, run) if may_run else (_KEEP,))
        self._content = content
        self._may_run = may_run

    def body(self) -> ComposeResult:
        yield Lines(self._content, id="said")
        if self._may_run:
            yield Label(_ASKS, id="asks")
            yield QInput(id="reason", select_on_focus=False)

    def on_mount(self) -> None:
        super().on_mount()
        self.watch(self.query_one("#said", Lines), "scroll_y", self._say_more, init=False)

    def first_focus(self) -> Widget:
        for button in self.query(AnswerButton).results():
            button.can_focus = not self._may_run  # Enter on a button would run the commands
        return self.query_one("#said")

    def redraw(self) -> None:
        """Show the content again, as more of it is known."""
        self.query_one("#said", Lines).show(self._content, keep_place=True)
        self._fit(self.app.size)

    def on_resize(self, event: events.Resize) -> None:
        """Make the text as high as it needs to be, as far as the screen allows."""
        self._fit(event.size)

    def _fit(self, size: Size) -> None:
        fit_height(self, self.query_one("#said", Lines), self._content, size - Size(0, 4))
        self.call_after_refresh(self._say_more)

    def _say_more(self) -> None:
        """Say that there is more to read than has room."""
        lines = self.query_one("#said", Lines)
        below = round(lines.max_scroll_y - lines.scroll_offset.y)
        more = f"{count(below, 'line')} more below (PgDn)   " if below > 0 else ""
        for label in self.query("#asks").results(Label):
            label.update(f"{more}{_ASKS}")

    def on_key(self, event: events.Key) -> None:
        """Run also while the reason is typed, and begin the reason with any letter; the frame does the rest."""
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
