"""Commands of the unsaved edits as a script: read, copied, or written to a file."""

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.content import Content

from qmon_tui.report import count, script_spans
from qmon_tui.tui.base import ASKING, key_of, local_bindings
from qmon_tui.tui.dialogs.file_writing import write_to_file
from qmon_tui.tui.dialogs.reading_dialogs import ReadingDialog


class ScriptDialog(ReadingDialog[None]):
    """Shows a script for a shell; long lines are not wrapped, as each is what a shell reads."""

    BINDINGS: ClassVar[list[BindingType]] = local_bindings({"dialog.write": "write"})

    def __init__(self, title: str, script: Sequence[str], file: str) -> None:
        """`file` is the name that is offered for it."""
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
