"""JSON output of the command line: plain dictionaries whose keys are a stable interface.

Columns have qstat's names (-pri, -urg, -ext), numbers are unrounded, times ISO 8601.
"""

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from qmon_tui.model import Finding
from qmon_tui.values import format_time, pe_alg_text

if TYPE_CHECKING:  # not imported at run time: each command loads only what it reports
    from qmon_tui.explain import Bound, Change, Derivation, Explanation, Holder, JobAhead, NearestPlace, PriorityTerm
    from qmon_tui.model import CalendarClosing, InstanceOutcome, JobOutcome, Outcome, ShareNodeOutcome, TaskOutcome
    from qmon_tui.workspace import ObjectChange

Json = Mapping[str, object]

_FINDING = ("rule", "severity", "kind", "name", "field", "message", "hint", "file", "line")
_JOB = ("id", "name", "owner", "project", "department", "slots")
_JOB_NUMBERS = (
    *("prior", "nurg", "npprior", "ntckts", "ppri"),
    *("urg", "rrcontr", "wtcontr", "dlcontr"),
    *("tckts", "ovrts", "otckt", "ftckt", "stckt", "share"),
)
_TASK_NUMBERS = ("prior", "ntckts", "tckts", "otckt", "ftckt", "stckt", "share")
_SHARE_NODE = ("path", "name", "user", "project", "shares", "jobs", "running")
_SHARE_NODE_NUMBERS = ("level", "total", "long_term", "target", "actual", "usage")
_INSTANCE = ("name", "state", "used", "reserved", "total")
_REASON = ("instance", "level", "message", "attribute", "why")
_CHANGE = ("description", "kind", "name", "field", "before", "after", "command")
_BOUND = ("job", "task", "state")
_AHEAD = ("job", "task", "name", "owner", "by", "cause", "place")
_GROUP = ("why", "level", "message", "attribute")
_MISSING = ("what", "level", "place", "words", "wanted", "offered", "total")
_QUOTA = ("rule", "attribute", "used", "limit", "filter")


def finite(number: float) -> float | None:
    """Return a number that JSON can hold: None for NaN, the largest float (Grid Engine's INFINITY) for infinity."""
    if math.isnan(number):
        return None
    return math.copysign(sys.float_info.max, number) if math.isinf(number) else number


def check_json(findings: Iterable[Finding]) -> Json:
    """Return the output of `check`: all findings."""
    return {"findings": [picked(finding, _FINDING) for finding in findings]}


def schedule_json(outcome: "Outcome") -> Json:
    """Return the output of `schedule`: one scheduling run."""
    return {
        "at": format_time(outcome.at),
        "jobs": [_job(job) for job in outcome.jobs],
        "queue_instances": [_instance(instance) for instance in outcome.queue_instances],
        "messages": list(outcome.messages),
        **({"sharetree": [_share_node(node) for node in outcome.sharetree]} if outcome.sharetree else {}),
        **_not_grid_engine(outcome.not_grid_engine),
        **({} if outcome.quotas is None else {"quotas": [picked(use, _QUOTA) for use in outcome.quotas]}),
        # Only if this run or an earlier one searched for a number of slots.
        **({"pe_alg": pe_alg_text(outcome.pe_alg)} if any(outcome.pe_alg) else {}),
        **_not_simulated(outcome.not_simulated),
    }


def _share_node(node: "ShareNodeOutcome") -> Json:
    return {**picked(node, _SHARE_NODE), **_numbers(node, _SHARE_NODE_NUMBERS)}


def why_json(explanation: "Explanation") -> Json:
    """Return the output of `why`: a task's priority by term, its reasons, and changes that would let it run."""
    shown, start = explanation.shown, explanation.expected
    return {
        "job": explanation.job,
        "task": explanation.task,
        "state": explanation.state,
        "prior": finite(explanation.prior),
        **({} if shown is None else {"shown": {"prior": finite(shown.prior), "because": shown.because}}),
        "rank": explanation.rank,
        "pending": explanation.pending,
        "terms": [_term(term) for term in explanation.terms],
        "rejected": explanation.rejected,
        "reasons": list(explanation.reasons),
        "ahead": [_ahead(ahead) for ahead in explanation.ahead],
        "groups": [
            {
                **picked(group, _GROUP),
                "instances": list(group.instances),
                **_closing(group.closing),
                **({"state": group.state} if group.state else {}),
                **({"holders": [_holder(holder) for holder in group.holders]} if group.holders else {}),
                **({"details": list(group.details)} if group.details else {}),
            }
            for group in explanation.groups
        ],
        "nearest": _nearest(explanation.nearest),
        "instances": [picked(reason, _REASON) for reason in explanation.instances],
        "changes": [_change(change) for change in explanation.changes],
        **({"tried": list(explanation.tried)} if explanation.tried is not None else {}),
        **({"notes": list(explanation.notes)} if explanation.notes else {}),
        **({} if start is None else {"expected": {"at": format_time(start.at), "after": start.after}}),
        **_not_grid_engine(explanation.not_grid_engine),
        **_not_simulated(explanation.not_simulated),
    }


def derivation_json(derivation: "Derivation | None") -> Json | None:
    """Return the output of `why --derive`: a number, its arithmetic and its parts; None for None."""
    if derivation is None:
        return None
    return {
        **picked(derivation, ("name", "arithmetic", "origin")),
        "value": finite(derivation.value),
        "parts": [derivation_json(part) for part in derivation.parts],
    }


def _holder(holder: "Holder") -> Json:
    """Return a holder of a resource; `until` is null without a run time limit."""
    until = None if holder.until is None else format_time(holder.until)
    return {**picked(holder, ("job", "task", "owner", "by")), "amount": finite(holder.amount), "until": until}


def diff_json(changes: "Iterable[ObjectChange]") -> Json:
    """Return the output of `diff`: changed fields by object; null means that this side does not set the field."""
    return {
        "differences": [
            {
                "kind": change.kind.value,
                "name": change.name,
                "what": change.what.value,
                "fields": [{"field": name, "before": old, "after": new} for name, old, new in change.fields],
            }
            for change in changes
        ]
    }


def _job(job: "JobOutcome") -> Json:
    return {
        **picked(job, _JOB),
        **_numbers(job, _JOB_NUMBERS),
        "tasks": [_task(task) for task in job.tasks],
        "rejected": job.rejected,
        "reasons": list(job.reasons),
        **_not_simulated(job.not_simulated),
    }


def _task(task: "TaskOutcome") -> Json:
    return {
        "task": task.task,
        "state": task.state,
        "granted": dict(task.granted),
        "reserved": dict(task.reserved),
        **_reservation_times(task),
        **_numbers(task, _TASK_NUMBERS),
    }


def _reservation_times(task: "TaskOutcome") -> Json:
    """Return the times of a reservation; empty without one, no `reserved_until` if it never ends."""
    until = None if task.is_reserved_for_ever else task.reserved_until
    times = {"reserved_from": task.reserved_from, "reserved_until": until}
    return {name: format_time(at) for name, at in times.items() if at is not None}


def _instance(instance: "InstanceOutcome") -> Json:
    return {**picked(instance, _INSTANCE), "values": dict(instance.values), **_closing(instance.closing)}


def _closing(closing: "CalendarClosing | None") -> Json:
    """Return the calendar that closes a queue instance; empty without one; `until` is null if it never reopens."""
    if closing is None:
        return {}
    until = None if closing.until is None else format_time(closing.until)
    return {"closed_by": {"calendar": closing.calendar, "suspends": closing.suspends, "until": until}}


def _term(term: "PriorityTerm") -> Json:
    return {
        "name": term.name,
        **_numbers(term, ("weight", "normalised", "value")),
        "detail": {name: finite(value) for name, value in term.detail},
        "explanation": term.explanation,
        "lowest": _bound(term.lowest),
        "highest": _bound(term.highest),
    }


def _bound(bound: "Bound | None") -> Json | None:
    return None if bound is None else {"value": finite(bound.value), **picked(bound, _BOUND)}


def _ahead(ahead: "JobAhead") -> Json:
    gaps = {name: finite(gap) for name, gap in ahead.gaps}
    left_out = {"left_out": ahead.left_out} if ahead.left_out else {}
    return {**picked(ahead, _AHEAD), **_numbers(ahead, ("prior", "lead")), "gaps": gaps, **left_out}


def _nearest(nearest: "NearestPlace | None") -> Json | None:
    if nearest is None:
        return None
    missing = [{**picked(requirement, _MISSING), "lack": requirement.gap} for requirement in nearest.missing]
    return {"place": nearest.place, "missing": missing}


def _change(change: "Change") -> Json:
    also = [picked(other, _CHANGE) for other in change.also]
    return {**picked(change, _CHANGE), "also": also, "starts_on": list(change.starts_on), "costs": list(change.costs)}


def picked(thing: object, names: Sequence[str]) -> dict[str, object]:
    """Return name -> value of some attributes."""
    return {name: getattr(thing, name) for name in names}


def _numbers(thing: object, names: Sequence[str]) -> dict[str, object]:
    return {name: finite(getattr(thing, name)) for name in names}


def _not_grid_engine(formulas: str | None) -> dict[str, object]:
    return {"not_grid_engine": formulas} if formulas else {}


def _not_simulated(needs: tuple[str, ...]) -> dict[str, object]:
    # The key exists only if something is missing.
    return {"not_simulated": list(needs)} if needs else {}
