"""Every action of the main screen, once: keys, footer, help, command palette and disabled reasons are read here."""

from dataclasses import dataclass
from enum import StrEnum

from qmon_tui.tui.situation import Need, Pane, Situation, unmet


class Group(StrEnum):
    """Headings of the help list."""

    OBJECTS = "Objects"
    CHANGES = "Changes"
    LIVE = "Live schedule"
    VIEW = "View"
    PROGRAM = "Program"


@dataclass(frozen=True, slots=True)
class Action:
    """One thing the user can do. A letter means the same everywhere."""

    id: str
    keys: tuple[str, ...]
    """Textual's key names; the first is shown."""
    label: str
    """One or two words for the footer."""
    description: str
    group: Group
    needs: tuple[Need, ...] = ()
    dangerous: bool = False
    """Changes the configuration or throws something away: never possible in read-only mode."""
    footer: tuple[Pane, ...] = ()
    """The panes in whose footer it is shown, in the order of the registry."""

    def disabled_reason(self, now: Situation) -> str | None:
        """Why it is not possible now, as a sentence; None where it is."""
        needs = (Need.WRITABLE, *self.needs) if self.dangerous else self.needs
        return unmet(needs, now)

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
    "delete": "Del",
    "comma": ",",
    "full_stop": ".",
    "greater_than_sign": ">",
    "less_than_sign": "<",
    "equals_sign": "=",
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
    return key.upper() if key[:1] == "f" and key[1:].isdigit() else key


_EVERYWHERE = (Pane.KINDS, Pane.LIST, Pane.FORM, Pane.LIVE)

ACTIONS: tuple[Action, ...] = (
    Action("edit", ("e",), "edit", "Edit the chosen object in its form", Group.OBJECTS,
           (Need.OBJECT,), footer=(Pane.LIST,)),
    Action("add", ("a",), "add", "Add an object of this kind", Group.OBJECTS,
           (Need.MANY,), dangerous=True, footer=(Pane.LIST, Pane.KINDS)),
    Action("clone", ("c",), "clone", "Add a copy of the chosen object under another name", Group.OBJECTS,
           (Need.MANY, Need.OBJECT), dangerous=True),
    Action("rename", ("n", "f2"), "rename", "Give the chosen object another name", Group.OBJECTS,
           (Need.MANY, Need.OBJECT), dangerous=True),
    Action("delete", ("d", "delete"), "delete", "Delete the chosen object, after asking", Group.OBJECTS,
           (Need.MANY, Need.OBJECT), dangerous=True, footer=(Pane.LIST,)),
    Action("revert", ("x",), "revert", "Set the chosen object back to what was saved", Group.OBJECTS,
           (Need.OBJECT, Need.OBJECT_CHANGED), dangerous=True),
    Action("load", ("L",), "load", "Load the complexes from a file as qconf -sc prints them", Group.OBJECTS,
           (Need.COMPLEXES,), dangerous=True),
    Action("export", ("E",), "export", "Write the complexes to a file as qconf -sc prints them", Group.OBJECTS,
           (Need.COMPLEXES,)),
    Action("filter", ("slash",), "filter", "Show only the rows that contain a text", Group.OBJECTS,
           footer=(Pane.LIST, Pane.LIVE)),
    Action("undo", ("u", "ctrl+z"), "undo", "Take the last edit back", Group.CHANGES,
           (Need.UNDO,), dangerous=True, footer=_EVERYWHERE),
    Action("redo", ("U", "ctrl+y"), "redo", "Make the edit again that was taken back", Group.CHANGES,
           (Need.REDO,), dangerous=True),
    Action("save", ("s", "ctrl+s"), "save", "Show the difference, then save it", Group.CHANGES,
           (Need.CHANGES,), dangerous=True, footer=_EVERYWHERE),
    Action("findings", ("f", "f8"), "findings", "List all findings; Enter jumps to the field", Group.CHANGES,
           (Need.FINDINGS,), footer=(Pane.FORM,)),
    Action("reload", ("r", "f5"), "reload", "Read the folder again; with unsaved edits: merge, reload or keep",
           Group.CHANGES),
    Action("why", ("w",), "why", "Everything about the chosen job: its priority term by term and why it waits",
           Group.LIVE, (Need.JOB,), footer=(Pane.LIVE,)),
    Action("formulas", ("F",), "formulas",
           "Compute priorities by other formulas, for comparison: these are not Grid Engine's", Group.LIVE),
    Action("lower", ("i",), "instances", "Switch between the chosen job and the queue instances", Group.LIVE,
           footer=(Pane.LIVE,)),
    Action("kinds", ("1",), "kinds", "Go to the kinds of object", Group.VIEW),
    Action("objects", ("2",), "objects", "Go to the list of objects", Group.VIEW, footer=(Pane.KINDS, Pane.LIVE)),
    Action("live", ("3",), "live", "Go to the live schedule", Group.VIEW,
           footer=(Pane.LIST, Pane.KINDS, Pane.FORM)),
    Action("zoom", ("z",), "zoom", "Give the whole screen to this pane, or take it back", Group.VIEW,
           footer=(Pane.LIVE,)),
    Action("back", ("escape",), "back", "Leave the form, clear the filter, or end the zoom", Group.VIEW,
           footer=(Pane.FORM,)),
    Action("copy", ("y",), "copy", "Copy the chosen row to the clipboard", Group.VIEW),
    Action("theme", ("T",), "theme", "Next theme: dark, light, high contrast, terminal colours", Group.VIEW),
    Action("redraw", ("R", "ctrl+l"), "redraw", "Draw the screen again", Group.VIEW),
    Action("palette", ("colon", "ctrl+p"), "go to", "Go to any object or action by name", Group.PROGRAM),
    Action("help", ("question_mark", "f1"), "help", "What can be done here, with its keys", Group.PROGRAM,
           footer=_EVERYWHERE),
    Action("about", (), "about", "Version, cluster folder and where things are kept", Group.PROGRAM),
    Action("quit", ("q", "ctrl+q"), "quit", "Leave, asking first if there are unsaved edits", Group.PROGRAM),
)  # fmt: skip

BY_ID: dict[str, Action] = {action.id: action for action in ACTIONS}


def footer_actions(now: Situation) -> tuple[Action, ...]:
    """The actions of the footer of the focused pane, in the order of the registry."""
    return tuple(action for action in ACTIONS if now.pane in action.footer)
