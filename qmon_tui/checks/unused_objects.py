"""Warn about objects that nothing uses, calendars that never open, and FORCED attributes that nothing offers."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from qmon_tui import values
from qmon_tui.checks.dialects import has_reserved_lists
from qmon_tui.checks.rules import Rule, RuleBook
from qmon_tui.model import (
    Cluster,
    ConfigObject,
    Finding,
    Job,
    Kind,
    State,
    complex_entry,
    is_built_in,
    memoized,
    references_to,
)
from qmon_tui.values import c_integer_prefix

PE = RuleBook(Kind.PE, "queue_conf(5) pe_list, pe.md#unused-environments").warning(
    "unused", "An environment is in the pe_list of some queue."
)
CKPT = RuleBook(Kind.CKPT, "queue_conf(5) ckpt_list, ckpt.md#unused-environments").warning(
    "unused", "A checkpointing environment is in the ckpt_list of some queue."
)
CALENDAR = RuleBook(Kind.CALENDAR, "queue_conf(5) calendar, calendar.md#unused-calendars").warning(
    "unused", "A calendar is used by some queue."
)
USERSET = RuleBook(Kind.USERSET, "access_list(5), userset.md#unused-access-lists").warning(
    "unused", "An access list is named somewhere."
)
PROJECT = RuleBook(Kind.PROJECT, "project(5), project.md#unused-projects").info(
    "unused", "Something uses a project: it is named somewhere, or has jobs, shares or tickets."
)
HOSTGROUP = RuleBook(Kind.HOSTGROUP, "hostgroup(5), hostgroup.md#unused-hostgroups").info(
    "unused", "A hostgroup is named somewhere."
)
NEVER_OPEN = RuleBook(Kind.CALENDAR, "calendar_conf(5), calendar.md#calendars-that-never-open").warning(
    "closed", "A calendar is open at some time."
)
FORCED = RuleBook(Kind.COMPLEX, "complex(5) requestable, complex.md#requestable").warning(
    "forced.unoffered", "What jobs are forced to request is offered by some queue or host."
)

_QUEUE_LISTS = {
    Kind.PE: (PE, 'No queue has PE "{}" in its pe_list: its jobs can never start'),
    Kind.CKPT: (CKPT, 'No queue has checkpointing environment "{}" in its ckpt_list: its jobs can never start'),
    Kind.CALENDAR: (CALENDAR, 'No queue uses calendar "{}"'),
}
_BUILT_IN_SETS = ("arusers", "deadlineusers", "defaultdepartment")
_INSTALLED_GROUP = "@allhosts"
"""The hostgroup that every installation creates."""
_AFTER_ALL_DATES = (datetime(2038, 6, 7), datetime(2038, 6, 15))
"""A period after the last year of calendars, 2037, in which only their week counts."""


def queue_list_warnings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Warn about environments and calendars that no queue uses."""
    rule, message = _QUEUE_LISTS[obj.kind]
    if not any(reference.kind is Kind.QUEUE for reference in references_to(cluster, obj.kind, obj.name)):
        yield rule.finding(obj, None, message.format(obj.name))


def userset_warnings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Warn about access lists that nothing uses; departments need no use."""
    is_department = "DEPT" in obj.text("type").upper()
    if not is_department and obj.name not in _BUILT_IN_SETS:
        yield from _unused(cluster, obj, USERSET, f'Nothing uses access list "{obj.name}"')


def project_warnings(cluster: Cluster, obj: ConfigObject, state: State | None = None) -> Iterator[Finding]:
    """Report projects without jobs, shares, tickets and references."""
    has_jobs = state is not None and obj.name in _with_jobs(state.jobs)
    if not has_jobs and not any(c_integer_prefix(obj.text(field)) for field in ("fshare", "oticket")):
        message = f'Nothing uses project "{obj.name}", and it has no shares or tickets'
        yield from _unused(cluster, obj, PROJECT, message)


@memoized(size=4)
def _with_jobs(jobs: Sequence["Job"]) -> frozenset[str | None]:
    """Return the projects that jobs request or were assigned at submission."""
    return frozenset(name for job in jobs for name in (job.request.project, job.project))


def hostgroup_warnings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Report hostgroups that no object uses; jobs may still request them (-q)."""
    if obj.name != _INSTALLED_GROUP:
        message = f'No queue, quota or other hostgroup uses hostgroup "{obj.name}"'
        yield from _unused(cluster, obj, HOSTGROUP, message)


def _unused(cluster: Cluster, obj: ConfigObject, rule: Rule, message: str) -> Iterator[Finding]:
    if rule in (USERSET, HOSTGROUP) and has_reserved_lists(cluster):
        return  # roles, which are not read, and the qmaster itself use some
    if not references_to(cluster, obj.kind, obj.name):
        yield rule.finding(obj, None, message)


def calendar_warnings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Warn about calendars that no queue uses, or that never open."""
    yield from queue_list_warnings(cluster, obj)
    try:
        calendar = values.Calendar(values.parse_year(obj.text("year")), values.parse_week(obj.text("week")))
    except ValueError:
        return
    opens_on_a_date = any(entry.state is values.CalendarState.ON for entry in calendar.year)
    start, end = (moment.timestamp() for moment in _AFTER_ALL_DATES)
    closed = sum(period.end - period.start for period in calendar.closed(start, end))
    if closed >= end - start and not opens_on_a_date:
        message = f'"{obj.name}" never opens: queues that use it run nothing'
        yield NEVER_OPEN.finding(obj, "week", message, "Leave out some days or daytimes, or say when it is on.")


def forced_warnings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Warn about FORCED attributes that no queue and no host offers."""
    entry = complex_entry(obj)
    if entry.requestable != "FORCED" or is_built_in(entry.name):
        return
    uses = references_to(cluster, Kind.COMPLEX, entry.name)
    if not any(reference.field == "complex_values" for reference in uses):
        message = f'"{entry.name}" is FORCED, but no queue and no host offers it: jobs that request it cannot run'
        yield FORCED.finding(obj, "requestable", message, "Set it in complex_values where only such jobs may run.")
