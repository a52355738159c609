import json
import math
import sys
from dataclasses import fields, replace
from pathlib import Path

import pytest

from qmon_tui.explain import Explainer
from qmon_tui.explain.explainer import explain
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.findings import Finding, Severity
from qmon_tui.model.outcome import Outcome
from qmon_tui.model.state import State
from qmon_tui.qmaster.scheduling import schedule, simulate
from qmon_tui.report.json_report import check_json, finite, schedule_json, why_json
from qmon_tui.sources import Reading, read_folder
from qmon_tui.values.times import parse_time

TEACHING = Path(__file__).parents[3] / "configs" / "teaching"

# The keys that DESIGN section 5 promises.
NUMBERS = {"prior", "ntckts", "tckts", "otckt", "ftckt", "stckt", "share"}
URGENCY = {"nurg", "npprior", "ppri", "urg", "rrcontr", "wtcontr", "dlcontr", "ovrts"}
JOB = {"id", "name", "owner", "project", "department", "slots", "tasks", "rejected", "reasons"} | NUMBERS | URGENCY
TASK = {"task", "state", "granted", "reserved"} | NUMBERS
INSTANCE = {"name", "state", "used", "reserved", "total", "values"}


@pytest.fixture(scope="module")
def teaching() -> Reading:
    return read_folder(TEACHING)


@pytest.fixture(scope="module")
def outcome(teaching: Reading) -> Outcome:
    return schedule(teaching.cluster, teaching.state)


def test_a_finding_has_the_promised_keys() -> None:
    finding = Finding("complex.relop", Severity.ERROR, "complex", "gpu", "relop", "no", "mend", "a.yaml", 3, 7)
    assert check_json([finding]) == {
        "findings": [
            {
                "rule": "complex.relop",
                "severity": "error",
                "kind": "complex",
                "name": "gpu",
                "field": "relop",
                "message": "no",
                "hint": "mend",
                "file": "a.yaml",
                "line": 3,
            }
        ]
    }


def test_a_run_has_the_promised_keys_and_unrounded_numbers(outcome: Outcome) -> None:
    shape = json.loads(json.dumps(schedule_json(outcome), allow_nan=False))
    assert set(shape) == {"at", "jobs", "queue_instances", "messages"}
    assert parse_time(shape["at"]) == outcome.at
    for job, original in zip(shape["jobs"], outcome.jobs, strict=True):
        assert set(job) == JOB
        assert job["prior"] == original.prior
        assert all(set(task) == TASK for task in job["tasks"])
    assert all(set(instance) == INSTANCE for instance in shape["queue_instances"])


def test_what_is_not_simulated_is_never_left_unsaid(outcome: Outcome) -> None:
    job = outcome.jobs[0]._replace(not_simulated=("parallel environment mpi",))
    shape = json.loads(json.dumps(schedule_json(replace(outcome, jobs=(job,), not_simulated=("quotas",)))))
    assert shape["not_simulated"] == ["quotas"]
    assert shape["jobs"][0]["not_simulated"] == ["parallel environment mpi"]


def test_infinite_numbers_are_numbers_still(outcome: Outcome) -> None:
    job = outcome.jobs[0]._replace(prior=math.inf, urg=-math.inf, share=math.nan)
    shape = json.loads(json.dumps(schedule_json(replace(outcome, jobs=(job,))), allow_nan=False))
    numbers = shape["jobs"][0]
    assert (numbers["prior"], numbers["urg"], numbers["share"]) == (sys.float_info.max, -sys.float_info.max, None)
    assert finite(1.5) == 1.5


def test_the_terms_of_an_explanation_add_up(teaching: Reading) -> None:
    shape = json.loads(json.dumps(why_json(explain(teaching.cluster, teaching.state, 7)), allow_nan=False))
    assert math.isclose(sum(term["value"] for term in shape["terms"]), shape["prior"], abs_tol=1e-12)
    assert all(
        math.isclose(term["weight"] * term["normalised"], term["value"], abs_tol=1e-12) for term in shape["terms"]
    )
    assert (shape["job"], shape["task"], shape["rank"], shape["pending"]) == (7, 1, 1, 5)


def test_the_changes_tried_are_listed_if_some_were_searched_for(teaching: Reading) -> None:
    explainer = Explainer(simulate(teaching.cluster, teaching.state))
    tried = why_json(explainer.explanation(7, with_changes=True))["tried"]
    assert tried == ["raise lic of the global host from 3 to 67", "drop the request lic=1 of job 7"]
    assert "tried" not in why_json(explainer.explanation(7))


def test_an_empty_cluster_has_a_shape_too() -> None:
    shape = schedule_json(schedule(Cluster(), State(now=0)))
    assert (shape["jobs"], shape["queue_instances"]) == ([], [])
    assert {field.name for field in fields(Outcome)} >= set(shape)
