"""Dialog that decides conflicts, field by field, if both sides changed the same."""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widget import Widget

from qmon_tui.report import ConflictRows, conflict_lines
from qmon_tui.tui.base import Lines, LineTable, local_bindings
from qmon_tui.tui.dialogs.dialog import Answer, Dialog
from qmon_tui.tui.dialogs.question_dialogs import NameDialog
from qmon_tui.workspace import Conflict, Decision, Document, EditedText, Side, object_words

Decisions = Mapping[Conflict, Decision]
Check = Callable[[Conflict, str], str | None]
"""Returns a sentence if a third text is invalid, else None."""


def _answers(there: str) -> tuple[Answer[str], ...]:
    return (
        Answer("m", "yours", "take mine"),
        Answer("t", there, "take theirs"),
        Answer("e", "another value", "edit"),
        Answer("M", "all yours", "all mine"),
        Answer("T", f"all {there}", "all theirs"),
        Answer("", "Enter done", "done"),
    )


class ConflictsDialog(Dialog[Decisions]):
    """Answers the decisions about all conflicts; None after Esc."""

    WIDE: ClassVar[bool] = True
    BINDINGS: ClassVar[list[BindingType]] = local_bindings({
        "dialog.left": "take('mine')",
        "dialog.right": "take('theirs')",
    })  # fmt: skip

    def __init__(self, conflicts: Sequence[Conflict], mine: Document, check: Check) -> None:
        self._conflicts = tuple(conflicts)
        self._theirs = self._conflicts[0].there
        super().__init__("Changed on both sides", _answers(self._theirs))  # type: ignore[arg-type]
        self._mine, self._check = mine, check
        self._decided: dict[Conflict, Decision] = {}
        self.add_class("-tall")

    def body(self) -> ComposeResult:
        yield LineTable(ConflictRows(self._conflicts, {}), id="conflicts-table")
        yield Lines(id="conflicts-detail")

    def first_focus(self) -> Widget:
        self._show()
        return self.query_one(LineTable)

    def action_take(self, side: str) -> None:
        """Decide the conflict under the cursor and go to the next."""
        table = self.query_one(LineTable)
        self._decided[self._conflicts[table.cursor]] = Side(side)
        self._show()
        table.action_move(1)

    def action_edit(self) -> None:
        """Ask for a third value of the field, which decides all conflicts of this field."""
        conflict = self._conflicts[self.query_one(LineTable).cursor]
        if conflict.field is None:
            self.notify("One side removed it: m or t decides whether it stays.", markup=False)
            return
        before = self._decided.get(conflict)
        text = before.text if isinstance(before, EditedText) else conflict.text_in(self._mine)

        def typed(given: str) -> None:
            same = [other for other in self._conflicts if other.place[:3] == conflict.place[:3]]
            self._decided |= dict.fromkeys(same, EditedText(given))
            self._show()

        title = f"{conflict.field} of {object_words(conflict.kind, conflict.name)}"
        words = "The value to use instead of both:"
        NameDialog(title, words, lambda given: self._check(conflict, given), text).ask(self.app, typed)

    def action_take_all(self, side: str) -> None:
        self._decided = dict.fromkeys(self._conflicts, Side(side))
        self._show()

    def answer(self, result: object) -> None:
        action, _, side = str(result).partition(" ")
        if action == "take":
            self.action_take(side)
        elif action == "all":
            self.action_take_all(side)
        elif action == "edit":
            self.action_edit()
        else:
            self.action_done()

    @on(LineTable.Moved)
    def _moved(self) -> None:
        self._show()

    @on(LineTable.Opened)
    def _opened(self) -> None:
        self.action_done()

    def action_done(self) -> None:
        """Answer the decisions, unless some conflicts are left."""
        missing = len(self._conflicts) - len(self._decided)
        if missing:
            self.notify(
                f"{missing} not decided yet: m takes yours, t the one {self._theirs}, e another value.", markup=False
            )
        else:
            self.dismiss(self._decided)

    def _show(self) -> None:
        table = self.query_one(LineTable)
        table.show(ConflictRows(self._conflicts, self._decided))
        conflict = self._conflicts[table.cursor]
        decision = self._decided.get(conflict)
        self.query_one("#conflicts-detail", Lines).show(lambda cells: conflict_lines(conflict, cells, decision))
