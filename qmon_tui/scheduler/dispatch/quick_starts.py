"""The fast path of a step of the main loop: a task that asks for one slot is placed and booked in one go.

The rule is `Dispatch._try` and `Dispatch._start`. Where nothing but what is in use decides, and a start changes nothing
else, all that is left of them is to compare and to add amounts, which are the same for all tasks of a category on all
queue instances of a class. Wherever that is not certain the rule is asked, before anything is booked.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from qmon_tui.model import messages
from qmon_tui.scheduler.cache import CategoryChecks, Needs, SequentialFastPath
from qmon_tui.scheduler.dispatch.scheduling_info import SchedulingInfo
from qmon_tui.scheduler.jobs import Category, RunJob
from qmon_tui.scheduler.matching import SLOTS, Amounts, Resources, StartOrder
from qmon_tui.scheduler.parallel import ParallelSearch
from qmon_tui.scheduler.placement import SequentialSearch
from qmon_tui.scheduler.quotas import QuotaUsage, subject_of
from qmon_tui.scheduler.suspension import Availability


class _Step(NamedTuple):
    """What a task of a category needs, and takes, on all queue instances of a class."""

    on_host: Needs
    in_queue: Needs
    from_all: Amounts
    """Of the global host."""
    from_host: Amounts
    from_queue: Amounts


@dataclass(slots=True, eq=False)
class QuickStarts:
    """The steps of one run that are taken in one go."""

    resources: Resources
    availability: Availability
    search: SequentialSearch
    fast_path: SequentialFastPath
    parallel: ParallelSearch
    quota_usage: QuotaUsage | None
    scheduling_info: SchedulingInfo
    tasks_of: dict[str, int]
    starts: list[StartOrder]
    _known: dict[Category, tuple[CategoryChecks | None, dict[int, _Step]]] = field(default_factory=dict)
    """What is known of a category, None where it is always the rule that is asked; its steps by class."""

    def start(self, run_job: RunJob) -> bool:
        """Start the job's next task; False where that is not certain, and then nothing has changed."""
        # Of soft requests only -l is part of the category.
        if run_job.demand.is_soft:
            return False
        category = run_job.category
        checks, steps = self._known.get(category) or self._take_up(category)
        # What a parallel job has marked may be taken out with the next start.
        if checks is None or self.parallel.has_marked:
            return False
        slot_quota = None
        if self.quota_usage is not None:
            slot_quota = self.search.slot_quota(run_job)
            if slot_quota is not None and not slot_quota.subject_usage.stays_exceeded:
                return False
        number = self.fast_path.next_candidate(checks, slot_quota)
        if number is None:
            return False
        instance_class = self.fast_path.instance_class(number, checks)
        step = steps.get(instance_class)
        if step is None:
            new_step = self._new_step(checks, number, instance_class)
            if new_step is None:
                return False
            step = steps[instance_class] = new_step
        resources = self.resources
        host = resources.host_of[number]
        used_on_host, used_in_queue = resources.hosts[host].used, resources.queues[number].used
        for name, amount, total in step.on_host:
            if not amount <= total - used_on_host[name]:
                return False
        for name, amount, total in step.in_queue:
            if not amount <= total - used_in_queue[name]:
                return False
        if step.from_all:
            used = resources.global_level.used
            for name, amount in step.from_all:
                used[name] += amount
        for name, amount in step.from_host:
            used_on_host[name] += amount
        for name, amount in step.from_queue:
            used_in_queue[name] += amount
        resources.note_change(host)
        self.parallel.hosts.note_start(host)
        self._note(run_job, ((number, 1),))
        if used_in_queue[SLOTS] >= resources.totals[number]:
            self.availability.drop(number, messages.FULL)
            self.fast_path.order.remove(number)
            resources.note_change(host)
        self.fast_path.order.must_sort = False
        return True

    def _take_up(self, category: Category) -> tuple[CategoryChecks | None, dict[int, _Step]]:
        known = self._known[category] = self.fast_path.of_category(category), {}
        return known

    def _note(self, run_job: RunJob, grants: tuple[tuple[int, int]]) -> None:
        subject = None
        if self.quota_usage is not None and (subject := subject_of(run_job, None)) is not None:
            self.quota_usage.debit(subject, run_job.demand, grants)
        task = run_job.queue[run_job.next_task]
        run_job.next_task += 1
        if run_job.template is not None:
            run_job.tickets.setdefault(task, run_job.template)
        self.starts.append(StartOrder(run_job, task, grants, subject))
        self.scheduling_info.forget()
        owner = run_job.job.owner
        self.tasks_of[owner] = self.tasks_of.get(owner, 0) + 1

    def _new_step(self, checks: CategoryChecks, number: int, instance_class: int) -> _Step | None:
        needs = self.fast_path.needs(checks, instance_class)
        amounts = self.resources.amounts_of_slot(checks.category.demand, number)
        return None if needs is None or amounts is None else _Step(*needs, *amounts)
