"""The smallest changes that let a job run, each tried by running the engine with it.

Obstacles come from the run itself. For each kind of obstacle the instance that misses least is taken. An amount is
raised step by step until the job starts: jobs ahead of it may take the first of what is added.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import Task
from qmon_tui.scheduler.compiled.cluster import GLOBAL, global_configuration
from qmon_tui.scheduler.explaining import edits
from qmon_tui.scheduler.explaining.edits import MOST_STEPS, Candidate, Edited
from qmon_tui.scheduler.explaining.parallel import candidates_for_parallel
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching.level import CONSUMABLE, Shortfall
from qmon_tui.scheduler.outcome import Change
from qmon_tui.scheduler.placement.sequential import GLOBAL_SCOPE, HOST_SCOPE, Attempt, Verdict
from qmon_tui.scheduler.run import Run, simulate
from qmon_tui.scheduler.split import Place

_MOST_CHANGES = 3


@dataclass(slots=True)
class Trials:
    """How many more runs may be made; large clusters get fewer."""

    left: int

    @classmethod
    def for_run(cls, run: Run) -> "Trials":
        """As many as take about as long as one can wait."""
        size = len(run.jobs) + 5 * len(run.resources.instances)
        return cls(max(3, min(48, 60_000 // (size + 1))))

    def starts(self, edited: Edited, wanted: tuple[int, int], at: int) -> bool:
        """Tell whether a task, given by job number and task number, starts in this world."""
        self.left -= 1
        run = simulate(edited.cluster, edited.state, at=at)
        return any((start.run_job.id, start.task) == wanted and not start.refused for start in run.dispatch.starts)


def changes_for(run: Run, run_job: RunJob, task: int) -> tuple[Change, ...]:
    """Up to three changes, each of which alone lets the task start."""
    if run_job.not_simulated:
        return ()
    trials = Trials.for_run(run)
    found: list[Change] = []
    for candidate in _candidates(run, run_job, task):
        if len(found) == _MOST_CHANGES or trials.left <= 0:
            break
        change = _smallest(candidate, (run_job.id, task), run.now, trials)
        if change is not None:
            found.append(change)
    return tuple(found)


def _smallest(candidate: Candidate, wanted: tuple[int, int], at: int, trials: Trials) -> Change | None:
    """The fewest steps that let the task start: doubled until it does, then narrowed down."""
    failed, steps = 0, 1
    while trials.left > 0:
        edited = candidate.edit(steps)
        if trials.starts(edited, wanted, at):
            break
        failed = steps
        if steps >= candidate.steps:
            return None
        steps = min(steps * 2, candidate.steps)
    else:
        return None
    while steps - failed > 1 and trials.left > 0:
        middle = (steps + failed) // 2
        tried = candidate.edit(middle)
        if trials.starts(tried, wanted, at):
            edited, steps = tried, middle
        else:
            failed = middle
    return edited.change


def _candidates(run: Run, run_job: RunJob, task: int) -> Iterator[Candidate]:
    place = next((where for where, tasks in run_job.split.others.items() if task in tasks), None)
    if place is not None:
        yield from _for_task(run, run_job, task, place)
        return
    if run_job.excluded_at is not None:
        scheduler = run.compiled.cluster.single(Kind.SCHEDULER)
        limit = run.compiled.policy.maxujobs
        yield Candidate(
            lambda steps: edits.single_field(
                run.compiled.cluster, run.state, scheduler, "maxujobs", str(limit + steps)
            ),
            MOST_STEPS,
        )
        return
    if run_job.job.request.pe is not None:
        yield from candidates_for_parallel(run, run_job)
    else:
        yield from _for_placement(run, run_job)


def _for_task(run: Run, run_job: RunJob, task: int, place: Place) -> Iterator[Candidate]:
    """A task that takes no part."""
    cluster, state, job = run.compiled.cluster, run.state, run_job.job
    request = job.request
    if place is Place.HOLD and task in job.tasks:
        released = edits.job_task(cluster, state, job, task, Task("qw"), f"release the hold of job {job.id}")
        yield Candidate(lambda _: released)
    elif place is Place.HOLD and request.hold:
        sentence = f"release the hold of job {job.id}"
        free = edits.job_request(cluster, state, job, replace(request, hold=""), sentence, "-h", request.hold, "")
        yield Candidate(lambda _: free)
    elif place is Place.HOLD:
        yield _without_dependency(run, run_job, "hold_jid_ad")
    elif place is Place.WAITING_FOR_JOBS:
        yield _without_dependency(run, run_job, "hold_jid")
    elif place is Place.WAITING_FOR_TIME:
        early = edits.job_request(
            cluster, state, job, replace(request, start_time=None),
            f"let job {job.id} start at once", "-a", str(request.start_time), "",
        )  # fmt: skip
        yield Candidate(lambda _: early)
    elif place is Place.ERROR:
        cleared = Task("qw", {}, None)
        clear = edits.job_task(cluster, state, job, task, cleared, f"clear the error of job {job.id}")
        yield Candidate(lambda _: clear)
    elif place is Place.OVER_TASK_LIMIT:
        yield _more_tasks(run, run_job)


def _without_dependency(run: Run, run_job: RunJob, option: str) -> Candidate:
    job = run_job.job
    named = ",".join(getattr(job.request, option))
    request = replace(job.request, hold_jid=()) if option == "hold_jid" else replace(job.request, hold_jid_ad=())
    sentence = f"do not let job {job.id} wait for {named}"
    edited = edits.job_request(run.compiled.cluster, run.state, job, request, sentence, f"-{option}", named, "")
    return Candidate(lambda _: edited)


def _more_tasks(run: Run, run_job: RunJob) -> Candidate:
    cluster, state, job = run.compiled.cluster, run.state, run_job.job
    own, overall = job.request.max_running_tasks, run.compiled.max_aj_instances
    if own and (own < overall or not overall):

        def raised(steps: int) -> Edited:
            request = replace(job.request, max_running_tasks=own + steps)
            sentence = f"let job {job.id} run {own + steps} tasks at a time"
            return edits.job_request(cluster, state, job, request, sentence, "-tc", str(own), str(own + steps))

        return Candidate(raised, MOST_STEPS)
    configuration = global_configuration(cluster)
    return Candidate(
        lambda steps: edits.single_field(cluster, state, configuration, "max_aj_instances", str(overall + steps)),
        MOST_STEPS,
    )


def _for_placement(run: Run, run_job: RunJob) -> Iterator[Candidate]:
    """A pending task that fits nowhere: what stands in its way, one obstacle of each kind."""
    attempt = Attempt(run.search.applicant(run_job))
    verdict = run.search.examine_global(attempt)
    if verdict is not None:
        yield from _raise(run, run_job, [(verdict, GLOBAL, -1)])
        return
    short: dict[tuple[str, str], list[tuple[Verdict, str, int]]] = {}
    full: list[int] = []
    closed: list[int] = []
    overloaded: list[int] = []
    for number, instance in enumerate(run.resources.instances):
        attempt.bad_hosts.clear()
        attempt.bad_queues.clear()
        found = run.search.examine(number, attempt)
        states = run.availability.states[number]
        if found is None and states:
            closed.append(number)
        elif found is None and number in run.availability.dropped:
            overloaded.append(number)
        elif found is not None and found.attribute == "slots" and found.scope != HOST_SCOPE:
            full.append(number)
        elif found is not None and found.failure is not None and not states:
            name = instance.host if found.scope == HOST_SCOPE else instance.name
            short.setdefault((found.scope, found.attribute or ""), []).append((found, name, number))
    for obstacles in short.values():
        yield from _raise(run, run_job, obstacles)
    yield from _for_instances(run, closed, full, overloaded)


def _for_instances(run: Run, closed: list[int], full: list[int], overloaded: list[int]) -> Iterator[Candidate]:
    cluster, state = run.compiled.cluster, run.state
    if closed:
        number = closed[0]
        name = run.resources.instances[number].name
        opened = edits.instance_state(cluster, state, name, run.availability.states[number])
        yield Candidate(lambda _: opened)
    if full:
        yield edits.more_slots(cluster, state, run.resources.instances[full[0]])
    if overloaded:
        busy = run.resources.instances[overloaded[0]]
        loaded = cluster.objects(Kind.QUEUE)[busy.queue]
        without = edits.queue_field(
            cluster, state, loaded, busy.host, "load_thresholds", "NONE",
            f"take the load thresholds away from queue instance {busy.name}",
        )  # fmt: skip
        yield Candidate(lambda _: without)


def _raise(run: Run, run_job: RunJob, obstacles: Iterable[tuple[Verdict, str, int]]) -> Iterator[Candidate]:
    """More of a consumable where least is missing; or a smaller request."""
    best: tuple[float, str, int, Shortfall, str] | None = None
    for verdict, name, number in obstacles:
        missing = verdict.failure.shortfall if verdict.failure is not None else None
        if missing is None or missing.amount is None:
            continue
        wanted = run_job.demand.amounts.get(missing.attribute.name, missing.attribute.default_amount)
        lack = wanted - missing.amount
        if best is None or lack < best[0]:
            best = (lack, name, number, missing, verdict.scope)
    if best is None:
        return
    lack, name, number, missing, scope = best
    if missing.kind.endswith(CONSUMABLE) and lack > 0 and not missing.attribute.exclusive:
        yield _more_of(run, run_job, lack, name, number, missing, scope)
    yield from _ask_for_less(run, run_job, missing)


def _more_of(
    run: Run, run_job: RunJob, lack: float, name: str, number: int, missing: Shortfall, scope: str
) -> Candidate:
    attribute = missing.attribute
    cluster, state = run.compiled.cluster, run.state
    wanted = run_job.demand.amounts.get(attribute.name, attribute.default_amount)
    if scope in (GLOBAL_SCOPE, HOST_SCOPE):
        total = run.compiled.hosts[name].configured[attribute.name].number

        def on_host(steps: int) -> Edited:
            value = edits.amount_text(attribute, total + lack + (steps - 1) * wanted)
            return edits.host_value(cluster, state, name, attribute, value)

        return Candidate(on_host, MOST_STEPS)
    instance = run.resources.instances[number]
    queue = cluster.objects(Kind.QUEUE)[instance.queue]
    configured = instance.profile.configured
    current = ",".join(f"{key}={value.text}" for key, value in configured.items() if key != "slots")

    def in_queue(steps: int) -> Edited:
        value = edits.amount_text(attribute, configured[attribute.name].number + lack + (steps - 1) * wanted)
        return edits.queue_value(cluster, state, queue, instance.host, current, attribute, value)

    return Candidate(in_queue, MOST_STEPS)


def _ask_for_less(run: Run, run_job: RunJob, missing: Shortfall) -> Iterator[Candidate]:
    attribute = missing.attribute
    amount = missing.amount
    wanted = next((one for one in run_job.demand.hard if one.attribute is attribute), None)
    if wanted is None or amount is None or amount <= 0 or attribute.relop not in ("<", "<="):
        return
    job = run_job.job
    text = edits.amount_text(attribute, amount)
    hard = tuple(
        (name, text if run.compiled.attributes.find(name) is attribute else old) for name, old in job.request.hard
    )
    edited = edits.job_request(
        run.compiled.cluster, run.state, job, replace(job.request, hard=hard),
        f"let job {job.id} ask for {attribute.name}={text} instead of {wanted.text}",
        f"-l {attribute.name}", wanted.text, text,
    )  # fmt: skip
    yield Candidate(lambda _: edited)
