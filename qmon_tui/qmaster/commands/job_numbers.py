"""The numbers of jobs and of advance reservations: one more than the last one, never one again (tried with 8.1.9).

The qmaster keeps the last ones in its files jobseqnum and arseqnum. What it refuses after it has drawn a number has
used it up. After 9,999,999 it begins at 1 once more, and passes over the numbers that are there.
"""

from collections.abc import Iterable
from dataclasses import replace

from qmon_tui.model import HIGHEST_NUMBER, AdvanceReservation, Job, State


def next_job(state: State) -> int:
    """The number of the next job."""
    return _next(state.jobseqnum, {job.id for job in state.jobs})


def next_reservation(state: State) -> int:
    """The number of the next advance reservation."""
    return _next(state.arseqnum, {reservation.id for reservation in state.reservations})


def with_last(state: State, *, job: int | None = None, reservation: int | None = None) -> State:
    """The state after numbers were drawn, which it remembers where what is there does not tell."""
    highest = _highest(state.jobs)
    job = _last(state.jobseqnum, highest) if job is None else job
    reservation = _last(state.arseqnum, _highest(state.reservations)) if reservation is None else reservation
    known = _beyond(job, highest), _beyond(reservation, _highest(state.reservations))
    if known == (state.jobseqnum, state.arseqnum):
        return state
    return replace(state, jobseqnum=known[0], arseqnum=known[1])


def remembered(before: State, after: State) -> State:
    """The state after some jobs or reservations have gone, whose numbers are used up all the same."""
    last_job = _last(before.jobseqnum, _highest(before.jobs))
    return with_last(after, job=last_job, reservation=_last(before.arseqnum, _highest(before.reservations)))


def _highest(numbered: Iterable[Job] | Iterable[AdvanceReservation]) -> int:
    return max([known.id for known in numbered], default=0)


def _last(known: int, highest: int) -> int:
    """The number drawn last: what is remembered counts unless a file has a later one, beyond the end or not."""
    return highest if 0 <= highest - known <= HIGHEST_NUMBER // 2 else known


def _beyond(number: int, highest: int) -> int:
    """A last number as it is remembered: 0 where it is the highest that is there."""
    return 0 if number == highest else number


def _next(known: int, taken: set[int]) -> int:
    number = _last(known, max(taken, default=0)) % HIGHEST_NUMBER + 1
    while number in taken:
        number = number % HIGHEST_NUMBER + 1
    return number
