"""Submission checks of a job, in the qmaster's words and order (clients.md#what-the-qmaster-refuses-of-a-job)."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from qmon_tui.model import AdvanceReservation, Cluster, Job, Kind, Request, State, existing_at, memoized
from qmon_tui.qmaster import verification
from qmon_tui.qmaster.option_check import objection_of, objections_of
from qmon_tui.qmaster.option_texts import (
    SILENT,
    account_objection,
    name_objection,
    objection_to_paths_and_binding,
    unnumbered_objection,
)
from qmon_tui.qmaster.verification import Verification, is_verified, verified
from qmon_tui.scheduler.configuration import CompiledCluster, compile_cluster, unsigned
from qmon_tui.scheduler.jobs import Dependencies, compile_demand, job_profiles_of
from qmon_tui.scheduler.reservation import lasting, requested_duration
from qmon_tui.values import BLANK_OR_COMMA, split_names

_NO_OBJECTION = (None, None)


def refusal(cluster: Cluster, state: State, job: Job) -> str | None:
    """Return qsub's message if a job would be refused now; None if it is admitted."""
    compiled = compile_cluster(cluster)
    check = _check_among_others(compiled, state, job)
    return check.refusal(job, objection_of(compiled, job_profiles_of(compiled).of(job), job))


def refusal_of_change(cluster: Cluster, state: State, before: Job, after: Job) -> str | None:
    """Return the new objection to altering a job of a state; None if there are no more than before.

    Limits on jobs and tasks are not checked again. Of the names only the account is checked separately, and a master
    queue without a PE is allowed.
    """
    return _check_among_others(compile_cluster(cluster), state, after).refusal_of_change(before, after)


def _check_among_others(compiled: CompiledCluster, state: State, job: Job) -> "SubmissionCheck":
    dependencies = Dependencies()
    reservations = {str(reservation.id): reservation for reservation in lasting(state)}
    check = SubmissionCheck(compiled, dependencies, reservations, lambda job: verified(compiled, state, job))
    if check.depends_on_others(job):
        for other in sorted(existing_at(state).jobs, key=lambda job: job.id):
            if other.id != job.id:
                check.count(other)
                dependencies.add(other)
    return check


def is_let_in_alone(compiled: CompiledCluster, job: Job) -> bool:
    """True if a job is admitted regardless of other jobs and reservations."""
    admission = SubmissionCheck(compiled, Dependencies(), {}, lambda job: verified(compiled, State(), job))
    if admission.depends_on_others(job):
        return False
    return admission.refusal(job, objection_of(compiled, job_profiles_of(compiled).of(job), job)) is None


class _Limits(NamedTuple):
    """The limits that a configuration sets for all jobs."""

    jobs: int
    user_jobs: int
    tasks: int
    privileged: frozenset[str]
    """Managers and operators, who may submit with a positive priority."""


@memoized(size=4)
def _limits_of(compiled: CompiledCluster) -> _Limits:
    text = compiled.configuration.text
    jobs, user_jobs, tasks = (unsigned(text(name)) for name in ("max_jobs", "max_u_jobs", "max_aj_tasks"))
    entries = (compiled.cluster.single(kind).text("entries") for kind in (Kind.MANAGERS, Kind.OPERATORS))
    privileged = frozenset(name for names in entries for name in split_names(names, BLANK_OR_COMMA))
    return _Limits(jobs, user_jobs, tasks, privileged)


class SubmissionCheck:
    """Checks jobs in the order of submission; limits on the number of jobs count those admitted before."""

    def __init__(
        self,
        compiled: CompiledCluster,
        dependencies: Dependencies,
        reservations: Mapping[str, AdvanceReservation],
        verify: Callable[[Job], Verification],
    ) -> None:
        """Begin to count admitted jobs; `verify` makes the check of -w e, see `verification`."""
        self._compiled = compiled
        self._dependencies = dependencies
        self._reservations = reservations
        self._verify = verify
        self._cluster = compiled.cluster
        limits = _limits_of(compiled)
        self._max_jobs, self._max_user_jobs, self._max_tasks = limits.jobs, limits.user_jobs, limits.tasks
        self._privileged = limits.privileged
        self._accepted = 0
        self._accepted_of: dict[str, int] = {}
        self._verifications: dict[object, Verification] = {}

    @property
    def has_limits(self) -> bool:
        return bool(self._max_jobs or self._max_user_jobs)

    def depends_on_others(self, job: Job) -> bool:
        """True if other jobs or reservations matter for a job."""
        return self.has_limits or _is_special(job.request)

    def lets_in_all_like(self, job: Job) -> bool:
        """True if all jobs with the same request and a valid name are admitted, if nothing else objects.

        Then they need not be counted either.
        """
        return not (self.has_limits or _is_special(job.request) or unnumbered_objection(job)) and (
            self._objection_to_form(job) is None
        )

    def refusal(self, job: Job, objection: str | None) -> str | None:
        """Return the message with which the job is refused; None if it is admitted, which counts it.

        `objection`: the first of `OptionCheck`.
        """
        of_names = unnumbered_objection(job)
        if of_names is not None:
            return of_names
        objections = (
            self._objection_to_form(job),
            self._objection_to_number(job) or objection or next(self._objections_to_options(job), None),
        )
        if objections == _NO_OBJECTION:
            self.count(job)
        return _joined(objections)

    def refusal_of_change(self, before: Job, after: Job) -> str | None:
        """Return the new objection to altering a job; None if there are no more than before."""
        account = account_objection(after.request.account or "")
        if account is not None:
            return account
        texts = _objection_to_texts(after)
        rest = _first_new(self._all_to_options(before), self._all_to_options(after))
        return _joined((None if texts == _objection_to_texts(before) else texts, rest))

    def _all_to_options(self, job: Job) -> Iterator[str]:
        yield from objections_of(self._compiled, job_profiles_of(self._compiled).of(job), job)
        yield from self._objections_to_options(job)

    def count(self, job: Job) -> None:
        self._accepted += 1
        self._accepted_of[job.owner] = self._accepted_of.get(job.owner, 0) + 1

    def _objection_to_form(self, job: Job) -> str | None:
        """Return the first objection; the qmaster continues after it, so that a second may follow."""
        if job.request.master_queues and job.request.pe is None:
            return "job rejected: specification of master queue is not allowed for non-parallel jobs"
        text = _objection_to_texts(job)
        if text is None and self._max_tasks and len(job.task_ids) > self._max_tasks:
            return f"job rejected: you tried to submit a job with more than {self._max_tasks} tasks"
        return text

    def _objection_to_number(self, job: Job) -> str | None:
        if self._max_jobs and self._accepted >= self._max_jobs:
            return f"job rejected: only {self._max_jobs} jobs are allowed per cluster"
        if not self._max_user_jobs or job.request.verify in verification.ONLY_VERIFY:
            return None
        count = self._accepted_of.get(job.owner, 0)
        if count < self._max_user_jobs:
            return None
        return f"job rejected: only {self._max_user_jobs} jobs are allowed per user (current job count: {count})"

    def _objections_to_options(self, job: Job) -> Iterator[str]:
        """Yield objections that depend on the job's own time, priority and predecessors."""
        request = job.request
        if not _is_special(request):
            return
        if request.advance_reservation is not None:
            yield from self._objections_to_reservation(request, job.submitted)
        if request.deadline is not None and not self._is_deadline_user(job.owner):
            yield f'job rejected: the user "{job.owner}" is not a deadline initiation user'
        text = verification.objection(job, self._verification(job)) if is_verified(job) else None
        if text is not None:
            yield text
        if request.priority > 0 and job.owner not in self._privileged:
            yield "job rejected: positive submission priority requires operator privileges"
        yield from self._dependencies.objections(job)

    def _verification(self, job: Job) -> Verification:
        request = job.request
        lists = (request.hard, request.has_empty_list, request.hard_queues, request.master_queues)
        job_kind = (
            *lists,
            request.pe,
            request.checkpoint,
            request.project,
            request.immediate,
            request.advance_reservation,
            job.owner,
            job.group,
        )
        key = (*job_kind, request.verify == "p")
        if key not in self._verifications:
            self._verifications[key] = self._verify(job)
        return self._verifications[key]

    def _objections_to_reservation(self, request: Request, submitted: int) -> Iterator[str]:
        """Yield objections to a missing advance reservation, or to a run time that exceeds it."""
        name = request.advance_reservation or ""
        reservation = self._reservations.get(name)
        if reservation is None:
            yield f"the advance reservation id {name} is invalid"
            return
        duration = requested_duration(compile_demand(request, self._compiled.attributes))
        if duration is None:
            return
        if duration > reservation.end - reservation.start:
            yield f"the job duration is longer than duration of the advance reservation id {name}"
        elif max(submitted, reservation.start) + duration > reservation.end:
            yield f"the job duration exceeds the end time of the advance reservation id {name}"

    def _is_deadline_user(self, user: str) -> bool:
        userset = self._compiled.usersets.get("deadlineusers")
        return userset is not None and user in userset.users


def _objection_to_texts(job: Job) -> str | None:
    """Return the objection to paths, binding or name; None if valid."""
    kept = job.request.kept
    return (objection_to_paths_and_binding(dict(kept)) if kept else None) or name_objection(job.name)


def _joined(objections: tuple[str | None, ...]) -> str | None:
    """Join the first objection and one of the rest."""
    texts = [text for text in objections if text is not None]
    return "\n".join([text for text in texts if text != SILENT] or texts) if texts else None


def _first_new(before: Iterable[str], after: Iterable[str]) -> str | None:
    """Return the first text that is more frequent than before; None without."""
    known = Counter(before)
    for text in after:
        known[text] -= 1
        if known[text] < 0:
            return text
    return None


def _is_special(request: Request) -> bool:
    return bool(
        request.priority > 0
        or request.deadline is not None
        or request.advance_reservation is not None
        or request.verify
        or request.hold_jid
        or request.hold_jid_ad
    )
