"""Declarations of the keys of lists, texts, forms and dialogs; the widgets handle them."""

from dataclasses import dataclass
from enum import StrEnum


class LocalGroup(StrEnum):
    """Headings of the help list."""

    MOVING = "Moving"
    LIST = "In lists"
    FORM = "In forms"
    DIALOG = "In dialogs"
    TYPING = "While typing"


@dataclass(frozen=True, slots=True)
class LocalKey:
    """Keys with the same effect in the focused widget."""

    id: str
    keys: tuple[str, ...]
    """Textual's key names; the first is shown."""
    description: str
    group: LocalGroup = LocalGroup.MOVING
    where: str = ""
    """Dialogs that have it; local keys of other dialogs may share its keys. Empty for all of the group."""


LOCAL_KEYS = (
    LocalKey("up", ("up", "k"), "One row up"),
    LocalKey("down", ("down", "j"), "One row down"),
    LocalKey("page-up", ("pageup", "ctrl+u"), "One page up"),
    LocalKey("page-down", ("pagedown", "ctrl+d"), "One page down"),
    LocalKey("first", ("home", "g"), "First row"),
    LocalKey("last", ("end", "G"), "Last row"),
    LocalKey("open", ("enter",), "Open the item under the cursor; in a form: edit the value"),
    LocalKey("sort-next", ("greater_than_sign",), "Sort by the next column", LocalGroup.LIST),
    LocalKey("sort-before", ("less_than_sign",), "Sort by the column before", LocalGroup.LIST),
    LocalKey("sort-reverse", ("equals_sign",), "Reverse the order", LocalGroup.LIST),
    LocalKey("queue-left", ("left", "h"), "On the map: the queue to the left", LocalGroup.LIST),
    LocalKey("queue-right", ("right", "l"), "On the map: the queue to the right", LocalGroup.LIST),
    LocalKey("tab-before", ("left", "h"), "The tab before", LocalGroup.FORM),
    LocalKey("tab-next", ("right", "l"), "The next tab", LocalGroup.FORM),
    LocalKey("pick", ("space",), "Next choice; helper for times and memory; list of usual values", LocalGroup.FORM),
    LocalKey("edit-text", ("t", "f3"), "Edit the text of the file, with the values per host", LocalGroup.FORM),
    LocalKey("reset", ("delete", "backspace"), "Back to the default or the inherited value", LocalGroup.FORM),
    LocalKey("spread", ("Y", "f7"), "Copy this value to other objects of the kind, as one edit", LocalGroup.FORM),
    LocalKey("effective", ("v", "f6"), "The value of every queue instance and where it comes from", LocalGroup.FORM),
    LocalKey("host-before", ("comma",), "Values for the host or group before", LocalGroup.FORM),
    LocalKey("host-next", ("full_stop",), "Values for the next host or group", LocalGroup.FORM),
    LocalKey("host-pick", ("o", "f9"), "Values for any host or @hostgroup", LocalGroup.FORM),
    LocalKey("dialog.leave", ("escape",), "Cancel without a change", LocalGroup.DIALOG),
    LocalKey("dialog.done", ("enter",), "Accept; close what only shows something", LocalGroup.DIALOG),
    LocalKey("dialog.close", ("q",), "Close what only shows something", LocalGroup.DIALOG),
    LocalKey("dialog.search", ("slash",), "Search in a text that is shown; again: the next place", LocalGroup.DIALOG),
    LocalKey("dialog.copy", ("y",), "Copy a text that is shown", LocalGroup.DIALOG),
    LocalKey("dialog.write", ("w",), "Write a script that is shown to a file", LocalGroup.DIALOG, "script"),
    LocalKey("dialog.accept", ("f2", "ctrl+s"), "Accept a text of several lines, a rule, a job", LocalGroup.DIALOG),
    LocalKey("dialog.left", ("left", "h"), "Left: the side, the column; take yours", LocalGroup.DIALOG),
    LocalKey("dialog.right", ("right", "l"), "Right: the side, the column; take theirs",
             LocalGroup.DIALOG),
    LocalKey("answer.before", ("left", "up"), "The answer before", LocalGroup.DIALOG, "answers"),
    LocalKey("answer.next", ("right", "down"), "The next answer", LocalGroup.DIALOG, "answers"),
    LocalKey("dialog.tick", ("space",), "Add or remove a name, show or hide a column", LocalGroup.DIALOG),
    LocalKey("dialog.all", ("ctrl+a",), "All names in sight to the other side", LocalGroup.DIALOG),
    LocalKey("dialog.earlier", ("shift+up", "less_than_sign"), "Move it up in the order", LocalGroup.DIALOG),
    LocalKey("dialog.later", ("shift+down", "greater_than_sign"), "Move it down in the order", LocalGroup.DIALOG),
    LocalKey("dialog.add", ("ctrl+n", "insert"), "Add a row", LocalGroup.DIALOG, "values"),
    LocalKey("dialog.remove", ("ctrl+r",), "Remove the row", LocalGroup.DIALOG, "values"),
    LocalKey("dialog.switch", ("ctrl+t",), "Switch: added or set, each or together, INFINITY or not",
             LocalGroup.DIALOG, "values"),
    LocalKey("dialog.try", ("ctrl+t",), "Try the job in a scheduling run", LocalGroup.DIALOG, "job"),
    LocalKey("dialog.soften", ("tilde",), "Make this request hard or soft", LocalGroup.DIALOG, "job"),
    LocalKey("why.all", ("a",), "Show all lines of why, or the first ones", LocalGroup.DIALOG, "why"),
    LocalKey("why.derive", ("d",), "Show how each number of a priority is computed", LocalGroup.DIALOG, "why"),
    LocalKey("reference.open", ("f1",), "Show the reference on the finding or the job", LocalGroup.DIALOG),
    LocalKey("finding.file", ("ctrl+e",), "Open the file of the finding at its line in $EDITOR", LocalGroup.DIALOG),
    LocalKey("reference.back", ("backspace",), "Back to the paragraph before", LocalGroup.DIALOG, "reference"),
    LocalKey("reference.page", ("w",), "The whole page of the paragraph", LocalGroup.DIALOG, "reference"),
    LocalKey("typing.up", ("up",), "The row above, the field before, one more", LocalGroup.TYPING),
    LocalKey("typing.down", ("down",), "The row below, the next field, one less", LocalGroup.TYPING),
    LocalKey("typing.page-up", ("pageup",), "Ten rows up", LocalGroup.TYPING),
    LocalKey("typing.page-down", ("pagedown",), "Ten rows down", LocalGroup.TYPING),
    LocalKey("typing.next", ("tab",), "The next field, the other side; complete the typed word", LocalGroup.TYPING),
    LocalKey("typing.before", ("shift+tab",), "The field before, the other side", LocalGroup.TYPING),
    LocalKey("typing.drop", ("escape",), "Cancel the edit", LocalGroup.TYPING),
    LocalKey("typing.helper", ("f4",), "Open the helper for a time or an amount", LocalGroup.TYPING),
)  # fmt: skip

SHARED_KEYS = {
    "delete": ("d", "delete"),
    "filter": ("slash",),
    "mark": ("m",),
    "mark-all": ("A",),
    "undo": ("u", "ctrl+z"),
    "redo": ("U", "ctrl+y"),
    "changes": ("C",),
    "versions": ("V",),
    "findings": ("f", "f8"),
    "why": ("w",),
}
"""Keys of actions of the main screen that dialogs and panels have as well, under the same id."""
USUAL_KEYS = {entry.id: entry.keys for entry in LOCAL_KEYS} | SHARED_KEYS
"""Id of all that a widget or dialog can bind -> its default keys."""
