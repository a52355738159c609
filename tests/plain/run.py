"""A scheduling run by the plain rules only: nothing is indexed, nothing remembered that the real system does not.

Whatever the engine does to be fast stands beside a rule, in a class of its own. Here the rules take the places of all
of these: every list is sorted anew and searched from its first member, every check made in full, every value worked out
again. What is left in common are the rules themselves, which the real system is asked about elsewhere.
"""

from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any
from unittest.mock import patch

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.outcome import Outcome
from qmon_tui.model.state import State
from qmon_tui.qmaster import run_jobs
from qmon_tui.qmaster.run import schedule
from qmon_tui.scheduler.configuration.quota_rules import Rule
from qmon_tui.scheduler.dispatch import run_setup
from qmon_tui.scheduler.dispatch.main_loop import Dispatch
from qmon_tui.scheduler.jobs.categories import Category, PeCache
from qmon_tui.scheduler.jobs.job_profiles import JobProfiles
from qmon_tui.scheduler.jobs.resource_requests import Demand
from qmon_tui.scheduler.jobs.run_job import RunJob
from qmon_tui.scheduler.matching import resources
from qmon_tui.scheduler.matching.checker import Checker
from qmon_tui.scheduler.matching.consumables import ConsumableDebits, Levels, debit_level, debited_amounts
from qmon_tui.scheduler.matching.level import Level
from qmon_tui.scheduler.matching.resources import Resources
from qmon_tui.scheduler.matching.slot_count import SlotCounter
from qmon_tui.scheduler.parallel import parallel_search
from qmon_tui.scheduler.placement.queue_order import HostRanks
from qmon_tui.scheduler.priority import functional_tickets, override_tickets
from qmon_tui.scheduler.priority.ticket_refs import TaskRef
from qmon_tui.scheduler.quotas.parallel_quota import QuotaRequest


def plain_schedule(cluster: Cluster, state: State) -> Outcome:
    """As `schedule`, read through to the end, as the rules are in force only while this lasts."""
    with ExitStack() as stack:
        for module, name, plain in _PLAIN:
            stack.enter_context(patch.object(module, name, plain))
        outcome = schedule(cluster, state)
        tuple(outcome.jobs)
        return outcome


class PlainOrder:
    """The list of queue instances, sorted whenever a load has changed (dispatch.md#order-of-queue-instances)."""

    def __init__(
        self,
        seq_nos: Sequence[int],
        loads: Sequence[float],
        by_seqno: bool,
        members: Sequence[int],
        rank: Callable[[], HostRanks],
    ) -> None:
        self._rank_hosts = rank
        self._ranking: HostRanks | None = None
        self._members = list(members)
        self._loads = {number: loads[number] for number in members}
        self._new: dict[int, float] = {}
        self._seq_nos = seq_nos
        self._by_seqno = by_seqno
        self._is_arranged = True
        self.must_sort = True

    def __len__(self) -> int:
        return len(self._members)

    def __iter__(self) -> Iterator[int]:
        return iter(tuple(self._members))

    def current_order(self) -> Sequence[int]:
        return tuple(self._members)

    def __contains__(self, number: int) -> bool:
        return number in self._members

    def load(self, number: int) -> float:
        return self._loads[number]

    def in_order(self, numbers: Iterable[int]) -> list[int]:
        wanted = set(numbers)
        return [number for number in self._members if number in wanted]

    def remove(self, number: int) -> None:
        if number in self._members:
            self._members.remove(number)
            self._new.pop(number, None)

    def set_load(self, numbers: Sequence[int], load: float) -> None:
        if self._ranking is not None and numbers:
            self._ranking.note(numbers[0], load)
        for number in numbers:
            self._new.pop(number, None)
            if number in self._members and load != self._loads[number]:
                self._new[number] = load

    @property
    def is_sorted(self) -> bool:
        if self._ranking is not None:
            return not (self.must_sort or self._ranking.is_other)
        return not self._new and not (self._is_arranged and self.must_sort)

    def sort(self) -> None:
        if not self.is_sorted:
            self._ranking = None
            self._loads.update(self._new)
            self._new.clear()
            self._members.sort(key=self._rank)
            self._is_arranged = False

    def note_ranks(self, *, has_visited_hosts: bool) -> None:
        ranking = self._ranking
        if has_visited_hosts:
            if ranking is not None:
                ranking.forget()
        elif self._new if ranking is None else ranking.has_news:
            self._ranking = self._rank_hosts()

    def arrange(self, rank: Callable[[int], tuple[int, int]]) -> None:
        self._members.sort(key=lambda number: (*rank(number), *self._rank(number)))
        self._is_arranged = True

    def restore_order(self, numbers: Sequence[int]) -> None:
        self._members = list(numbers)
        self._is_arranged = True

    def _rank(self, number: int) -> tuple[float, float]:
        rank = (self._loads[number], float(self._seq_nos[number]))
        return rank[::-1] if self._by_seqno else rank


class PlainCategory(Category):
    """Remembers of queue instances and hosts what the scheduler does, and only where several jobs are of the kind."""

    @property
    def unsuitable(self) -> set[int]:  # type: ignore[override]
        return set(self.skipped_instances) if self.jobs > 1 else set()

    @property
    def unsuitable_hosts(self) -> set[int]:  # type: ignore[override]
        return set(self.skipped_hosts) if self.jobs > 1 else set()

    unsuitable_queues = clear_queues = clear_hosts = property(lambda self: set())

    def __setattr__(self, name: str, value: object) -> None:
        if not isinstance(getattr(type(self), name, None), property):
            super().__setattr__(name, value)


class PlainPeCache(PeCache):
    """Remembers hosts and queue instances for parallel jobs as the scheduler does, nothing else."""

    full_hosts = hosts_over_quota = too_small_hosts = host_scans = property(lambda self: {})
    clear_hosts = clear_instances = clear_queues = property(lambda self: set())

    def __setattr__(self, name: str, value: object) -> None:
        if not isinstance(getattr(type(self), name, None), property):
            super().__setattr__(name, value)


class PlainResources(Resources):
    """Every load is worked out whenever it is asked for."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.with_load_thresholds = frozenset(range(len(self.instances)))

    def _can_change(self, host: int) -> bool:
        return True


class PlainConsumableDebits(ConsumableDebits):
    """Every level is booked on its own."""

    def debit(self, levels: Levels, demand: Demand, slots: int, *, master: bool) -> None:
        for level in levels:
            debit_level(level, demand, slots, master, self.attributes)

    def debits_any(self, level: Level, demand: Demand, *, master: bool) -> bool:
        return any(debited_amounts(level, demand, self.attributes, master=master))


class PlainQuotaRequest(QuotaRequest):
    """No rule is known to be simple."""

    def single_limit(self, rule: Rule) -> None:
        return None


def plain_put_back(self: Dispatch, run_job: RunJob) -> None:
    """The job is taken out of those that wait, and let in again where it belongs."""
    del self._waiting[self._position]
    insort(self._waiting, run_job, lo=self._position, key=RunJob.sort_key)


def plain_picks(
    groups: Sequence[list[TaskRef]],
    times: int,
    value: Callable[[TaskRef], float],
    tie: Callable[[TaskRef], tuple[int, ...]],
    pick: Callable[[TaskRef, TaskRef | None], None],
    *,
    falling: bool = True,
) -> None:
    """Each time ask all groups what their next task is worth, whether or not that only falls."""
    for _ in range(times):
        waiting = [group for group in groups if group]
        best = min(waiting, key=lambda group: (-value(group[-1]), tie(group[-1])))
        pick(best.pop(), best[-1] if best else None)


_PLAIN: tuple[tuple[Any, str, Any], ...] = (
    (run_setup, "QueueOrder", PlainOrder),
    (run_setup, "GistChecker", Checker),
    (run_setup, "GistCounter", lambda checker, _: SlotCounter(checker)),
    (run_setup, "Lanes", lambda *_: None),
    (run_setup, "Twins", lambda *_: None),
    (run_setup, "Resources", PlainResources),
    (resources, "Bookings", PlainConsumableDebits),
    (Dispatch, "_put_back", plain_put_back),
    (run_jobs, "Category", PlainCategory),
    (run_jobs, "job_profiles_of", JobProfiles),
    (parallel_search, "Memory", PlainPeCache),
    (parallel_search, "QuotaRequest", PlainQuotaRequest),
    (functional_tickets, "pick_in_turn", plain_picks),
    (override_tickets, "pick_in_turn", plain_picks),
)
