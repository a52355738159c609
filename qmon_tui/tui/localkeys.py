"""The keys of lists, texts and forms: which they are stands here, what is done with them in the widgets."""

from dataclasses import dataclass
from enum import StrEnum


class LocalGroup(StrEnum):
    """Headings of the help list."""

    MOVING = "Moving"
    LIST = "In lists"
    FORM = "In forms"


@dataclass(frozen=True, slots=True)
class LocalKey:
    """What some keys do in the widget with the focus."""

    id: str
    keys: tuple[str, ...]
    """Textual's key names; the first is shown."""
    description: str
    group: LocalGroup = LocalGroup.MOVING


LOCAL_KEYS = (
    LocalKey("up", ("up", "k"), "One row up"),
    LocalKey("down", ("down", "j"), "One row down"),
    LocalKey("page-up", ("pageup", "ctrl+u"), "One page up"),
    LocalKey("page-down", ("pagedown", "ctrl+d"), "One page down"),
    LocalKey("first", ("home", "g"), "First row"),
    LocalKey("last", ("end", "G"), "Last row"),
    LocalKey("open", ("enter",), "Open what is under the cursor; in a form: edit the value"),
    LocalKey("sort-next", ("greater_than_sign",), "Sort by the next column", LocalGroup.LIST),
    LocalKey("sort-before", ("less_than_sign",), "Sort by the column before", LocalGroup.LIST),
    LocalKey("sort-reverse", ("equals_sign",), "Turn the order round", LocalGroup.LIST),
    LocalKey("tab-before", ("left", "h"), "The tab before", LocalGroup.FORM),
    LocalKey("tab-next", ("right", "l"), "The next tab", LocalGroup.FORM),
    LocalKey("pick", ("space",), "Next choice; helper for times and memory; list of usual values", LocalGroup.FORM),
    LocalKey("edit-text", ("t",), "Edit the whole text as it stands in the file, overrides included", LocalGroup.FORM),
    LocalKey("reset", ("delete", "backspace"), "Back to the default or the inherited value", LocalGroup.FORM),
    LocalKey("effective", ("v",), "The value of every queue instance and where it comes from", LocalGroup.FORM),
    LocalKey("host-before", ("comma",), "Values for the host or group before", LocalGroup.FORM),
    LocalKey("host-next", ("full_stop",), "Values for the next host or group", LocalGroup.FORM),
    LocalKey("host-pick", ("o",), "Values for any host or @hostgroup", LocalGroup.FORM),
)
