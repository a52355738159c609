"""Check usersets, projects and users."""

from collections.abc import Iterator

from qmon_tui.checks.field_grammar import grammar_errors
from qmon_tui.checks.rules import Rule, RuleBook
from qmon_tui.checks.value_problems import specifier_problem
from qmon_tui.model import Cluster, ConfigObject, Finding, Kind, dialect
from qmon_tui.values import BLANK, is_none, name_problem, parse_unsigned, split_names

_userset = RuleBook(Kind.USERSET, "userset.md#fields")
_project = RuleBook(Kind.PROJECT, "project.md#fields")
_user = RuleBook(Kind.USER, "project.md#fields")

USERSET_NAME = _userset.error("name", "The name of a userset is an object name.", "sge_types(1) object_name, #name")
USERSET_TYPE = _userset.error("type", "The type is ACL, DEPT or both.", "access_list(5), #type")
ACL_TICKETS = _userset.error("acl.tickets", "An access list is not given tickets or shares.")
ACL_UNUSED = _userset.warning("acl.unused", "Only departments have tickets and shares.", "access_list(5), #fshare")
DEFAULT_TYPE = _userset.error("default.type", "The userset defaultdepartment is a department.")
DEFAULT_ENTRIES = _userset.error("default.entries", "The userset defaultdepartment lists nobody.")
ENTRY_BLANK = _userset.warning("entries.blank", "Entries are separated by commas; one with a blank matches nobody.")
TWO_DEPARTMENTS = _userset.warning(
    "departments", "A user or group is in one department only.", "access_list(5), #entries"
)

PROJECT_NAME = _project.error("name", "The name of a project is an object name.", "sge_types(1) object_name, #name")
PROJECT_DEFAULT = _project.error("default", "No project is called default.")
PROJECT_SHARED = _project.error("shared", "No project has the name of a user.")
PROJECT_REFERENCE = _project.error("reference", "Usersets that a project names exist.")
PROJECT_BOTH = _project.error("access.both", "A userset is not allowed and denied at the same time.")

USER_NAME = _user.error("name", "The name of a user is an object name.", "sge_types(1) object_name, user.md#name")
USER_DEFAULT = _user.error("default", "No user is called default.")
USER_SHARED = _user.error("shared", "No user has the name of a project.")
USER_REFERENCE = _user.error("reference", "The default project of a user exists.")

_DEFAULT_DEPARTMENT = "defaultdepartment"


def userset_findings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Yield all findings about one userset."""
    words = obj.text("type").replace(",", " ").split()
    wrong_type = specifier_problem(words, ("ACL", "DEPT"), "userset type")
    if wrong_type:
        yield USERSET_TYPE.finding(obj, "type", wrong_type, USERSET_TYPE.summary)
    unreadable = list(grammar_errors(obj))
    yield from unreadable
    if wrong_type:
        return
    if problem := name_problem(obj.name):
        yield USERSET_NAME.finding(obj, "name", problem)
    if unreadable:
        return
    department = "DEPT" in {word.upper() for word in words}
    entries = [] if is_none(obj.text("entries")) else [word.strip() for word in obj.text("entries").split(",")]
    if obj.name == _DEFAULT_DEPARTMENT:
        if entries:
            message = f'all users are assigned to the "{obj.name}" automatically'
            yield DEFAULT_ENTRIES.finding(obj, "entries", message)
        if not department:
            yield DEFAULT_TYPE.finding(obj, "type", f'the "{obj.name}" has to be of type "DEPT"')
    for field in ("oticket", "fshare"):
        if not department and parse_unsigned(obj.text(field).strip()) > 0:
            # The qmaster accepts it in a new userset, not in a changed one.
            rule = ACL_UNUSED if cluster.get(Kind.USERSET, obj.name) in (None, obj) else ACL_TICKETS
            hint = "Set the type to DEPT, or this to 0."
            yield rule.finding(obj, field, f'not allowed to set "{field}" for ACL lists', hint)
    for entry in entries:
        if " " in entry:
            yield ENTRY_BLANK.finding(
                obj, "entries", f'"{entry}" is one entry and matches nobody', "Put commas between."
            )
    if department:
        yield from _departments(cluster, obj, entries)


def _departments(cluster: Cluster, obj: ConfigObject, entries: list[str]) -> Iterator[Finding]:
    for other in cluster.objects(Kind.USERSET).values():
        if other.name == obj.name or "DEPT" not in other.text("type").upper() or is_none(other.text("entries")):
            continue
        other_entries = {word.strip() for word in other.text("entries").split(",")}
        for entry in entries:
            if entry in other_entries:
                message = f'"{entry}" is in the departments "{obj.name}" and "{other.name}"'
                yield TWO_DEPARTMENTS.finding(obj, "entries", message)


def project_findings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Yield all findings about one project."""
    unreadable = list(grammar_errors(obj))
    yield from unreadable
    yield from _name_findings(cluster, obj, PROJECT_NAME, PROJECT_DEFAULT, PROJECT_SHARED)
    if not unreadable:
        yield from access_findings(cluster, obj, ("acl", "xacl"), PROJECT_REFERENCE, PROJECT_BOTH, "project")


def access_findings(
    cluster: Cluster, obj: ConfigObject, fields: tuple[str, str], reference: Rule, both: Rule, noun: str
) -> Iterator[Finding]:
    """Yield an error for each userset of the allowed and denied lists that does not exist, or is in both."""
    allowed, denied = (split_names(obj.text(field), BLANK) for field in fields)
    for field, words in zip(fields, (allowed, denied), strict=True):
        for word in words:
            if cluster.get(Kind.USERSET, word) is None:
                yield reference.finding(obj, field, f'Userset "{word}" does not exist')
    for word in allowed:
        if word in denied:
            message = f'denied: multiple occurrences of userset "{word}" in {noun} "{obj.name}"'
            yield both.finding(obj, fields[1], message)


def user_findings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Yield all findings about one user."""
    yield from grammar_errors(obj, dialect(cluster.dialect).counts_64_bits.get(Kind.USER, ()))
    yield from _name_findings(cluster, obj, USER_NAME, USER_DEFAULT, USER_SHARED)
    project = obj.text("default_project")
    if not is_none(project) and cluster.get(Kind.PROJECT, project) is None:
        yield USER_REFERENCE.finding(obj, "default_project", f'denied: project "{project}" does not exist')


def _name_findings(cluster: Cluster, obj: ConfigObject, name: Rule, default: Rule, shared: Rule) -> Iterator[Finding]:
    """Yield errors of the name of a user or a project, which share their names."""
    other = Kind.USER if obj.kind is Kind.PROJECT else Kind.PROJECT
    if problem := name_problem(obj.name):
        yield name.finding(obj, "name", problem)
    if obj.name == "default":
        yield default.finding(obj, "name", f'denied: not allowed add a {obj.kind} with name "default"')
    if cluster.get(other, obj.name) is not None:
        there = f'there is already a {other} which is named "{obj.name}"'
        yield shared.finding(obj, "name", f"denied: shared namespace between project and user: {there}")
