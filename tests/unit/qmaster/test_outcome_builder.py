"""In which order a run tells of jobs."""

from qmon_tui.model.state import Task
from tests.unit.scheduler.building import cluster, host, job, queue, run, running


def test_pending_jobs_come_in_the_order_of_the_run_and_then_all_others_by_number() -> None:
    on = cluster(queue("a.q", "n1", 9), host("n1"))
    jobs = [
        job(1),
        running(6, "a.q@n1"),
        job(2, "-l nosuch=1"),
        running(5, "a.q@n1"),
        job(3, "-p 5", owner="root"),
        job(4, tasks={1: Task("Eqw")}),
    ]
    assert [each.id for each in run(on, *jobs).jobs] == [3, 1, 2, 4, 5, 6]
