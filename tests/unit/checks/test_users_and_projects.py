"""Usersets, projects and users (userset.md, project.md, user.md)."""

from dataclasses import replace

import pytest

from qmon_tui.checks.users_and_projects import project_findings, user_findings, userset_findings
from qmon_tui.model import Kind, Severity, config_object
from tests.unit.scheduler.building import cluster, project, user, userset

ON = cluster(
    userset("empty", "NONE", "DEPT"),
    userset("staff", "ann"),
    userset("physics", "ann,bob", "ACL DEPT"),
    userset("math", "bob", "dept"),
    project("sea"),
    user("ann"),
)
UNSIGNED = 'error: error parsing unsigned long value from string "many"'
TWICE = 'error: reading config file: specifier "{}" given twice for "userset type"'


def of_set(name: str, **values: str) -> list[tuple[str, bool]]:
    """What is said of a userset, and whether it is refused."""
    findings = userset_findings(ON, config_object(Kind.USERSET, name, values))
    return [(finding.message, finding.severity is Severity.ERROR) for finding in findings]


@pytest.mark.parametrize(
    ("name", "values", "errors", "warnings"),
    [
        ("x", {"type": ""}, ['error: reading conf file: empty specifier for "userset type"'], []),
        ("x", {"type": "acl,Dept"}, [], []),
        ("x", {"type": "ACL acl"}, [TWICE.format("ACL")], []),
        ("x", {"type": "ACL DEPT dept"}, [TWICE.format("DEPT")], []),
        ("x", {"type": "ACL X"}, ['error: reading conf file: unknown specifier "X" for userset type'], []),
        ("x", {"type": "ACL", "fshare": "many"}, [UNSIGNED], []),
        ("x", {"type": "DEPT", "fshare": "5", "oticket": "5"}, [], []),
        ("x", {"type": "ACL", "fshare": "0"}, [], []),
        # A new one may have it, and it then does nothing; one that is there may not get it.
        ("x", {"type": "ACL", "fshare": "1"}, [], ['not allowed to set "fshare" for ACL lists']),
        ("staff", {"type": "ACL", "oticket": "1"}, ['not allowed to set "oticket" for ACL lists'], []),
        ("x", {"type": "ACL", "entries": "ada bob,c"}, [], ['"ada bob" is one entry and matches nobody']),
        ("x", {"type": "ACL", "entries": "ann,bob"}, [], []),
        ("x", {"type": "DEPT", "entries": "eve, bob"}, [],
         ['"bob" is in the departments "x" and "physics"', '"bob" is in the departments "x" and "math"']),
        ("math", {"type": "DEPT", "entries": "bob"}, [], ['"bob" is in the departments "math" and "physics"']),
        ("x", {"type": "DEPT", "entries": "NONE"}, [], []),
        ("defaultdepartment", {"type": "DEPT"}, [], []),
        ("defaultdepartment", {"type": "ACL"}, ['the "defaultdepartment" has to be of type "DEPT"'], []),
        ("defaultdepartment", {"type": "DEPT", "entries": "eve"},
         ['all users are assigned to the "defaultdepartment" automatically'], []),
    ],
)  # fmt: skip
def test_usersets(name: str, values: dict[str, str], errors: list[str], warnings: list[str]) -> None:
    assert of_set(name, **values) == [*((text, True) for text in errors), *((text, False) for text in warnings)]


SHARED = 'denied: shared namespace between project and user: there is already a {} which is named "{}"'
NEGATIVE = 'error: parameter "oticket" must be a positive number'


@pytest.mark.parametrize(
    ("kind", "name", "values", "said"),
    [
        (Kind.PROJECT, "sea", {}, None),
        (Kind.PROJECT, "default", {}, 'denied: not allowed add a project with name "default"'),
        (Kind.PROJECT, "ann", {}, SHARED.format("user", "ann")),
        (Kind.PROJECT, "x", {"acl": "staff gone"}, 'Userset "gone" does not exist'),
        (Kind.PROJECT, "x", {"xacl": "gone"}, 'Userset "gone" does not exist'),
        (Kind.PROJECT, "x", {"acl": "staff", "xacl": "physics"}, None),
        (Kind.PROJECT, "x", {"acl": "staff physics", "xacl": "physics"},
         'denied: multiple occurrences of userset "physics" in project "x"'),
        (Kind.PROJECT, "x", {"oticket": "-1", "acl": "gone"}, NEGATIVE),
        (Kind.USER, "ann", {}, None),
        (Kind.USER, "default", {}, 'denied: not allowed add a user with name "default"'),
        (Kind.USER, "sea", {}, SHARED.format("project", "sea")),
        (Kind.USER, "x", {"default_project": "gone"}, 'denied: project "gone" does not exist'),
        (Kind.USER, "x", {"default_project": "sea"}, None),
        (Kind.USER, "x", {"default_project": "None"}, None),
        (Kind.USER, "x", {"oticket": "-1"}, NEGATIVE),
    ],
)  # fmt: skip
def test_projects_and_users(kind: Kind, name: str, values: dict[str, str], said: str | None) -> None:
    look = project_findings if kind is Kind.PROJECT else user_findings
    findings = look(ON, config_object(kind, name, values))
    assert [finding.message for finding in findings] == ([] if said is None else [said])


@pytest.mark.parametrize(("dialect", "refused"), [("sge-8.1.9", True), ("ocs-9", False)])
def test_a_time_in_microseconds_needs_64_bits(dialect: str, refused: bool) -> None:
    obj = config_object(Kind.USER, "bob", {"delete_time": "1769879779474618"})
    findings = list(user_findings(replace(ON, dialect=dialect), obj))
    assert [finding.field for finding in findings] == ["delete_time"] * refused
    assert list(user_findings(replace(ON, dialect=dialect), obj.with_value("delete_time", "-1")))
    assert list(user_findings(replace(ON, dialect=dialect), obj.with_value("oticket", "1769879779474618")))
