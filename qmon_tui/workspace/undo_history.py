"""Undo and redo: since documents are immutable and share what did not change, a step just keeps both of them."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from qmon_tui.workspace.document import Document

if TYPE_CHECKING:  # the first frame shows no edits
    from qmon_tui.workspace.edits import Edit

LIMIT = 1000
"""Steps that are kept."""


@dataclass(frozen=True, slots=True)
class Step:
    """One undoable step. `edit` is what later keystrokes of the same typing may be joined with."""

    label: str
    before: Document
    after: Document
    edit: "Edit | None" = None
    moment_before: Document | None = None
    """The moment of a simulated day at which it was made; None if it was made in the document alone."""
    moment_after: Document | None = None


@dataclass(slots=True)
class History:
    """The steps done, and those undone that can be done again."""

    done: list[Step] = field(default_factory=list)
    undone: list[Step] = field(default_factory=list)
    typing: bool = False
    """The last step is still being typed."""

    @property
    def undo_label(self) -> str | None:
        """Label of the step that undo reverts; None if there is none."""
        return self.done[-1].label if self.done else None

    @property
    def redo_label(self) -> str | None:
        """Label of the step that redo repeats; None if there is none."""
        return self.undone[-1].label if self.undone else None

    @property
    def edits_done(self) -> "list[Edit | None]":
        """Edits that undo can revert, the last one last; None for a step without a known edit."""
        return [step.edit for step in self.done]

    def push(self, step: Step, *, typing: bool = False) -> bool:
        """Add a step, or join it with the last one while that is typed; says whether a new step began.

        What a key such as Enter makes of a value that is being typed belongs to the typing.
        """
        last = self.done[-1] if self.done and self.typing else None
        joined = step.edit.joined(last.edit) if last and last.edit and step.edit else None
        self.undone.clear()
        self.typing = typing
        if last is None or joined is None:
            self.done.append(step)
            del self.done[:-LIMIT]
            return True
        if step.after == last.before:
            # Typed back to where it began: there is nothing to undo.
            self.done.pop()
            self.typing = False
        else:
            self.done[-1] = Step(joined.label, last.before, step.after, joined, last.moment_before, step.moment_after)
        return False

    def undo(self) -> Step | None:
        return self._shift(self.done, self.undone)

    def redo(self) -> Step | None:
        return self._shift(self.undone, self.done)

    def steps_since(self, document: Document) -> int | None:
        """Return how many of the last steps lead away from a document; None if none of them began with it."""
        number = 0
        for step in reversed(self.done):
            if step.after is document or step.after == document:
                return number
            number += step.before is not step.after
            if step.before is document or step.before == document:
                return number
        return None

    def rebase(self, moved: Callable[[Document], Document]) -> None:
        """Carry every kept document over to another base; steps that then do nothing vanish."""
        self.typing = False
        known: dict[int, Document] = {}

        def carried(document: Document) -> Document:
            # Neighbouring steps share their documents, also afterwards.
            if id(document) not in known:
                known[id(document)] = moved(document)
            return known[id(document)]

        for steps in (self.done, self.undone):
            new = [replace(step, before=carried(step.before), after=carried(step.after), edit=None) for step in steps]
            steps[:] = [step for step in new if step.before != step.after]

    def leave_moments(self) -> None:
        """The simulated day is left: what was done in it alone is no step any more."""
        self.typing = False
        for steps in (self.done, self.undone):
            kept = [step for step in steps if step.before is not step.after]
            steps[:] = [replace(step, moment_before=None, moment_after=None) for step in kept]

    def _shift(self, source: list[Step], target: list[Step]) -> Step | None:
        self.typing = False
        if not source:
            return None
        target.append(source.pop())
        return target[-1]
