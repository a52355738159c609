"""Quota rules as they are for somebody at a place: what is used of them, and which of them stand in the way.

For screens and explanations: nothing here is asked while jobs are placed.
"""

from dataclasses import dataclass

from qmon_tui.scheduler.matching.check import Checker
from qmon_tui.scheduler.quotas.ledger import Key, Ledger, Tally, key_of, key_text
from qmon_tui.scheduler.quotas.limits import Claims, claims_of, judge
from qmon_tui.scheduler.quotas.rules import Limit, Rule
from qmon_tui.scheduler.quotas.territory import Party
from qmon_tui.scheduler.quotas.usage import shown_filters
from qmon_tui.scheduler.quotas.whose import whose
from qmon_tui.scheduler.requests import Demand
from qmon_tui.values.printing import format_qstat


@dataclass(frozen=True, slots=True)
class LimitHit:
    """One limit of a rule that counts. Amounts are None for what is no number, or not counted."""

    attribute: str
    limit: float | None
    used: float | None
    wanted: float | None = None
    """What one slot of the job would add."""
    limit_text: str = ""
    """As qquota prints it."""
    used_text: str = ""
    index: int = 0
    """Which of the rule's limits it is."""
    is_dynamic: bool = False
    """Worked out for the host by a formula, so that no other number can be written in its place."""


@dataclass(frozen=True, slots=True)
class Hit:
    """The rule of one set that counts: the first that matches."""

    quota_set: str
    rule: str
    """SET/RULE, or SET/n for a rule without a name."""
    place: int
    """Which of the set's rules it is, from 0."""
    key: str
    """user/project/environment/queue/host/, each only where the rule counts each on its own."""
    filter: str
    """The filters as qquota prints them."""
    limits: tuple[LimitHit, ...]
    """All of them in a hit test; of a rule that stands in the way those that do."""
    whose: str = ""
    """Of whom the rule counts, in words."""


def hit_of(rule: Rule, party: Party, queue: str, host: str, ledger: Ledger | None = None) -> Hit:
    """A rule with all its limits as they are for a party at a place.

    `ledger` is that of a run, for what is used; without it nothing is, and limits by a formula have no number.
    """
    key = key_of(rule, party, queue, host)
    tally = None if ledger is None else ledger.known(rule, key)
    limits = tuple(_limit_hit(limit, tally, index, ledger, None) for index, limit in enumerate(rule.limits))
    return _hit(rule, key, limits)


def why(ledger: Ledger | None, party: Party, demand: Demand, number: int, checker: Checker) -> tuple[Hit, ...]:
    """The rules that do not let one more slot of a job into a queue instance, each with the limits that do not."""
    if ledger is None:
        return ()
    found = (_stop(ledger, tally, party, demand, checker) for tally in ledger.account(party).tallies[number])
    return tuple(hit for hit in found if hit is not None)


def _stop(ledger: Ledger, tally: Tally, party: Party, demand: Demand, checker: Checker) -> Hit | None:
    rule = tally.rule
    claims = claims_of(rule, demand)
    limits = [
        _limit_hit(rule.limits[claim.index], tally, claim.index, ledger, claim.wanted.amount)
        for claim in claims.claims
        if judge(ledger, tally, Claims((claim,), None), checker).is_exceeded
        # 8.1.9 lets no parallel job run that asks for what its rule only compares.
        or (party.environment is not None and not rule.limits[claim.index].attribute.is_consumable)
    ]
    if claims.not_requested is not None and party.environment is None:
        limits.append(_limit_hit(rule.limits[claims.not_requested], tally, claims.not_requested, ledger, None))
    if not limits:
        return None
    return _hit(rule, tally.parts, tuple(limits))


def _hit(rule: Rule, key: Key, limits: tuple[LimitHit, ...]) -> Hit:
    text = key_text(key)
    return Hit(
        rule.quota_set, rule.label, rule.place, text, shown_filters(rule, key), limits, whose(rule.filters, text)
    )


def _limit_hit(limit: Limit, tally: Tally | None, index: int, ledger: Ledger | None, wanted: float | None) -> LimitHit:
    attribute = limit.attribute
    if not attribute.numeric:
        return LimitHit(attribute.name, None, None, None, limit.value.text, index=index)
    is_dynamic = limit.formula is not None
    if tally is not None and ledger is not None:
        total: float | None = ledger.total(tally, limit)
    else:
        total = None if is_dynamic else limit.value.number
    used = None if not attribute.is_consumable else 0.0 if tally is None else tally.used[index]
    return LimitHit(
        attribute=attribute.name,
        limit=total,
        used=used,
        wanted=wanted,
        limit_text=limit.value.text if total is None else format_qstat(total, attribute.type),
        used_text="" if used is None else format_qstat(used, attribute.type),
        index=index,
        is_dynamic=is_dynamic,
    )
