"""Numbers of jobs and advance reservations: one more than the last, never reused (tried with 8.1.9).

The qmaster keeps the last ones in its files jobseqnum and arseqnum. A submission refused after it got a number uses it
up. After 9,999,999 numbers begin at 1 again, without those in use.
"""

from collections.abc import Iterable
from dataclasses import replace

from qmon_tui.model import HIGHEST_NUMBER, AdvanceReservation, Job, State


def next_job(state: State) -> int:
    """Return the number of the next job."""
    return _next(state.jobseqnum, {job.id for job in state.jobs})


def next_reservation(state: State) -> int:
    """Return the number of the next advance reservation."""
    return _next(state.arseqnum, {reservation.id for reservation in state.reservations})


def with_last(state: State, *, job: int | None = None, reservation: int | None = None) -> State:
    """Return the state after these numbers were used, recording what existing jobs and reservations do not show."""
    highest = _highest(state.jobs)
    job = _last(state.jobseqnum, highest) if job is None else job
    reservation = _last(state.arseqnum, _highest(state.reservations)) if reservation is None else reservation
    known = _recorded(job, highest), _recorded(reservation, _highest(state.reservations))
    if known == (state.jobseqnum, state.arseqnum):
        return state
    return replace(state, jobseqnum=known[0], arseqnum=known[1])


def remembered(before: State, after: State) -> State:
    """Return the state after removal of jobs or reservations, whose numbers stay used."""
    last_job = _last(before.jobseqnum, _highest(before.jobs))
    return with_last(after, job=last_job, reservation=_last(before.arseqnum, _highest(before.reservations)))


def _highest(numbered: Iterable[Job] | Iterable[AdvanceReservation]) -> int:
    return max([known.id for known in numbered], default=0)


def _last(known: int, highest: int) -> int:
    """Return the last number used: the recorded one unless an existing one is later, also after the wraparound."""
    return highest if 0 <= highest - known <= HIGHEST_NUMBER // 2 else known


def _recorded(number: int, highest: int) -> int:
    """Return a last number for recording: 0 if it is the highest existing one."""
    return 0 if number == highest else number


def _next(known: int, taken: set[int]) -> int:
    number = _last(known, max(taken, default=0)) % HIGHEST_NUMBER + 1
    while number in taken:
        number = number % HIGHEST_NUMBER + 1
    return number
