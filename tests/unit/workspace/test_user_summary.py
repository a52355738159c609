"""Who is in a userset, whose jobs and which nodes of the share tree are somebody's, and shapes of JSON."""

import pytest

from qmon_tui.explain.explanation import Derivation
from qmon_tui.model.jobs import Task
from qmon_tui.model.kinds import Kind
from qmon_tui.report.json_report import derivation_json
from qmon_tui.workspace.cross_references import definitions_of_job
from qmon_tui.workspace.policy_summary import UserSetMember, job_totals, jobs_of, members, nodes_of
from tests.unit.scheduler.building import (
    cluster,
    job,
    project,
    queue,
    run,
    running,
    scheduler,
    sharetree,
    user,
    userset,
)

SITE = cluster(
    scheduler(weight_tickets_share=1000),
    queue("all.q", "h1", 1),
    user("anna", fshare=30, oticket=40),
    project("sea"),
    project("anna"),
    userset("crew", "anna, ben,,@staff"),
    userset("nobody", "NONE"),
    sharetree(anna=1, ben=1),
)
OUTCOME = run(SITE, running(1, "all.q@h1"), job(2), job(3, "-t 1-3 -P sea", owner="ben"), job(4, "-h", owner="ben"))


def test_members_come_in_their_order_with_what_they_have() -> None:
    anna, ben, staff = members(SITE, OUTCOME, "crew")
    assert (anna.name, anna.fshare, anna.oticket, anna.running, anna.waiting) == ("anna", "30", "40", 1, 1)
    assert anna.tickets > 0
    assert (ben.name, ben.fshare, ben.oticket, ben.running) == ("ben", "", "", 0)
    assert ben.waiting == 3, "the held job does not wait for a place"
    assert staff == UserSetMember("@staff", "", "", 0, 0, 0)
    assert members(SITE, None, "crew")[0] == UserSetMember("anna", "30", "40", 0, 0, 0)
    assert members(SITE, OUTCOME, "nobody") == members(SITE, OUTCOME, "unknown") == ()


@pytest.mark.parametrize(
    ("kind", "name", "jobs"),
    [
        (Kind.USER, "anna", [1, 2]),
        (Kind.USER, "ben", [3, 4]),
        (Kind.PROJECT, "sea", [3]),
        (Kind.PROJECT, "anna", []),
        (Kind.USERSET, "defaultdepartment", [1, 2, 3, 4]),
        (Kind.USERSET, "anna", []),
    ],
)
def test_jobs_of_somebody(kind: Kind, name: str, jobs: list[int]) -> None:
    assert sorted(one.id for one in jobs_of(OUTCOME, kind, name)) == jobs
    assert jobs_of(None, kind, name) == ()


def test_tasks_that_run_and_that_wait() -> None:
    by_job = {one.id: job_totals(OUTCOME, [one])[:2] for one in OUTCOME.jobs}
    assert (by_job[1], by_job[2], by_job[4]) == ((1, 0), (0, 1), (0, 0))
    tasks = {number: Task(state, {"all.q@h1": 1}) for number, state in enumerate(("s", "dT", "Rq", "hRq", "z"), 1)}
    outcome = run(SITE, job(1, "-t 1-6 -h u", tasks=tasks))
    assert job_totals(outcome, outcome.jobs)[:2] == (2, 1), "held tasks do not wait for a place"


def test_nodes_of_the_share_tree() -> None:
    assert [node.user for node in nodes_of(OUTCOME, Kind.USER, "anna")] == ["anna"]
    assert [node.name for node in nodes_of(OUTCOME, Kind.PROJECT, "anna")] == ["anna"]
    assert nodes_of(OUTCOME, Kind.PROJECT, "ben") == nodes_of(OUTCOME, Kind.USERSET, "anna") == ()
    assert nodes_of(None, Kind.USER, "anna") == ()


def test_what_a_job_names_and_is_not_there_leads_nowhere() -> None:
    names = [place.name for place in definitions_of_job(SITE, job(5, "-q gone.q,all.q -pe none 2 -P sea -l nothing=1"))]
    assert names == ["all.q", "sea", "anna"]


def test_a_number_with_its_parts_as_json() -> None:
    assert derivation_json(None) is None
    derived = Derivation("prior", 0.5, "0.25 × 2", "", (Derivation("nurg", float("inf"), origin="weight_urgency"),))
    shape = derivation_json(derived)
    assert shape is not None
    assert (shape["name"], shape["value"], shape["arithmetic"], shape["origin"]) == ("prior", 0.5, "0.25 × 2", "")
    assert shape["parts"] == [
        {"name": "nurg", "arithmetic": "", "origin": "weight_urgency", "value": 1.7976931348623157e308, "parts": []}
    ]
