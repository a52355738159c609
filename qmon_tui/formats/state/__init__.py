"""Jobs, load values and queue states in a YAML file: the keys that are no configuration."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.formats.state.edit import StateEditRefused as StateEditRefused, edited_state as edited_state
    from qmon_tui.formats.state.entries import (
        TASK_LEAD as TASK_LEAD,
        built as built,
        changed_entries as changed_entries,
        entry as entry,
        names as names,
        with_entries as with_entries,
    )
    from qmon_tui.formats.state.field_values import amount_text as amount_text
    from qmon_tui.formats.state.reader import read_state as read_state
    from qmon_tui.formats.state.state_contents import (
        DEFAULT_START as DEFAULT_START,
        StateContents as StateContents,
        StateItem as StateItem,
        empty_state_contents as empty_state_contents,
    )
    from qmon_tui.formats.state.state_writer import state_text as state_text
else:
    __getattr__ = late_names(__name__, __file__)
