"""The bottom line: keys and labels of the actions that matter here."""

from qmon_tui.report import Line, Span, TextRole, width
from qmon_tui.tui.keys.action import Action
from qmon_tui.tui.keys.action_context import ActionContext
from qmon_tui.tui.keys.key_registry import KeyRegistry


def footer_line(registry: KeyRegistry, now: ActionContext, cells: int) -> Line:
    """Key and label of each action that fits; the last one, help, is always there. While a text is typed, its end."""
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
"""Closer together only where more of them fit then."""
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
