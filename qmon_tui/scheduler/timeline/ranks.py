"""Which hosts come before which by their load (dispatch.md section 7.1).

The list of queue instances is sorted again only when this changes. Without reservations nobody could tell, as the list
is sorted already; with them there may be queue instances at its end that are not.
"""

from collections.abc import Sequence


class HostRanks:
    """The ranks of all hosts; equal loads have equal ranks."""

    def __init__(self, loads: Sequence[float]) -> None:
        self.loads = list(loads)
        self._ranks: list[int] = []
        self._is_known = False

    def set_load(self, host: int, load: float) -> None:
        """Note the load of a host."""
        if self.loads[host] != load:
            self.loads[host] = load
            self._is_known = False

    def have_changed(self) -> bool:
        """Tell whether some host has another rank than when this was asked last."""
        if self._is_known:
            return False
        self._is_known = True
        ranks = {load: rank for rank, load in enumerate(sorted(set(self.loads)))}
        before, self._ranks = self._ranks, [ranks[load] for load in self.loads]
        return before != self._ranks

    def forget(self) -> None:
        """A parallel job leaves the hosts with numbers of another kind, which the next load that changes shows."""
        self._ranks = []
