"""The options of qconf that show, add, change and delete each kind of object. Source: qconf(1)."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from qmon_tui.model.kinds import Kind


class QconfOptions(NamedTuple):
    """qconf's options for one kind of object; None if qconf has no such option."""

    show: str
    modify: str | None
    """Opens the object in an editor."""
    add_file: str | None
    """Adds an object from a file; for lists of names, the option that adds a name."""
    modify_file: str | None
    delete: str | None
    attribute: str | None = None
    """Name of the kind after -aattr, -mattr, -rattr, -dattr and -purge."""
    is_named: bool = True
    """True if there are several objects of the kind, so that the option takes a name."""


QCONF: Final[Mapping[Kind, QconfOptions]] = {
    Kind.COMPLEX: QconfOptions("-sc", "-mc", None, "-Mc", None, is_named=False),
    Kind.QUEUE: QconfOptions("-sq", "-mq", "-Aq", "-Mq", "-dq", "queue"),
    Kind.HOST: QconfOptions("-se", "-me", "-Ae", "-Me", "-de", "exechost"),
    Kind.HOSTGROUP: QconfOptions("-shgrp", "-mhgrp", "-Ahgrp", "-Mhgrp", "-dhgrp", "hostgroup"),
    Kind.PE: QconfOptions("-sp", "-mp", "-Ap", "-Mp", "-dp", "pe"),
    Kind.CKPT: QconfOptions("-sckpt", "-mckpt", "-Ackpt", "-Mckpt", "-dckpt", "ckpt"),
    Kind.CALENDAR: QconfOptions("-scal", "-mcal", "-Acal", "-Mcal", "-dcal", "calendar"),
    Kind.USERSET: QconfOptions("-su", "-mu", "-Au", "-Mu", "-dul", "userset"),
    Kind.PROJECT: QconfOptions("-sprj", "-mprj", "-Aprj", "-Mprj", "-dprj", "project"),
    Kind.USER: QconfOptions("-suser", "-muser", "-Auser", "-Muser", "-duser", "user"),
    Kind.QUOTA: QconfOptions("-srqs", "-mrqs", "-Arqs", "-Mrqs", "-drqs", "resource_quota"),
    Kind.SHARETREE: QconfOptions("-sstree", "-mstree", "-Astree", "-Mstree", "-dstree", is_named=False),
    Kind.SCHEDULER: QconfOptions("-ssconf", "-msconf", None, "-Msconf", None, is_named=False),
    Kind.CONFIGURATION: QconfOptions("-sconf", "-mconf", "-Aconf", "-Mconf", "-dconf"),
    Kind.MANAGERS: QconfOptions("-sm", None, "-am", None, "-dm", is_named=False),
    Kind.OPERATORS: QconfOptions("-so", None, "-ao", None, "-do", is_named=False),
    Kind.ADMIN_HOSTS: QconfOptions("-sh", None, "-ah", None, "-dh", is_named=False),
    Kind.SUBMIT_HOSTS: QconfOptions("-ss", None, "-as", None, "-ds", is_named=False),
}
"""Kind -> its options."""
