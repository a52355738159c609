"""What rules out a cluster queue, a host or a queue instance whatever is in use (dispatch.md section 7.3, 3 to 5)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import Request
from qmon_tui.scheduler import messages
from qmon_tui.scheduler.compiled.cluster import Compiled
from qmon_tui.scheduler.compiled.hosts import Host
from qmon_tui.scheduler.compiled.parsing import number_or_none
from qmon_tui.scheduler.compiled.queues import BUILT_IN, ClusterQueue, Instance
from qmon_tui.scheduler.compiled.values import Value
from qmon_tui.scheduler.matching.access import (
    Requester,
    denial,
    missing_forced,
    queue_rules_out_project,
    queue_rules_out_user,
)
from qmon_tui.scheduler.matching.refusal import Refusal, refused
from qmon_tui.scheduler.matching.relops import holds, holds_for_strings
from qmon_tui.scheduler.requests import Demand, Wanted
from qmon_tui.values.patterns import QueuePattern


@dataclass(frozen=True, slots=True)
class Applicant:
    """A job as the static checks see it."""

    request: Request
    demand: Demand
    requester: Requester
    environment: str | None = None
    """The parallel environment that is tried."""
    slots: int = 1
    unclean: tuple[str, ...] = ()
    """The hosts on which earlier runs of the task are not cleaned up."""


@dataclass(frozen=True, slots=True)
class StaticRules:
    """The checks that need the configuration only."""

    compiled: Compiled
    orphaned: frozenset[str] = field(default=frozenset(), kw_only=True)
    """Queue instances that nobody is to come into any more."""
    announce: Callable[[str], None] = field(default=lambda text: None, kw_only=True)
    """Takes what all jobs are told of those, each time that one of them is looked at."""

    @property
    def _queues_requestable(self) -> bool:
        qname = self.compiled.attributes.by_name.get("qname")
        return qname is not None and qname.requestable != "NO"

    def cluster_queue(self, queue: ClusterQueue, applicant: Applicant) -> Refusal | None:
        """Why no instance of a cluster queue can take the job, as far as that is certain."""
        demand, requester = applicant.demand, applicant.requester
        if _not_named(demand.queues, queue.name) and not _may_be_master(applicant, queue.name):
            return refused(messages.NOT_IN_QUEUE_LIST, queue.name)
        for wanted in demand.hard:
            # What is enough for one slot need not be so for several, so that their numbers are left for later.
            if (applicant.slots == 1 or not wanted.attribute.numeric) and _ruled_out(wanted, queue):
                unsatisfied = f"{wanted.attribute.name}={wanted.text}"
                inserts = (unsatisfied, queue.name, messages.OF_CLUSTER_QUEUE)
                return refused(messages.IN_QUEUE, *inserts, attribute=wanted.attribute.name)
        if queue_rules_out_project(queue.alternatives, requester.project):
            return refused(messages.NO_PROJECT, "cluster queue", queue.name)
        if queue_rules_out_user(queue.alternatives, requester, self.compiled.usersets):
            return refused(messages.NO_PERMISSION, "cluster queue", queue.name)
        environment = applicant.environment
        if environment is not None and not any(environment in names for names in queue.alternatives.pe_lists):
            return refused(messages.NOT_IN_PE_LIST, queue.name, environment)
        if applicant.request.immediate and not queue.alternatives.interactive:
            return refused(messages.NOT_INTERACTIVE, queue.name)
        return None

    def checkpoint(self, applicant: Applicant) -> Refusal | None:
        """Why a checkpointing job runs nowhere: its environment was deleted after it came."""
        name = applicant.request.checkpoint
        if name is None or name in self.compiled.cluster.objects(Kind.CKPT):
            return None
        return refused(messages.NO_CKPT)

    def host_in_queue_list(self, host: str, applicant: Applicant) -> Refusal | None:
        """Why the host part of every -q pattern rules a host out."""
        patterns = applicant.demand.queues
        if patterns and not any(pattern.matches_host(host, self.compiled.groups) for pattern in patterns):
            return refused(messages.NOT_IN_QUEUE_LIST, host)
        return None

    def host(self, host: Host, loads: Mapping[str, Value], applicant: Applicant) -> Refusal | None:
        """Why a host, or the global host, does not take the job: access, projects, attributes to be requested."""
        denied = denial(host.access, applicant.requester, self.compiled.usersets, "host", host.name)
        if denied is not None:
            return denied
        forced = self.compiled.attributes.forced
        missing = missing_forced(forced, applicant.demand.names, host.configured, loads) if forced else None
        if missing is not None:
            return refused(messages.FORCED_ON_HOST, missing.name, host.name, attribute=missing.name)
        if host.name in applicant.unclean:
            return refused(messages.NOT_CLEAN, host.name)
        return None

    def instance(self, instance: Instance, applicant: Applicant) -> Refusal | None:
        """Why a queue instance does not take the job, in the order in which the scheduler looks."""
        if instance.name in self.orphaned:
            refusal = refused(messages.NOT_AVAILABLE, instance.name)
            self.announce(refusal.message)
            return refusal
        profile, demand, request = instance.profile, applicant.demand, applicant.request
        denied = denial(profile.access, applicant.requester, self.compiled.usersets, "queue", instance.name)
        if denied is not None:
            return denied
        if (demand.queues or demand.master_queues) and not self._queues_requestable:
            return refused(messages.QUEUES_NOT_REQUESTABLE, instance.name)
        is_master = bool(demand.master_queues) and self.matches(instance, demand.master_queues)
        if demand.queues and not is_master and not self.matches(instance, demand.queues):
            return refused(messages.NOT_IN_QUEUE_LIST, instance.name)
        environment = applicant.environment
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
        sequential = request.pe is None and request.checkpoint is None and not request.immediate
        if sequential and not profile.batch:
            return refused(messages.NOT_BATCH, instance.name)
        is_serial = environment is None and not request.immediate
        if request.checkpoint is not None and is_serial and profile.pe_list and not profile.batch:
            return refused(messages.JOB_NOT_PARALLEL, instance.name)
        forced = self.compiled.attributes.forced
        missing = missing_forced(forced, demand.names, profile.configured, BUILT_IN) if forced else None
        if missing is not None:
            return refused(messages.FORCED_IN_QUEUE, missing.name, instance.name, attribute=missing.name)
        return None

    def matches(self, instance: Instance, patterns: Sequence[QueuePattern]) -> bool:
        """Tell whether some pattern of a -q or -masterq list means this queue instance."""
        groups = self.compiled.groups
        return any(pattern.matches(instance.queue, instance.host, groups) for pattern in patterns)


def _not_named(patterns: Sequence[QueuePattern], queue: str) -> bool:
    return bool(patterns) and not any(pattern.matches_queue(queue) for pattern in patterns)


def _may_be_master(applicant: Applicant, queue: str) -> bool:
    patterns = applicant.demand.master_queues
    return applicant.environment is not None and bool(patterns) and not _not_named(patterns, queue)


def _ruled_out(wanted: Wanted, queue: ClusterQueue) -> bool:
    """Tell whether every value that the queue's instances can have fails the request."""
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


def _fits(wanted: Wanted, offer: Value) -> bool:
    attribute = wanted.attribute
    if not attribute.numeric:
        return holds_for_strings(attribute, wanted.text, offer.text)
    request, amount = number_or_none(wanted.text), number_or_none(offer.text)
    if request is None or amount is None:
        return False
    return holds(attribute.relop, request, amount)
