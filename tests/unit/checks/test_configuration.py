"""Configurations of the cluster and of hosts (configuration.md)."""

import pytest

from qmon_tui.checks.configuration import configuration_findings
from qmon_tui.model import Kind, config_object
from tests.unit.scheduler.building import cluster, project, userset

ON = cluster(userset("staff", "anna"), project("sea"))


def said(name: str, **values: str) -> list[str]:
    return [finding.message for finding in configuration_findings(ON, config_object(Kind.CONFIGURATION, name, values))]


def test_only_the_global_one_may_be_empty() -> None:
    assert said("global") == []
    assert said("n1") == ['error: error reading file: "n1"']
    assert said("n1", mailer="/bin/mail") == []


NO_PATH = 'denied: the path given for "{}" must start with a "/"'
POSITIVE = 'error: parameter "auto_user_fshare" must be a positive number'
MIXED_UP = 'incorrect value "gid_range" given for configuration attribute "{}"'
LOWEST = "minimum group id in gid_range may not be less than 100 in cluster configuration"


@pytest.mark.parametrize(
    ("field", "text", "message"),
    [
        ("mailer", "", 'value == NULL for attribute "mailer" in configuration list of "global"'),
        ("shell", "/bin/sh", 'denied: got invalid value "/bin/sh" for shell'),
        ("shell", "sh", NO_PATH.format("shell")),
        *(("mailer", text, None) for text in ("none", "/bin/mail -s x")),
        ("mailer", "mail", NO_PATH.format("mailer")),
        ("xterm", "none", NO_PATH.format("xterm")),
        ("load_sensor", "/a,/b", None),
        ("load_sensor", "/a,b", NO_PATH.format("load_sensor")),
        ("load_sensor", "/a,none", NO_PATH.format("load_sensor")),
        ("qlogin_daemon", "BuiltIn", None),
        ("qlogin_daemon", "none", NO_PATH.format("qlogin_daemon")),
        ("qlogin_command", "anything", None),
        ("prolog", "root@/p $job_id $fs_stdin_host", None),
        ("prolog", "/p $nothing", 'denied: parameter "prolog" in configuration: "unknown variable "nothing""'),
        ("auto_user_fshare", "-1", POSITIVE),
        ("auto_user_fshare", "5", None),
        ("auto_user_fshare", "many", 'format error for "auto_user_fshare" in "many" configuration'),
        ("auto_user_fshare", "infinity", 'format error for "auto_user_fshare" in "infinity" configuration'),
        ("gid_range", "none", None),
        ("gid_range", "100-200, 300", None),
        ("gid_range", "200-100", None),
        ("gid_range", "99-200", LOWEST),
        ("gid_range", "200,99", LOWEST),
        ("gid_range", "many", MIXED_UP.format("many")),
        ("user_lists", "staff", None),
        ("user_lists", "staff,gone", 'Userset "gone" does not exist'),
        ("xprojects", "sea gone",
         'denied: project "gone" referenced in xprojects of configuration "global" does not exist'),
        ("load_report_time", "0:0:40", None),
        ("load_report_time", "Infinity",
         'infinity not allowed for attribute "load_report_time" in configuration list of "global"'),
        ("max_jobs", "infinity", None),
        ("max_jobs", "many", '"many" is not a number: it counts as 0'),
        ("loglevel", "LOG_Info", None),
        ("loglevel", "info", 'denied: got invalid value "info" for loglevel'),
        ("jsv_url", "script:/x", None),
        ("jsv_url", "tcl:/x", 'type "tcl" in JSV URL is invalid'),
        ("auto_user_default_project", "none", None),
        ("auto_user_default_project", "sea", None),
        ("auto_user_default_project", "gone", 'project "gone" does not exist: no user can be added automatically'),
        ("unheard_of", "anything", None),
    ],
)  # fmt: skip
def test_fields(field: str, text: str, message: str | None) -> None:
    assert said("global", **{field: text}) == ([] if message is None else [message])


def test_some_fields_are_looked_at_first() -> None:
    assert said("global", loglevel="info", auto_user_fshare="-1", gid_range="50") == [
        POSITIVE, LOWEST, 'denied: got invalid value "info" for loglevel',
    ]  # fmt: skip
