"""Jobs that are followed from state to state are known as they are to one who sees the last state alone."""

from contextlib import nullcontext
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from qmon_tui.incremental import known_jobs
from qmon_tui.incremental.known_jobs import KnownJobs
from qmon_tui.incremental.prerequisites import NotIncremental
from qmon_tui.model import NO_RESERVATION, Job, State, Task
from qmon_tui.scheduler import SchedulerSession
from tests.unit.scheduler.building import NOW, attribute, cluster, job, project, queue, user, userset

SESSION = SchedulerSession(cluster(queue("a.q", "h1 h2", 9)))


def drawn_job(random: Random, number: int) -> Job:
    placed, moments = {"a.q@h1": 1}, (None, NOW, NOW + 0.5, NOW + 1, NOW - 2000)
    options = random.choice(("", "-hold_jid 1,2,3" if number > 3 else "", "-t 1-3", "-l h_rt=9"))
    tasks = {1: Task(random.choice("tr"), placed, random.choice(moments))} if random.random() < 0.5 else {}
    if tasks and "-t" in options and random.random() < 0.7:
        tasks[2] = Task("r", placed, random.choice(moments))
    new = job(number, options, random.choice(("anna", "bela")), tasks=tasks, changed=random.choice((None, NOW)))
    if random.random() < 0.3:
        new = replace(new, request=replace(new.request, start_time=NOW + random.randrange(20)))
    return new


def arrived(one: Job) -> Job:
    return replace(one, tasks={number: replace(task, state="r") for number, task in one.tasks.items()})


def all_known(jobs: KnownJobs) -> object:
    return (
        [(run_job.id, run_job.job, [*run_job.queue], run_job.waits) for run_job in jobs.listed],
        jobs.equal_starts,
        jobs.latest_start,
        {
            number: (known.job, known.run_job.id, known.key, known.starts, known.profile.category.jobs)
            for number, known in jobs.by_number.items()
        },
    )


@pytest.mark.parametrize("seed", range(6))
def test_jobs_are_known_as_if_the_last_state_were_the_only_one(seed: int) -> None:
    random, followed = Random(seed), KnownJobs(SESSION, SESSION.configured)
    jobs = [drawn_job(random, number) for number in range(1, 7)]
    for step in range(20):
        before = {one.id: one for one in followed.jobs}
        now = NOW + step
        changes = followed.take_over(State(now=now, jobs=tuple(jobs)))
        alone = KnownJobs(SESSION, SESSION.configured)
        alone.take_over(State(now=now, jobs=tuple(jobs)))
        assert all_known(followed) == all_known(alone)
        assert {known.job.id for known in changes.removed} == before.keys() - {one.id for one in jobs}
        assert {known.job.id for known in changes.added} == {one.id for one in jobs} - before.keys()
        what, place = random.randrange(4), random.randrange(len(jobs))
        if what == 0 and len(jobs) > 3:
            del jobs[place]
        elif what == 1:
            jobs.append(drawn_job(random, 100 + step))
        elif what == 2:
            jobs[place] = drawn_job(random, jobs[place].id)
        jobs = [arrived(one) if random.random() < 0.2 else one for one in jobs]


def test_a_run_leaves_jobs_known_of_which_only_some_have_changed() -> None:
    first, second, waiting = job(1), job(2), job(3, "-hold_jid 1")
    jobs = KnownJobs(SESSION, SESSION.configured)
    jobs.take_over(State(now=NOW, jobs=(first, second, waiting)))
    assert [run_job.waits for run_job in jobs.listed] == [False, False, True]
    second = replace(second, tasks={1: Task("t", {"a.q@h1": 1}, NOW + 5.5)})
    changes = jobs.after_run((second, waiting), [second], [1], NOW)
    assert [known.job.id for known in changes.removed] == [1]
    assert [(before.job.id, after.job) for before, after in changes.changed] == [(2, second)]
    assert (jobs.latest_start, [run_job.id for run_job in jobs.listed]) == (NOW + 5.5, [3, 2])
    changes = jobs.take_over(State(now=NOW + 1, jobs=(second, waiting)))
    assert [(after.job.id, after.run_job.waits) for _, after in changes.changed] == [(3, False)]


def test_who_waits_for_its_time_is_looked_at_when_it_has_come() -> None:
    later = job(1)
    later = replace(later, request=replace(later.request, start_time=NOW + 10))
    jobs = KnownJobs(SESSION, SESSION.configured)
    lengths = []
    for seconds in (0, 9, 10, 11):
        changes = jobs.take_over(State(now=NOW + seconds, jobs=(later,)))
        lengths.append((len(jobs.listed[0].queue), len(changes.changed)))
    assert lengths == [(0, 0), (0, 0), (1, 1), (1, 0)]


@pytest.mark.parametrize(
    ("one", "follows"),
    [
        (job(1), True),
        (job(1, "-l nothing=1"), False),
        (replace(job(1), name="1bad"), False),
        (replace(job(1, tasks={1: Task("r", {"a.q@h1": 1}, NOW)}), name="1bad"), True),
        (replace(job(1, changed=float(NOW)), name="1bad"), True),
        (job(1, tasks={1: Task("hqw", hold="u")}), True),
        (job(1, tasks={1: Task("s", {"a.q@h1": 1}, NOW)}), False),
    ],
)
def test_who_cannot_be_followed_is_left_to_the_plain_run(one: Job, follows: bool) -> None:
    with nullcontext() if follows else pytest.raises(NotIncremental):
        KnownJobs(SESSION, SESSION.configured).take_over(State(now=NOW, jobs=(one,)))


@pytest.mark.parametrize(
    ("changes", "same"),
    [
        ({}, True),
        ({"owner": "bela"}, False),
        ({"group": "g"}, False),
        ({"project": "p"}, False),
        ({"department": "dep"}, False),
    ],
)
def test_an_edited_job_keeps_its_profile_where_it_is_for_the_same_people(changes: dict[str, str], same: bool) -> None:
    people = (project("p"), user("bela", fshare=1), user("anna", fshare=2), userset("dep", "bela", "DEPT"))
    on = cluster(queue("a.q", "h1", 9), *people)
    session = SchedulerSession(on)
    jobs = KnownJobs(session, session.configured)
    (before,) = jobs.take_over(State(now=NOW, jobs=(job(1),))).added
    edited = replace(job(1), request=before.job.request, name="other", **changes)  # type: ignore[arg-type]
    ((_, after),) = jobs.take_over(State(now=NOW, jobs=(edited,))).changed
    assert (after.profile is before.profile) is same


@pytest.mark.parametrize(
    ("submitted", "changed", "task", "key", "starts"),
    [
        (NOW - 9, None, None, (NOW - 9, 0, 0, 1), []),
        (0, None, None, (0, 0, 0, 1), []),
        (NOW - 9, NOW + 0.25, None, (NOW, 0, 0.25, 1), []),
        (NOW - 9, NOW + 0.25, NOW + 0.5, (NOW, 1, 0.5, 1), [NOW + 0.5]),
        (NOW - 9, NOW + 0.25, NOW - 0.5, (NOW, 0, 0.25, 1), [NOW - 0.5]),
        (NOW - 9, None, NOW - 0.5, (NOW - 1, 1, 0.5, 1), [NOW - 0.5]),
        (NOW - 9, None, 0, (NOW - 9, 0, 0, 1), [0]),
    ],
)
def test_where_a_job_is_in_the_list(
    submitted: int, changed: float | None, task: float | None, key: tuple[float, ...], starts: list[float]
) -> None:
    tasks = {} if task is None else {1: Task("r", {"a.q@h1": 1}, task or None)}
    one = job(1, submitted=submitted, changed=changed, tasks=tasks)
    (known,) = KnownJobs(SESSION, SESSION.configured).take_over(State(now=NOW, jobs=(one,))).added
    assert (known.key, [*known.starts]) == (key, starts)


def test_jobs_of_each_kind_are_counted_and_its_memory_forgotten() -> None:
    jobs = KnownJobs(SESSION, SESSION.configured)
    assert jobs.equal_starts == 0
    first, second, other = job(1), job(2), job(3, "-l h_rt=9")
    kinds = vars(jobs)["_categories"]
    counts = []
    for there in ((first, second, other), (second, other), (second,), ()):
        jobs.take_over(State(now=NOW, jobs=there))
        counts.append(sorted(category.jobs for category in kinds.values()))
        for category in kinds.values():
            category.rejected = True
        jobs.forget_categories()
        assert not any(category.rejected for category in kinds.values())
    assert counts == [[1, 2], [1, 1], [1], []]


def test_so_many_profiles_are_kept_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_jobs, "_MOST_PROFILES", 2)
    jobs, there = KnownJobs(SESSION, SESSION.configured), (job(1), job(2, "-l h_rt=8"))
    jobs.take_over(State(now=NOW, jobs=there))
    with pytest.raises(NotIncremental):
        jobs.take_over(State(now=NOW, jobs=(*there, job(3, "-l h_rt=9"))))


@pytest.mark.parametrize(
    ("options", "more", "follows"),
    [
        ("", {}, True),
        ("-now y", {}, False),
        ("-hold_jid_ad 5", {}, False),
        ("-w w", {}, False),
        ("", {"category_ar": NO_RESERVATION}, False),
        ("-l whole=3", {}, True),
        ("-l part=2", {}, True),
        # Sums of such amounts depend on the order in which they are made.
        ("-l part=0.5", {}, False),
        ("", {"tasks": {1: Task("S", {"a.q@h1": 1}, NOW, seen_suspended=True)}}, False),
        ("", {"tasks": {1: Task("Eqw")}}, False),
    ],
)
def test_what_is_not_followed_of_single_jobs(options: str, more: dict[str, Any], follows: bool) -> None:
    on = cluster(attribute("whole w INT <= YES YES 0"), attribute("part p DOUBLE <= YES YES 0"), queue("a.q", "h1", 9))
    session = SchedulerSession(on)
    with nullcontext() if follows else pytest.raises(NotIncremental):
        KnownJobs(session, session.configured).take_over(State(now=NOW, jobs=(job(1, options, **more),)))


def test_a_name_is_looked_at_also_where_others_of_the_kind_are_let_in() -> None:
    first = job(1)
    second = replace(job(2), request=first.request, name="1bad")
    jobs = KnownJobs(SESSION, SESSION.configured)
    with pytest.raises(NotIncremental):
        jobs.take_over(State(now=NOW, jobs=(first, second)))
