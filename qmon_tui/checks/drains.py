"""Check that the places of drains exist and are disabled, and warn about drains and exceptions that are overdue."""

from collections.abc import Iterator
from typing import Final

from qmon_tui.checks.rules import Rule, RuleBook
from qmon_tui.model import (
    DRAIN_AT,
    Cluster,
    Finding,
    Kind,
    State,
    config_object,
    exceptions_in,
    known_hosts,
    queue_instances,
)
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
        on_host = instances.get(host, [])
        drained = [instance for instance in on_host if instance == name] if at else on_host
        if canonical(host) not in known or (at and not drained):
            what = "a queue instance" if at else "a host"
            yield _finding(PLACE, state, name, f'a drain names "{name}", which is not {what} of this cluster',
                           meant_host(host, known))  # fmt: skip
            continue
        for drain in drains:
            if drain.until is not None and drain.until < state.now:
                message = f"the drain of {name} ({drain.key}) was to be over by {format_time(drain.until)}"
                yield _finding(OVERDUE, state, name, message, "Enable it, or give another time.")
        if drained and not any("d" in state.queue_states.get(instance, "") for instance in drained):
            message = f"{name} is drained ({drains[0].key}), but enabled"
            yield _finding(ENABLED, state, name, message, "Disable it (qmod -d), or remove the drain.")


def _finding(rule: Rule, state: State, name: str, message: str, hint: str) -> Finding:
    host = name.rpartition("@")[2]
    return rule.finding(config_object(Kind.HOST, host, {}, state.places.get(f"{DRAIN_AT}{name}")), None, message, hint)


_SOURCE: Final = "quota-set.md#exceptions-with-an-end"
_SUMMARY: Final = "An exception is deleted when its end date is over."
_ENDED: Final = {
    kind: RuleBook(kind, _SOURCE).warning("ended", _SUMMARY)
    for kind in (Kind.QUOTA, Kind.USERSET, Kind.PROJECT, Kind.USER)
}


def ended_exceptions(cluster: Cluster, state: State) -> Iterator[Finding]:
    """Yield a warning for each exception that has ended at the time of the state."""
    for entry in exceptions_in(cluster, state.exceptions):
        if entry.end > state.now:
            continue
        if entry.place is not None:
            reason = f" ({entry.given.key})" if entry.given is not None else ""
            message = f"the exception for {entry.place.words} has ended{reason}"
            hint = f"Remove {'the member' if entry.place.member else 'the tickets'}, or give another date."
            yield _ENDED[entry.obj.kind].finding(entry.obj, entry.place.field, message, hint)
        else:
            noun = f'rule "{entry.rule}"' if entry.rule else f'{entry.obj.kind.value} "{entry.obj.name}"'
            field = "limit" if entry.rule else None
            hint = "Delete it, or give it another date."
            yield _ENDED[entry.obj.kind].finding(entry.obj, field, f"the exception {noun} has ended", hint)
