"""Five themes: few surfaces, thin lines, one accent, and one colour for each `TextRole`."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from rich.style import Style
from textual.app import App
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from qmon_tui.report import TextRole

DEFAULT_THEME = "dark"

_DARK = {
    TextRole.PLAIN: "#d5d8de", TextRole.DIM: "#a0a8b5",
    TextRole.FAINT: "#6b7280", TextRole.STRONG: "#ffffff", TextRole.TITLE: "#aab2c0",
    TextRole.ACCENT: "#7db8f0", TextRole.URGENCY: "#f0a35e", TextRole.TICKETS: "#6fc7b8", TextRole.POSIX: "#a99cf0",
    TextRole.RUNNING: "#84cf7c", TextRole.WAITING: "#e6cf73", TextRole.HELD: "#c99bd6", TextRole.SUSPENDED: "#7fa7c9",
    TextRole.FAILED: "#f07a77", TextRole.MOVED_UP: "#84cf7c", TextRole.MOVED_DOWN: "#f09a77", TextRole.MOVED: "#7db8f0",
    TextRole.ERROR: "#f07a77", TextRole.WARNING: "#e8b45c", TextRole.ADDED: "#84cf7c", TextRole.REMOVED: "#f07a77",
    TextRole.CHANGED: "#7db8f0",
}  # fmt: skip
_LIGHT = {
    TextRole.PLAIN: "#2b2f36", TextRole.DIM: "#4b535f",
    TextRole.FAINT: "#7c838e", TextRole.STRONG: "#000000", TextRole.TITLE: "#4b5463",
    TextRole.ACCENT: "#0b5cad", TextRole.URGENCY: "#a85400", TextRole.TICKETS: "#00736a", TextRole.POSIX: "#5a45c0",
    TextRole.RUNNING: "#1d7a2c", TextRole.WAITING: "#7d6200", TextRole.HELD: "#8a3a9c", TextRole.SUSPENDED: "#33638c",
    TextRole.FAILED: "#b3261e", TextRole.MOVED_UP: "#1d7a2c", TextRole.MOVED_DOWN: "#b04400", TextRole.MOVED: "#0b5cad",
    TextRole.ERROR: "#b3261e", TextRole.WARNING: "#8a5a00", TextRole.ADDED: "#1d7a2c", TextRole.REMOVED: "#b3261e",
    TextRole.CHANGED: "#0b5cad",
}  # fmt: skip
_CONTRAST = {
    TextRole.PLAIN: "#ffffff", TextRole.DIM: "#e0e0e0",
    TextRole.FAINT: "#a8a8a8", TextRole.STRONG: "#ffffff", TextRole.TITLE: "#ffffff",
    TextRole.ACCENT: "#5cd6ff", TextRole.URGENCY: "#ffb000", TextRole.TICKETS: "#40f0d0", TextRole.POSIX: "#c8a8ff",
    TextRole.RUNNING: "#70ff70", TextRole.WAITING: "#ffff60", TextRole.HELD: "#ff9cff", TextRole.SUSPENDED: "#80c8ff",
    TextRole.FAILED: "#ff8080", TextRole.MOVED_UP: "#70ff70", TextRole.MOVED_DOWN: "#ffb000", TextRole.MOVED: "#5cd6ff",
    TextRole.ERROR: "#ff8080", TextRole.WARNING: "#ffd040", TextRole.ADDED: "#70ff70", TextRole.REMOVED: "#ff8080",
    TextRole.CHANGED: "#5cd6ff",
}  # fmt: skip
_TERMINAL = {
    TextRole.PLAIN: "ansi_default", TextRole.DIM: "ansi_default",
    TextRole.FAINT: "ansi_bright_black", TextRole.STRONG: "ansi_default",
    TextRole.TITLE: "ansi_default", TextRole.ACCENT: "ansi_blue", TextRole.URGENCY: "ansi_yellow",
    TextRole.TICKETS: "ansi_cyan", TextRole.POSIX: "ansi_magenta", TextRole.RUNNING: "ansi_green",
    TextRole.WAITING: "ansi_yellow", TextRole.HELD: "ansi_magenta", TextRole.SUSPENDED: "ansi_cyan",
    TextRole.FAILED: "ansi_red", TextRole.MOVED_UP: "ansi_green", TextRole.MOVED_DOWN: "ansi_red",
    TextRole.MOVED: "ansi_blue", TextRole.ERROR: "ansi_red", TextRole.WARNING: "ansi_yellow",
    TextRole.ADDED: "ansi_green", TextRole.REMOVED: "ansi_red", TextRole.CHANGED: "ansi_blue",
}  # fmt: skip

_BOLD = frozenset(
    {TextRole.STRONG, TextRole.TITLE, TextRole.CHANGED, TextRole.MOVED_UP, TextRole.MOVED_DOWN, TextRole.ERROR}
)


def _variables(colours: Mapping[TextRole, str], line: str, background: str, **more: str) -> dict[str, str]:
    named = {name.replace("_", "-"): value for name, value in more.items()}
    shared = {
        "line": line, "scrollbar": line, "scrollbar-hover": colours[TextRole.FAINT],
        "scrollbar-active": colours[TextRole.FAINT],
        "scrollbar-background": background, "scrollbar-background-hover": background,
        "scrollbar-background-active": background, "scrollbar-corner-color": background,
        "text-muted": colours[TextRole.DIM], "text-accent": colours[TextRole.ACCENT],
        "text-error": colours[TextRole.ERROR], "text-warning": colours[TextRole.WARNING],
        "text-success": colours[TextRole.ADDED],
    }  # fmt: skip
    return {f"role-{role}": colour for role, colour in colours.items()} | shared | named


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
            _DARK, line="#333944", background="#14161a", cursor="#2c4562", cursor_blurred="#252a32", hover="#1f242b",
            veil="#0a0b0d 60%", block_cursor_background="#2c4562", block_cursor_foreground="#ffffff",
            block_cursor_text_style="none",
        ),
    ),
    "light": Theme(
        name="light", primary="#0b5cad", secondary="#5c7fa3", accent="#0b5cad", warning="#8a5a00", error="#b3261e",
        success="#1d7a2c", foreground="#2b2f36", background="#fbfbfa", surface="#f2f3f4", panel="#e8eaed", dark=False,
        variables=_variables(
            _LIGHT, line="#c8ccd2", background="#fbfbfa", cursor="#cfe2f7", cursor_blurred="#e6e9ed", hover="#eef1f4",
            veil="#8a8f98 50%", block_cursor_background="#cfe2f7", block_cursor_foreground="#000000",
            block_cursor_text_style="none",
        ),
    ),
    "high-contrast": Theme(
        name="high-contrast", primary="#5cd6ff", secondary="#ffffff", accent="#5cd6ff", warning="#ffd040",
        error="#ff8080", success="#70ff70", foreground="#ffffff", background="#000000", surface="#000000",
        panel="#1c1c1c", text_alpha=1.0,
        variables=_variables(
            _CONTRAST, line="#ffffff", background="#000000", cursor="#003a66", cursor_blurred="#333333",
            hover="#222222", veil="#000000 70%", block_cursor_background="#5cd6ff", block_cursor_foreground="#000000",
        ),
    ),
    "ansi-dark": _terminal(
        "ansi-dark", "ansi-dark", line="ansi_bright_black", background="ansi_default", cursor="ansi_blue",
        cursor_blurred="ansi_default", hover="ansi_default", veil="ansi_default",
    ),
    "ansi-light": _terminal(
        "ansi-light", "ansi-light", line="ansi_white", background="ansi_default", cursor="ansi_cyan",
        cursor_blurred="ansi_default", hover="ansi_default", veil="ansi_default",
    ),
})  # fmt: skip

_role_styles: dict[str, Mapping[TextRole, Style]] = {}


def role_styles(app: App[Any]) -> Mapping[TextRole, Style]:
    """Return the style of each role in the current theme, without a background, as the cursor's line has its own."""
    if app.theme not in _role_styles:
        colours = THEMES[app.theme].variables
        # Without colours FAINT is drawn dim by the terminal: a disabled key has no other sign.
        faint = {TextRole.FAINT} if app.no_color else frozenset[TextRole]()
        _role_styles[app.theme] = MappingProxyType(
            {
                role: Style(
                    color=Color.parse(colours[f"role-{role}"]).rich_color,
                    bold=role in _BOLD,
                    dim=True if role in faint else None,
                )
                for role in TextRole
            }
        )
    return _role_styles[app.theme]
