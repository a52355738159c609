"""Managers, operators, administrative and submit hosts: plain lists of names. Source: qconf(1)."""

from qmon_tui.model.fields import Field, KindSpec, ValueType
from qmon_tui.model.kinds import Kind


def _list(kind: Kind, title: str, entry_type: ValueType, default: str, help_line: str) -> KindSpec:
    refers_to = Kind.HOST if entry_type is ValueType.HOSTS else None
    field = Field("entries", entry_type, default, help_line, refers_to=refers_to, source="qconf(1)")
    return KindSpec(
        kind=kind,
        title=title,
        yaml_key=kind.value,
        folder=kind.value,
        fields=(field,),
        single=True,
        help=help_line,
        source="qconf(1)",
    )


MANAGERS = _list(Kind.MANAGERS, "Managers", ValueType.NAMES, "root", "Users who may change everything.")
OPERATORS = _list(
    Kind.OPERATORS,
    "Operators",
    ValueType.NAMES,
    "NONE",
    "Users who may control jobs and queues, but not configure them.",
)
ADMIN_HOSTS = _list(
    Kind.ADMIN_HOSTS, "Admin hosts", ValueType.HOSTS, "NONE", "Hosts from which managers may change the configuration."
)
SUBMIT_HOSTS = _list(
    Kind.SUBMIT_HOSTS, "Submit hosts", ValueType.HOSTS, "NONE", "Hosts from which jobs may be submitted."
)
