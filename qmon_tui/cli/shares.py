"""The share tree after a run as a table: who has how many shares, is entitled to what, and has used how much."""

from collections.abc import Iterable, Iterator, Sequence

from qmon_tui.cli.terminal import Width
from qmon_tui.cli.text import count, table
from qmon_tui.scheduler.outcome import ShareNodeOutcome

_COLUMNS = ("shares", "level %", "total %", "tasks", "target %", "actual %", "usage", "share tree")
_RIGHT = frozenset(_COLUMNS[:-1])
_DROPPABLE = ("usage", "level %", "total %", "tasks")
_DEFAULT = "default"
_ROOT = "/"


def share_lines(nodes: Sequence[ShareNodeOutcome], width: Width) -> Iterable[str]:
    """The nodes below each other; users of a `default` node with neither tasks nor usage are only counted."""
    return table(_COLUMNS, list(_rows(nodes)), width, right=_RIGHT, droppable=_DROPPABLE)


def _rows(nodes: Sequence[ShareNodeOutcome]) -> Iterator[tuple[str, ...]]:
    idle = 0
    for place, node in enumerate(nodes):
        depth = 0 if node.path == _ROOT else node.path.count("/")
        parent = node.path.split("/")[-2:-1]
        is_idle = parent == [_DEFAULT] and not node.jobs and not node.usage
        idle += is_idle
        if not is_idle:
            yield (*_numbers(node), "  " * depth + (node.name if depth else _ROOT))
        is_last = place + 1 == len(nodes) or nodes[place + 1].path.rpartition("/")[0] != node.path.rpartition("/")[0]
        if idle and is_last:
            yield (*[""] * len(_RIGHT), "  " * depth + f"({count(idle, 'other user')})")
            idle = 0


def _numbers(node: ShareNodeOutcome) -> tuple[str, ...]:
    parts = (node.level, node.total, node.target, node.actual)
    level, total, target, actual = (f"{100 * part:.2f}" for part in parts)
    return str(node.shares), level, total, str(node.jobs), target, actual, f"{node.usage:.0f}"
