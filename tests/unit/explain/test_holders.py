"""Who holds what a job lacks, how much each, and until when at the latest."""

import pytest

from qmon_tui.explain import Explainer, Explanation, Holder
from qmon_tui.explain.explainer import explain
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.jobs import Job, Task
from qmon_tui.qmaster.scheduling import simulate
from qmon_tui.report.reason_text import details_of
from qmon_tui.scheduler.matching import CONSUMABLE
from tests.unit.explain.test_next_slot import quota
from tests.unit.explain.test_properties import SCENARIOS, rounds
from tests.unit.scheduler.building import NOW, attribute, cluster, host, job, queue, state

LIC = attribute("lic lic INT <= YES YES 0")
ONCE = attribute("once once INT <= YES JOB 0")


def why(on: Cluster, number: int, *jobs: Job) -> Explanation:
    return explain(on, state(jobs), number)


def started(number: int, place: str, options: str, minutes: int = 0, owner: str = "anna", slots: int = 1) -> Job:
    granted = Task("r", {place: slots}, NOW - 60 * minutes)
    known = job(number, options, owner=owner, tasks={1: granted})
    return Job(known.id, owner, known.submitted, known.request, known.name, tasks=known.tasks)


def holders(explanation: Explanation) -> list[tuple[int, float, int | None, str]]:
    return [
        (holder.job, holder.amount, holder.until, holder.by) for group in explanation.groups for holder in group.holders
    ]


def test_who_holds_a_consumable_of_the_global_host() -> None:
    """By reservation.md#duration-of-a-job the limit of the job counts before that of its queue."""
    on = cluster(LIC, queue("all.q", "h1", 9, h_rt="2:0:0"), host("global", "lic=3"))
    jobs = (
        started(1, "all.q@h1", "-l lic=1,h_rt=1:0:0", 10),
        started(2, "all.q@h1", "-l lic=2", 20, owner="bert"),
        started(3, "all.q@h1", "", 20),
    )
    explanation = why(on, 4, *jobs, job(4, "-l lic=1"))
    assert holders(explanation) == [(1, 1, NOW + 3000, "h_rt"), (2, 2, NOW + 6000, "h_rt")]
    (group,) = explanation.groups
    (line,) = details_of(group, NOW)
    assert line.startswith("held by job 1 (anna): 1 until ")
    assert "; job 2 (bert): 2 until " in line


def test_slots_of_one_queue_instance_are_held_by_what_runs_there_and_starts_now() -> None:
    on = cluster(queue("a.q", "h1", 2), queue("b.q", "h2", 1))
    jobs = (started(1, "a.q@h1", ""), started(2, "b.q@h2", ""))
    explanation = why(on, 4, *jobs, job(3, "-q a.q"), job(4, "-q a.q"))
    assert [(number, amount) for number, amount, _, _ in holders(explanation)] == [(1, 1), (3, 1)]


def test_what_counts_against_a_quota_is_of_the_same_user_only() -> None:
    on = cluster(LIC, queue("all.q", "h1", 9), host("global", "lic=9"), quota("users {*} to lic=2"))
    jobs = (started(1, "all.q@h1", "-l lic=2"), started(2, "all.q@h1", "-l lic=2", owner="bert"))
    assert [(number, amount) for number, amount, _, _ in holders(why(on, 3, *jobs, job(3, "-l lic=1")))] == [(1, 2)]


def test_many_holders_are_counted() -> None:
    explanation = why(cluster(queue("all.q", "h1", 5)), 6, *(started(n, "all.q@h1", "") for n in range(1, 6)), job(6))
    (line,) = (line for group in explanation.groups for line in details_of(group, NOW))
    assert line.endswith("; and 2 more")
    assert "with no end known" in line


@pytest.mark.parametrize(("name", "number"), SCENARIOS)
def test_of_drawn_clusters_the_amounts_add_up_to_what_is_in_use(name: str, number: int) -> None:
    for world, given in rounds(name, number):
        run = simulate(world, given)
        explainer = Explainer(run)
        for waiting in [one for one in explainer.outcome.jobs if any(not task.granted for task in one.tasks)][-3:]:
            for group in explainer.explanation(waiting.id).groups:
                level = run.resources.global_level
                if group.level != "global" or f"{CONSUMABLE}:" not in group.message or group.attribute is None:
                    continue
                held = sum(holder.amount for holder in group.holders)
                assert held <= level.used[group.attribute] + 1e-6


def test_holders_are_told_who_ends_first_before_the_others() -> None:
    assert [Holder(1, None, "a", 1, "1", until).until for until in (5, None)] == [5, None]
