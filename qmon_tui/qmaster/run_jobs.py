"""The jobs of a run: admission, profiles, and the tasks that take part."""

from dataclasses import dataclass

from qmon_tui.model import Job, State
from qmon_tui.qmaster.option_check import objection_of
from qmon_tui.qmaster.option_texts import name_objection
from qmon_tui.qmaster.submission_check import SubmissionCheck
from qmon_tui.qmaster.verification import verified
from qmon_tui.scheduler import SchedulerSession
from qmon_tui.scheduler.configuration import CompiledCluster, Entitlement
from qmon_tui.scheduler.jobs import (
    Category,
    Dependencies,
    JobProfile,
    RunJob,
    Split,
    TicketHolder,
    TicketHolders,
    split_job,
    untouched,
)
from qmon_tui.scheduler.reservation import lasting
from qmon_tui.scheduler.suspension import KnownSuspensions


@dataclass(slots=True)
class RunJobs:
    """All admitted and refused jobs, by number."""

    jobs: list[RunJob]
    rejected: list[tuple[Job, str]]


class _TicketHolders:
    """One ticket holder per user, project and department, shared by all their jobs."""

    def __init__(self) -> None:
        self._ticket_holders: dict[str, TicketHolder] = {}

    def of(self, entitlement: Entitlement | None) -> TicketHolder | None:
        if entitlement is None:
            return None
        ticket_holder = self._ticket_holders.get(entitlement.name)
        if ticket_holder is None:
            ticket_holder = self._ticket_holders[entitlement.name] = TicketHolder(entitlement)
        return ticket_holder


def collect_run_jobs(session: SchedulerSession, compiled: CompiledCluster, state: State, now: int) -> RunJobs:
    """Admit every job as the qmaster does at its submission, and sort its tasks.

    `compiled` is the session's configuration as the scheduler or the qmaster sees it; `now` is in seconds since the
    epoch.
    """
    dependencies = Dependencies()
    reservations = {str(reservation.id): reservation for reservation in lasting(state)}
    admission = SubmissionCheck(compiled, dependencies, reservations, lambda job: verified(compiled, state, job))
    profiles = ProfilesInRun(session, compiled, admission)
    rejected: list[tuple[Job, str]] = []
    accepted: list[tuple[Job, ProfileInRun]] = []
    for job in sorted(state.jobs, key=_number):
        profile = profiles.of(job)
        # A job that was altered, or has an entry for a task, was admitted at submission.
        if job.tasks or job.changed is not None or state.admitted:
            admission.count(job)
        elif (profile.untouched is None or name_objection(job.name) is not None) and (
            text := admission.refusal(job, profile.objection)
        ) is not None:
            rejected.append((job, text))
            continue
        accepted.append((job, profile))
        dependencies.add(job)
    known_suspensions = KnownSuspensions(compiled, state, now)
    return RunJobs(
        [_run_job(job, profile, dependencies, now, known_suspensions) for job, profile in accepted], rejected
    )


def _number(job: Job) -> int:
    return job.id


def _run_job(
    job: Job, profile: "ProfileInRun", dependencies: Dependencies, now: int, known_suspensions: KnownSuspensions
) -> RunJob:
    split, waits = profile.untouched, False
    if split is None or job.tasks:
        waits = bool(job.request.hold_jid) and dependencies.waits(job)
        split = _split(job, waits, dependencies, now, known_suspensions)
    job_profile, category = profile.job_profile, profile.category
    category.jobs += 1
    if job.reservation_rejected:
        category.reservation_rejected = True
    return RunJob(
        job,
        split,
        job_profile.demand,
        category,
        job_profile.project,
        job_profile.department,
        job_profile.not_simulated,
        profile.ticket_holders,
        job_profile.slots,
        queue=(*split.enrolled, *split.pending) if split.enrolled else split.pending,
        waits=waits,
    )


def _split(job: Job, waits: bool, dependencies: Dependencies, now: int, known_suspensions: KnownSuspensions) -> Split:
    held = dependencies.held_tasks(job) if job.request.hold_jid_ad else frozenset()
    known_suspended = known_suspensions.known_suspended(job) if job.tasks else frozenset()
    return split_job(job, waits, held, now, known_suspensions.compiled.max_aj_instances, known_suspended)


@dataclass(frozen=True, slots=True)
class ProfileInRun:
    """Properties that the jobs of one profile share in one run."""

    job_profile: JobProfile
    category: Category
    ticket_holders: TicketHolders
    objection: str | None
    """The reason why all of them are refused; None if they are admitted."""
    untouched: Split | None
    """The split of jobs without enrolled tasks, if all with valid names are admitted; else None."""


class ProfilesInRun:
    """The profiles of one run."""

    def __init__(self, session: SchedulerSession, compiled: CompiledCluster, admission: SubmissionCheck) -> None:
        self._compiled = compiled
        self._job_profiles = session.job_profiles(compiled)
        self._new_category = session.new_category
        self._admission = admission
        self._max_aj_instances = compiled.max_aj_instances
        self._users, self._projects, self._departments = _TicketHolders(), _TicketHolders(), _TicketHolders()
        self._categories: dict[int, Category] = {}
        self._known: dict[object, ProfileInRun] = {}
        """Id of the request (shared by jobs from equal lines), and owner data -> profile."""
        self._ticket_holders: dict[tuple[int, int, int], TicketHolders] = {}
        """Ids of user, project and department holders -> the shared tuple."""

    def of(self, job: Job) -> ProfileInRun:
        key = (id(job.request), job.owner, job.group, job.project, job.department, job.category_ar)
        profile = self._known.get(key)
        if profile is None:
            profile = self._known[key] = self._new_profile_in_run(job)
        return profile

    def _new_profile_in_run(self, job: Job) -> ProfileInRun:
        job_profile = self._job_profiles.of(job)
        category = self._categories.get(job_profile.category)
        if category is None:
            category = self._categories[job_profile.category] = self._new_category(
                job_profile.demand, job_profile.base_category
            )
        ticket_holders = (
            self._users.of(job_profile.user_entitlement),
            self._projects.of(job_profile.project_entitlement),
            self._departments.of(job_profile.department_entitlement),
        )
        user, project, department = map(id, ticket_holders)
        objection = objection_of(self._compiled, job_profile, job)
        is_let_in = objection is None and self._admission.lets_in_all_like(job)
        split = untouched(job, self._max_aj_instances) if is_let_in else None
        return ProfileInRun(
            job_profile,
            category,
            self._ticket_holders.setdefault((user, project, department), ticket_holders),
            objection,
            split,
        )
