"""The same work under several policies."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from qmon_tui.simulation import Policy, Scenario, compared, read_edit
from qmon_tui.simulation.scenario import runs_at, simulated
from qmon_tui.sources import read_folder
from qmon_tui.workspace import read_work_source

FOLDER = """
hosts: {h1: {}}
queues: {all.q: {hostlist: h1, slots: 1, load_thresholds: NONE}}
scheduler: {schedule_interval: 0:0:5, flush_submit_sec: 1, flush_finish_sec: 1, weight_urgency: 0, weight_priority: 1}
complexes: {gpu: {shortcut: gpu, type: INT, relop: <=, requestable: YES, consumable: NO, default: 0, urgency: 1000}}
jobs:
- {id: 1, owner: anna, submitted: 2026-11-24T08:00:00, qsub: "sleep 100", runtime: 100}
- {id: 2, owner: anna, submitted: 2026-11-24T08:00:01, qsub: "sleep 100", runtime: 100}
- {id: 3, owner: bob, submitted: 2026-11-24T08:00:02, qsub: "-hard -l gpu=1 -N urgent sleep 100", runtime: 100}
now: 2026-11-24T08:00:00
"""
HOST = "hosts: {h1: {complex_values: gpu=1}}"


@pytest.fixture
def scenario(tmp_path: Path) -> Scenario:
    (tmp_path / "c.yaml").write_text(FOLDER.replace("hosts: {h1: {}}", HOST))
    reading = read_folder(str(tmp_path))
    return Scenario(reading.cluster, reading.state)


def urgent(scenario: Scenario) -> Scenario:
    return replace(scenario, edits=(read_edit(scenario.cluster, "scheduler.weight_urgency=10"),))


def test_who_gains_and_who_loses_and_why(scenario: Scenario) -> None:
    found = compared([Policy("first come", scenario), Policy("urgent first", urgent(scenario))])
    (against,) = found.against
    (gaining,), (losing,) = against.gaining, against.losing
    assert (gaining.job, gaining.owner, losing.job) == (3, "bob", 2)
    assert gaining.change == -losing.change < 0
    assert against.changed == 2
    divergence = against.divergence
    assert divergence is not None
    assert [one.job for one in divergence.first] == [2]
    assert [one.job for one in divergence.other] == [3]
    assert divergence.time - scenario.state.now < 110
    reason = gaining.reason
    assert reason is not None
    first, other = reason.in_runs
    assert first is not None
    assert other is not None
    assert (first.starts_on, other.starts_on) == ((), ("all.q@h1",))
    assert first.rank == 2
    assert first.behind.startswith("behind job 2 by submission time")
    assert dict(other.terms)["urgency"] == pytest.approx(10)
    assert [one.name for one in against.owners] == ["bob", "anna"]


def test_the_same_policy_makes_no_difference(scenario: Scenario) -> None:
    found = compared([Policy("a", scenario), Policy("b", scenario)], range(3))
    assert all(one.differences[0] is not None and one.differences[0].is_nothing for one in found.measures)
    assert found.against[0].divergence is None
    assert found.against[0].gaining == found.against[0].losing == ()


def test_days_are_told_by_their_numbers_alone(scenario: Scenario) -> None:
    policies = [Policy("a", scenario), Policy("b", urgent(scenario))]
    alone, together = compared(policies, range(3)), compared(policies, range(3), processes=2)
    assert alone == together
    waits = next(one for one in alone.measures if one.name == "wait.mean")
    assert waits.differences[0] is not None
    assert waits.differences[0].count == 3


def test_a_job_that_never_starts_ends_the_day_after_a_week(tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text(FOLDER + "calendars: {night: {week: mon-sun=20-8=off}}\n")
    reading = read_folder(str(tmp_path))
    found = compared([Policy("a", Scenario(reading.cluster, reading.state))] * 2)
    assert found.days[0].end - reading.state.now < 9 * 86400


def test_users_of_a_trace_are_drawn_again_for_other_days(tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text("""
hosts: {h1: {}}
queues: {all.q: {hostlist: h1, slots: 1, load_thresholds: NONE}}
""")
    lines = [f"{n} {200 * n} 0 100 1 -1 -1 1 -1 -1 1 {n % 5 + 1} 1 -1 1 -1 -1 -1" for n in range(1, 31)]
    (tmp_path / "work.swf").write_text("; UnixStartTime: 1764576000\n" + "\n".join(lines) + "\n")
    reading = read_folder(str(tmp_path))
    source = read_work_source(reading, str(tmp_path / "work.swf"))
    scenario = Scenario(reading.cluster, source.state, trace=source.trace)
    days = [simulated(replace(scenario, seed=seed)) for seed in (0, 1, 1, 2)]
    assert [len(day.records) for day in days[:1]] == [30]
    assert days[0].measures != days[1].measures == days[2].measures != days[3].measures


def test_runs_are_found_from_copies_as_from_the_beginning(tmp_path: Path) -> None:
    draw = Random(7)
    jobs = "".join(
        f"- {{id: {number}, owner: {draw.choice('ab')}, submitted: +{draw.randrange(9000)}s, "
        f"qsub: sleep {draw.randrange(20, 400)}}}\n"
        for number in range(1, 200)
    )
    (tmp_path / "c.yaml").write_text(FOLDER[: FOLDER.index("jobs:")] + f"now: 2026-11-24T08:00:00\njobs:\n{jobs}")
    reading = read_folder(str(tmp_path))
    scenario = Scenario(reading.cluster, reading.state, length=20_000, keeps_copies=True)
    day = simulated(scenario)
    asked = [(record.started, (record.job, 1)) for record in day.records if record.started is not None]
    assert len(asked) > 50
    assert len(day.copies) > 10
    for question in draw.sample(asked, 20):
        key = question[1]
        plain, copied = (runs_at(scenario, [question], copies)[question] for copies in ((), day.copies))
        assert key in copied.started
        assert (copied.started, copied.order, copied.waiting) == (plain.started, plain.order, plain.waiting)
    together = runs_at(scenario, asked, day.copies)
    assert all(question[1] in together[question].started for question in asked)
