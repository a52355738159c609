"""What running jobs keep (clients.md#running-jobs)."""

import pytest

from qmon_tui.model.jobs import Job, Task
from qmon_tui.qmaster.running_job_check import (
    has_running_tasks,
    objection_to_consumables,
    objection_to_project_or_ar,
)
from qmon_tui.scheduler.configuration import compile_cluster
from tests.unit.scheduler.building import attribute, cluster, job, project

ON = compile_cluster(
    cluster(
        attribute("lic l INT <= YES YES 0"),
        attribute("mem m MEMORY <= YES YES 0"),
        attribute("gpu gpu BOOL EXCL YES YES 0"),
        project("sea"),
    )
)


def placed(options: str, letters: str = "r") -> Job:
    return job(1, options, tasks={1: Task(letters, {"a.q@n1": 1})})


@pytest.mark.parametrize(("letters", "is_running"), [("r", True), ("s", True), ("S", True), ("T", True), ("Rq", False)])
def test_what_counts_as_running(letters: str, is_running: bool) -> None:
    assert has_running_tasks(placed("", letters)) is is_running
    said = objection_to_consumables(ON, placed("-l lic=1", letters), job(1, "-l lic=2"))
    assert (said is not None) is is_running


MISSING = 'denied: former resource request on consumable "{}" of running job missing in new resource request'
CHANGED = 'denied: can\'t change consumable resource request "{}" of running job'
ADDED = 'denied: resource request on consumable "{}" of running job was not contained in former resource request'


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("", "", None),
        ("-l lic=1", "-l lic=1", None),
        ("-l lic=1,mem=1G", "-l m=1024M,l=1", None),
        ("-l gpu", "-l gpu=1", None),
        ("-l h_rt=60", "-l h_rt=90", None),
        ("-l lic=1", "", MISSING.format("lic")),
        ("-l mem=1G,lic=1", "-l arch=x", MISSING.format("mem")),
        ("-l lic=1", "-l lic=2", CHANGED.format("lic")),
        ("", "-l m=1", ADDED.format("mem")),
        ("-l lic=1", "-l lic=1,mem=1", ADDED.format("mem")),
    ],
)
def test_consumables(before: str, after: str, said: str | None) -> None:
    assert objection_to_consumables(ON, placed(before), job(1, after)) == said


@pytest.mark.parametrize(
    ("after", "names_reservation", "letters", "is_refused"),
    [
        ("", False, "r", False),
        ("-P sea", False, "r", True),
        ("-P sea", False, "Rq", False),
        ("", True, "r", True),
        ("", True, "Rq", False),
    ],
)
def test_project_and_reservation(after: str, names_reservation: bool, letters: str, is_refused: bool) -> None:
    said = objection_to_project_or_ar(ON, placed("", letters), job(1, after), names_reservation=names_reservation)
    assert said == ("job 1 can't modify running jobs" if is_refused else None)
