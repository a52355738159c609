"""Static checks: access lists, -q, FORCED and other reasons against a place that do not depend on its use."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from qmon_tui.model import Kind, Request, messages
from qmon_tui.scheduler.configuration import (
    BUILT_IN,
    Access,
    Attribute,
    ClusterQueue,
    CompiledCluster,
    Host,
    QueueAlternatives,
    QueueInstance,
    Userset,
    Value,
    listed,
    number_or_none,
)
from qmon_tui.scheduler.jobs import Demand, ResourceRequest
from qmon_tui.scheduler.matching.level import holds, holds_for_strings
from qmon_tui.values import QueuePattern


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason of a failed check: a message number and its inserts; the text is built only when read."""

    number: int
    inserts: tuple[str, ...]
    attribute: str | None = None
    """The attribute that does not fit; None if the check was about something else."""

    @property
    def message(self) -> str:
        """The text for qstat -j."""
        return messages.message(self.number, *self.inserts)


def refused(number: int, *inserts: str, attribute: str | None = None) -> Refusal:
    """Return a refusal; arguments as for `messages.message`."""
    return Refusal(number, inserts, attribute)


@dataclass(frozen=True, slots=True)
class Requester:
    """The user, primary group and project that access lists are checked against."""

    user: str
    group: str
    project: str | None


def denial(
    access: Access, requester: Requester, usersets: Mapping[str, Userset], what: str, name: str
) -> Refusal | None:
    """Return why a queue instance or host denies access; None if it permits it. `what`: "queue" or "host"."""
    if access.is_open:
        return None
    if not access.permits(requester.user, requester.group, usersets):
        return refused(messages.NO_PERMISSION, what, name)
    project = requester.project
    if access.projects:
        if project is None:
            return refused(messages.NO_PROJECT, what, name)
        if project not in access.projects:
            return refused(messages.WRONG_PROJECT, project, what, name)
    if project is not None and project in access.xprojects:
        return refused(messages.EXCLUDED_PROJECT, project, what, name)
    return None


def queue_rules_out_project(alternatives: QueueAlternatives, project: str | None) -> bool:
    """True if every instance of a cluster queue denies the project."""
    if project is None:
        return all(alternatives.projects)
    if all(project in names for names in alternatives.xprojects):
        return True
    return all(names and project not in names for names in alternatives.projects)


def queue_rules_out_user(
    alternatives: QueueAlternatives, requester: Requester, usersets: Mapping[str, Userset]
) -> bool:
    """True if every instance of a cluster queue denies the user."""
    user, group = requester.user, requester.group
    if all(listed(names, user, group, usersets) for names in alternatives.xuser_lists):
        return True
    return all(names and not listed(names, user, group, usersets) for names in alternatives.user_lists)


def missing_forced(forced: Iterable[Attribute], requested: frozenset[str], *holders: Iterable[str]) -> Attribute | None:
    """Return the first FORCED attribute that a holder has and the job does not request."""
    for attribute in forced:
        if attribute.name not in requested and any(attribute.name in holder for holder in holders):
            return attribute
    return None


@dataclass(frozen=True, slots=True)
class PlacementRequest:
    """A job, or one PE and slot count of it, as the static checks read it."""

    request: Request
    demand: Demand
    requester: Requester
    environment: str | None = None
    """The PE that is tried; None for a sequential job."""
    slots: int = 1
    unclean: tuple[str, ...] = ()
    """The hosts on which earlier runs of the task are not cleaned up."""


@dataclass(frozen=True, slots=True)
class StaticChecks:
    """The checks that depend only on the configuration and on load values."""

    compiled: CompiledCluster
    orphaned: frozenset[str] = field(default=frozenset(), kw_only=True)
    """Queue instances removed from the configuration while tasks ran in them: they take no new jobs."""
    announce: Callable[[str], None] = field(default=lambda text: None, kw_only=True)
    """Receives a message for all jobs each time an orphaned instance is checked."""

    @property
    def _queues_requestable(self) -> bool:
        qname = self.compiled.attributes.by_name.get("qname")
        return qname is not None and qname.requestable != "NO"

    def cluster_queue(self, queue: ClusterQueue, placement_request: PlacementRequest) -> Refusal | None:
        """Return why no instance of a cluster queue can take the job; None if some instance might."""
        demand, requester = placement_request.demand, placement_request.requester
        if _not_named(demand.queues, queue.name) and not _may_be_master(placement_request, queue.name):
            return refused(messages.NOT_IN_QUEUE_LIST, queue.name)
        for wanted in demand.hard:
            # Numeric requests for several slots are checked later: a value that suits one slot may not suit several.
            if (placement_request.slots == 1 or not wanted.attribute.numeric) and _ruled_out(wanted, queue):
                unsatisfied = f"{wanted.attribute.name}={wanted.text}"
                inserts = (unsatisfied, queue.name, messages.OF_CLUSTER_QUEUE)
                return refused(messages.IN_QUEUE, *inserts, attribute=wanted.attribute.name)
        if queue_rules_out_project(queue.alternatives, requester.project):
            return refused(messages.NO_PROJECT, "cluster queue", queue.name)
        if queue_rules_out_user(queue.alternatives, requester, self.compiled.usersets):
            return refused(messages.NO_PERMISSION, "cluster queue", queue.name)
        environment = placement_request.environment
        if environment is not None and not any(environment in names for names in queue.alternatives.pe_lists):
            return refused(messages.NOT_IN_PE_LIST, queue.name, environment)
        if placement_request.request.immediate and not queue.alternatives.interactive:
            return refused(messages.NOT_INTERACTIVE, queue.name)
        return None

    def checkpoint(self, placement_request: PlacementRequest) -> Refusal | None:
        """Return the refusal if the job's checkpointing environment was deleted after submission."""
        name = placement_request.request.checkpoint
        if name is None or name in self.compiled.cluster.objects(Kind.CKPT):
            return None
        return refused(messages.NO_CKPT)

    def host_in_queue_list(self, host: str, placement_request: PlacementRequest) -> Refusal | None:
        """Return the refusal if no -q pattern matches the host."""
        patterns = placement_request.demand.queues
        if patterns and not any(pattern.matches_host(host, self.compiled.groups) for pattern in patterns):
            return refused(messages.NOT_IN_QUEUE_LIST, host)
        return None

    def host(self, host: Host, loads: Mapping[str, Value], placement_request: PlacementRequest) -> Refusal | None:
        """Return why a host, or the global host, denies the job: access, projects, FORCED attributes; None if not."""
        denied = denial(host.access, placement_request.requester, self.compiled.usersets, "host", host.name)
        if denied is not None:
            return denied
        forced = self.compiled.attributes.forced
        missing = missing_forced(forced, placement_request.demand.names, host.configured, loads) if forced else None
        if missing is not None:
            return refused(messages.FORCED_ON_HOST, missing.name, host.name, attribute=missing.name)
        if host.name in placement_request.unclean:
            return refused(messages.NOT_CLEAN, host.name)
        return None

    def instance(self, instance: QueueInstance, placement_request: PlacementRequest) -> Refusal | None:
        """Return the scheduler's first reason why a queue instance denies the job; None if there is none."""
        if instance.name in self.orphaned:
            refusal = refused(messages.NOT_AVAILABLE, instance.name)
            self.announce(refusal.message)
            return refusal
        profile, demand, request = instance.profile, placement_request.demand, placement_request.request
        denied = denial(profile.access, placement_request.requester, self.compiled.usersets, "queue", instance.name)
        if denied is not None:
            return denied
        if (demand.queues or demand.master_queues) and not self._queues_requestable:
            return refused(messages.QUEUES_NOT_REQUESTABLE, instance.name)
        is_master = bool(demand.master_queues) and self.matches(instance, demand.master_queues)
        if demand.queues and not is_master and not self.matches(instance, demand.queues):
            return refused(messages.NOT_IN_QUEUE_LIST, instance.name)
        environment = placement_request.environment
        if environment is not None and not profile.pe_list:
            return refused(messages.NOT_PARALLEL_QUEUE, instance.name)
        if environment is not None and environment not in profile.pe_list:
            return refused(messages.NOT_IN_PE_LIST, instance.name, environment)
        if request.checkpoint is not None and not profile.ckpt_list:
            return refused(messages.NOT_CHECKPOINTING_QUEUE, instance.name)
        if request.checkpoint is not None and request.checkpoint not in profile.ckpt_list:
            return refused(messages.NOT_IN_CKPT_LIST, instance.name, request.checkpoint)
        if request.immediate and not profile.interactive:
            return refused(messages.NOT_INTERACTIVE, instance.name)
        is_plain_batch = request.pe is None and request.checkpoint is None and not request.immediate
        if is_plain_batch and not profile.batch:
            return refused(messages.NOT_BATCH, instance.name)
        is_serial_batch = environment is None and not request.immediate
        if request.checkpoint is not None and is_serial_batch and profile.pe_list and not profile.batch:
            return refused(messages.JOB_NOT_PARALLEL, instance.name)
        forced = self.compiled.attributes.forced
        missing = missing_forced(forced, demand.names, profile.configured, BUILT_IN) if forced else None
        if missing is not None:
            return refused(messages.FORCED_IN_QUEUE, missing.name, instance.name, attribute=missing.name)
        return None

    def matches(self, instance: QueueInstance, patterns: Sequence[QueuePattern]) -> bool:
        """True if some pattern of a -q or -masterq list matches the queue instance."""
        groups = self.compiled.groups
        return any(pattern.matches(instance.queue, instance.host, groups) for pattern in patterns)


def _not_named(patterns: Sequence[QueuePattern], queue: str) -> bool:
    return bool(patterns) and not any(pattern.matches_queue(queue) for pattern in patterns)


def _may_be_master(placement_request: PlacementRequest, queue: str) -> bool:
    patterns = placement_request.demand.master_queues
    return placement_request.environment is not None and bool(patterns) and not _not_named(patterns, queue)


def _ruled_out(wanted: ResourceRequest, queue: ClusterQueue) -> bool:
    """True if every value that instances of the queue can have fails the request."""
    attribute = wanted.attribute
    alternatives = queue.alternatives
    limits = alternatives.limits.get(attribute.name)
    if limits is not None:
        offers: tuple[Value | None, ...] = limits
    elif attribute.name in BUILT_IN:
        return False
    else:
        offers = tuple(values.get(attribute.name) for values in alternatives.configured)
    return all(offer is not None and not _fits(wanted, offer) for offer in offers)


def _fits(wanted: ResourceRequest, offer: Value) -> bool:
    attribute = wanted.attribute
    if not attribute.numeric:
        return holds_for_strings(attribute, wanted.text, offer.text)
    request, amount = number_or_none(wanted.text), number_or_none(offer.text)
    if request is None or amount is None:
        return False
    return holds(attribute.relop, request, amount)
