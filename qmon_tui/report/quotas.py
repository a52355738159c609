"""Quota sets as tables, their rules as sentences, and the usage of each limit."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from qmon_tui.checks import is_about
from qmon_tui.model import (
    FILTERS,
    Cluster,
    Finding,
    Outcome,
    QuotaFilter,
    QuotaRule,
    QuotaUse,
    Severity,
    clause_words,
    complex_index,
    is_dynamic,
    parse_rule,
)
from qmon_tui.report.bars import usage_bar
from qmon_tui.report.findings import field_finding_lines
from qmon_tui.report.grid_rows import BLANK, Cell, Column, GridRow
from qmon_tui.report.spans import Line, Span, TextRole, plain, wrap
from qmon_tui.report.words import shown_figure
from qmon_tui.scheduler.configuration import is_open
from qmon_tui.values import is_group, is_number, is_pattern, parse_number
from qmon_tui.workspace import Figures

_NOUNS: Mapping[str, tuple[str, str, str]] = {
    "users": ("", "user", "users"),
    "projects": ("in ", "project", "projects"),
    "pes": ("in ", "parallel environment", "parallel environments"),
    "queues": ("in ", "queue", "queues"),
    "hosts": ("on ", "host", "hosts"),
}
"""Keyword of a filter -> preposition, singular, plural."""
_WITHOUT = {"projects": "jobs without a project", "pes": "sequential jobs"}
"""Jobs that remain if all projects or parallel environments are excluded."""


def rule_words(rule: QuotaRule) -> str:
    """Return a rule in words: `each user of @staff but anna · on host node01 · at most 10 slots`."""
    parts = [filter_words(keyword, rule.filters[keyword]) for keyword in FILTERS if keyword in rule.filters]
    limits = ", ".join(f"{name} at most {value}" for name, value in rule.limits)
    whom = parts if "users" in rule.filters else ["all users together", *parts]
    return " · ".join([*whom, limits or "no limit"])


def filter_words(keyword: str, clause: QuotaFilter) -> str:
    """Return one filter in words."""
    lead, singular, plural = _NOUNS[keyword]
    if not clause.names and "*" in clause.excluded:
        return _WITHOUT.get(keyword, f"no {singular}")
    apart = clause.expanded
    if not clause.names or is_open(QuotaFilter(clause.names, (), expanded=False)):
        whom = f"each {singular}" if apart else f"all {plural} together"
    else:
        plain = not any(is_pattern(name) or is_group(name) for name in clause.names)
        names = ", ".join(clause.names)
        if plain and len(clause.names) == 1:
            whom = f"{singular} {names}"
        elif apart:
            whom = f"each of {names}" if plain else f"each {singular} of {names}"
        else:
            whom = f"{plural} {names} together" if plain else f"{plural} of {names} together"
    but = f" but {', '.join(clause.excluded)}" if clause.excluded else ""
    others = f", and {_WITHOUT[keyword]}" if keyword in _WITHOUT and not clause.names else ""
    return f"{lead}{whom}{but}{others}"


def limit_notes(cluster: Cluster, rule: QuotaRule) -> tuple[str, ...]:
    """Return sentences about the attributes of the limits."""
    index = complex_index(cluster)
    notes = []
    for name, value in rule.limits:
        entry = index.find(name)
        if entry is None:
            continue
        if is_dynamic(value):
            notes.append(f"{entry.name}: worked out for each host from {value}.")
        if not entry.is_consumable:
            notes.append(
                f"{entry.name} is not counted, only compared with what a job requests; "
                "8.1.9 never runs a parallel job that requests it."
            )
    return tuple(notes)


_CLAUSE_RANKS = {"users": 0, "projects": 3, "pes": 4, "queues": 2, "hosts": 1}
QUOTA_USAGE_COLUMNS = (
    Column("rule", "rule", minimum=6),
    Column("limit", "limit", minimum=6),
    Column("used", "used", "right"),
    Column("of", "of", "right"),
    Column("bar", "", minimum=8, rank=1),
    Column("filter", "filter", minimum=26),
)
_BAR = 16
_FULL = 1.0
_NEARLY = 0.9
_SIGNS = {Severity.ERROR: Cell("✗", TextRole.ERROR), Severity.WARNING: Cell("!", TextRole.WARNING)}


def rule_columns(rules: Sequence[str]) -> tuple[Column, ...]:
    """Return the columns of the rules; only filters that a rule has."""
    return (
        Column("rule", "rule", minimum=4),
        *(Column(keyword, keyword, minimum=6, rank=_CLAUSE_RANKS[keyword]) for keyword in _used(rules)),
        Column("limits", "limits", minimum=10),
        Column("fullest", "fullest", minimum=8, rank=5),
    )


class ShownUse(NamedTuple):
    """Usage of a limit, and its text: `2 → 17`."""

    use: QuotaUse
    used: str


def shown_uses(figures: Figures, outcome: Outcome | None) -> list[ShownUse]:
    """Return the usage of all limits before the next run, after it, or both; like qquota, without unused limits."""
    if outcome is None or not (outcome.quotas or outcome.quotas_before):
        return []
    before = {quota_key(use): use for use in outcome.quotas_before or ()}
    if figures is Figures.NOW:
        return [ShownUse(use, use.used or "") for use in before.values()]
    shown: list[ShownUse] = []
    for after in outcome.quotas or ():
        now = before.get(quota_key(after)) or replace(after, used=None if after.used is None else "0")
        text = shown_figure(figures, now.used or "", after.used or "")
        shown.append(ShownUse(after if figures is Figures.NEXT else now, text))
    return shown


def quota_key(use: QuotaUse) -> str:
    """Return the key of a limit and counter: rule, attribute, filter."""
    return f"{use.rule} {use.attribute} {use.filter}"


def rule_rows(
    rules: Sequence[str], quota_set: str, uses: Iterable[ShownUse], findings: Sequence[Finding]
) -> list[GridRow]:
    """Return a row per rule, in their order; invalid rules show the text of their clauses."""
    fullest = _fullest(uses)
    keywords = _used(rules)
    rows = []
    for place, rule in enumerate(rules):
        cells = _rule_cells(rule, place, keywords, fullest.get(label_of(quota_set, rule, place)))
        rows.append(GridRow(str(place), cells, (_sign(rule, findings),)))
    return rows


def _used(rules: Sequence[str]) -> tuple[str, ...]:
    return tuple(keyword for keyword in FILTERS if any(keyword in clause_words(rule) for rule in rules))


def label_of(quota_set: str, rule: str, place: int) -> str:
    """Return the name of a rule in messages: SET/RULE, or SET/n (from 1) without a name."""
    return f"{quota_set}/{clause_words(rule).get('name') or place + 1}"


def _rule_cells(rule: str, place: int, keywords: Sequence[str], shown: ShownUse | None) -> tuple[Cell, ...]:
    words = clause_words(rule)
    clauses = (_clause_cell(words.get(keyword)) for keyword in keywords)
    name = Cell(words["name"], TextRole.STRONG) if words.get("name") else Cell(str(place + 1), TextRole.DIM)
    full = Cell("-", TextRole.DIM)
    if shown is not None:
        full = Cell(f"{shown.use.attribute} {shown.used}/{shown.use.limit}", _usage_role(_part(shown.use)))
    return (name, *clauses, Cell(words.get("to", "")), full)


def _clause_cell(word: str | None) -> Cell:
    if word is None:
        return Cell("all", TextRole.DIM)
    return Cell(word, TextRole.ACCENT if word.startswith("{") else TextRole.PLAIN)


def _sign(rule: str, findings: Iterable[Finding]) -> Cell:
    worst = {finding.severity for finding in findings if is_about(finding, rule)}
    return next((sign for severity, sign in _SIGNS.items() if severity in worst), BLANK)


def rule_lines(cluster: Cluster, rule: str, findings: Iterable[Finding], cells: int) -> list[Line]:
    """Return the lines below the table: a rule as in sge_resource_quota(5), in words, with notes and findings."""
    lines = list(wrap(f"limit {rule}", cells, TextRole.STRONG, rest="      "))
    try:
        parsed = parse_rule(rule)
    except ValueError:
        parsed = None
    if parsed is not None:
        lines += wrap(rule_words(parsed), cells)
        for note in limit_notes(cluster, parsed):
            lines += wrap(note, cells, TextRole.DIM)
    for finding in findings:
        if is_about(finding, rule):
            # The rule is shown above: remove it from the hint.
            hint = finding.hint.removesuffix(f"In the rule: {rule}").strip()
            lines += field_finding_lines(finding._replace(hint=hint), cells, 0)
    return lines


# -- usage


def quota_usage_rows(rules: Sequence[str], quota_set: str, uses: Iterable[ShownUse]) -> list[GridRow]:
    """Return a row per limit and counter, rules in order, fullest counter first; one row for an unused rule."""
    by_rule: dict[str, list[ShownUse]] = {}
    for shown in uses:
        by_rule.setdefault(shown.use.rule, []).append(shown)
    rows = []
    for place, rule in enumerate(rules):
        label = label_of(quota_set, rule, place)
        quota_uses = sorted(by_rule.get(label, ()), key=lambda shown: _part(shown.use), reverse=True)
        rows += [_use_row(*shown) for shown in quota_uses] or [_unused(label, rule)]
    return rows


def _use_row(use: QuotaUse, text: str) -> GridRow:
    part = _part(use)
    role = _usage_role(part)
    name = use.rule.partition("/")[2]
    bar = (
        Cell(plain(usage_bar(part, 1.0, _BAR, role)), role)
        if use.used is not None
        else Cell("compared only", TextRole.DIM)
    )
    used = Cell(text, role)
    return GridRow(
        quota_key(use), (Cell(name), Cell(use.attribute), used, Cell(use.limit), bar, Cell(use.filter)), (_full(part),)
    )


def _unused(label: str, rule: str) -> GridRow:
    words = clause_words(rule)
    filters = " ".join(f"{keyword} {words[keyword]}" for keyword in FILTERS if keyword in words) or "-"
    limits = words.get("to", "")
    cells = (Cell(label.partition("/")[2], TextRole.DIM), Cell(limits, TextRole.DIM), Cell("0", TextRole.DIM), Cell(""))
    return GridRow(label, (*cells, Cell("nothing used", TextRole.DIM), Cell(filters, TextRole.DIM)), (BLANK,))


def _fullest(uses: Iterable[ShownUse]) -> dict[str, ShownUse]:
    fullest: dict[str, ShownUse] = {}
    for shown in uses:
        use = shown.use
        if use.used is not None and (use.rule not in fullest or _part(use) > _part(fullest[use.rule].use)):
            fullest[use.rule] = shown
    return fullest


def _part(use: QuotaUse) -> float:
    """Return the used part of a limit, 0 to 1 and above; 1 for a limit of 0, 0 if it is not counted."""
    if use.used is None:
        return 0.0
    used, limit = (parse_number(text) if is_number(text) else 0.0 for text in (use.used, use.limit))
    return used / limit if limit > 0 else _FULL


def _usage_role(part: float) -> TextRole:
    return TextRole.FAILED if part >= _FULL else TextRole.WARNING if part >= _NEARLY else TextRole.RUNNING


def _full(part: float) -> Cell:
    return Cell("✗", TextRole.FAILED) if part >= _FULL else Cell("!", TextRole.WARNING) if part >= _NEARLY else BLANK


def set_line(rules: int, *, enabled: bool) -> Line:
    """Return the line above the rules: enabled or disabled, and the number of rules."""
    number = "1 rule" if rules == 1 else f"{rules} rules"
    if not enabled:
        return (Span("○ disabled", TextRole.WARNING), Span(f"  {number}: no limit counts", TextRole.DIM))
    state = Span("● enabled", TextRole.RUNNING)
    order = "  the first that matches applies" if rules > 1 else ""
    return (state, Span(f"  {number}{order}", TextRole.DIM))
