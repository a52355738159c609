"""The hosts of a hostgroup, with the groups through which each came."""

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.resolution import Found, find_members
from qmon_tui.tui.base.columns import Cell, Column, GridRow
from qmon_tui.tui.present.spans import Idea

RESOLVED_COLUMNS = (Column("host", "host"), Column("through", "through", minimum=8))
_WRONG = {Found.UNKNOWN: "there is no such group", Found.CIRCLE: "leads back to itself"}


def resolved_rows(cluster: Cluster, name: str) -> list[GridRow]:
    """One row per host, each once, in the order of the lists; groups that add nothing say why."""
    rows: dict[str, GridRow] = {}
    for member in find_members(cluster, name):
        path = " ▸ ".join(member.path[1:])
        if member.found is Found.HOST:
            cells = (Cell(member.name), Cell(path or "listed itself", Idea.PLAIN if path else Idea.DIM))
        else:
            cells = (Cell(f"✗ {member.name}", Idea.ERROR), Cell(f"{path} {_WRONG[member.found]}".strip(), Idea.ERROR))
        rows.setdefault(member.name, GridRow(member.name, cells))
    return list(rows.values())
