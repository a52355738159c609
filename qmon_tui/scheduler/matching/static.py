"""What rules out a cluster queue, a host or a queue instance whatever is in use (dispatch.md section 7.3, 3 to 5)."""

from collections.abc import Mapping
from dataclasses import dataclass

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
from qmon_tui.scheduler.matching.relops import holds, holds_for_strings
from qmon_tui.scheduler.requests import Demand, Wanted


@dataclass(frozen=True, slots=True)
class Applicant:
    """A job as the static checks see it."""

    request: Request
    demand: Demand
    requester: Requester


@dataclass(frozen=True, slots=True)
class Refusal:
    """A message, and the attribute that decided where one did."""

    message: str
    attribute: str | None = None


@dataclass(frozen=True, slots=True)
class StaticRules:
    """The checks that need the configuration only."""

    compiled: Compiled

    @property
    def _queues_requestable(self) -> bool:
        qname = self.compiled.attributes.by_name.get("qname")
        return qname is not None and qname.requestable != "NO"

    def cluster_queue(self, queue: ClusterQueue, applicant: Applicant) -> Refusal | None:
        """Why no instance of a cluster queue can take the job, as far as that is certain."""
        demand, requester = applicant.demand, applicant.requester
        if demand.queues and not any(pattern.matches_queue(queue.name) for pattern in demand.queues):
            return Refusal(messages.message(messages.NOT_IN_QUEUE_LIST, queue.name))
        for wanted in demand.hard:
            if _ruled_out(wanted, queue):
                unsatisfied = f"{wanted.attribute.name}={wanted.text}"
                text = messages.message(messages.IN_QUEUE, unsatisfied, queue.name, messages.OF_CLUSTER_QUEUE)
                return Refusal(text, wanted.attribute.name)
        if queue_rules_out_project(queue.alternatives, requester.project):
            return Refusal(messages.message(messages.NO_PROJECT, "cluster queue", queue.name))
        if queue_rules_out_user(queue.alternatives, requester, self.compiled.usersets):
            return Refusal(messages.message(messages.NO_PERMISSION, "cluster queue", queue.name))
        if applicant.request.immediate and not queue.alternatives.interactive:
            return Refusal(messages.message(messages.NOT_INTERACTIVE, queue.name))
        return None

    def host_in_queue_list(self, host: str, applicant: Applicant) -> Refusal | None:
        """Why the host part of every -q pattern rules a host out."""
        patterns = applicant.demand.queues
        if patterns and not any(pattern.matches_host(host, self.compiled.groups) for pattern in patterns):
            return Refusal(messages.message(messages.NOT_IN_QUEUE_LIST, host))
        return None

    def host(self, host: Host, loads: Mapping[str, Value], applicant: Applicant) -> Refusal | None:
        """Why a host, or the global host, does not take the job: access, projects, attributes to be requested."""
        text = denial(host.access, applicant.requester, self.compiled.usersets, "host", host.name)
        if text is not None:
            return Refusal(text)
        forced = self.compiled.attributes.forced
        missing = missing_forced(forced, applicant.demand.names, host.configured, loads) if forced else None
        if missing is not None:
            return Refusal(messages.message(messages.FORCED_ON_HOST, missing.name, host.name), missing.name)
        return None

    def instance(self, instance: Instance, applicant: Applicant) -> Refusal | None:
        """Why a queue instance does not take the job, in the order in which the scheduler looks."""
        profile, demand, request = instance.profile, applicant.demand, applicant.request
        text = denial(profile.access, applicant.requester, self.compiled.usersets, "queue", instance.name)
        if text is not None:
            return Refusal(text)
        if (demand.queues or demand.master_queues) and not self._queues_requestable:
            return Refusal(messages.message(messages.QUEUES_NOT_REQUESTABLE, instance.name))
        if demand.queues and not self.in_queue_list(instance, applicant):
            return Refusal(messages.message(messages.NOT_IN_QUEUE_LIST, instance.name))
        if request.immediate and not profile.interactive:
            return Refusal(messages.message(messages.NOT_INTERACTIVE, instance.name))
        sequential = request.pe is None and request.checkpoint is None and not request.immediate
        if sequential and not profile.batch:
            return Refusal(messages.message(messages.NOT_BATCH, instance.name))
        forced = self.compiled.attributes.forced
        missing = missing_forced(forced, demand.names, profile.configured, BUILT_IN) if forced else None
        if missing is not None:
            return Refusal(messages.message(messages.FORCED_IN_QUEUE, missing.name, instance.name), missing.name)
        return None

    def in_queue_list(self, instance: Instance, applicant: Applicant) -> bool:
        """Tell whether some -q pattern means this queue instance."""
        groups = self.compiled.groups
        return any(pattern.matches(instance.queue, instance.host, groups) for pattern in applicant.demand.queues)


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
