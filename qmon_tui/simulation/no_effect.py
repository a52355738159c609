"""Simple reasons why a policy has no effect: nothing differs, or no task has the tickets that it changes.

Source: tickets.md.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from qmon_tui.model import Cluster, ConfigObject, Kind
from qmon_tui.scheduler.configuration import compile_sched_conf
from qmon_tui.simulation.policy_edits import Subject
from qmon_tui.values import c_integer_prefix

_SHARE, _FUNCTIONAL, _OVERRIDE = "share-tree", "functional", "override"
_POLICIES: Final[Mapping[str, tuple[str, ...]]] = {
    "weight_tickets_share": (_SHARE,),
    "tree": (_SHARE,),
    "halftime": (_SHARE,),
    "halflife_decay_list": (_SHARE,),
    "usage_weight_list": (_SHARE,),
    "compensation_factor": (_SHARE,),
    "weight_tickets_functional": (_FUNCTIONAL,),
    "weight_user": (_FUNCTIONAL,),
    "weight_project": (_FUNCTIONAL,),
    "weight_department": (_FUNCTIONAL,),
    "weight_job": (_FUNCTIONAL,),
    "share_functional_shares": (_FUNCTIONAL,),
    "max_functional_jobs_to_schedule": (_FUNCTIONAL,),
    "fshare": (_FUNCTIONAL,),
    "share_override_tickets": (_OVERRIDE,),
    "oticket": (_OVERRIDE,),
    "policy_hierarchy": (_SHARE, _FUNCTIONAL, _OVERRIDE),
    "weight_ticket": (_SHARE, _FUNCTIONAL, _OVERRIDE),
}
"""Field -> the ticket policies that it affects."""


def reason_without_effect(first: Subject, other: Subject) -> str:
    """Return why a policy that changes no start cannot change one; empty if there is no simple reason."""
    if first.state != other.state or first.state.simulation.commands:
        return ""
    fields = set(_changed_fields(first.cluster, other.cluster))
    if not fields:
        return "nothing differs in the configuration"
    if not fields <= set(_POLICIES):
        return ""
    subjects = (first, other)
    if all(compile_sched_conf(subject.cluster.single(Kind.SCHEDULER)).weights.ticket == 0 for subject in subjects):
        return "weight_ticket is 0, so tickets do not count"
    concerned = dict.fromkeys(policy for field in sorted(fields) for policy in _POLICIES[field])
    if any(_has_tickets(subject, policy) for subject in subjects for policy in concerned):
        return ""
    named = "" if len(concerned) == 3 else f"{' or '.join(concerned)} "
    return f"nobody has {named}tickets"


def _changed_fields(before: Cluster, after: Cluster) -> Iterator[str]:
    for kind in (*before.kinds, *after.kinds):
        if before.objects(kind) is not after.objects(kind):
            for name in {*before.objects(kind), *after.objects(kind)}:
                old, new = before.get(kind, name), after.get(kind, name)
                keys = {*(old.values if old else ()), *(new.values if new else ())}
                yield from (key for key in keys if _text(old, key) != _text(new, key))


def _text(obj: ConfigObject | None, field: str) -> str | None:
    return None if obj is None else obj.text(field)


def _has_tickets(subject: Subject, policy: str) -> bool:
    """True if tasks can get tickets of the policy."""
    tickets = compile_sched_conf(subject.cluster.single(Kind.SCHEDULER)).tickets
    if policy == _SHARE:
        trees = subject.cluster.objects(Kind.SHARETREE).values()
        return tickets.share > 0 and any(obj.text("tree").strip() for obj in trees)
    field, wanted = ("fshare", "job_share") if policy == _FUNCTIONAL else ("oticket", "override_tickets")
    kinds = (Kind.USER, Kind.PROJECT, Kind.USERSET)
    numbers = [obj.text(field) for kind in kinds for obj in subject.cluster.objects(kind).values()]
    automatic = subject.cluster.get(Kind.CONFIGURATION, "global")
    if automatic is not None:
        numbers.append(automatic.text(f"auto_user_{field}"))
    has_shares = any(map(c_integer_prefix, numbers)) or any(getattr(job.request, wanted) for job in subject.state.jobs)
    return has_shares and (policy == _OVERRIDE or tickets.functional > 0)
