"""Managers, operators, administrative and submit hosts: one name a line, as `qconf -sm -so -sh -ss` print them."""

from qmon_tui.model import ConfigObject, Finding, Kind, Origin, config_object
from qmon_tui.model.catalogue import single_name, spec
from qmon_tui.values import split_names

FIELD = "entries"
_NOTHING = ("no manager defined", "no operator defined", "no administrative host", "no submit host")


def read_list(kind: Kind, text: str, file: str) -> tuple[ConfigObject, tuple[Finding, ...]]:
    """The names of a file; NONE for an empty one. The names of several on one line are separated by blanks."""
    lines = [line for line in text.split("\n") if not line.lower().startswith(_NOTHING)]
    names = [name for line in lines for name in line.split()]
    origin = Origin(file, 1, {FIELD: 1})
    return config_object(kind, single_name(kind), {FIELD: " ".join(names) or "NONE"}, origin), ()


def write_list(obj: ConfigObject) -> str:
    """One name a line."""
    field = spec(obj.kind).by_name[FIELD]
    return "".join(name + "\n" for name in split_names(obj.text(FIELD), field.separator))
