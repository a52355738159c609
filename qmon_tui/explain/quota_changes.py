"""Ways out where a quota rule stands in the way: its limits raised, less asked for, or the whole set disabled."""

import re
from collections.abc import Iterator
from dataclasses import replace
from math import ceil

from qmon_tui.explain import edits
from qmon_tui.explain.amount_text import amount_text
from qmon_tui.explain.edits import MOST_STEPS, CandidateChange, EditedCluster, Impact
from qmon_tui.explain.explanation import Change
from qmon_tui.explain.request_changes import request_of
from qmon_tui.explain.task_rejections import TaskRejections
from qmon_tui.model.kinds import Kind
from qmon_tui.model.quota_rules import QuotaRule, parse_rule, rules_of
from qmon_tui.scheduler.configuration.complex_attributes import AttributeTable
from qmon_tui.scheduler.quotas.matched_rules import MatchedLimit, MatchedRule

_DISABLED = 0.9
_MULTIPLE = re.compile(r"(?P<name>\$\w+)(?:\*(?P<factor>\d+(?:\.\d+)?))?")
"""A dynamic limit that is so many times what a host reports."""


def candidates_for_quota(found: TaskRejections, matched_rule: MatchedRule | None) -> Iterator[CandidateChange]:
    """More of what a rule limits, as much as is missing, and one job's share more in each step; or no such set.

    A sequential job may also ask for what is left of the one thing that is exceeded.
    """
    if matched_rule is None:
        return
    if len(matched_rule.limits) == 1 and not found.environments:
        yield from _what_is_left(found, matched_rule.limits[0])
    table = found.run.compiled.attributes
    amounts = [_missing(one) for one in matched_rule.limits]
    if all(
        amount is not None and _is_settable(found, matched_rule, one) for amount, one in _pairs(matched_rule, amounts)
    ):
        size = max(
            (amount or 0.0) / ((one.limit or 0.0) + (amount or 1.0)) for amount, one in _pairs(matched_rule, amounts)
        )
        yield CandidateChange(
            f"quota {matched_rule.rule}",
            Impact.GROUP,
            size,
            lambda w, n: _raised(w, matched_rule, n, table),
            MOST_STEPS,
        )
    yield CandidateChange(
        f"quota set {matched_rule.quota_set}", Impact.CLUSTER, _DISABLED, lambda w, _: _disabled(w, matched_rule)
    )


def _is_settable(found: TaskRejections, matched_rule: MatchedRule, one: MatchedLimit) -> bool:
    """Tell whether a limit is a number, or a formula in which a number can be raised."""
    if not one.is_dynamic:
        return True
    rule = parse_rule(
        rules_of(found.run.compiled.cluster.objects(Kind.QUOTA)[matched_rule.quota_set].text("limit"))[
            matched_rule.place
        ]
    )
    return bool(one.limit and one.limit > 0 and _MULTIPLE.fullmatch(rule.limits[one.index][1]))


def _what_is_left(found: TaskRejections, one: MatchedLimit) -> Iterator[CandidateChange]:
    attribute = found.run.compiled.attributes.by_name.get(one.attribute)
    before = next((wanted.text for wanted in found.run_job.demand.hard if wanted.attribute is attribute), None)
    left = (one.limit or 0.0) - (one.used or 0.0)
    if attribute is None or before is None or not one.wanted or not 0 < left < one.wanted:
        return
    number, text = found.run_job.id, amount_text(attribute, left)
    sentence = f"let job {number} ask for {attribute.name}={text} instead of {before}"

    def less(edited: EditedCluster, _: int) -> EditedCluster:
        hard = request_of(found, edited, attribute, text)
        return edits.resource_request(edited, number, hard, sentence, attribute.name, before, text)

    yield CandidateChange(f"ask {attribute.name}", Impact.JOB, (one.wanted - left) / one.wanted, less)


def _pairs(matched_rule: MatchedRule, amounts: list[float | None]) -> Iterator[tuple[float | None, MatchedLimit]]:
    return zip(amounts, matched_rule.limits, strict=True)


def _missing(one: MatchedLimit) -> float | None:
    """By how much a limit is too low; None where more of it is no answer."""
    if one.limit is None or one.wanted is None:
        return None
    missing = one.wanted - (one.limit - (one.used or 0.0))
    return missing if missing > 0 else None


def _raised(edited: EditedCluster, matched_rule: MatchedRule, steps: int, table: AttributeTable) -> EditedCluster:
    obj = edited.cluster.objects(Kind.QUOTA)[matched_rule.quota_set]
    rules = [parse_rule(line) for line in rules_of(obj.text("limit"))]
    higher = {}
    for one in matched_rule.limits:
        amount = (one.limit or 0.0) + (_missing(one) or 0.0) + (steps - 1) * (one.wanted or 1.0)
        formula = _MULTIPLE.fullmatch(rules[matched_rule.place].limits[one.index][1]) if one.is_dynamic else None
        higher[one.index] = _text(table, one, amount) if formula is None else _multiple(formula, one, amount)
    typed = [value for _, value in rules[matched_rule.place].limits]
    rules[matched_rule.place] = _with_limits(rules[matched_rule.place], higher)
    before, after = obj.text("limit"), "\n".join(rule.text() for rule in rules)
    what = " and ".join(
        f"{one.attribute} from {typed[one.index] if one.is_dynamic else one.limit_text} to {higher[one.index]}"
        for one in matched_rule.limits
    )
    values = ",".join(f"{one.attribute}={higher[one.index]}" for one in matched_rule.limits)
    command = f"qconf -mattr resource_quota limit {edits.quoted(values)} {matched_rule.rule}"
    change = Change(
        f"raise {what} in quota rule {matched_rule.rule}", obj.kind, obj.name, "limit", before, after, command
    )
    return edited.with_object(change, obj.with_value("limit", after))


def _multiple(formula: re.Match[str], one: MatchedLimit, amount: float) -> str:
    """A formula that gives at least an amount, where it gives the limit now."""
    factor = float(formula["factor"] or 1) * amount / (one.limit or 1.0)
    return f"{formula['name']}*{ceil(round(factor * 100, 6)) / 100:g}"


def _text(table: AttributeTable, one: MatchedLimit, amount: float) -> str:
    """A limit as one would type it."""
    attribute = table.by_name.get(one.attribute)
    return amount_text(attribute, amount) if attribute and attribute.type == "MEMORY" else f"{amount:.15g}"


def _with_limits(rule: QuotaRule, higher: dict[int, str]) -> QuotaRule:
    limits = ((name, higher.get(index, value)) for index, (name, value) in enumerate(rule.limits))
    return replace(rule, limits=tuple(limits))


def _disabled(edited: EditedCluster, matched_rule: MatchedRule) -> EditedCluster:
    obj = edited.cluster.objects(Kind.QUOTA)[matched_rule.quota_set]
    return edits.object_field(edited, obj, "enabled", "FALSE", f"disable the quota set {matched_rule.quota_set}")
