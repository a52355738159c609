"""Events that change the state together leave it as the rules leave it that take one after the other."""

from dataclasses import fields, replace
from random import Random
from typing import Any

import pytest

from qmon_tui.incremental import EventsTogether, RunChain, events_together, state_after
from qmon_tui.incremental.latest_moments import LatestMoments, MomentsOfJobs
from qmon_tui.model import AdvanceReservation, Cluster, Job, State, Task
from qmon_tui.qmaster import new_job, submit
from qmon_tui.qmaster.transition import TaskArrived, TaskEnded, after_event
from qmon_tui.scheduler import session_of
from tests.unit.incremental.runs_in_a_row import OWNERS, drawn_cluster
from tests.unit.scheduler.building import (
    NOW,
    cluster,
    configuration,
    environment,
    host,
    job,
    project,
    queue,
    state,
    userset,
)

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
        self.together = RunChain().events_together(cluster, state)
        self.followed = 0

    def ask_the_rule(self) -> None:
        self.together = RunChain().events_together(self.cluster, self.plain)

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
    chain = RunChain()
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
        both = Both(cluster, state_after(chain.next_run(cluster, replace(both.plain, now=both.plain.now + 3))))
    assert followed > 12


def test_what_happens_at_the_time_of_the_state_changes_it_too() -> None:
    started = job(1, tasks={1: Task("t", {"a.q@n1": 1}, NOW - 5)})
    together = RunChain().events_together(cluster(queue("a.q", "n1")), state([started]))
    assert together.arrives(TaskArrived(1, 1), NOW)
    assert [each.tasks[1].state for each in together.state.jobs] == ["r"]


@pytest.mark.parametrize(
    ("number", "submitted", "comes"),
    [(4, NOW, False), (5, NOW, False), (6, NOW, True), (6, 5, False), (6, NOW - 9, False), (6, NOW - 8, True)],
)
def test_a_job_comes_after_all_that_are_there(number: int, submitted: int, comes: bool) -> None:
    there = state([job(5, changed=float(NOW - 9))])
    together = RunChain().events_together(cluster(queue("a.q", "n1")), there)
    assert together.comes(job(number, submitted=submitted), NOW) is comes
    assert len(together.state.jobs) == 1 + comes


@pytest.mark.parametrize("new", [job(6, changed=1.0), job(6, tasks={1: Task("hqw", hold="u")}), job(6, "-hold_jid 5")])
def test_the_rule_is_asked_for_jobs_that_are_not_plainly_new(new: Job) -> None:
    together = RunChain().events_together(cluster(queue("a.q", "n1")), state([job(5)]))
    assert not together.comes(new, NOW)
    assert len(together.state.jobs) == 1


PLACED = {"a.q@n1": 1}
ON = cluster(
    *(
        queue("a.q", "n1 n2", 9, pe_list="mpi"),
        environment("mpi"),
        host("n1"),
        host("n2"),
        userset("deadlineusers", "anna"),
    )
)


def placed(
    number: int = 1, options: str = "", started: float | None = NOW - 5.0, letters: str = "r", **more: Any
) -> Job:
    return job(number, options, tasks={1: Task(letters, PLACED, started, **more)})


@pytest.mark.parametrize(
    ("state", "follows"),
    [
        (state([placed()]), True),
        (state([placed()], changed={"a.q@n1": NOW - 1.0}), True),
        (state([placed()], seen_suspended=frozenset(PLACED)), False),
        (state([placed()], queue_states={"a.q@n2": "d"}), False),
        (state([placed()], reservations=[AdvanceReservation(1, "anna", NOW, NOW + 9, {"a.q@n2": 1})]), False),
        (state([placed(), job(2, "-hold_jid 1")]), False),
    ],
)
def test_where_an_end_or_a_new_job_may_do_more_the_rule_is_asked(state: State, follows: bool) -> None:
    assert RunChain().events_together(ON, state).ends(TaskEnded(1, 1), NOW) is follows
    assert RunChain().events_together(ON, state).comes(job(9), NOW) is follows


def test_where_queues_suspend_others_the_rule_is_asked() -> None:
    on = cluster(queue("a.q", "n1", 9, subordinate_list="b.q"), queue("b.q", "n1"))
    assert not RunChain().events_together(on, state([placed()])).ends(TaskEnded(1, 1), NOW)


@pytest.mark.parametrize(
    ("ended", "event", "follows"),
    [
        (placed(), TaskEnded(1, 1), True),
        (placed(letters="t"), TaskEnded(1, 1, (("cpu", 3.0),)), True),
        (placed(used={"cpu": 1.0}), TaskEnded(1, 1, (("cpu", 3.0), ("mem", 1.0)), 1), True),
        (placed(1, "-pe mpi 1", environment="mpi"), TaskEnded(1, 1), True),
        (
            job(1, "-t 1-9", tasks={1: Task("r", PLACED, NOW - 5.0), 4: Task("t", PLACED, NOW - 4.0)}),
            TaskEnded(1, 4),
            True,
        ),
        (placed(), TaskEnded(1, 2), False),
        (placed(), TaskEnded(2, 1), False),
        (placed(), TaskEnded(1, 1, (), 99), False),
        (placed(), TaskEnded(1, 1, (), 100), False),
        (placed(letters="dr"), TaskEnded(1, 1), False),
        (placed(letters="Rr"), TaskEnded(1, 1), False),
        (placed(started=None), TaskEnded(1, 1), False),
        (placed(changed=NOW - 1.0), TaskEnded(1, 1), False),
        (job(1, tasks={1: Task("r", {}, NOW - 5.0)}), TaskEnded(1, 1), False),
        (job(1, tasks={1: Task("r", {"a.q@gone": 1}, NOW - 5.0)}), TaskEnded(1, 1), False),
    ],
)
def test_which_ends_are_followed(ended: Job, event: TaskEnded, follows: bool) -> None:
    both = Both(ON, state([ended]))
    both.happen(event, NOW + 1)
    assert bool(both.followed) is follows


@pytest.mark.parametrize(
    ("arrived", "event", "follows"),
    [
        (placed(letters="t"), TaskArrived(1, 1), True),
        (job(1, "-t 1-9", tasks={2: Task("t", PLACED, NOW), 5: Task("r", PLACED, NOW)}), TaskArrived(1, 2), True),
        (placed(letters="t"), TaskArrived(1, 2), False),
        (placed(letters="t"), TaskArrived(2, 1), False),
        (placed(letters="r"), TaskArrived(1, 1), False),
        (placed(letters="St"), TaskArrived(1, 1), False),
        (job(1, tasks={1: Task("t", {}, NOW)}), TaskArrived(1, 1), False),
    ],
)
def test_which_arrivals_are_followed(arrived: Job, event: TaskArrived, follows: bool) -> None:
    both = Both(ON, state([arrived]))
    both.happen(event, NOW)
    assert bool(both.followed) is follows


@pytest.mark.parametrize(
    ("jobs", "changed"),
    [
        ([placed(1), placed(2)], {}),
        ([placed(1), placed(2, started=NOW + 1.0)], {}),
        ([placed(1), placed(2, started=NOW + 1.5)], {}),
        ([placed(1), placed(2, started=NOW + 0.5)], {}),
        ([placed(1), placed(2)], {"a.q@n2": NOW + 1.5, "hosts/n1": NOW - 7.0}),
        ([placed(1), placed(2)], {"a.q@n1": NOW - 2.0, "a.q@n2": NOW - 1.0}),
        ([placed(1), placed(2), placed(3, changed=NOW + 1.75)], {}),
        ([placed(1), placed(2), placed(3, changed=NOW - 1.0)], {}),
    ],
)
def test_ends_are_dated_one_after_the_other(jobs: list[Job], changed: dict[str, float]) -> None:
    """After what has started in the same second, and after all that has changed."""
    both = Both(ON, state(jobs, changed=changed))
    for number in (1, 2):
        both.happen(TaskEnded(number, 1), NOW + 1)
    both.happen(TaskArrived(9, 1), NOW + 1)
    assert both.followed == 2


@pytest.mark.parametrize(
    ("new", "known", "comes"),
    [
        (job(6), {}, True),
        (job(6, "-t 1-3 -l h_rt=9"), {}, True),
        (job(6), {"jobseqnum": 7}, False),
        (job(6), {"arseqnum": 2}, False),
        (job(6, "-l nothing=1"), {}, False),
        (job(6, "-N 1bad"), {}, False),
        (job(6, "-pe none 2"), {}, False),
        (job(6, "-a 202601010900"), {}, False),
        (job(6, "-dl 202601010900"), {}, False),
        (job(6, "-w e"), {}, False),
        (job(6, qsub="-no option"), {}, False),
    ],
)
def test_which_jobs_come_without_a_word(new: Job, known: dict[str, int], comes: bool) -> None:
    there = state([job(5)], **known)
    for _ in range(2):
        assert RunChain().events_together(ON, there).comes(new, NOW) is comes, "asked again it is the same"


def test_jobs_of_other_people_are_looked_at_by_themselves() -> None:
    on = cluster(queue("a.q", "n1", 9), configuration(xuser_lists="bad"), userset("bad", "bob,@wheel"), project("p"))
    together = RunChain().events_together(on, state([]))
    asked = [("anna", "", None), ("bob", "", None), ("anna", "wheel", None), ("anna", "", "no")]
    request = job(1).request
    answers = [
        together.comes(replace(job(number, owner=owner), request=request, group=group, project=of_project), NOW)
        for number, (owner, group, of_project) in enumerate(asked, 1)
    ]
    assert answers == [True, False, False, False]


def test_so_many_kinds_of_jobs_are_known_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events_together, "_MOST", 2)
    on = cluster(queue("a.q", "n1", 9))
    known = events_together._let_in(session_of(on).configured)
    sizes = []
    for number in range(1, 6):
        assert RunChain().events_together(on, state([])).comes(job(number, f"-p -{number}"), NOW)
        sizes.append(len(known))
    assert sizes == [1, 2, 1, 2, 1]


def test_a_state_to_which_nothing_happens_stays_as_it_is() -> None:
    before = state([placed(letters="t")])
    together = RunChain().events_together(ON, before)
    assert together.state is before
    assert together.arrives(TaskArrived(1, 1), NOW)
    assert together.find_job(1) is together.state.jobs[0]
    assert together.find_job(2) is None
    assert before.jobs[0].tasks[1].state == "t"


def test_what_has_changed_is_known_without_looking_at_all_jobs() -> None:
    before, latest = state([placed(1, letters="t"), placed(2), job(3)]), LatestMoments()
    together = EventsTogether(ON, before, latest)
    assert together.arrives(TaskArrived(1, 1), NOW)
    assert together.ends(TaskEnded(2, 1), NOW + 1)
    assert together.ends(TaskEnded(1, 1), NOW + 1)
    assert together.comes(job(7), NOW + 2)
    after = together.state
    assert latest.of(after.jobs) == MomentsOfJobs.of(after.jobs)
    assert latest.of(after.jobs).highest == 7
