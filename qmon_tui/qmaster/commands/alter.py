"""qalter: options of a job replaced by an operator, with the qmaster's refusals, and -w."""

from dataclasses import replace
from types import MappingProxyType
from typing import Final

from qmon_tui.formats import joined, only, options_given, parse_qsub, split_options, with_years
from qmon_tui.model import HOLD_LETTERS, NO_RESERVATION, SEQUENTIAL, Cluster, Job, State, sorted_holds
from qmon_tui.qmaster.commands.command import Reply, Target
from qmon_tui.qmaster.commands.hold_jid import with_resolved_hold_jid, with_resolved_successors
from qmon_tui.qmaster.commands.holds import hold, release
from qmon_tui.qmaster.commands.qalter_messages import entry_notes, in_order
from qmon_tui.qmaster.commands.qalter_refusals import HELD, NEVER, WAITED_FOR, Change, malformed
from qmon_tui.qmaster.commands.tasks import left, task_of, with_options
from qmon_tui.qmaster.scheduler_events import find_job, resent, resent_with_tasks, with_job
from qmon_tui.qmaster.submission_check import refusal
from qmon_tui.qmaster.verification import FOUND, ONLY_VERIFY, verified, warning
from qmon_tui.qmaster.wallclock_limits import with_wallclock_limits
from qmon_tui.scheduler.configuration import compile_cluster
from qmon_tui.scheduler.jobs import leaves_category


def with_kept_limits(cluster: Cluster, before: Job, after: Job) -> Job:
    """Return the altered job whose running tasks keep the limits from its earlier request."""
    if before.request.hard == after.request.hard:
        return after
    return next(with_wallclock_limits(cluster, (after,), before.request))


_NOTHING_PENDING: Final = "verification: job is already running or is held"
_ERROR: Final = "e"


def with_verification(cluster: Cluster, before: State, reply: Reply, job: Job) -> Reply:
    """Return the reply to qalter with the effect of -w; `job` is the altered job.

    With v and p nothing is changed, unless no task of the job is pending without a hold: then the qmaster reports that
    and continues.
    """
    verify = job.request.verify
    printed = () if verify in ONLY_VERIFY else reply.messages
    if not _has_pending(find_job(reply.state, job.id) or job):
        return Reply(reply.state, (*printed, _NOTHING_PENDING))
    compiled = compile_cluster(cluster)
    if verify in ONLY_VERIFY:
        verification = verified(compiled, before, job)
        if verification.slots is None:
            return Reply(before, tuple(verification.lines(job.id)))
        number = f"verification: found possible assignment with {verification.slots} slots"
        return Reply(before, (number if job.request.pe is not None else FOUND,))
    if verify == _ERROR and verified(compiled, before, job).slots is None:
        return Reply(before, ("error: no suitable queues",))
    text = warning(compiled, before, job)
    return reply if text is None else Reply(reply.state, (*printed, text))


def _has_pending(job: Job) -> bool:
    """True if a task is pending without a hold; tasks with unfinished predecessors count."""
    return any("q" in task_of(job, number).state and not job.own_holds(number) for number in left(job))


_NO_PROJECT: Final = "NONE"


def alter(cluster: Cluster, state: State, number: int, options: str, *, tasks: tuple[int, ...] | None = None) -> Reply:
    """Replace the options given; lists (-l, -q, -hold_jid ...) are replaced as a whole, as qsub reads them.

    The letters of -h are added to the holds, U O S remove them and n removes all. If `tasks` are named, only they are
    held, and without -h nothing is altered.
    """
    return _altered(cluster, state, Target(number, tasks), options).after_warnings("qalter", options)


_ONLY_OF_JOBS: Final = "denied: the selected option works only on jobs and not on tasks"


def _altered(cluster: Cluster, state: State, target: Target, options: str) -> Reply:
    number = target.job
    given = options_given(options)
    parsed = parse_qsub(options, now=state.now)
    job = find_job(state, number)
    wrong = tuple(malformed(given, options, parsed, number))
    if wrong:
        return Reply(state, wrong)
    # qsub reads dates without a year by the year of submission, qalter by the present one.
    options = with_years(options, state.now)
    if job is None:
        return Reply(state, (f'denied: job "{number}" does not exist',))
    if target.tasks is not None and HELD not in given:
        return Reply(state, (_ONLY_OF_JOBS,))
    letters = _hold_letters(options) if HELD in given else ""
    reply = _holds(cluster, state, target, letters)
    others = _effective(options)
    if not others:
        return reply
    change = Change(cluster, state, job, given, parsed.request)
    printed, is_refused = _messages_of(change, others)
    if is_refused:
        return Reply(state, (*reply.messages, *printed), in_vain=len(reply.messages) + len(printed) - 1)
    after = _with_given(change, others)
    before, changed = _with_project(change, job), _with_project(change, after)
    settled = with_resolved_successors(state, job) if "-N" in given else state
    is_sent = not _SENT.isdisjoint(given) or _values_sent_with_tasks(before) != _values_sent_with_tasks(changed)
    altered = with_job(settled, _kept(cluster, state, job, after, is_sent=is_sent))
    if HELD in given:  # it is sent once, together with its holds
        altered = _holds(cluster, altered, target, letters).state
    elif is_sent:
        altered = resent_with_tasks(altered, number)
    elif _values(before) != _values(changed):
        altered = resent(altered, number, is_whole=False)
    reply = Reply(altered, (*reply.messages, *printed))
    if "-w" in given and parsed.request.verify != NEVER:
        return with_verification(cluster, state, reply, after)
    return reply


def _messages_of(change: Change, options: str) -> tuple[list[str], bool]:
    """Return the messages in the qmaster's order, and True if it refuses an option: then that message is the last."""
    before, after = _with_project(change, change.job), change.job
    printed: list[str] = []
    known: list[str] = []
    for option in in_order(change.given):
        known.append(option)
        after = _with_given(change, only(options, known))
        text = change.refusal(option, after)
        if text is not None:
            return [*printed, text], True
        printed += entry_notes(option, before, _with_project(change, after))
    text = change.refusal_at_last(after)
    return (printed, False) if text is None else ([*printed, text], True)


def _with_given(change: Change, options: str) -> Job:
    given = options_given(options)
    job, after = change.job, with_options(change.job, options)
    if "-P" in given:
        # Once a project is given, the user's default project does not matter.
        after = replace(after, project=None)
        after = replace(after, project=None if change.project_of(after) == after.request.project else _NO_PROJECT)
    if not WAITED_FOR.isdisjoint(given):
        # Jobs with later numbers count from now on.
        after = replace(with_resolved_hold_jid(change.state, after), changed=float(change.state.now))
    return after if "-pe" not in given or job.request.pe is not None else _with_sequential_tasks(after)


def _with_project(change: Change, job: Job) -> Job:
    """Return the job with its effective project as the requested one."""
    return replace(job, request=replace(job.request, project=change.project_of(job)))


def _kept(cluster: Cluster, state: State, job: Job, after: Job, *, is_sent: bool) -> Job:
    """Return the job as stored, with additions that its options do not show."""
    after = with_kept_limits(cluster, job, after)
    after = replace(after, category_ar=None if is_sent else _category_ar(job, after))
    if job.reservation_rejected and leaves_category(cluster, state.jobs, job, after, is_sent=is_sent):
        after = replace(after, reservation_rejected=False)
    if after.request.verify in ONLY_VERIFY:
        after = replace(after, request=replace(after.request, verify=job.request.verify))
    return _let_in(cluster, state, after)


def _category_ar(before: Job, after: Job) -> str | None:
    """Return the reservation of the job's category if it differs from the requested one; else None."""
    known = before.category_reservation
    return None if after.request.advance_reservation == known else known or NO_RESERVATION


_SENT: Final = frozenset(
    {"-N", "-l", "-soft -l", "-q", "-soft -q", "-masterq", "-pe", "-ckpt", "-tc", "-R", "-r", "-a", "-dl", "-notify",
     "-binding", "-hold_jid", "-hold_jid_ad"}
)  # fmt: skip
"""Options that make the qmaster send a job with all its tasks, even if they change nothing.

Options for accounting, mail, files and context only do not.
"""


def _values_sent_with_tasks(job: Job) -> tuple[object, ...]:
    """Return further values whose change makes the qmaster send a job with all its tasks."""
    return job.request.override_tickets, job.request.project


def _values(job: Job) -> tuple[object, ...]:
    """Return the values whose change makes the qmaster send a job without its tasks."""
    return job.request.priority, job.request.job_share, job.request.advance_reservation


def _with_sequential_tasks(job: Job) -> Job:
    """Return the job whose started tasks continue without a PE."""
    tasks = {
        number: replace(task, environment=SEQUENTIAL) if task.granted and task.environment is None else task
        for number, task in job.tasks.items()
    }
    return replace(job, tasks=MappingProxyType(tasks))


def _let_in(cluster: Cluster, state: State, job: Job) -> Job:
    """Record that the job is admitted if qsub would refuse it like this."""
    request = job.request
    privileged = (
        request.priority > 0
        or request.deadline is not None
        or (request.master_queues and not request.pe)
        or (request.checkpoint_when and not request.checkpoint)
    )
    if job.tasks or not privileged or refusal(cluster, state, job) is None:
        return job
    first = job.task_ids[0]
    return replace(job, tasks={first: task_of(job, first)})


def _effective(options: str) -> str:
    """Return the options without -h, which is handled separately, and without -c, which changes nothing."""
    pieces = split_options(options)
    return joined([piece for piece in pieces if piece.option not in (HELD, "-c")])


def _hold_letters(options: str) -> str:
    """Return the letters of the last -h as typed."""
    return [word for piece in split_options(options) if piece.option == HELD for word in piece.words[1:]][-1]


def _holds(cluster: Cluster, state: State, target: Target, letters: str) -> Reply:
    added = sorted_holds(letters)
    removed = HOLD_LETTERS if "n" in letters else "".join(hold for hold in HOLD_LETTERS if hold.upper() in letters)
    reply = release(cluster, state, target, removed) if removed else Reply(state)
    return reply.then(hold(cluster, reply.state, target, added)) if added else reply
