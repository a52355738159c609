"""Undo and redo: a step keeps the documents before and after it, which share everything that did not change."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from qmon_tui.workspace.document import Document

if TYPE_CHECKING:  # the first frame shows no edits
    from qmon_tui.workspace.edits import Edit

LIMIT = 1000
"""Largest number of steps that are kept."""


@dataclass(frozen=True, slots=True)
class Step:
    """One undo step. `edit` may be joined with later keystrokes of the same typing; None if it cannot."""

    label: str
    before: Document
    after: Document
    edit: "Edit | None" = None
    moment_before: Document | None = None
    """The shown moment of a simulated day before the step; None if it was made in the document alone."""
    moment_after: Document | None = None
    """The shown moment after the step."""


@dataclass(slots=True)
class History:
    """The steps that undo can revert (`done`), and those that redo can repeat (`undone`); the newest last."""

    done: list[Step] = field(default_factory=list)
    undone: list[Step] = field(default_factory=list)
    typing: bool = False
    """True while the value of the last step is being typed."""

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
        """Add a step, or join it with the last one while its value is typed; True if a new step began.

        The change that a key such as Enter makes to a typed value is joined as well.
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
            # Typed back to the first value: there is nothing to undo.
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
        """Return how many of the last steps were made since this document; None if it is no longer known."""
        number = 0
        for step in reversed(self.done):
            if step.after is document or step.after == document:
                return number
            number += step.before is not step.after
            if step.before is document or step.before == document:
                return number
        return None

    def rebase(self, moved: Callable[[Document], Document]) -> None:
        """Replace every kept document by `moved(document)`; drop steps that then change nothing."""
        self.typing = False
        known: dict[int, Document] = {}

        def carried(document: Document) -> Document:
            # Neighbouring steps share their documents: compute each once, so that they share the result.
            if id(document) not in known:
                known[id(document)] = moved(document)
            return known[id(document)]

        for steps in (self.done, self.undone):
            new = [replace(step, before=carried(step.before), after=carried(step.after), edit=None) for step in steps]
            steps[:] = [step for step in new if step.before != step.after]

    def leave_moments(self) -> None:
        """Drop the steps that changed only moments of the simulated day, which is left."""
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
