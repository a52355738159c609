"""What is said of drawn jobs that wait: each change starts the task and no smaller one does, what is closest is, and a
day that follows starts the task when that was foretold."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from qmon_tui.explain import Change, Explainer, Explanation
from qmon_tui.explain.unmet_requirements import _distance, _everywhere, _lacks_at
from qmon_tui.model import overrides_of
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.jobs import PeRequest, Request
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.qmaster.scheduling import simulate
from qmon_tui.simulation import Settings, Simulator, expected_start
from qmon_tui.simulation.expected_start import is_running
from tests.differential.folders import contents_of
from tests.differential.hidden_state import HiddenState
from tests.differential.recording import kept_runs
from tests.differential.scenarios import CLUSTERS, read_scenario
from tests.differential.test_suggested_changes import made
from tests.examples import one_in
from tests.unit.explain.drawn_waiting import drawn_state, with_reservations

LOOKED_AT = 40


def faults(cluster: Cluster, state: State) -> Iterator[str]:
    """Yield what is wrong with what is said of all jobs that wait."""
    explainer = Explainer(simulate(cluster, state))
    for outcome in explainer.outcome.jobs:
        if outcome.rejected is None and any(not task.granted for task in outcome.tasks):
            explanation = explainer.explanation(outcome.id, with_changes=True)
            for fault in (
                *changes_faults(cluster, state, explanation),
                *nearest_faults(explainer, explanation),
                *forecast_faults(explainer, state, explanation),
            ):
                yield f"job {outcome.id}.{explanation.task}: {fault}"


def places(cluster: Cluster, state: State, job: int, task: int) -> list[str]:
    """The queue instances in which a run starts a task that then runs, sorted; none if it does not."""
    run = simulate(cluster, state)
    for start in run.starts_of(job).values():
        if start.task == task and not start.refused:
            granted = {run.resources.instances[number].name: slots for number, slots in start.grants}
            is_suspended = {*"sST"} & {*run.states_after_run.task_state(job, task, granted, "t")}
            return [] if is_suspended else sorted(granted)
    return []


def changes_faults(cluster: Cluster, state: State, explanation: Explanation) -> Iterator[str]:
    for change in explanation.changes:
        changed, after = cluster, state
        for part in (change, *change.also):
            changed, after = made(changed, after, part)
        found = places(changed, after, explanation.job, explanation.task)
        words = " and ".join(part.description for part in (change, *change.also))
        if found != sorted(change.starts_on):
            yield f"{words}: starts on {found}, not {change.starts_on}"
        elif not change.also:
            for smaller, said in smaller_worlds(cluster, state, change):
                if places(*smaller, explanation.job, explanation.task):
                    yield f"{words}: {said} is enough"
                    break


_FROM_TO = re.compile(r" from (\d+) to (\d+)$| ask for (?:\w+=)?(\d+) instead of (\d+)| run (\d+) tasks")


def smaller_requests(request: Request, change: Change, match: re.Match[str]) -> Iterator[tuple[int, Request]]:
    """Yield the requests of a job that change less than an offered change does, the least change last."""
    if change.field == "-tc":
        for number in range(request.max_running_tasks + 1, int(match[5])):
            yield number, replace(request, max_running_tasks=number)
    elif change.field == "-p":
        for number in range(request.priority + 1, int(match[2]))[-3:]:
            yield number, replace(request, priority=number)
    elif change.field == "-pe" and match[3] and request.pe is not None:
        for number in range(int(match[3]) + 1, int(match[4])):
            yield number, replace(request, pe=PeRequest(request.pe.name, ((number, number, 1),)))
    elif change.field.startswith("-l") and match[3]:
        name = change.field.split()[1]
        for number in range(int(match[3]) + 1, int(match[4])):
            hard = tuple((key, str(number) if key == name else old) for key, old in request.hard)
            yield number, replace(request, hard=hard)


def smaller_worlds(cluster: Cluster, state: State, change: Change) -> Iterator[tuple[tuple[Cluster, State], str]]:
    """Yield the worlds with less of the same change, the least first, in which an amount that is a number changes."""
    match = _FROM_TO.search(change.description)
    if match is None:
        return
    if change.kind == "job":
        job = next(job for job in state.jobs if job.id == int(change.name))
        for number, request in smaller_requests(job.request, change, match):
            altered = replace(job, request=request)
            jobs = tuple(altered if other is job else other for other in state.jobs)
            yield (cluster, replace(state, jobs=jobs)), f"{change.field} {number}"
        return
    if match[1] is None:
        return
    kind = Kind(change.kind)
    obj = cluster.get(kind, change.name) or cluster.single(kind)
    for number in range(int(match[1]) + 1, int(match[2]))[:LOOKED_AT]:
        if kind is Kind.QUEUE and change.field == "slots":
            where = re.search(r"queue instance \S+@(\S+) from", change.description)
            overrides = overrides_of(change.before)
            assert where is not None
            text = str(number) if change.after.isdigit() else overrides.with_key(where[1], str(number)).text()
        else:
            text = re.sub(rf"(?<![\w.]){match[2]}(?=\.0+$|[^\w.]|$)", str(number), change.after)
        yield (cluster.with_object(obj.with_value(change.field, text)), state), f"{change.field} {text}"
    raised = re.match(r"raise (\w+) of", change.description)
    if kind is Kind.HOST and change.field == "complex_values" and raised is not None:
        for other in cluster.objects(Kind.HOST).values():
            before = other.text("complex_values")
            known = re.search(rf"(?<!\w){raised[1]}=(\d+)(?!\w)", before)
            if known is None or (other.name == "global") != (change.name == "global"):
                continue
            for more in range(1, int(match[2]) - int(match[1])):
                text = before.replace(known[0], f"{raised[1]}={int(known[1]) + more}")
                yield (cluster.with_object(other.with_value("complex_values", text)), state), f"{other.name} {text}"


def nearest_faults(explainer: Explainer, explanation: Explanation) -> Iterator[str]:
    """What is closest lacks no more than any other queue instance, each looked at by itself."""
    if explanation.nearest is None or "@" not in explanation.nearest.place:
        return
    outcome = explainer.outcome.job(explanation.job)
    assert outcome is not None
    rejections = explainer._rejections(explainer._chosen(outcome, explanation.task))
    everywhere = tuple(_everywhere(rejections))
    distances = {
        rejections.run.resources.instances[number].name: _distance(unmet)
        for number, rejection in enumerate(rejections.of)
        if rejection is not None and (not rejections.masters or number in rejections.masters)
        if (unmet := (*everywhere, *_lacks_at(rejections, number)))
    }
    own = distances.get(explanation.nearest.place)
    if own is not None and own > min(distances.values()):
        yield f"closest {explanation.nearest.place} {own}, but {min(distances, key=distances.__getitem__)}"


def forecast_faults(explainer: Explainer, state: State, explanation: Explanation) -> Iterator[str]:
    expected = expected_start(explainer, explanation.job, explanation.task)
    if expected is None:
        return
    cluster = explainer.run.compiled.cluster
    simulator = Simulator(cluster, state, replace(Settings.of(cluster, state), until=expected.at))
    started = None
    while started is None and simulator.advance() is not None:
        if is_running(simulator, explanation.job, explanation.task):
            started = simulator.now
    if started != expected.at:
        late = None if started is None else started - state.now
        yield f"foretold in {expected.at - state.now} s after {expected.after}, the day: {late}"


def recorded_worlds(name: str) -> Iterator[tuple[Cluster, State]]:
    """Yield the clusters and states of the runs of a kept scenario; each job has a run time."""
    scenario, memory = read_scenario(CLUSTERS / name), HiddenState()
    for real in kept_runs(scenario):
        run = memory.completed(real)
        contents = contents_of(run, scenario.files)
        jobs = (job if job.runtime is not None else replace(job, runtime=600 + job.id) for job in contents.state.jobs)
        yield contents.cluster, replace(contents.state, jobs=tuple(jobs))
        memory.note(run, simulate(contents.cluster, contents.state))


ONCE_WRONG = ["advance_few_slots", "orphans", "orphans_reserved"]
"""Fewer slots in a reservation; a queue instance that is no longer configured, which qalter does not accept."""


@pytest.mark.parametrize("name", [*one_in(60, sorted({one.name for one in CLUSTERS.iterdir()} - {*ONCE_WRONG})),
                                  *ONCE_WRONG])  # fmt: skip
def test_what_is_said_of_recorded_jobs_comes_true(name: str) -> None:
    assert [fault for world in recorded_worlds(name) for fault in faults(*world)] == []


WITH_SUSPENDED_BY_DELETED = 385
"""A seed with a change that deletes the jobs which have suspended a queue instance."""


@pytest.mark.parametrize("seed", [*one_in(60, range(300)), WITH_SUSPENDED_BY_DELETED])
def test_what_is_said_of_drawn_jobs_comes_true(seed: int) -> None:
    assert list(faults(*drawn_state(seed))) == []


@pytest.mark.parametrize("seed", one_in(60, range(240)))
def test_what_is_said_beside_advance_reservations_comes_true(seed: int) -> None:
    cluster, state = drawn_state(seed)
    assert list(faults(cluster, with_reservations(seed, cluster, state))) == []
