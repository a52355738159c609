"""Edits of the state: what the qmaster does on a command, and items set, put back or taken away."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from qmon_tui.formats.state import entry, with_entries
from qmon_tui.model import StateEntry, StateKind
from qmon_tui.workspace.document import Document, EditError
from qmon_tui.workspace.edits import Edit, object_words

if TYPE_CHECKING:  # the first frame needs no commands
    from qmon_tui.qmaster import Command


@dataclass(frozen=True, slots=True)
class CommandEdit(Edit):
    """A command to the qmaster, such as qhold. Where it refuses everything, its words are the reason."""

    command: "Command"

    @property
    def label(self) -> str:
        return self.command.words

    @property
    def jobs(self) -> int:
        """To how many jobs it is given."""
        return self.command.count

    def made(self, document: Document) -> Document:
        reply = self.command.apply(document.cluster, document.state)
        if reply.messages and not reply.changes(document.state):
            raise EditError("\n".join(reply.reasons))
        after = document.with_state(reply.state)
        return after if reply.cluster is None else after.with_cluster(reply.cluster)


@dataclass(frozen=True, slots=True)
class SetEntry(Edit):
    """Set fields of one item of the state by their texts; None leaves a field out.

    A host that has reported nothing so far begins to; one without any value left reports nothing any more.
    """

    kind: StateKind
    name: str
    values: tuple[tuple[str, str | None], ...]

    @property
    def label(self) -> str:
        return f"set {', '.join(name for name, _ in self.values)} of {object_words(self.kind, self.name)}"

    def made(self, document: Document) -> Document:
        state_entry = entry(document.state, self.kind, self.name)
        if state_entry is None and self.kind is StateKind.LOADS:
            state_entry = StateEntry(self.kind, self.name, {})
        if state_entry is None:
            raise EditError(f"There is no {object_words(self.kind, self.name)} any more.")
        for name, text in self.values:
            state_entry = state_entry.with_value(name, text)
        if not state_entry.values:
            return RemoveEntry(self.kind, self.name).made(document)
        return _with(document, state_entry)


@dataclass(frozen=True, slots=True)
class RemoveEntry(Edit):
    """Take one item out of the state."""

    kind: StateKind
    name: str

    @property
    def label(self) -> str:
        return f"delete {object_words(self.kind, self.name)}"

    def made(self, document: Document) -> Document:
        if entry(document.state, self.kind, self.name) is None:
            return document
        return document.with_state(with_entries(document.state, (), ((self.kind, self.name),)))


@dataclass(frozen=True, slots=True)
class RevertEntry(Edit):
    """Put an item of the state back as it was read, or one field of it; `names` is their order as it was read."""

    entry: StateEntry
    names: tuple[str, ...] = ()
    field: str | None = None

    @property
    def label(self) -> str:
        words = object_words(self.entry.kind, self.entry.name)
        return f"revert {self.field} of {words}" if self.field else f"revert {words}"

    def made(self, document: Document) -> Document:
        state_entry = entry(document.state, self.entry.kind, self.entry.name)
        if self.field is not None and state_entry is not None:
            now = state_entry.with_value(self.field, self.entry.given(self.field))
            return _with(document, self.entry if now == self.entry else now)
        return _with(document, self.entry, self.names)


def _with(document: Document, state_entry: StateEntry, names: tuple[str, ...] = ()) -> Document:
    try:
        return document.with_state(with_entries(document.state, (state_entry,), order=names))
    except ValueError as error:
        raise EditError(f"{object_words(state_entry.kind, state_entry.name)} cannot be so: {error}.") from None
