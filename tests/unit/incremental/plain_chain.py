"""What remains without `incremental`: every run and every event by the rules of `qmaster`."""

from dataclasses import dataclass

from qmon_tui.model import Cluster, Job, State
from qmon_tui.qmaster import Run, find_job, simulate
from qmon_tui.qmaster.transition import Event


@dataclass
class EventsApart:
    """Events of which none is collected: each is applied to the state by its rule."""

    state: State

    def find_job(self, number: int) -> Job | None:
        return find_job(self.state, number)

    def _refused(self, _: Event | Job, at: int) -> bool:
        return False

    arrives = ends = comes = _refused


class PlainChain:
    """Takes the place of `RunChain`; it keeps nothing."""

    simulate = staticmethod(simulate)

    @staticmethod
    def next_run(cluster: Cluster, state: State) -> Run:
        return simulate(cluster, state, fast=False)

    @staticmethod
    def events_together(_: Cluster, state: State) -> EventsApart:
        return EventsApart(state)
