"""The fast path of a visit: what a host and its queue instances have room for, seen at a glance.

The rule is in `Offers` and `Harvest._rooms`. Where nothing is said and the checks came out the same for all queue
instances that are alike, what is left of the consumables is all that has to be divided, and quotas are asked as ever.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from qmon_tui.scheduler.matching.room import ANY_TASK, NEVER
from qmon_tui.scheduler.placement.basket import GrantBasket
from qmon_tui.scheduler.placement.errand import Errand
from qmon_tui.scheduler.placement.threshold_cap import threshold_cap
from qmon_tui.scheduler.quick.parallel_lanes import ParallelLane, ParallelLanes


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """The rooms for one attempt that says nothing, asks for nothing softly and for nothing but what is free now."""

    errand: Errand
    lanes: ParallelLanes
    lane: ParallelLane

    def rooms(self, host: int, members: Sequence[int], basket: GrantBasket) -> tuple[int, int, bool] | None:
        """As `Harvest._rooms`; None where that is not certain."""
        errand, lane = self.errand, self.lane
        if errand.masters:
            return None
        resources, purse, wanted = errand.site.resources, errand.purse, errand.slots
        skipped = errand.memory.skipped_instances.keys() if errand.remembers else frozenset()
        skipped_queues = purse.skipped_queues if purse is not None else frozenset()
        instances, queues, granted, rooms = resources.instances, resources.queues, basket.granted, basket.rooms
        now_in_all = later_in_all = 0
        now = later = -1
        for number in members:
            gists = self.lanes.gists(lane, number)
            if gists is None:
                return None
            if later < 0:
                on_host = gists[0].room(resources.hosts[host].used)
                if on_host is None or on_host <= 0:
                    return None
                cap = threshold_cap(resources, host, members, errand.applicant.demand, errand.adjusts)
                now, later = min(on_host, cap) - basket.given(members), gists[0].most
                if max(now, later) < errand.least:
                    return min(now, wanted), min(later, wanted), True
                if purse is not None and skipped.isdisjoint(members) and purse.is_shut(members):
                    basket.rooms.update(dict.fromkeys(members, 0))
                    if errand.remembers:
                        errand.memory.skipped_instances.update(dict.fromkeys(members))
                    return 0, 0, False
            if number in skipped or (skipped_queues and instances[number].queue in skipped_queues):
                continue
            quota = purse.room(number, ANY_TASK, None) if purse is not None else None
            if quota is None or quota.result != NEVER:
                room = gists[1].room(queues[number].used)
                if room is None or (quota is not None and quota.master != ANY_TASK):
                    return None
                room -= granted.get(number, 0)
                most = gists[1].most
                if quota is not None:
                    room = quota.now if quota.now < room else room
                    most = quota.later if quota.later < most else most
                if room > 0 or most > 0:
                    now_in_all += room
                    later_in_all += most
                    rooms[number] = room
                    continue
            elif quota.master != ANY_TASK:
                return None
            rooms[number] = 0
            if errand.remembers:
                errand.memory.skipped_instances[number] = None
        return min(now, wanted, now_in_all), min(later, wanted, later_in_all), False
