"""The jobs of a run: who is let in, what each asks for, which of its tasks take part."""

from dataclasses import dataclass

from qmon_tui.model.state import Job, State
from qmon_tui.scheduler import unsupported
from qmon_tui.scheduler.admission import Admission
from qmon_tui.scheduler.advance.reserved import lasting
from qmon_tui.scheduler.categories import Category, CategoryBook
from qmon_tui.scheduler.compiled.cluster import Compiled
from qmon_tui.scheduler.compiled.shares import Entitlement
from qmon_tui.scheduler.dependencies import Dependencies
from qmon_tui.scheduler.jobs import Account, RunJob
from qmon_tui.scheduler.requests import Demand, compile_demand
from qmon_tui.scheduler.split import split_job
from qmon_tui.scheduler.urgency import requested_slots
from qmon_tui.scheduler.verifying import verified


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
    reservations = {str(one.id): one for one in lasting(state)}
    admission = Admission(compiled, dependencies, reservations, lambda job: verified(compiled, state, job))
    sorter = _Sorter(compiled, admission)
    rejected: list[tuple[Job, str]] = []
    accepted: list[tuple[Job, _Sort]] = []
    for job in sorted(state.jobs, key=_number):
        sort = sorter.sort(job)
        # A job with tasks of which something is known was let in when it came, whatever has changed since.
        if job.tasks:
            admission.count(job)
        elif (text := admission.refusal(job, sort.objection)) is not None:
            rejected.append((job, text))
            continue
        accepted.append((job, sort))
        dependencies.add(job)
    return Intake([_run_job(job, sort, dependencies, now, compiled) for job, sort in accepted], rejected)


def _number(job: Job) -> int:
    return job.id


def _run_job(job: Job, sort: "_Sort", dependencies: Dependencies, now: int, compiled: Compiled) -> RunJob:
    request = job.request
    waits = bool(request.hold_jid) and dependencies.waits(job)
    held = dependencies.held_tasks(job) if request.hold_jid_ad else frozenset()
    split = split_job(job, waits, held, now, compiled.max_aj_instances)
    sort.category.jobs += 1
    sort.category.reservation_rejected |= job.reservation_rejected
    return RunJob(
        job,
        split,
        sort.demand,
        sort.category,
        sort.project,
        sort.department,
        sort.not_simulated,
        sort.user_account,
        sort.project_account,
        sort.department_account,
        sort.slots,
        queue=(*split.enrolled, *split.pending) if split.enrolled else split.pending,
    )


@dataclass(slots=True)
class _Sort:
    """What all jobs have in common that one user has submitted with the same options."""

    demand: Demand
    category: Category
    project: str | None
    department: str
    not_simulated: tuple[str, ...]
    user_account: Account | None
    project_account: Account | None
    department_account: Account | None
    slots: int
    objection: str | None
    """Why they are refused whatever else there is."""


class _Sorter:
    """The sorts of jobs of one run."""

    def __init__(self, compiled: Compiled, admission: Admission) -> None:
        self._compiled = compiled
        self._admission = admission
        self._book = CategoryBook(compiled)
        self._users, self._projects, self._departments = _Accounts(), _Accounts(), _Accounts()
        self._demands: dict[object, tuple[Demand, tuple[str, ...]]] = {}
        self._sorts: dict[object, _Sort] = {}
        self._shared: dict[tuple[int, str, str], _Sort] = {}
        """The same by the identity of the request, which jobs read from equal lines share."""

    def sort(self, job: Job) -> _Sort:
        """The sort of a job."""
        key = (id(job.request), job.owner, job.group)
        sort = self._shared.get(key)
        if sort is None:
            sort = self._shared[key] = self._sort(job)
        return sort

    def _sort(self, job: Job) -> _Sort:
        request = job.request
        options = (
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
        key = (options, job.owner, job.group, request.project)
        known = self._sorts.get(key)
        if known is None:
            known = self._sorts[key] = self._new_sort(job, options)
        return known

    def _new_sort(self, job: Job, options: object) -> _Sort:
        compiled, request = self._compiled, job.request
        shares = compiled.shares
        found = self._demands.get(options)
        if found is None:
            found = (compile_demand(request, compiled.attributes), unsupported.of_job(request, compiled))
            self._demands[options] = found
        demand, missing = found
        project = request.project or shares.default_project(job.owner)
        department = shares.department(job.owner, job.group)
        return _Sort(
            demand=demand,
            category=self._book.category(job, demand, project),
            project=project,
            department=department,
            not_simulated=missing,
            user_account=self._users.of(job.owner, shares.user(job.owner)),
            project_account=self._projects.of(project, shares.projects.get(project)) if project else None,
            department_account=self._departments.of(department, shares.departments.get(department)),
            slots=requested_slots(request.pe, compiled.environments),
            objection=self._admission.objection_to_kind(job),
        )
