"""Which columns the list of each kind shows; no Textual here."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import Cluster, ConfigObject
from qmon_tui.model.fields import ValueType
from qmon_tui.model.findings import Severity
from qmon_tui.model.kinds import Kind
from qmon_tui.model.topology import overrides_of, queue_hosts
from qmon_tui.tui.base.columns import Cell, Column
from qmon_tui.tui.present.spans import Idea


class QueueUse(NamedTuple):
    """What the last scheduling run says about a cluster queue, summed over its instances."""

    used: int
    total: int
    states: Mapping[str, int]
    """State letters -> number of instances."""


class ListContext(NamedTuple):
    """What a list needs to know besides the objects themselves."""

    cluster: Cluster
    worst: Mapping[str, Severity] = MappingProxyType({})
    """Object name -> its worst finding."""
    dirty: frozenset[str] = frozenset()
    """Names of the objects with unsaved edits."""
    used_by: Mapping[str, int] = MappingProxyType({})
    """Object name -> number of references to it."""
    queues: Mapping[str, QueueUse] = MappingProxyType({})


class ListColumn(NamedTuple):
    """A column of a list and how its cell is made."""

    column: Column
    cell: Callable[[ConfigObject, ListContext], Cell]


def list_columns(kind: Kind) -> tuple[ListColumn, ...]:
    """The columns of a kind: its name, then what one looks for first."""
    return _COLUMNS.get(kind) or (_name(), *(_column(kind, name) for name in _FIELDS.get(kind, ())))


_NUMERIC = {ValueType.UNSIGNED, ValueType.NUMBER, ValueType.DOUBLE, ValueType.TIME, ValueType.MEMORY}
_QUIET = {"", "NONE", "NO", "UNDEFINED", "INFINITY", "FALSE"}

# What the lists of the plain kinds show besides the name; the first are hidden last.
_FIELDS: dict[Kind, tuple[str, ...]] = {
    Kind.HOST: ("complex_values", "user_lists", "xuser_lists", "projects"),
    Kind.HOSTGROUP: ("hostlist",),
    Kind.PE: ("slots", "allocation_rule", "urgency_slots", "control_slaves"),
    Kind.CKPT: ("interface", "when", "ckpt_dir"),
    Kind.CALENDAR: ("week", "year"),
    Kind.USERSET: ("type", "fshare", "oticket", "entries"),
    Kind.PROJECT: ("fshare", "oticket", "acl", "xacl"),
    Kind.USER: ("fshare", "oticket", "default_project"),
    Kind.QUOTA: ("enabled", "limit", "description"),
    Kind.SCHEDULER: ("schedule_interval", "queue_sort_method"),
    Kind.CONFIGURATION: ("execd_spool_dir", "mailer"),
    Kind.MANAGERS: ("entries",),
    Kind.OPERATORS: ("entries",),
    Kind.ADMIN_HOSTS: ("entries",),
    Kind.SUBMIT_HOSTS: ("entries",),
}


def _cell(text: str) -> Cell:
    line = " ; ".join(text.split("\n"))
    return Cell(line, Idea.DIM if text.strip().upper() in _QUIET else Idea.PLAIN)


def _name() -> ListColumn:
    return ListColumn(Column("name", "Name", minimum=16), lambda obj, context: Cell(obj.name, Idea.STRONG))


def _column(kind: Kind, name: str, title: str = "", rank: int | None = None, minimum: int | None = None) -> ListColumn:
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
    return ListColumn(column, lambda obj, context: _cell(obj.text(name)))


def _complex(name: str, title: str, rank: int, minimum: int = 0) -> ListColumn:
    return _column(Kind.COMPLEX, name, title, rank, minimum)


def _used_by(obj: ConfigObject, context: ListContext) -> Cell:
    count = context.used_by.get(obj.name, 0)
    return Cell(str(count) if count else "", Idea.DIM)


def _hosts(obj: ConfigObject, context: ListContext) -> Cell:
    return _cell(obj.text("hostlist"))


def _instances(obj: ConfigObject, context: ListContext) -> Cell:
    return Cell(str(len(queue_hosts(context.cluster, obj))))


def _slots(obj: ConfigObject, context: ListContext) -> Cell:
    """Used and total of the last run; before the first one only what the field says."""
    use = context.queues.get(obj.name)
    if use is not None:
        return Cell(f"{use.used}/{use.total}")
    overrides = overrides_of(obj.text("slots"))
    return Cell((overrides.default or "") + (f" ◆{len(overrides.keyed)}" if overrides.keyed else ""), Idea.DIM)


def _states(obj: ConfigObject, context: ListContext) -> Cell:
    use = context.queues.get(obj.name)
    letters = {state: count for state, count in use.states.items() if state} if use else {}
    return Cell(" ".join(f"{state}:{count}" for state, count in letters.items()), Idea.WARNING)


def _default_of(name: str) -> Callable[[ConfigObject, ListContext], Cell]:
    """The default of a field with overrides, with a mark where hosts differ."""

    def cell(obj: ConfigObject, context: ListContext) -> Cell:
        overrides = overrides_of(obj.text(name))
        shown = _cell(overrides.default or "")
        return Cell(f"{shown.text} ◆{len(overrides.keyed)}", shown.idea) if overrides.keyed else shown

    return cell


def _qtype(obj: ConfigObject, context: ListContext) -> Cell:
    """The letters of `qstat -f`: B batch, I interactive, P with parallel and C with checkpointing environments."""
    types = overrides_of(obj.text("qtype")).default or ""
    letters = ("B" if "BATCH" in types.upper() else "") + ("I" if "INTERACTIVE" in types.upper() else "")
    for name, letter in (("pe_list", "P"), ("ckpt_list", "C")):
        if (overrides_of(obj.text(name)).default or "NONE").upper() != "NONE":
            letters += letter
    return Cell(letters)


_COLUMNS: dict[Kind, tuple[ListColumn, ...]] = {
    Kind.COMPLEX: (
        _name(),
        _complex("shortcut", "Short", 6),
        _complex("type", "Type", 1),
        _complex("relop", "Relop", 2),
        _complex("requestable", "Req", 3),
        _complex("consumable", "Cons", 0),
        _complex("default", "Default", 5, 4),
        _complex("urgency", "Urg", 4),
        ListColumn(Column("used_by", "Used", "right", 7), _used_by),
    ),
    Kind.QUEUE: (
        _name(),
        ListColumn(Column("hostlist", "Hosts", "left", 3, 12), _hosts),
        ListColumn(Column("instances", "Inst", "right", 5), _instances),
        ListColumn(Column("slots", "Slots", "right"), _slots),
        ListColumn(Column("qtype", "Type", "left", 6), _qtype),
        ListColumn(Column("seq_no", "Seq", "right", 4), _default_of("seq_no")),
        ListColumn(Column("states", "States", "left", 1), _states),
        ListColumn(Column("pe_list", "pe_list", "left", 7, 6), _default_of("pe_list")),
        ListColumn(Column("complex_values", "complex_values", "left", 8, 14), _default_of("complex_values")),
        ListColumn(Column("h_rt", "h_rt", "right", 9), _default_of("h_rt")),
    ),
}
