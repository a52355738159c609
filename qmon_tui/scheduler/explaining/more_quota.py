"""Ways out where a quota rule stands in the way: its limits raised, less asked for, or the whole set disabled."""

import re
from collections.abc import Iterator
from dataclasses import replace
from math import ceil

from qmon_tui.model.kinds import Kind
from qmon_tui.model.quota_rules import QuotaRule, parse_rule, rules_of
from qmon_tui.scheduler.compiled.attributes import AttributeTable
from qmon_tui.scheduler.explaining import edits
from qmon_tui.scheduler.explaining.amounts import request_of
from qmon_tui.scheduler.explaining.edits import Edited
from qmon_tui.scheduler.explaining.obstacles import Obstacles
from qmon_tui.scheduler.explaining.remedy import MOST_STEPS, Reach, Remedy
from qmon_tui.scheduler.explaining.spelling import amount_text
from qmon_tui.scheduler.explanation import Change
from qmon_tui.scheduler.quotas.hits import Hit, LimitHit

_DISABLED = 0.9
_MULTIPLE = re.compile(r"(?P<name>\$\w+)(?:\*(?P<factor>\d+(?:\.\d+)?))?")
"""A dynamic limit that is so many times what a host reports."""


def remedies_for_quota(found: Obstacles, hit: Hit | None) -> Iterator[Remedy]:
    """More of what a rule limits, as much as is missing, and one job's share more in each step; or no such set.

    A sequential job may also ask for what is left of the one thing that is exceeded.
    """
    if hit is None:
        return
    if len(hit.limits) == 1 and not found.environments:
        yield from _what_is_left(found, hit.limits[0])
    table = found.run.compiled.attributes
    amounts = [_missing(one) for one in hit.limits]
    if all(amount is not None and _is_settable(found, hit, one) for amount, one in _pairs(hit, amounts)):
        size = max((amount or 0.0) / ((one.limit or 0.0) + (amount or 1.0)) for amount, one in _pairs(hit, amounts))
        yield Remedy(f"quota {hit.rule}", Reach.GROUP, size, lambda w, n: _raised(w, hit, n, table), MOST_STEPS)
    yield Remedy(f"quota set {hit.quota_set}", Reach.CLUSTER, _DISABLED, lambda w, _: _disabled(w, hit))


def _is_settable(found: Obstacles, hit: Hit, one: LimitHit) -> bool:
    """Tell whether a limit is a number, or a formula in which a number can be raised."""
    if not one.is_dynamic:
        return True
    rule = parse_rule(rules_of(found.run.compiled.cluster.objects(Kind.QUOTA)[hit.quota_set].text("limit"))[hit.place])
    return bool(one.limit and one.limit > 0 and _MULTIPLE.fullmatch(rule.limits[one.index][1]))


def _what_is_left(found: Obstacles, one: LimitHit) -> Iterator[Remedy]:
    attribute = found.run.compiled.attributes.by_name.get(one.attribute)
    before = next((wanted.text for wanted in found.run_job.demand.hard if wanted.attribute is attribute), None)
    left = (one.limit or 0.0) - (one.used or 0.0)
    if attribute is None or before is None or not one.wanted or not 0 < left < one.wanted:
        return
    number, text = found.run_job.id, amount_text(attribute, left)
    sentence = f"let job {number} ask for {attribute.name}={text} instead of {before}"

    def less(world: Edited, _: int) -> Edited:
        hard = request_of(found, world, attribute, text)
        return edits.resource_request(world, number, hard, sentence, attribute.name, before, text)

    yield Remedy(f"ask {attribute.name}", Reach.JOB, (one.wanted - left) / one.wanted, less)


def _pairs(hit: Hit, amounts: list[float | None]) -> Iterator[tuple[float | None, LimitHit]]:
    return zip(amounts, hit.limits, strict=True)


def _missing(one: LimitHit) -> float | None:
    """By how much a limit is too low; None where more of it is no answer."""
    if one.limit is None or one.wanted is None:
        return None
    missing = one.wanted - (one.limit - (one.used or 0.0))
    return missing if missing > 0 else None


def _raised(world: Edited, hit: Hit, steps: int, table: AttributeTable) -> Edited:
    obj = world.cluster.objects(Kind.QUOTA)[hit.quota_set]
    rules = [parse_rule(line) for line in rules_of(obj.text("limit"))]
    higher = {}
    for one in hit.limits:
        amount = (one.limit or 0.0) + (_missing(one) or 0.0) + (steps - 1) * (one.wanted or 1.0)
        formula = _MULTIPLE.fullmatch(rules[hit.place].limits[one.index][1]) if one.is_dynamic else None
        higher[one.index] = _text(table, one, amount) if formula is None else _multiple(formula, one, amount)
    typed = [value for _, value in rules[hit.place].limits]
    rules[hit.place] = _with_limits(rules[hit.place], higher)
    before, after = obj.text("limit"), "\n".join(rule.text() for rule in rules)
    what = " and ".join(
        f"{one.attribute} from {typed[one.index] if one.is_dynamic else one.limit_text} to {higher[one.index]}"
        for one in hit.limits
    )
    values = ",".join(f"{one.attribute}={higher[one.index]}" for one in hit.limits)
    command = f"qconf -mattr resource_quota limit {edits.quoted(values)} {hit.rule}"
    change = Change(f"raise {what} in quota rule {hit.rule}", obj.kind, obj.name, "limit", before, after, command)
    return world.with_object(change, obj.with_value("limit", after))


def _multiple(formula: re.Match[str], one: LimitHit, amount: float) -> str:
    """A formula that gives at least an amount, where it gives the limit now."""
    factor = float(formula["factor"] or 1) * amount / (one.limit or 1.0)
    return f"{formula['name']}*{ceil(round(factor * 100, 6)) / 100:g}"


def _text(table: AttributeTable, one: LimitHit, amount: float) -> str:
    """A limit as one would type it."""
    attribute = table.by_name.get(one.attribute)
    return amount_text(attribute, amount) if attribute and attribute.type == "MEMORY" else f"{amount:.15g}"


def _with_limits(rule: QuotaRule, higher: dict[int, str]) -> QuotaRule:
    limits = ((name, higher.get(index, value)) for index, (name, value) in enumerate(rule.limits))
    return replace(rule, limits=tuple(limits))


def _disabled(world: Edited, hit: Hit) -> Edited:
    obj = world.cluster.objects(Kind.QUOTA)[hit.quota_set]
    return edits.object_field(world, obj, "enabled", "FALSE", f"disable the quota set {hit.quota_set}")
