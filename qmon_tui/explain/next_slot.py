"""The obstacles of one more slot for a parallel job that could get only some of its slots.

They are searched in a run that ends at the job's turn and gives it these slots, so that quotas, consumables and loads
count them.
"""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property

from qmon_tui.explain.alone import starts_alone
from qmon_tui.explain.equivalent_places import EquivalentPlaces
from qmon_tui.explain.explanation import Holder, ReasonGroup, ReasonKind
from qmon_tui.explain.holders import holders_of
from qmon_tui.explain.level_fit import slots_per_host
from qmon_tui.explain.pe_slots import fewest_slots, free_slots, is_divided_evenly, lacks_only_slots, most_slots
from qmon_tui.explain.rejection import UnmetRequirement
from qmon_tui.explain.task_rejections import TaskRejections
from qmon_tui.explain.unmet_requirements import missing, unmet_requirements_of
from qmon_tui.gc_pause import gc_paused
from qmon_tui.model import PeRequest
from qmon_tui.qmaster import Run
from qmon_tui.scheduler import RunUntil
from qmon_tui.scheduler.configuration import ParallelEnvironment
from qmon_tui.scheduler.jobs import Category, RunJob
from qmon_tui.scheduler.matching import SLOTS, Grants

_OF_ITS_OWN = -1
"""A base category that no other job has."""


@dataclass(frozen=True)
class NextSlot:
    """The obstacles of one more slot than a job can get in the PE that gives most of its slots."""

    each: int
    """The number of slots that each host must give."""
    rejections: TaskRejections
    numbers: frozenset[int]
    """Numbers of the queue instances that would take a slot now; only on granted hosts if each must give several."""
    is_busy: bool
    """True if the job would get all slots without other jobs."""

    def for_job(self, run_job: RunJob) -> "NextSlot":
        """Return a copy for another job with the same request."""
        rejections = copy(self.rejections)
        rejections.run_job = replace(rejections.run_job, job=replace(rejections.run_job.job, id=run_job.id))
        return NextSlot(self.each, rejections, self.numbers, self.is_busy)

    @cached_property
    def unmet_requirements(self) -> Sequence[tuple[UnmetRequirement, ...]]:
        """The unmet requirements of some of these queue instances for one more slot."""
        return unmet_requirements_of(self.rejections, self.numbers)

    @property
    def _more(self) -> str:
        return "one slot" if self.each == 1 else f"{self.each} slots"

    def _words(self, unmet: UnmetRequirement) -> str:
        rule = unmet.rejection.quota
        if self.is_busy or rule is None:
            return missing(unmet).words
        # The present use does not matter if the job would not get more without it.
        limit = rule.limits[0]
        return f"{limit.attribute}: quota rule {rule.rule} ({rule.rule_scope_text}) allows {limit.limit_text}"

    def reasons(self) -> Iterator[ReasonGroup]:
        """Yield the reasons, except missing slots, which other reasons report."""
        places_by_reason: dict[tuple[ReasonKind, str], list[int]] = {}
        holders: dict[tuple[ReasonKind, str], tuple[Holder, ...]] = {}
        for rejection, numbers in self.rejections.places:
            places = [number for number in numbers if number in self.numbers]
            of_first_place = next(
                (
                    unmet_requirements
                    for unmet_requirements in self.unmet_requirements
                    if unmet_requirements[0].number in places
                ),
                (),
            )
            for unmet in of_first_place:
                if unmet.rejection.attribute != SLOTS or unmet.rejection.quota is not None:
                    why = rejection.why if self.is_busy or rejection.why is not ReasonKind.BUSY else ReasonKind.NEVER
                    words = f"{self._more} more: {self._words(unmet)}"
                    places_by_reason.setdefault((why, words), []).extend(places)
                    if self.is_busy and (why, words) not in holders:
                        # The slots given to the job itself for this question block nothing.
                        own = self.rejections.run_job.id
                        all_holders = holders_of(self.rejections.run, unmet.rejection, places)
                        holders[why, words] = tuple(holder for holder in all_holders if holder.job != own)
        names = self.rejections.run.resources.instances
        for (why, words), places in places_by_reason.items():
            instances = tuple(names[number].name for number in sorted(set(places)))
            yield ReasonGroup(why, "queue", words, instances, holders=holders.get((why, words), ()))


def _environment_to_fill(rejections: TaskRejections) -> tuple[ParallelEnvironment, int] | None:
    """Return the PE that lacks the fewest of the wanted slots, and the slots it gives; None if none gives any."""
    offers = ((environment, most_slots(rejections, environment)) for environment in rejections.environments)
    short = [
        (environment, slots)
        for environment, slots in offers
        if 0 < slots < fewest_slots(rejections, environment) <= free_slots(rejections, environment)
    ]
    return min(short, key=lambda pair: fewest_slots(rejections, pair[0]) - pair[1], default=None)


@gc_paused()
def _filled(rejections: TaskRejections, task: int) -> tuple[Run, ParallelEnvironment, Grants] | None:
    """Return a run that ends just before a task, the PE, and its too few slots granted there; None if it gets none."""
    chosen = _environment_to_fill(rejections)
    if chosen is None:
        return None
    environment, slots = chosen
    known, number = rejections.run, rejections.run_job.id
    run = known.again(known.compiled.cluster, known.state, RunUntil(number, task, before=True))
    run_job = next((job for job in run.pending if job.id == number), None)
    if run_job is None or not run_job.remaining:
        return None
    small = replace(
        _asking_for(run_job, environment, slots), category=Category(run_job.demand, _OF_ITS_OWN), tickets={}
    )
    grants = run.dispatch.start_next_task(small)
    return None if grants is None else (run, environment, grants)


def find_next_slot(rejections: TaskRejections, task: int) -> None:
    """Set `is_busy` and `next_slot` of a parallel job's rejections."""
    if not lacks_only_slots(rejections):
        return
    rejections.is_busy = _starts_alone(rejections)
    after = _filled(rejections, task)
    rejections.next_slot = None if after is None else _next_slot(rejections, *after)


def _next_slot(
    rejections: TaskRejections, run: Run, environment: ParallelEnvironment, grants: Grants
) -> NextSlot | None:
    """Return the obstacles of one more slot, or of as many as a host must give."""
    run_job = next((job for job in run.pending if job.id == rejections.run_job.id), None)
    if run_job is None:
        return None
    each = max(1, slots_per_host(environment))
    more = _asking_for(run_job, environment, each)
    host_of = run.resources.host_of
    hosts = set(host_of)
    if is_divided_evenly(environment):
        hosts = {host_of[number] for number, _ in grants}
    numbers = frozenset(
        number
        for number, rejection in enumerate(rejections.of)
        if rejection is None
        and host_of[number] in hosts
        and environment.name in run.resources.instances[number].profile.pe_list
    )
    return NextSlot(each, TaskRejections(run, more, EquivalentPlaces(run)), numbers, rejections.is_busy)


def _asking_for(run_job: RunJob, environment: ParallelEnvironment, slots: int) -> RunJob:
    request = replace(run_job.job.request, pe=PeRequest(environment.name, ((slots, slots, 1),)))
    return replace(run_job, job=replace(run_job.job, request=request))


@gc_paused()
def _starts_alone(rejections: TaskRejections) -> bool:
    """True if a task would start without other jobs, reservations and load values."""
    run, job = rejections.run, rejections.run_job.job
    if job.request.advance_reservation is not None:
        return True
    return starts_alone(run, job, is_open=False)
