"""When a job would start by itself, and after what."""

from dataclasses import replace

import pytest

from qmon_tui.explain import ExpectedStart, Explainer
from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.jobs import Job
from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster.scheduling import simulate
from qmon_tui.report.reason_text import waiting_words
from qmon_tui.simulation import expected_start
from qmon_tui.values import format_time
from tests.unit.explain.test_holders import LIC, started
from tests.unit.explain.test_properties import SCENARIOS, rounds
from tests.unit.scheduler.building import NOW, cluster, configuration, host, job, queue, scheduler, state

ONE = cluster(queue("all.q", "h1", 1), scheduler(default_duration="INFINITY"))


def expected(on: Cluster, number: int, *jobs: Job, **more: object) -> ExpectedStart | None:
    task = more.pop("task", None)
    assert task is None or isinstance(task, int)
    return expected_start(Explainer(simulate(on, state(jobs, **more))), number, task)


def test_it_starts_when_what_runs_has_ended() -> None:
    """By lifecycle.md#events-between-runs the end of a task frees all that it had at once."""
    start = expected(ONE, 2, started(1, "all.q@h1", "-l h_rt=0:10:0", 4), job(2))
    assert start == ExpectedStart(NOW + 360, "job 1 has ended (h_rt)")
    clock = format_time(NOW + 360).partition("T")[2][:5]
    assert waiting_words(start, NOW) == f"wait: it would start at about {clock}, when job 1 has ended (h_rt)"


def test_who_is_ahead_starts_before() -> None:
    jobs = (started(1, "all.q@h1", "-l h_rt=0:10:0"), job(2, "-l h_rt=0:20:0"), job(3, "-l h_rt=0:30:0"))
    second = expected(ONE, 3, *jobs)
    assert second == ExpectedStart(NOW + 1800, "job 2 has ended (h_rt)")
    known = replace(job(2, "-l h_rt=0:20:0"), runtime=60)
    sooner = expected(ONE, 3, jobs[0], known, jobs[2])
    assert sooner == ExpectedStart(NOW + 660, "job 2 has ended (its run time)")


def test_where_nothing_ends_nothing_follows() -> None:
    assert expected(ONE, 2, started(1, "all.q@h1", ""), job(2)) is None
    assert expected(ONE, 2, started(1, "all.q@h1", "-l h_rt=60"), job(2, "-h")) is None
    assert expected(ONE, 2, started(1, "all.q@h1", "-l h_rt=60"), job(2, "-l hostname=h2")) is None


def test_a_task_of_an_array_is_named() -> None:
    start = expected(ONE, 1, job(1, "-t 1-2 -l h_rt=0:10:0"))
    assert start == ExpectedStart(NOW + 600, "job 1.1 has ended (h_rt)")


@pytest.mark.parametrize("limit", ["-tc 1", "max_aj_instances", "maxujobs"])
def test_a_limit_on_its_own_tasks_waits_for_these(limit: str) -> None:
    """By dispatch.md#splitting-the-jobs a task that has just ended still counts in the run after its end."""
    on = cluster(
        queue("all.q", "h1", 4),
        scheduler(maxujobs=int(limit == "maxujobs"), schedule_interval="0:0:15"),
        configuration(max_aj_instances=1 if limit == "max_aj_instances" else 2000),
    )
    array = replace(job(2, f"-t 1-3 {limit if limit == '-tc 1' else ''}"), runtime=3600)
    longer = [replace(job(number, owner="bert"), runtime=7200) for number in (1, 3)]
    later = 0 if limit == "maxujobs" else 15
    first = ExpectedStart(NOW + 3600 + later, "job 2.1 has ended (its run time)")
    assert expected(on, 2, array, task=2) == expected(on, 2, longer[0], array, task=2) == first
    assert expected(on, 2, array, task=3) == ExpectedStart(NOW + 7200 + 2 * later, "job 2.2 has ended (its run time)")


def test_a_task_that_waits_for_its_counterpart_starts_after_that() -> None:
    jobs = (replace(job(1, "-t 1-2 -tc 1"), runtime=600), replace(job(2, "-t 1-2 -hold_jid_ad 1"), runtime=600))
    start = expected(cluster(queue("all.q", "h1", 4)), 2, *jobs, task=1)
    assert start == ExpectedStart(NOW + 600, "job 1.1 has ended (its run time)")


def test_the_calendar_that_opens_is_the_answer() -> None:
    night = config_object(Kind.CALENDAR, "night", {"calendar_name": "night", "week": "mon-sun=0-24"})
    day = config_object(Kind.CALENDAR, "day", {"calendar_name": "day", "week": "mon-sun=12-18"})
    on = cluster(day, queue("all.q", "h1", 1, calendar="day"))
    start = expected(on, 1, job(1))
    assert start is not None
    assert start.after == "calendar day opens"
    assert format_time(start.at).endswith("T18:00:00")
    assert expected(cluster(night, queue("all.q", "h1", 1, calendar="night")), 1, job(1)) is None


def test_its_own_time_and_the_jobs_that_it_waits_for() -> None:
    later = expected(ONE, 1, job(1, "-a 203001010000"))
    assert later is not None
    assert later.after == "its start time (-a) has come"
    waits = expected(cluster(queue("all.q", "h1", 2)), 2, started(1, "all.q@h1", "-l h_rt=60"), job(2, "-hold_jid 1"))
    assert waits == ExpectedStart(NOW + 60, "job 1 has ended (h_rt)")


@pytest.mark.parametrize(("name", "number"), SCENARIOS)
def test_of_drawn_clusters_it_starts_later_than_now(name: str, number: int) -> None:
    for world, given in rounds(name, number):
        explainer = Explainer(simulate(world, given))
        waiting = [one for one in explainer.outcome.jobs if any(not task.granted for task in one.tasks)]
        for one in waiting[-2:]:
            start = expected_start(explainer, one.id)
            assert start is None or (start.at > given.now and start.after)


@pytest.mark.parametrize(
    ("options", "ends", "start"),
    [
        ("", 600, ExpectedStart(NOW + 2160, "job 1 has ended (its run time)")),
        ("", None, None),
        ("-l h_rt=0:20:0", None, ExpectedStart(NOW + 960, "job 1 has ended (h_rt)")),
        ("-l h_rt=0:20:0", 600, ExpectedStart(NOW + 960, "job 1 has ended (h_rt)")),
    ],
)
def test_what_stands_still_ends_by_its_limit_or_later(options: str, ends: int | None, start: object) -> None:
    """It has run for 240 s of 1800 s; by queue_conf(5) h_rt counts real time, standing still or not."""
    queues = queue("a.q", "h1", 1), queue("b.q", "h1", 1, subordinate_list="a.q=1"), queue("c.q", "h1", 1)
    on = cluster(LIC, host("global", "lic=1"), *queues)
    still = replace(started(1, "a.q@h1", f"{options} -l lic=1", 4), runtime=1800)
    still = replace(still, tasks={1: replace(still.tasks[1], state="S")})
    halting = replace(started(3, "b.q@h1", "", 0), runtime=ends)
    given = state((still, halting, job(2, "-q c.q -l lic=1")), queue_states={"a.q@h1": "S"})
    assert expected_start(Explainer(simulate(on, given)), 2) == start


def test_a_task_that_is_suspended_at_its_start_is_expected_when_it_is_resumed() -> None:
    """An offered change counts only if the task runs then, and so does the day that follows."""
    on = cluster(queue("a.q", "h1", 1), queue("b.q", "h1", 1, subordinate_list="a.q=1"), queue("c.q", "h1", 1))
    halting = replace(job(3, "-q b.q -hold_jid 1"), runtime=300)
    first = replace(started(1, "c.q@h1", "", 0), runtime=600)
    for runtime, start in ((900, ExpectedStart(NOW + 900, "job 3 has ended (its run time)")), (300, None)):
        jobs = (first, replace(job(2, "-q a.q -hold_jid 1"), runtime=runtime), halting)
        assert expected(on, 3, *jobs) == ExpectedStart(NOW + 600, "job 1 has ended (its run time)")
        assert expected(on, 2, *jobs) == start


def test_a_task_that_runs_for_another_time_than_its_job_is_known_by_it() -> None:
    array = replace(started(1, "all.q@h1", "-t 1-1"), runtime=7200, runtimes={1: 600})
    assert expected(ONE, 2, array, job(2)) == ExpectedStart(NOW + 600, "job 1.1 has ended (its run time)")
