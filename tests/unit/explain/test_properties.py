"""Explanations of drawn clusters: every change that is promised works, the numbers add up, nobody is forgotten.

The clusters are those that the engine is compared with the real scheduler on. Here the engine plays them itself: what
one round starts runs in the next.
"""

import math
from collections.abc import Iterator, Mapping, Set
from dataclasses import replace
from functools import cache

import pytest

from qmon_tui.explain import Change, Explainer, Explanation, ReasonKind
from qmon_tui.explain.equivalent_places import ClassNumbers, EquivalentPlaces
from qmon_tui.explain.task_rejections import TaskRejections
from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.jobs import Job, PeRequest, Task
from qmon_tui.model.kinds import Kind
from qmon_tui.model.outcome import TaskOutcome
from qmon_tui.model.state import State
from qmon_tui.qmaster.scheduling import schedule, simulate
from qmon_tui.scheduler.configuration.quota_rule_matching import QuotaSubject
from tests.differential.families import families
from tests.differential.folders import read
from tests.differential.session import Submission, parse_session
from tests.examples import one_in

NOW = 1_700_000_000
NAMES = ("mixed", "matching", "pe", "arrays", "ordering", "quota", "functional")
NUMBERS = range(2)


@cache
def rounds(name: str, number: int) -> tuple[tuple[Cluster, State], ...]:
    """The worlds of one scenario, one for each run of its session."""
    scenario = families()[name].scenario(number)
    cluster = read(scenario.files).cluster
    worlds: list[tuple[Cluster, State]] = []
    jobs: tuple[Job, ...] = ()
    for place, step in enumerate(parse_session(scenario.session)):
        now = NOW + 15 * place
        submissions = [action for action in step.actions if isinstance(action, Submission)]
        jobs += tuple(
            submitted(len(jobs) + n, submission.dated(now), now) for n, submission in enumerate(submissions, start=1)
        )
        loads = {load.host: dict(load.values) for load in step.loads}
        state = State(now=now, jobs=jobs, loads=loads)
        worlds.append((cluster, state))
        outcome = schedule(cluster, state)
        started = {job.id: {t.task: t for t in job.tasks if t.state in ("t", "Rt")} for job in outcome.jobs}
        jobs = tuple(with_started(job, now, started.get(job.id, {})) for job in jobs)
    return tuple(worlds)


def submitted(number: int, submission: Submission, now: int) -> Job:
    parsed = parse_qsub(submission.qsub, now=now)
    given = (submission.owner, now - 60 + number, parsed.request, parsed.name, submission.group)
    return Job(number, *given, qsub=submission.qsub)


def with_started(job: Job, now: int, started: Mapping[int, TaskOutcome]) -> Job:
    tasks = {number: Task("r", task.granted, now) for number, task in started.items()}
    return replace(job, tasks={**job.tasks, **tasks})


@cache
def explained(name: str, number: int, *, with_changes: bool = False) -> tuple[tuple[Cluster, State, Explanation], ...]:
    """Everything that waits in the worlds of a scenario; with changes one job of each round."""
    return tuple(_explained(name, number, with_changes))


def _explained(name: str, number: int, with_changes: bool) -> Iterator[tuple[Cluster, State, Explanation]]:
    for cluster, state in rounds(name, number):
        explainer = Explainer(simulate(cluster, state))
        waiting = [job for job in explainer.outcome.jobs if any(not task.granted for task in job.tasks)]
        for job in waiting[-2:] if with_changes else waiting:
            yield cluster, state, explainer.explanation(job.id, with_changes=with_changes)


SCENARIOS = one_in(2, [(name, number) for name in NAMES for number in NUMBERS])


@pytest.mark.parametrize(("name", "number"), SCENARIOS)
def test_every_change_that_is_promised_lets_the_task_start(name: str, number: int) -> None:
    for cluster, state, explanation in explained(name, number, with_changes=True):
        for change in explanation.changes:
            world = (cluster, state)
            for part in (change, *change.also):
                world = made(*world, part)
            job = schedule(*world).job(explanation.job)
            assert job is not None
            task = next(task for task in job.tasks if task.task == explanation.task)
            assert task.state in ("t", "Rt"), (explanation.job, change)
            assert tuple(task.granted) == change.starts_on


def made(cluster: Cluster, state: State, change: Change) -> tuple[Cluster, State]:
    """A change made by hand, from nothing but what it says."""
    if change.kind in set(Kind):
        kind = Kind(change.kind)
        obj = cluster.get(kind, change.name) or config_object(kind, change.name, {})
        assert obj.text(change.field) == change.before
        return cluster.with_object(obj.with_value(change.field, change.after)), state
    if change.kind == "queue instance":
        return cluster, replace(state, queue_states={**state.queue_states, change.name: change.after})
    job = next(job for job in state.jobs if job.id == int(change.name))
    return cluster, replace(state, jobs=tuple(altered(one, change) if one is job else one for one in state.jobs))


def other_environment(job: Job, after: str) -> PeRequest | None:
    """A parallel environment with slots, or with those that the job has asked for."""
    name, *slots = after.split()
    return parse_qsub(f"-pe {after} x").request.pe if slots else PeRequest(name, job.request.pe.ranges)  # type: ignore[union-attr]


def altered(job: Job, change: Change) -> Job:
    """A job as after qalter, qrls or qmod."""
    option, _, name = change.field.partition(" ")
    request = job.request
    if option == "state":
        return replace(job, tasks={1: Task(change.after)})
    if option == "-l":
        hard = {**dict(request.hard)}
        known = next((key for key in hard if key == name or key == name[:2]), name)
        hard[known] = change.after
        if not change.after:
            del hard[known]
        return replace(job, request=replace(request, hard=tuple(hard.items())))
    simple = {
        "-p": {"priority": int(change.after or 0)} if option == "-p" else {},
        "-ot": {"override_tickets": int(change.after or 0)} if option == "-ot" else {},
        "-tc": {"max_running_tasks": int(change.after or 0)} if option == "-tc" else {},
        "-P": {"project": change.after},
        "-q": {"hard_queues": tuple(change.after.split(","))},
        "-h": {"hold": change.after},
        "-hold_jid": {"hold_jid": ()},
        "-hold_jid_ad": {"hold_jid_ad": ()},
        "-a": {"start_time": None},
        "-pe": {"pe": other_environment(job, change.after)} if option == "-pe" else {},
    }
    return replace(job, request=replace(request, **simple[option]))  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "number"), SCENARIOS)
def test_the_numbers_of_an_explanation_add_up(name: str, number: int) -> None:
    for _, _, explanation in explained(name, number):
        if explanation.terms:
            assert math.fsum(term.value for term in explanation.terms) == pytest.approx(explanation.prior, abs=1e-12)
        for term in explanation.terms:
            assert term.value == pytest.approx(term.weight * term.normalised, abs=1e-12)
            if term.lowest is not None and term.highest is not None:
                raw = term.detail[0][1]
                span = term.highest.value - term.lowest.value
                assert term.normalised == pytest.approx((raw - term.lowest.value) / span, abs=1e-9)
        for ahead in explanation.ahead:
            assert math.fsum(gap for _, gap in ahead.gaps) == pytest.approx(ahead.lead, abs=1e-9)
            assert ahead.lead >= -1e-12


@pytest.mark.parametrize(("name", "number"), SCENARIOS)
def test_every_queue_instance_has_its_reason_and_stands_in_one_group(name: str, number: int) -> None:
    for cluster, state, explanation in explained(name, number):
        every = {instance.name for instance in schedule(cluster, state).queue_instances}
        told = [instance for group in explanation.groups if group.level != "job" for instance in group.instances]
        reasons = {reason.instance: reason for reason in explanation.instances}
        assert set(told) <= every
        assert set(reasons) <= every
        for group in explanation.groups:
            for instance in group.instances:
                if group.level in ("host", "queue") and group.why is ReasonKind.NEVER:
                    assert reasons[instance].why is ReasonKind.NEVER


@pytest.mark.parametrize(("name", "number"), SCENARIOS)
def test_the_setters_of_the_ends_are_jobs_with_these_values(name: str, number: int) -> None:
    for cluster, state, explanation in explained(name, number):
        jobs = {run_job.id: run_job for run_job in simulate(cluster, state).jobs}
        for term in explanation.terms[:2]:
            for end in (term.lowest, term.highest):
                if end is None or end.job is None:
                    continue
                job = jobs[end.job]
                value = job.urgency.total if end.task is None else job.tickets[end.task].total
                assert value == end.value
                assert (end.state == "r") == (not job.queue if end.task is None else end.task in job.split.running)


class Unlike(EquivalentPlaces):
    """Every place is looked at by itself."""

    def hosts(self, asked: Set[str]) -> ClassNumbers:
        return range(len(self._run.resources.hosts))

    instances = property(lambda self: range(len(self._run.resources.instances)))

    def counted(self, subject: QuotaSubject) -> ClassNumbers:
        return range(len(self._run.resources.instances))


@pytest.mark.parametrize("name", ["matching", "access", "loads", "quota", "pe", "crossed"])
def test_places_that_are_alike_are_told_what_each_would_be_told_alone(name: str) -> None:
    for cluster, state in rounds(name, 2):
        run = simulate(cluster, state)
        alike, unlike = EquivalentPlaces(run), Unlike(run)
        for run_job in run.jobs:
            rejections, alone = (TaskRejections(run, run_job, sorts) for sorts in (alike, unlike))
            assert [one and one.group_key for one in rejections.of] == [one and one.group_key for one in alone.of]
            for number in range(len(rejections.of)):
                rejection, other = rejections.exactly(number), alone.exactly(number)
                assert (rejection and rejection.message(rejections.place(number, rejection))) == (
                    other and other.message(alone.place(number, other))
                )
