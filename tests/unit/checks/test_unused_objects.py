"""What nothing uses, and calendars that never open."""

import pytest

from qmon_tui.checks.unused_objects import (
    calendar_warnings,
    forced_warnings,
    hostgroup_warnings,
    project_warnings,
    queue_list_warnings,
    userset_warnings,
)
from qmon_tui.model import ConfigObject, Finding, Kind, config_object
from tests.unit.scheduler.building import attribute, cluster, host, job, project, queue, state, userset


def of(kind: Kind, name: str, **values: str) -> ConfigObject:
    return config_object(kind, name, values)


GROUP = of(Kind.HOSTGROUP, "@g", hostlist="n1")
FORCED = attribute("gpu gpu INT <= FORCED NO 0")
ON = cluster(
    *(host("n1"), GROUP, FORCED),
    queue("a.q", "@g", pe_list="mpi", ckpt_list="ck", calendar="night", user_lists="staff", projects="sea"),
    of(Kind.QUOTA, "max", limit="pes smp to slots=1"),
)


def warned(obj: ConfigObject) -> list[Finding]:
    look = {
        Kind.USERSET: userset_warnings,
        Kind.PROJECT: project_warnings,
        Kind.HOSTGROUP: hostgroup_warnings,
        Kind.COMPLEX: forced_warnings,
    }.get(obj.kind, queue_list_warnings)
    return list(look(ON.with_object(obj), obj))


@pytest.mark.parametrize(
    ("obj", "is_unused"),
    [
        (of(Kind.PE, "mpi"), False),
        (of(Kind.PE, "other"), True),
        # Only queues start jobs in it.
        (of(Kind.PE, "smp"), True),
        (of(Kind.CKPT, "ck"), False),
        (of(Kind.CKPT, "other"), True),
        (of(Kind.CALENDAR, "night"), False),
        (of(Kind.CALENDAR, "other"), True),
        (userset("staff", "anna"), False),
        (userset("other", "anna"), True),
        (userset("other", "anna", "ACL DEPT"), False),
        (userset("other", "anna", "dept"), False),
        (userset("arusers", "anna"), False),
        (project("sea"), False),
        (project("other"), True),
        (project("other", fshare=1), False),
        (project("other", oticket=1), False),
        (project("other", oticket=0), True),
        (GROUP, False),
        (of(Kind.HOSTGROUP, "@other"), True),
        (of(Kind.HOSTGROUP, "@allhosts"), False),
        (FORCED, True),
        (attribute("gpu gpu INT <= YES NO 0"), False),
    ],
)
def test_what_nothing_uses(obj: ConfigObject, is_unused: bool) -> None:
    assert len(warned(obj)) == is_unused


@pytest.mark.parametrize(
    ("by", "field", "is_offered"),
    [
        (host("n1", "gpu=4"), "", True),
        (queue("b.q", "n1", complex_values="gpu=4"), "", True),
        (queue("b.q", "n1", load_thresholds="gpu=4"), "", False),
    ],
)
def test_what_jobs_are_forced_to_request_is_offered_by_complex_values(
    by: ConfigObject, field: str, is_offered: bool
) -> None:
    assert len(list(forced_warnings(ON.with_object(by), FORCED))) == (not is_offered)


def test_a_project_in_which_there_are_jobs_is_used() -> None:
    there = state([job(1, "-P asked"), job(2, project="given")])
    for name, is_unused in (("asked", False), ("given", False), ("other", True)):
        obj = project(name)
        assert len(list(project_warnings(ON.with_object(obj), obj, there))) == is_unused


@pytest.mark.parametrize(
    ("week", "year", "opens"),
    [
        ("mon-sun=0-24=off", "NONE", False),
        ("mon-sun=0-24=suspended", "NONE", False),
        ("mon-sun=0-12=off mon-sun=12-24=suspended", "NONE", False),
        ("mon-sat=0-24=off", "NONE", True),
        ("mon-sun=1-24=off", "NONE", True),
        ("mon-sun=0-24=off", "24.12.2030=on", True),
        ("mon-sun=0-24=off", "24.12.2030=off", False),
        ("NONE", "24.12.2030=off", True),
        ("no week", "NONE", True),
    ],
)
def test_a_calendar_opens_at_some_time(week: str, year: str, opens: bool) -> None:
    findings = list(calendar_warnings(ON, of(Kind.CALENDAR, "night", week=week, year=year)))
    assert [finding.rule for finding in findings] == ([] if opens else ["calendar.closed"])
