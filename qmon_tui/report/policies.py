"""Policies as tables: terms of the priority, tickets, holders of shares; and the choice of formulas."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from qmon_tui.model import Kind, StateKind
from qmon_tui.report.bars import stroke, usage_bar
from qmon_tui.report.grid_rows import BLANK, Cell, Column, GridRow
from qmon_tui.report.spans import Line, Span, TextRole, plain, wrap
from qmon_tui.report.words import compact, count
from qmon_tui.workspace import PolicyTickets, ShareCategory, ShareHolder, TermWeight

POLICY_COLUMNS = (
    Column("what", "", minimum=16),
    Column("value", "value", "right"),
    Column("part", "up to %", "right", rank=1),
    Column("now", "now", minimum=14),
    Column("bar", "", rank=2),
    Column("note", "", minimum=20, rank=3),
)
SHARES_COLUMNS = (
    Column("name", "", minimum=18),
    Column("fshare", "fshare", "right"),
    Column("part", "%", "right"),
    Column("functional", "ftckt", "right", rank=1),
    Column("oticket", "oticket", "right"),
    Column("override", "otckt", "right", rank=2),
    Column("jobs", "jobs", "right", rank=3),
    Column("note", "", minimum=10, rank=4),
)
_BAR = 12
_SUM = "= override"
"""Row key for the sum of override tickets, which has no field of its own."""
_TERMS = {
    "weight_urgency": TextRole.URGENCY,
    "weight_ticket": TextRole.TICKETS,
    "weight_priority": TextRole.POSIX,
}
_CATEGORIES = ("weight_user", "weight_project", "weight_department", "weight_job")
_KINDS: Mapping[Kind | StateKind, str] = {
    Kind.USER: "Users",
    Kind.PROJECT: "Projects",
    Kind.USERSET: "Departments",
    StateKind.JOB: "Jobs",
}
_SOURCES: Mapping[Kind | StateKind, str] = {StateKind.JOB: "qsub -js, qalter -ot"}
"""Kind -> commands that set its shares, if they are not in the configuration."""
MOST_JOBS = 100
"""Number of listed jobs, those with shares or tickets first; the others are counted."""
_PLAIN_FIELDS = (
    "weight_waiting_time",
    "weight_deadline",
    "policy_hierarchy",
    "share_override_tickets",
    "share_functional_shares",
    "max_functional_jobs_to_schedule",
    "max_pending_tasks_per_job",
    "report_pjob_tickets",
)
"""Fields whose row has only name and text."""


def policy_rows(
    terms: Sequence[TermWeight],
    tickets: Sequence[PolicyTickets],
    categories: Sequence[ShareCategory],
    urgent: Sequence[tuple[str, str]],
    texts: Mapping[str, str],
    deadline_users: Sequence[str] = (),
) -> list[GridRow]:
    """Return the rows of all settings that affect priorities; the key of a row is its field.

    `texts`: field -> text; `deadline_users` may use -dl.
    """
    override = next((policy_tickets.total for policy_tickets in tickets if not policy_tickets.field), 0.0)
    texts = aligned_decimals({**texts, _SUM: compact(override)})
    return [
        _heading("priority", "Priority, the sum of"),
        *(_term_row(term, texts) for term in terms),
        _heading("urgency", "Urgency, the sum of"),
        *(_text_row(field, texts) for field in ("weight_waiting_time", "weight_deadline")),
        _deadline_row(deadline_users),
        _urgent_row(urgent),
        _heading("tickets", "Tickets"),
        *(_ticket_row(policy_tickets, texts) for policy_tickets in tickets),
        *(
            _text_row(field, texts)
            for field in ("policy_hierarchy", "report_pjob_tickets", "max_pending_tasks_per_job")
        ),
        _heading("functional", "Functional tickets"),
        *(_category_row(category, texts) for category in categories),
        *(_text_row(field, texts) for field in ("share_functional_shares", "max_functional_jobs_to_schedule")),
        _heading("override", "Override tickets"),
        _text_row("share_override_tickets", texts),
    ]


def _heading(key: str, words: str) -> GridRow:
    return GridRow(f"= {key}", (Cell(words, TextRole.TITLE), *(BLANK,) * 5))


def _term_row(term: TermWeight, texts: Mapping[str, str]) -> GridRow:
    role = _TERMS[term.field]
    now = f"{term.low:.3f}" if term.high == term.low else f"{term.low:.3f}–{term.high:.3f}"
    if not term.weight:
        note = "0: no effect"
    elif term.high == term.low:
        note = "the same for all pending tasks"
    else:
        note = f"makes {term.decides * 100:.0f} % of the differences"
    cells = (
        Cell(f"  {stroke(role) * 2} {term.field}", role if term.weight else TextRole.DIM),
        Cell(texts[term.field], TextRole.STRONG),
        Cell(_percent(term.part)),
        Cell(now if term.weight else "-", TextRole.PLAIN if term.weight else TextRole.DIM),
        Cell(_bar(term.decides), role),
        Cell(note, TextRole.DIM),
    )
    return GridRow(term.field, cells)


def _deadline_row(users: Sequence[str]) -> GridRow:
    words = Cell(", ".join(users)) if users else Cell("nobody", TextRole.DIM)
    source = Cell("userset deadlineusers", TextRole.DIM)
    cells = (Cell("  users that may use -dl"), BLANK, BLANK, words, BLANK, source)
    return GridRow("= deadlines", cells)


def _urgent_row(urgent: Sequence[tuple[str, str]]) -> GridRow:
    words = ", ".join(f"{name} {urgency}" for name, urgency in urgent) or "none"
    cells = (Cell("  urgency of requests"), BLANK, BLANK, Cell(words), BLANK, Cell("in the complexes", TextRole.DIM))
    return GridRow("= requests", cells)


def _ticket_row(tickets: PolicyTickets, texts: Mapping[str, str]) -> GridRow:
    value = Cell(texts[tickets.field], TextRole.STRONG) if tickets.field else Cell(texts[_SUM], TextRole.DIM)
    given = f"{compact(tickets.given)}, {count(tickets.tasks, 'task')}" if tickets.tasks else "none"
    note = "" if tickets.field else "what users, projects, departments and jobs have"
    cells = (
        Cell(f"  {tickets.field or 'override tickets'}", TextRole.PLAIN if tickets.total else TextRole.DIM),
        value,
        Cell(_percent(tickets.part)),
        Cell(given, TextRole.PLAIN if tickets.tasks else TextRole.DIM),
        Cell(_bar(tickets.part), TextRole.TICKETS),
        Cell(note, TextRole.DIM),
    )
    return GridRow(tickets.field or "= override total", cells)


def _category_row(category: ShareCategory, texts: Mapping[str, str]) -> GridRow:
    cells = (
        Cell(f"  {category.field}", TextRole.PLAIN if category.weight else TextRole.DIM),
        Cell(texts[category.field], TextRole.STRONG),
        Cell(_percent(category.part)),
        BLANK,
        Cell(_bar(category.part), TextRole.TICKETS),
        BLANK,
    )
    return GridRow(category.field, cells)


def _text_row(field: str, texts: Mapping[str, str]) -> GridRow:
    return GridRow(field, (Cell(f"  {field}"), Cell(texts[field], TextRole.STRONG), *(BLANK,) * 4))


def aligned_decimals(texts: Mapping[str, str]) -> dict[str, str]:
    """Return numbers without trailing zeros, padded so that their decimal points are aligned."""
    short = {name: _shortened(text) for name, text in texts.items()}
    behind = {name: len(text) - len(text.partition(".")[0]) for name, text in short.items()}
    widest = max(behind.values(), default=0)
    return {name: text + " " * (widest - behind[name]) for name, text in short.items()}


def _shortened(text: str) -> str:
    whole, point, fraction = text.partition(".")
    return f"{whole}.{fraction}".rstrip("0").rstrip(".") if point and fraction.isdigit() else text


def _bar(part: float) -> str:
    return plain(usage_bar(part, 1.0, _BAR, TextRole.PLAIN)) if part > 0 else ""


def _percent(part: float) -> str:
    return f"{part * 100:.1f}"


# -- who has shares


def shares_rows(holders: Iterable[ShareHolder]) -> list[GridRow]:
    """Return a row per user, project, department and job (key `KIND:NAME`), below a heading with the sums."""
    rows: list[GridRow] = []
    for kind, group in groupby(holders, key=lambda holder: holder.kind):
        listed = list(group)
        total = sum(holder.fshare for holder in listed)
        override = sum(holder.oticket for holder in listed)
        sums = (Cell(str(total), TextRole.DIM), BLANK, BLANK, Cell(str(override), TextRole.DIM), BLANK, BLANK)
        source = Cell(_SOURCES.get(kind, ""), TextRole.DIM)
        rows.append(GridRow(f"= {kind}", (Cell(_KINDS[kind], TextRole.TITLE), *sums, source)))
        most = MOST_JOBS if kind is StateKind.JOB else len(listed)
        rows += map(_holder_row, listed[:most])
        if len(listed) > most:
            words = f"  and {len(listed) - most} more"
            rows.append(GridRow(f"= more {kind}", (Cell(words, TextRole.DIM), *(BLANK,) * 7)))
    return rows


def _holder_row(holder: ShareHolder) -> GridRow:
    has = TextRole.STRONG if holder.fshare else TextRole.DIM
    cells = (
        Cell(f"  {holder.name}"),
        Cell(str(holder.fshare), has),
        Cell(_percent(holder.part)) if holder.fshare else Cell("-", TextRole.DIM),
        Cell(*_amount(holder.functional)),
        Cell(str(holder.oticket), TextRole.STRONG if holder.oticket else TextRole.DIM),
        Cell(*_amount(holder.override)),
        Cell(str(holder.jobs) if holder.jobs else "-", TextRole.PLAIN if holder.jobs else TextRole.DIM),
        Cell(holder.words, TextRole.DIM),
    )
    return GridRow(f"{holder.kind}:{holder.name}", cells)


def _amount(tickets: float) -> tuple[str, TextRole]:
    return (compact(tickets), TextRole.TICKETS) if tickets else ("-", TextRole.DIM)


def shown_fields() -> Iterator[str]:
    """Yield all fields of sched_conf that the table of policies shows."""
    yield from (*_TERMS, "weight_tickets_share", "weight_tickets_functional", *_CATEGORIES, *_PLAIN_FIELDS)


def formula_lines(formulas: Iterable[tuple[str, str, bool]], now: str, cells: int) -> tuple[Line, ...]:
    """Return name and description of each (name, words, True for Grid Engine's); `now` is the name in use."""
    lines: list[Line] = [
        *wrap(
            "Only the first is what a qmaster computes. The others are proposals of the study of Grid Engine's"
            " priorities, for comparison; the live pane warns as long as one is in use.",
            cells,
        ),
        (),
    ]
    for name, words, real in formulas:
        mark = "• " if name == now else "  "
        lines.append(
            (
                Span(mark, TextRole.ACCENT),
                Span(name, TextRole.STRONG),
                Span("" if real else "  not Grid Engine", TextRole.WARNING),
            )
        )
        lines.extend(wrap(words, cells, TextRole.DIM, first="    ", rest="    "))
    return tuple(lines)
