"""The hosts that an attempt visits for a parallel job, and their order (parallel.md#one-attempt).

Hosts are visited in the order of their first eligible queue instance. If no messages are wanted, hosts are skipped that
gave no slots to an attempt of this kind and have not changed since; after a full scan only changed hosts are visited.
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
    """True if no messages are wanted and only slots free now count: hosts with a cached failure are skipped."""
    failed_visits: FailedVisits | None = None
    """Known failures by host class; a skipped visit is recorded as if it had been made."""
    visited: list[int] = field(default_factory=list)
    """The hosts visited so far, including those skipped because of `failed_visits`."""
    _full_hosts: Mapping[int, int] = field(init=False)
    """Host with too few slots for an attempt of this kind -> its `changes_of_host` at that visit."""
    _hosts_over_quota: Mapping[int, int] = field(default_factory=lambda: _NONE)
    """Host where quotas allow too few slots -> its `changes_of_host` at that visit; `_NONE` if uncertain."""

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
        """Yield the hosts to visit; hosts without an eligible queue instance last, if messages or marks need them."""
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
        failed_visits, failed_hosts = self.failed_visits, list[int]()
        common_result: FailedVisit | None = None
        waiting = self._waiting() if is_quick else None
        numbers: Iterable[int] = order
        if is_quick:
            numbers = self._useful() if waiting is None else waiting
        for number in numbers:
            host = host_of[number]
            if host in seen:
                continue
            if host in skipped:
                # Tested first, as there may be thousands of such hosts.
                seen[host] = None
                continue
            if full_hosts.get(host) == changes[host] or hosts_over_quota.get(host) == changes[host]:
                seen[host] = None
                if pe_attempt.remaining_quota is not None and host in hosts_over_quota:
                    pe_attempt.remaining_quota.passed_hosts.append(host)
                if host in too_small_hosts and not pe_attempt.skips(host):
                    # A visit would do this.
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
            if failed_visit is not common_result:
                self.note(failed_hosts, common_result)
                common_result, failed_hosts = failed_visit, []
            if failed_visit is None:
                yield host
            elif not pe_attempt.skips(host):
                failed_hosts.append(host)
        self.note(failed_hosts, common_result)
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
        """True if visits may mark queue instances in exclusive use as unable to be the master queue.

        The marks remain for the next PE of a search; a category with a cache skips such hosts instead.
        """
        pe_attempt = self.pe_attempt
        return not pe_attempt.remembers and pe_attempt.context.compiled.attributes.has_exclusive

    def note(self, hosts: Sequence[int], failed_visit: FailedVisit | None) -> None:
        """Cache the failed visit of these hosts; None: nothing to cache."""
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
            change = too_small_hosts.update if failed_visit.is_too_small else too_small_hosts.difference_update
            change(hosts)
        if pe_attempt.remembers and pe_attempt.learns and failed_visit.is_too_small:
            pe_cache.skipped_hosts.update(dict.fromkeys(hosts))

    def _useful(self) -> Iterable[int]:
        """Return the list of queue instances, without leading ones whose hosts are all skipped."""
        pe_attempt = self.pe_attempt
        order, pe_cache = pe_attempt.context.order, pe_attempt.pe_cache
        if not pe_attempt.remembers or not isinstance(order, QueueOrder) or order.is_arranged:
            return order
        next_number = order.next_elsewhere(
            pe_cache.cursor, pe_cache.skipped_hosts, pe_attempt.context.resources.host_of
        )
        return () if next_number is None else order.rest(pe_cache.cursor)

    def _waiting(self) -> Sequence[int] | None:
        """Return the queue instances of hosts that may give slots since the last full scan; None if unknown."""
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
        """Record that all hosts were visited, and which of them may still give slots."""
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
