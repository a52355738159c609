"""Check the drains: their hosts and queue instances exist, are disabled, and are not overdue."""

from collections.abc import Iterator

from qmon_tui.checks.rules import Rule, RuleBook
from qmon_tui.model import DRAIN_AT, Cluster, Finding, Kind, State, config_object, known_hosts, queue_instances
from qmon_tui.values import canonical, format_time, meant_host

_BOOK = RuleBook(Kind.HOST, "qmod(1) -d, queue.md#state-and-load")
PLACE = _BOOK.warning("drain", "Drains name hosts and queue instances that exist.")
OVERDUE = _BOOK.warning("drain.overdue", "What is drained is enabled again when its time is over.")
ENABLED = _BOOK.info("drain.enabled", "What is drained is disabled.")


def drain_findings(cluster: Cluster, state: State) -> Iterator[Finding]:
    """Yield a finding for each place that is unknown or enabled, and for each reason whose time is over."""
    if not state.drains:
        return
    known = known_hosts(cluster)
    instances: dict[str, list[str]] = {}
    for queue, host in queue_instances(cluster):
        instances.setdefault(host, []).append(f"{queue}@{host}")
    for name, drains in state.drains.items():
        _, at, host = name.rpartition("@")
        there = [name] if at and name in instances.get(host, ()) else [] if at else instances.get(host, [])
        if canonical(host) not in known or (at and not there):
            what = "a queue instance" if at else "a host"
            yield _finding(PLACE, state, name, f'a drain names "{name}", which is not {what} of this cluster',
                           meant_host(host, known))  # fmt: skip
            continue
        for drain in drains:
            if drain.until is not None and drain.until < state.now:
                message = f"the drain of {name} ({drain.key}) was to be over by {format_time(drain.until)}"
                yield _finding(OVERDUE, state, name, message, "Enable it, or give another time.")
        if there and not any("d" in state.queue_states.get(instance, "") for instance in there):
            message = f"{name} is drained ({drains[0].key}), but enabled"
            yield _finding(ENABLED, state, name, message, "Disable it (qmod -d), or remove the drain.")


def _finding(rule: Rule, state: State, name: str, message: str, hint: str) -> Finding:
    host = name.rpartition("@")[2]
    return rule.finding(config_object(Kind.HOST, host, {}, state.places.get(f"{DRAIN_AT}{name}")), None, message, hint)
