"""Conflicts with advance reservations: the qmaster refuses edits that would break one (found by trying).
 - A queue instance keeps the slots granted in it, its PE, a calendar that is open meanwhile, and access for all of -u.
   The PE must stay in pe_list under the name requested: after a pattern 8.1.9 refuses every other list.
 - If its slots or complex_values change, the values *before* the edit must satisfy its reservations.
 - The values of a host after the edit must satisfy its reservations; removed values count as satisfied.
 - A PE keeps slots for all its reservations together, even if they do not overlap.

Queue instances and hosts may be removed from a queue. 8.1.9 multiplies every numeric request by the slots, also of
attributes that are no consumables. The checkpointing environment, which qrstat does not show, is not checked.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from qmon_tui.model import AdvanceReservation, Cluster, Kind, Request, State
from qmon_tui.qmaster.ar_candidates import lets_in, stays_open
from qmon_tui.scheduler.configuration import Access, Attribute, CompiledCluster, QueueInstance, Value, compile_cluster
from qmon_tui.scheduler.jobs import Demand, ResourceRequest, compile_demand
from qmon_tui.scheduler.matching import SLOTS, holds, holds_for_strings
from qmon_tui.scheduler.reservation import StepFunction, lasting

_VALUES: Final = "complex_values"
_CHANGED: Final = 'denied: changing "{}" in complex_values would break advance reservation'
_REMOVED: Final = 'denied: removing "{}" from pe_list would break advance reservation {}'
_CLOSED: Final = 'denied: changing "{}" to calendar would break advance reservation {}'
_SHUT_OUT: Final = 'denied: the change in "{}" would break advance reservation {}'
_LISTS: Final = "user_lists"
_ENTRIES: Final = "entries"
"""The field named in the message if users are excluded, whichever list it was."""
_SLOTS: Final = "denied: {} slots are already reserved in {} by an advance reservation"
_TOO_FEW: Final = "denied: lowering slots amount below {} would break advance reservations"


@dataclass(frozen=True, slots=True)
class ArConflict:
    """An object whose edit the qmaster refuses, with its message."""

    kind: Kind
    name: str
    field: str | None
    """The field in the message, which another field may have caused; None for the whole object."""
    text: str


def ar_conflicts(before: Cluster, after: Cluster, state: State) -> Iterator[ArConflict]:
    """Yield the conflicts of the difference between two clusters, object by object."""
    reservations = lasting(state)
    if reservations:
        yield from _ConflictCheck(compile_cluster(before), compile_cluster(after), state, reservations).broken()


@dataclass(frozen=True, slots=True)
class _ArSlots:
    """A reservation's slots in one queue instance."""

    reservation: AdvanceReservation
    demand: Demand
    slots: int
    is_master: bool

    def amount(self, attribute: Attribute) -> float:
        if attribute.per_job:
            return self.demand.amounts.get(attribute.name, attribute.default_amount) if self.is_master else 0.0
        each = 1.0 if attribute.name == SLOTS else self.demand.amounts.get(attribute.name, attribute.default_amount)
        return each * self.slots

    def is_satisfied(self, wanted: ResourceRequest, offer: Value) -> bool:
        """True if a value satisfies a request for an attribute that is not consumable."""
        attribute = wanted.attribute
        if not attribute.numeric:
            return holds_for_strings(attribute, wanted.text, offer.text)
        return holds(attribute.relop, wanted.amount * self.slots, offer.number)


@dataclass(frozen=True, slots=True)
class _ConflictCheck:
    before: CompiledCluster
    after: CompiledCluster
    state: State
    reservations: Sequence[AdvanceReservation]

    def broken(self) -> Iterator[ArConflict]:
        all_ar_slots = self._ar_slots_by_instance()
        known = {instance.name: instance for instance in self.before.instances}
        for instance in self.after.instances:
            if instance.name in all_ar_slots and instance.name in known:
                yield from self._of_instance(known[instance.name], instance, all_ar_slots[instance.name])
        yield from self._of_hosts(all_ar_slots)
        yield from self._of_environments()

    def _ar_slots_by_instance(self) -> Mapping[str, list[_ArSlots]]:
        by_instance: dict[str, list[_ArSlots]] = {}
        for reservation in self.reservations:
            demand = compile_demand(Request(hard=reservation.requests), self.before.attributes)
            for place, (name, slots) in enumerate(reservation.granted.items()):
                by_instance.setdefault(name, []).append(_ArSlots(reservation, demand, slots, is_master=place == 0))
        return by_instance

    def _edited(self, kind: Kind, name: str) -> bool:
        old, new = self.before.cluster.get(kind, name), self.after.cluster.get(kind, name)
        return old is not new and (old is None or new is None or old.values != new.values)

    def _of_instance(
        self, before: QueueInstance, after: QueueInstance, all_ar_slots: Sequence[_ArSlots]
    ) -> Iterator[ArConflict]:
        old, new, queue = before.profile, after.profile, after.queue
        if old.pe_list != new.pe_list:
            for reservation in (ar_slots.reservation for ar_slots in all_ar_slots):
                if reservation.environment is not None and reservation.environment not in new.pe_list:
                    yield ArConflict(
                        Kind.QUEUE, queue, "pe_list", _REMOVED.format(reservation.environment, reservation.id)
                    )
        yield from self._of_calendar(new.calendar or "", None if old.calendar == new.calendar else queue, all_ar_slots)
        if old.slots != new.slots:
            reserved = _most(all_ar_slots, lambda ar_slots: ar_slots.slots)
            if new.slots < reserved:
                yield ArConflict(Kind.QUEUE, queue, "slots", _SLOTS.format(int(reserved), after.name))
        if old.configured != new.configured:
            texts = self._unsatisfied(all_ar_slots, old.configured)
            yield from (ArConflict(Kind.QUEUE, queue, _VALUES, text) for text in texts)
        yield from self._of_access(after, all_ar_slots)

    def _of_calendar(self, name: str, queue: str | None, all_ar_slots: Sequence[_ArSlots]) -> Iterator[ArConflict]:
        """Yield conflicts with an edited calendar, or with the new calendar of a queue."""
        calendar = self.after.calendars.get(name)
        if calendar is None or (queue is None and not self._edited(Kind.CALENDAR, name)):
            return
        for reservation in (ar_slots.reservation for ar_slots in all_ar_slots):
            if not stays_open(calendar, reservation.start, reservation.end):
                text = _CLOSED.format(name, reservation.id)
                yield (
                    ArConflict(Kind.QUEUE, queue, "calendar", text)
                    if queue
                    else ArConflict(Kind.CALENDAR, name, None, text)
                )

    def _unsatisfied(self, all_ar_slots: Sequence[_ArSlots], configured: Mapping[str, Value]) -> Iterator[str]:
        """Yield the messages for values that do not satisfy the reservations."""
        attributes = self.before.attributes.by_name
        for ar_slots in all_ar_slots:
            for wanted in ar_slots.demand.hard:
                offer = configured.get(wanted.attribute.name)
                if (
                    offer is not None
                    and not wanted.attribute.is_consumable
                    and not ar_slots.is_satisfied(wanted, offer)
                ):
                    yield _CHANGED.format(wanted.attribute.name)
        for name, offer in configured.items():
            attribute = attributes[name]
            if (
                attribute.is_consumable
                and _most(all_ar_slots, partial(_ArSlots.amount, attribute=attribute)) > offer.number
            ):
                yield _CHANGED.format(name)

    def _of_access(self, instance: QueueInstance, all_ar_slots: Sequence[_ArSlots]) -> Iterator[ArConflict]:
        access, queue = instance.profile.access, instance.queue
        edited = [(Kind.QUEUE, queue, _LISTS)] if self._edited(Kind.QUEUE, queue) else []
        sets = (*access.user_lists, *access.xuser_lists)
        edited += [(Kind.USERSET, name, _ENTRIES) for name in sets if self._edited(Kind.USERSET, name)]
        for reservation in self._shut_out(access, all_ar_slots) if edited else ():
            yield from (
                ArConflict(kind, name, field, _SHUT_OUT.format(field, reservation.id)) for kind, name, field in edited
            )

    def _shut_out(self, access: Access, all_ar_slots: Iterable[_ArSlots]) -> Iterator[AdvanceReservation]:
        """Yield the reservations with a user in -u that `access` denies."""
        groups = {job.owner: job.group for job in self.state.jobs}
        for reservation in (ar_slots.reservation for ar_slots in all_ar_slots):
            if not all(lets_in(access, user, groups, self.after.usersets) for user in reservation.users):
                yield reservation

    def _of_hosts(self, all_ar_slots: Mapping[str, Sequence[_ArSlots]]) -> Iterator[ArConflict]:
        on: dict[str, list[_ArSlots]] = {}
        for name, some in all_ar_slots.items():
            on.setdefault(name.partition("@")[2], []).extend(some)
        for name, some in on.items():
            host = self.after.hosts.get(name)
            if host is None or not self._edited(Kind.HOST, name):
                continue
            texts = self._unsatisfied(some, host.configured)
            yield from (ArConflict(Kind.HOST, name, _VALUES, text) for text in texts)
            for reservation in self._shut_out(host.access, some):
                yield ArConflict(Kind.HOST, name, _LISTS, _SHUT_OUT.format(_LISTS, reservation.id))

    def _of_environments(self) -> Iterator[ArConflict]:
        promised: dict[str, int] = {}
        for reservation in self.reservations:
            if reservation.environment is not None:
                promised[reservation.environment] = promised.get(reservation.environment, 0) + sum(
                    reservation.granted.values()
                )
        for name, slots in promised.items():
            environment = self.after.environments.get(name)
            if environment is not None and self._edited(Kind.PE, name) and environment.slots < slots:
                yield ArConflict(Kind.PE, name, "slots", _TOO_FEW.format(slots))


def _most(all_ar_slots: Iterable[_ArSlots], amount: Callable[[_ArSlots], float]) -> float:
    """Return the largest sum of reserved amounts at any time."""
    steps = StepFunction()
    for ar_slots in all_ar_slots:
        steps.add(ar_slots.reservation.start, ar_slots.reservation.end, amount(ar_slots))
    return max((held for _, held in steps), default=0.0)
