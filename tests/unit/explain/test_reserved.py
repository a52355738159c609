"""From which end the time of a reservation follows; and who is backfilled past whom."""

from dataclasses import replace

import pytest

from qmon_tui.explain import Explainer
from qmon_tui.explain.explainer import explain
from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.jobs import Job, Task
from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster.scheduling import simulate
from qmon_tui.values import format_time
from tests.unit.explain.test_properties import rounds
from tests.unit.scheduler.building import NOW, cluster, environment, job, queue, scheduler, state

ON = cluster(queue("all.q", "h1", 2, pe_list="smp"), environment("smp", "$pe_slots"), scheduler(max_reservation=5))


def started(number: int, options: str) -> Job:
    return job(number, options, tasks={1: Task("r", {"all.q@h1": 1}, NOW)})


def own_details(on: Cluster, number: int, *jobs: Job) -> tuple[str, ...]:
    return explain(on, state(jobs), number).groups[0].details


def test_the_end_from_which_a_reservation_follows_is_named() -> None:
    """By reservation.md#duration-of-a-job 60 seconds are added to every duration."""
    jobs = (started(1, "-l h_rt=0:10:0"), job(2, "-pe smp 2 -R y"))
    assert own_details(ON, 2, *jobs) == (
        "that follows from the planned end of job 1, 60 s of DURATION_OFFSET included",
    )
    exact = cluster(
        queue("all.q", "h1", 2, pe_list="smp"), environment("smp", "$pe_slots"),
        scheduler(max_reservation=5, params="DURATION_OFFSET=0"),
    )  # fmt: skip
    assert own_details(exact, 2, *jobs) == ("that follows from the planned end of job 1",)


def test_a_reservation_behind_another_one_names_that() -> None:
    jobs = (started(1, "-l h_rt=0:10:0"), job(2, "-pe smp 2 -R y -l h_rt=0:5:0"), job(3, "-pe smp 2 -R y"))
    assert own_details(ON, 3, *jobs)[0].startswith("that follows from the planned end of job 2 (reserved)")


def test_a_calendar_that_opens_is_what_a_reservation_follows_from() -> None:
    day = config_object(Kind.CALENDAR, "day", {"calendar_name": "day", "week": "mon-sun=12-18"})
    on = cluster(
        day, queue("all.q", "h1", 2, calendar="day"), queue("b.q", "h2", 1), scheduler(max_reservation=5),
    )  # fmt: skip
    (group, *_) = explain(on, state([job(1, "-R y -q all.q")]), 1).groups
    assert group.details == ("that follows from calendar day, which opens then",)


def test_who_starts_past_a_reservation_is_told_past_whom() -> None:
    jobs = (started(1, "-l h_rt=1:0:0"), job(2, "-pe smp 2 -R y"), job(3, "-l h_rt=0:10:0"))
    begins = format_time(NOW + 3660)
    assert explain(ON, state(jobs), 3).notes == (
        f"backfilled: it starts past job 2, which has a reservation from {begins}, and is over before",
    )
    assert explain(ON, state((jobs[0], replace(jobs[1], request=replace(jobs[1].request, reserve=False)), jobs[2])), 3
                   ).notes == ()  # fmt: skip


@pytest.mark.parametrize("number", range(4))
def test_of_drawn_clusters_planned_ends_are_those_of_the_run(number: int) -> None:
    for world, given in rounds("reservation", number):
        run = simulate(world, given)
        explainer = Explainer(run)
        for plan in run.dispatch.reserved:
            explanation = explainer.explanation(plan.job, plan.task)
            told = [group for group in explanation.groups if "has a reservation" in group.message]
            assert [group.message.endswith(format_time(plan.start)) for group in told] == [True]
        for start in run.dispatch.starts:
            for note in explainer.explanation(start.run_job.id, start.task).notes:
                assert note.startswith("backfilled: ")
