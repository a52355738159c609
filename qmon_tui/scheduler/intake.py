"""The jobs of a run: who is let in, what each asks for, which of its tasks take part."""

from dataclasses import dataclass

from qmon_tui.model.state import Job, State
from qmon_tui.scheduler.admission import Admission
from qmon_tui.scheduler.advance.reserved import lasting
from qmon_tui.scheduler.categories import Category
from qmon_tui.scheduler.compiled.cluster import Compiled
from qmon_tui.scheduler.compiled.shares import Entitlement
from qmon_tui.scheduler.dependencies import Dependencies
from qmon_tui.scheduler.jobs import Account, Accounts, RunJob
from qmon_tui.scheduler.labels import name_objection
from qmon_tui.scheduler.objections import objection_of
from qmon_tui.scheduler.sorts import Sort, sorts_of
from qmon_tui.scheduler.split import Split, split_job, untouched
from qmon_tui.scheduler.suspending.noticed import Standstill
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

    def of(self, entitlement: Entitlement | None) -> Account | None:
        if entitlement is None:
            return None
        account = self._accounts.get(entitlement.name)
        if account is None:
            account = self._accounts[entitlement.name] = Account(entitlement)
        return account


def take_in(compiled: Compiled, state: State, now: int) -> Intake:
    """Look at every job as the qmaster does at its submission, and sort its tasks."""
    dependencies = Dependencies()
    reservations = {str(one.id): one for one in lasting(state)}
    admission = Admission(compiled, dependencies, reservations, lambda job: verified(compiled, state, job))
    parties = _Parties(compiled, admission)
    rejected: list[tuple[Job, str]] = []
    accepted: list[tuple[Job, _Party]] = []
    for job in sorted(state.jobs, key=_number):
        party = parties.of(job)
        # A job with tasks of which something is known was let in when it came, whatever has changed since.
        if job.tasks:
            admission.count(job)
        elif (party.untouched is None or name_objection(job.name) is not None) and (
            text := admission.refusal(job, party.objection)
        ) is not None:
            rejected.append((job, text))
            continue
        accepted.append((job, party))
        dependencies.add(job)
    standstill = Standstill(compiled, state, now)
    return Intake([_run_job(job, party, dependencies, now, standstill) for job, party in accepted], rejected)


def _number(job: Job) -> int:
    return job.id


def _run_job(job: Job, party: "_Party", dependencies: Dependencies, now: int, standstill: Standstill) -> RunJob:
    split, waits = party.untouched, False
    if split is None or job.tasks:
        waits = bool(job.request.hold_jid) and dependencies.waits(job)
        split = _split(job, waits, dependencies, now, standstill)
    sort, category = party.sort, party.category
    category.jobs += 1
    if job.reservation_rejected:
        category.reservation_rejected = True
    return RunJob(
        job,
        split,
        sort.demand,
        category,
        sort.project,
        sort.department,
        sort.not_simulated,
        party.accounts,
        sort.slots,
        queue=(*split.enrolled, *split.pending) if split.enrolled else split.pending,
        waits=waits,
    )


def _split(job: Job, waits: bool, dependencies: Dependencies, now: int, standstill: Standstill) -> Split:
    held = dependencies.held_tasks(job) if job.request.hold_jid_ad else frozenset()
    noticed = standstill.noticed(job) if job.tasks else frozenset()
    return split_job(job, waits, held, now, standstill.compiled.max_aj_instances, noticed)


@dataclass(frozen=True, slots=True)
class _Party:
    """What the jobs of one sort share in one run."""

    sort: Sort
    category: Category
    accounts: Accounts
    objection: str | None
    """Why all of them are refused."""
    untouched: Split | None
    """The tasks of those of which nothing has begun, where all are let in whose names may be used; else None."""


class _Parties:
    """The parties of one run."""

    def __init__(self, compiled: Compiled, admission: Admission) -> None:
        self._compiled = compiled
        self._sorts = sorts_of(compiled)
        self._admission = admission
        self._max_aj_instances = compiled.max_aj_instances
        self._users, self._projects, self._departments = _Accounts(), _Accounts(), _Accounts()
        self._categories: dict[int, Category] = {}
        self._known: dict[object, _Party] = {}
        """By the identity of the request, which jobs read from equal lines share."""
        self._accounts: dict[tuple[int, int, int], Accounts] = {}
        """One for all who have the same, by their identity."""

    def of(self, job: Job) -> _Party:
        """The party of a job."""
        key = (id(job.request), job.owner, job.group, job.project, job.department, job.category_ar)
        party = self._known.get(key)
        if party is None:
            party = self._known[key] = self._new_party(job)
        return party

    def _new_party(self, job: Job) -> _Party:
        sort = self._sorts.of(job)
        category = self._categories.get(sort.category)
        if category is None:
            category = self._categories[sort.category] = Category(sort.demand, sort.kin)
        accounts = (
            self._users.of(sort.user_entitlement),
            self._projects.of(sort.project_entitlement),
            self._departments.of(sort.department_entitlement),
        )
        user, project, department = map(id, accounts)
        objection = objection_of(self._compiled, sort, job)
        is_let_in = objection is None and self._admission.lets_in_all_like(job)
        split = untouched(job, self._max_aj_instances) if is_let_in else None
        return _Party(
            sort, category, self._accounts.setdefault((user, project, department), accounts), objection, split
        )
