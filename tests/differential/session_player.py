"""Play a session on a real qmaster: submit, let the scheduler run exactly once per step, and note what happened."""

import calendar
import re
import shlex
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial

from qmon_tui.formats.qalter_application import altered
from qmon_tui.model.state import PastUsage
from tests.differential.changes import Changes, Ended
from tests.differential.editing import carry_out, configured_in_order, everything_in_order
from tests.differential.loads import Loads, report_loads
from tests.differential.observing import Seen, are_being_deleted, observe, predecessors
from tests.differential.qmaster import Answer, Qmaster, QmasterError
from tests.differential.runs import Accepted, Asked, Refused, Run, scores_of
from tests.differential.schedule import last_schedule
from tests.differential.session import DEFAULT_COMMAND, Action, Edit, Load, Order, Reserve, Step, Submission
from tests.differential.usage import share_nodes

FROM_QMASTER = "Unable to run job"
NO_ARRAY = "task concurrency"
RUN_SECONDS = 30.0
SETTLE_SECONDS = 0.05
ARRIVAL_TRIES, ARRIVAL_SECONDS = 5, 0.2
DELETION_TRIES = 20
END_OF_RUN = "PROF: schedd run took"
LATE_IN_A_SECOND = 0.75
LATE_FOR_A_LOOK, AFTER_THE_TURN, LOOKS = 0.3, 0.1, 5
ENDLESS = " ".join(DEFAULT_COMMAND)
SKIPPED = re.compile("Skipping remaining [1-9]")
SCORES = re.compile(r"(-?\d+)/(-?\d+)/(-?\d+) pe-alg")
TICKETS = "PROF: job-order calculation took"


CLEAR_USAGE = ("qconf", "-clearusage")
_NUMBERS = re.compile(r"[\d,]+")
_SCHEDULER = "scheduler"
"""Changing its configuration makes the scheduler run: it is done last, and is the run."""
_ABOUT_JOBS = ("qalter", "qhold", "qrls")
_NOTHING_THERE = re.compile("does not exist|invalid queue|comprises no tasks")
_CONTROLS_SLAVES = re.compile(r"(?m)^control_slaves\s+TRUE")
_LATER = re.compile(r"(?P<option>-hold_jid(?:_ad)?)(?P<blank>\s+'?)(?P<names>[^\s']+)")
_USER_HOLD = re.compile(r"(?:^|\s)-h(?: u)?(?=\s)")
_HOLD_OPTION = re.compile(r"(?:^|(?<=\s))-h(?:\s+(?P<letters>[uosUOSn]+))?(?=\s|$)")


def play(
    qmaster: Qmaster, steps: tuple[Step, ...], usage: PastUsage | None = None, files: Mapping[str, str] | None = None
) -> Iterator[Run]:
    """Play the steps on a loaded qmaster; one Run per step, the first with what everybody has used before.

    No step begins in the second of the run before: a folder cannot say what came first in a second.
    """
    jobs: list[Accepted] = []
    starts: tuple[tuple[int, int], ...] = ()
    loads: Loads = {}
    edits: tuple[Edit, ...] = ()
    masters: dict[tuple[int, int], tuple[str, ...]] = {}
    changes = Changes(
        waits=any("-hold_jid" in _options(action) for step in steps for action in step.actions),
        watches="subordinate_list" in "".join((files or {}).values()),
    )
    number = 0
    last = Seen([], [], [])
    for step in steps:
        refused: list[Refused] = []
        asked: list[Asked] = []
        ended: list[Ended] = []
        of_scheduler: list[Edit] = []
        news = _merged({}, step.loads)
        if news:
            report_loads(qmaster, news)
            known, loads = loads, _merged(loads, step.loads)
            # Where all values are there already, the execd ends before it has reported anything.
            changes.reported(news if loads != known else ())
        times: list[tuple[int, int]] = []
        granted = {(job.id, task): row.granted for job in last.jobs for row in job.rows for task in row.tasks}
        known_changes = dict(changes.instances)
        for action in step.actions:
            changes.look(qmaster, known_changes)
            ended += changes.ended(qmaster, granted)
            known_changes = dict(changes.instances)
            times.append((int(time.time()), len(ended)))
            if isinstance(action, Order):
                answer = _carried_out(qmaster, action)
                if action.words[0] in _ABOUT_JOBS and not answer.status:
                    of_holds = action.words[0] != "qalter" or "-h" in action.words
                    changes.note_said(int(action.words[-1].partition(".")[0]), answer.text, of_holds=of_holds)
                changes.note_words(answer.text)
                changes.note_sent(qmaster)
                if not answer.status:
                    jobs = [_settled(qmaster, job, action) for job in _described(action, jobs)]
                continue
            if isinstance(action, Edit):
                if action.kind == _SCHEDULER:
                    of_scheduler.append(action)
                    continue
                if asked and asked[-1].at == int(time.time()):
                    # What is reserved in a second is taken to come last in it.
                    time.sleep(1 - time.time() % 1)
                do = partial(carry_out, qmaster, files or {}, edits, action)
                everything = partial(everything_in_order, files or {}, (*edits, action))
                if not changes.edited(qmaster, action, do, everything).status:
                    edits += (action,)
                    changes.keep_order(everything(), configured_in_order(files or {}, edits))
                continue
            if isinstance(action, Reserve):
                asked.append(reserve(qmaster, action))
                continue
            done = submit(qmaster, action)
            if isinstance(done, Accepted):
                jobs.append(done)
                number = done.id
                changes.note_submission(done.id, done.qsub)
            else:
                refused.append(replace(done, number=number + 1, asked=len(asked)))
                # What is found fault with first never gets as far as to be given a number.
                number += done.text.startswith(FROM_QMASTER) and NO_ARRAY not in done.text
        something_ends = any(ENDLESS not in job.qsub for job in jobs)
        for _ in range(LOOKS):
            second = _early_second() if something_ends else int(time.time())
            changes.look(qmaster, known_changes)
            ended += changes.ended(qmaster, granted)
            known_changes = dict(changes.instances)
            before = observe(qmaster)
            if not something_ends or time.time() < second + LATE_IN_A_SECOND:
                break
        if before.placed and not last.jobs:
            raise QmasterError("the run that comes with the scheduler's configuration came late and started jobs")
        ended += changes.unaccounted(last, before, ended)
        logged = len(qmaster.log())
        edits += tuple(of_scheduler)
        at = run_scheduler(qmaster, partial(_configured, qmaster, files or {}, edits) if of_scheduler else None)
        last = after = _observed_after(qmaster)
        skipped = SKIPPED.search(qmaster.log(), logged) is not None
        *_, scores = (None, *SCORES.findall(qmaster.log(), logged))
        schedule = last_schedule(qmaster)
        run = Run(tuple(jobs), tuple(refused), starts, loads, before, at, after, schedule, skipped=skipped)
        unclean = tuple((*task, name) for task in _rescheduled(before) for name in masters.get(task, ()))
        moved = tuple(changes.instances.items())
        run = replace(run, edits=edits, unclean=unclean, changed=tuple(changes.jobs.items()), asked=tuple(asked))
        running = [(job.id, task) for job in before.jobs for row in job.rows if row.granted for task in row.tasks]
        run = replace(run, moved=moved, ended=tuple(ended), stopped=changes.sent_tasks(running))
        changes.standing.intersection_update(running)
        run = replace(run, standing=tuple(sorted(changes.standing)), times=tuple(times))
        run = replace(run, sent=tuple(changes.sent.items()), told=changes.told)
        run = replace(run, categories=tuple(changes.categories.items()))
        changes.looked(after)
        cleared = any(isinstance(action, Order) and action.words == CLEAR_USAGE for action in step.actions)
        usage = PastUsage() if cleared or usage is None else usage
        yield replace(run, usage=usage, cleared=cleared, nodes=share_nodes(qmaster), pe_alg=scores_of(scores))
        masters |= {task: (*masters.get(task, ()), *names) for task, names in _left_behind(qmaster, after).items()}
        usage = None
        changes.removed(ended, at)
        fresh = started_since(before, after)
        changes.started(job for job, _ in fresh)
        starts += fresh
        time.sleep(max(0.0, at + 1 - time.time()))


def _early_second() -> int:
    """Wait where a second is late, and tell which one it is.

    What ends does so at the turn of a second: between the look at what is there and the run there is to be none.
    """
    into = time.time() % 1
    if into > LATE_FOR_A_LOOK:
        time.sleep(1 + AFTER_THE_TURN - into)
    return int(time.time())


def _options(action: Action) -> str:
    """What a deed says of jobs."""
    if isinstance(action, Order):
        return shlex.join(action.words)
    return action.qsub if isinstance(action, Submission) else ""


def _observed_after(qmaster: Qmaster) -> Seen:
    """What is there after a run: of some job something is always said, and on a busy machine that may come late."""
    runs = qmaster.log().count(END_OF_RUN)
    for _ in range(ARRIVAL_TRIES):
        seen = observe(qmaster)
        if not seen.jobs or seen.messages or any(job.messages for job in seen.jobs):
            break
        time.sleep(ARRIVAL_SECONDS)
    if qmaster.log().count(END_OF_RUN) != runs:
        raise QmasterError("the scheduler ran once more before anybody had seen what the run before did")
    return seen


def started_since(before: Seen, after: Seen) -> tuple[tuple[int, int], ...]:
    """The tasks that a run started, in the order of dispatch: by priority, submission, job and task."""
    placed = before.placed
    fresh = [
        (-float(row.columns["prior"]), job.submitted, job.id, row.tasks[0])
        for job in after.jobs
        for row in job.rows
        if row.granted and (job.id, row.tasks[0]) not in placed
    ]
    return tuple((job, task) for _, _, job, task in sorted(fresh))


def _left_behind(qmaster: Qmaster, seen: Seen) -> dict[tuple[int, int], tuple[str, ...]]:
    """(job, task) -> the queue instances of what runs in which something is left of it when it is sent back.

    That is its master queue; in a parallel environment with control_slaves all of them.
    """

    @cache
    def controls_slaves(environment: str | None) -> bool:
        return (
            environment is not None
            and _CONTROLS_SLAVES.search(qmaster.run("qconf", "-sp", environment).out) is not None
        )

    return {
        (job.id, task): tuple(row.granted)[: None if controls_slaves(row.environment) else 1]
        for job in seen.jobs
        for row in job.rows
        if row.granted
        for task in row.tasks
    }


def _rescheduled(seen: Seen) -> Iterator[tuple[int, int]]:
    """(job, task) of what waits to run again."""
    for job in seen.jobs:
        for row in job.rows:
            if {"R", "q"} <= set(row.state):
                yield from ((job.id, task) for task in row.tasks)


def _merged(loads: Loads, news: Iterable[Load]) -> Loads:
    found = dict(loads)
    for load in news:
        found[load.host] = {**found.get(load.host, {}), **load.values}
    return found


def submit(qmaster: Qmaster, submission: Submission) -> Accepted | Refused:
    """Submit as the owner, then let root set the override tickets."""
    now = int(time.time())
    submission = submission.dated(now)
    owner, group, qsub = submission.owner, submission.group, submission.qsub
    answer = qmaster.run_as(owner, group, "qsub", "-terse", "-b", "y", *submission.options)
    number = _job_number(answer)
    if number is None:
        return Refused(owner, group, qsub, answer.text.strip(), at=now)
    if submission.override_tickets:
        qmaster.must("qalter", "-ot", submission.override_tickets, str(number))
    # What comes later does not count, although it has a number that was named.
    return Accepted(number, owner, group, _LATER.sub(partial(_without_later, number), qsub))


def _without_later(number: int, found: re.Match[str]) -> str:
    kept = [name for name in found["names"].split(",") if not name.isdigit() or int(name) <= number]
    return f"{found['option']}{found['blank']}{','.join(kept) or '0'}"


def reserve(qmaster: Qmaster, action: Reserve) -> Asked:
    """Ask for an advance reservation; what is not granted is not there."""
    for name in action.users:
        qmaster.world.names.add_user(name)
    now = int(time.time())
    words = action.dated(now)
    text = qmaster.run_as(action.owner, action.group, "qrsub", *words).text
    said = tuple(line.strip() for line in text.splitlines() if line.strip())
    return Asked(action.owner, action.group, shlex.join(words), now, said)


def _configured(qmaster: Qmaster, files: Mapping[str, str], edits: tuple[Edit, ...]) -> None:
    """Give the scheduler its configuration after all edits, which makes it run."""
    answer = carry_out(qmaster, files, edits[:-1], edits[-1])
    if answer.status:
        raise QmasterError(answer.text.strip())


def run_scheduler(qmaster: Qmaster, start: Callable[[], object] | None = None) -> int:
    """Run the scheduler once and wait until its orders are carried out; the second in which it computed priorities.

    `start` makes it run, where it is not to be asked to.
    """
    log = qmaster.log()
    if time.time() % 1 > LATE_IN_A_SECOND:
        time.sleep(1 - time.time() % 1)
    runs = log.count(END_OF_RUN)
    if start is None:
        qmaster.must("qconf", "-tsm")
    else:
        start()
    deadline = time.monotonic() + RUN_SECONDS
    while qmaster.log().count(END_OF_RUN) == runs:
        if time.monotonic() > deadline:
            raise QmasterError(f"the scheduler did not run: {qmaster.log()[-2000:]}")
        time.sleep(0.01)
    time.sleep(SETTLE_SECONDS)
    lines = qmaster.log()[len(log) :].splitlines()
    times = [line.split("|")[0] for line in lines if TICKETS in line]
    if len(times) != 1:
        raise QmasterError(f"the scheduler ran {len(times)} times instead of once")
    return calendar.timegm(time.strptime(times[0], "%m/%d/%Y %H:%M:%S"))


def _job_number(answer: Answer) -> int | None:
    """What -terse prints, or what stands in a warning that the job may never run (clients.md#qsub)."""
    found = re.search(r"(?m)^(\d+)(?:\.|$)|Your job(?:-array)? (\d+)", answer.text)
    return int(found[1] or found[2]) if found else None


def _carried_out(qmaster: Qmaster, order: Order) -> Answer:
    """Carry out an order; what was said."""
    program, *words = order.words
    if program == "wait":
        time.sleep(float(words[0]))
        # On a busy machine what was deleted may take longer.
        for _ in range(DELETION_TRIES):
            if not are_being_deleted(qmaster):
                break
            time.sleep(ARRIVAL_SECONDS)
        return Answer(0, "", "")
    answer = qmaster.run(program, *words)
    if answer.status and program != "qalter" and not _NOTHING_THERE.search(answer.text):
        raise QmasterError(f"{' '.join(order.words)}: {answer.text.strip()}")
    return answer


def _described(order: Order, jobs: list[Accepted]) -> Iterator[Accepted]:
    """The jobs as they are described after an order."""
    program, *words = order.words
    if program == "qrls" and len(words) == 1:
        # Where a job waits for others as well, its tasks do not say that it is no longer held by its user.
        yield from (replace(job, qsub=_released(job.qsub) if str(job.id) == words[0] else job.qsub) for job in jobs)
        return
    number, _, tasks = words[-1].partition(".") if program in ("qalter", "qhold") else ("", "", "")
    options = shlex.join(words[:-1]) if program == "qalter" else "-h"
    for job in jobs:
        if str(job.id) != number:
            yield job
            continue
        changed = altered(job.qsub, _HOLD_OPTION.sub(" ", options))
        option = _HOLD_OPTION.search(options)
        yield replace(job, qsub=changed if option is None or tasks else _held(changed, option["letters"] or "u"))


def _held(qsub: str, letters: str) -> str:
    """Options with the holds that qalter -h leaves: u, o and s are set, U, O and S taken away, n takes all away."""
    before = _HOLD_OPTION.search(qsub)
    holds = (before["letters"] or "u") if before else ""
    left = "".join(one for one in "uos" if one in holds + letters and one.upper() not in letters and "n" not in letters)
    return altered(qsub, f"-h {left or 'n'}")


def _released(qsub: str) -> str:
    return _USER_HOLD.sub(" ", qsub).strip()


def _settled(qmaster: Qmaster, job: Accepted, order: Order) -> Accepted:
    """A job with the numbers for which it waits now, where an order has named some, or given another name to one."""
    if order.words[0] != "qalter":
        return job
    for found in list(_LATER.finditer(job.qsub)):
        option = found["option"]
        is_named = order.words[-1] == str(job.id) and option in order.words
        if not is_named and ("-N" not in order.words or _NUMBERS.fullmatch(found["names"])):
            continue
        waited = predecessors(qmaster, [option]).get(job.id)
        if waited is not None:
            numbers = ",".join(map(str, sorted(waited))) or "0"
            job = replace(job, qsub=altered(job.qsub, f"{option} {numbers}"))
    return job
