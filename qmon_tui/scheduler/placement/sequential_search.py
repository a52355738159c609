"""The search for one slot, for sequential jobs and array tasks (dispatch.md#search-for-one-slot).

`SequentialSearch.find` returns only the queue instance, mostly from a cache (`SequentialFastPath`).
`SequentialSearch.reasons` makes the same checks in the same order and collects their messages. Both apply the rules of
`SequentialSearch.examine`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from qmon_tui.model import messages
from qmon_tui.scheduler.configuration import GLOBAL, CompiledCluster
from qmon_tui.scheduler.jobs import Category, Demand, RunJob
from qmon_tui.scheduler.matching import (
    SLOTS,
    Checker,
    Failure,
    PlacementRequest,
    Refusal,
    Requester,
    Resources,
    StaticChecks,
)
from qmon_tui.scheduler.placement.queue_order import QueueList
from qmon_tui.scheduler.placement.sequential_fast_path import SequentialFastPath
from qmon_tui.scheduler.quotas import ExceededRule, QuotaUsage, SlotQuota, SlotQuotaAttempt, subject_of

QUEUE_SCOPE, HOST_SCOPE, INSTANCE_SCOPE, GLOBAL_SCOPE = "cluster queue", "host", "queue", "global"
QUOTA_SCOPE = "quota"


@dataclass(frozen=True, slots=True)
class Rejection:
    """The reason why a job does not fit a place, and that place: a `..._SCOPE` and its `name`."""

    scope: str
    refusal: Refusal | None = None
    failure: Failure | None = None
    printed: str = ""
    """The hard requests, for a failure's message."""
    name: str = ""
    """The cluster queue, host or queue instance."""
    remembered: bool = False
    """True if later jobs of the category skip the host or instance without a message."""
    quota: ExceededRule | None = None
    """The exceeded quota rule; None if another check failed."""

    @property
    def messages(self) -> tuple[str, ...]:
        """The messages for qstat -j, in order; empty if the same quota was reported before."""
        if self.quota is None:
            return (self.message,)
        if self.quota.is_repeated:
            return ()
        return (messages.message(messages.NOT_REQUESTED),) * self.quota.not_requested + (self.message,)

    @property
    def later(self) -> bool:
        """True if the shortage is temporary: the job fits once others release resources."""
        decided = self.quota or self.failure
        return decided is not None and decided.later

    @property
    def ends_search(self) -> bool:
        """True if no queue instance is left to check."""
        return self.quota is not None and self.quota.ruled_out.everything

    @property
    def message(self) -> str:
        """The last of the messages for qstat -j."""
        if self.refusal is not None:
            return self.refusal.message
        if self.quota is not None:
            return messages.message(messages.QUOTA, self.quota.rule_usage.key, self.quota.rule_usage.rule.label)
        assert self.failure is not None
        reason = self.failure.reason
        if self.scope == GLOBAL_SCOPE:
            return messages.message(messages.GLOBALLY, self.printed, reason)
        number = messages.AT_HOST if self.scope == HOST_SCOPE else messages.IN_QUEUE
        return messages.message(number, self.printed, self.name, reason)

    @property
    def attribute(self) -> str | None:
        """The attribute that does not fit; None if another check failed."""
        decided = self.refusal or self.failure
        return decided.attribute if decided is not None else None


@dataclass(slots=True)
class Attempt:
    """Results while one job is tried: cluster queues and host numbers that passed their checks, or did not."""

    placement_request: PlacementRequest
    clear_queues: set[str] = field(default_factory=set)
    clear_hosts: set[int] = field(default_factory=set)
    bad_queues: set[str] = field(default_factory=set)
    bad_hosts: set[int] = field(default_factory=set)
    accepted: set[str] = field(default_factory=set)
    """Requested attributes that the global level has."""
    fewest: int | None = None
    """The number of soft requests that the best queue instance so far violates; None before the first."""
    worse_hosts: set[int] = field(default_factory=set)
    """Hosts that themselves violate at least `fewest` soft requests: their queue instances are skipped."""
    slot_quota_attempt: SlotQuotaAttempt | None = None


class SequentialSearch:
    """The search for one slot in one run."""

    def __init__(
        self,
        compiled: CompiledCluster,
        resources: Resources,
        checker: Checker,
        order: QueueList,
        shortcuts: SequentialFastPath | None = None,
        quota_usage: QuotaUsage | None = None,
        rules: StaticChecks | None = None,
    ) -> None:
        self._compiled = compiled
        self.resources = resources
        self.checker = checker
        self.order = order
        self.shortcuts = shortcuts
        self._quota_usage = quota_usage
        self._slot_quotas: dict[tuple[int, str, str, str | None, str | None], SlotQuota | None] = {}
        """(id of the category, user, group, project, advance reservation) -> quotas; None if no rule matches."""
        self._rules = rules or StaticChecks(compiled)
        self._queues = {queue.name: queue for queue in compiled.queues}
        self._hosts = [compiled.hosts[name] for name in resources.host_names]

    def placement_request(self, run_job: RunJob) -> PlacementRequest:
        job = run_job.job
        requester = Requester(job.owner, job.group, run_job.project)
        return PlacementRequest(job.request, run_job.demand, requester, unclean=run_job.unclean)

    def slot_quota_attempt(self, run_job: RunJob) -> SlotQuotaAttempt | None:
        """Return the quotas of one attempt to place a job; None if no rule matches it."""
        slot_quota = self.slot_quota(run_job)
        return None if slot_quota is None else SlotQuotaAttempt(slot_quota)

    def slot_quota(self, run_job: RunJob) -> SlotQuota | None:
        """Return the quotas for a job; None if no rule matches it."""
        if self._quota_usage is None:
            return None
        job = run_job.job
        key = id(run_job.category), job.owner, job.group, run_job.project, job.request.advance_reservation
        if key not in self._slot_quotas:
            subject = subject_of(run_job, None)
            subject_usage = self._quota_usage.subject_usage(subject) if subject is not None else None
            limited = subject_usage if subject_usage is not None and subject_usage.is_limited else None
            self._slot_quotas[key] = None if limited is None else SlotQuota(limited, run_job.demand, self.checker)
        return self._slot_quotas[key]

    def find_by_shortcut(self, run_job: RunJob) -> int | None:
        """Return the queue instance for the job's next task from the cache; None if the cache cannot decide."""
        order, shortcuts = self.order, self.shortcuts
        if not order.is_sorted:
            order.sort()
        order.must_sort = False
        # Soft -q requests are not part of the category.
        if shortcuts is None or run_job.demand.is_soft:
            return None
        slot_quota = self.slot_quota(run_job) if self._quota_usage is not None else None
        if slot_quota is not None and not slot_quota.subject_usage.stays_exceeded:
            return None
        shortcut = shortcuts.of_category(run_job.category)
        return None if shortcut is None else shortcuts.find(shortcut, slot_quota)

    def before(self, run_job: RunJob) -> tuple[int, int]:
        """Return the argument `before` for `reasons`, to be taken before the search."""
        return run_job.category.skipped()

    def find(self, run_job: RunJob) -> int | None:
        """Return the queue instance for the job's next task; None if none fits."""
        if not self.order.is_sorted:
            self.order.sort()
        self.order.must_sort = False
        category = run_job.category
        slot_quota = self.slot_quota(run_job)
        shortcuts, shortcut = self.shortcuts, None
        if slot_quota is None or slot_quota.subject_usage.stays_exceeded:
            if shortcuts is not None and not run_job.demand.is_soft:
                shortcut = shortcuts.of_category(category)
            attempt = self._attempt_for(run_job, slot_quota)
            unsuitable = category.unsuitable
            attempt.bad_queues, attempt.bad_hosts = category.unsuitable_queues, category.unsuitable_hosts
        else:
            attempt = self._attempt_for(run_job, slot_quota)
            # A queue instance that such a quota rules out for this job may be open to the next job of the category.
            instances, hosts = category.skipped()
            unsuitable = set(category.skipped_instances[:instances])
            attempt.bad_hosts.update(category.skipped_hosts[:hosts])
        if self.examine_global(attempt) is not None:
            return None
        numbers = self.order if shortcuts is None or shortcut is None else shortcuts.order.rest(shortcut.cursor)
        candidates = self._candidates(attempt, category, numbers, unsuitable)
        if not run_job.demand.is_soft:
            number = next(candidates, None)
            if shortcuts is not None and shortcut is not None and number is not None:
                shortcuts.learn(shortcut, number)
            return number
        best: int | None = None
        for number in candidates:
            violations = self.violations(number, attempt.placement_request)
            if attempt.fewest is None or violations < attempt.fewest:
                best, attempt.fewest = number, violations
                if not violations:
                    break
        return best

    def _attempt_for(self, run_job: RunJob, slot_quota: SlotQuota | None) -> Attempt:
        """Return an attempt with the results of earlier jobs of the category."""
        category = run_job.category
        slot_quota_attempt = None if slot_quota is None else SlotQuotaAttempt(slot_quota)
        return Attempt(
            self.placement_request(run_job),
            category.clear_queues,
            category.clear_hosts,
            slot_quota_attempt=slot_quota_attempt,
        )

    def _candidates(
        self, attempt: Attempt, category: Category, numbers: Iterable[int], unsuitable: set[int]
    ) -> Iterator[int]:
        """Yield the queue instances that fit, in order; add the others to `unsuitable` and to the category."""
        for number in numbers:
            if number in unsuitable:
                continue
            if self.resources.host_of[number] in attempt.worse_hosts:
                continue
            if self.is_skipped(number, attempt):
                unsuitable.add(number)
                continue
            rejection = self.examine(number, attempt)
            if rejection is None:
                if self.resources.host_of[number] not in attempt.worse_hosts:
                    yield number
                continue
            if rejection.ends_search:
                return
            unsuitable.add(number)
            if rejection.remembered:
                if rejection.scope == HOST_SCOPE:
                    category.skipped_hosts.append(self.resources.host_of[number])
                else:
                    category.skipped_instances.append(number)

    def reasons(self, run_job: RunJob, before: tuple[int, int]) -> list[str]:
        """Return all messages for a job that fits nowhere.

        `before`: number of instances and hosts that its category already skipped when the search began.
        """
        attempt = Attempt(self.placement_request(run_job), slot_quota_attempt=self.slot_quota_attempt(run_job))
        rejection = self.examine_global(attempt)
        if rejection is not None:
            return [rejection.message]
        reasons: list[str] = []
        category = run_job.category
        instances = set(category.skipped_instances[: before[0]])
        attempt.bad_hosts.update(category.skipped_hosts[: before[1]])
        for number in self.order:
            if number in instances or self.is_skipped(number, attempt):
                continue
            rejection = self.examine(number, attempt)
            if rejection is not None:
                reasons += rejection.messages
                if rejection.ends_search:
                    break
        return reasons

    def is_skipped(self, number: int, attempt: Attempt) -> bool:
        """True if a queue instance's cluster queue or host is known to be unsuitable."""
        resources = self.resources
        return resources.instances[number].queue in attempt.bad_queues or resources.host_of[number] in attempt.bad_hosts

    def examine_global(self, attempt: Attempt) -> Rejection | None:
        """Return why the job fits nowhere; None if it passes the checks of the global host. Sets `attempt.accepted`."""
        level = self.resources.global_level
        placement_request = attempt.placement_request
        refusal = self._rules.checkpoint(placement_request) or self._rules.host(
            self._compiled.hosts[GLOBAL], level.loads, placement_request
        )
        if refusal is not None:
            return Rejection(GLOBAL_SCOPE, refusal)
        attempt.accepted = set()
        failure = self.checker.check(level, placement_request.demand, attempt.accepted)
        if failure is not None:
            return Rejection(GLOBAL_SCOPE, None, failure, placement_request.demand.printed, GLOBAL)
        return None

    def examine(self, number: int, attempt: Attempt) -> Rejection | None:
        """Return why the job does not fit a queue instance; None if it fits or the host is added to `worse_hosts`."""
        resources = self.resources
        instance = resources.instances[number]
        host = resources.host_of[number]
        placement_request = attempt.placement_request
        demand = placement_request.demand
        exceeded = attempt.slot_quota_attempt.exceeded(number) if attempt.slot_quota_attempt is not None else None
        if exceeded is not None:
            attempt.bad_queues |= exceeded.ruled_out.queues
            attempt.bad_hosts |= exceeded.ruled_out.hosts
            return Rejection(QUOTA_SCOPE, name=instance.name, quota=exceeded)
        if instance.queue not in attempt.clear_queues:
            refusal = self._rules.cluster_queue(self._queues[instance.queue], placement_request)
            if refusal is not None:
                attempt.bad_queues.add(instance.queue)
                return Rejection(QUEUE_SCOPE, refusal, name=instance.queue)
            attempt.clear_queues.add(instance.queue)
        level = resources.hosts[host]
        if host not in attempt.clear_hosts:
            refusal = self._rules.host_in_queue_list(instance.host, placement_request)
            if refusal is not None:
                attempt.bad_hosts.add(host)
                return Rejection(HOST_SCOPE, refusal, name=instance.host, remembered=True)
            refusal = self._rules.host(self._hosts[host], level.loads, placement_request)
            if refusal is not None:
                attempt.bad_hosts.add(host)
                return Rejection(HOST_SCOPE, refusal, name=instance.host)
            attempt.clear_hosts.add(host)
        refusal = self._rules.instance(instance, placement_request)
        if refusal is not None:
            return Rejection(INSTANCE_SCOPE, refusal, name=instance.name, remembered=True)
        accepted = set(attempt.accepted)
        failure = self.checker.check(level, demand, accepted)
        if failure is not None:
            attempt.bad_hosts.add(host)
            return Rejection(HOST_SCOPE, None, failure, demand.printed, instance.host, True)
        if attempt.fewest is not None and self._violations_of_host(host, demand, set()) >= attempt.fewest:
            attempt.worse_hosts.add(host)
            return None
        failure = self.checker.check(resources.queues[number], demand, accepted)
        if failure is not None:
            return Rejection(INSTANCE_SCOPE, None, failure, demand.printed, instance.name, True)
        return None

    def violations(self, number: int, placement_request: PlacementRequest) -> int:
        """Count the soft requests that a queue instance violates (matching.md#soft-requests)."""
        resources = self.resources
        demand = placement_request.demand
        instance = resources.instances[number]
        accepted: set[str] = set()
        count = self._violations_of_host(resources.host_of[number], demand, accepted)
        count += self.checker.soft_violations(resources.queues[number], demand.soft, accepted)
        groups = self._compiled.groups
        count += sum(not pattern.matches(instance.queue, instance.host, groups) for pattern in demand.soft_queues)
        resources.left_violations[number] = count
        return count

    def _violations_of_host(self, host: int, demand: Demand, accepted: set[str]) -> int:
        resources = self.resources
        return sum(
            self.checker.soft_violations(level, demand.soft, accepted)
            for level in (resources.global_level, resources.hosts[host])
        )


def free_slots(resources: Resources, numbers: list[int]) -> int:
    """Return the free slots of queue instances; overbooked ones count as 0."""
    return sum(
        max(0, resources.instances[number].profile.slots - int(resources.queues[number].used[SLOTS]))
        for number in numbers
    )
