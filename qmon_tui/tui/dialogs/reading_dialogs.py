"""Dialogs of text to read, scroll and search; in the dialog of a job, a digit applies a change."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Input

from qmon_tui.report import FIRST_LINES, Line, Span, TextRole, count, script_spans
from qmon_tui.tui.base import ASKING, Lines, Paragraphs, QInput, key_of, local_bindings
from qmon_tui.tui.dialogs.dialog import Dialog, Result, fit_height
from qmon_tui.tui.dialogs.file_writing import write_to_file
from qmon_tui.tui.keys import LOCAL_KEYS, shown_key


class ReadingDialog(Dialog[Result]):
    """Text that fills the dialog; Esc, Enter or q close it."""

    WIDE: ClassVar[bool] = True
    TALL: ClassVar[bool] = True
    """Use the whole height of the screen even if the text is shorter."""
    BINDINGS: ClassVar[list[BindingType]] = local_bindings({
        "dialog.done": "cancel",
        "dialog.close": "cancel",
        "dialog.search": "search",
        "dialog.copy": "copy",
    })  # fmt: skip
    FIRST_FOCUS = "#text"

    def __init__(self, title: str, content: Paragraphs) -> None:
        super().__init__(title)
        self._content = content
        self.set_class(self.TALL, "-tall")

    def body(self) -> ComposeResult:
        yield Lines(self._content, id="text")
        search = QInput(placeholder="search", id="text-search")
        search.display = False
        yield search

    def on_mount(self) -> None:
        super().on_mount()
        self._hint()

    def _hint(self, words: str = "") -> None:
        words = words or f"{_key('dialog.search')} search · {_key('dialog.copy')} copy · Esc"
        self.query_one(".dialog").border_subtitle = Content(words)

    def action_search(self) -> None:
        """Open the search; if it has a text already, go to the next match."""
        search = self.query_one("#text-search", QInput)
        if search.value:
            self.query_one("#text", Lines).seek(search.value, after_first=True)
        else:
            search.display = True
            search.focus()

    def action_copy(self) -> None:
        self.app.copy_to_clipboard(self.query_one("#text", Lines).text)
        self.notify("Copied.", timeout=3, markup=False)

    def action_cancel(self) -> None:
        """Close the search if it is open, else the dialog."""
        search = self.query_one("#text-search", QInput)
        if search.display:
            search.value = ""
            search.display = False
            self.query_one("#text").focus()
        else:
            super().action_cancel()

    @on(Input.Changed, "#text-search")
    def _sought(self, event: Input.Changed) -> None:
        event.stop()
        is_there = self.query_one("#text", Lines).seek(event.value)
        self._hint("not found" if event.value and not is_there else "")

    @on(Input.Submitted, "#text-search")
    def _kept(self, event: Input.Submitted) -> None:
        event.stop()
        self.query_one("#text").focus()

    def show(self, content: Paragraphs) -> None:
        """Replace the content, and keep the scroll position."""
        self._content = content
        self.query_one("#text", Lines).show(content, keep_place=True)
        self._measure()

    def on_resize(self) -> None:
        self._measure()

    def _measure(self) -> None:
        if not self.TALL:
            fit_height(self, self.query_one("#text", Lines), self._content, self.app.size)


class TextDialog(ReadingDialog[None]):
    """Dialog with a text and no answers, as high as the text."""

    TALL: ClassVar[bool] = False


class WhyDialog(ReadingDialog[int]):
    """Answers the number of the change to make, from 1; None if the user chose none.

    Shows the first lines of the explanation, all lines, or the derivation of each number.
    """

    BINDINGS: ClassVar[list[BindingType]] = local_bindings({
        "why": "cancel",
        "why.all": "all",
        "why.derive": "derive",
        "reference.open": "explain",
    })  # fmt: skip

    def __init__(
        self,
        title: str,
        content: Paragraphs,
        changes: Callable[[], int],
        derivation: Paragraphs | None = None,
        explain: Callable[[], None] = lambda: None,
    ) -> None:
        """`changes` returns the number of changes that can be made, `explain` opens the reference."""
        super().__init__(title, self._lines)
        self._explanation, self._derivation = content, derivation
        self._changes, self._explain = changes, explain
        self._is_folded, self._is_derived = True, False

    def _lines(self, cells: int) -> tuple[Line, ...]:
        if self._is_derived and self._derivation is not None:
            return self._derivation(cells)
        lines = self._explanation(cells)
        first = max(FIRST_LINES, self.query_one("#text", Lines).size.height - 1)
        if not self._is_folded or len(lines) <= first + 1:
            return lines
        more = f"… {len(lines) - first} more lines: {_key('why.all')}"
        return (*lines[:first], (Span(more, TextRole.DIM, "screen.all"),))

    def _hint(self, words: str = "") -> None:
        derive = f"{_key('why.derive')} derive · " if self._derivation is not None else ""
        keys = f"{derive}{_key('why.all')} all · {_key('dialog.search')} search · {_key('dialog.copy')} copy · Esc"
        super()._hint(words or keys)

    def show(self, content: Paragraphs) -> None:
        """Show a new explanation, folded or derived as before."""
        self._explanation = content
        super().show(self._lines)

    def action_all(self) -> None:
        """Switch from the derivation to the explanation, or between all lines and the first ones."""
        if self._is_derived:
            self._is_derived = False
        else:
            self._is_folded = not self._is_folded
        super().show(self._lines)

    def action_explain(self) -> None:
        """Show the reference on priorities, or on the reasons why the job is pending."""
        self._explain()

    def action_derive(self) -> None:
        """Switch between the derivation of each number and the explanation."""
        self._is_derived = not self._is_derived
        super().show(self._lines)

    def action_search(self) -> None:
        """Unfold all lines before searching them."""
        if self._is_folded and not self._is_derived:
            self.action_all()
        super().action_search()

    def on_key(self, event: events.Key) -> None:
        """Answer the number of the pressed digit, if there is such a change."""
        if event.key.isdecimal():
            event.stop()
            if 1 <= int(event.key) <= self._changes():
                self.dismiss(int(event.key))


def _key(name: str) -> str:
    return next((shown_key(entry.keys[0]) for entry in LOCAL_KEYS if entry.id == name and entry.keys), "")


class ScriptDialog(ReadingDialog[None]):
    """Dialog with a shell script; long lines are not wrapped, as a shell reads line by line."""

    BINDINGS: ClassVar[list[BindingType]] = local_bindings({"dialog.write": "write"})

    def __init__(self, title: str, script: Sequence[str], file: str) -> None:
        """`file` is the suggested name of its file."""
        self._script, self._file = tuple(script), file
        super().__init__(title, lambda cells: script_spans(self._script))

    def _hint(self, words: str = "") -> None:
        write, copy, search = (key_of(self, f"dialog.{name}") for name in ("write", "copy", "search"))
        self.query_one(".dialog").border_subtitle = Content(
            words or f"{write} write to a file · {copy} copy · {search} search · Esc"
        )

    @property
    def _text(self) -> str:
        return "".join(f"{line}\n" for line in self._script)

    def action_copy(self) -> None:
        """Copy the script itself: on screen control characters are replaced."""
        self.app.copy_to_clipboard(self._text)
        self.notify(f"Copied: {count(len(self._script), 'line')} for a shell.", timeout=3, markup=False)

    def action_write(self) -> None:
        self.run_worker(self._write(), group=ASKING)

    async def _write(self) -> None:
        words = "Run it with sh on an administrative host of the cluster; it stops at the first refusal."
        title, wrote = "Write the commands to a file", "Wrote the commands"
        await write_to_file(self.app, title, words, self._file, self._text, wrote)
