"""What `qconf -s*` prints and `-A*`/`-M*` reads (formats.md#layouts): text to objects and back, byte for byte."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.formats.qconf.complex_table import read_complexes, write_complexes
    from qmon_tui.formats.qconf.objects import Read, read_list, read_object, reported_loads, write_list
    from qmon_tui.formats.qconf.qconf_edit import edited_qconf, new_file
    from qmon_tui.formats.qconf.quotas import read_quotas
    from qmon_tui.formats.qconf.sharetree import read_sharetree, write_sharetree
else:
    __getattr__ = late_names(
        __name__,
        {
            "complex_table": ("read_complexes", "write_complexes"),
            "objects": ("Read", "read_list", "read_object", "reported_loads", "write_list"),
            "qconf_edit": ("edited_qconf", "new_file"),
            "quotas": ("read_quotas",),
            "sharetree": ("read_sharetree", "write_sharetree"),
        },
    )

__all__ = [
    "Read",
    "edited_qconf",
    "new_file",
    "read_complexes",
    "read_list",
    "read_object",
    "read_quotas",
    "read_sharetree",
    "reported_loads",
    "write_complexes",
    "write_list",
    "write_sharetree",
]
