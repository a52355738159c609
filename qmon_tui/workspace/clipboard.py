"""What can be copied to the clipboard: plain text, YAML, qconf's format, and the commands of Grid Engine."""

from collections.abc import Iterator, Mapping
from shlex import quote
from typing import NamedTuple

from qmon_tui.formats.qconf.qconf_edit import new_file
from qmon_tui.formats.yaml.yaml_edit import new_section
from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import ConfigObject, config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import Job

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


class Copy(NamedTuple):
    """One way of copying something: the letter that chooses it, what it is, and the exact text."""

    letter: str
    title: str
    text: str


def copies_of_field(obj: ConfigObject, field: str) -> Iterator[Copy]:
    """The value of a field, the line that sets it in YAML, and the command that sets it."""
    text = obj.text(field)
    yield Copy("t", "the value", text)
    if field != spec(obj.kind).name_field:
        only = config_object(obj.kind, obj.name, {field: text})
        yield Copy("y", "YAML with this field only", new_section(obj.kind, [only]))
        command = set_command(obj.kind, obj.name, field, text)
        if command is not None:
            yield Copy("c", "the command that sets it", command)


def copies_of_object(obj: ConfigObject, dialect: str) -> Iterator[Copy]:
    """The name of an object, the object as YAML and as qconf prints it, and the command that prints it."""
    if not spec(obj.kind).single:
        yield Copy("t", "the name", obj.name)
    yield Copy("y", "YAML", new_section(obj.kind, [obj]))
    if obj.kind not in _OTHER_FILES:
        yield Copy("q", "the file that qconf reads", new_file(obj, single_line=False, dialect_name=dialect))
    yield Copy("c", "the command that prints it", show_command(obj.kind, obj.name))


def copies_of_job(job: Job, row: str) -> Iterator[Copy]:
    """The row of a job, its number, its qsub line, and the command that asks the qmaster about it."""
    yield Copy("t", "the row", row)
    yield Copy("n", "the job's number", str(job.id))
    if job.qsub:
        yield Copy("q", "the qsub line", f"qsub {job.qsub}")
    yield Copy("c", "the command that explains it", f"qstat -j {job.id}")


_OTHER_FILES = frozenset({Kind.COMPLEX, Kind.SHARETREE, Kind.MANAGERS, Kind.OPERATORS, Kind.ADMIN_HOSTS,
                          Kind.SUBMIT_HOSTS})  # fmt: skip
"""Kinds for which qconf reads no file with one object."""
