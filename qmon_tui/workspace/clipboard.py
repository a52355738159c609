"""Forms in which objects are copied to the clipboard: plain text, YAML, qconf's format, and Grid Engine commands."""

from collections.abc import Iterator
from typing import NamedTuple

from qmon_tui.formats.qconf import new_file
from qmon_tui.formats.yaml import new_section
from qmon_tui.model import ConfigObject, Job, Kind, config_object
from qmon_tui.model.catalogue import spec
from qmon_tui.qmaster import QconfAttribute, show_line


class Copy(NamedTuple):
    """One form in which something is copied: the key that chooses it, its name, and the exact text."""

    letter: str
    title: str
    text: str


def copies_of_field(obj: ConfigObject, field: str) -> Iterator[Copy]:
    """Yield the value of a field, the line that sets it in YAML, and the command that sets it."""
    text = obj.text(field)
    yield Copy("t", "the value", text)
    if field != spec(obj.kind).name_field:
        only = config_object(obj.kind, obj.name, {field: text})
        yield Copy("y", "YAML with this field only", new_section(obj.kind, [only]))
        command = QconfAttribute(obj.kind, obj.name, field, text).line
        if command:
            yield Copy("c", "the command that sets it", command)


def copies_of_object(obj: ConfigObject, dialect: str) -> Iterator[Copy]:
    """Yield the name of an object, the object as YAML and as qconf prints it, and the command that prints it."""
    if not spec(obj.kind).single:
        yield Copy("t", "the name", obj.name)
    yield Copy("y", "YAML", new_section(obj.kind, [obj]))
    if obj.kind not in _OTHER_FILES:
        yield Copy("q", "the file that qconf reads", new_file(obj, single_line=False, dialect_name=dialect))
    yield Copy("c", "the command that prints it", show_line(obj.kind, obj.name))


def copies_of_job(job: Job, row: str) -> Iterator[Copy]:
    """Yield the row of a job, its number, its qsub line, and the command that asks the qmaster about it."""
    yield Copy("t", "the row", row)
    yield Copy("n", "the job's number", str(job.id))
    if job.qsub:
        yield Copy("q", "the qsub line", f"qsub {job.qsub}")
    yield Copy("c", "the command that explains it", f"qstat -j {job.id}")


_OTHER_FILES = frozenset({Kind.COMPLEX, Kind.SHARETREE, Kind.MANAGERS, Kind.OPERATORS, Kind.ADMIN_HOSTS,
                          Kind.SUBMIT_HOSTS})  # fmt: skip
"""Kinds for which qconf reads no file with one object."""
