"""The slots that a parallel job could have when all that ends has ended, counted beside those that it can have now.

Only jobs that may get a reservation ask for this: where there are enough, but not now, one is looked for (dispatch.md
sections 8.3 and 9).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from qmon_tui.scheduler.compiled.environments import FILL_UP
from qmon_tui.scheduler.matching.room import ANY_TASK, NOT_MASTER
from qmon_tui.scheduler.matching.static import Applicant
from qmon_tui.scheduler.placement.site import Site


@dataclass(slots=True)
class LaterHarvest:
    """The count of one attempt. Unlike the one for now it forgets, pass after pass of $round_robin, what it took."""

    site: Site
    applicant: Applicant
    masters: dict[int, int]
    rooms: dict[int, int]
    """What queue instances have; kept for as long as the run lasts, as nobody clears it."""
    rule: int
    least: int
    collected: int = 0
    has_master: bool = False

    @property
    def is_complete(self) -> bool:
        """Tell whether the job could start some time."""
        return self.has_master and self.collected >= self.applicant.slots

    def take(self, members: Sequence[int], room: int) -> bool:
        """Take slots of a host's queue instances; nothing, and False, where they give too little."""
        most = self.rule
        if self.rule < 0:
            most = min(self.applicant.slots - self.collected, room) if self.rule == FILL_UP else 1
        total = 0
        got_master = self.has_master
        for number in members:
            available = self.rooms.get(number, 0)
            if not available:
                continue
            amount = min(available, most - total)
            master = self.masters.get(number, ANY_TASK)
            if not got_master:
                amount = self._for_master(number, amount, total, master)
            if amount > 0 and not self.has_master and master != NOT_MASTER:
                got_master = True
            self.rooms[number] = amount
            total += amount
            if total == most:
                break
        if total < self.least:
            self.rooms.update({number: 0 for number in members if number in self.rooms})
            return False
        self.has_master |= got_master
        self.collected += total
        return True

    def _for_master(self, number: int, amount: int, total: int, master: int) -> int:
        demand = self.applicant.demand
        if master == NOT_MASTER:
            return amount - (self.collected + total + amount == self.applicant.slots)
        instance = self.site.resources.instances[number]
        if demand.master_queues and demand.queues and not self.site.rules.matches(instance, demand.queues):
            return min(amount, 1)
        return amount
