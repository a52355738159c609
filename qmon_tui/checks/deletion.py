"""Reasons why an object cannot be deleted: objects that refer to it, jobs and advance reservations that use it."""

from collections.abc import Callable, Iterator, Mapping

from qmon_tui.checks.existence import absent
from qmon_tui.checks.queue_read import instance_hosts
from qmon_tui.checks.rules import Rule, RuleBook
from qmon_tui.model import (
    Cluster,
    ConfigObject,
    Finding,
    Kind,
    Reference,
    State,
    config_object,
    is_built_in,
    jobs_naming,
    parse_formula,
    parse_rule,
    references_to,
    rules_of,
)
from qmon_tui.values import canonical, comparable

_JOBS_SOURCE = "qconf.md#what-blocks-a-deletion"
_OCCUPIED = {
    Kind.QUEUE: RuleBook(Kind.QUEUE, _JOBS_SOURCE).error(
        "occupied", "A queue in which jobs run, or that advance reservations have been granted, cannot be deleted."
    ),
    Kind.HOST: RuleBook(Kind.HOST, _JOBS_SOURCE).error(
        "occupied", "A host on which jobs run, or that advance reservations have been granted, cannot be deleted."
    ),
    Kind.PE: RuleBook(Kind.PE, _JOBS_SOURCE).error(
        "occupied", "A parallel environment that a job asks for cannot be deleted."
    ),
    Kind.CKPT: RuleBook(Kind.CKPT, _JOBS_SOURCE).error(
        "occupied", "A checkpointing environment that a job asks for cannot be deleted."
    ),
}
_ASKED_FOR = {Kind.PE: ("-pe ", "Parallel environment"), Kind.CKPT: ("-ckpt ", "Checkpointing object")}


def job_refusals(cluster: Cluster, state: State, obj: ConfigObject) -> Iterator[Finding]:
    """Yield the qmaster's refusal to delete an object that jobs use; it checks this before the configuration."""
    rule = _OCCUPIED.get(obj.kind)
    if rule is None:
        return
    if obj.kind is Kind.QUEUE:
        if any(name.partition("@")[0] == obj.name for name in _taken(state)):
            hint = "Wait until its jobs have ended, or delete them, and its advance reservations (qrdel)."
            yield rule.finding(obj, None, "There are still running jobs in the queue. Deletion denied.", hint)
        return
    if obj.kind is Kind.HOST:
        queues = {name.partition("@")[0] for name in _taken(state) if _is_on(name, obj.name)}
        for queue in sorted(queues):
            hint = "Wait until the jobs there have ended, or delete them, and its advance reservations (qrdel)."
            message = f'Host object "{obj.name}" is still referenced in cluster queue "{queue}".'
            yield rule.finding(obj, None, message, hint)
        return
    option, word = _ASKED_FOR[obj.kind]
    asking = (use for use in jobs_naming(cluster, state, obj.kind, obj.name) if use.where.startswith(option))
    first = next(asking, None)
    if first is not None:
        message = f'denied: {word} "{obj.name}" is still referenced in job {first.job.id}.'
        yield rule.finding(obj, None, message, f"Job {first.job.id} asks for it with {first.where}.")


def _is_on(instance: str, host: str) -> bool:
    """Return True if a queue instance is on a host, however its name is spelt."""
    return comparable(instance.partition("@")[2]) == comparable(host)


def _taken(state: State) -> Iterator[str]:
    """Yield queue instances in which tasks run or advance reservations have slots; they may repeat."""
    for job in state.jobs:
        yield from job.running_places
    for reservation in state.reservations:
        if not reservation.is_over:
            yield from reservation.granted


_SOURCE = "qconf.md#what-blocks-a-deletion"


def _in_use(kind: Kind, thing: str, source: str = _SOURCE) -> Rule:
    return RuleBook(kind, source).error("in_use", f"{thing} that is in use cannot be deleted.")


_ATTRIBUTE = _in_use(Kind.COMPLEX, "An attribute", "complex.md#deleting-and-redefining-attributes-in-use")
_QUEUE = _in_use(Kind.QUEUE, "A queue")
_HOST = _in_use(Kind.HOST, "A host")
_HOSTGROUP = _in_use(Kind.HOSTGROUP, "A hostgroup")
_PE = _in_use(Kind.PE, "A parallel environment")
_CKPT = _in_use(Kind.CKPT, "A checkpointing environment")
_CALENDAR = _in_use(Kind.CALENDAR, "A calendar")
_USERSET = _in_use(Kind.USERSET, "A userset")
_PROJECT = _in_use(Kind.PROJECT, "A project")
_USER = _in_use(Kind.USER, "A user")

BUILT_IN = RuleBook(Kind.COMPLEX, "complex.md#built-in-attributes").error(
    "builtin", "A built-in attribute cannot be deleted."
)
PSEUDO_HOST = RuleBook(Kind.HOST, "exec-host.md#fields").error("global", "The pseudo host global cannot be deleted.")
GLOBAL = RuleBook(Kind.CONFIGURATION, "configuration.md#fields").error(
    "global", "The global configuration cannot be deleted."
)

_LIST_WORDS = {"user_lists": "user list", "xuser_lists": "xuser list", "acl": "user list", "xacl": "xuser list"}
_OWNER_WORDS = {
    Kind.QUEUE: "queue",
    Kind.PE: "parallel environment",
    Kind.PROJECT: "project",
    Kind.HOST: "exechost",
    Kind.CONFIGURATION: "configuration",
}
_SIMPLE = {
    Kind.CALENDAR: (_CALENDAR, "Calendar"),
    Kind.CKPT: (_CKPT, "Ckpt"),
    Kind.PE: (_PE, "Parallel environment"),
}


def deletion_refusals(cluster: Cluster, kind: Kind, name: str, state: State | None = None) -> tuple[Finding, ...]:
    """Return the qmaster's reasons for refusing to delete an object, each once; empty if it deletes the object.

    With a state also jobs and advance reservations that prevent it.
    """
    obj = cluster.get(kind, name) or config_object(kind, name, {})
    missing = absent(cluster, kind, name)
    refusals = _REFUSALS.get(kind)
    if missing is not None or refusals is None:
        return (missing,) if missing else ()
    findings = (
        *(job_refusals(cluster, state, obj) if state is not None else ()),
        *refusals(obj, references_to(cluster, kind, name), cluster),
    )
    by_message: dict[str, Finding] = {}
    for finding in findings:
        by_message.setdefault(finding.message, finding)
    return tuple(by_message.values())


def _complex(obj: ConfigObject, uses: tuple[Reference, ...], cluster: Cluster) -> Iterator[Finding]:
    if is_built_in(obj.name):
        yield BUILT_IN.finding(obj, None, f'The built-in complex "{obj.name}" cannot be deleted')
        return
    for use in uses:
        owner = _attribute_owner(cluster, obj.name, use)
        if owner is not None:
            message = f'denied: Complex attribute "{obj.name}" is still referenced in {owner}.'
            yield _ATTRIBUTE.finding(obj, None, message, _where(use))


def _attribute_owner(cluster: Cluster, name: str, use: Reference) -> str | None:
    """Return the qmaster's words for the object of a reference; None for fields that it does not search."""
    match use.kind, use.field:
        case Kind.QUEUE, "complex_values":
            # The qmaster replaces a shortcut by the name when it creates an instance.
            is_owner = use.word == name or instance_hosts(cluster, cluster.objects(Kind.QUEUE)[use.name])
            return f'queue "{use.name}"' if is_owner else None
        case Kind.HOST, ("complex_values" | "report_variables"):
            return f'host "{use.name}"'
        case Kind.QUOTA, _:
            return f'resource quota set "{use.name}"' if _limits(cluster, use) else None
        case Kind.SCHEDULER, "load_formula":
            terms = parse_formula(cluster.single(Kind.SCHEDULER).text("load_formula"))
            return "scheduler configuration" if any(term.factor == name for term in terms) else None
        case Kind.SCHEDULER, "job_load_adjustments":
            return "scheduler configuration" if use.word == name else None
    return None


def _limits(cluster: Cluster, use: Reference) -> bool:
    """True if a quota limits the attribute; False if it is only part of a formula."""
    for line in rules_of(cluster.objects(Kind.QUOTA)[use.name].text("limit")):
        try:
            if any(attribute == use.word for attribute, _ in parse_rule(line).limits):
                return True
        except ValueError:
            continue
    return False


def _simple(obj: ConfigObject, uses: tuple[Reference, ...], cluster: Cluster) -> Iterator[Finding]:
    rule, word = _SIMPLE[obj.kind]
    for use in uses:
        if use.kind is Kind.QUEUE:
            stop = "" if obj.kind is Kind.CALENDAR else "."
            message = f'denied: {word} "{obj.name}" is still referenced in queue "{use.name}"{stop}'
            yield rule.finding(obj, None, message, _where(use))


def _userset(obj: ConfigObject, uses: tuple[Reference, ...], cluster: Cluster) -> Iterator[Finding]:
    """Yield all references, as the qmaster names them; references of configurations only if there are no others."""
    uses = tuple(use for use in uses if use.field in _LIST_WORDS)
    for use in _in_order(uses, _LISTS_OF_USERSETS) or uses:
        if use.kind in _OWNER_WORDS:
            owner = f'{_LIST_WORDS[use.field]} of {_OWNER_WORDS[use.kind]} "{use.name}"'
            yield _USERSET.finding(
                obj, None, f'denied: userset "{obj.name}" is still referenced in {owner}', _where(use)
            )


_LISTS_OF_USERSETS = (Kind.QUEUE, Kind.PE, Kind.PROJECT, Kind.HOST)
_LISTS_OF_PROJECTS = (Kind.SHARETREE, Kind.QUEUE, Kind.HOST, Kind.CONFIGURATION, Kind.USER)
"""Kinds in the order in which the qmaster looks for references."""


def _in_order(uses: tuple[Reference, ...], kinds: tuple[Kind, ...]) -> list[Reference]:
    return sorted((use for use in uses if use.kind in kinds), key=lambda use: kinds.index(use.kind))


def _project(obj: ConfigObject, uses: tuple[Reference, ...], cluster: Cluster) -> Iterator[Finding]:
    for use in _in_order(uses, _LISTS_OF_PROJECTS):
        if use.field in ("projects", "xprojects"):
            owner = f'{use.field} of {_OWNER_WORDS[use.kind]} "{use.name}"'
            yield _PROJECT.finding(
                obj, None, f'denied: project "{obj.name}" is still referenced in {owner}', _where(use)
            )
        elif use.kind is Kind.USER:
            yield _PROJECT.finding(obj, None, f'project "{obj.name}" is still referenced by user "{use.name}"')
        elif use.kind is Kind.SHARETREE:
            message = f'denied: may not remove project "{obj.name}" still referenced in share tree'
            yield _PROJECT.finding(obj, None, message)


def _user(obj: ConfigObject, uses: tuple[Reference, ...], cluster: Cluster) -> Iterator[Finding]:
    if any(use.kind is Kind.SHARETREE for use in uses):
        message = f'denied: may not remove user "{obj.name}" still referenced in share tree'
        yield _USER.finding(obj, None, message)


_HOST_OWNERS = {Kind.QUEUE: "cluster queue", Kind.HOSTGROUP: "host group"}
"""Kind -> the qmaster's word for it. Queues with an instance on the host come first, also through a hostgroup."""


def _host(obj: ConfigObject, uses: tuple[Reference, ...], cluster: Cluster) -> Iterator[Finding]:
    if obj.name == "global":
        yield PSEUDO_HOST.finding(obj, None, 'denied: pseudo host "global" may not be deleted')
    named = {kind: [use.name for use in uses if use.field == "hostlist" and use.kind is kind] for kind in _HOST_OWNERS}
    host = canonical(obj.name)
    queues = [queue.name for queue in cluster.objects(Kind.QUEUE).values() if host in instance_hosts(cluster, queue)]
    for kind, owner in _HOST_OWNERS.items():
        for name in (*queues, *named[kind]) if kind is Kind.QUEUE else named[kind]:
            yield _HOST.finding(obj, None, f'Host object "{obj.name}" is still referenced in {owner} "{name}".')


def _hostgroup(obj: ConfigObject, uses: tuple[Reference, ...], cluster: Cluster) -> Iterator[Finding]:
    for kind, owners in ((Kind.QUEUE, "cluster queues"), (Kind.HOSTGROUP, "hostgroups")):
        names = dict.fromkeys(use.name for use in uses if use.kind is kind)
        if names:
            message = f'denied: these {owners} still reference "{obj.name}": {" ".join(names)}'
            yield _HOSTGROUP.finding(obj, None, message)


def _queue(obj: ConfigObject, uses: tuple[Reference, ...], cluster: Cluster) -> Iterator[Finding]:
    for use in uses:
        if use.field == "subordinate_list":
            message = f'Cluster queue "{obj.name}" is referenced in cluster queue "{use.name}" as a subordinate.'
            yield _QUEUE.finding(obj, None, f"{message} Deletion denied", _where(use))


def _configuration(obj: ConfigObject, uses: tuple[Reference, ...], cluster: Cluster) -> Iterator[Finding]:
    if obj.name == "global":
        yield GLOBAL.finding(obj, None, 'can\'t delete configuration "global" from list')


def _where(use: Reference) -> str:
    scope = f" for {use.key}" if use.key else ""
    return f"Take it out of {use.field}{scope} there first."


_REFUSALS: Mapping[Kind, Callable[[ConfigObject, tuple[Reference, ...], Cluster], Iterator[Finding]]] = {
    Kind.COMPLEX: _complex,
    Kind.QUEUE: _queue,
    Kind.HOST: _host,
    Kind.HOSTGROUP: _hostgroup,
    Kind.PE: _simple,
    Kind.CKPT: _simple,
    Kind.CALENDAR: _simple,
    Kind.USERSET: _userset,
    Kind.PROJECT: _project,
    Kind.USER: _user,
    Kind.CONFIGURATION: _configuration,
}
