"""Rows of the quota hit test: job and place, then for each set the matching rule and why others do not match."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from qmon_tui.report.grid_rows import BLANK, Cell, Column, GridRow
from qmon_tui.report.spans import TextRole
from qmon_tui.scheduler.quotas import FilterMismatch, MatchedLimit, MatchedRule, QuotaSetMatch, RuleMatch

HIT_COLUMNS = (Column("what", "", minimum=10), Column("said", "", minimum=38), Column("more", "", minimum=16, rank=1))

NONE = "-"


@dataclass(frozen=True, slots=True)
class HitTestQuestion:
    """The requester and the place; `project` or `pe` is None for a job without one."""

    user: str
    group: str
    project: str | None
    pe: str | None
    queue: str
    host: str


QUESTIONS = ("user", "group", "project", "pe", "queue", "host")
_WORDS = {"group": "primary group", "pe": "environment"}
_MISSING = {"project": "none", "pe": "none: a sequential job", "group": "not known"}


def with_answer(asked: HitTestQuestion, what: str, value: str) -> HitTestQuestion:
    """Return the question with part `what` changed; an empty project or PE becomes None."""
    answer: dict[str, Any] = {what: None if not value and what in ("project", "pe") else value}
    return replace(asked, **answer)


def question_rows(asked: HitTestQuestion) -> list[GridRow]:
    """Return a row for each part of the question; Enter changes it."""
    rows = []
    for name in QUESTIONS:
        value = getattr(asked, name)
        shown = Cell(value, TextRole.STRONG) if value else Cell(_MISSING.get(name, NONE), TextRole.DIM)
        rows.append(GridRow(f"ask:{name}", (Cell(_WORDS.get(name, name)), shown, BLANK), (Cell("?", TextRole.ACCENT),)))
    return rows


def verdict_rows(verdicts: Sequence[QuotaSetMatch], texts: Mapping[str, Sequence[str]]) -> list[GridRow]:
    """Return a row for each set with its matching rule, then one for each rule; `texts`: set -> rules as written."""
    return [row for verdict in verdicts for row in _set_rows(verdict, texts.get(verdict.quota_set, ()))]


def _set_rows(verdict: QuotaSetMatch, texts: Sequence[str]) -> Iterator[GridRow]:
    matched_rule = verdict.matched_rule
    sign = Cell("●", TextRole.RUNNING) if verdict.enabled and matched_rule else Cell("○", TextRole.DIM)
    yield GridRow(
        f"set:{verdict.quota_set}", (Cell(verdict.quota_set, TextRole.TITLE), *_verdict_cells(verdict)), (sign,)
    )
    for rule in verdict.rules:
        text = texts[rule.place] if rule.place < len(texts) else ""
        name = rule.label.partition("/")[2]
        yield GridRow(
            f"rule:{rule.label}:{rule.place}",
            (
                Cell(f"  {name}", TextRole.PLAIN if _counts(rule, matched_rule) else TextRole.DIM),
                *_why(rule, matched_rule),
                Cell(text, TextRole.DIM),
            ),
            (Cell("✓", TextRole.RUNNING) if _counts(rule, matched_rule) else BLANK,),
        )
    if matched_rule is not None and verdict.enabled and verdict.booked not in (None, matched_rule.rule):
        words = f"qquota books it on {verdict.booked}: the qmaster treats departments as usersets, too"
        yield GridRow(
            f"booked:{verdict.quota_set}", (BLANK, Cell(words, TextRole.WARNING), BLANK), (Cell("!", TextRole.WARNING),)
        )


def _verdict_cells(verdict: QuotaSetMatch) -> tuple[Cell, Cell]:
    matched_rule = verdict.matched_rule
    if matched_rule is None:
        return Cell("does not apply: no rule matches", TextRole.DIM), BLANK
    name = matched_rule.rule.partition("/")[2]
    if not verdict.enabled:
        return Cell(f"disabled; rule {name} would count", TextRole.DIM), BLANK
    limits = ", ".join(limit_words(limit) for limit in matched_rule.limits)
    full = any(is_full(limit) for limit in matched_rule.limits)
    words = Cell(f"rule {name} counts  {limits}", TextRole.FAILED if full else TextRole.STRONG)
    return words, Cell(f"counted for {matched_rule.rule_scope_text}", TextRole.DIM)


def _why(rule: RuleMatch, matched_rule: MatchedRule | None) -> tuple[Cell]:
    if _counts(rule, matched_rule):
        return (Cell("the first that matches", TextRole.RUNNING),)
    if not rule.misses:
        return (Cell("matches too, but an earlier rule counts", TextRole.DIM),)
    return (Cell("; ".join(map(miss_words, rule.misses)), TextRole.PLAIN),)


def _counts(rule: RuleMatch, matched_rule: MatchedRule | None) -> bool:
    return matched_rule is not None and rule.place == matched_rule.place


_ABSENT = {"projects": "has no project", "pes": "is sequential"}


def miss_words(miss: FilterMismatch) -> str:
    """Return why a filter does not match a job: `users: anna is left out by !anna`."""
    if miss.excluded_by is not None:
        return f"{miss.keyword}: {miss.value} is left out by !{miss.excluded_by}"
    if miss.value is None:
        return f"{miss.keyword}: the job {_ABSENT.get(miss.keyword, 'has none')}"
    return f"{miss.keyword}: {miss.value} is not in {miss.clause}"


def limit_words(limit: MatchedLimit) -> str:
    """Return a limit with its usage: `slots 3 of 10`."""
    if limit.used is None:
        return f"{limit.attribute} {limit.limit_text} for each request"
    return f"{limit.attribute} {limit.used_text} of {limit.limit_text}"


def is_full(limit: MatchedLimit) -> bool:
    """Return True if a limit that is counted is used up."""
    return limit.used is not None and limit.limit is not None and limit.used >= limit.limit
