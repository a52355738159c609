"""Events that change the state together leave it as the rules leave it that take one after the other."""

from dataclasses import fields, replace
from random import Random

import pytest

from qmon_tui.model import Cluster, Job, State, Task
from qmon_tui.qmaster import new_job, next_run, submit
from qmon_tui.qmaster.transition import EventsTogether, TaskArrived, TaskEnded, after_event, after_run
from tests.unit.qmaster.runs_in_a_row import OWNERS, drawn_cluster
from tests.unit.scheduler.building import NOW, cluster, job, queue, state

LINES = (
    "",
    "",
    "-l mem=1G",
    "-l mem=2G",
    "-t 1-4",
    "-t 1-3",
    "-pe mpi 2-3",
    "-pe smp 2",
    "-l lic=1",
    "-p -3",
    "-P blue",
)
ODD = ("-N 1bad", "-l nothing=1", "-hold_jid 1,2", "-h", "-a 202601010900", "-A 1:bad", "-pe no 3", "-w e")


class Both:
    """The same events by the rules, and together as long as they are followed."""

    def __init__(self, cluster: Cluster, state: State) -> None:
        self.cluster = cluster
        self.plain = state
        self.together = EventsTogether(cluster, state)
        self.followed = 0

    def ask_the_rule(self) -> None:
        self.together = EventsTogether(self.cluster, self.plain)

    def happen(self, event: TaskArrived | TaskEnded, at: int) -> None:
        followed = self.together.arrives(event, at) if isinstance(event, TaskArrived) else self.together.ends(event, at)
        before = self.together.state
        self.plain = after_event(self.cluster, self.plain, event, at=at)
        self._note(followed, before)

    def submit(self, job: Job, at: int) -> None:
        followed = self.together.comes(job, at)
        before = self.together.state
        self.plain = submit(self.cluster, replace(self.plain, now=at), job).state
        self._note(followed, before)

    def _note(self, followed: bool, together: State) -> None:
        if not followed:
            self.ask_the_rule()
            return
        self.followed += 1
        for part in fields(State):
            assert getattr(together, part.name) == getattr(self.plain, part.name), part.name
        assert list(together.changed) == list(self.plain.changed), "in the order of their changes"
        for one, other in zip(together.jobs, self.plain.jobs, strict=True):
            assert list(one.tasks) == list(other.tasks)
            assert self.together.find_job(one.id) == other


@pytest.mark.parametrize("seed", range(12))
def test_the_state_is_the_one_of_the_rules(seed: int) -> None:
    random = Random(seed)
    cluster, state = drawn_cluster(random), State(now=NOW)
    both, followed, odd = Both(cluster, state), 0, random.choice((0, 0.05, 0.2))
    for _ in range(12):
        for _ in range(random.randint(0, 6)):
            at = both.plain.now + random.randint(0, 2)
            tasks = [(job.id, number, task) for job in both.plain.jobs for number, task in job.tasks.items()]
            if tasks and random.random() < 0.6:
                number, task_number, task = random.choice(tasks)
                if task.state == "t" and random.random() < 0.8:
                    both.happen(TaskArrived(number, task_number), at)
                else:
                    used = (("cpu", 5.0),) if random.random() < 0.5 else ()
                    both.happen(TaskEnded(number, task_number, used, random.choice((0, 0, 0, 1, 99, 100))), at)
            else:
                line = f"{random.choice(ODD if random.random() < odd else LINES)} sleep 60"
                job = new_job(replace(both.plain, now=at), random.choice(OWNERS), line)
                both.submit(replace(job, submitted=job.submitted - random.choice((0, 0, 5))), at)
        followed += both.followed
        both = Both(cluster, after_run(next_run(cluster, replace(both.plain, now=both.plain.now + 3))))
    assert followed > 12


def test_what_happens_at_the_time_of_the_state_changes_it_too() -> None:
    started = job(1, tasks={1: Task("t", {"a.q@n1": 1}, NOW - 5)})
    together = EventsTogether(cluster(queue("a.q", "n1")), state([started]))
    assert together.arrives(TaskArrived(1, 1), NOW)
    assert [each.tasks[1].state for each in together.state.jobs] == ["r"]


@pytest.mark.parametrize(
    ("number", "submitted", "comes"), [(4, NOW, False), (5, NOW, False), (6, NOW, True), (6, 5, False)]
)
def test_a_job_comes_after_all_that_are_there(number: int, submitted: int, comes: bool) -> None:
    there = state([job(5, changed=float(NOW - 9))])
    together = EventsTogether(cluster(queue("a.q", "n1")), there)
    assert together.comes(job(number, submitted=submitted), NOW) is comes
    assert len(together.state.jobs) == 1 + comes


@pytest.mark.parametrize("new", [job(6, changed=1.0), job(6, tasks={1: Task("hqw", hold="u")}), job(6, "-hold_jid 5")])
def test_the_rule_is_asked_for_jobs_that_are_not_plainly_new(new: Job) -> None:
    together = EventsTogether(cluster(queue("a.q", "n1")), state([job(5)]))
    assert not together.comes(new, NOW)
    assert len(together.state.jobs) == 1
