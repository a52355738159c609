"""All actions and keys of lists and forms, with the keys that the user has configured.

Footer, help, command palette, the cheatsheet of the README and `qmon-tui keys` are made from one `KeyRegistry`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from qmon_tui.report import Line, Span, TextRole, width
from qmon_tui.tui.keys.action import Action
from qmon_tui.tui.keys.action_context import ADDING, ActionContext
from qmon_tui.tui.keys.local_keys import LOCAL_KEYS, LocalGroup, LocalKey

Entry = Action | LocalKey
Keys = Mapping[str, tuple[str, ...]]
"""Id of an entry -> the keys it is to have."""


@dataclass(frozen=True)
class KeyRegistry:
    """All entries that have keys, in the order in which they are shown."""

    actions: tuple[Action, ...] = ()
    local: tuple[LocalKey, ...] = LOCAL_KEYS
    by_id: Mapping[str, Action] = field(init=False, repr=False)
    keys: Keys = field(init=False, repr=False)
    """Id of an action or local key -> its keys."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_id", {action.id: action for action in self.actions})
        object.__setattr__(self, "keys", {entry.id: entry.keys for entry in self})

    def __iter__(self) -> Iterator[Entry]:
        yield from self.actions
        yield from self.local

    def here(self, now: ActionContext) -> tuple[Action, ...]:
        """Return the actions possible here: those of this page or panel, then the general ones whose key is free."""
        own = tuple(action for action in self.actions if action.where and action.where == now.here)
        taken = {key for action in own for key in action.keys}
        return (*own, *(a for a in self.actions if not a.where and not (a.keys and a.keys[0] in taken)))

    def footer(self, now: ActionContext) -> tuple[Action, ...]:
        """Return the actions in the focused pane's footer; those of a page only if at least one of them is possible."""
        shown = [action for action in self.here(now) if now.pane in action.footer]
        is_idle = all(action.disabled_reason(now) for action in shown if action.where)
        return tuple(
            action
            for action in shown
            if not (is_idle and action.where) and (ADDING not in action.needs or ADDING.fulfilled(now))
        )

    def with_keys(self, keys: Keys) -> "KeyRegistry":
        """Return a registry with the same entries, some with other keys."""
        return KeyRegistry(
            tuple(replace(entry, keys=keys.get(entry.id, entry.keys)) for entry in self.actions),
            tuple(replace(entry, keys=keys.get(entry.id, entry.keys)) for entry in self.local),
        )


def clash(entry: Entry, other: Entry) -> bool:
    """Return True if two entries cannot share a key, since both would be active in the same widget."""
    local = isinstance(entry, LocalKey), isinstance(other, LocalKey)
    if all(local):
        assert isinstance(entry, LocalKey) and isinstance(other, LocalKey)  # noqa: PT018 - for mypy
        if entry.group is not other.group:
            # Keys pressed while typing are handled before all others.
            return LocalGroup.MOVING in (entry.group, other.group) and LocalGroup.TYPING not in (
                entry.group,
                other.group,
            )
        return not (entry.where and other.where and entry.where != other.where)
    if any(local):
        # Lists of objects and rows of forms are no part of a page or panel, but keys that move are the same everywhere.
        # Keys of dialogs clash with no action: a dialog has the screen for itself.
        known, action = (entry, other) if isinstance(entry, LocalKey) else (other, entry)
        assert isinstance(known, LocalKey) and isinstance(action, Action)  # noqa: PT018
        if known.group in (LocalGroup.DIALOG, LocalGroup.TYPING):
            return False
        return not action.where or known.group is LocalGroup.MOVING
    assert isinstance(entry, Action) and isinstance(other, Action)  # noqa: PT018
    if entry.where and other.where:
        return entry.where == other.where
    # A page may have its own action for a key of a general action if both have the same label.
    return bool(entry.where == other.where) or entry.label != other.label


def footer_line(registry: KeyRegistry, now: ActionContext, cells: int) -> Line:
    """Return key and label of each action that fits, help always last; while a text is typed, how to end that."""
    if now.typing:
        return (Span(" "), *_TYPING)
    entries = [_entry(action, now) for action in registry.footer(now) if action.key(on_text=now.on_text)]
    spaced, close = (_row(entries, cells, gap) for gap in _GAPS)
    return close if len(close) > len(spaced) else spaced


def _row(entries: list[Line], cells: int, gap: str) -> Line:
    """Return the entries that fit with `gap` between them, and the last one."""
    *others, last = entries
    room = cells - width(last) - 1
    spans: list[Span] = []
    for entry in others:
        if width(spans) + width(entry) + len(gap) > room:
            break
        spans.extend((*entry, Span(gap)))
    return (Span(" "), *spans, *last)


_GAPS = ("   ", "  ")
"""Gaps between entries: the narrow one is used only if more entries fit with it."""
_TYPING: Line = (
    Span("Enter", TextRole.ACCENT), Span(" keep   "), Span("Esc", TextRole.ACCENT), Span(" leave   "),
    Span("what is typed is text", TextRole.DIM),
)  # fmt: skip


def _entry(action: Action, now: ActionContext) -> Line:
    possible = action.disabled_reason(now) is None
    click = f"screen.do('{action.id}')"
    return (
        Span(action.key(on_text=now.on_text), TextRole.ACCENT if possible else TextRole.FAINT, click),
        Span(f" {action.label}", TextRole.PLAIN if possible else TextRole.FAINT, click),
    )
