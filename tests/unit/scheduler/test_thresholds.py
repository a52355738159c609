"""Load thresholds: when queue instances are dropped, and the words (dispatch.md#load-thresholds)."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from qmon_tui.model.jobs import Task
from qmon_tui.scheduler.configuration import Value, compile_cluster
from qmon_tui.scheduler.matching import Adjustments, Level
from qmon_tui.scheduler.matching.thresholds import Thresholds, alarm_subject
from tests.unit.scheduler.building import (
    NOW,
    attribute,
    cluster,
    environment,
    host,
    job,
    places,
    queue,
    run,
    running,
    scheduler,
    the_job,
)

Loads = Mapping[str, Mapping[str, str]]
ADJUSTED = scheduler(job_load_adjustments="np_load_avg=0.50", load_adjustment_decay_time="0:7:30")


def said(outcome_messages: object) -> str:
    assert isinstance(outcome_messages, tuple)
    return str(outcome_messages[0]).partition("overloaded: ")[2]


def test_without_load_values_the_default_threshold_drops_every_instance() -> None:
    outcome = run(cluster(queue("all.q", "h1", 5, load_thresholds="np_load_avg=1.75")), job(1))
    assert outcome.messages == (
        'queue instance "all.q@h1" dropped because it is overloaded: no value for complex attribute "np_load_avg"',
        "All queues dropped because of overload or full",
    )
    assert places(outcome) == {}
    assert the_job(outcome, 1).reasons == ()
    assert outcome.queue_instances[0].state == "a"


@pytest.mark.parametrize(
    ("limit", "loads", "text"),
    [
        ("np_load_avg=1.75", {"h1": {"np_load_avg": "2.01"}}, "np_load_avg=2.010000 (no load adjustment) >= 1.75"),
        ("np_load_avg=1.75", {"global": {"np_load_avg": "2"}}, "np_load_avg=2.000000 (no load adjustment) >= 1.75"),
        ("mem_free=1G", {"h1": {"mem_free": "512M"}}, "mem_free=536870912.000000 (no load adjustment) <= 1G"),
        ("arch=lx*", {"h1": {"arch": "lx-amd64"}}, "arch=lx-amd64 == lx*"),
        ("display_win_gui=1", {"h1": {"dwg": "0", "display_win_gui": "TRUE"}},
         "display_win_gui=true (no load adjustment) == 1"),
        ("nosuch=1", {}, 'no such complex attribute for threshold "nosuch"'),
        ("np_load_avg=x", {"h1": {"np_load_avg": "1"}}, "invalid threshold value np_load_avg=x"),
        ("np_load_avg=1", {"h1": {"np_load_avg": "x"}}, 'invalid load value "x" for threshold np_load_avg'),
    ],
)  # fmt: skip
def test_reasons_of_an_alarm(limit: str, loads: Loads, text: str) -> None:
    outcome = run(cluster(queue("all.q", "h1", 5, load_thresholds=limit)), job(1), loads=loads)
    assert said(outcome.messages) == text
    assert places(outcome) == {}


@pytest.mark.parametrize(
    ("limit", "loads"),
    [
        ("np_load_avg=1.75", {"h1": {"np_load_avg": "1.74"}}),
        ("mem_free=1G", {"h1": {"mem_free": "2G"}}),
        ("arch=sol*", {"h1": {"arch": "lx-amd64"}}),
        ("NONE", {}),
    ],
)
def test_below_its_thresholds_an_instance_takes_jobs(limit: str, loads: Loads) -> None:
    outcome = run(cluster(queue("all.q", "h1", 5, load_thresholds=limit)), job(1), loads=loads)
    assert places(outcome) == {1: "all.q@h1"}


def test_a_fixed_value_of_the_queue_will_do() -> None:
    heat = attribute("heat heat INT >= YES NO 0")
    on = cluster(heat, queue("all.q", "h1", 5, load_thresholds="heat=40", complex_values="heat=45"))
    assert said(run(on, job(1)).messages) == "heat=45.000000 (no load value) >= 40"


# Section 6.1: np_load_avg=1.762500 (= 1.700000 + 0.50 * 0.500000 with nproc=4) >= 1.75
def test_jobs_that_just_started_raise_the_load() -> None:
    on = cluster(queue("all.q", "h1", 5, load_thresholds="np_load_avg=1.75"), ADJUSTED)
    busy = running(1, "all.q@h1")
    young = replace(busy, tasks={1: replace(busy.tasks[1], started=NOW - 225)})
    loads = {"h1": {"np_load_avg": "1.700000", "num_proc": "4"}}
    outcome = run(on, young, job(2), loads=loads)
    assert said(outcome.messages) == "np_load_avg=1.762500 (= 1.700000 + 0.50 * 0.500000 with nproc=4) >= 1.75"


def test_starts_of_the_run_itself_put_a_host_into_alarm() -> None:
    on = cluster(queue("all.q", "h1 h2", 9, load_thresholds="np_load_avg=1.75"), ADJUSTED)
    loads = {name: {"np_load_avg": "1", "num_proc": "1"} for name in ("h1", "h2")}
    outcome = run(on, *(job(number) for number in range(1, 6)), loads=loads)
    assert list(places(outcome).values()) == ["all.q@h1", "all.q@h2", "all.q@h2", "all.q@h1"]
    assert outcome.messages == tuple(
        f'queue instance "all.q@{name}" dropped because it is overloaded: '
        "np_load_avg=2.000000 (= 1 + 0.50 * 2.000000 with nproc=1) >= 1.75"
        for name in ("h2", "h1")
    )


# dispatch.md#load-thresholds-during-the-run: with several jobs in one run the message comes, yet starting goes on until
# the capacity is used up.
def test_a_threshold_on_a_consumable() -> None:
    on = cluster(
        attribute("left left INT <= YES YES 1"), queue("all.q", "h1", 9, load_thresholds="left=3"), host("h1", "left=5")
    )
    outcome = run(on, *(job(number) for number in range(1, 8)))
    assert list(places(outcome)) == [1, 2, 3, 4, 5]
    assert said(outcome.messages) == "left=3.000000 (no load value) <= 3"
    begun = run(on, running(1, "all.q@h1"), running(2, "all.q@h1"), job(3))
    assert places(begun) == {}


def test_with_load_adjustments_the_alarm_takes_the_instance_out() -> None:
    on = cluster(
        attribute("left left INT <= YES YES 1"),
        queue("all.q", "h1", 9, load_thresholds="left=3"),
        host("h1", "left=5"),
        scheduler(job_load_adjustments="mem_free=1M"),
    )
    assert list(places(run(on, *(job(number) for number in range(1, 8))))) == [1, 2]


def test_queues_in_suspend_alarm_take_no_jobs() -> None:
    heat = attribute("heat heat INT >= YES NO 0")
    on = cluster(heat, queue("all.q", "h1", 5, suspend_thresholds="heat=40"))
    idle = run(on, job(1), loads={"h1": {"heat": "41"}})
    assert idle.messages == (
        'queue instance "all.q@h1" is in suspend alarm: heat=41.000000 (no load adjustment) >= 40',
        "All queues dropped because of overload or full",
    )
    assert idle.queue_instances[0].state == "A"


def test_what_is_halted_under_control_slaves_goes_on_showing_the_tickets_with_which_it_was_started() -> None:
    """Seen in 8.1.9 with the tickets 1812 = 250 + 312 + 1250: of another environment nothing is left in that run.

    What stood still before goes on showing what it had.
    """
    kept = {"tckts": 1812.0, "otckt": 250.0, "ftckt": 312.0, "stckt": 1250.0}
    heat = attribute("heat heat INT >= YES NO 0")
    on = cluster(
        heat,
        queue("all.q", "h1", 9, suspend_thresholds="heat=40", nsuspend="9", pe_list="ctl free"),
        environment("ctl", control_slaves="TRUE"),
        environment("free"),
        scheduler(weight_tickets_functional=1000),
    )
    for state in ("r", "s", "T"):
        jobs = [
            job(number, f"-pe {name} 2", tasks={1: Task(state, {"all.q@h1": 2}, 100, tickets=kept)})
            for number, name in enumerate(("ctl", "free"), start=1)
        ]
        ctl, free = (job_outcome.tasks[0] for job_outcome in run(on, *jobs, loads={"h1": {"heat": "41"}}).jobs)
        assert (ctl.tckts, ctl.otckt, ctl.ftckt, ctl.stckt) == tuple(kept.values())
        lasting = tuple(kept.values()) if state != "r" else (0, 0, 0, 0)
        assert (free.tckts, free.otckt, free.ftckt, free.stckt) == lasting


def test_in_suspend_alarm_tasks_are_halted_and_go_on_after_it() -> None:
    heat = attribute("heat heat INT >= YES NO 0")
    on = cluster(heat, queue("all.q", "h1", 5, suspend_thresholds="heat=40", nsuspend="2"))
    old, young, halted = (Task(state, {"all.q@h1": 1}, at) for state, at in (("r", 100), ("r", 200), ("T", 150)))
    jobs = [job(1, tasks={1: old}), job(2, tasks={1: young}), job(3, tasks={1: halted}), job(4, tasks={1: young})]
    hot = run(on, *jobs, loads={"h1": {"heat": "41"}})
    assert [job_outcome.tasks[0].state for job_outcome in hot.jobs] == ["r", "T", "T", "T"]
    cool = run(on, *jobs, loads={"h1": {"heat": "39"}})
    assert [job_outcome.tasks[0].state for job_outcome in cool.jobs] == ["r", "r", "r", "r"]
    never = on.with_object(queue("all.q", "h1", 5, suspend_thresholds="heat=40", suspend_interval="0:0:0"))
    idle = run(never, *jobs, loads={"h1": {"heat": "41"}})
    assert [job_outcome.tasks[0].state for job_outcome in idle.jobs] == ["r", "r", "T", "r"]


@pytest.mark.parametrize(("letter", "halted"), [("s", "T"), ("T", "r"), ("r", "T")])
def test_what_a_command_suspends_does_not_put_off_what_thresholds_do(letter: str, halted: str) -> None:
    heat = attribute("heat heat INT >= YES NO 0")
    on = cluster(heat, queue("all.q", "h1", 5, suspend_thresholds="heat=40", nsuspend="1", suspend_interval="0:5:0"))
    array = job(1, "-t 1-2", tasks={
        1: Task(letter, {"all.q@h1": 1}, 100, changed=NOW - 10.0), 2: Task("r", {"all.q@h1": 1}, 200),
    })  # fmt: skip
    hot = run(on, array, loads={"h1": {"heat": "41"}}, changed={"all.q@h1": NOW - 5.0})
    assert hot.jobs[0].tasks[1].state == halted


ATTRIBUTES = compile_cluster(
    cluster(attribute("heat heat INT >= YES NO 0"), attribute("np_heat nph INT >= YES NO 0"))
).attributes
ADDED = Adjustments.of({"np_load_avg": "0.5", "load_avg": "0.5", "mem_free": "1", "np_heat": "2"})


def reported(name: str, load: str, correction: int, processors: int = 1) -> Level:
    loads = {name: Value(load, float(load))} if load else {}
    return Level("h", "h1", {}, {}, loads=loads, correction=correction, processors=processors)


@pytest.mark.parametrize(
    ("name", "on_host", "corrections", "processors", "how"),
    [
        ("load_avg", True, (0, 0), 1, "5.000000 (no load adjustment) >= 1"),
        ("load_avg", True, (100, 0), 1, "5.500000 (= 5 + 0.5 * 1.000000) >= 1"),
        ("load_avg", True, (100, 0), 4, "5.500000 (= 5 + 0.5 * 1.000000) >= 1"),
        ("load_avg", True, (0, 100), 1, "5.000000 (= 5 + 0.5 * 0.000000) >= 1"),
        ("load_avg", False, (0, 100), 1, "5.500000 (= 5 + 0.5 * 1.000000 global) >= 1"),
        ("load_avg", False, (100, 0), 1, "5.000000 (no load adjustment) >= 1"),
        ("np_load_avg", True, (200, 0), 1, "6.000000 (= 5 + 0.5 * 2.000000 with nproc=1) >= 1"),
        ("np_load_avg", True, (200, 0), 2, "5.500000 (= 5 + 0.5 * 2.000000 with nproc=2) >= 1"),
        ("np_load_avg", False, (0, 200), 2, "6.000000 (= 5 + 0.5 * 2.000000 global) >= 1"),
        ("mem_free", True, (100, 0), 1, "4.000000 (= 5 - 1 * 1.000000) <= 9"),
        ("heat", True, (100, 0), 1, "5.000000 (no load adjustment) >= 1"),
    ],
)
def test_how_a_load_is_corrected(
    name: str, on_host: bool, corrections: tuple[int, int], processors: int, how: str
) -> None:
    host_level = reported(name, "5" if on_host else "", corrections[0], processors)
    everywhere = reported(name, "" if on_host else "5", corrections[1], processors)
    limits = [(name, how[-1])]
    alarm = Thresholds(ATTRIBUTES, ADDED).alarm(limits, everywhere, host_level, reported(name, "", 0))
    assert alarm == f"{name}={how}"


def test_alarms_about_one_matter_differ_in_the_load_only() -> None:
    assert alarm_subject("a=1.5 (= 1 + 0.5 * 1.0) >= 1") == alarm_subject("a=2.5 (no load adjustment) >= 1") == "a >= 1"
    assert alarm_subject('no value for complex attribute "a"') == 'no value for complex attribute "a"'
