"""All unsaved edits: revert any of them, see the lines of the files, or go to the place."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType

from qmon_tui.report import ChangeKey, ChangeRows, Line, change_detail, command_lines, count, file_lines, header, wrap
from qmon_tui.tui.base import Lines, LineTable, local_bindings
from qmon_tui.tui.dialogs.dialog import Answer, Dialog
from qmon_tui.tui.dialogs.reading_dialogs import ScriptDialog
from qmon_tui.workspace import Event, Workspace, unsaved_commands

FileTexts = Sequence[tuple[str, str | None, str | None]]
"""File, its text before and after; None if it does not exist then."""


class ChangesDialog(Dialog[ChangeKey | str]):
    """Answers the page or object to show, `save`, or None. Reverting and undoing from here takes effect immediately."""

    WIDE: ClassVar[bool] = True
    BINDINGS: ClassVar[list[BindingType]] = local_bindings({
        "undo": "edit('undo')",
        "redo": "edit('redo')",
        "dialog.close": "cancel",
        "changes": "cancel",
    })  # fmt: skip
    FIRST_FOCUS = "#changes-table"

    def __init__(
        self,
        workspace: Workspace,
        *,
        revert: Callable[[ChangeKey | None], None],
        edit: Callable[[str], None],
        files: Callable[[], FileTexts | str],
        script: Callable[[], ScriptDialog],
    ) -> None:
        """`revert` takes None for all edits. `files` returns a sentence if the edits cannot be written.

        `script` makes the dialog with the commands.
        """
        super().__init__(
            "",
            (
                Answer("x", "revert", "revert"),
                Answer("X", "revert everything", "everything"),
                Answer("l", "lines of the files", "lines"),
                Answer("c", "commands", "script"),
                Answer("y", "copy commands", "commands"),
                Answer("s", "save", "save"),
            ),
        )
        self._workspace, self._revert, self._edit, self._files, self._script = workspace, revert, edit, files, script
        self._as_lines = False
        self._unsubscribe: Callable[[], None] | None = None
        self.add_class("-tall")

    def body(self) -> ComposeResult:
        yield LineTable(ChangeRows(()), empty="There are no unsaved edits left.", id="changes-table")
        yield Lines(self._detail, id="changes-detail")

    def on_mount(self) -> None:
        super().on_mount()
        self._unsubscribe = self._workspace.subscribe(self._workspace_changed)
        self._show()

    def on_unmount(self) -> None:
        if self._unsubscribe is not None:
            self._unsubscribe()

    def answer(self, result: ChangeKey | str) -> None:
        """Handle an answer; only saving closes the dialog."""
        key = self.query_one("#changes-table", LineTable).cursor_key
        if result == "revert" and isinstance(key, ChangeKey):
            self._revert(key)
        elif result == "everything":
            self._revert(None)
        elif result == "lines":
            self._as_lines = not self._as_lines
            self._show()
        elif result == "commands":
            self._copy()
        elif result == "script":
            self.app.push_screen(self._script())
        elif result == "save":
            self.dismiss(result)

    def _copy(self) -> None:
        workspace = self._workspace
        lines = command_lines(
            unsaved_commands(workspace.base_document, workspace.edited_document, workspace.history.done)
        )
        self.app.copy_to_clipboard("".join(f"{line}\n" for line in lines))
        self.notify(f"Copied as commands: {count(len(lines), 'line')} for a shell.", timeout=3, markup=False)

    def action_edit(self, action: str) -> None:
        self._edit(action)

    @on(LineTable.Moved)
    def _moved(self) -> None:
        self._show_detail()

    @on(LineTable.Opened)
    def _opened(self, event: LineTable.Opened) -> None:
        if isinstance(event.key, ChangeKey):
            self.dismiss(event.key)

    def _workspace_changed(self, event: Event) -> None:
        if event is not Event.RESULT:
            self._show()

    def _show(self) -> None:
        changes = self._workspace.changes()
        self.query_one(
            ".dialog"
        ).border_title = (
            f"{header.edits_made(changes, self._workspace.unsaved_steps) or 'No edits'} unsaved. Enter goes there"
        )
        self.query_one("#changes-table", LineTable).show(ChangeRows(changes))
        self._show_detail()

    def _show_detail(self) -> None:
        self.query_one("#changes-detail", Lines).show(self._detail)

    def _detail(self, cells: int) -> tuple[Line, ...]:
        if self._as_lines:
            files = self._files()
            return wrap(files, cells) if isinstance(files, str) else file_lines(files, cells)
        key = self.query_one("#changes-table", LineTable).cursor_key
        return change_detail(self._workspace.changes(), key, cells) if isinstance(key, ChangeKey) else ()
