"""The scheduler's list of hosts, whose order decides in which order something is said about hosts.

Every attempt to place a parallel job puts the hosts with eligible queue instances first, in the order of these, and
leaves the list so; before the next job it is sorted by load again, which does not change the order of equals.
"""

from typing import Final

from qmon_tui.scheduler.placement.offers import Offers
from qmon_tui.scheduler.placement.site import Site

Key = tuple[int, str]
"""Category and parallel environment."""

_FOLLOWED: Final = 8
"""How many kinds of silent attempts back the order is followed."""


class HostList:
    """The list of one run. Attempts that say nothing are noted, and made up for when the list is wanted."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._hosts: list[int] = []
        self._attempts: dict[Key, Offers] = {}

    def noted(self) -> dict[Key, Offers]:
        """What `forget_all_but` needs to know."""
        return dict(self._attempts)

    def forget_all_but(self, noted: dict[Key, Offers]) -> None:
        """Forget the attempts that have been noted since."""
        self._attempts = dict(noted)

    def note(self, key: Key, offers: Offers) -> None:
        """Note that an attempt sorts the list."""
        self._attempts.pop(key, None)
        self._attempts[key] = offers
        if len(self._attempts) > _FOLLOWED:
            del self._attempts[next(iter(self._attempts))]

    def sort(self) -> list[int]:
        """The list as the next attempt finds it, and leaves its own order in."""
        resources, order = self._site.resources, self._site.order
        loads = {resources.host_of[number]: order.load(number) for number in order}
        if not self._hosts:
            booked = resources.latest_booking
            self._hosts = sorted(loads, key=lambda host: (booked.get(host, (-1.0, 0, 0)), host))
        for offers in self._attempts.values():
            eligible = (number for number in order if offers.queue_fits(resources.instances[number].queue))
            first = dict.fromkeys(resources.host_of[number] for number in eligible)
            self._hosts[:] = (*first, *(host for host in self._hosts if host not in first))
        self._attempts.clear()
        self._hosts.sort(key=lambda host: loads.get(host, 0.0))
        return self._hosts
