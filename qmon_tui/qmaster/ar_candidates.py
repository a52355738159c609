"""The queue instances among which qrsub searches, in configured order.

Others are left out silently: orphans, those not named by -q, and those without the requested PE or checkpointing
environment. There are messages about cluster queues that deny the requester, queue instances that a calendar closes
during the requested time, and those that deny some user of -u.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from qmon_tui.model import Request
from qmon_tui.scheduler.configuration import Access, CompiledCluster, QueueInstance, Userset, matching_environments
from qmon_tui.scheduler.jobs import compile_demand
from qmon_tui.scheduler.matching import PlacementRequest, StaticChecks
from qmon_tui.values import Calendar, CalendarState


@dataclass(slots=True)
class ArCandidates:
    """The input of one qrsub, from `start` until `end` in seconds since the epoch."""

    compiled: CompiledCluster
    placement_request: PlacementRequest
    start: int
    end: int
    users: Sequence[str] = ()
    """The users of -u."""
    groups: Mapping[str, str] = field(default_factory=dict)
    """User -> group, as far as known."""
    notes: list[str] = field(default_factory=list)
    """Messages printed in any case."""
    messages: list[str] = field(default_factory=list)
    """Messages about cluster queues, for a verification."""

    def numbers(self) -> list[int]:
        """Return the numbers of the queue instances; completes `notes` and `messages`."""
        rules = StaticChecks(self.compiled)
        # The requests are checked later.
        anything = PlacementRequest(
            Request(), compile_demand(Request(), self.compiled.attributes), self.placement_request.requester
        )
        queues = {queue.name: queue for queue in self.compiled.queues}
        shut: dict[str, bool] = {}
        candidates: list[int] = []
        for number, instance in enumerate(self.compiled.instances):
            if instance.queue not in shut:
                refusal = rules.cluster_queue(queues[instance.queue], anything)
                shut[instance.queue] = refusal is not None
                self.messages += [refusal.message] if refusal is not None else []
            if not shut[instance.queue] and self._is_wanted(instance, rules) and self._is_open(instance):
                candidates.append(number)
        return candidates

    def _is_wanted(self, instance: QueueInstance, rules: StaticChecks) -> bool:
        request, demand, profile = self.placement_request.request, self.placement_request.demand, instance.profile
        if instance.name in self.compiled.orphans or (demand.queues and not rules.matches(instance, demand.queues)):
            return False
        if request.pe is not None:
            environments = matching_environments(request.pe.name, self.compiled.environments)
            if not any(environment.name in profile.pe_list for environment in environments):
                return False
        return request.checkpoint is None or request.checkpoint in profile.ckpt_list

    def _is_open(self, instance: QueueInstance) -> bool:
        calendar = self.compiled.calendars.get(instance.profile.calendar or "")
        if calendar is not None and not stays_open(calendar, self.start, self.end):
            self.notes.append(f'queue "{instance.name}" is calendar disabled in selected time frame')
            return False
        access = instance.profile.access
        usersets = self.compiled.usersets
        shut_out = next((user for user in self.users if not lets_in(access, user, self.groups, usersets)), None)
        if shut_out is None:
            return True
        # There is no message if a userset is excluded by name.
        if shut_out.removeprefix("@") not in access.xuser_lists:
            self.notes.append(f'queue "{instance.name}" has no permissions for selected users')
        return False


def lets_in(access: Access, user: str, groups: Mapping[str, str], usersets: Mapping[str, Userset]) -> bool:
    """True if `access` admits a user of -u; a userset (@name) must be listed there itself.

    `groups`: user -> group, as far as known.
    """
    if not user.startswith("@"):
        return access.permits(user, groups.get(user, ""), usersets)
    name = user.removeprefix("@")
    return name not in access.xuser_lists and (not access.user_lists or name in access.user_lists)


def stays_open(calendar: Calendar, start: int, end: int) -> bool:
    """True if the calendar is open at every time from `start` to `end`, inclusive."""
    moment: int | None = start
    while moment is not None and moment <= end:
        if calendar.state_at(moment) is not CalendarState.ON:
            return False
        moment = calendar.next_change(moment)
    return True
