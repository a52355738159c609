"""Check usersets, projects and users."""

from collections.abc import Iterator

from qmon_tui.checks.field_grammar import grammar_errors
from qmon_tui.checks.rules import RuleBook
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
    wrong_type = _type_problem(words)
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


def _type_problem(words: list[str]) -> str | None:
    if not words:
        return 'error: reading conf file: empty specifier for "userset type"'
    seen: set[str] = set()
    for word in words:
        if word.upper() not in ("ACL", "DEPT"):
            return f'error: reading conf file: unknown specifier "{word}" for userset type'
        if word.upper() in seen:
            return f'error: reading config file: specifier "{word.upper()}" given twice for "userset type"'
        seen.add(word.upper())
    return None


def _departments(cluster: Cluster, obj: ConfigObject, entries: list[str]) -> Iterator[Finding]:
    for other in cluster.objects(Kind.USERSET).values():
        if other.name == obj.name or "DEPT" not in other.text("type").upper() or is_none(other.text("entries")):
            continue
        theirs = {word.strip() for word in other.text("entries").split(",")}
        for entry in entries:
            if entry in theirs:
                message = f'"{entry}" is in the departments "{obj.name}" and "{other.name}"'
                yield TWO_DEPARTMENTS.finding(obj, "entries", message)


def project_findings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Yield all findings about one project."""
    unreadable = list(grammar_errors(obj))
    yield from unreadable
    if problem := name_problem(obj.name):
        yield PROJECT_NAME.finding(obj, "name", problem)
    if obj.name == "default":
        yield PROJECT_DEFAULT.finding(obj, "name", _not_default("project"))
    if cluster.get(Kind.USER, obj.name) is not None:
        yield PROJECT_SHARED.finding(obj, "name", _shared("user", obj.name))
    if unreadable:
        return
    allowed, denied = (split_names(obj.text(field), BLANK) for field in ("acl", "xacl"))
    for field, words in (("acl", allowed), ("xacl", denied)):
        for word in words:
            if cluster.get(Kind.USERSET, word) is None:
                yield PROJECT_REFERENCE.finding(obj, field, f'Userset "{word}" does not exist')
    for word in allowed:
        if word in denied:
            message = f'denied: multiple occurrences of userset "{word}" in project "{obj.name}"'
            yield PROJECT_BOTH.finding(obj, "xacl", message)


def user_findings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Yield all findings about one user."""
    yield from grammar_errors(obj, dialect(cluster.dialect).counts_64_bits.get(Kind.USER, ()))
    if problem := name_problem(obj.name):
        yield USER_NAME.finding(obj, "name", problem)
    if obj.name == "default":
        yield USER_DEFAULT.finding(obj, "name", _not_default("user"))
    if cluster.get(Kind.PROJECT, obj.name) is not None:
        yield USER_SHARED.finding(obj, "name", _shared("project", obj.name))
    project = obj.text("default_project")
    if not is_none(project) and cluster.get(Kind.PROJECT, project) is None:
        yield USER_REFERENCE.finding(obj, "default_project", f'denied: project "{project}" does not exist')


def _not_default(kind: str) -> str:
    return f'denied: not allowed add a {kind} with name "default"'


def _shared(kind: str, name: str) -> str:
    there = f'there is already a {kind} which is named "{name}"'
    return f"denied: shared namespace between project and user: {there}"
