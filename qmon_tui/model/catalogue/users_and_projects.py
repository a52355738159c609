"""Usersets, projects, users, and the lists of names: managers, operators, administrative and submit hosts.

Source: access_list(5), project(5), user(5), qconf(1); userset.md#fields and project.md#fields.
"""

from functools import partial

from qmon_tui.model.fields import Field, KindSpec, Separator, ValueType
from qmon_tui.model.kinds import Kind

_userset = partial(Field, source="access_list(5)")
_project = partial(Field, source="project(5)")
_user = partial(Field, source="user(5)")
_project_lists = partial(
    _project, type=ValueType.NAMES, default="NONE", refers_to=Kind.USERSET, separator=Separator.BLANK
)

_OTICKET = "Override tickets, added to the other tickets of the running and pending jobs."
_FSHARE = "Share in the functional policy, compared with the others of its kind."

USERSET = KindSpec(
    kind=Kind.USERSET,
    title="Usersets",
    yaml_key="usersets",
    folder="usersets",
    name_field="name",
    name_width=7,
    help="Access lists (ACL) and departments (DEPT).",
    source="access_list(5)",
    fields=(
        _userset("name", ValueType.NAME, "template", "Name of the userset."),
        _userset(
            "type",
            ValueType.FLAGS,
            "ACL",
            "ACL: to allow and deny; DEPT: a department, which has tickets and shares of its own.",
            choices=("ACL", "DEPT"),
        ),
        _userset("fshare", ValueType.UNSIGNED, "0", f"{_FSHARE} Only for departments."),
        _userset("oticket", ValueType.UNSIGNED, "0", f"{_OTICKET} Only for departments."),
        _userset(
            "entries",
            ValueType.NAMES,
            "NONE",
            "Users and @groups (operating system groups), separated by commas only.",
            separator=Separator.COMMA,
        ),
    ),
)

PROJECT = KindSpec(
    kind=Kind.PROJECT,
    title="Projects",
    yaml_key="projects",
    folder="projects",
    name_field="name",
    help="Projects that jobs belong to (qsub -P), for tickets, shares, access and accounting.",
    source="project(5)",
    fields=(
        _project("name", ValueType.NAME, "template", "Name of the project; no user may have the same name."),
        _project("oticket", ValueType.UNSIGNED, "0", _OTICKET),
        _project("fshare", ValueType.UNSIGNED, "0", _FSHARE),
        _project_lists("acl", help="Only members of these usersets may submit jobs to the project."),
        _project_lists("xacl", help="Members of these usersets may not submit jobs to the project."),
    ),
)

USER = KindSpec(
    kind=Kind.USER,
    title="Users",
    yaml_key="users",
    folder="users",
    name_field="name",
    help="Users known to the ticket policies; needs no account of the operating system.",
    source="user(5)",
    fields=(
        _user("name", ValueType.NAME, "template", "Name of the user; no project may have the same name."),
        _user("oticket", ValueType.UNSIGNED, "0", _OTICKET),
        _user("fshare", ValueType.UNSIGNED, "0", _FSHARE),
        _user("delete_time", ValueType.UNSIGNED, "0", "When to remove the user, seconds since 1970; 0 for never."),
        _user(
            "default_project",
            ValueType.REFERENCE,
            "NONE",
            "Project of the user's jobs that name none.",
            refers_to=Kind.PROJECT,
        ),
    ),
)


def _list(kind: Kind, title: str, entry_type: ValueType, help_line: str, default: str = "NONE") -> KindSpec:
    refers_to = Kind.HOST if entry_type is ValueType.HOSTS else None
    field = Field("entries", entry_type, default, help_line, refers_to=refers_to, source="qconf(1)")
    return KindSpec(
        kind=kind,
        title=title,
        yaml_key=kind.value,
        folder=kind.value,
        fields=(field,),
        single=True,
        help=help_line,
        source="qconf(1)",
    )


MANAGERS = _list(Kind.MANAGERS, "Managers", ValueType.NAMES, "Users who may change everything.", "root")
OPERATORS = _list(
    Kind.OPERATORS, "Operators", ValueType.NAMES, "Users who may control jobs and queues, but not configure them."
)
ADMIN_HOSTS = _list(
    Kind.ADMIN_HOSTS, "Admin hosts", ValueType.HOSTS, "Hosts from which managers may change the configuration."
)
SUBMIT_HOSTS = _list(Kind.SUBMIT_HOSTS, "Submit hosts", ValueType.HOSTS, "Hosts from which jobs may be submitted.")
