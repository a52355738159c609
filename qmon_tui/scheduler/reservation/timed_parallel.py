"""The search for a parallel job that fits for its whole run time, now or at the earliest time.

The times at which a relevant booking starts or ends are tried from the last one backwards, as long as the lowest number
of slots fits; at the earliest such time the number is raised.

Source: parallel.md#one-attempt and reservation.md#earliest-time-of-a-parallel-job.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from qmon_tui.model import messages
from qmon_tui.scheduler.configuration import ParallelEnvironment, matching_environments
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching import FITS, NEVER, SLOTS, FastChecker, Level, Say
from qmon_tui.scheduler.parallel import (
    Assignment,
    HostList,
    ParallelSearch,
    PeAttempt,
    PeSearch,
    RangeSearch,
    SearchContext,
    Violations,
)
from qmon_tui.scheduler.quotas import QuotaUsage
from qmon_tui.scheduler.reservation.durations import TimeWindow
from qmon_tui.scheduler.reservation.job_messages import JobMessages
from qmon_tui.scheduler.reservation.resource_diagrams import ResourceDiagrams
from qmon_tui.scheduler.reservation.step_function import QUEUE_END
from qmon_tui.scheduler.reservation.timed_rooms import TimedRooms, WindowSlotCounter


@dataclass(frozen=True, slots=True)
class Reservation:
    """An assignment, and its start in seconds since the epoch."""

    assignment: Assignment
    start: int


class TimedParallelSearch(ParallelSearch):
    """The search for jobs that need their slots during an interval."""

    def __init__(
        self,
        context: SearchContext,
        environments: Mapping[str, ParallelEnvironment],
        violations: Violations,
        ranges: RangeSearch,
        hosts: HostList,
        diagrams: ResourceDiagrams,
        window: TimeWindow,
        job_messages: JobMessages,
        quota_usage: QuotaUsage | None = None,
    ) -> None:
        super().__init__(context, environments, violations, ranges, hosts, quota_usage)
        self.diagrams = diagrams
        self.window = window
        self.job_messages = job_messages
        self.last: str | None = None
        """The PE in which a reservation was searched last; None before the first search."""
        self.fast_checker: FastChecker | None = None
        """Cached checks that depend only on amounts in use; None: apply the rules."""
        self._rooms: dict[tuple[str, int], TimedRooms] | None = None
        """(PE, slots) -> cached slots of hosts; None if the search does not cache them."""

    def slots_of(self, environment: ParallelEnvironment) -> tuple[int, int]:
        """Return the free slots of a PE in the window, and once all running jobs have ended."""
        steps = self.diagrams.of_environment(environment.name)
        if not self.diagrams.schedules and not steps:
            return ParallelSearch.slots_of(self, environment)
        used = steps.peak(self.window.start, self.window.end)
        return int(environment.slots - used), int(environment.slots - steps.at_queue_end())

    def end_silence(self) -> None:
        """Collect messages again; see `JobMessages`."""
        self.job_messages.is_silent = False

    def timed_visits(self, pe_attempt: PeAttempt) -> TimedRooms | None:
        is_plain = pe_attempt.soft is None and pe_attempt.remaining_quota is None and pe_attempt.say is None
        if self._rooms is None or not is_plain:
            return None
        key = pe_attempt.environment.name, pe_attempt.slots
        rooms = self._rooms.get(key)
        if rooms is None:
            slot_counter = WindowSlotCounter(self.diagrams, self.window, self.fast_checker)
            rooms = self._rooms[key] = TimedRooms(self.diagrams, self.window, self.later_slots, slot_counter)
        return rooms.visits(pe_attempt)

    def reserve(self, run_job: RunJob, say: Say | None) -> Reservation | None:
        """Return the assignment with the earliest start; None if the job fits at no time. Sets `result`."""
        self._rooms = {} if self.context.resources.fast and self.diagrams.schedules else None
        reservation = self._reserve(run_job, say)
        self._rooms = None
        return reservation

    def _reserve(self, run_job: RunJob, say: Say | None) -> Reservation | None:
        request = run_job.job.request.pe
        assert request is not None
        self.uses_pe_cache = False
        self.asks_for_later = False
        self._masters = {}
        self.result = NEVER
        best: Reservation | None = None
        self.job_messages.is_silent = True
        for environment in matching_environments(request.name, self.environments):
            self.last = environment.name
            adjusts = best is None or best.assignment.adjusts
            attempt = PeSearch(self, run_job, environment, request, say, None, adjusts=adjusts)
            reservation = self._earliest(attempt, best.start if best is not None else None)
            self.end_silence()
            if reservation is None:
                self.result = min(self.result, attempt.result)
                if say is not None:
                    say(messages.message(messages.PE_SLOTS, environment.name, str(attempt.offered % 2**32)))
            elif best is None or _is_better(reservation, best):
                best = reservation
        if best is not None:
            best = self._most_slots(run_job, best, say)
            self.adjusts = best.assignment.adjusts
            self.result = FITS
        self.uses_pe_cache = True
        self.end_silence()
        return best

    def _earliest(self, attempt: PeSearch, known: int | None) -> Reservation | None:
        """Return the earliest reservation of the lowest number of slots in one PE; None if it fits at no time.

        `known`: the start found in an earlier PE; 8.1.9 tries only that time, unless it is `QUEUE_END` ("unset").
        """
        least = attempt.request.ranges[0][0]
        times = list(self._times(attempt, known))
        best = self._at(attempt, times[0], least, is_first=True)
        for time in times[1:] if best is not None else ():
            reservation = self._at(attempt, time, least)
            if reservation is None:
                break
            best = reservation
        return best

    def _at(self, attempt: PeSearch, time: int, least: int, *, is_first: bool = False) -> Reservation | None:
        self.window.reserve(time)
        self._forget(attempt)
        assignment = attempt.attempt(least, is_first)
        return None if assignment is None else Reservation(assignment, time)

    def _most_slots(self, run_job: RunJob, best: Reservation, say: Say | None) -> Reservation:
        """Return the reservation with the highest number of slots that fits at the time and in the PE of `best`."""
        request = run_job.job.request.pe
        environment = self.environments[best.assignment.environment]
        if request is None or best.assignment.slots == environment.slots:
            return best
        self.window.reserve(best.start)
        attempt = PeSearch(self, run_job, environment, request, say, None, adjusts=best.assignment.adjusts)
        self._forget(attempt)
        assignment = attempt.highest(best.assignment.slots)
        return best if assignment is None else replace(best, assignment=assignment)

    def _forget(self, attempt: PeSearch) -> None:
        """Clear the category's cache for the PE, which is valid for one time only; keep the slot numbers to try."""
        category, name = attempt.run_job.category, attempt.environment.name
        before = category.pe_caches.get(name)
        fresh = category.pe_caches[name] = category.new_pe_cache()
        if before is not None:
            fresh.counts = before.counts

    def _times(self, attempt: PeSearch, known: int | None) -> Iterator[int]:
        """Yield the times to try, the latest first."""
        times = sorted(set(self._changes(attempt)), reverse=True)
        if known is not None and known != QUEUE_END:
            yield known
            return
        yield from times or (self.window.now,)

    def _changes(self, attempt: PeSearch) -> Iterator[int]:
        """Yield all times at which a resource relevant to the job changes."""
        context = self.context
        resources, rules = context.resources, context.rules
        least = attempt.request.ranges[0][0]
        placement_request = self.placement_request(attempt.run_job, attempt.environment.name, least)
        yield from self.shared_change_times(attempt)
        for host, members in self._members_by_host():
            if not members and attempt.say is None:
                continue
            refusal = rules.host(
                context.compiled.hosts[resources.host_names[host]], resources.hosts[host].loads, placement_request
            )
            if refusal is not None:
                _tell(refusal.message, attempt.say)
                continue
            is_relevant = False
            for number in members:
                if attempt.environment.name not in resources.instances[number].profile.pe_list:
                    continue
                refusal = rules.instance(resources.instances[number], placement_request)
                if refusal is not None:
                    _tell(refusal.message, attempt.say)
                    continue
                is_relevant = True
                yield from self.change_times_of(resources.queues[number], attempt.run_job)
            if is_relevant:
                yield from self.change_times_of(resources.hosts[host], attempt.run_job)

    def shared_change_times(self, attempt: PeSearch) -> Iterator[int]:
        """Yield the change times of the PE and of the global host."""
        yield from self.diagrams.of_environment(attempt.environment.name).times
        yield from self.change_times_of(self.context.resources.global_level, attempt.run_job)

    def _members_by_host(self) -> Iterable[tuple[int, Sequence[int]]]:
        """Return (host, its queue instances in the list) in the order of the list of hosts; some have no instances."""
        members: dict[int, list[int]] = {host: [] for host in self.hosts}
        for number in self.context.order:
            members.setdefault(self.context.resources.host_of[number], []).append(number)
        places = {host: position for position, host in enumerate(self.hosts)}
        return sorted(members.items(), key=lambda item: places.get(item[0], len(places)))

    def change_times_of(self, level: Level, run_job: RunJob) -> Iterator[int]:
        """Yield the change times of the slots and requested consumables of a host or queue instance."""
        requested = (request.attribute.name for request in run_job.demand.hard if request.attribute.is_consumable)
        for name in (SLOTS, *requested):
            if name in level.configured:
                yield from self.diagrams.of(level, name).times


def _is_better(reservation: Reservation, best: Reservation) -> bool:
    start_and_violations = (reservation.start, reservation.assignment.violations)
    return start_and_violations < (best.start, best.assignment.violations)


def _tell(text: str, say: Say | None) -> None:
    if say is not None:
        say(text)
