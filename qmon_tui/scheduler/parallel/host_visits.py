"""The hosts that an attempt visits for a parallel job, and their order (parallel.md#one-attempt).

Hosts come in the order of their first eligible queue instance. If no messages are wanted, hosts are skipped that gave
nothing to an attempt like this and have not changed since; after a full scan only changed hosts are visited.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from qmon_tui.scheduler.jobs import HostScan
from qmon_tui.scheduler.parallel.available_slots import AvailableSlots
from qmon_tui.scheduler.parallel.failed_visits import FailedVisit, FailedVisits
from qmon_tui.scheduler.parallel.host_list import HostList
from qmon_tui.scheduler.parallel.pe_attempt import PeAttempt
from qmon_tui.scheduler.placement import QueueOrder

_NONE: Mapping[int, int] = MappingProxyType({})


@dataclass(slots=True)
class HostVisits:
    """The host visits of one attempt."""

    pe_attempt: PeAttempt
    available_slots: AvailableSlots
    host_list: HostList | None
    is_quick: bool
    """True if no messages are wanted and only slots free now count: failures known from the cache are skipped."""
    failed_visits: FailedVisits | None = None
    """Known failures by host class; a skipped visit is recorded as if it had been made."""
    visited: list[int] = field(default_factory=list)
    """The hosts visited so far, including those skipped because of `failed_visits`."""
    _full_hosts: Mapping[int, int] = field(init=False)
    """Hosts with too few slots for an attempt like this -> their number of changes then."""
    _hosts_over_quota: Mapping[int, int] = field(default_factory=lambda: _NONE)
    """Hosts to which quotas give too few slots -> their number of changes then; empty if the result may differ now."""

    def __post_init__(self) -> None:
        pe_attempt = self.pe_attempt
        self._full_hosts = pe_attempt.pe_cache.full_hosts.setdefault(pe_attempt.kind, {})
        if pe_attempt.remaining_quota is not None and pe_attempt.remaining_quota.has_enough(pe_attempt.slots):
            self._hosts_over_quota = pe_attempt.pe_cache.hosts_over_quota.setdefault(pe_attempt.kind, {})

    def is_known(self, host: int) -> bool:
        """True if a visit would fail as an earlier one did."""
        changes = self.pe_attempt.context.resources.changes_of_host[host]
        return self._full_hosts.get(host) == changes or self._hosts_over_quota.get(host) == changes

    def __iter__(self) -> Iterator[int]:
        """Yield the hosts; those without an eligible queue instance last, if that matters."""
        pe_attempt = self.pe_attempt
        resources, order, pe_cache = pe_attempt.context.resources, pe_attempt.context.order, pe_attempt.pe_cache
        seen: dict[int, None] = {}
        is_quick = self.is_quick
        skipped: Container[int] = pe_cache.skipped_hosts if is_quick and pe_attempt.remembers else ()
        full_hosts, hosts_over_quota = (self._full_hosts, self._hosts_over_quota) if is_quick else ({}, {})
        learns = pe_attempt.remembers and pe_attempt.learns
        too_small_hosts: Container[int] = pe_cache.too_small_hosts.get(pe_attempt.kind, ()) if learns else ()
        instances, host_of, changes = resources.instances, resources.host_of, resources.changes_of_host
        fits: dict[str, bool] = {}
        failed_visits, lost = self.failed_visits, list[int]()
        last: FailedVisit | None = None
        waiting = self._waiting() if is_quick else None
        numbers: Iterable[int] = order
        if is_quick:
            numbers = self._useful() if waiting is None else waiting
        for number in numbers:
            host = host_of[number]
            if host in seen:
                continue
            if host in skipped:
                # The category skips it, and there may be thousands of such hosts.
                seen[host] = None
                continue
            if full_hosts.get(host) == changes[host] or hosts_over_quota.get(host) == changes[host]:
                seen[host] = None
                if pe_attempt.remaining_quota is not None and host in hosts_over_quota:
                    pe_attempt.remaining_quota.passed_hosts.append(host)
                if host in too_small_hosts and not pe_attempt.skips(host):
                    # The result of a visit.
                    pe_cache.skipped_hosts[host] = None
                continue
            queue = instances[number].queue
            if queue not in fits:
                fits[queue] = self.available_slots.queue_fits(queue)
            if not fits[queue]:
                continue
            seen[host] = None
            self.visited.append(host)
            failed_visit = failed_visits.like(host) if failed_visits is not None and failed_visits.known else None
            if failed_visit is not last:
                self.note(lost, last)
                last, lost = failed_visit, []
            if failed_visit is None:
                yield host
            elif not pe_attempt.skips(host):
                lost.append(host)
        self.note(lost, last)
        if self.host_list is not None and (pe_attempt.say is not None or self._leaves_marks):
            for host in [host for host in self.host_list if host not in seen]:
                self.visited.append(host)
                yield host
        elif learns and waiting is None:
            rest = [host for host in {resources.host_of[number]: None for number in order} if host not in seen]
            pe_cache.skipped_hosts.update(dict.fromkeys(rest))
        if is_quick:
            self._note_scan(learns or waiting is not None)

    @property
    def _leaves_marks(self) -> bool:
        """True if visiting a host in exclusive use marks its queue instances as not suited for the master task.

        The marks stay for the next PE of a search; a category that caches hosts skips these instead.
        """
        pe_attempt = self.pe_attempt
        return not pe_attempt.remembers and pe_attempt.context.compiled.attributes.has_exclusive

    def note(self, hosts: Sequence[int], failed_visit: FailedVisit | None) -> None:
        """Cache the result of visits."""
        if failed_visit is None:
            return
        pe_attempt, pe_cache = self.pe_attempt, self.pe_attempt.pe_cache
        if failed_visit.stays_so:
            changes = pe_attempt.context.resources.changes_of_host
            useless_hosts = (
                pe_cache.full_hosts
                if failed_visit.is_full or pe_attempt.remaining_quota is None
                else pe_cache.hosts_over_quota
            )
            notes = useless_hosts.setdefault(pe_attempt.kind, {})
            for host in hosts:
                notes[host] = changes[host]
            too_small_hosts = pe_cache.too_small_hosts.setdefault(pe_attempt.kind, set())
            (too_small_hosts.update if failed_visit.is_too_small else too_small_hosts.difference_update)(hosts)
        if pe_attempt.remembers and pe_attempt.learns and failed_visit.is_too_small:
            pe_cache.skipped_hosts.update(dict.fromkeys(hosts))

    def _useful(self) -> Iterable[int]:
        """Return the list of queue instances, without its beginning if all hosts there are skipped."""
        pe_attempt = self.pe_attempt
        order, pe_cache = pe_attempt.context.order, pe_attempt.pe_cache
        if not pe_attempt.remembers or not isinstance(order, QueueOrder) or order.is_arranged:
            return order
        next_number = order.next_elsewhere(
            pe_cache.cursor, pe_cache.skipped_hosts, pe_attempt.context.resources.host_of
        )
        return () if next_number is None else order.rest(pe_cache.cursor)

    def _waiting(self) -> Sequence[int] | None:
        """Return the queue instances of hosts that may give slots; None if unknown."""
        pe_attempt, pe_cache = self.pe_attempt, self.pe_attempt.pe_cache
        host_scan = pe_cache.host_scans.get(pe_attempt.kind)
        if host_scan is None or (self._hosts_over_quota is _NONE and pe_cache.hosts_over_quota.get(pe_attempt.kind)):
            return None
        has_learned = (
            host_scan.has_learned
            and pe_cache.too_small_hosts.get(pe_attempt.kind, set()) <= pe_cache.skipped_hosts.keys()
        )
        if pe_attempt.remembers and pe_attempt.learns and not has_learned:
            return None
        resources = pe_attempt.context.resources
        hosts = host_scan.open.union(resources.changed_hosts[host_scan.moment :])
        if pe_attempt.remembers:
            hosts = hosts.difference(pe_cache.skipped_hosts)
        numbers = pe_attempt.context.order.in_order(
            [instance for host in hosts for instance in resources.instances_of[host]]
        )
        # The quota slots of such an instance depend on the hosts before; see `RemainingQuota.passed_hosts`.
        is_free = pe_attempt.remaining_quota is None or pe_cache.skipped_instances.keys().isdisjoint(numbers)
        return numbers if is_free else None

    def _note_scan(self, has_learned: bool) -> None:
        """Record that all hosts were visited, and those that may still give slots."""
        pe_attempt, pe_cache, resources = self.pe_attempt, self.pe_attempt.pe_cache, self.pe_attempt.context.resources
        changes, skipped = resources.changes_of_host, pe_cache.skipped_hosts
        full_hosts, hosts_over_quota = self._full_hosts, pe_cache.hosts_over_quota.get(pe_attempt.kind, _NONE)
        useful_hosts = {
            host
            for host in self.visited
            if full_hosts.get(host) != changes[host]
            and hosts_over_quota.get(host) != changes[host]
            and host not in skipped
        }
        pe_cache.host_scans[pe_attempt.kind] = HostScan(
            len(resources.changed_hosts), has_learned, frozenset(useful_hosts)
        )
