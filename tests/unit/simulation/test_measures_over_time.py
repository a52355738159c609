"""Measures over time, worked out by hand."""

import pickle
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given, strategies as st

from qmon_tui.formats import parse_qsub
from qmon_tui.model import Job
from qmon_tui.simulation import Scenario, Timeline, end_of_day, read_edit
from qmon_tui.simulation.measures_series import StepSeries, product_area
from qmon_tui.simulation.measures_shares import jain
from qmon_tui.simulation.scenario import flat, simulated
from qmon_tui.sources import read_folder

DAY = """
hosts: {h1: {complex_values: lic=4}}
complexes: {lic: {shortcut: lic, type: INT, relop: <=, requestable: YES, consumable: YES, default: 0, urgency: 0}}
pes: {mp: {slots: 99, allocation_rule: $pe_slots}}
projects: {p: {fshare: 30}, q: {fshare: 10}}
queues: {all.q: {hostlist: h1, slots: 4, load_thresholds: NONE, pe_list: mp}}
scheduler: {flush_submit_sec: 1, flush_finish_sec: 1, weight_tickets_functional: 100, max_reservation: 5}
"""
JOBS = """
now: 2026-11-24T08:00:00
jobs:
- {id: 1, owner: anna, submitted: 2026-11-24T08:00:00, runtime: 100, qsub: "-P p -pe mp 3 -l lic=1 -l h_rt=100 sleep 100"}
- {id: 2, owner: bob, submitted: 2026-11-24T08:00:00, runtime: 100, qsub: "-P q -R y -pe mp 2 -l h_rt=100 sleep 100"}
- {id: 3, owner: bob, submitted: 2026-11-24T08:00:00, runtime: 50, qsub: "-P q -l h_rt=50 sleep 50"}
"""  # noqa: E501


def scenario_of(folder: Path, text: str) -> Scenario:
    (folder / "c.yaml").write_text(text)
    reading = read_folder(str(folder))
    return Scenario(reading.cluster, reading.state)


def test_a_day_by_hand(tmp_path: Path) -> None:
    scenario = scenario_of(tmp_path, DAY + JOBS)
    day = simulated(replace(scenario, until=scenario.state.now + 400))
    records = {record.job: record for record in day.records}
    # 1 takes three of four slots at once, 2 reserves two for when it is over, 3 fits in the slot that is left.
    first = records[1].started
    assert first is not None
    assert (records[3].started, records[3].ended) == (first, first + 50)
    assert records[2].started is not None
    start_2, wait_1 = records[2].started, first - day.start
    assert (records[2].reserved, records[3].backfilled, records[1].backfilled) == (True, True, False)
    numbers = flat(day.measures)
    assert numbers["backfilled"] == 1
    seconds = 400 - wait_1
    used = 3 * 100 + 50 + 2 * 100
    # Slots are known from the first run on.
    assert numbers["utilisation_by_queue.all.q"] == pytest.approx(used / (4 * seconds))
    assert numbers["utilisation_by_resource.lic"] == pytest.approx(3 * (start_2 - first) / 400 / 4)
    # From the end of 3 on one slot is free that 2 cannot use.
    assert numbers["fragmentation"] == pytest.approx(50 / (4 * 400))
    assert numbers["queue_length.max"] == 1
    assert numbers["queue_length.mean"] == pytest.approx((start_2 - first) / 400)
    assert numbers["oldest_wait.max"] == start_2 - day.start
    received = {name: numbers[f"shares.project.{name}.received"] for name in ("p", "q")}
    assert received == {"p": pytest.approx(300 / used), "q": pytest.approx(250 / used)}
    # Both have something up to the end of 1; then only q has.
    both = 4 * 50 + 3 * 50
    assert numbers["shares.project.p.entitled"] == pytest.approx(0.75 * both / used)
    assert numbers["shares.project.q.entitled"] == pytest.approx((0.25 * both + 200) / used)


def test_what_is_used_exclusively_is_used_once_on_each_host(tmp_path: Path) -> None:
    """A job of six slots on two of four hosts, which asks for no number of it."""
    text = """
        complexes: {whole: {shortcut: w, type: BOOL, relop: EXCL, requestable: YES, consumable: YES, default: 0, urgency: 0}}
        hosts: {"h[1-4]": {complex_values: whole=TRUE}}
        pes: {mpi: {slots: 99, allocation_rule: $fill_up}}
        queues: {all.q: {hostlist: h1 h2 h3 h4, slots: 3, pe_list: mpi, load_thresholds: NONE}}
        now: 2026-11-24T08:00:00
        jobs:
        - {id: 1, owner: ada, submitted: 2026-11-24T08:00:00, runtime: 100, qsub: -pe mpi 6 -l whole sleep 1}
        """  # noqa: E501
    scenario = scenario_of(tmp_path, dedent(text))
    day = simulated(replace(scenario, until=scenario.state.now + 100))
    numbers = flat(day.measures)
    assert numbers["utilisation_by_resource.whole"] == numbers["utilisation"] > 0, (
        "half of the slots, half of the hosts"
    )
    timeline = Timeline(scenario.cluster, scenario.state)
    timeline.next_run()
    assert timeline.moment.samples[-1].resources["whole"] == (2, 4)


def test_a_day_is_measured_up_to_where_all_else_is_waited_for_in_vain(tmp_path: Path) -> None:
    """Job 2 is held for ever, while a calendar goes on: that it is waited for makes no cluster idle."""
    text = """
        calendars: {nights: {week: "mon-sun=20-6=off"}}
        hosts: {h1: {}, h2: {}}
        queues:
          all.q: {hostlist: h1, slots: 1, load_thresholds: NONE}
          day.q: {hostlist: h2, slots: 1, calendar: nights}
        now: 2026-11-24T08:00:00
        jobs:
        - {id: 1, owner: ada, submitted: 2026-11-24T08:00:00, runtime: 1000, qsub: -q all.q sleep 1}
        - {id: 2, owner: ada, submitted: 2026-11-24T08:00:00, runtime: 1000, qsub: -h sleep 1}
        """
    scenario = scenario_of(tmp_path, dedent(text))
    day = simulated(scenario)
    record = day.record((1, 1))
    assert record is not None
    assert day.end == record.ended
    assert day.measures["utilisation"] == pytest.approx(0.5, rel=0.05)
    simulator = scenario.simulator()
    simulator.observe()
    simulator.run()
    assert simulator.now > day.end + 300 * 86400, "the simulation itself looks for a year"
    assert end_of_day(simulator) == day.end
    simulator = replace(scenario, until=day.end + 9000).simulator()
    simulator.observe()
    simulator.run()
    assert end_of_day(simulator) == day.end + 9000, "who says where it ends means that"


@pytest.mark.parametrize(
    ("command", "used", "slots"),
    [
        # From the middle on there are four slots in place of two.
        ("qconf -mattr queue slots 4 all.q", 2 * 1000, 2 * 500 + 4 * 500),
        # What the first task ran before it was sent back was granted to it, too; it waits for the next run.
        ("qmod -rj 1", 2 * 1000 - 10, 2 * 1000),
    ],
)
def test_utilisation_is_of_the_slots_of_each_moment(command: str, used: int, slots: int, tmp_path: Path) -> None:
    text = f"""
        hosts: {{h1: {{}}}}
        queues: {{all.q: {{hostlist: h1, slots: 2, load_thresholds: NONE}}}}
        scheduler: {{schedule_interval: "0:0:10"}}
        now: 2026-11-24T08:00:00
        simulation: {{until: +1000s, commands: [{{at: +500s, command: {command}}}]}}
        jobs:
        - {{id: 1, owner: ada, submitted: 2026-11-24T08:00:00, qsub: -r y sleep 2000}}
        - {{id: 2, owner: ada, submitted: 2026-11-24T08:00:00, qsub: -r y sleep 2000}}
        """
    numbers = flat(simulated(scenario_of(tmp_path, dedent(text))).measures)
    assert numbers["utilisation"] == pytest.approx(used / slots)
    assert numbers["utilisation_by_queue.all.q"] == numbers["utilisation"]


def test_projects_and_departments_are_those_that_the_qmaster_gives_a_job(tmp_path: Path) -> None:
    text = """
        hosts: {h1: {}}
        queues: {all.q: {hostlist: h1, slots: 4, load_thresholds: NONE}}
        users: {anna: {default_project: sea}, bert: {default_project: sea}}
        projects: {sea: {}, air: {}}
        usersets: {physics: {type: DEPT, entries: anna}}
        now: 2026-11-24T08:00:00
        jobs:
        - {id: 1, owner: anna, submitted: 2026-11-24T07:00:00, qsub: sleep 100,
           tasks: {1: {state: r, granted: {all.q@h1: 1}, started: 2026-11-24T07:59:00}}}
        - {id: 2, owner: bert, submitted: 2026-11-24T08:01:00, qsub: -P air sleep 50}
        - {id: 3, owner: bert, submitted: 2026-11-24T08:01:00, project: NONE, qsub: sleep 50}
        - {id: 4, owner: bert, submitted: 2026-11-24T08:01:00, qsub: sleep 50}
    """
    day = simulated(scenario_of(tmp_path, dedent(text)))
    assert [(record.job, record.project, record.department) for record in day.records] == [
        (1, "sea", "physics"),
        (2, "air", "defaultdepartment"),
        (3, None, "defaultdepartment"),
        (4, "sea", "defaultdepartment"),
    ]
    assert all(record.ended is not None for record in day.records)
    by, shares = day.measures["by"], day.measures["shares"]
    assert isinstance(by, dict)
    assert isinstance(shares, dict)
    for kind in ("project", "department"):
        assert list(by[kind]) == list(shares[kind])


def test_losses_and_suspension_by_hand(tmp_path: Path) -> None:
    text = """
simulation:
  commands:
  - {at: +60s, command: qmod -sj 1}
  - {at: +90s, command: qmod -usj 1}
  - {at: +100s, command: qmod -rj 2}
now: 2026-11-24T08:00:00
jobs:
- {id: 1, owner: anna, submitted: 2026-11-24T08:00:00, runtime: 200, qsub: "-pe mp 3 sleep 200"}
- {id: 2, owner: bob, submitted: 2026-11-24T08:00:00, runtime: 200, qsub: "-r y sleep 200"}
"""
    day = simulated(scenario_of(tmp_path, DAY + text))
    records = {record.job: record for record in day.records}
    assert records[1].suspended == 30
    assert records[1].run_time == 230
    assert day.measures["suspended_slot_seconds"] == 90
    assert records[2].restarts == 1
    assert day.measures["lost_slot_seconds"] == records[2].lost == 100 - (records[1].started or 0) + day.start


def test_starved_are_those_who_wait_too_long(tmp_path: Path) -> None:
    scenario = scenario_of(tmp_path, DAY + JOBS)
    day = simulated(replace(scenario, starved_after=60))
    assert day.measures["starved"] == 1
    assert simulated(scenario).measures["starved"] == 0


def test_jains_index() -> None:
    assert jain([2, 2, 2]) == pytest.approx(1)
    assert jain([1, 0, 0, 0]) == pytest.approx(0.25)
    assert jain([1, 3]) == pytest.approx(16 / 20)
    assert jain([]) is None
    assert jain([0, 0]) is None


def test_a_series_by_hand() -> None:
    series = StepSeries()
    for time, value in ((10, 2.0), (20, 5.0), (20, 4.0), (30, 0.0)):
        series.set(time, value)
    assert (series.at(9), series.at(10), series.at(29), series.at(99)) == (0, 2, 4, 0)
    assert series.area(0, 40) == 60
    assert series.area(15, 25) == 30
    assert series.mean(10, 30) == 3
    assert series.largest(0, 19) == 2
    assert series.sampled(10, 30, 2) == [2, 4]
    other = StepSeries()
    other.set(15, 1.0)
    assert product_area(series, other, 0, 40) == 50


@given(
    st.lists(st.tuples(st.integers(0, 50), st.integers(-5, 5)), max_size=20),
    st.lists(st.tuples(st.integers(0, 50), st.integers(-5, 5)), max_size=20),
    st.integers(0, 50), st.integers(0, 50),
)  # fmt: skip
def test_areas_are_sums_over_seconds(
    one: list[tuple[int, int]], two: list[tuple[int, int]], first: int, last: int
) -> None:
    start, end = sorted((first, last))
    series = [StepSeries(), StepSeries()]
    for changes, made in zip((one, two), series, strict=True):
        for time, value in sorted(changes, key=lambda change: change[0]):
            made.set(time, value)
    seconds = range(start, end)
    assert series[0].area(start, end) == sum(series[0].at(second) for second in seconds)
    assert product_area(series[0], series[1], start, end) == sum(series[0].at(s) * series[1].at(s) for s in seconds)
    assert series[0].largest(start, end) == max((series[0].at(s) for s in seconds), default=series[0].at(start))


def test_edits_change_what_is_measured(tmp_path: Path) -> None:
    scenario = scenario_of(tmp_path, DAY + JOBS)
    more = replace(scenario, edits=(read_edit(scenario.cluster, "queues.all.q.slots=8"),))
    assert flat(simulated(more).measures)["wait.max"] < flat(simulated(scenario).measures)["wait.max"]


def test_entitled_by_the_share_tree_and_equally(tmp_path: Path) -> None:
    tree = """
users: {anna: {}, bob: {}, cleo: {}}
sharetree: |
  id=0
  name=Root
  type=0
  shares=1
  childnodes=1,2
  id=1
  name=anna
  type=0
  shares=60
  childnodes=NONE
  id=2
  name=default
  type=0
  shares=20
  childnodes=NONE
"""
    jobs = """
now: 2026-11-24T08:00:00
jobs:
- {id: 1, owner: anna, submitted: 2026-11-24T08:00:00, runtime: 100, qsub: "sleep 100"}
- {id: 2, owner: bob, submitted: 2026-11-24T08:00:00, runtime: 100, qsub: "sleep 100"}
- {id: 3, owner: cleo, submitted: 2026-11-24T08:00:00, runtime: 100, qsub: "sleep 100"}
"""
    shared = DAY.replace("weight_tickets_functional: 100", "weight_tickets_share: 100")
    numbers = flat(simulated(scenario_of(tmp_path, shared + tree + jobs)).measures)
    assert [numbers[f"shares.owner.{name}.entitled"] for name in ("anna", "bob", "cleo")] == pytest.approx(
        [0.6, 0.2, 0.2]
    )
    equal = DAY.replace("weight_tickets_functional: 100", "weight_tickets_functional: 0")
    numbers = flat(simulated(scenario_of(tmp_path, equal + jobs)).measures)
    assert numbers["shares.owner.bob.entitled"] == pytest.approx(1 / 3)
    assert numbers["jain.owner"] == pytest.approx(1)


def test_tasks_that_are_deleted_wait_no_longer(tmp_path: Path) -> None:
    text = """
simulation: {until: +300s, commands: [{at: +100s, command: qdel 2}]}
now: 2026-11-24T08:00:00
jobs:
- {id: 1, owner: anna, submitted: 2026-11-24T08:00:00, runtime: 200, qsub: "-pe mp 4 sleep 200"}
- {id: 2, owner: bob, submitted: 2026-11-24T08:00:00, runtime: 200, qsub: "sleep 200"}
- {id: 3, owner: bob, submitted: 2026-11-24T08:00:00, runtime: 200, qsub: "-h sleep 200"}
"""
    numbers = flat(simulated(scenario_of(tmp_path, DAY + text)).measures)
    assert numbers["queue_length.mean"] == pytest.approx((2 * 100 + 200) / 300)
    assert numbers["oldest_wait.max"] == 300
    # Nothing is free up to 200; then only what is held waits.
    assert numbers["fragmentation"] == 0


def test_charts_are_means_over_parts_of_the_day(tmp_path: Path) -> None:
    scenario = scenario_of(tmp_path, DAY + JOBS)
    day = simulated(replace(scenario, until=scenario.state.now + 1200))
    assert {len(row) for row in day.charts.values()} == {120}
    used, queue = day.charts["slots used"], day.charts["slots used in all.q"]
    assert used == queue
    assert sum(used) * 10 == pytest.approx(3 * 100 + 50 + 2 * 100)
    assert day.charts["used of lic"][0] == 3
    assert day.charts["waiting"][:11] == pytest.approx([1] * 10 + [0])
    assert day.charts["project p received"][:11] == pytest.approx([0.75] * 5 + [1] * 5 + [0])
    assert day.charts["project p entitled"][:11] == pytest.approx([0.75] * 10 + [0])


def test_what_is_observed_goes_with_copies_and_pickles(tmp_path: Path) -> None:
    simulator = scenario_of(tmp_path, DAY + JOBS).simulator()
    simulator.observe()
    simulator.step()
    simulator.step()
    others = [simulator.copy(), pickle.loads(pickle.dumps(simulator.copy()))]
    found = []
    for one in (*others, simulator):
        one.run()
        assert one.observations is not None
        found.append(one.observations.measures(one.now))
    assert found[0] == found[1] == found[2]
    assert found[0]["queue_length"] != {"mean": 0.0, "max": 0.0}


TASKS = st.lists(
    st.tuples(st.integers(0, 300), st.integers(1, 200), st.integers(1, 4), st.sampled_from("ab"), st.booleans()),
    min_size=1, max_size=12,
)  # fmt: skip


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Scenario:
    return scenario_of(tmp_path_factory.mktemp("site"), DAY + "now: 2026-11-24T08:00:00\n")


@given(TASKS)
def test_what_is_observed_is_what_the_records_say(
    empty: Scenario, tasks: list[tuple[int, int, int, str, bool]]
) -> None:
    now = empty.state.now
    jobs = []
    for number, (after, seconds, slots, owner, held) in enumerate(tasks, 1):
        line = f"-pe mp {slots}" + (" -h" if held else "") + f" sleep {seconds}"
        parsed = parse_qsub(line, now=now)
        jobs.append(Job(number, owner, now + after, parsed.request, parsed.name, runtime=seconds, qsub=line))
    day = simulated(replace(empty, state=replace(empty.state, jobs=tuple(jobs)), until=now + 3000))
    numbers = flat(day.measures)
    slot_seconds = sum(one.slots * (one.run_time or 0) for one in day.records)
    waited = sum((day.end if one.started is None else one.started) - one.submitted for one in day.records)
    assert sum(day.charts["slots used"]) * 25 == pytest.approx(slot_seconds)
    assert max(day.charts["slots used"]) <= 4
    assert numbers["queue_length.mean"] * 3000 == pytest.approx(waited)
    assert numbers["oldest_wait.max"] == max(
        (day.end if one.started is None else one.started) - one.submitted for one in day.records
    )
    if slot_seconds:
        parts = [value for name, value in numbers.items() if name.startswith("shares.owner") and "received" in name]
        assert sum(parts) == pytest.approx(1)
        assert 0 < numbers["jain.owner"] <= 1 + 1e-9
    assert 0 <= numbers["fragmentation"] <= 1
