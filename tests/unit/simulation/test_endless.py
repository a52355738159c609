"""Days that end though something is planned: what stands still for ever, and what goes round without time passing."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from qmon_tui.cli import main
from qmon_tui.model import Cluster, HostFailure, Kind, State, config_object
from qmon_tui.model.jobs import Job
from qmon_tui.simulation import EditError, Scenario, Settings, Simulator, Timeline, simulator as simulator_module
from qmon_tui.simulation.event_queue import SimulationEvent
from qmon_tui.simulation.scenario import simulated
from tests.unit.scheduler.building import NOW, cluster, environment, job, queue, scheduler

QUICK = scheduler(schedule_interval="0:0:3", flush_submit_sec="1", flush_finish_sec="1", queue_sort_method="seqno")


def parallel_and_subordinate() -> Cluster:
    """A job of three slots takes two of high.q and one of low.q, and suspends low.q by it."""
    return cluster(
        queue("high.q", "h1", 2, seq_no="0", pe_list="mpi", subordinate_list="low.q=1"),
        queue("low.q", "h1", 2, seq_no="5", pe_list="mpi"),
        environment("mpi"),
        QUICK,
    )


def at(number: int, seconds: int, options: str, runtime: int) -> Job:
    return job(number, options, submitted=NOW + seconds, runtime=runtime)


def times(on: Cluster, *jobs: Job, **settings: object) -> dict[int, tuple[int, int]]:
    simulator = Simulator(on, State(now=NOW, jobs=jobs), Settings(**settings))  # type: ignore[arg-type]
    simulator.run()
    return {
        number: ((record.started or 0) - NOW, (record.ended or 0) - NOW)
        for (number, _), record in simulator.records.items()
    }


JOBS = (
    at(1, 1, "-pe mpi 3", 5),
    at(2, 3, "-q low.q", 1),
    *(at(number, second, "-p -10 -q high.q -pe mpi 2", 3) for number, second in ((3, 4), (4, 5), (5, 5))),
)
"""A day of a real qmaster with simulated hosts: lifecycle.md#end-of-a-task."""


def test_what_a_job_has_itself_suspended_goes_on_before_the_run_that_follows_its_end() -> None:
    """In the run at 11 s low.q counts from zero: job 3 suspends it, and job 2 waits until nothing is in high.q."""
    found = times(parallel_and_subordinate(), *JOBS, start_delay=5, simulated_hosts=True)
    assert [start for start, _ in found.values()] == [1, 35, 11, 19, 27]


@pytest.mark.parametrize("delay", [0, 5])
def test_a_task_that_is_told_to_stop_before_it_is_at_its_host_runs_on(delay: int) -> None:
    """So a real execution daemon does; told later, it stops (tried on 8.1.9)."""
    found = times(parallel_and_subordinate(), at(1, 1, "-pe mpi 3", 5), start_delay=delay)
    assert found == {1: (1, 6 + delay)}
    halted = times(parallel_and_subordinate(), at(1, 1, "-q low.q", 9), at(2, 4, "-q high.q", 20))
    assert halted == {1: (1, 30), 2: (4, 24)}


def test_what_stands_still_for_ever_does_not_keep_a_day_from_ending() -> None:
    """Nothing is heard of the host of a task any more; only the calendar goes on."""
    on = cluster(
        queue("all.q", "h1", 1, calendar="night"),
        config_object(Kind.CALENDAR, "night", {"calendar_name": "night", "year": "NONE", "week": "mon-sun=20-6=off"}),
        QUICK,
    )
    state = State(now=NOW, jobs=(at(1, 0, "", 5),))
    simulator = Simulator(on, state, Settings(failures=(HostFailure("h1", NOW + 2),)))
    simulator.run()
    record = simulator.records[1, 1]
    assert (record.started, record.ended) == (NOW, None)


@dataclass(frozen=True, slots=True)
class GoesRound(SimulationEvent):
    """Plans itself again at once."""

    job: int = 2

    def apply(self, simulator: Simulator) -> None:
        simulator.queue.plan(simulator.now, GoesRound())


def test_what_goes_round_while_the_clock_stands_still_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def plan(simulator: Simulator) -> None:
        simulator.queue.plan(simulator.now + 9, GoesRound())

    monkeypatch.setattr(simulator_module, "plan_settings", plan)
    with pytest.raises(EditError, match=r"not get beyond .* without end \(goes round; jobs 2; in all.q@h1\)"):
        simulated(Scenario(cluster(queue("all.q", "h1", 1)), State(now=NOW, jobs=(at(2, 0, "", 50),))))
    (tmp_path / "cluster.yaml").write_text(
        "hosts: {h1: {}}\nqueues: {all.q: {hostlist: h1}}\njobs: [{id: 2, owner: ben, qsub: sleep 50, runtime: 50}]\n"
    )
    assert main(["simulate", str(tmp_path), "--format", "json"]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert said.err.startswith("qmon-tui simulate: the day does not get beyond ")
    assert said.err.endswith("; please report this with the cluster folder.\n")
    assert main(["compare", str(tmp_path), str(tmp_path), "--processes", "1"]) == 2
    assert "does not get beyond" in capsys.readouterr().err
    assert main(["sweep", str(tmp_path), "--over", "scheduler.weight_urgency=1,2", "--processes", "1"]) in (0, 1)
    assert "does not get beyond" in " ".join(capsys.readouterr().out.split())
    timeline = Timeline(cluster(queue("all.q", "h1", 1)), State(now=NOW, jobs=(at(2, 0, "", 50),)))
    timeline.play(None)
    assert timeline.moment.error.startswith("the day does not get beyond ")
    timeline.go_to_time(NOW)
    assert timeline.moment.error == ""


def test_a_second_in_which_much_is_to_be_done_is_no_standstill() -> None:
    """Four hundred tasks of no length come, start, arrive and end at once."""
    on = cluster(queue("all.q", "h1", 1), scheduler(schedule_interval="0:0:1", flush_finish_sec="1"))
    (tasks,) = (at(1, 1, "-t 1-400", 0),)
    simulator = Simulator(on, State(now=NOW, jobs=(tasks,)), Settings())
    simulator.run()
    assert sum(record.ended is not None for record in simulator.records.values()) == 400
