"""Text that `qconf -s*` prints and `-A*`/`-M*` reads (formats.md#layouts): to objects and back, byte for byte."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.formats.qconf.complex_table import (
        read_complexes as read_complexes,
        write_complexes as write_complexes,
    )
    from qmon_tui.formats.qconf.objects import (
        Read as Read,
        read_list as read_list,
        read_object as read_object,
        reported_loads as reported_loads,
        write_list as write_list,
    )
    from qmon_tui.formats.qconf.qconf_edit import edited_qconf as edited_qconf, new_file as new_file
    from qmon_tui.formats.qconf.quotas import read_quotas as read_quotas
    from qmon_tui.formats.qconf.sharetree import read_sharetree as read_sharetree, write_sharetree as write_sharetree
else:
    __getattr__ = late_names(__name__, __file__)
