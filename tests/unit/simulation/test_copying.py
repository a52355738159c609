"""A copy of a simulation goes its own way, and to the same end."""

import pickle

from hypothesis import given, strategies as st

from qmon_tui.model import HostFailure, LoadModel, LoadValue, State
from qmon_tui.simulation import Settings, Simulator
from qmon_tui.simulation.copying import copy_of
from tests.unit.scheduler.building import NOW, cluster, job, queue, scheduler

TWO_QUEUES = cluster(
    queue("high.q", "h1 h2", 1, subordinate_list="low.q=1"),
    queue("low.q", "h1 h2", 2),
    scheduler(schedule_interval="0:0:15", flush_finish_sec="2", max_reservation="4"),
)


def a_day(waits: list[int]) -> Simulator:
    jobs = tuple(
        job(number, "-t 1-3 -tc 2" if number % 5 == 0 else "-l h_rt=300", submitted=NOW + at, runtime=20 + 7 * number)
        for number, at in enumerate(waits, 1)
    )
    load = LoadModel(values={"load_avg": LoadValue(per_slot=1.0, average=60)})
    failure = HostFailure("h1", NOW + 90, NOW + 400)
    return Simulator(TWO_QUEUES, State(now=NOW, jobs=jobs), Settings(until=NOW + 2000, load=load, failures=(failure,)))


def everything(simulator: Simulator) -> dict[str, object]:
    """All that a simulation holds, and what it will do."""
    simulator = simulator.copy()
    here = simulator.state, {key: repr(record) for key, record in simulator.records.items()}, simulator.now
    simulator.run()
    return {
        "here": here,
        "end": (simulator.state, repr(simulator.records), simulator.runs, simulator.events, simulator.refused),
    }


@given(st.lists(st.integers(0, 600), min_size=1, max_size=12), st.integers(0, 120), st.integers(1, 60))
def test_a_copy_is_not_touched_by_what_the_other_does(waits: list[int], before: int, after: int) -> None:
    simulator = a_day(waits)
    for _ in range(before):
        simulator.advance()
    copied = simulator.copy()
    wanted = everything(simulator)
    for _ in range(after):
        simulator.advance()
    assert everything(copied) == wanted


def test_each_copy_has_a_chain_of_runs_of_its_own() -> None:
    simulator = a_day([0, 10])
    simulator.step()
    chains = [vars(one)["_chain"] for one in (simulator, simulator.copy(), pickle.loads(pickle.dumps(simulator)))]
    assert len(set(map(id, chains))) == 3


def test_values_are_shared() -> None:
    simulator = a_day([0, 10])
    copied = simulator.copy()
    assert copied.state is simulator.state
    assert copied.cluster is simulator.cluster
    assert copied.queue is not simulator.queue
    assert copy_of(simulator.settings) is simulator.settings
