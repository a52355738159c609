"""Which hosts an attempt visits for a parallel job, and in which order (dispatch.md section 8.3, step 6).

Hosts come in the order in which their first eligible queue instance stands in the list. Where nothing is said, those
are left out of which it is known that they would give nothing, as an attempt like this has found out before and nothing
has changed there since; and once one has looked at all hosts, only those are looked at where something has.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from qmon_tui.scheduler.placement.errand import Errand
from qmon_tui.scheduler.placement.host_list import HostList
from qmon_tui.scheduler.placement.memory import Look
from qmon_tui.scheduler.placement.offers import Offers
from qmon_tui.scheduler.placement.order import QueueOrder
from qmon_tui.scheduler.quick.twins import Loss, Losses

_NONE: Mapping[int, int] = MappingProxyType({})


@dataclass(slots=True)
class Tour:
    """The tour of one attempt."""

    errand: Errand
    offers: Offers
    host_list: HostList | None
    """See `Harvest.host_list`."""
    is_quick: bool
    """Nothing is said, and nothing counts but what is free now: what is known to come to nothing is left out."""
    losses: Losses | None = None
    """Hosts are left out, too, of which it is known what a visit comes to; it is noted as if there had been one."""
    visited: list[int] = field(default_factory=list)
    """The hosts so far, those of `losses` included."""
    _exhausted: Mapping[int, int] = field(init=False)
    """The hosts that have too little for an attempt like this, by how often they had changed then."""
    _short: Mapping[int, int] = field(default_factory=lambda: _NONE)
    """Those of which quotas let the job have too little, as long as a visit would come to the same."""

    def __post_init__(self) -> None:
        errand = self.errand
        self._exhausted = errand.memory.exhausted.setdefault(errand.kind, {})
        if errand.purse is not None and errand.purse.is_ample(errand.slots):
            self._short = errand.memory.short.setdefault(errand.kind, {})

    def is_known(self, host: int) -> bool:
        """Tell whether a visit would come to nothing, as one before."""
        changes = self.errand.site.resources.changes_of_host[host]
        return self._exhausted.get(host) == changes or self._short.get(host) == changes

    def __iter__(self) -> Iterator[int]:
        """The hosts; those without an eligible queue instance last, where it matters."""
        errand = self.errand
        resources, order, memory = errand.site.resources, errand.site.order, errand.memory
        seen: dict[int, None] = {}
        is_quick = self.is_quick
        skipped: Container[int] = memory.skipped_hosts if is_quick and errand.remembers else ()
        exhausted, short = (self._exhausted, self._short) if is_quick else ({}, {})
        learns = errand.remembers and errand.learns
        hopeless: Container[int] = memory.hopeless.get(errand.kind, ()) if learns else ()
        instances, host_of, changes = resources.instances, resources.host_of, resources.changes_of_host
        fits: dict[str, bool] = {}
        losses, lost = self.losses, list[int]()
        last: Loss | None = None
        waiting = self._waiting() if is_quick else None
        numbers: Iterable[int] = order
        if is_quick:
            numbers = self._useful() if waiting is None else waiting
        for number in numbers:
            host = host_of[number]
            if host in seen:
                continue
            if host in skipped:
                # It would be passed over anyway, and there may be thousands of them.
                seen[host] = None
                continue
            if exhausted.get(host) == changes[host] or short.get(host) == changes[host]:
                seen[host] = None
                if errand.purse is not None and host in short:
                    errand.purse.passed_hosts.append(host)
                if host in hopeless and not errand.skips(host):
                    # A visit would have come to this.
                    memory.skipped_hosts[host] = None
                continue
            queue = instances[number].queue
            if queue not in fits:
                fits[queue] = self.offers.queue_fits(queue)
            if not fits[queue]:
                continue
            seen[host] = None
            self.visited.append(host)
            loss = losses.like(host) if losses is not None and losses.known else None
            if loss is not last:
                self.note(lost, last)
                last, lost = loss, []
            if loss is None:
                yield host
            elif not errand.skips(host):
                lost.append(host)
        self.note(lost, last)
        if self.host_list is not None and (errand.say is not None or self._leaves_marks):
            for host in [host for host in self.host_list if host not in seen]:
                self.visited.append(host)
                yield host
        elif learns and waiting is None:
            rest = [host for host in {resources.host_of[number]: None for number in order} if host not in seen]
            memory.skipped_hosts.update(dict.fromkeys(rest))
        if is_quick:
            self._note_look(learns or waiting is not None)

    @property
    def _leaves_marks(self) -> bool:
        """Tell whether a look at hosts in exclusive use keeps their queue instances from being the master's.

        That holds on in the next environment of a search; a category that remembers hosts skips these instead.
        """
        errand = self.errand
        return not errand.remembers and errand.site.compiled.attributes.has_exclusive

    def note(self, hosts: Sequence[int], loss: Loss | None) -> None:
        """Remember what came of visits."""
        if loss is None:
            return
        errand, memory = self.errand, self.errand.memory
        if loss.stays_so:
            changes = errand.site.resources.changes_of_host
            found = memory.exhausted if loss.is_full or errand.purse is None else memory.short
            notes = found.setdefault(errand.kind, {})
            for host in hosts:
                notes[host] = changes[host]
            hopeless = memory.hopeless.setdefault(errand.kind, set())
            (hopeless.update if loss.is_hopeless else hopeless.difference_update)(hosts)
        if errand.remembers and errand.learns and loss.is_hopeless:
            memory.skipped_hosts.update(dict.fromkeys(hosts))

    def _useful(self) -> Iterable[int]:
        """The list of queue instances, without its beginning where all hosts there are skipped."""
        errand = self.errand
        order, memory = errand.site.order, errand.memory
        if not errand.remembers or not isinstance(order, QueueOrder) or order.is_arranged:
            return order
        found = order.next_elsewhere(memory.cursor, memory.skipped_hosts, errand.site.resources.host_of)
        return () if found is None else order.rest(memory.cursor)

    def _waiting(self) -> Sequence[int] | None:
        """The queue instances of hosts that may come to something; None where that is not known."""
        errand, memory = self.errand, self.errand.memory
        look = memory.looks.get(errand.kind)
        if look is None or (self._short is _NONE and memory.short.get(errand.kind)):
            return None
        has_learned = look.has_learned and memory.hopeless.get(errand.kind, set()) <= memory.skipped_hosts.keys()
        if errand.remembers and errand.learns and not has_learned:
            return None
        resources = errand.site.resources
        hosts = look.open.union(resources.changed_hosts[look.moment :])
        if errand.remembers:
            hosts = hosts.difference(memory.skipped_hosts)
        numbers = errand.site.order.in_order([one for host in hosts for one in resources.instances_of[host]])
        # What such a queue instance pays depends on the hosts before; see `Purse.passed_hosts`.
        is_free = errand.purse is None or memory.skipped_instances.keys().isdisjoint(numbers)
        return numbers if is_free else None

    def _note_look(self, has_learned: bool) -> None:
        """Remember that all hosts were looked at, and those of them that may still have something to give."""
        errand, memory, resources = self.errand, self.errand.memory, self.errand.site.resources
        changes, skipped = resources.changes_of_host, memory.skipped_hosts
        exhausted, short = self._exhausted, memory.short.get(errand.kind, _NONE)
        found = {
            host
            for host in self.visited
            if exhausted.get(host) != changes[host] and short.get(host) != changes[host] and host not in skipped
        }
        memory.looks[errand.kind] = Look(len(resources.changed_hosts), has_learned, frozenset(found))
