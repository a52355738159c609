"""qalter: options of a job replaced by an operator, refused where the qmaster refuses it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from qmon_tui.formats.qsub import ParsedQsub, parse_qsub
from qmon_tui.formats.qsub_alter import joined, options_given, pieces_of
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.jobs import SEQUENTIAL
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import Job, Request, State
from qmon_tui.scheduler.admission import refusal
from qmon_tui.scheduler.compiled.access import compile_userset
from qmon_tui.scheduler.compiled.cluster import compile_cluster
from qmon_tui.scheduler.dependencies import NO_ARRAY
from qmon_tui.scheduler.labels import NAME_TOO_LONG, SILENT
from qmon_tui.scheduler.sorts import leaves_category
from qmon_tui.scheduler.split import Place, place_of
from qmon_tui.scheduler.verifying import ONLY_VERIFY, is_verified
from qmon_tui.simulation.commands.holds import hold, release
from qmon_tui.simulation.commands.limits import with_kept_limits
from qmon_tui.simulation.commands.reply import OPERATOR, Operator, Reply, Target, find, sent_anew, told_anew, with_job
from qmon_tui.simulation.commands.tasks import task_of, with_options
from qmon_tui.simulation.commands.verification import with_verification
from qmon_tui.simulation.commands.waiting import cycle, with_settled_names, with_settled_waiters
from qmon_tui.values.lists import is_none
from qmon_tui.values.names import TOO_LONG

_UNKNOWN: Final = frozenset({"-now", "-clear", "-terse", "-sync", "-verify", "-he", "-C", "-pty"})
_INVALID: Final = frozenset({"-b", "-shell"})
"""Options of qsub that qalter does not have, and how it says so."""
_ALSO_HELD: Final = "-h"
_NO_PROJECT: Final = "NONE"
_NEVER: Final = "n"
"""-w n: whether the job would find a place is not asked."""


def alter(cluster: Cluster, state: State, number: int, options: str, *, who: Operator = OPERATOR) -> Reply:
    """Replace what the options speak of; lists (-l, -q, -hold_jid ...) are replaced whole, as qsub reads them.

    The letters of -h are added to the holds that are there, U O S take them away and n takes all of them.
    """
    given = options_given(options)
    parsed = parse_qsub(options, now=state.now)
    job = find(state, number)
    wrong = tuple(_not_for_qalter(given, options, parsed))
    if wrong:
        return Reply(state, wrong)
    if job is None:
        return Reply(state, (f'denied: job "{number}" does not exist',))
    project_of = compile_cluster(cluster).shares.project_of
    before = _with_project(job, project_of)
    refused = tuple(_refused(cluster, before, given, parsed.request, who))
    if refused:
        return Reply(state, refused)
    reply = Reply(state)
    if others := _effective(options):
        after = with_options(job, others)
        if "-P" in given:
            # Once its project is given, its user's default project is no matter any more.
            after = replace(after, project=None)
            after = replace(after, project=None if project_of(after) == after.request.project else _NO_PROJECT)
        if not _WAITED_FOR.isdisjoint(given):
            # What has a later number counts from now on.
            after = replace(with_settled_names(state, after), changed=float(state.now))
        objection = None if _LOOKED_AT.isdisjoint(given) else _objection(cluster, state, job, after)
        if objection is not None:
            return Reply(state, (objection,))
        changed = _with_project(after, project_of)
        said = tuple(line for option in given if option in _SAID for line in _SAID[option](before, changed, who))
        is_told = not _SENT.isdisjoint(given) or _told(before) != _told(changed)
        after = with_kept_limits(cluster, job, after)
        if job.reservation_rejected and leaves_category(cluster, state.jobs, job, after, is_sent=is_told):
            after = replace(after, reservation_rejected=False)
        if "-pe" in given and job.request.pe is None:
            after = _with_sequential_tasks(after)
        kept = after if after.request.verify not in ONLY_VERIFY else _with_verify(after, job.request.verify)
        renamed = with_settled_waiters(state, job) if "-N" in given else state
        before_hold = with_job(renamed, _let_in(cluster, state, kept))
        if _ALSO_HELD in given:
            reply = Reply(before_hold, said)  # it is sent once, with its holds
        elif is_told:
            reply = Reply(told_anew(before_hold, number), said)
        else:
            is_sent = _values(before) != _values(changed)
            reply = Reply(sent_anew(before_hold, number) if is_sent else before_hold, said)
        if "-w" in given and parsed.request.verify != _NEVER:
            reply = with_verification(cluster, state, reply, after)
            if reply.state is state:
                return reply
    if _ALSO_HELD in given:
        reply = reply.then(_holds(cluster, reply.state, Target(number), _hold_letters(options)))
    return reply


def looks_at_others(cluster: Cluster, job: Job, options: str) -> bool:
    """Tell whether what the qmaster says of these options may depend on other jobs than the one that is altered.

    So it does with limits on their number, which hide other objections, and where the job is verified among them.
    """
    configuration = cluster.single(Kind.CONFIGURATION)
    limits = any(not is_none(configuration.text(name)) and configuration.text(name) != "0" for name in _JOB_LIMITS)
    return limits or is_verified(job) or not _AMONG_OTHERS.isdisjoint(options_given(options))


_SENT: Final = frozenset(
    {"-N", "-l", "-soft -l", "-q", "-soft -q", "-masterq", "-pe", "-ckpt", "-tc", "-R", "-r", "-a", "-dl", "-notify",
     "-binding", "-hold_jid", "-hold_jid_ad"}
)  # fmt: skip
"""Options by which a job is sent to the scheduler anew with all its tasks, whatever they change.

For what only accounting, mail, files and context need it is not sent.
"""


def _told(job: Job) -> tuple[object, ...]:
    """What else a job is sent with all its tasks for, where it becomes another."""
    return job.request.override_tickets, job.request.project


def _values(job: Job) -> tuple[object, ...]:
    """What it is sent for without its tasks, where it becomes another."""
    return job.request.priority, job.request.job_share, job.request.advance_reservation


_JOB_LIMITS: Final = ("max_jobs", "max_u_jobs")
_WAITED_FOR: Final = frozenset({"-hold_jid", "-hold_jid_ad"})
_AMONG_OTHERS: Final = frozenset({"-ar", "-N", "-hold_jid", "-hold_jid_ad", "-w"})
_LOOKED_AT: Final = frozenset(
    {"-l", "-soft -l", "-q", "-soft -q", "-masterq", "-pe", "-P", "-ckpt", "-ar", "-N", "-A", "-hold_jid",
     "-hold_jid_ad", "-o", "-e", "-i", "-S"}
)  # fmt: skip
"""Options that the qmaster compares with the cluster."""


_LISTS: Final = {
    "-q": "queue list",
    "-masterq": "queue list",
    "-M": "mail list",
    "-e": "path list",
    "-o": "stdout path list",
    "-i": "path list",
    "-S": "shell list",
    "-hold_jid": "jid_hold list",
    "-hold_jid_ad": "jid_hold_ad list",
    "-a": "date/time",
    "-dl": "date/time",
}
"""What may not be empty."""


def _not_for_qalter(given: tuple[str, ...], options: str, parsed: ParsedQsub) -> Iterator[str]:
    pieces = pieces_of(options)
    empty = [piece for piece in pieces if piece.option in _LISTS and piece.words[1:] == [""]]
    for one in empty:
        if one.option in ("-a", "-dl"):
            yield "no date specified"
        yield f'qalter: Wrong {_LISTS[one.option]} format "" specified to {one.option} option'
    if not empty:
        yield from (f"qalter: {problem}" for problem in parsed.problems)
    for piece in pieces:
        words = " ".join(piece.words)
        if piece.option == "-t":
            yield f"found lonely '{words}' option (The -t option needs a leading job name)."
        elif piece.option in _UNKNOWN:
            yield f"Unknown option {words}"
        elif piece.option in _INVALID:
            yield f'qalter: invalid option argument "{piece.option}"'
        elif piece.option == _ALSO_HELD and (letters := "".join(piece.words[1:])) and not _goes_together(letters):
            yield f'qalter: Unknown hold list "{letters}" specified to -h option'
    if parsed.request.command:
        yield f"qalter: {parsed.request.command[0]} is no option"
    if not given and not parsed.problems and not options.strip():
        yield "qalter: no options"


def _refused(cluster: Cluster, job: Job, given: tuple[str, ...], request: Request, who: Operator) -> Iterator[str]:
    if "-tc" in given and request.max_running_tasks and job.request.array is None:
        yield 'invalid option argument "task concurrency"'
    if "-A" in given and not request.account:
        yield 'NULL pointer passed as object name for "account string"'
    if "-hold_jid_ad" in given and job.request.array is None:
        yield NO_ARRAY
    if "-dl" in given and who.name not in _deadline_users(cluster):
        yield f'job rejected: the user "{who.name}" is not a deadline initiation user'
    runs = any(place_of(task.state) in (Place.RUNNING, Place.SUSPENDED) for task in job.tasks.values())
    if runs and "-ar" in given:
        reservation = request.advance_reservation or 0
        yield f"{who.name}@{who.host} sets job advance reservation of job {job.id} to {reservation}"
    if runs and "-P" in given and request.project != job.request.project:
        yield f"modified project of job {job.id}"
    elif not (runs and "-ar" in given):
        return
    yield f"job {job.id} can't modify running jobs"


def _with_project(job: Job, project_of: Callable[[Job], str | None]) -> Job:
    """The job as if it had asked for the project that it has."""
    return replace(job, request=replace(job.request, project=project_of(job)))


def _goes_together(letters: str) -> bool:
    return letters == "n" or letters.islower() or letters.isupper()


def _deadline_users(cluster: Cluster) -> frozenset[str]:
    userset = cluster.get(Kind.USERSET, "deadlineusers")
    return compile_userset(userset).users if userset else frozenset()


def _objection(cluster: Cluster, state: State, before: Job, after: Job) -> str | None:
    """What the qmaster says of the job as it would be, unless it would say so already now."""
    text = refusal(cluster, state, _by_operator(after), altered=True)
    if text is None or text == refusal(cluster, state, _by_operator(before), altered=True):
        return cycle(state, after)
    for ours, theirs in _QALTER_WORDS.items():
        text = text.replace(ours, theirs)
    return text


_QALTER_WORDS: Final = {
    "job rejected: the requested parallel environment": "denied: parallel environment",
    "job rejected: the requested checkpointing environment": "denied: checkpointing environment",
    NAME_TOO_LONG: TOO_LONG,
    # The real one says nothing and leaves the job as it is.
    SILENT: "a name or an account has no blanks and only characters of ASCII: nothing is changed",
}


def _by_operator(job: Job) -> Job:
    """The job without what qsub refuses and qalter does not."""
    request = job.request
    kept = tuple(one for one in request.kept if one[0] != "-binding")
    easier = replace(request, priority=min(0, request.priority), deadline=None, verify=_NEVER,
                     checkpoint_when="", kept=kept)  # fmt: skip
    return replace(job, request=easier)


def _with_verify(job: Job, verify: str) -> Job:
    return replace(job, request=replace(job.request, verify=verify))


def _with_sequential_tasks(job: Job) -> Job:
    """What runs goes on without a parallel environment."""
    tasks = {
        number: replace(task, environment=SEQUENTIAL) if task.granted and task.environment is None else task
        for number, task in job.tasks.items()
    }
    return replace(job, tasks=MappingProxyType(tasks))


def _let_in(cluster: Cluster, state: State, job: Job) -> Job:
    """Where its owner could not have submitted the job so, it says that it has been let in."""
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
    """The options without -h, which is told by itself, and without -c, which changes nothing."""
    pieces = pieces_of(options)
    return joined([piece for piece in pieces if piece.option not in (_ALSO_HELD, "-c")])


def _hold_letters(options: str) -> str:
    """The letters of -h as typed, u where there are none."""
    words = options.split()
    behind = words[words.index(_ALSO_HELD) + 1 :][:1]
    return behind[0] if behind and not behind[0].startswith("-") else "u"


def _holds(cluster: Cluster, state: State, target: Target, letters: str) -> Reply:
    added = "".join(letter for letter in "uos" if letter in letters)
    removed = "uos" if "n" in letters else "".join(letter.lower() for letter in "UOS" if letter in letters)
    reply = release(cluster, state, target, removed) if removed else Reply(state)
    return reply.then(hold(cluster, reply.state, target, added)) if added else reply


# -- what is said of each option

_Words = Callable[[Job, Job, Operator], Iterator[str]]


def _modified(what: str) -> _Words:
    def words(_: Job, after: Job, __: Operator) -> Iterator[str]:
        yield f"modified {what} of job {after.id}"

    return words


def _sets(what: str, read: Callable[[Request], object]) -> _Words:
    def words(_: Job, after: Job, who: Operator) -> Iterator[str]:
        yield f"{who.name}@{who.host} sets {what} of job {after.id} to {read(after.request)}"

    return words


def _project(before: Job, after: Job, _: Operator) -> Iterator[str]:
    if before.request.project != after.request.project:
        yield f"modified project of job {after.id}"


def _environment(_: Job, after: Job, __: Operator) -> Iterator[str]:
    yield f"modified parallel environment of job {after.id}"
    yield f"modified slot range of job {after.id}"


_SAID: Final[dict[str, _Words]] = {
    "-p": _sets("scheduling priority", lambda request: request.priority),
    "-js": _sets("job share", lambda request: request.job_share),
    "-ot": _sets("override tickets", lambda request: request.override_tickets),
    "-ar": _sets("job advance reservation", lambda request: request.advance_reservation or 0),
    "-l": _modified("hard resource list"),
    "-soft -l": _modified("soft resource list"),
    "-q": _modified("hard queue list"),
    "-soft -q": _modified("soft queue list"),
    "-masterq": _modified("master hard queue list"),
    "-pe": _environment,
    "-N": _modified("job name"),
    "-P": _project,
    "-A": _modified("account"),
    "-tc": _modified("task concurrency"),
    "-hold_jid": _modified("job id hold list"),
    "-hold_jid_ad": _modified("job id hold array list"),
    "-ckpt": _modified("checkpointing environment"),
    "-m": _modified("mail options"),
    "-M": _modified("mail list"),
    "-e": _modified("stderr path list"),
    "-o": _modified("stdout path list"),
    "-i": _modified("stdin path list"),
    "-S": _modified("shell list"),
    "-cwd": _modified("working directory"),
    "-wd": _modified("working directory"),
    "-v": _modified("environment"),
    "-V": _modified("environment"),
    "-notify": _modified("notify behaviour"),
    "-binding": _modified("binding"),
    "-R": _modified("reservation behaviour"),
    "-r": _modified("restart behaviour"),
    "-a": _modified("start time"),
    "-j": _modified("output merge behaviour"),
    "-ac": _modified("context"),
    "-dc": _modified("context"),
    "-sc": _modified("context"),
}
