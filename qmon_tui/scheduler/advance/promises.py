"""What advance reservations were promised: the qmaster refuses edits that would take it away (found by trying).

- A queue instance keeps the slots that were granted in it, its parallel environment, a calendar that does not close it
  meanwhile, and access for all of -u. The environment has to stay in pe_list under the name that was asked for: after
  a pattern 8.1.9 refuses any other list.
- Where its slots or its complex_values change, it is what it had *before* that has to do for its reservations.
- A host keeps enough of what it still has after the edit; what is taken away altogether is not missed.
- A parallel environment keeps slots for all its reservations together, whenever they are.

Queue instances and hosts may be taken out of a queue. What 8.1.9 multiplies by the slots is every request that is a
number, also of what is not consumed. The checkpointing environment, of which qrstat tells nothing, is not looked at.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import AdvanceReservation, Request, State
from qmon_tui.scheduler.advance.considered import lets_in, stays_open
from qmon_tui.scheduler.advance.reserved import lasting
from qmon_tui.scheduler.compiled.access import Access
from qmon_tui.scheduler.compiled.attributes import Attribute
from qmon_tui.scheduler.compiled.cluster import Compiled, compile_cluster
from qmon_tui.scheduler.compiled.queues import Instance
from qmon_tui.scheduler.compiled.values import Value
from qmon_tui.scheduler.matching.relops import holds, holds_for_strings
from qmon_tui.scheduler.requests import Demand, Wanted, compile_demand
from qmon_tui.scheduler.resources import SLOTS
from qmon_tui.scheduler.timeline.steps import Steps

_VALUES: Final = "complex_values"
_CHANGED: Final = 'denied: changing "{}" in complex_values would break advance reservation'
_REMOVED: Final = 'denied: removing "{}" from pe_list would break advance reservation {}'
_CLOSED: Final = 'denied: changing "{}" to calendar would break advance reservation {}'
_SHUT_OUT: Final = 'denied: the change in "{}" would break advance reservation {}'
_LISTS: Final = "user_lists"
_ENTRIES: Final = "entries"
"""What is said to have changed where users are shut out, whichever of the lists it was."""
_SLOTS: Final = "denied: {} slots are already reserved in {} by an advance reservation"
_TOO_FEW: Final = "denied: lowering slots amount below {} would break advance reservations"


@dataclass(frozen=True, slots=True)
class Broken:
    """An edited object of which the qmaster refuses the edit, and how it says so."""

    kind: Kind
    name: str
    field: str | None
    """The one that is complained of, which another one may have brought about; None for all of the object."""
    text: str


def broken_promises(before: Cluster, after: Cluster, state: State) -> Iterator[Broken]:
    """What would be refused of the difference of two clusters; object by object, each for all that it breaks."""
    reservations = lasting(state)
    if reservations:
        yield from _Promises(compile_cluster(before), compile_cluster(after), state, reservations).broken()


@dataclass(frozen=True, slots=True)
class _Tenant:
    """One reservation in one place."""

    reservation: AdvanceReservation
    demand: Demand
    slots: int
    is_master: bool

    def amount(self, attribute: Attribute) -> float:
        """How much of a consumable it holds."""
        if attribute.per_job:
            return self.demand.amounts.get(attribute.name, attribute.default_amount) if self.is_master else 0.0
        each = 1.0 if attribute.name == SLOTS else self.demand.amounts.get(attribute.name, attribute.default_amount)
        return each * self.slots

    def is_content(self, wanted: Wanted, offer: Value) -> bool:
        """Tell whether a value does for what it asks for without consuming it."""
        attribute = wanted.attribute
        if not attribute.numeric:
            return holds_for_strings(attribute, wanted.text, offer.text)
        return holds(attribute.relop, wanted.amount * self.slots, offer.number)


@dataclass(frozen=True, slots=True)
class _Promises:
    before: Compiled
    after: Compiled
    state: State
    reservations: Sequence[AdvanceReservation]

    def broken(self) -> Iterator[Broken]:
        tenants = self._tenants()
        known = {instance.name: instance for instance in self.before.instances}
        for instance in self.after.instances:
            if instance.name in tenants and instance.name in known:
                yield from self._of_instance(known[instance.name], instance, tenants[instance.name])
        yield from self._of_hosts(tenants)
        yield from self._of_environments()

    def _tenants(self) -> Mapping[str, list[_Tenant]]:
        """Queue instance -> who is to be in it."""
        found: dict[str, list[_Tenant]] = {}
        for one in self.reservations:
            demand = compile_demand(Request(hard=one.requests), self.before.attributes)
            for place, (name, slots) in enumerate(one.granted.items()):
                found.setdefault(name, []).append(_Tenant(one, demand, slots, is_master=place == 0))
        return found

    def _edited(self, kind: Kind, name: str) -> bool:
        old, new = self.before.cluster.get(kind, name), self.after.cluster.get(kind, name)
        return old is not new and (old is None or new is None or old.values != new.values)

    def _of_instance(self, before: Instance, after: Instance, tenants: Sequence[_Tenant]) -> Iterator[Broken]:
        old, new, queue = before.profile, after.profile, after.queue
        if old.pe_list != new.pe_list:
            for one in (tenant.reservation for tenant in tenants):
                if one.environment is not None and one.environment not in new.pe_list:
                    yield Broken(Kind.QUEUE, queue, "pe_list", _REMOVED.format(one.environment, one.id))
        yield from self._of_calendar(new.calendar or "", None if old.calendar == new.calendar else queue, tenants)
        if old.slots != new.slots:
            reserved = _most(tenants, lambda tenant: tenant.slots)
            if new.slots < reserved:
                yield Broken(Kind.QUEUE, queue, "slots", _SLOTS.format(int(reserved), after.name))
        if old.configured != new.configured:
            texts = self._discontent(tenants, old.configured)
            yield from (Broken(Kind.QUEUE, queue, _VALUES, text) for text in texts)
        yield from self._of_access(after, tenants)

    def _of_calendar(self, name: str, queue: str | None, tenants: Sequence[_Tenant]) -> Iterator[Broken]:
        """A calendar that is edited, or that a queue has got now."""
        calendar = self.after.calendars.get(name)
        if calendar is None or (queue is None and not self._edited(Kind.CALENDAR, name)):
            return
        for one in (tenant.reservation for tenant in tenants):
            if not stays_open(calendar, one.start, one.end):
                text = _CLOSED.format(name, one.id)
                yield Broken(Kind.QUEUE, queue, "calendar", text) if queue else Broken(Kind.CALENDAR, name, None, text)

    def _discontent(self, tenants: Sequence[_Tenant], configured: Mapping[str, Value]) -> Iterator[str]:
        """What some values do not do for."""
        attributes = self.before.attributes.by_name
        for tenant in tenants:
            for wanted in tenant.demand.hard:
                offer = configured.get(wanted.attribute.name)
                if offer is not None and not wanted.attribute.is_consumable and not tenant.is_content(wanted, offer):
                    yield _CHANGED.format(wanted.attribute.name)
        for name, offer in configured.items():
            attribute = attributes[name]
            if attribute.is_consumable and _most(tenants, partial(_Tenant.amount, attribute=attribute)) > offer.number:
                yield _CHANGED.format(name)

    def _of_access(self, instance: Instance, tenants: Sequence[_Tenant]) -> Iterator[Broken]:
        access, queue = instance.profile.access, instance.queue
        edited = [(Kind.QUEUE, queue, _LISTS)] if self._edited(Kind.QUEUE, queue) else []
        sets = (*access.user_lists, *access.xuser_lists)
        edited += [(Kind.USERSET, name, _ENTRIES) for name in sets if self._edited(Kind.USERSET, name)]
        for one in self._shut_out(access, tenants) if edited else ():
            yield from (Broken(kind, name, field, _SHUT_OUT.format(field, one.id)) for kind, name, field in edited)

    def _shut_out(self, access: Access, tenants: Iterable[_Tenant]) -> Iterator[AdvanceReservation]:
        """The reservations that are not for everybody and of whose users some may not use something."""
        groups = {job.owner: job.group for job in self.state.jobs}
        for one in (tenant.reservation for tenant in tenants):
            if not all(lets_in(access, user, groups, self.after.usersets) for user in one.users):
                yield one

    def _of_hosts(self, tenants: Mapping[str, Sequence[_Tenant]]) -> Iterator[Broken]:
        on: dict[str, list[_Tenant]] = {}
        for name, some in tenants.items():
            on.setdefault(name.partition("@")[2], []).extend(some)
        for name, some in on.items():
            host = self.after.hosts.get(name)
            if host is None or not self._edited(Kind.HOST, name):
                continue
            texts = self._discontent(some, host.configured)
            yield from (Broken(Kind.HOST, name, _VALUES, text) for text in texts)
            for one in self._shut_out(host.access, some):
                yield Broken(Kind.HOST, name, _LISTS, _SHUT_OUT.format(_LISTS, one.id))

    def _of_environments(self) -> Iterator[Broken]:
        promised: dict[str, int] = {}
        for one in self.reservations:
            if one.environment is not None:
                promised[one.environment] = promised.get(one.environment, 0) + sum(one.granted.values())
        for name, slots in promised.items():
            found = self.after.environments.get(name)
            if found is not None and self._edited(Kind.PE, name) and found.slots < slots:
                yield Broken(Kind.PE, name, "slots", _TOO_FEW.format(slots))


def _most(tenants: Iterable[_Tenant], amount: Callable[[_Tenant], float]) -> float:
    """The most that is held at any time."""
    steps = Steps()
    for tenant in tenants:
        steps.add(tenant.reservation.start, tenant.reservation.end, amount(tenant))
    return max((held for _, held in steps), default=0.0)
