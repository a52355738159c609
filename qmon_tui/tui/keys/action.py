"""What an action is: its keys, its words, and the reasons for which it is not possible now."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from qmon_tui.tui.keys.action_context import ActionContext, Pane, Requirement, unmet_requirement


class Group(StrEnum):
    """Headings of the help list."""

    HERE = "Here"
    OBJECTS = "Objects"
    CHANGES = "Changes"
    LIVE = "Live schedule"
    VIEW = "View"
    PROGRAM = "Program"


@dataclass(frozen=True, slots=True)
class Action:
    """One thing the user can do. A letter means the same everywhere: the same label, whatever it is applied to."""

    id: str
    keys: tuple[str, ...]
    """Textual's key names; the first is shown."""
    label: str
    """One or two words for the footer."""
    description: str
    group: Group = Group.HERE
    needs: tuple[Requirement, ...] = ()
    dangerous: bool = False
    """Changes the configuration or throws something away: never possible in read-only mode."""
    footer: tuple[Pane, ...] = ()
    """The panes in whose footer it is shown, in the order of the registry."""
    where: str = ""
    """The place or panel that it belongs to, set by the registry; empty for what is the same everywhere."""

    def disabled_reason(self, now: ActionContext) -> str | None:
        """Why it is not possible now, as a sentence; None where it is."""
        if self.where and self.where != now.here:
            return f"This belongs to {self.where}: go there first."
        needs = (Requirement.WRITABLE, *self.needs) if self.dangerous else self.needs
        return unmet_requirement(needs, now) or now.refusals.get(self.id)

    @property
    def key(self) -> str:
        """The first key as people write it, empty where there is none."""
        return shown_key(self.keys[0]) if self.keys else ""


_SHOWN = {
    "slash": "/",
    "question_mark": "?",
    "colon": ":",
    "escape": "Esc",
    "enter": "Enter",
    "space": "Space",
    "tilde": "~",
    "delete": "Del",
    "comma": ",",
    "full_stop": ".",
    "greater_than_sign": ">",
    "less_than_sign": "<",
    "equals_sign": "=",
    "plus": "+",
    "minus": "-",
    "percent_sign": "%",
    "asterisk": "*",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "backspace": "⌫",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "tab": "Tab",
    "shift+tab": "⇧Tab",
}


def shown_key(key: str) -> str:
    """A key name as people write it: `ctrl+s` is `^s`, `slash` is `/`."""
    if key in _SHOWN:
        return _SHOWN[key]
    if key.startswith("ctrl+"):
        return "^" + key.removeprefix("ctrl+")
    if key.startswith("shift+"):
        return "⇧" + shown_key(key.removeprefix("shift+"))
    return key.upper() if key[:1] == "f" and key[1:].isdigit() else key


def shown_keys(keys: Sequence[str]) -> str:
    """Some keys as people write them, side by side."""
    return " ".join(shown_key(key) for key in keys)


_NAMED = {shown.casefold(): key for key, shown in _SHOWN.items()} | {key: key for key in _SHOWN}
_NAMED |= {"del": "delete", "return": "enter", "esc": "escape", "pgup": "pageup", "pgdn": "pagedown"}
_NAMED |= {
    key: key for key in ("pageup", "pagedown", "home", "end", "insert", *(f"f{number}" for number in range(1, 13)))
}
_MODIFIERS = ("ctrl+", "shift+", "alt+")


def key_named(text: str) -> str | None:
    """Textual's name of a key as people write it: `^s` and `Ctrl+S` are `ctrl+s`, `/` is `slash`; None for none.

    A single character is that key, capitals included.
    """
    text = text.strip()
    if len(text) == 1:
        return _NAMED.get(text, text) if text.isprintable() and not text.isspace() else None
    lower = text.casefold()
    if lower in _NAMED:
        return _NAMED[lower]
    if lower.startswith("^") and len(lower) == 2:
        return f"ctrl+{lower[1]}"
    if lower.startswith("⇧"):
        lower = f"shift+{lower[1:]}"
    for modifier in _MODIFIERS:
        if lower.startswith(modifier):
            rest = key_named(lower.removeprefix(modifier))
            return modifier + rest if rest else None
    return None
