"""Jobs, load values and queue states in a YAML file: the keys that are no configuration."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.formats.state.edit import StateEditRefused, edited_state
    from qmon_tui.formats.state.entries import TASK_LEAD, built, changed_entries, entry, names, with_entries
    from qmon_tui.formats.state.field_values import amount_text
    from qmon_tui.formats.state.reader import read_state
    from qmon_tui.formats.state.state_contents import StateContents, StateItem, empty_state_contents
    from qmon_tui.formats.state.state_writer import state_text
else:
    __getattr__ = late_names(
        __name__,
        {
            "edit": ("StateEditRefused", "edited_state"),
            "entries": ("TASK_LEAD", "built", "changed_entries", "entry", "names", "with_entries"),
            "field_values": ("amount_text",),
            "reader": ("read_state",),
            "state_contents": ("StateContents", "StateItem", "empty_state_contents"),
            "state_writer": ("state_text",),
        },
    )

__all__ = [
    "TASK_LEAD",
    "StateContents",
    "StateEditRefused",
    "StateItem",
    "amount_text",
    "built",
    "changed_entries",
    "edited_state",
    "empty_state_contents",
    "entry",
    "names",
    "read_state",
    "state_text",
    "with_entries",
]
