"""Exec hosts and host groups. Source: host_conf(5), hostgroup(5), exec-host.md#fields and hostgroup.md#fields."""

from functools import partial
from typing import Final

from qmon_tui.model.fields import Field, KindSpec, Separator, ValueType
from qmon_tui.model.kinds import Kind

ONLY_SHOWN: Final = ("load_values", "processors")
"""Fields of a host that qconf -se prints but no file may contain (exec-host.md#load-values)."""
_field = partial(Field, source="host_conf(5)")
_names = partial(_field, type=ValueType.NAMES, default="NONE", separator=Separator.BLANK)
_usersets = partial(_names, refers_to=Kind.USERSET)
_projects = partial(_names, refers_to=Kind.PROJECT)
_entries = partial(_field, type=ValueType.ENTRIES, default="NONE", separator=Separator.COMMA)

HOST = KindSpec(
    kind=Kind.HOST,
    title="Hosts",
    yaml_key="hosts",
    folder="execution",
    name_field="hostname",
    name_width=21,
    help="Execution hosts and what each offers; `global` offers something once for the whole cluster.",
    source="host_conf(5)",
    fields=(
        _field("hostname", ValueType.NAME, "", "Name of the host, or global for the whole cluster."),
        _entries(
            "load_scaling",
            help="Factors by which reported load values are multiplied before use.",
            group="Load",
            refers_to=Kind.COMPLEX,
        ),
        _entries(
            "complex_values",
            help="What the host offers: amounts of consumables, fixed values of other attributes, slots for a limit.",
            refers_to=Kind.COMPLEX,
        ),
        _usersets("user_lists", help="Only members of these usersets may use the host."),
        _usersets("xuser_lists", help="Members of these usersets may not use the host; this wins over user_lists."),
        _projects("projects", help="Only jobs of these projects may use the host."),
        _projects("xprojects", help="Jobs of these projects may not use the host; this wins over projects."),
        _entries(
            "usage_scaling",
            help="Factors for cpu, mem and io used here before they count in the share tree.",
            group="Load",
        ),
        _field(
            "report_variables",
            ValueType.NAMES,
            "NONE",
            "Attributes written to the reporting file at every load report.",
            "Load",
            refers_to=Kind.COMPLEX,
            separator=Separator.COMMA,
        ),
    ),
)

HOSTGROUP = KindSpec(
    kind=Kind.HOSTGROUP,
    title="Hostgroups",
    yaml_key="hostgroups",
    folder="hostgroups",
    name_field="group_name",
    help="Named sets of hosts, for host lists and per-host settings of queues and for quotas.",
    source="hostgroup(5)",
    fields=(
        Field("group_name", ValueType.NAME, "@template", "Name of the group, with @ in front.", source="hostgroup(5)"),
        Field(
            "hostlist",
            ValueType.HOSTS,
            "NONE",
            "Hosts and other @hostgroups, separated by blanks.",
            refers_to=Kind.HOST,
            separator=Separator.BLANK,
            source="hostgroup(5)",
        ),
    ),
)
