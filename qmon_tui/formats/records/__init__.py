"""What a cluster says of itself or has written down: qstat, qhost and qquota in XML, accounting files, SWF traces."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.formats.records.record import FinishedTask, Hole, Recorded
    from qmon_tui.formats.records.record_reader import read_records, record_words
    from qmon_tui.formats.records.swf import SwfRow, swf_lines
else:
    __getattr__ = late_names(
        __name__,
        {
            "record": ("FinishedTask", "Hole", "Recorded"),
            "record_reader": ("read_records", "record_words"),
            "swf": ("SwfRow", "swf_lines"),
        },
    )

__all__ = [
    "FinishedTask",
    "Hole",
    "Recorded",
    "SwfRow",
    "read_records",
    "record_words",
    "swf_lines",
]
