"""Declared actions: id, keys, label, handler, and the reasons that disable them.

An action is declared once, above the function that does it:

    @JOBS.action("hold", "W", text="Let it wait, or no longer", dangerous=True, footer=HERE)
    def _hold(view: "JobsView") -> None:
        ...

Registry, footer, help, palette, the keys file and the tables of the README are made from these declarations. Modules
with actions are imported before the first frame, so they import whole modules, which are loaded at their first use.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Generic, TypeVar

from qmon_tui.tui.keys.action_context import WRITABLE, ActionContext, Need, Pane, unmet_need


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
    """One thing the user can do. A letter has the same label everywhere, whatever it is applied to."""

    id: str
    keys: tuple[str, ...]
    """Textual's key names; the first is shown."""
    label: str
    """One or two words for the footer."""
    description: str
    group: Group = Group.HERE
    needs: tuple[Need, ...] = ()
    dangerous: bool = False
    """True if it changes or deletes something: it is disabled in read-only mode."""
    footer: tuple[Pane, ...] = ()
    """The panes in whose footer it is shown, in the order of the registry."""
    where: str = ""
    """Id of its page or panel, set by its ActionSet; empty for a general action."""

    def disabled_reason(self, now: ActionContext) -> str | None:
        """Return a sentence if the action is impossible now, else None."""
        if self.where and self.where != now.here:
            return f"This works in {self.where}: go there first."
        needs = (WRITABLE, *self.needs) if self.dangerous else self.needs
        # An addition does not change the chosen rows, so that rights on them do not matter.
        is_on_rows = self.dangerous and self.where == now.page and self.id != f"{self.where}.add"
        return unmet_need(needs, now) or now.refusal(self.id) or (is_on_rows and now.rights_refusal) or None

    def key(self, *, on_text: bool = False) -> str:
        """Return the first key as people write it; with `on_text`, the first that types no text; "" without one."""
        return next((shown_key(key) for key in self.keys if not (on_text and begins_text(key))), "")


Host = TypeVar("Host")
"""The screen, page or panel that actions belong to."""
Refusal = Callable[[Host], str | None]
"""Function that returns a sentence if an action is impossible now, else None; quick, as each footer calls it."""


@dataclass(frozen=True)
class BoundActions:
    """The actions of one screen, page or panel, bound to it."""

    ids: frozenset[str]
    run: Callable[[str], None]
    """Runs the action of an id, without a check whether it is possible."""
    refusal: Callable[[str], str | None]
    """Action id -> sentence why it is impossible now; None if it is possible, or belongs to another view."""


NO_ACTIONS = BoundActions(frozenset(), lambda _: None, lambda _: None)


class ActionSet(Generic[Host]):
    """Actions of a page or panel, or general actions of the screen, in the order of help."""

    def __init__(self, where: str = "", group: Group = Group.HERE) -> None:
        self.group = group
        """Heading of actions that are declared without one."""
        self.where = where
        """Id of the page or panel, which is the prefix of its actions' ids; empty for general actions."""
        self._declared: dict[str, tuple[Action, Callable[[Host], None], Refusal[Host] | None]] = {}

    @property
    def actions(self) -> tuple[Action, ...]:
        """All actions declared until now."""
        return tuple(action for action, _, _ in self._declared.values())

    def action(
        self,
        name: str,
        *keys: str,
        text: str,
        label: str = "",
        group: Group | None = None,
        needs: tuple[Need, ...] = (),
        refused: Refusal[Host] | None = None,
        dangerous: bool = False,
        footer: tuple[Pane, ...] = (),
    ) -> Callable[[Callable[[Host], None]], Callable[[Host], None]]:
        """Declare the decorated function as an action; the arguments are described in `Action`.

        Without a `label` the name is the label. `needs` are conditions on facts of the screen; `refused` decides by
        facts that only the page or panel knows.
        """
        id_ = f"{self.where}.{name}" if self.where else name
        action = Action(
            id_, keys, label or name.replace("-", " "), text, group or self.group, needs, dangerous, footer, self.where
        )
        if id_ in self._declared:
            raise ValueError(f"the action {id_} is declared twice")

        def declare(run: Callable[[Host], None]) -> Callable[[Host], None]:
            self._declared[id_] = (action, run, refused)
            return run

        return declare

    def raise_and_lower(
        self, what: str, refused: Refusal[Host], footer: tuple[Pane, ...]
    ) -> Callable[[Callable[[Host, int], None]], None]:
        """Declare the decorated function as two actions: + calls it with 1 and raises `what`, - calls it with -1."""

        def declare(step: Callable[[Host, int], None]) -> None:
            action = partial(self.action, refused=refused, dangerous=True, footer=footer)
            action("more", "plus", text=f"Raise {what}")(lambda host: step(host, 1))
            action("less", "minus", text=f"Lower {what}")(lambda host: step(host, -1))

        return declare

    def __or__(self, other: "ActionSet[Host]") -> "ActionSet[Host]":
        joined: ActionSet[Host] = ActionSet(self.where)
        joined._declared = self._declared | other._declared
        return joined

    def of(self, host: Host) -> BoundActions:
        def run(id_: str) -> None:
            self._declared[id_][1](host)

        def refusal(id_: str) -> str | None:
            refused = self._declared[id_][2] if id_ in self._declared else None
            return refused(host) if refused is not None else None

        return BoundActions(frozenset(self._declared), run, refusal)


_SHOWN = {
    "slash": "/",
    "question_mark": "?",
    "number_sign": "#",
    "semicolon": ";",
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
    "left_curly_bracket": "{",
    "right_curly_bracket": "}",
    "at": "@",
    "backspace": "⌫",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "tab": "Tab",
    "shift+tab": "⇧Tab",
}


def shown_key(key: str) -> str:
    """Return a key name as people write it: `ctrl+s` is `^s`, `slash` is `/`."""
    if key in _SHOWN:
        return _SHOWN[key]
    if key.startswith("ctrl+"):
        return "^" + key.removeprefix("ctrl+")
    if key.startswith("shift+"):
        return "⇧" + shown_key(key.removeprefix("shift+"))
    return key.upper() if key[:1] == "f" and key[1:].isdigit() else key


COMMAND_CHARACTERS = " ?:,."
"""Characters that are keys even if typing begins an edit: no value begins with them."""


def begins_text(key: str) -> bool:
    """Return True if a key, by Textual's name, is a character with which a value may begin."""
    character = _SHOWN.get(key, key)
    return len(character) == 1 and character.isascii() and character not in COMMAND_CHARACTERS


def shown_keys(keys: Sequence[str]) -> str:
    """Return several keys as people write them, with blanks between them."""
    return " ".join(shown_key(key) for key in keys)


_NAMED = {shown.casefold(): key for key, shown in _SHOWN.items()} | {key: key for key in _SHOWN}
_NAMED |= {"del": "delete", "return": "enter", "esc": "escape", "pgup": "pageup", "pgdn": "pagedown"}
_NAMED |= {
    key: key for key in ("pageup", "pagedown", "home", "end", "insert", *(f"f{number}" for number in range(1, 13)))
}
_MODIFIERS = ("ctrl+", "shift+", "alt+")


_LONGEST = 40
"""Largest number of characters of a key as people write it, with all modifiers."""


def key_named(text: str) -> str | None:
    """Return Textual's name of a key as people write it: `^s` and `Ctrl+S` are `ctrl+s`, `/` is `slash`.

    A single character is that key, capitals included. None if the text is no key.
    """
    text = text.strip()
    if len(text) > _LONGEST:
        return None
    if len(text) == 1:
        return _NAMED.get(text, text) if text.isprintable() and not text.isspace() else None
    lower = text.casefold()
    if lower in _NAMED:
        return _NAMED[lower]
    if lower.startswith("^") and len(lower) > 1:
        lower = f"ctrl+{lower[1:]}"
    if lower.startswith("⇧"):
        lower = f"shift+{lower[1:]}"
    for modifier in _MODIFIERS:
        if lower.startswith(modifier):
            rest = key_named(lower.removeprefix(modifier))
            return modifier + rest if rest else None
    return None
