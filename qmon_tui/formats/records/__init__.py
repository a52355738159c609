"""What a cluster says of itself or has written down: qstat, qhost and qquota in XML, accounting files, SWF traces."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.formats.records.record import Recorded
    from qmon_tui.formats.records.record_reader import read_records, record_words
else:
    __getattr__ = late_names(
        __name__,
        {
            "record": ("Recorded",),
            "record_reader": ("read_records", "record_words"),
        },
    )

__all__ = [
    "Recorded",
    "read_records",
    "record_words",
]
