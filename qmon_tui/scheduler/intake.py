"""The jobs of a run: who is let in, what each asks for, which of its tasks take part."""

from dataclasses import dataclass

from qmon_tui.model.state import Job, State
from qmon_tui.scheduler import unsupported
from qmon_tui.scheduler.admission import Admission
from qmon_tui.scheduler.categories import CategoryBook
from qmon_tui.scheduler.compiled.cluster import Compiled
from qmon_tui.scheduler.compiled.shares import Entitlement
from qmon_tui.scheduler.dependencies import Dependencies
from qmon_tui.scheduler.jobs import Account, RunJob
from qmon_tui.scheduler.requests import Demand, compile_demand
from qmon_tui.scheduler.split import is_enrolled, split_job
from qmon_tui.scheduler.urgency import requested_slots


@dataclass(slots=True)
class Intake:
    """All jobs, in the order of their numbers."""

    jobs: list[RunJob]
    rejected: list[tuple[Job, str]]


class _Accounts:
    """One account per user, project and department, shared by all their jobs."""

    def __init__(self) -> None:
        self._accounts: dict[str, Account] = {}

    def of(self, name: str, entitlement: Entitlement | None) -> Account | None:
        if entitlement is None:
            return None
        account = self._accounts.get(name)
        if account is None:
            account = self._accounts[name] = Account(entitlement)
        return account


def take_in(compiled: Compiled, state: State, now: int) -> Intake:
    """Look at every job as the qmaster does at its submission, and sort its tasks."""
    dependencies = Dependencies()
    admission = Admission(compiled, dependencies)
    rejected: list[tuple[Job, str]] = []
    accepted: list[Job] = []
    for job in sorted(state.jobs, key=lambda job: job.id):
        # A job with a history was let in when it came, whatever the configuration says now.
        if any(is_enrolled(task.state) for task in job.tasks.values()):
            admission.count(job)
        elif (text := admission.refusal(job)) is not None:
            rejected.append((job, text))
            continue
        accepted.append(job)
        dependencies.add(job)
    return Intake(_run_jobs(compiled, accepted, dependencies, now), rejected)


def _run_jobs(compiled: Compiled, jobs: list[Job], dependencies: Dependencies, now: int) -> list[RunJob]:
    book = CategoryBook(compiled)
    shares = compiled.shares
    users, projects, departments = _Accounts(), _Accounts(), _Accounts()
    demands: dict[tuple[object, ...], tuple[Demand, tuple[str, ...]]] = {}
    run_jobs: list[RunJob] = []
    for job in jobs:
        request = job.request
        demand, missing = _demand(job, compiled, demands)
        project = request.project or shares.default_project(job.owner)
        department = shares.department(job.owner, job.group)
        waits = bool(request.hold_jid) and dependencies.waits(job)
        held = dependencies.held_tasks(job) if request.hold_jid_ad else frozenset()
        split = split_job(job, waits, held, now, compiled.max_aj_instances)
        run_jobs.append(
            RunJob(
                job=job,
                split=split,
                demand=demand,
                category=book.category(job, demand, project),
                project=project,
                department=department,
                not_simulated=missing,
                user_account=users.of(job.owner, shares.user(job.owner)),
                project_account=projects.of(project, shares.projects.get(project)) if project else None,
                department_account=departments.of(department, shares.departments.get(department)),
                slots=requested_slots(request.pe, compiled.environments),
                queue=(*split.enrolled, *split.pending) if split.enrolled else split.pending,
            )
        )
    return run_jobs


def _demand(
    job: Job, compiled: Compiled, known: dict[tuple[object, ...], tuple[Demand, tuple[str, ...]]]
) -> tuple[Demand, tuple[str, ...]]:
    """What a job asks for; jobs with the same options share the answer."""
    request = job.request
    key = (
        request.hard,
        request.soft,
        request.hard_queues,
        request.soft_queues,
        request.master_queues,
        request.pe,
        request.checkpoint,
        request.advance_reservation,
        request.immediate,
        request.reserve,
    )
    found = known.get(key)
    if found is None:
        demand = compile_demand(request, compiled.attributes)
        found = known[key] = (demand, unsupported.of_job(request, compiled))
    return found
