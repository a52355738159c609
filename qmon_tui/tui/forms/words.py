"""Sentences that a form shows about the focused field; no Textual here."""

from collections.abc import Sequence
from textwrap import wrap

from qmon_tui.tui.forms.editors import QUICK_CHOICES, Editor
from qmon_tui.tui.forms.view import FieldView
from qmon_tui.tui.present.spans import Line, Span, TextRole, line, width

_KEYS = {
    Editor.TEXT: ("Enter edit",),
    Editor.TIME: ("Enter edit", "Space helper"),
    Editor.MEMORY: ("Enter edit", "Space helper"),
    Editor.LIST: ("Enter pick", "t text"),
    Editor.FLAGS: ("Enter pick", "t text"),
    Editor.ENTRIES: ("Enter table", "t text"),
    Editor.SUBORDINATES: ("Enter table", "t text"),
    Editor.LINES: ("Enter edit",),
}
_TYPING = ("Enter keep", "Esc drop", "↑↓ next field")
HELP_LINES = 3
SHORT_TITLES = {
    "Execution": "Exec",
    "Checkpointing": "Ckpt",
    "Thresholds": "Thresh",
    "Parallel environments": "PE",
    "Subordinates": "Subord",
    "User access": "Users",
    "Project access": "Projects",
}
"""Tabs where their full titles do not fit."""


def keys_of(view: FieldView, *, editing: bool) -> tuple[str, ...]:
    """What can be done with a field, each with its key."""
    if editing:
        return (*_TYPING, *(("F4 helper",) if view.editor in (Editor.TIME, Editor.MEMORY) else ()))
    more = ("v per host",) if view.field.per_host else ()
    if view.locked:
        return more
    if view.editor is Editor.CHOICE:
        few = len(view.options or ()) <= QUICK_CHOICES
        keys: tuple[str, ...] = ("Space next", "Enter list") if few else ("Enter list",)
    else:
        keys = _KEYS[view.editor]
        if view.editor is Editor.TEXT and view.field.choices:
            keys = (*keys, "Space list")
    reset = () if not view.resettable else ("⌫ inherit",) if view.overriding else ("⌫ default",)
    return (*keys, *reset, *more)


def key_lines(keys: Sequence[str], cells: int) -> tuple[Line, ...]:
    """Keys side by side, none of them broken over two lines."""
    lines: list[str] = []
    for key in keys:
        if lines and len(lines[-1]) + 3 + len(key) <= cells:
            lines[-1] += f" · {key}"
        else:
            lines.append(key)
    return tuple(line(Span(text, TextRole.DIM)) for text in lines)


def help_lines(view: FieldView, cells: int, *, editing: bool) -> tuple[Line, ...]:
    """One sentence about the field, why it is limited or locked, and its keys, in at most `HELP_LINES` lines."""
    sentences = view.field.help
    if view.locked:
        sentences += f" Fixed: {view.locked}."
    elif view.limited:
        sentences += f" Limited: {view.limited}."
    lines = [line(Span(text, TextRole.PLAIN)) for text in wrap(sentences, max(cells, 20))]
    keys = key_lines(keys_of(view, editing=editing), cells)
    if lines and len(keys) == 1 and width(lines[-1]) + 3 + width(keys[0]) <= cells:
        lines[-1] = (*lines[-1], Span("   "), *keys[0])
    else:
        lines = [*lines[: HELP_LINES - len(keys[:1])], *keys]
    return tuple(lines[:HELP_LINES])
