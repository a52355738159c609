"""qrsub and qrdel: advance reservations granted and deleted, and their states, which follow their queue instances."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from qmon_tui.formats import ParsedQrsub, parse_qrsub
from qmon_tui.model import AdvanceReservation, Cluster, Job, Kind, State
from qmon_tui.qmaster.ar_grant import ArGrant, ArRequest, grant
from qmon_tui.qmaster.commands.command import OPERATOR, Reply, Target
from qmon_tui.qmaster.commands.job_numbers import next_reservation, remembered, with_last
from qmon_tui.qmaster.commands.qdel import delete
from qmon_tui.qmaster.commands.subordinate_suspension import suspended_by_others
from qmon_tui.qmaster.option_check import OptionCheck
from qmon_tui.qmaster.option_texts import account_objection, name_objection
from qmon_tui.qmaster.scheduler_events import with_changed_instances
from qmon_tui.qmaster.verification import FOUND, NO_SUITABLE
from qmon_tui.scheduler.configuration import compile_cluster, compile_userset, global_configuration, unsigned
from qmon_tui.scheduler.reservation import EXCLUDED, lasting
from qmon_tui.values import BLANK_OR_COMMA, is_none, split_names

_STOPPED: Final = frozenset("dsESCDuco")
_WRONG: Final = {"r": "E", "w": "W"}
_RIGHT: Final = {wrong: right for right, wrong in _WRONG.items()}


def in_error(reservation: AdvanceReservation, states: Mapping[str, str]) -> AdvanceReservation:
    """Return the reservation with the state that follows from its queue instances' states.

    It is in error while one of them is disabled, suspended, in error or unknown (tried with 8.1.9).
    """
    stopped = any(_STOPPED & set(states.get(name, "")) for name in reservation.granted)
    state = (_WRONG if stopped else _RIGHT).get(reservation.state, reservation.state)
    return reservation if state == reservation.state else replace(reservation, state=state)


def with_ar_states(state: State, names: Iterable[str]) -> State:
    """Return the state with the reservations updated after changes of these queue instances."""
    changed = set(names)
    reservations = tuple(
        reservation if changed.isdisjoint(reservation.granted) else in_error(reservation, state.queue_states)
        for reservation in state.reservations
    )
    return state if reservations == state.reservations else replace(state, reservations=reservations)


NO_PLACE: Final = f"advance_reservation: {NO_SUITABLE}"
_ALLOWED: Final = "arusers"


def reserve(cluster: Cluster, state: State, owner: str, options: str, *, group: str = "staff") -> Reply:
    """Grant an advance reservation, or reply with qrsub's refusal; with -w v nothing is granted."""
    parsed = parse_qrsub(options, now=state.now)
    wrong = tuple(_objections(cluster, state, owner, group, parsed))
    if wrong:
        return Reply(state, wrong)
    number = next_reservation(state)
    state = with_last(state, reservation=number)
    most = unsigned(global_configuration(cluster).text("max_advance_reservations"))
    if 0 < most <= len(lasting(state)):
        return Reply(state, (f"rejected: only {most} advance reservations are allowed per cluster",))
    users = tuple(name for name in parsed.users if not name.startswith(EXCLUDED))
    granted = grant(cluster, state, ArRequest(_as_job(owner, group, parsed), parsed.start, parsed.duration, users))
    if parsed.only_verifies:
        reasons = (f"Your job {text}" for text in granted.messages)
        return Reply(state, (*granted.notes, *reasons, _verdict(granted)))
    if not granted.slots:
        return Reply(state, (*granted.notes, NO_PLACE))
    reservation = AdvanceReservation(
        number, owner, parsed.start, parsed.end, MappingProxyType(granted.slots),
        state="r" if parsed.start <= state.now else "w", requests=parsed.request.hard, users=parsed.users,
        environment=granted.environment, submitted=state.now, strict=parsed.strict, name=parsed.name,
        account=parsed.request.account or "",
    )  # fmt: skip
    printed = f"Your advance reservation {number} has been granted"
    reservation = in_error(reservation, state.queue_states)
    after = with_last(replace(state, reservations=(*state.reservations, reservation)), reservation=number)
    return Reply(after, (*granted.notes, printed))


def _verdict(granted: ArGrant) -> str:
    if not granted.slots:
        return f"verification: {NO_SUITABLE}"
    slots = sum(granted.slots.values())
    return FOUND if granted.environment is None else f"verification: found possible assignment with {slots} slots"


def give_back(cluster: Cluster, state: State, number: int, *, force: bool = False) -> Reply:
    """Delete a reservation with its jobs like qrdel; while jobs are left it stays in state d, unless forced."""
    reservation = next((reservation for reservation in state.reservations if reservation.id == number), None)
    if reservation is None:
        return Reply(state, (f'denied: advance_reservation "{number}" does not exist',))
    reply = Reply(state)
    for job in state.jobs:
        if job.request.advance_reservation == str(number):
            reply = reply.then(delete(cluster, reply.state, Target(job.id), force=force))
    stays = not force and any(job.request.advance_reservation == str(number) for job in reply.state.jobs)
    others = tuple(reservation for reservation in reply.state.reservations if reservation.id != number)
    if not stays:
        printed = f"{OPERATOR} has deleted advance_reservation {number}"
        given_back = remembered(reply.state, replace(reply.state, reservations=others))
        given_back = with_changed_instances(given_back, reservation.granted, suspended_by_others(cluster, given_back))
        return reply.then(Reply(given_back, (printed,)))
    marked = tuple(
        replace(reservation, state="d") if reservation.id == number else reservation
        for reservation in reply.state.reservations
    )
    printed = f"{OPERATOR} has registered the advance_reservation {number} for deletion"
    return reply.then(Reply(replace(reply.state, reservations=marked), (printed,)))


def _as_job(owner: str, group: str, parsed: ParsedQrsub) -> Job:
    return Job(0, owner, parsed.start, parsed.request, parsed.name, group)


def _objections(cluster: Cluster, state: State, owner: str, group: str, parsed: ParsedQrsub) -> Iterator[str]:
    yield from parsed.problems
    if parsed.problems:
        return
    if owner not in _may_reserve(cluster):
        yield f'denied: "{owner}" must be manager or in userset "{_ALLOWED}"'
        return
    labels = ((name_objection, parsed.name), (account_objection, parsed.request.account or ""))
    text = next((printed for object_to, label in labels if not is_none(label) and (printed := object_to(label))), None)
    text = text or OptionCheck(compile_cluster(cluster)).first_to_reservation(parsed.request)
    if text is not None:
        yield text
        return
    sets = cluster.objects(Kind.USERSET)
    unknown_set = next((name for name in parsed.users if name[:1] == "@" and name[1:] not in sets), None)
    if unknown_set is not None:
        yield f'Userset "{unknown_set[1:]}" does not exist'


def _may_reserve(cluster: Cluster) -> tuple[str, ...]:
    managers, users = cluster.single(Kind.MANAGERS), cluster.get(Kind.USERSET, _ALLOWED)
    names = split_names(managers.text("entries"), BLANK_OR_COMMA)
    return (*names, *(compile_userset(users).users if users else ()), OPERATOR)
