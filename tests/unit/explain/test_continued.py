"""Changes where one is not enough, because something else is in the way once it is made; and advance reservations."""

from dataclasses import replace

from qmon_tui.explain import Change
from qmon_tui.explain.explainer import explain
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.jobs import AdvanceReservation, Job
from qmon_tui.qmaster.scheduling import schedule
from tests.unit.scheduler.building import NOW, cluster, configuration, job, queue, running, scheduler, state

FULL = cluster(queue("all.q", "h1", 1), scheduler(maxujobs=1))


def parts(on: Cluster, number: int, *jobs: Job, task: int | None = None, **more: object) -> list[list[str]]:
    """The descriptions of each change, those that belong together in one list."""
    changes = explain(on, state(jobs, **more), number, task).changes
    return [[one.description for one in (change, *change.also)] for change in changes]


def test_what_is_in_the_way_of_a_change_is_changed_besides() -> None:
    assert parts(FULL, 3, running(1, "all.q@h1"), job(2, owner="anna"), job(3, owner="anna")) == [
        ["raise the slots of queue instance all.q@h1 from 1 to 3", "raise maxujobs from 1 to 3"]
    ]


def test_of_changes_that_belong_together_each_is_as_small_as_possible() -> None:
    ahead = [job(number, owner=f"other{number}") for number in range(2, 9)]
    mine = running(20, "all.q@h1", owner="anna")
    assert parts(FULL, 30, mine, *ahead, job(30, owner="anna")) == [
        ["raise the slots of queue instance all.q@h1 from 1 to 9", "raise maxujobs from 1 to 2"]
    ]


def test_a_job_leaves_an_advance_reservation_that_has_not_begun() -> None:
    on = cluster(queue("all.q", "h1", 2), scheduler())
    later = AdvanceReservation(7, "anna", NOW + 600, NOW + 1200, {"all.q@h1": 1}, state="w")
    waiting = job(1, "-ar 7 -l h_rt=60")
    world = replace(state([waiting]), reservations=(later,))
    (change,) = explain(on, world, 1).changes
    assert (change.description, change.command) == (
        "let job 1 run outside of advance reservation 7", "qalter -ar 0 1"
    )  # fmt: skip
    assert change.starts_on == ("all.q@h1",)


def test_an_advance_reservation_that_nobody_uses_is_given_back_but_none_with_jobs() -> None:
    on = cluster(queue("all.q", "h1", 1), scheduler(default_duration="1:0:0"))
    later = AdvanceReservation(7, "anna", NOW + 600, NOW + 1200, {"all.q@h1": 1}, state="w")

    def offered(*jobs: Job) -> list[Change]:
        return list(explain(on, replace(state(jobs), reservations=(later,)), 1).changes)

    assert schedule(on, state([job(1)])).jobs[0].tasks[0].granted
    alone = [(change.description, change.command) for change in offered(job(1))]
    assert ("give back advance reservation 7, which no job uses", "qrdel 7") in alone
    assert not any("give back" in change.description for change in offered(job(1), job(2, "-ar 7")))


def test_of_an_array_that_has_begun_the_first_task_that_waits_is_explained() -> None:
    on = cluster(queue("all.q", "h1", 9), configuration(max_aj_instances="2"), scheduler())
    explanation = explain(on, state([job(1, "-t 1-4")]), 1)
    assert (explanation.task, explanation.state) == (3, "qw")
    assert explanation.changes[0].description == "raise max_aj_instances from 2 to 3"
