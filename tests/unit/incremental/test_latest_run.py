"""The last run stands for the next one where an edit has changed nothing that decides, and only there."""

from dataclasses import replace

import pytest

from qmon_tui.incremental.latest_run import LatestRun
from qmon_tui.model import Cluster, ConfigObject, Kind, config_object
from qmon_tui.qmaster import Run, simulate
from qmon_tui.scheduler import session_of
from qmon_tui.scheduler.priority import FORMULAS, GRID_ENGINE
from tests.unit.scheduler.building import (
    NOW,
    attribute,
    cluster,
    environment,
    host,
    job,
    project,
    queue,
    running,
    scheduler,
    state,
    user,
    userset,
)

LIC = "lic lic INT <= YES YES 0"
ON = cluster(
    attribute(LIC), host("h1", "lic=9"), host("h2", "lic=9"), queue("a.q", "h1 h2", 4), queue("b.q", "h1", 2),
    environment("mpi"), project("blue", fshare=5), user("anna", fshare=1), userset("staff", "anna"),
)  # fmt: skip
JOBS = state([running(1, "a.q@h1", "-l lic=1"), job(2, "-l lic=2"), job(3, "-q a.q@h9")])


def again(latest: LatestRun, on: Cluster) -> Run | None:
    return latest.again(session_of(on).compiled(JOBS), JOBS, NOW, GRID_ENGINE)


@pytest.mark.parametrize(
    ("edit", "stands"),
    [
        ([], True),
        ([queue("a.q", "h1 h2", 4, prolog="/bin/true")], True),
        ([queue("a.q", "h1 h2", 4, h_rt="9")], False),
        ([queue("a.q", "h1 h2", 4, seq_no="9")], False),
        ([queue("a.q", "h1 h2", 5)], True),
        ([queue("b.q", "h2", 2)], False),
        ([queue("c.q", "h1", 4)], False),
        ([queue("c.q", "NONE", 4)], False),
        ([queue("a.q", "h1 h2", 4, seq_no="0,[h9=5]")], True),
        ([queue("a.q", "h1 h2", 4, complex_values="NONE,[h9=lic=5]")], False),
        ([host("h1", "lic=8")], True),
        ([host("h1", "lic=2")], False),
        ([host("h3", "lic=9")], False),
        ([scheduler(weight_urgency="0.5")], False),
        ([scheduler(max_reservation="1")], False),
        ([scheduler(reprioritize_interval="0:2:0")], True),
        ([attribute(f"{LIC} 5")], False),
        ([project("blue", fshare=6)], False),
        ([user("anna", fshare=6)], False),
        ([userset("staff", "bob")], False),
        ([environment("mpi", slots=5)], False),
        ([config_object(Kind.MANAGERS, "managers", {"users": "root anna"})], False),
        ([config_object(Kind.QUOTA, "q", {"name": "q", "enabled": "TRUE", "limit": "to slots=1"})], False),
        ([queue("a.q", "h1 h2", 5), host("h1", "lic=8")], True),
        ([queue("a.q", "h1 h2", 5), host("h1", "lic=2")], False),
    ],
)
def test_which_edits_change_no_decision(edit: list[ConfigObject], stands: bool) -> None:
    latest, run = LatestRun(), simulate(ON, JOBS)
    latest.keep(run)
    edited = ON.with_objects(edit)
    result = again(latest, edited)
    assert (result is not None) is stands
    if result is not None:
        assert result.compiled.cluster is edited
        assert result.dispatch.starts is run.dispatch.starts


def test_a_queue_without_instances_is_known_by_its_name() -> None:
    latest, on = LatestRun(), ON.with_objects([queue("empty.q", "NONE")])
    run = simulate(on, JOBS)
    latest.keep(run)
    renamed = on.without(Kind.QUEUE, "empty.q").with_objects([queue("other.q", "NONE")])
    assert again(latest, on) is not None
    assert again(latest, renamed) is None


def test_a_run_stands_for_its_own_state_time_and_formulas_alone() -> None:
    latest, run = LatestRun(), simulate(ON, JOBS)
    compiled = run.compiled
    assert latest.again(compiled, JOBS, NOW, GRID_ENGINE) is None
    latest.keep(run)
    assert latest.again(compiled, JOBS, NOW, GRID_ENGINE) is not None
    assert latest.again(compiled, replace(JOBS), NOW, GRID_ENGINE) is None
    assert latest.again(compiled, JOBS, NOW + 1, GRID_ENGINE) is None
    assert latest.again(compiled, JOBS, NOW, FORMULAS["reform"]) is None


def test_a_run_is_known_as_long_as_somebody_looks_at_it_or_at_what_stands_for_it() -> None:
    latest = LatestRun()
    made = [simulate(ON, JOBS)]
    latest.keep(made[0])
    stands = again(latest, ON.with_objects([queue("b.q", "h1", 2, prolog="x")]))
    made.clear()
    assert stands is not None
    later = again(latest, ON.with_objects([queue("b.q", "h1", 2, prolog="y")]))
    assert later is not None
    del stands, later
    assert again(latest, ON) is None
