"""A cluster that reserves: some of the jobs are large ones with -R y, which wait while small ones go past them."""

import random
from dataclasses import replace
from typing import Final

from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.jobs import Job, PeRequest, Request
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from tests.bench.simulations import Trace, cluster_of, state_of

RESERVING: Final = {
    "reserving-s": Trace("500 jobs on 20 hosts, 5 % with -R y", 20, 500, 2),
    "reserving": Trace("2,000 jobs on 100 hosts, 5 % with -R y", 100, 2_000, 2),
    "reserving-l": Trace("3,000 jobs on 300 hosts, 5 % with -R y", 300, 3_000, 2),
}
_HOUR: Final = 3600
_POLICY: Final = {"weight_tickets_functional": "1000000", "weight_waiting_time": "0.010000", "max_reservation": "20"}


def reserving_cluster(trace: Trace) -> Cluster:
    """The cluster of the other traces, with 20 reservations in a run; few slots, so that jobs wait."""
    return cluster_of(trace).with_objects([config_object(Kind.SCHEDULER, "scheduler", _POLICY)])


def reserving_state(trace: Trace) -> State:
    """All jobs ask for whole hours of h_rt, mostly for too many; one of twenty for many slots and a reservation."""
    drawn = random.Random(3)
    state = state_of(trace)
    known: dict[tuple[int, int, int], tuple[Request, Request]] = {}
    jobs = list[Job]()
    for job in state.jobs:
        hours = 1 + int((job.runtime or 0) // _HOUR) + drawn.choice((0, 0, 1, 3))
        slots = drawn.choice((8, 16, 32)) if drawn.random() < 0.05 else 0
        key = id(job.request), hours, slots
        if key not in known:
            request = replace(job.request, hard=(*job.request.hard, ("h_rt", str(hours * _HOUR))), reserve=slots > 0)
            if slots:
                request = replace(request, array=None, pe=PeRequest("mpi", ((slots, slots, 1),)))
            known[key] = request, job.request
        jobs.append(replace(job, request=known[key][0]))
    return replace(state, jobs=tuple(jobs))
