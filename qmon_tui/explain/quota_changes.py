"""Candidate changes if a quota rule blocks a job: higher limits, a smaller request, or the whole set disabled."""

import re
from collections.abc import Iterator
from dataclasses import replace
from math import ceil

from qmon_tui.explain import edits
from qmon_tui.explain.edits import MOST_STEPS, CandidateChange, EditedCluster, Impact
from qmon_tui.explain.explanation import Change
from qmon_tui.explain.rejection import amount_text
from qmon_tui.explain.request_changes import asking
from qmon_tui.explain.task_rejections import TaskRejections
from qmon_tui.model import Kind, parse_rule, rules_of
from qmon_tui.qmaster import MODIFY, QconfAttribute
from qmon_tui.scheduler.configuration import AttributeTable
from qmon_tui.scheduler.quotas import MatchedLimit, MatchedRule

_DISABLED = 0.9
_MULTIPLE = re.compile(r"(?P<name>\$\w+)(?:\*(?P<factor>\d+(?:\.\d+)?))?")
"""A dynamic limit that is a multiple of a load value."""


def candidates_for_quota(rejections: TaskRejections, matched_rule: MatchedRule | None) -> Iterator[CandidateChange]:
    """Yield higher limits by the missing amount, plus the job's amount in each further step; and the set disabled.

    A sequential job may also request the rest of the only exceeded attribute.
    """
    if matched_rule is None:
        return
    if len(matched_rule.limits) == 1 and not rejections.environments:
        yield from _request_of_rest(rejections, matched_rule.limits[0])
    table = rejections.run.compiled.attributes
    missing = [(_missing(limit), limit) for limit in matched_rule.limits]
    if all(amount is not None and _is_settable(rejections, matched_rule, limit) for amount, limit in missing):
        size = max((amount or 0.0) / ((limit.limit or 0.0) + (amount or 1.0)) for amount, limit in missing)
        yield CandidateChange(
            f"quota {matched_rule.rule}",
            Impact.GROUP,
            size,
            lambda w, n: _raised(w, matched_rule, n, table),
            MOST_STEPS,
        )
    name = matched_rule.quota_set
    sentence = f"disable the quota set {name}"
    yield CandidateChange(
        f"quota set {name}", Impact.CLUSTER, _DISABLED, lambda w, _: edits.object_field(
            w, w.cluster.objects(Kind.QUOTA)[name], "enabled", "FALSE", sentence
        ),
    )  # fmt: skip


def _is_settable(rejections: TaskRejections, matched_rule: MatchedRule, limit: MatchedLimit) -> bool:
    """True if a limit is a number, or a formula in which a number can be raised."""
    if not limit.is_dynamic:
        return True
    rule = parse_rule(
        rules_of(rejections.run.compiled.cluster.objects(Kind.QUOTA)[matched_rule.quota_set].text("limit"))[
            matched_rule.place
        ]
    )
    return bool(limit.limit and limit.limit > 0 and _MULTIPLE.fullmatch(rule.limits[limit.index][1]))


def _request_of_rest(rejections: TaskRejections, limit: MatchedLimit) -> Iterator[CandidateChange]:
    attribute = rejections.run.compiled.attributes.by_name.get(limit.attribute)
    is_asked = any(wanted.attribute is attribute for wanted in rejections.run_job.demand.hard)
    left = (limit.limit or 0.0) - (limit.used or 0.0)
    if attribute is not None and is_asked and limit.wanted and 0 < left < limit.wanted:
        yield asking(rejections, attribute, amount_text(attribute, left), (limit.wanted - left) / limit.wanted)


def _missing(limit: MatchedLimit) -> float | None:
    """Return the amount by which a limit is too low; None if a higher one does not help."""
    if limit.limit is None or limit.wanted is None:
        return None
    missing = limit.wanted - (limit.limit - (limit.used or 0.0))
    return missing if missing > 0 else None


def _raised(edited: EditedCluster, matched_rule: MatchedRule, steps: int, table: AttributeTable) -> EditedCluster:
    obj = edited.cluster.objects(Kind.QUOTA)[matched_rule.quota_set]
    rules = [parse_rule(line) for line in rules_of(obj.text("limit"))]
    higher = {}
    for limit in matched_rule.limits:
        amount = (limit.limit or 0.0) + (_missing(limit) or 0.0) + (steps - 1) * (limit.wanted or 1.0)
        formula = _MULTIPLE.fullmatch(rules[matched_rule.place].limits[limit.index][1]) if limit.is_dynamic else None
        higher[limit.index] = _text(table, limit, amount) if formula is None else _multiple(formula, limit, amount)
    typed = [value for _, value in rules[matched_rule.place].limits]
    limits = ((name, higher.get(index, value)) for index, (name, value) in enumerate(rules[matched_rule.place].limits))
    rules[matched_rule.place] = replace(rules[matched_rule.place], limits=tuple(limits))
    before, after = obj.text("limit"), "\n".join(rule.text() for rule in rules)
    what = " and ".join(
        f"{limit.attribute} from {typed[limit.index] if limit.is_dynamic else limit.limit_text}"
        f" to {higher[limit.index]}"
        for limit in matched_rule.limits
    )
    values = ",".join(f"{limit.attribute}={higher[limit.index]}" for limit in matched_rule.limits)
    command = QconfAttribute(Kind.QUOTA, matched_rule.rule, "limit", values, MODIFY).line
    change = Change(
        f"raise {what} in quota rule {matched_rule.rule}", obj.kind, obj.name, "limit", before, after, command
    )
    return edited.with_object(change, obj.with_value("limit", after))


def _multiple(formula: re.Match[str], limit: MatchedLimit, amount: float) -> str:
    """Return a formula that gives at least the amount, given that it gives the limit now."""
    factor = float(formula["factor"] or 1) * amount / (limit.limit or 1.0)
    return f"{formula['name']}*{ceil(round(factor * 100, 6)) / 100:g}"


def _text(table: AttributeTable, limit: MatchedLimit, amount: float) -> str:
    """Return a limit as users type it."""
    attribute = table.by_name.get(limit.attribute)
    return amount_text(attribute, amount) if attribute and attribute.type == "MEMORY" else f"{amount:.15g}"
