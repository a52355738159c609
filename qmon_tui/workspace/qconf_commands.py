"""The qconf command lines that show an object, and that give one of its attributes a value: qconf(1)."""

from collections.abc import Mapping
from shlex import quote

from qmon_tui.model.kinds import Kind

_SHOW: Mapping[Kind, str] = {
    Kind.COMPLEX: "-sc",
    Kind.QUEUE: "-sq",
    Kind.HOST: "-se",
    Kind.HOSTGROUP: "-shgrp",
    Kind.PE: "-sp",
    Kind.CKPT: "-sckpt",
    Kind.CALENDAR: "-scal",
    Kind.USERSET: "-su",
    Kind.PROJECT: "-sprj",
    Kind.USER: "-suser",
    Kind.QUOTA: "-srqs",
    Kind.SHARETREE: "-sstree",
    Kind.SCHEDULER: "-ssconf",
    Kind.CONFIGURATION: "-sconf",
    Kind.MANAGERS: "-sm",
    Kind.OPERATORS: "-so",
    Kind.ADMIN_HOSTS: "-sh",
    Kind.SUBMIT_HOSTS: "-ss",
}
_WHOLE = frozenset({
    Kind.COMPLEX, Kind.SHARETREE, Kind.SCHEDULER, Kind.MANAGERS, Kind.OPERATORS, Kind.ADMIN_HOSTS, Kind.SUBMIT_HOSTS,
})  # fmt: skip
"""Kinds that are shown as a whole, without a name."""
_ATTRIBUTES: Mapping[Kind, str] = {
    Kind.QUEUE: "queue",
    Kind.HOST: "exechost",
    Kind.HOSTGROUP: "hostgroup",
    Kind.PE: "pe",
    Kind.CKPT: "ckpt",
    Kind.CALENDAR: "calendar",
    Kind.USERSET: "userset",
    Kind.PROJECT: "project",
    Kind.USER: "user",
    Kind.QUOTA: "resource_quota",
}
"""Kinds whose attributes can be given values one at a time, and what qconf calls them there."""


def show_command(kind: Kind, name: str) -> str:
    """What prints an object: `qconf -sq all.q`."""
    return f"qconf {_SHOW[kind]}" if kind in _WHOLE else f"qconf {_SHOW[kind]} {quote(name)}"


def set_command(kind: Kind, name: str, field: str, text: str) -> str | None:
    """What gives an attribute a value: `qconf -rattr queue slots 4 all.q`; None where qconf has no such command.

    -mattr would refuse NONE for lists; -Muser and -Mprj let 8.1.9 forget what the user or project has used. Host
    settings of queues that the text does not have any more are left alone by qconf 8.1.9; `qconf -purge queue slots
    all.q@node01` takes one away.
    """
    if kind not in _ATTRIBUTES or "\n" in text:
        return None
    return f"qconf -rattr {_ATTRIBUTES[kind]} {quote(field)} {quote(text)} {quote(name)}"
