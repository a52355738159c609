"""Five themes of one quiet language: few surfaces, thin lines, one accent, and one colour for each idea."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from rich.style import Style
from textual.app import App
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from qmon_tui.tui.present.spans import Idea

DEFAULT = "dark"

_DARK = {
    Idea.PLAIN: "#d5d8de", Idea.DIM: "#838b99", Idea.STRONG: "#ffffff", Idea.TITLE: "#aab2c0",
    Idea.ACCENT: "#7db8f0", Idea.URGENCY: "#f0a35e", Idea.TICKETS: "#6fc7b8", Idea.POSIX: "#a99cf0",
    Idea.RUNNING: "#84cf7c", Idea.WAITING: "#e6cf73", Idea.HELD: "#c99bd6", Idea.SUSPENDED: "#7fa7c9",
    Idea.FAILED: "#f07a77", Idea.MOVED_UP: "#84cf7c", Idea.MOVED_DOWN: "#f09a77", Idea.MOVED: "#7db8f0",
    Idea.ERROR: "#f07a77", Idea.WARNING: "#e8b45c", Idea.ADDED: "#84cf7c", Idea.REMOVED: "#f07a77",
    Idea.CHANGED: "#7db8f0",
}  # fmt: skip
_LIGHT = {
    Idea.PLAIN: "#2b2f36", Idea.DIM: "#6a7280", Idea.STRONG: "#000000", Idea.TITLE: "#4b5463",
    Idea.ACCENT: "#0b5cad", Idea.URGENCY: "#a85400", Idea.TICKETS: "#00736a", Idea.POSIX: "#5a45c0",
    Idea.RUNNING: "#1d7a2c", Idea.WAITING: "#7d6200", Idea.HELD: "#8a3a9c", Idea.SUSPENDED: "#33638c",
    Idea.FAILED: "#b3261e", Idea.MOVED_UP: "#1d7a2c", Idea.MOVED_DOWN: "#b04400", Idea.MOVED: "#0b5cad",
    Idea.ERROR: "#b3261e", Idea.WARNING: "#8a5a00", Idea.ADDED: "#1d7a2c", Idea.REMOVED: "#b3261e",
    Idea.CHANGED: "#0b5cad",
}  # fmt: skip
_CONTRAST = {
    Idea.PLAIN: "#ffffff", Idea.DIM: "#c8c8c8", Idea.STRONG: "#ffffff", Idea.TITLE: "#ffffff",
    Idea.ACCENT: "#5cd6ff", Idea.URGENCY: "#ffb000", Idea.TICKETS: "#40f0d0", Idea.POSIX: "#c8a8ff",
    Idea.RUNNING: "#70ff70", Idea.WAITING: "#ffff60", Idea.HELD: "#ff9cff", Idea.SUSPENDED: "#80c8ff",
    Idea.FAILED: "#ff8080", Idea.MOVED_UP: "#70ff70", Idea.MOVED_DOWN: "#ffb000", Idea.MOVED: "#5cd6ff",
    Idea.ERROR: "#ff8080", Idea.WARNING: "#ffd040", Idea.ADDED: "#70ff70", Idea.REMOVED: "#ff8080",
    Idea.CHANGED: "#5cd6ff",
}  # fmt: skip
_TERMINAL = {
    Idea.PLAIN: "ansi_default", Idea.DIM: "ansi_bright_black", Idea.STRONG: "ansi_default",
    Idea.TITLE: "ansi_default", Idea.ACCENT: "ansi_blue", Idea.URGENCY: "ansi_yellow",
    Idea.TICKETS: "ansi_cyan", Idea.POSIX: "ansi_magenta", Idea.RUNNING: "ansi_green",
    Idea.WAITING: "ansi_yellow", Idea.HELD: "ansi_magenta", Idea.SUSPENDED: "ansi_cyan",
    Idea.FAILED: "ansi_red", Idea.MOVED_UP: "ansi_green", Idea.MOVED_DOWN: "ansi_red",
    Idea.MOVED: "ansi_blue", Idea.ERROR: "ansi_red", Idea.WARNING: "ansi_yellow",
    Idea.ADDED: "ansi_green", Idea.REMOVED: "ansi_red", Idea.CHANGED: "ansi_blue",
}  # fmt: skip

_BOLD = frozenset({Idea.STRONG, Idea.TITLE, Idea.CHANGED, Idea.MOVED_UP, Idea.MOVED_DOWN, Idea.ERROR})


def _variables(ideas: Mapping[Idea, str], line: str, ground: str, **more: str) -> dict[str, str]:
    named = {name.replace("_", "-"): value for name, value in more.items()}
    shared = {
        "line": line, "scrollbar": line, "scrollbar-hover": ideas[Idea.DIM], "scrollbar-active": ideas[Idea.DIM],
        "scrollbar-background": ground, "scrollbar-background-hover": ground, "scrollbar-background-active": ground,
        "scrollbar-corner-color": ground,
        "text-muted": ideas[Idea.DIM], "text-accent": ideas[Idea.ACCENT], "text-error": ideas[Idea.ERROR],
        "text-warning": ideas[Idea.WARNING], "text-success": ideas[Idea.ADDED],
    }  # fmt: skip
    return {f"idea-{idea}": colour for idea, colour in ideas.items()} | shared | named


def _terminal(name: str, like: str, **more: str) -> Theme:
    base = BUILTIN_THEMES[like]
    return Theme(
        name=name, ansi=True, dark=base.dark, primary=base.primary, secondary=base.secondary, warning=base.warning,
        error=base.error, success=base.success, accent="ansi_blue", foreground=base.foreground,
        background=base.background, surface=base.surface, panel=base.panel, boost=base.boost,
        variables=base.variables | _variables(_TERMINAL, **more),
    )  # fmt: skip


THEMES: Mapping[str, Theme] = MappingProxyType({
    "dark": Theme(
        name="dark", primary="#7db8f0", secondary="#5c7fa3", accent="#7db8f0", warning="#e8b45c", error="#f07a77",
        success="#84cf7c", foreground="#d5d8de", background="#14161a", surface="#1a1d22", panel="#22262d",
        variables=_variables(
            _DARK, line="#333944", ground="#14161a", cursor="#2c4562", cursor_blurred="#252a32", hover="#1f242b",
            veil="#0a0b0d 60%", block_cursor_background="#2c4562", block_cursor_foreground="#ffffff",
            block_cursor_text_style="none",
        ),
    ),
    "light": Theme(
        name="light", primary="#0b5cad", secondary="#5c7fa3", accent="#0b5cad", warning="#8a5a00", error="#b3261e",
        success="#1d7a2c", foreground="#2b2f36", background="#fbfbfa", surface="#f2f3f4", panel="#e8eaed", dark=False,
        variables=_variables(
            _LIGHT, line="#c8ccd2", ground="#fbfbfa", cursor="#cfe2f7", cursor_blurred="#e6e9ed", hover="#eef1f4",
            veil="#8a8f98 50%", block_cursor_background="#cfe2f7", block_cursor_foreground="#000000",
            block_cursor_text_style="none",
        ),
    ),
    "high-contrast": Theme(
        name="high-contrast", primary="#5cd6ff", secondary="#ffffff", accent="#5cd6ff", warning="#ffd040",
        error="#ff8080", success="#70ff70", foreground="#ffffff", background="#000000", surface="#000000",
        panel="#1c1c1c", text_alpha=1.0,
        variables=_variables(
            _CONTRAST, line="#ffffff", ground="#000000", cursor="#003a66", cursor_blurred="#333333", hover="#222222",
            veil="#000000 70%", block_cursor_background="#5cd6ff", block_cursor_foreground="#000000",
        ),
    ),
    "ansi-dark": _terminal(
        "ansi-dark", "ansi-dark", line="ansi_bright_black", ground="ansi_default", cursor="ansi_blue",
        cursor_blurred="ansi_default", hover="ansi_default", veil="ansi_default",
    ),
    "ansi-light": _terminal(
        "ansi-light", "ansi-light", line="ansi_white", ground="ansi_default", cursor="ansi_cyan",
        cursor_blurred="ansi_default", hover="ansi_default", veil="ansi_default",
    ),
})  # fmt: skip

_looks: dict[str, Mapping[Idea, Style]] = {}


def looks(app: App[Any]) -> Mapping[Idea, Style]:
    """How each idea looks in the current theme; without a background, so that it can lie on a cursor line."""
    if app.theme not in _looks:
        colours = THEMES[app.theme].variables
        # Without colours what is dim is drawn so by the terminal: a key that is not possible now has no other sign.
        faint = {Idea.DIM} if app.no_color else frozenset[Idea]()
        _looks[app.theme] = MappingProxyType(
            {
                idea: Style(
                    color=Color.parse(colours[f"idea-{idea}"]).rich_color,
                    bold=idea in _BOLD,
                    dim=True if idea in faint else None,
                )
                for idea in Idea
            }
        )
    return _looks[app.theme]
