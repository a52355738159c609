"""What comes to a simulation from outside its jobs: commands, load reports, failing hosts, users."""

from types import MappingProxyType

import pytest

from qmon_tui.model import Cluster, HostFailure, Kind, LoadModel, LoadValue, State, config_object
from qmon_tui.model.jobs import Job
from qmon_tui.qmaster import read_command
from qmon_tui.simulation import Settings, Simulator
from qmon_tui.simulation.settings import TimedCommand
from tests.unit.scheduler.building import NOW, attribute, cluster, host, job, queue, scheduler

QUICK = scheduler(schedule_interval="0:0:5")


def at(number: int, seconds: int, options: str = "", runtime: int = 60) -> Job:
    return job(number, options, submitted=NOW + seconds, runtime=runtime)


def day(on: Cluster, *jobs: Job, **settings: object) -> Simulator:
    simulator = Simulator(on, State(now=NOW, jobs=jobs), Settings(**settings))  # type: ignore[arg-type]
    simulator.run()
    return simulator


def times(simulator: Simulator) -> dict[int, tuple[int | None, int | None]]:
    return {
        number: (record.started and record.started - NOW, record.ended and record.ended - NOW)
        for (number, _), record in simulator.records.items()
    }


def command(on: Cluster, seconds: int, line: str) -> TimedCommand:
    found = read_command(on, line, "root")
    assert found is not None, line
    return TimedCommand(NOW + seconds, found)


def test_commands_take_effect_when_they_are_given() -> None:
    on = cluster(queue("all.q", "h1", 1), QUICK)
    given = (
        command(on, 10, "qmod -sj 1"),
        command(on, 30, "qmod -usj 1"),
        command(on, 40, "qdel 2"),
        command(on, 41, "qalter -p -100 3"),
        command(on, 100, "qdel 4"),
    )
    simulator = day(on, at(1, 0), at(2, 1), at(3, 2), at(4, 3, runtime=500), commands=given)
    assert times(simulator) == {1: (0, 80), 2: (None, None), 3: (105, 165), 4: (80, 101)}
    assert [reply[1:] for reply in simulator.replies][2] == ("qdel 2", ("root has deleted job 2",))


def test_an_edit_of_a_queue_takes_effect_and_the_scheduler_looks() -> None:
    on = cluster(queue("all.q", "h1", 1), QUICK)
    given = (command(on, 12, "qconf -rattr queue slots 2 all.q"),)
    assert times(day(on, at(1, 0), at(2, 1), commands=given)) == {1: (0, 60), 2: (12, 72)}


def test_an_edit_of_the_interval_counts_from_then_on() -> None:
    on = cluster(queue("all.q", "h1", 1), QUICK)
    simulator = Simulator(on, State(now=NOW, jobs=(at(1, 0, runtime=7), at(2, 1))), Settings())
    changed = on.with_objects([scheduler(schedule_interval="0:0:50")])
    simulator.step()
    simulator.cluster = changed
    simulator.note_configuration()
    simulator.run()
    assert times(simulator)[2][0] == 55


def test_limits_count_from_the_arrival_and_while_a_task_stands_still() -> None:
    on = cluster(queue("all.q", "h1", 1, h_rt="0:1:0"), QUICK)
    given = (command(on, 10, "qmod -sj 1"),)
    assert times(day(on, at(1, 0, runtime=55), commands=given, start_delay=5)) == {1: (0, 65)}
    alike = day(on, at(1, 0, runtime=100), commands=given, start_delay=5, simulated_hosts=True)
    assert times(alike) == {1: (0, 105)}


def test_load_follows_the_jobs_and_closes_a_queue_in_alarm() -> None:
    """Two slots of one processor are a load of 2: the third job waits until a report says that it is less."""
    on = cluster(
        queue("all.q", "h1", 3, load_thresholds="np_load_avg=1.75"),
        host("h1", complex_values="num_proc=1"),
        scheduler(schedule_interval="0:0:5", job_load_adjustments="NONE"),
    )
    model = LoadModel(40, MappingProxyType({"np_load_avg": LoadValue(0.01, per_slot=1.0, per_processor=True)}))
    simulator = day(on, at(1, 0, runtime=70), at(2, 0, runtime=70), at(3, 45, runtime=10), load=model)
    assert times(simulator) == {1: (0, 70), 2: (0, 70), 3: (80, 90)}
    assert simulator.state.loads["h1"]["np_load_avg"] == "0.01"


def test_load_by_requests_and_averages() -> None:
    on = cluster(queue("all.q", "h1", 3), attribute("mem_used mu MEMORY <= YES NO 0"), QUICK)
    values = {
        "mem_used": LoadValue(1024.0**3, per_request="h_vmem"),
        "load_avg": LoadValue(per_slot=1.0, average=40),
    }
    simulator = Simulator(
        on,
        State(now=NOW, jobs=(at(1, 0, "-l h_vmem=2G", 300),)),
        Settings(until=NOW + 81, load=LoadModel(40, MappingProxyType(values))),
    )
    simulator.run()
    assert simulator.state.loads["h1"] == {"mem_used": "3072.0M", "load_avg": "0.86"}


@pytest.mark.parametrize(("rerun", "end"), [("-r y", 365), ("-r n", 300)])
def test_a_host_that_fails_for_a_while(rerun: str, end: int) -> None:
    """What may be run again waits anew when the host is back; its run was in vain."""
    on = cluster(queue("all.q", "h1", 1), QUICK)
    simulator = day(on, at(1, 0, rerun), failures=(HostFailure("h1", NOW + 20, NOW + 300),))
    assert times(simulator)[1][1] == end
    record = simulator.records[1, 1]
    assert (record.restarts, record.lost) == ((1, 300) if end == 365 else (0, 0))


def test_a_silent_host_becomes_unknown_and_its_tasks_are_sent_elsewhere() -> None:
    on = cluster(
        queue("all.q", "h1 h2", 1, rerun="TRUE"),
        config_object(Kind.CONFIGURATION, "global", {"max_unheard": "0:2:0", "reschedule_unknown": "0:1:0"}),
        QUICK,
    )
    simulator = day(on, at(1, 0), at(2, 1, runtime=600), until=NOW + 1000, failures=(HostFailure("h1", NOW + 10),))
    record = simulator.records[1, 1]
    assert (record.started and record.started - NOW, record.restarts) == (605, 1)
    assert "u" in simulator.state.queue_states["all.q@h1"]
    assert simulator.records[2, 1].granted == {"all.q@h2": 1}


def test_a_task_that_is_sent_back_may_start_again_where_it_ran() -> None:
    on = cluster(queue("all.q", "h1", 1, rerun="TRUE"), QUICK)
    simulator = day(on, at(1, 0), commands=(command(on, 30, "qmod -rj 1"),))
    assert (times(simulator), simulator.records[1, 1].lost) == ({1: (35, 95)}, 30)


def test_automatic_users_are_forgotten_after_their_last_job() -> None:
    on = cluster(
        queue("all.q", "h1", 1),
        config_object(Kind.CONFIGURATION, "global", {"enforce_user": "auto", "auto_user_delete_time": "100"}),
        scheduler(schedule_interval="0:0:5", weight_tickets_share="1000"),
        config_object(Kind.SHARETREE, "", {}),
    )
    simulator = day(on, at(1, 0, runtime=50), at(2, 400, runtime=50), until=NOW + 300)
    owner = simulator.records[1, 1].owner
    assert owner not in simulator.state.usage.users
    early = day(on, at(1, 0, runtime=50), until=NOW + 100)
    assert owner in early.state.usage.users


def test_whoever_looks_for_users_without_a_result_makes_no_event() -> None:
    """A job that fits nowhere keeps its owner: no minute of the year for which it is waited for changes anything."""
    on = cluster(
        queue("all.q", "h1", 1),
        config_object(Kind.CONFIGURATION, "global", {"enforce_user": "auto", "auto_user_delete_time": "86400"}),
        QUICK,
    )
    simulator = day(on, at(1, 0), at(2, 1, "-l arch=none"))
    assert (times(simulator), simulator.events) == ({1: (0, 60), 2: (None, None)}, 5)
