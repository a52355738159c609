"""Edits of the state: commands, changed or removed items, past usage; and edits that revert objects and items."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from qmon_tui.formats.state import amount_text, entry, names as entry_names, with_entries
from qmon_tui.model import Amounts, Kind, PastUsage, State, StateEntry, StateKind, Usage
from qmon_tui.workspace.difference import renamed_from
from qmon_tui.workspace.document import AnyKind, Document, EditError
from qmon_tui.workspace.edits import Batch, Edit, RemoveObject, RevertObject, SetField, object_words

if TYPE_CHECKING:  # the first frame needs no commands
    from qmon_tui.qmaster import Command


@dataclass(frozen=True, slots=True)
class CommandEdit(Edit):
    """A command to the qmaster, such as qhold. `made` raises EditError with its messages if it refuses everything."""

    command: "Command"

    @property
    def label(self) -> str:
        return self.command.words

    @property
    def jobs(self) -> int:
        """Number of jobs that the command names."""
        return self.command.count

    def made(self, document: Document) -> Document:
        reply = self.command.apply(document.cluster, document.state)
        if reply.messages and not reply.changes(document.state):
            raise EditError("\n".join(reply.reasons))
        after = document.with_state(reply.state)
        return after if reply.cluster is None else after.with_cluster(reply.cluster)


@dataclass(frozen=True, slots=True)
class SetEntry(Edit):
    """Set fields of one item of the state to texts; None removes a field.

    An item without fields is removed; a host without load values gets its first ones.
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
    """Remove one item of the state; a missing item is no error."""

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
    """Restore an item of the state, or one field of it, as read; `names`: all items of its kind in the order read."""

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


USUAL: Final = ("cpu", "mem", "io")
"""The kinds of usage that usage_weight_list always names: seconds, gigabyte seconds, gigabytes."""


@dataclass(frozen=True, slots=True)
class UsageOwner:
    """Owner of past usage: a user, a user within a project, or a project."""

    user: str | None
    project: str | None = None

    @property
    def words(self) -> str:
        """Name in a sentence, such as `user anna within project sea`."""
        if self.user is None:
            return f"project {self.project}"
        return f"user {self.user}" + (f" within project {self.project}" if self.project else "")


def usage_of(state: State, holder: UsageOwner) -> tuple[Amounts, int | None]:
    """Return the amounts of an owner, and the time to which they are decayed, seconds since the epoch (see `Usage`)."""
    book = state.usage.projects if holder.user is None else state.usage.users
    usage = book.get(holder.user or holder.project or "")
    if usage is None:
        return MappingProxyType({}), None
    within = holder.project if holder.user is not None else None
    return (usage.by_project.get(within, MappingProxyType({})) if within else usage.amounts), usage.time


def usage_line(amounts: Amounts) -> str:
    """Return the amounts as a line to edit: `cpu=3600 mem=1.5 io=0`."""
    shown = {**dict.fromkeys(USUAL, 0.0), **amounts}
    return " ".join(f"{kind}={amount_text(amount)}" for kind, amount in shown.items())


def parse_usage(text: str) -> Mapping[str, float] | str:
    """Return the amounts of a line such as `usage_line` returns, without zeros; a sentence if it cannot be read."""
    amounts: dict[str, float] = {}
    for word in text.replace(",", " ").split():
        kind, equals, amount = word.partition("=")
        try:
            value = float(amount)
        except ValueError:
            value = -1.0
        if not kind or not equals or not math.isfinite(value) or value < 0:
            return f'"{word}" is not an amount: write cpu=3600 mem=1.5 io=0, numbers from 0'
        if value:
            amounts[kind] = value
    return amounts


@dataclass(frozen=True, slots=True)
class SetUsage(Edit):
    """Set the past usage of an owner to a line that `parse_usage` reads; an owner without usage is removed."""

    holder: UsageOwner
    text: str

    @property
    def label(self) -> str:
        return f"set the usage of {self.holder.words} to {self.text}"

    def made(self, document: Document) -> Document:
        amounts = parse_usage(self.text)
        if isinstance(amounts, str):
            raise EditError(amounts)
        book = document.state.usage
        holder = self.holder
        if holder.user is None:
            projects = _with_usage(book.projects, holder.project or "", amounts, None)
            return _changed(document, PastUsage(book.users, projects))
        return _changed(
            document, PastUsage(_with_usage(book.users, holder.user, amounts, holder.project), book.projects)
        )


@dataclass(frozen=True, slots=True)
class ClearUsage(Edit):
    """Clear the past usage of all users and projects (`qconf -clearusage`), or of one user (`-clearusage USER`).

    The user's usage within projects is cleared, too; the usage of projects stays.
    """

    user: str | None = None

    @property
    def label(self) -> str:
        return "clear all usage" if self.user is None else f"clear the usage of user {self.user}"

    def made(self, document: Document) -> Document:
        if self.user is None:
            return _changed(document, PastUsage())
        book = document.state.usage
        others = {name: usage for name, usage in book.users.items() if name != self.user}
        return _changed(document, PastUsage(MappingProxyType(others), book.projects))


def _changed(document: Document, book: PastUsage) -> Document:
    return document.with_state(replace(document.state, usage=book))


def _with_usage(
    book: Mapping[str, Usage], name: str, amounts: Mapping[str, float], project: str | None
) -> Mapping[str, Usage]:
    """Return `book` with other amounts of one name, or of a user's part in `project`; without it if none are left."""
    usage = book.get(name, Usage())
    if project is None:
        usage = replace(usage, amounts=MappingProxyType(dict(amounts)))
    else:
        within = {**usage.by_project, project: MappingProxyType(dict(amounts))}
        kept = {known_name: used for known_name, used in within.items() if used}
        usage = replace(usage, by_project=MappingProxyType(kept))
    if not usage.amounts and not usage.by_project:
        return MappingProxyType({known_name: known for known_name, known in book.items() if known_name != name})
    return MappingProxyType({**book, name: usage})


def revert_edit(read: Document, now: Document, kind: AnyKind, name: str, field: str | None) -> Edit | None:
    """Return the edit that restores an object or item, or one field of it, as read; an added one is removed.

    None for a field of an added one.
    """
    if isinstance(kind, StateKind):
        item = entry(read.state, kind, name)
        if item is None:
            return RemoveEntry(kind, name) if field is None else None
        return RevertEntry(item, entry_names(read.state, kind), field)
    obj = read.cluster.get(kind, name)
    if obj is None:
        return _revert_new(read, now, kind, name, field)
    return RevertObject(obj, tuple(read.cluster.objects(kind)), field)


def revert_edits(read: Document, now: Document, kind: AnyKind, names: Sequence[str], field: str | None) -> Edit | None:
    """Return one edit that reverts several objects or items of a kind; None if there is nothing to revert."""
    edits = [edit for name in names if (edit := revert_edit(read, now, kind, name, field)) is not None]
    if len(edits) < 2:
        return edits[0] if edits else None
    return Batch(f"{edits[0].label} and {len(edits) - 1} more", tuple(edits))


def _revert_new(read: Document, now: Document, kind: Kind, name: str, field: str | None) -> Edit | None:
    """Return the edit that restores the old name of a renamed object, or the old text of one field."""
    old = renamed_from(read.cluster, now.cluster, kind, name)
    if field is not None:
        return SetField(kind, name, field, old.given(field)) if old is not None else None
    if old is None:
        return RemoveObject(kind, name)
    back = (RemoveObject(kind, name), RevertObject(old, tuple(read.cluster.objects(kind))))
    return Batch(f"revert {object_words(kind, old.name)}", back)
