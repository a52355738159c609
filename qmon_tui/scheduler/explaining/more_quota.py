"""Ways out where a quota rule stands in the way: its limits raised, or the whole set disabled."""

from collections.abc import Iterator
from dataclasses import replace

from qmon_tui.model.kinds import Kind
from qmon_tui.model.quota_rules import QuotaRule, parse_rule, rules_of
from qmon_tui.scheduler.explaining import edits
from qmon_tui.scheduler.explaining.edits import Edited
from qmon_tui.scheduler.explaining.remedy import MOST_STEPS, Reach, Remedy
from qmon_tui.scheduler.explanation import Change
from qmon_tui.scheduler.quotas.hits import Hit, LimitHit

_DISABLED = 0.9


def remedies_for_quota(hit: Hit | None) -> Iterator[Remedy]:
    """More of what a rule limits, as much as is missing, and one job's share more in each step; or no such set."""
    if hit is None:
        return
    amounts = [_missing(one) for one in hit.limits]
    if all(amount is not None and not one.is_dynamic for amount, one in zip(amounts, hit.limits, strict=True)):
        size = max((amount or 0.0) / ((one.limit or 0.0) + (amount or 1.0)) for amount, one in _pairs(hit, amounts))
        yield Remedy(f"quota {hit.rule}", Reach.GROUP, size, lambda w, n: _raised(w, hit, n), MOST_STEPS)
    yield Remedy(f"quota set {hit.quota_set}", Reach.CLUSTER, _DISABLED, lambda w, _: _disabled(w, hit))


def _pairs(hit: Hit, amounts: list[float | None]) -> Iterator[tuple[float | None, LimitHit]]:
    return zip(amounts, hit.limits, strict=True)


def _missing(one: LimitHit) -> float | None:
    """By how much a limit is too low; None where more of it is no answer."""
    if one.limit is None or one.wanted is None:
        return None
    missing = one.wanted - (one.limit - (one.used or 0.0))
    return missing if missing > 0 else None


def _raised(world: Edited, hit: Hit, steps: int) -> Edited:
    obj = world.cluster.objects(Kind.QUOTA)[hit.quota_set]
    rules = [parse_rule(line) for line in rules_of(obj.text("limit"))]
    higher = {
        one.index: f"{(one.limit or 0.0) + (_missing(one) or 0.0) + (steps - 1) * (one.wanted or 1.0):.15g}"
        for one in hit.limits
    }
    rules[hit.place] = _with_limits(rules[hit.place], higher)
    before, after = obj.text("limit"), "\n".join(rule.text() for rule in rules)
    what = " and ".join(f"{one.attribute} from {one.limit_text} to {higher[one.index]}" for one in hit.limits)
    values = ",".join(f"{one.attribute}={higher[one.index]}" for one in hit.limits)
    command = f"qconf -mattr resource_quota limit {values} {hit.rule}"
    change = Change(f"raise {what} in quota rule {hit.rule}", obj.kind, obj.name, "limit", before, after, command)
    return world.with_object(change, obj.with_value("limit", after))


def _with_limits(rule: QuotaRule, higher: dict[int, str]) -> QuotaRule:
    limits = ((name, higher.get(index, value)) for index, (name, value) in enumerate(rule.limits))
    return replace(rule, limits=tuple(limits))


def _disabled(world: Edited, hit: Hit) -> Edited:
    obj = world.cluster.objects(Kind.QUOTA)[hit.quota_set]
    return edits.object_field(world, obj, "enabled", "FALSE", f"disable the quota set {hit.quota_set}")
