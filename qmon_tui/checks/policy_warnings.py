"""Warn about policies and quotas that the qmaster accepts, but that have no effect or an unexpected one.

Source: sched_conf(5), share_tree(5), sge_conf(5), sge_resource_quota(5); tickets.md#objects-with-shares and
quotas.md#rules-and-sets.
"""

from collections.abc import Iterator

from qmon_tui.checks.quotas import covering_rules
from qmon_tui.checks.rules import RuleBook
from qmon_tui.model import (
    QUEUE_COMPLEXES,
    Cluster,
    ComplexEntry,
    ConfigObject,
    Finding,
    Kind,
    complex_index,
    default_complexes,
    parse_rule,
    rules_of,
)
from qmon_tui.values import c_integer_prefix, is_number, parse_double, parse_number

_scheduler = RuleBook(Kind.SCHEDULER, "sched_conf(5), scheduler-configuration.md#weight_user")
_quota = RuleBook(Kind.QUOTA, "sge_resource_quota(5), quota-set.md#rules-and-limits-that-do-nothing")

NO_WEIGHT = _scheduler.warning(
    "weight_ticket.zero", "Tickets that are handed out have a weight in the priority.", "sched_conf(5), #weight_ticket"
)
NO_SHARES = _scheduler.warning(
    "functional.nobody",
    "Functional tickets go to somebody with functional shares.",
    "sched_conf(5), #weight_tickets_functional",
)
NO_FUNCTIONAL = _scheduler.warning(
    "functional.no_tickets", "Functional shares have tickets to divide.", "sched_conf(5), #weight_tickets_functional"
)
NO_FUNCTIONAL_WEIGHT = _scheduler.warning(
    "functional.no_weight", "Users, projects, departments or jobs have a weight in the functional policy."
)
FUNCTIONAL_WEIGHTS = _scheduler.info(
    "functional.weights", "The weights of the functional policy add up to 1, or are divided by their sum."
)
NO_TREE = _scheduler.warning(
    "share.no_tree", "Share-tree tickets need a share tree.", "sched_conf(5), #weight_tickets_share"
)
NO_URGENCY = _scheduler.warning(
    "weight_urgency.zero", "Urgencies of attributes have a weight in the priority.", "sched_conf(5), #weight_urgency"
)
NO_DEFAULT_DURATION = _scheduler.warning(
    "reservation.endless",
    "Reservation needs to know when jobs end: default_duration is finite.",
    "sched_conf(5), #default_duration",
)
NO_TICKETS = RuleBook(Kind.SHARETREE, "share_tree(5), sharetree.md#a-tree-without-tickets").warning(
    "no_tickets", "A share tree has tickets to divide."
)
AUTO_USER_DELETED = RuleBook(
    Kind.CONFIGURATION, "sge_conf(5) auto_user_delete_time, configuration.md#auto_user_delete_time"
).warning("auto_user.forgotten", "Automatic users live as long as the share tree remembers their usage.")
UNREACHABLE = _quota.warning("limit.unreachable", "No rule follows one that matches everything that it could match.")
NOT_REQUESTABLE = _quota.warning("limit.unrequestable", "Limits are for what jobs can request or use up by default.")
NO_DEFAULT_REQUEST = _quota.warning(
    "limit.voluntary", "A limit on memory or time needs a default request, or jobs that request nothing escape it."
)

_ROUNDING = 1e-5
"""Tolerance for the sum of weights that are rounded, such as three times 0.33333."""


def scheduler_warnings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Warn about weights without tickets, shares or urgencies, and the reverse."""
    functional, share = _count(obj, "weight_tickets_functional"), _count(obj, "weight_tickets_share")
    has_tickets = functional or share or _first_with(cluster, "oticket")
    if has_tickets and not _weight(obj, "weight_ticket"):
        message = "tickets are given, but weight_ticket is 0: they do not count"
        yield NO_WEIGHT.finding(obj, "weight_ticket", message)
    with_shares = _first_with(cluster, "fshare")
    if with_shares and not functional:
        message = f"{with_shares} has functional shares, but weight_tickets_functional is 0: they do nothing"
        yield NO_FUNCTIONAL.finding(obj, "weight_tickets_functional", message)
    if functional and not with_shares:
        message = "functional tickets are given, but no user, project or department has functional shares"
        hint = "Set fshare, or auto_user_fshare in the global configuration; jobs may have shares with qsub -js."
        yield NO_SHARES.finding(obj, "weight_tickets_functional", message, hint)
    if functional:
        yield from _functional_weights(obj)
    if share and not cluster.objects(Kind.SHARETREE):
        message = "share-tree tickets are given, but there is no share tree"
        yield NO_TREE.finding(obj, "weight_tickets_share", message)
    urgent = None if _weight(obj, "weight_urgency") else _urgent(cluster)
    if urgent is not None:
        message = f'the urgency of "{urgent}" does not count: weight_urgency is 0'
        yield NO_URGENCY.finding(obj, "weight_urgency", message)
    if _count(obj, "max_reservation") and obj.text("default_duration").strip().upper() == "INFINITY":
        message = "jobs without h_rt count as endless: nothing can be reserved behind them"
        yield NO_DEFAULT_DURATION.finding(obj, "default_duration", message, "Set a default_duration such as 24:00:00.")


def _functional_weights(obj: ConfigObject) -> Iterator[Finding]:
    """Warn if the functional weights are all 0, or their sum is not 1 (tickets.md#functional-tickets)."""
    fields = ("weight_user", "weight_project", "weight_department", "weight_job")
    total = sum(_weight(obj, field) for field in fields)
    if not any(_weight(obj, field) for field in fields):
        message = (
            "functional tickets are given, but weight_user, weight_project, weight_department and weight_job are 0"
        )
        yield NO_FUNCTIONAL_WEIGHT.finding(obj, "weight_user", message)
    elif total and abs(total - 1) > _ROUNDING:
        message = f"weight_user, weight_project, weight_department and weight_job add up to {total:.6g}, not to 1"
        counted = ", ".join(f"{field} {_weight(obj, field) / total:.4g}" for field in fields)
        yield FUNCTIONAL_WEIGHTS.finding(obj, "weight_user", message, f"Each is divided by the sum: {counted} count.")


def sharetree_warnings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Warn about a share tree if no share-tree tickets are configured."""
    if not _count(cluster.single(Kind.SCHEDULER), "weight_tickets_share"):
        message = "weight_tickets_share of the scheduler is 0: the share tree does nothing"
        yield NO_TICKETS.finding(obj, "tree", message)


def configuration_warnings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Warn if automatic users are deleted before half of their usage has decayed."""
    scheduler = cluster.single(Kind.SCHEDULER)
    if obj.name != "global" or not cluster.objects(Kind.SHARETREE) or not _count(scheduler, "weight_tickets_share"):
        return
    lifetime = obj.text("auto_user_delete_time")
    seconds = parse_number(lifetime) if is_number(lifetime) else 0.0
    half_life = _count(scheduler, "halftime") * 3600
    if obj.text("enforce_user").lower() == "auto" and 0 < seconds < half_life:
        message = "automatic users are deleted, with their usage, before half of it has decayed"
        hint = "Set 0 to keep them, or more than halftime of the scheduler."
        yield AUTO_USER_DELETED.finding(obj, "auto_user_delete_time", message, hint)


def quota_warnings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Warn about rules that are never reached, and limits that apply to no job."""
    lines = rules_of(obj.text("limit"))
    try:
        rules = [parse_rule(line) for line in lines]
    except ValueError:
        return
    for position, (line, rule, earlier) in enumerate(zip(lines, rules, covering_rules(rules), strict=True)):
        where = f"In the rule: {line}"
        if earlier is not None:
            message = f"rule {position + 1} is never reached: rule {earlier + 1} matches all that it matches"
            yield UNREACHABLE.finding(obj, "limit", message, where)
        for word, _ in rule.limits:
            entry = complex_index(cluster).find(word)
            if entry is not None:
                yield from _without_effect(obj, entry, where)


def _without_effect(obj: ConfigObject, entry: ComplexEntry, where: str) -> Iterator[Finding]:
    has_default = entry.is_consumable and is_number(entry.default) and parse_number(entry.default) != 0
    if entry.name == "slots" or has_default:
        return
    if entry.requestable == "NO":
        message = f'"{entry.name}" cannot be requested and has no default: the limit never matters'
        yield NOT_REQUESTABLE.finding(obj, "limit", message, where)
    elif entry.name in QUEUE_COMPLEXES and entry.type in ("MEMORY", "TIME") and entry.requestable != "FORCED":
        message = f'jobs that do not request "{entry.name}" are not limited'
        yield NO_DEFAULT_REQUEST.finding(obj, "limit", message, f"Give it a default, or make it FORCED. {where}")


def _count(obj: ConfigObject, field: str) -> int:
    return c_integer_prefix(obj.text(field)) or 0


def _weight(obj: ConfigObject, field: str) -> float:
    try:
        return parse_double(obj.text(field))
    except ValueError:
        return 0.0


def _first_with(cluster: Cluster, field: str) -> str | None:
    """Return the first object (or automatic user) with shares or tickets, as `user anna`; None if none has any."""
    for kind in (Kind.USER, Kind.PROJECT, Kind.USERSET):
        for obj in cluster.objects(kind).values():
            if _count(obj, field):
                return f"{kind} {obj.name}"
    configuration = cluster.get(Kind.CONFIGURATION, "global")
    automatic = configuration is not None and _count(configuration, f"auto_user_{field}")
    return "every automatic user" if automatic else None


def _urgent(cluster: Cluster) -> str | None:
    """Return the first attribute whose urgency is neither 0 nor the default of a new cluster; None if none is."""
    fresh = {obj.name: obj.text("urgency") for obj in default_complexes()}
    for name, obj in cluster.objects(Kind.COMPLEX).items():
        text = obj.text("urgency")
        if text != fresh.get(name, "0") and is_number(text) and parse_number(text) != 0:
            return name
    return None
