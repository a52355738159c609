"""Functional shares and override tickets of users, projects and departments (tickets.md#objects-with-shares)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from qmon_tui.model import ConfigObject, Job
from qmon_tui.scheduler.configuration.access_lists import Userset
from qmon_tui.scheduler.configuration.lenient_parsing import number, unsigned
from qmon_tui.values import is_none

DEFAULT_DEPARTMENT = "defaultdepartment"


@dataclass(frozen=True, slots=True)
class Entitlement:
    """The functional shares and override tickets of a user, project or department."""

    name: str
    functional_shares: float
    override_tickets: float


@dataclass(frozen=True, slots=True)
class Shares:
    """The entitlements of all users, projects and departments, and that of automatically created users."""

    users: Mapping[str, Entitlement]
    projects: Mapping[str, Entitlement]
    departments: Mapping[str, Entitlement]
    default_projects: Mapping[str, str]
    """User -> default_project, for users that have one."""
    automatic_user: Entitlement | None
    """The entitlement of users that the qmaster creates; None unless enforce_user is `auto`."""
    automatic_project: str | None
    """auto_user_default_project; None for NONE."""
    department_sets: tuple[Userset, ...]
    """The departments except `defaultdepartment`."""

    def user(self, name: str) -> Entitlement | None:
        """Return the user's entitlement, else that of automatic users; None if there is neither."""
        known = self.users.get(name)
        if known is not None or self.automatic_user is None:
            return known
        automatic = self.automatic_user
        return Entitlement(name, automatic.functional_shares, automatic.override_tickets)

    def project_of(self, job: Job) -> str | None:
        """Return the project of a job (None: none): -P, else the default project chosen at submission if recorded."""
        recorded = job.project
        if job.request.project or recorded is None:
            return job.request.project or self.default_project(job.owner)
        return None if is_none(recorded) else recorded

    def department_of(self, job: Job) -> str:
        """Return the department of a job: the one chosen at submission if recorded, else that of a new job."""
        return job.department or self.department(job.owner, job.group)

    def default_project(self, user: str) -> str | None:
        """Return the project of a user's job without -P; None if it gets none."""
        if user in self.users:
            return self.default_projects.get(user)
        return self.automatic_project if self.automatic_user is not None else None

    def department(self, user: str, group: str) -> str:
        """Return the department of a new job: one that lists the user, else the group, else the default department."""
        for userset in self.department_sets:
            if user in userset.users:
                return userset.name
        for userset in self.department_sets:
            if group in userset.groups:
                return userset.name
        return DEFAULT_DEPARTMENT


_INT_MAX = 2.0**31 - 1
"""The maximum of auto_user_fshare and auto_user_oticket; for user objects the maximum is about twice that."""


def entitlement(obj: ConfigObject) -> Entitlement:
    """Parse fshare and oticket."""
    return Entitlement(obj.name, float(unsigned(obj.text("fshare"))), float(unsigned(obj.text("oticket"))))


def compile_shares(
    users: Iterable[ConfigObject],
    projects: Iterable[ConfigObject],
    usersets: Iterable[tuple[ConfigObject, Userset]],
    configuration: ConfigObject,
) -> Shares:
    """Return all entitlements; `configuration`: the global one (sge_conf(5) enforce_user, auto_user_*)."""
    users = tuple(users)
    departments = [(obj, userset) for obj, userset in usersets if userset.is_department]
    automatic = None
    if configuration.text("enforce_user").strip().lower() == "auto":
        automatic = Entitlement(
            "", *(min(number(configuration.text(f"auto_user_{what}")), _INT_MAX) for what in ("fshare", "oticket"))
        )
    return Shares(
        users={obj.name: entitlement(obj) for obj in users},
        projects={obj.name: entitlement(obj) for obj in projects},
        departments={obj.name: entitlement(obj) for obj, _ in departments},
        default_projects={
            obj.name: obj.text("default_project") for obj in users if not is_none(obj.text("default_project"))
        },
        automatic_user=automatic,
        automatic_project=_name(configuration.text("auto_user_default_project")),
        department_sets=tuple(userset for obj, userset in departments if obj.name != DEFAULT_DEPARTMENT),
    )


def _name(text: str) -> str | None:
    return None if is_none(text) else text.strip()
