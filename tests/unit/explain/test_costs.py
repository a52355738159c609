"""What an offer costs others: who would start now and does not with it, as a run of the changed world shows."""

import re

import pytest

from qmon_tui.explain import Explanation
from qmon_tui.explain.explainer import explain
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.jobs import Job, Task
from qmon_tui.model.outcome import Outcome
from qmon_tui.qmaster.scheduling import schedule
from qmon_tui.values import format_time
from tests.unit.explain.test_properties import SCENARIOS, explained, made
from tests.unit.scheduler.building import NOW, cluster, environment, job, queue, running, scheduler, state


def why(on: Cluster, number: int, *jobs: Job) -> Explanation:
    return explain(on, state(jobs), number)


def test_who_loses_the_place_is_named() -> None:
    on = cluster(queue("all.q", "h1", 1), scheduler(weight_priority=1))
    explanation = why(on, 2, job(1), job(2))
    costs = {change.description: change.costs for change in explanation.changes}
    assert costs["raise the POSIX priority of job 2 from 0 to 1"] == ("job 1 would not start in this run",)
    assert costs["raise the slots of queue instance all.q@h1 from 1 to 2"] == ()


def test_tasks_of_arrays_are_counted_and_many_jobs_too() -> None:
    on = cluster(queue("all.q", "h1", 8, pe_list="mp"), environment("mp", "$pe_slots"), scheduler(weight_urgency=0))
    ahead = [job(1, "-t 1-2"), *(job(number) for number in range(2, 8))]
    explanation = why(on, 9, *ahead, job(9, "-pe mp 8 -p -5"))
    costs = [change.costs for change in explanation.changes if change.field == "-p"]
    assert costs[0] == ("jobs 1 (2 tasks), 2, 3, 4, 5 and 2 more would not start in this run",)


def test_a_reservation_that_is_given_up_is_told() -> None:
    on = cluster(queue("all.q", "h1", 2, pe_list="mp"), environment("mp", "$pe_slots"), scheduler(max_reservation=5))
    now_running = job(1, "-l h_rt=0:10:0", tasks={1: Task("r", {"all.q@h1": 1}, NOW)})
    explanation = why(on, 3, now_running, job(2, "-pe mp 2 -R y"), job(3, "-l h_rt=1:0:0"))
    costs = {change.description: change.costs for change in explanation.changes}
    (cost,) = costs["cancel the reservation of job 2"]
    assert cost.startswith("the reservation of job 2 for ")
    assert cost.endswith(" would be gone")
    assert cost.split()[6] > format_time(NOW)


def test_what_would_stand_still_is_told() -> None:
    on = cluster(queue("hi", "h1", 1, subordinate_list="lo=2"), queue("lo", "h1", 4), scheduler(maxujobs=0))
    explanation = why(on, 3, running(1, "hi@h1"), running(2, "lo@h1"), job(3, "-q hi"))
    costs = [change.costs for change in explanation.changes if "slots of queue instance hi@h1" in change.description]
    assert costs == [("job 2 would be suspended",)]


@pytest.mark.parametrize(("name", "number"), SCENARIOS)
def test_of_drawn_clusters_the_jobs_that_are_named_do_not_start(name: str, number: int) -> None:
    for world, given, explanation in explained(name, number, with_changes=True):
        before = started(schedule(world, given))
        for change in explanation.changes:
            changed = (world, given)
            for part in (change, *change.also):
                changed = made(*changed, part)
            lost = {job for job, task in before - started(schedule(*changed)) if job != explanation.job}
            told = [cost for cost in change.costs if cost.endswith("would not start in this run")]
            assert bool(told) == bool(lost), (change, lost)
            for cost in told:
                named = {int(text) for text in re.findall(r"\d+", re.sub(r"\(.*?\)|and \d+ more", "", cost))}
                assert named <= lost


def started(outcome: Outcome) -> set[tuple[int, int]]:
    return {(job.id, task.task) for job in outcome.jobs for task in job.tasks if task.granted}
