"""The share tree as tables: nodes with their shares, targets and usage, and the decay of usage."""

from collections.abc import Mapping, Sequence

from qmon_tui.model import Cluster, Kind, NodePosition, ShareNodeOutcome, TreeRow
from qmon_tui.report.bars import drawn_part
from qmon_tui.report.grid_rows import BLANK, Cell, Column, GridRow
from qmon_tui.report.spans import Line, Span, TextRole
from qmon_tui.report.words import compact, count
from qmon_tui.scheduler.configuration import double
from qmon_tui.values import whole_number

TREE_COLUMNS = (
    Column("node", "node", minimum=12),
    Column("shares", "shares", "right"),
    Column("level", "level %", "right", rank=2),
    Column("total", "total %", "right"),
    Column("target", "target %", "right", rank=1),
    Column("actual", "actual %", "right"),
    Column("usage", "usage", "right", rank=3),
    Column("tasks", "tasks", "right", rank=4),
)
DAY = 86_400
FORECAST_TIMES: tuple[tuple[str, int], ...] = (
    ("now", 0),
    ("1 day", DAY),
    ("2 days", 2 * DAY),
    ("4 days", 4 * DAY),
    ("1 week", 7 * DAY),
    ("2 weeks", 14 * DAY),
    ("4 weeks", 28 * DAY),
)
"""The moments of a forecast: their names, and seconds from now."""
FORECAST_COLUMNS = (
    Column("node", "node", minimum=12),
    *(Column(name, name, "right", rank=0 if seconds in (0, DAY, 7 * DAY) else 1) for name, seconds in FORECAST_TIMES),
    Column("left", "left after a week", minimum=8, rank=2),
)
_BRANCH = "  "
_DIFFERENT = 0.0005


def key_of(place: NodePosition) -> str:
    """The key of a node's row."""
    return ".".join(map(str, place)) or "root"


def place_of(key: str) -> NodePosition | None:
    """Return the place of a row; None for a user below a `default` node, who has no node."""
    if key == "root":
        return ()
    return tuple(int(part) for part in key.split(".")) if key.replace(".", "").isdigit() else None


def node_rows(cluster: Cluster, rows: Sequence[TreeRow], outcomes: Sequence[ShareNodeOutcome]) -> list[GridRow]:
    """Return a row per node, below each `default` node one for each user with tasks or usage, and how many others."""
    by_path = {outcome.path: outcome for outcome in outcomes}
    below: dict[str, list[ShareNodeOutcome]] = {}
    known = {row.path for row in rows}
    for outcome in outcomes:
        if outcome.path not in known:
            below.setdefault(outcome.path.rpartition("/")[0] or "/", []).append(outcome)
    grid_rows = []
    for row in rows:
        grid_rows.append(_node_row(cluster, row, by_path.get(row.path)))
        users = below.get(row.path, ())
        shown = [user for user in users if user.jobs or user.usage]
        grid_rows += [_user_row(row, user) for user in shown]
        if others := len(users) - len(shown):
            name = Cell(f"{_BRANCH * (row.depth + 1)}({count(others, 'other user')})", TextRole.DIM)
            grid_rows.append(GridRow(f"others {row.path}", (name, *(BLANK,) * (len(TREE_COLUMNS) - 1)), (BLANK,)))
    return grid_rows


def _node_row(cluster: Cluster, row: TreeRow, outcome: ShareNodeOutcome | None) -> GridRow:
    name = Cell(_BRANCH * row.depth + row.name, TextRole.PLAIN if row.is_leaf else TextRole.TITLE)
    shares = Cell(str(row.shares), TextRole.STRONG)
    parts = (Cell(percent(row.level), TextRole.DIM), Cell(percent(row.total)))
    return GridRow(key_of(row.place), (name, shares, *parts, *_reached(outcome)), (_sign(cluster, row),))


def _user_row(default: TreeRow, user: ShareNodeOutcome) -> GridRow:
    name = Cell(_BRANCH * (default.depth + 1) + user.name, TextRole.DIM)
    parts = (Cell(percent(user.level), TextRole.DIM), Cell(percent(user.total), TextRole.DIM))
    return GridRow(f"user {user.path}", (name, Cell(str(user.shares), TextRole.DIM), *parts, *_reached(user)), (BLANK,))


def _reached(outcome: ShareNodeOutcome | None) -> tuple[Cell, ...]:
    """Return target, actual share, usage and tasks of a run; blanks for a node that the run did not have."""
    if outcome is None:
        return (BLANK,) * 4
    gets_more = outcome.target > outcome.long_term + _DIFFERENT
    gets_less = outcome.target < outcome.long_term - _DIFFERENT
    role = TextRole.MOVED_UP if gets_more else TextRole.MOVED_DOWN if gets_less else TextRole.PLAIN
    mark = "▲" if gets_more else "▼" if gets_less else ""
    target = Cell(f"{mark}{percent(outcome.target)}" if outcome.jobs else "-", role if outcome.jobs else TextRole.DIM)
    tasks = Cell(
        f"{outcome.running}/{outcome.jobs}" if outcome.jobs else "-", TextRole.PLAIN if outcome.jobs else TextRole.DIM
    )
    used = TextRole.PLAIN if outcome.usage else TextRole.DIM
    return target, Cell(percent(outcome.actual), used), Cell(compact(outcome.usage), used), tasks


def _sign(cluster: Cluster, row: TreeRow) -> Cell:
    """Return the sign of a node: a project, a user, all other users, or a group of nodes."""
    if cluster.get(Kind.PROJECT, row.name) is not None:
        return Cell("P", TextRole.ACCENT)
    if row.name == "default":
        return Cell("*", TextRole.ACCENT)
    if cluster.get(Kind.USER, row.name) is not None:
        return Cell("u", TextRole.DIM)
    return Cell("✗", TextRole.ERROR) if row.is_leaf else BLANK


def node_lines(row: TreeRow, cluster: Cluster, outcome: ShareNodeOutcome | None) -> tuple[Line, ...]:
    """Below the table: what the chosen node is, and what its numbers say."""
    what = _what(cluster, row)
    head: Line = (Span(row.path, TextRole.STRONG), Span(f"  {what}", TextRole.DIM))
    if outcome is None:
        return (head,)
    if not outcome.jobs:
        words = f"by shares {percent(row.total)} % of everything; no tasks, so its part goes to others for now"
    else:
        words = (
            f"by shares {percent(outcome.long_term)} % among users with tasks, "
            f"{percent(outcome.target)} % with past usage taken into account"
        )
    return head, (Span(words),)


def _what(cluster: Cluster, row: TreeRow) -> str:
    if cluster.get(Kind.PROJECT, row.name) is not None:
        return "project"
    if row.name == "default":
        return "all users without a node of their own here"
    if cluster.get(Kind.USER, row.name) is not None:
        return "user"
    return "neither user nor project" if row.is_leaf else "group of nodes"


def percent(part: float) -> str:
    """A part of the whole with two digits behind the point, the sign being in the heading."""
    return f"{part * 100:.2f}"


# -- forecast


def forecast_rows(outcomes: Sequence[ShareNodeOutcome], ahead: Sequence[Sequence[float]]) -> list[GridRow]:
    """A row per node with its usage at the moments of `FORECAST_TIMES`."""
    week = next(number for number, (_, seconds) in enumerate(FORECAST_TIMES) if seconds == 7 * DAY)
    rows = []
    for outcome, amounts in zip(outcomes, ahead, strict=True):
        depth = 0 if outcome.path == "/" else outcome.path.count("/")
        role = TextRole.PLAIN if amounts[0] else TextRole.DIM
        cells = [Cell(compact(amount), role) for amount in amounts]
        left = amounts[week] / amounts[0] if amounts[0] else 0.0
        bar = Cell(_bar(left), TextRole.TICKETS) if amounts[0] else Cell("-", TextRole.DIM)
        name = Cell(_BRANCH * depth + outcome.name, role)
        rows.append(GridRow(outcome.path, (name, *cells, bar)))
    return rows


def _bar(part: float, cells: int = 12) -> str:
    full = round(drawn_part(part) * cells)
    return "━" * full + "─" * (cells - full) + f" {part * 100:.0f} %"


def decay_lines(scheduler: Mapping[str, str]) -> tuple[str, ...]:
    """How usage is weighed and forgotten, as sentences; the texts of sched_conf by field."""
    hours = scheduler["halftime"].strip()
    only_decay = "The forecast covers the decay of past usage only: what runs meanwhile adds to it."
    lines = [only_decay, f"usage is {scheduler['usage_weight_list']}"]
    if hours in ("", "0"):
        lines.append("halftime 0: past usage never decays")
    else:
        lines.append(
            f"halftime {hours} h: half of it is left after {_duration(hours)}, a quarter after twice that time"
        )
    kinds = scheduler["halflife_decay_list"].strip()
    if kinds.upper() != "NONE":
        lines.append(f"halflife_decay_list {kinds}: kinds of usage with a half-life of their own, in minutes")
    lines.append(_compensation_words(scheduler["compensation_factor"].strip()))
    return tuple(lines)


def _compensation_words(factor: str) -> str:
    """Return the effect of compensation_factor on users with little past usage.

    Source: tickets.md#targets-of-nodes.
    """
    if not double(factor):
        return f"compensation_factor {factor}: off, so a user with little past usage may get any multiple of the share"
    return (
        f"compensation_factor {factor}: a user who would get more than {factor} times the share is cut back once, "
        "and may still get more than that"
    )


def _duration(hours: str) -> str:
    number = whole_number(hours)
    if number is None:
        return f"{hours} h"
    days, rest = divmod(number, 24)
    words = [f"{days} days" if days != 1 else "1 day"] if days else []
    return " and ".join([*words, *([f"{rest} h"] if rest else [])])
