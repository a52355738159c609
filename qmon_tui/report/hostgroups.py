"""A hostgroup as tables: the tree of its groups, and its hosts with the groups that contain them."""

from collections.abc import Iterator

from qmon_tui.model import Cluster, Kind, MemberKind, defined_name, find_members, members, references_to, resolve_group
from qmon_tui.report.grid_rows import BLANK, Cell, Column, GridRow
from qmon_tui.report.reason_text import short_names
from qmon_tui.report.spans import TextRole
from qmon_tui.report.words import count
from qmon_tui.values import is_group

GROUP_COLUMNS = (
    Column("group", "", minimum=14),
    Column("hosts", "hosts", "right"),
    Column("own", "of its own", minimum=16),
    Column("queues", "queues", minimum=8, rank=1),
)
_DEEPEST = 20
"""Greatest depth of the tree that is shown."""


def group_rows(cluster: Cluster, name: str) -> list[GridRow]:
    """Return a row for the group, its subgroups depth first, then the groups that contain it."""
    rows = list(_rows(cluster, name, (), ""))
    above = [ref.name for ref in references_to(cluster, Kind.HOSTGROUP, name) if ref.kind is Kind.HOSTGROUP]
    if above:
        rows.append(GridRow("= above", (Cell("is in", TextRole.TITLE), BLANK, BLANK, BLANK)))
        rows += [_row(cluster, group, f"above {group}", 1, "") for group in dict.fromkeys(above)]
    return rows


def group_of(key: str) -> str | None:
    """Return the group of the row with this key; None for a heading."""
    return None if key.startswith("=") else key.split(" ")[-1]


def _rows(cluster: Cluster, name: str, path_above: tuple[str, ...], key: str) -> Iterator[GridRow]:
    key = f"{key}/ {name}" if key else name
    circle = "contains itself" if name in path_above else ""
    yield _row(cluster, name, key, len(path_above), circle)
    obj = cluster.get(Kind.HOSTGROUP, name)
    if obj is not None and not circle and len(path_above) < _DEEPEST:
        for member in dict.fromkeys(members(obj)):
            if is_group(member):
                yield from _rows(cluster, defined_name(cluster, member), (*path_above, name), key)


def _row(cluster: Cluster, name: str, key: str, depth: int, wrong: str) -> GridRow:
    obj = cluster.get(Kind.HOSTGROUP, name)
    if obj is None:
        wrong = "does not exist"
    own = short_names([member for member in members(obj) if not is_group(member)]) if obj is not None else ""
    hosts = len(resolve_group(cluster, name))
    queues = [ref.name for ref in references_to(cluster, Kind.HOSTGROUP, name) if ref.kind is Kind.QUEUE]
    cells = (
        Cell("  " * depth + name, TextRole.ERROR if wrong else TextRole.TITLE if depth == 0 else TextRole.PLAIN),
        Cell(count(hosts, "host").split()[0], TextRole.PLAIN if hosts else TextRole.DIM),
        Cell(wrong or own or "-", TextRole.ERROR if wrong else TextRole.PLAIN if own else TextRole.DIM),
        Cell(", ".join(dict.fromkeys(queues)), TextRole.DIM),
    )
    return GridRow(key, cells, (Cell("✗", TextRole.ERROR) if wrong else BLANK,))


RESOLVED_COLUMNS = (Column("host", "host"), Column("through", "through", minimum=8))
_WRONG = {MemberKind.UNKNOWN: "there is no such group", MemberKind.CIRCLE: "leads back to itself"}


def resolved_rows(cluster: Cluster, name: str) -> list[GridRow]:
    """Return one row per host, in the order of the lists, and one with the problem of each group without hosts."""
    rows: dict[str, GridRow] = {}
    for member in find_members(cluster, name):
        path = " ▸ ".join(member.path[1:])
        if member.kind is MemberKind.HOST:
            cells = (Cell(member.name), Cell(path or "listed itself", TextRole.PLAIN if path else TextRole.DIM))
        else:
            cells = (
                Cell(f"✗ {member.name}", TextRole.ERROR),
                Cell(f"{path} {_WRONG[member.kind]}".strip(), TextRole.ERROR),
            )
        rows.setdefault(member.name, GridRow(member.name, cells))
    return list(rows.values())
