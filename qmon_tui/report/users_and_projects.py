"""Members of a userset, and the shares of a user or a project, as tables."""

from collections.abc import Mapping, Sequence

from qmon_tui.model import NO_DRAINS, Drain, ShareNodeOutcome, last_day
from qmon_tui.report.grid_rows import BLANK, Cell, Column, GridRow
from qmon_tui.report.sharetree import percent
from qmon_tui.report.spans import TextRole
from qmon_tui.report.words import compact
from qmon_tui.workspace import ShareHolder, UserSetMember

MEMBER_COLUMNS = (
    Column("name", "name", minimum=10),
    Column("fshare", "fshare", "right"),
    Column("oticket", "oticket", "right"),
    Column("running", "running", "right"),
    Column("waiting", "waiting", "right"),
    Column("tickets", "tickets now", "right", rank=1),
    Column("note", "", minimum=8, rank=2),
)
SHARE_SUMMARY_COLUMNS = (
    Column("what", "", minimum=16),
    Column("value", "", minimum=12),
    Column("note", "", minimum=12, rank=1),
)


def exception_words(given: Sequence[Drain]) -> str:
    """Return the end and the reason of an exception: `until 2026-12-01 (anna: cover)`; empty without any."""
    return "; ".join(f"until {last_day(drain)} ({drain.key})" for drain in given)


def member_rows(members: Sequence[UserSetMember], ends: Mapping[str, Sequence[Drain]] = NO_DRAINS) -> list[GridRow]:
    """Return a row per member. `ends`: member -> its exceptions."""
    return [_member_row(member, ends.get(member.name, ())) for member in members]


def _member_row(member: UserSetMember, ends: Sequence[Drain]) -> GridRow:
    what = "" if member.fshare else "group" if member.name.startswith("@") else "no user object"
    note = ", ".join(filter(None, (exception_words(ends), what)))
    cells = (
        Cell(member.name),
        *(Cell(text or "-", TextRole.PLAIN if text else TextRole.DIM) for text in (member.fshare, member.oticket)),
        Cell(*_number(member.running, TextRole.RUNNING)),
        Cell(*_number(member.waiting, TextRole.WAITING)),
        Cell(*_number(member.tickets, TextRole.TICKETS)),
        Cell(note, TextRole.DIM),
    )
    return GridRow(member.name, cells)


def _number(amount: float, role: TextRole) -> tuple[str, TextRole]:
    words = str(amount) if isinstance(amount, int) else compact(amount)
    return (words, role) if amount else ("-", TextRole.DIM)


def share_summary_rows(
    holder: ShareHolder | None,
    work: tuple[int, int, float],
    nodes: Sequence[ShareNodeOutcome],
    usersets: Sequence[tuple[str, str]],
    used: tuple[str, str],
    given: Sequence[Drain] = (),
) -> list[GridRow]:
    """Return the tasks, tickets and shares of a user or project; `work` is (running, waiting, tickets)."""
    running, waiting, tickets = work
    rows = [
        _row("running tasks", str(running)),
        _row("waiting tasks", str(waiting)),
        _row("their tickets", compact(tickets)),
    ]
    if holder is not None:
        rows.append(_row("functional shares", str(holder.fshare), f"{percent(holder.part)} % of those of its kind"))
        rows.append(_row("override tickets", str(holder.oticket), exception_words(given)))
    rows.append(_row("past usage", *used))
    for node in nodes:
        note = f"{percent(node.total)} % by shares, target {percent(node.target)} %, used {percent(node.actual)} %"
        rows.append(_row(f"node {node.path}", f"{node.shares} shares", note))
    if not nodes:
        rows.append(_row("share tree", "no node of its own"))
    rows += [_row(f"userset {name}", kind, key=f"userset:{name}") for name, kind in usersets]
    return rows


def _row(what: str, value: str, note: str = "", *, key: str = "") -> GridRow:
    return GridRow(key or what, (Cell(what), Cell(value, TextRole.STRONG), Cell(note, TextRole.DIM) if note else BLANK))
