"""A hostgroup as a tree: the groups in it, each with its own hosts, and the groups that it is in."""

from collections.abc import Iterator

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.kinds import Kind
from qmon_tui.model.references import references_to
from qmon_tui.model.topology import kept_name, members, resolve_group
from qmon_tui.tui.base.columns import BLANK, Cell, Column, GridRow
from qmon_tui.tui.present.spans import Idea
from qmon_tui.tui.present.words import count
from qmon_tui.values.hosts import is_group
from qmon_tui.workspace.reasons import folded

GROUP_COLUMNS = (
    Column("group", "", minimum=14),
    Column("hosts", "hosts", "right"),
    Column("own", "of its own", minimum=16),
    Column("queues", "queues", minimum=8, rank=1),
)
_DEEPEST = 20


def group_rows(cluster: Cluster, name: str) -> list[GridRow]:
    """The group, all groups below it depth first, then those that it is in itself."""
    rows = list(_rows(cluster, name, (), ""))
    above = [ref.name for ref in references_to(cluster, Kind.HOSTGROUP, name) if ref.kind is Kind.HOSTGROUP]
    if above:
        rows.append(GridRow("= above", (Cell("is in", Idea.TITLE), BLANK, BLANK, BLANK)))
        rows += [_row(cluster, group, f"above {group}", 1, "") for group in dict.fromkeys(above)]
    return rows


def group_of(key: str) -> str | None:
    """The group of a row; None for a heading."""
    return None if key.startswith("=") else key.split(" ")[-1]


def _rows(cluster: Cluster, name: str, way: tuple[str, ...], key: str) -> Iterator[GridRow]:
    key = f"{key}/ {name}" if key else name
    circle = "contains itself" if name in way else ""
    yield _row(cluster, name, key, len(way), circle)
    obj = cluster.get(Kind.HOSTGROUP, name)
    if obj is not None and not circle and len(way) < _DEEPEST:
        for member in dict.fromkeys(members(obj)):
            if is_group(member):
                yield from _rows(cluster, kept_name(cluster, member), (*way, name), key)


def _row(cluster: Cluster, name: str, key: str, depth: int, wrong: str) -> GridRow:
    obj = cluster.get(Kind.HOSTGROUP, name)
    if obj is None:
        wrong = "does not exist"
    own = folded([member for member in members(obj) if not is_group(member)]) if obj is not None else ""
    hosts = len(resolve_group(cluster, name))
    queues = [ref.name for ref in references_to(cluster, Kind.HOSTGROUP, name) if ref.kind is Kind.QUEUE]
    cells = (
        Cell("  " * depth + name, Idea.ERROR if wrong else Idea.TITLE if depth == 0 else Idea.PLAIN),
        Cell(count(hosts, "host").split()[0], Idea.PLAIN if hosts else Idea.DIM),
        Cell(wrong or own or "-", Idea.ERROR if wrong else Idea.PLAIN if own else Idea.DIM),
        Cell(", ".join(dict.fromkeys(queues)), Idea.DIM),
    )
    return GridRow(key, cells, (Cell("✗", Idea.ERROR) if wrong else BLANK,))
