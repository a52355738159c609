"""Columns of each kind's list; no Textual here."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from qmon_tui.model import (
    NO_DRAINS,
    Cluster,
    ConfigObject,
    Drains,
    Kind,
    Severity,
    ValueType,
    inherited,
    instances_of,
    overrides_of,
    queue_hosts,
    rules_of,
)
from qmon_tui.model.catalogue import spec
from qmon_tui.report import Cell, Column, GridRow, TextRole, host_drains, instance_drains
from qmon_tui.values import canonical


class QueueUse(NamedTuple):
    """Slots of a cluster queue, summed over its instances."""

    used: str
    """Before the next scheduling run, after it, or both: `2 → 17`."""
    total: int
    states: Mapping[str, int]
    """State letters -> number of instances."""


class HostUse(NamedTuple):
    """Slots and load of a host."""

    used: str
    """Slots before the next scheduling run, after it, or both, summed over its queue instances."""
    total: int
    load: str
    """`np_load_avg` as reported; empty if not reported."""


class ListContext(NamedTuple):
    """Input of a list's cells besides the objects."""

    cluster: Cluster
    worst: Mapping[str, Severity] = MappingProxyType({})
    """Object name -> its worst finding."""
    dirty: frozenset[str] = frozenset()
    """Names of the objects with unsaved edits."""
    used_by: Mapping[str, int] = MappingProxyType({})
    """Object name -> number of references to it."""
    queues: Mapping[str, QueueUse] = MappingProxyType({})
    hosts: Mapping[str, HostUse] = MappingProxyType({})
    drains: Drains = NO_DRAINS
    letters: Mapping[str, str] = MappingProxyType({})
    """Queue instance -> its letters in the current state."""


class ListColumn(NamedTuple):
    """A column of a list, and the function that makes its cells."""

    column: Column
    cell: Callable[[ConfigObject, ListContext], Cell]
    spare: bool = False
    """Hidden if it is empty for all objects."""


def list_columns(kind: Kind) -> tuple[ListColumn, ...]:
    """Return the columns of a kind, the name first."""
    return _COLUMNS.get(kind) or (
        _name(),
        *(_column(kind, name, spare=name in _SPARE) for name in _FIELDS.get(kind, ())),
    )


def without_empty_spares(
    columns: Sequence[ListColumn], rows: Sequence[GridRow]
) -> tuple[list[ListColumn], list[GridRow]]:
    """Return columns and rows without the spare columns that are empty for all objects."""
    shown = [
        place
        for place, column in enumerate(columns)
        if not column.spare or any(row.cells[place].text.strip().upper() not in _EMPTY_VALUES for row in rows)
    ]
    if len(shown) == len(columns):
        return list(columns), list(rows)
    return [columns[place] for place in shown], [
        row._replace(cells=tuple(row.cells[place] for place in shown)) for row in rows
    ]


_NUMERIC = {ValueType.UNSIGNED, ValueType.NUMBER, ValueType.DOUBLE, ValueType.TIME, ValueType.MEMORY}
_EMPTY_VALUES = {"", "NONE", "NO", "UNDEFINED", "INFINITY", "FALSE"}

# Fields shown besides the name, for kinds without special columns; the first are hidden last.
_FIELDS: dict[Kind, tuple[str, ...]] = {
    Kind.PE: ("slots", "allocation_rule", "urgency_slots", "control_slaves"),
    Kind.CKPT: ("interface", "when", "ckpt_dir"),
    Kind.CALENDAR: ("week", "year"),
    Kind.USERSET: ("type", "fshare", "oticket", "entries"),
    Kind.PROJECT: ("fshare", "oticket", "acl", "xacl"),
    Kind.USER: ("fshare", "oticket", "default_project"),
    Kind.SCHEDULER: ("schedule_interval", "queue_sort_method"),
    Kind.CONFIGURATION: ("execd_spool_dir", "mailer"),
    Kind.MANAGERS: ("entries",),
    Kind.OPERATORS: ("entries",),
    Kind.ADMIN_HOSTS: ("entries",),
    Kind.SUBMIT_HOSTS: ("entries",),
}


_SPARE = {"acl", "xacl", "year", "default_project", "ckpt_dir"}
"""Fields whose columns are hidden if they are empty for all objects."""


def _cell(text: str) -> Cell:
    line = " ; ".join(text.split("\n"))
    return Cell(line, TextRole.DIM if text.strip().upper() in _EMPTY_VALUES else TextRole.PLAIN)


def _name() -> ListColumn:
    return ListColumn(Column("name", "name", minimum=16), lambda obj, context: Cell(obj.name, TextRole.STRONG))


def _column(
    kind: Kind, name: str, title: str = "", rank: int | None = None, minimum: int | None = None, *, spare: bool = False
) -> ListColumn:
    declared = spec(kind).by_name[name]
    place = [*spec(kind).by_name].index(name)
    numeric = declared.type in _NUMERIC
    column = Column(
        name,
        title or name,
        "right" if numeric else "left",
        place + 1 if rank is None else rank,
        (0 if numeric else 8) if minimum is None else minimum,
    )
    if kind is Kind.CONFIGURATION:
        return ListColumn(column, _setting(name), spare)
    return ListColumn(column, lambda obj, context: _cell(obj.text(name)), spare)


def _setting(name: str) -> Callable[[ConfigObject, ListContext], Cell]:
    """Return the cell of a configuration's field; dim if a host inherits it from global."""

    def cell(obj: ConfigObject, context: ListContext) -> Cell:
        taken = inherited(context.cluster, obj, name)
        return _cell(obj.text(name)) if taken is None else Cell(taken[0], TextRole.DIM)

    return cell


def _complex(name: str, title: str, rank: int, minimum: int = 0) -> ListColumn:
    return _column(Kind.COMPLEX, name, title, rank, minimum)


def _used_by(obj: ConfigObject, context: ListContext) -> Cell:
    count = context.used_by.get(obj.name, 0)
    return Cell(str(count) if count else "", TextRole.DIM)


def _instances(obj: ConfigObject, context: ListContext) -> Cell:
    return Cell(str(len(queue_hosts(context.cluster, obj))))


def _slots(obj: ConfigObject, context: ListContext) -> Cell:
    """Return used and total slots of all hosts; before the first run the default per host and the overrides."""
    use = context.queues.get(obj.name)
    if use is not None:
        return Cell(f"{use.used}/{use.total}")
    overrides = overrides_of(obj.text("slots"))
    return Cell((overrides.default or "") + (f" ◆{len(overrides.keyed)}" if overrides.keyed else ""), TextRole.DIM)


def _states(obj: ConfigObject, context: ListContext) -> Cell:
    use = context.queues.get(obj.name)
    letters = {state: count for state, count in use.states.items() if state} if use else {}
    return Cell(" ".join(f"{state}:{count}" for state, count in letters.items()), TextRole.WARNING)


def _default_of(name: str) -> Callable[[ConfigObject, ListContext], Cell]:
    """Return the cell of a field's default, with ◆ and the number of overrides."""

    def cell(obj: ConfigObject, context: ListContext) -> Cell:
        overrides = overrides_of(obj.text(name))
        shown = _cell(overrides.default or "")
        return Cell(f"{shown.text} ◆{len(overrides.keyed)}", shown.role) if overrides.keyed else shown

    return cell


def _load(obj: ConfigObject, context: ListContext) -> Cell:
    use = context.hosts.get(obj.name)
    return Cell(use.load, TextRole.PLAIN) if use and use.load else Cell("-", TextRole.DIM)


def _host_slots(obj: ConfigObject, context: ListContext) -> Cell:
    """Return used and total slots of its queue instances; its complex_values may limit them further."""
    use = context.hosts.get(obj.name)
    return Cell(f"{use.used}/{use.total}") if use and use.total else Cell("-", TextRole.DIM)


def _qtype(obj: ConfigObject, context: ListContext) -> Cell:
    """Return the letters of `qstat -f`: B batch, I interactive, P with parallel, C with checkpointing environments."""
    types = overrides_of(obj.text("qtype")).default or ""
    letters = ("B" if "BATCH" in types.upper() else "") + ("I" if "INTERACTIVE" in types.upper() else "")
    for name, letter in (("pe_list", "P"), ("ckpt_list", "C")):
        if (overrides_of(obj.text(name)).default or "NONE").upper() != "NONE":
            letters += letter
    return Cell(letters)


def _host_drain(obj: ConfigObject, context: ListContext) -> Cell:
    return Cell(host_drains(context.drains, canonical(obj.name)) if context.drains else "", TextRole.WARNING)


def _drain(obj: ConfigObject, context: ListContext) -> Cell:
    """Return why queue instances of a hostgroup or queue were disabled, and how many if not all."""
    instances = instances_of(context.cluster, obj.kind, (obj.name,)) if context.drains else ()
    return Cell(instance_drains(context.drains, instances), TextRole.WARNING)


_COLUMNS: dict[Kind, tuple[ListColumn, ...]] = {
    Kind.COMPLEX: (
        _name(),
        _complex("shortcut", "short", 6),
        _complex("type", "type", 1),
        _complex("relop", "relop", 2),
        _complex("requestable", "req", 3),
        _complex("consumable", "cons", 0),
        _complex("default", "default", 5, 4),
        _complex("urgency", "urg", 4),
        ListColumn(Column("used_by", "used", "right", 7), _used_by),
    ),
    Kind.HOST: (
        _name(),
        ListColumn(Column("load", "np_load", "right", 2), _load),
        ListColumn(Column("slots", "queue slots", "right", 1), _host_slots),
        ListColumn(Column("drain", "drain", "left", 1, 12), _host_drain, spare=True),
        _column(Kind.HOST, "complex_values", rank=0, minimum=14),
        *(
            _column(Kind.HOST, name, rank=3 + place, spare=True)
            for place, name in enumerate(("user_lists", "projects", "load_scaling", "xuser_lists", "xprojects"))
        ),
    ),
    Kind.HOSTGROUP: (
        _name(),
        _column(Kind.HOSTGROUP, "hostlist"),
        ListColumn(Column("drain", "drain", "left", 1, 12), _drain, spare=True),
    ),
    Kind.QUOTA: (
        _name(),
        _column(Kind.QUOTA, "enabled", rank=0),
        ListColumn(Column("rules", "rules", "right"), lambda obj, _: Cell(str(len(rules_of(obj.text("limit")))))),
        _column(Kind.QUOTA, "description", rank=1, minimum=12, spare=True),
        _column(Kind.QUOTA, "limit", rank=2, minimum=16),
    ),
    Kind.QUEUE: (
        _name(),
        ListColumn(Column("hostlist", "hosts", "left", 3, 12), lambda obj, _: _cell(obj.text("hostlist"))),
        ListColumn(
            Column("instances", "inst", "right", 5),
            lambda obj, context: Cell(str(len(queue_hosts(context.cluster, obj)))),
        ),
        ListColumn(Column("slots", "all slots", "right"), _slots),
        ListColumn(Column("qtype", "type", "left", 6), _qtype),
        ListColumn(Column("seq_no", "seq", "right", 4), _default_of("seq_no")),
        ListColumn(Column("states", "states", "left", 1), _states, spare=True),
        ListColumn(Column("drain", "drain", "left", 1, 12), _drain, spare=True),
        ListColumn(Column("pe_list", "pe_list", "left", 7, 6), _default_of("pe_list"), spare=True),
        ListColumn(
            Column("complex_values", "complex_values", "left", 8, 14), _default_of("complex_values"), spare=True
        ),
        ListColumn(Column("h_rt", "h_rt", "right", 9), _default_of("h_rt"), spare=True),
    ),
}
