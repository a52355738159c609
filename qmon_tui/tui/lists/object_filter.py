"""The filter of the lists of objects: by fields of the kind, columns, and queue instances."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from qmon_tui.model import Cluster, ConfigObject, Kind, instances_of, queue_instances, resolve_group
from qmon_tui.model.catalogue import spec
from qmon_tui.report import (
    FilterField,
    FilterFields,
    GridRow,
    RowFilter,
    address_test,
    groups_of,
    host_test,
    instance_state_test,
    parse_filter,
)
from qmon_tui.values import decimal_number, is_number, parse_number

_OWN_NAMES: Final = {
    Kind.HOST: "host", Kind.QUEUE: "queue", Kind.HOSTGROUP: "group", Kind.USER: "user", Kind.PROJECT: "project",
    Kind.PE: "pe", Kind.COMPLEX: "attribute",
}  # fmt: skip
"""Kind -> alias of the filter field `name`."""
_WITH_INSTANCES: Final = frozenset({Kind.HOST, Kind.HOSTGROUP, Kind.QUEUE})
_BREAKS: Final = str.maketrans(dict.fromkeys(",;=[]{}()", " "))


@dataclass(frozen=True, slots=True)
class ObjectRow:
    """An object with its row, its queue instances, and the hosts of a hostgroup."""

    obj: ConfigObject
    row: GridRow
    columns: tuple[str, ...]
    """Keys of the row's cells."""
    states: Mapping[str, str]
    """Queue instance -> its state letters."""
    hosts: tuple[str, ...] = ()

    def cell(self, key: str) -> str:
        """Return the text of a cell; empty for a column that is not shown."""
        return self.row.cells[self.columns.index(key)].text if key in self.columns else ""


def object_filter(text: str, cluster: Cluster, kind: Kind, columns: Iterable[str]) -> RowFilter[ObjectRow]:
    """Parse a filter line for the list of a kind with these columns."""
    fields: dict[str, FilterField[ObjectRow]] = {
        known.name: FilterField(_words(known.name), known.help, number=_number(known.name))
        for known in spec(kind).fields
    }
    fields |= {key: _of_cell(key) for key in columns if key not in fields}
    fields["name"] = FilterField(lambda row: (row.obj.name,), "its name", special=host_test)
    aliases = {own: "name"} if (own := _OWN_NAMES.get(kind)) is not None else {}
    if kind in _WITH_INSTANCES:
        fields["state"] = FilterField(lambda row: row.states.values(), "letters of qstat -f", exact=True,
                                      special=instance_state_test)  # fmt: skip
        if kind is not Kind.QUEUE:
            fields["queue"] = FilterField(_queues, "queues with an instance there", special=address_test)
        if kind is not Kind.HOST:
            fields["host"] = FilterField(_hosts, "hosts in it", special=host_test)
    hosts = "name" if kind is Kind.HOST or kind not in _WITH_INSTANCES else "host"
    schema = FilterFields(fields, _text, aliases, hosts=hosts, is_strict=False)
    return parse_filter(text, schema, groups_of(cluster))


def object_filter_rows(
    cluster: Cluster, objects: Mapping[str, ConfigObject], rows: Iterable[GridRow], columns: tuple[str, ...],
    letters: Mapping[str, str],
) -> Iterator[ObjectRow]:  # fmt: skip
    """Yield the input of a filter for rows of one kind; `letters`: queue instance -> its state letters."""
    instances: dict[str, list[str]] = {}
    for queue, host in queue_instances(cluster):
        for name in (queue, host):
            instances.setdefault(name, []).append(f"{queue}@{host}")
    for row in rows:
        obj = objects[row.key]
        hosts = resolve_group(cluster, obj.name) if obj.kind is Kind.HOSTGROUP else ()
        names = instances_of(cluster, obj.kind, (obj.name,)) if hosts else instances.get(obj.name, ())
        yield ObjectRow(obj, row, columns, {name: letters.get(name, "") for name in names}, hosts)


def _words(name: str) -> Callable[[ObjectRow], Iterable[str]]:
    def words(row: ObjectRow) -> Iterator[str]:
        text = row.obj.text(name)
        yield text
        yield from text.replace(",", " ").split()
        yield from text.translate(_BREAKS).split()

    return words


def _number(name: str) -> Callable[[ObjectRow], float | None]:
    def number(row: ObjectRow) -> float | None:
        text = row.obj.text(name).partition(",[")[0]
        return parse_number(text) if is_number(text) else None

    return number


def _of_cell(key: str) -> FilterField[ObjectRow]:
    """Return the filter field of a column; the number of `used/total` is the used amount."""

    def number(row: ObjectRow) -> float | None:
        return decimal_number(row.cell(key).partition("/")[0])

    return FilterField(lambda row: (row.cell(key),), f"the column {key}", number=number)


def _queues(row: ObjectRow) -> Iterator[str]:
    for name in row.states:
        yield from (name, name.partition("@")[0])


def _hosts(row: ObjectRow) -> Iterator[str]:
    yield from (name.partition("@")[2] for name in row.states)
    yield from row.hosts


def _text(row: ObjectRow) -> str:
    return "\n".join(cell.text for cell in row.row.cells)
