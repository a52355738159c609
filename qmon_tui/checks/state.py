"""Check that the state belongs to objects of the cluster and agrees with the configuration."""

from collections.abc import Iterator, Sequence
from typing import Final

from qmon_tui.checks.drains import drain_findings
from qmon_tui.checks.queue_read import instance_hosts, instance_values, readable_entries
from qmon_tui.checks.rules import Rule, RuleBook
from qmon_tui.model import (
    CHANGED_AT,
    DATED,
    REASON_AT,
    SEEN_AT,
    Cluster,
    ConfigObject,
    Finding,
    Job,
    Kind,
    Request,
    State,
    complex_index,
    config_object,
    effective_value,
    known_hosts,
)
from qmon_tui.values import (
    c_integer_prefix,
    canonical,
    format_time,
    is_host_name,
    is_number,
    meant_host,
    parse_number,
)

LOADS = RuleBook(Kind.HOST, "host_conf(5) load_values, exec-host.md#load-values").warning(
    "loads", "Load values are given for hosts that exist."
)
STATES = RuleBook(Kind.QUEUE, "qstat(1) states, queue.md#state-and-load").warning(
    "states", "States are given for queue instances that exist."
)
CHANGED = RuleBook(Kind.QUEUE, "queue.md#state-and-load").warning(
    "changed", "Changes are dated of queues, their instances, hosts, quota sets and parallel environments that exist."
)
TOO_MUCH = RuleBook(Kind.HOST, "host_conf(5) complex_values, exec-host.md#complex_values").warning(
    "complex_values.exceeds", "A host offers no more of a consumable than it reports to have."
)
UNMEASURED = RuleBook(Kind.QUEUE, "queue_conf(5) load_thresholds, queue.md#load_thresholds").warning(
    "thresholds.unmeasured", "What a threshold compares is reported by the host, or configured."
)
USAGE = RuleBook(Kind.USER, "share_tree(5), user.md#usage").warning(
    "usage", "Usage is given for users and projects that exist."
)

REQUESTED = RuleBook(Kind.HOST, "qsub(1) -q, -l; exec-host.md#hostname").warning(
    "requested", "Jobs name hosts as the cluster does, with or without the domain."
)
NOT_RESERVED = RuleBook(
    Kind.SCHEDULER, "sched_conf(5) max_reservation, scheduler-configuration.md#max_reservation"
).warning("reservation.off", "Where jobs ask for reservations there are some.")

VACATED = RuleBook(Kind.QUEUE, "qconf.md#what-blocks-a-deletion").error(
    "vacated", "Jobs run in queues and on hosts that exist: the qmaster does not delete these."
)
ORPHANED = RuleBook(Kind.QUEUE, "qstat(1) states, queue.md#state-and-load").warning(
    "orphaned", "Jobs run in queue instances that are configured."
)
TO_COME = RuleBook(Kind.SCHEDULER, "lifecycle.md#submission").info(
    "jobs.to_come", "Jobs have been submitted by the time of the state; others do not exist yet."
)
AHEAD = RuleBook(Kind.SCHEDULER, "lifecycle.md#start-of-a-task").warning(
    "tasks.ahead", "What runs or has run was submitted and started by the time of the state."
)

_TOTALS: Final = {"mem_free": "mem_total", "swap_free": "swap_total", "virtual_free": "virtual_total"}
"""Load value of the free amount -> load value of the host's total."""

_NAMED: Final = 5
"""Number of missing objects that a message names."""


def state_findings(cluster: Cluster, state: State) -> Iterator[Finding]:
    """Yield all findings about a state, such as load values of unknown hosts or usage of unknown users."""
    known = known_hosts(cluster)
    hosts = [host for host in state.loads if canonical(host) not in known and host != "global"]
    yield from _missing_objects(
        LOADS, state, hosts, Kind.HOST, 'load values are given for "{}", which is not a host of this cluster',
        "load values are given for {} hosts that this cluster does not have: {}",
        hint=meant_host(hosts[0], known) if hosts else "",
    )  # fmt: skip
    yield from _offers_above_loads(cluster, state)
    yield from _unmeasured_thresholds(cluster, state)
    yield from _reservations(cluster, state)
    yield from _ahead_of_time(cluster, state)
    yield from _other_names(state, known)
    yield from _instances(cluster, state)
    yield from _running_places(cluster, state, known)
    yield from drain_findings(cluster, state)
    known_users = {*cluster.objects(Kind.USER), *(job.owner for job in state.jobs)} if state.usage else set()
    users = [user for user in state.usage.users if user not in known_users]
    yield from _missing_objects(
        USAGE, state, users, Kind.USER, 'usage is given for "{}", who is not a user and has no job',
        "usage is given for {} people who are not users and have no jobs: {}", "usage of ",
    )  # fmt: skip
    projects = [project for project in state.usage.projects if cluster.get(Kind.PROJECT, project) is None]
    yield from _missing_objects(
        USAGE, state, projects, Kind.PROJECT, 'usage is given for "{}", which is not a project',
        "usage is given for {} projects that do not exist: {}", "usage of ",
    )  # fmt: skip


def _instances(cluster: Cluster, state: State) -> Iterator[Finding]:
    """Warn about states and changes of queue instances that do not exist."""
    has_instances = state.queue_states or state.changed or state.seen_suspended or state.error_reasons
    queues = cluster.objects(Kind.QUEUE).values() if has_instances else ()
    kinds = DATED.items() if state.changed else ()
    others = {form.format(name) for kind, form in kinds for name in cluster.objects(kind)}
    changed = [name for name in state.changed if name not in others]
    hosts_of = {queue.name: frozenset(instance_hosts(cluster, queue)) for queue in queues}
    reports = (
        (STATES, "", state.queue_states, 'a state is given for "{}", which is not a queue instance',
         "states are given for {} queue instances that do not exist: {}"),
        (STATES, REASON_AT, state.error_reasons, 'a reason is given for "{}", which is not a queue instance',
         "reasons are given for {} queue instances that do not exist: {}"),
        (CHANGED, CHANGED_AT, changed, 'a time of change is given for "{}", which does not exist',
         "times of change are given for {} things that do not exist: {}"),
        (STATES, SEEN_AT, sorted(state.seen_suspended), 'seen is given for "{}", which is not a queue instance',
         "seen is given for {} queue instances that do not exist: {}"),
    )  # fmt: skip
    for rule, at, names, singular, plural in reports:
        missing: dict[str, list[str]] = {}
        for instance in names:
            name, _, host = instance.partition("@")
            if name not in hosts_of or (host and canonical(host) not in hosts_of[name]):
                missing.setdefault(name, []).append(instance)
        for name, instances in missing.items():
            hint = meant_host(instances[0].partition("@")[2], hosts_of.get(name, frozenset()))
            yield from _missing_objects(rule, state, instances, Kind.QUEUE, singular, plural, at, hint)


def _running_places(cluster: Cluster, state: State, known: frozenset[str]) -> Iterator[Finding]:
    """Report queue instances in which tasks run although the instance, its queue or its host does not exist.

    A host that the cluster knows by another name is reported by `_other_names`.
    """
    queues = cluster.objects(Kind.QUEUE)
    hosts_of: dict[str, frozenset[str]] = {}
    running: dict[str, list[Job]] = {}
    for job in state.jobs:
        for instance in job.running_places:
            running.setdefault(instance, []).append(job)
    for instance, jobs in running.items():
        name, _, host = instance.partition("@")
        others = f" and {len(jobs) - 1} more" if len(jobs) > 1 else ""
        runs = f"job {jobs[0].id}{others} runs in {instance}"
        place = config_object(Kind.QUEUE, name, {}, jobs[0].origin)
        if name not in queues:
            yield VACATED.finding(place, None, f"{runs}, but there is no queue {name}", _NOT_DELETED)
        elif canonical(host) not in known:
            if not meant_host(host, known):
                yield VACATED.finding(place, None, f"{runs}, but there is no host {host}", _NOT_DELETED)
        else:
            if name not in hosts_of:
                hosts_of[name] = frozenset(instance_hosts(cluster, queues[name]))
            if canonical(host) not in hosts_of[name] and "o" not in state.queue_states.get(instance, ""):
                message = f"{runs}, but {host} is not in hostlist of {name}: the qmaster keeps it as orphaned (o)"
                yield ORPHANED.finding(place, None, message, "It goes when its last job has ended.")


_NOT_DELETED: Final = "The qmaster refuses to delete it while jobs run there: keep it, or let the jobs end first."


def _missing_objects(
    rule: Rule,
    state: State,
    names: Sequence[str],
    kind: Kind,
    singular: str,
    plural: str,
    at: str = "",
    hint: str = "",
) -> Iterator[Finding]:
    """Yield one finding for all missing objects `names`, at the first one; `at` is the prefix of its place's name."""
    if not names:
        return
    first = names[0].partition("@")[0] if kind is Kind.QUEUE else names[0]
    obj = config_object(kind, first, {}, state.places.get(at + names[0]))
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    message = (
        plural.format(len(names), ", ".join(names[:_NAMED]) + more) if len(names) > 1 else singular.format(names[0])
    )
    yield rule.finding(obj, None, message, hint)


def _other_names(state: State, known: frozenset[str]) -> Iterator[Finding]:
    """Yield one finding for each host that jobs ask for, or run on, by another name than the cluster's."""
    jobs: dict[str, list[Job]] = {}
    for job in state.jobs:
        for host in dict.fromkeys(_named_hosts(job)):
            if canonical(host) not in known:
                jobs.setdefault(host, []).append(job)
    for host, naming in jobs.items():
        if hint := meant_host(host, known):
            others = f" and {len(naming) - 1} more" if len(naming) > 1 else ""
            message = f'job {naming[0].id}{others}: "{host}" is not a host of this cluster'
            yield REQUESTED.finding(config_object(Kind.HOST, host, {}, naming[0].origin), None, message, hint)


def meant_hosts(cluster: Cluster, request: Request) -> tuple[str, ...]:
    """Return `did you mean HOST?` for each host that the request spells differently from the cluster."""
    known = known_hosts(cluster)
    return tuple(dict.fromkeys(hint for host in _requested_hosts(request) if (hint := meant_host(host, known))))


def _named_hosts(job: Job) -> Iterator[str]:
    """Yield the hosts that a job asks for and on which its tasks run."""
    yield from _requested_hosts(job.request)
    for task in job.tasks.values():
        yield from (instance.rpartition("@")[2] for instance in task.granted)


def _requested_hosts(request: Request) -> Iterator[str]:
    """Yield the hosts in -q Q@H and -l h=H."""
    for queue in (*request.hard_queues, *request.soft_queues, *request.master_queues):
        host = queue.partition("@")[2]
        if is_host_name(host):
            yield host
    for name, value in request.hard:
        if name in ("h", "hostname") and value and is_host_name(value):
            yield value


def _reservations(cluster: Cluster, state: State) -> Iterator[Finding]:
    """Warn about jobs that request a reservation (-R y) if max_reservation is 0."""
    scheduler = cluster.single(Kind.SCHEDULER)
    asking = [job.id for job in state.jobs if job.request.reserve]
    if asking and not c_integer_prefix(scheduler.text("max_reservation")):
        others = f" and {len(asking) - 1} more" if len(asking) > 1 else ""
        message = f"job {asking[0]}{others} asked for a reservation (-R y), but max_reservation is 0"
        hint = "Nothing is kept free for them: set how many jobs may have one."
        yield NOT_RESERVED.finding(scheduler, "max_reservation", message, hint)


def _ahead_of_time(cluster: Cluster, state: State) -> Iterator[Finding]:
    """Report jobs submitted and tasks started after the time of the state; each job once."""
    now = format_time(state.now)
    later = [job for job in state.jobs if job.submitted > state.now]
    coming = [job for job in later if not job.has_begun]
    begun = [job for job in later if job.has_begun]
    started = [
        job
        for job in state.jobs
        if job.tasks
        and job.submitted <= state.now
        and any(task.started is not None and task.started >= state.now + 1 for task in job.tasks.values())
    ]
    for rule, jobs, words, hint in (
        (TO_COME, coming, f"it is submitted at {{}}, after the time of the state, {now}: it does not exist yet",
         "A scheduling run leaves it out; in a simulated day it comes at that time."),
        (AHEAD, begun, f"a task of it has begun, but it is submitted at {{}}, after the time of the state, {now}",
         _TAKEN),
        (AHEAD, started, f"a task of it started after {now}", _TAKEN),
    ):  # fmt: skip
        if jobs:
            first = min(jobs, key=lambda job: (job.submitted, job.id))
            others = f" (and {len(jobs) - 1} more)" if len(jobs) > 1 else ""
            message = f"job {first.id}{others}: {words.format(format_time(first.submitted))}"
            place = config_object(Kind.SCHEDULER, cluster.single(Kind.SCHEDULER).name, {}, first.origin)
            yield rule.finding(place, None, message, hint)._replace(kind="job", name=str(first.id))


_TAKEN: Final = "It is taken as running: correct the time, or give a later one as now."


def _offers_above_loads(cluster: Cluster, state: State) -> Iterator[Finding]:
    """Warn about hosts that offer more of a consumable than they report."""
    known: dict[str, tuple[tuple[str, str], ...]] = {}
    for host, loads in state.loads.items():
        obj = cluster.get(Kind.HOST, canonical(host))
        if obj is None:
            continue
        text = obj.text("complex_values")
        if text not in known:  # hundreds of hosts offer the same amounts
            known[text] = tuple(_amounts(cluster, text))
        for name, value in known[text]:
            total_name = _TOTALS.get(name, name)
            reported = loads.get(total_name, "")
            if is_number(reported) and parse_number(value) > parse_number(reported):
                reading = reported if total_name == name else f"{total_name}={reported}"
                message = f"{name}={value} is more than the load value {reading} of {host}"
                yield TOO_MUCH.finding(obj, "complex_values", message, "The smaller of the two counts.")


def _amounts(cluster: Cluster, text: str) -> Iterator[tuple[str, str]]:
    """Yield (attribute, amount) for each consumable with the operator <= in complex_values."""
    for word, value in readable_entries(text):
        entry = complex_index(cluster).find(word)
        if entry is not None and entry.is_consumable and entry.relop == "<=" and is_number(value):
            yield entry.name, value


def _unmeasured_thresholds(cluster: Cluster, state: State) -> Iterator[Finding]:
    """Warn about load thresholds on a value that a reporting host does not have: the instance stays in alarm."""
    index = complex_index(cluster)
    everywhere = {*state.loads.get("global", ()), *_offered(cluster.get(Kind.HOST, "global"))}
    for queue in cluster.objects(Kind.QUEUE).values() if state.loads else ():
        compared: dict[str, list[str]] = {}
        for (_, text), hosts in instance_values(cluster, queue, "load_thresholds").used.items():
            for word, _ in readable_entries(text):
                compared.setdefault(word, []).extend(host for host in hosts if state.loads.get(host))
        for word in sorted(compared):
            entry = index.find(word)
            if entry is None or entry.name in everywhere or word in everywhere:
                continue
            for host in compared[word]:
                if entry.name in state.loads[host] or entry.name in _offered(cluster.get(Kind.HOST, host)):
                    continue
                if {entry.name, word}.isdisjoint(_names(effective_value(cluster, queue, "complex_values", host).text)):
                    message = f'the load value "{entry.name}" of {host} is not known: {queue.name}@{host} is in alarm'
                    yield UNMEASURED.finding(queue, "load_thresholds", message)
                    break


def _offered(host: ConfigObject | None) -> set[str]:
    return _names(host.text("complex_values")) if host is not None else set()


def _names(text: str) -> set[str]:
    return {name for name, _ in readable_entries(text)}
