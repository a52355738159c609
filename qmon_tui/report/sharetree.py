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
"""Times of a forecast: (name, seconds from now)."""
FORECAST_COLUMNS = (
    Column("node", "node", minimum=12),
    *(Column(name, name, "right", rank=0 if seconds in (0, DAY, 7 * DAY) else 1) for name, seconds in FORECAST_TIMES),
    Column("left", "left after a week", minimum=8, rank=2),
)
_BRANCH = "  "
_DIFFERENT = 0.0005
"""Least difference of target and long-term share, as a part of 1, that is marked."""


def key_of(place: NodePosition) -> str:
    """Return the key of a node's row."""
    return ".".join(map(str, place)) or "root"


def place_of(key: str) -> NodePosition | None:
    """Return the place of a row's node; None for a user below a `default` node, without a node of its own."""
    if key == "root":
        return ()
    return tuple(int(part) for part in key.split(".")) if key.replace(".", "").isdigit() else None


def node_rows(cluster: Cluster, rows: Sequence[TreeRow], outcomes: Sequence[ShareNodeOutcome]) -> list[GridRow]:
    """Return a row per node; below `default`, one per user with tasks or usage, and the number of other users."""
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
    return GridRow(key_of(row.place), (name, shares, *parts, *_in_run(outcome)), (_sign(cluster, row),))


def _user_row(default: TreeRow, user: ShareNodeOutcome) -> GridRow:
    name = Cell(_BRANCH * (default.depth + 1) + user.name, TextRole.DIM)
    parts = (Cell(percent(user.level), TextRole.DIM), Cell(percent(user.total), TextRole.DIM))
    return GridRow(f"user {user.path}", (name, Cell(str(user.shares), TextRole.DIM), *parts, *_in_run(user)), (BLANK,))


def _in_run(outcome: ShareNodeOutcome | None) -> tuple[Cell, ...]:
    """Return target, actual share, usage and tasks of a node in the run; blanks if the run did not have it."""
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
    """Return the sign of a node: P project, u user, * all other users, ✗ unknown leaf, blank for inner nodes."""
    if cluster.get(Kind.PROJECT, row.name) is not None:
        return Cell("P", TextRole.ACCENT)
    if row.name == "default":
        return Cell("*", TextRole.ACCENT)
    if cluster.get(Kind.USER, row.name) is not None:
        return Cell("u", TextRole.DIM)
    return Cell("✗", TextRole.ERROR) if row.is_leaf else BLANK


def node_lines(row: TreeRow, cluster: Cluster, outcome: ShareNodeOutcome | None) -> tuple[Line, ...]:
    """Return the lines below the table: type and numbers of the chosen node; `outcome` None without a run."""
    what = _type_words(cluster, row)
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


def _type_words(cluster: Cluster, row: TreeRow) -> str:
    if cluster.get(Kind.PROJECT, row.name) is not None:
        return "project"
    if row.name == "default":
        return "all users without a node of their own here"
    if cluster.get(Kind.USER, row.name) is not None:
        return "user"
    return "neither user nor project" if row.is_leaf else "group of nodes"


def percent(part: float) -> str:
    """Return a part of 1 as a percentage with two decimals, without the sign."""
    return f"{part * 100:.2f}"


# -- forecast


def forecast_rows(outcomes: Sequence[ShareNodeOutcome], ahead: Sequence[Sequence[float]]) -> list[GridRow]:
    """Return a row per node with its usage at `FORECAST_TIMES`; `ahead` has these numbers for each node."""
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
    """Return sentences about weights and decay of usage; `scheduler` maps fields of sched_conf to texts."""
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
