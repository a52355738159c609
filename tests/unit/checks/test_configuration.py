"""Configurations of the cluster and of hosts (configuration.md)."""

import pytest

from qmon_tui.checks.configuration import configuration_findings
from qmon_tui.checks.stored_objects import stored
from qmon_tui.model import Kind, config_object, effective_configuration, kept_value
from qmon_tui.scheduler.configuration import compile_cluster
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
        *(("mailer", text, None) for text in ("none", "/bin/mail")),
        ("mailer", "mail", NO_PATH.format("mailer")),
        ("xterm", "none", NO_PATH.format("xterm")),
        ("load_sensor", "/a,/b", None),
        ("load_sensor", "/a,", None),
        ("load_sensor", "/a,b", NO_PATH.format("load_sensor")),
        ("load_sensor", "/a,none", NO_PATH.format("load_sensor")),
        ("qlogin_daemon", "BuiltIn", None),
        ("qlogin_daemon", "none", NO_PATH.format("qlogin_daemon")),
        ("qlogin_command", "anything", None),
        ("prolog", "none x", NO_PATH.format("prolog")),
        ("user_lists", "staff none", 'format error for "user_lists" in "global" configuration'),
        ("prolog", "root@/p $job_id $fs_stdin_host", None),
        ("prolog", "/p $nothing", 'denied: parameter "prolog" in configuration: "unknown variable "nothing""'),
        ("auto_user_fshare", "-1", POSITIVE),
        ("auto_user_fshare", "5", None),
        ("auto_user_fshare", "5-", 'format error for "auto_user_fshare" in "5-" configuration'),
        ("auto_user_fshare", "many", 'format error for "auto_user_fshare" in "many" configuration'),
        ("auto_user_fshare", "infinity", 'format error for "auto_user_fshare" in "infinity" configuration'),
        ("gid_range", "none", None),
        ("gid_range", "100-200,300", None),
        ("gid_range", "200,,300", None),
        ("gid_range", "-200", LOWEST),
        ("gid_range", "200-", MIXED_UP.format("200-")),
        ("gid_range", "200,x", 'error: unexpected "UNDEFINED" following range'),
        ("gid_range", "x,200", 'error: unexpected range following "UNDEFINED"'),
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


@pytest.mark.parametrize(
    ("field", "text", "kept", "is_said"),
    [
        ("loglevel", "log_info extra", "log_info", True),
        ("max_unheard", "00:05:00\t00:06:00", "00:05:00", True),
        ("max_u_jobs", "10 20", "10", True),
        ("login_shells", "bash, sh", "bash,", True),
        ("mailer", "/usr/bin/mail -s", "/usr/bin/mail", True),
        ("load_sensor", "/a, b", "/a,", True),
        ("load_report_time", "0:0:40 infinity", "0:0:40", True),
        ("auto_user_fshare", "5 -1", "5", True),
        ("unheard_of", "bar baz", "bar", True),
        ("gid_range", "20000-20100 99", "20000-20100", False),
        ("gid_range", "none x", "none", False),
        ("execd_params", "A=1\tB=2", "A=1", False),
        ("user_lists", "staff\tgone", "staff", False),
        ("execd_params", "A=1 B=2", "A=1 B=2", None),
        ("qlogin_command", "/bin/x -y", "/bin/x -y", None),
        ("reporting_params", "accounting=true # x", "accounting=true # x", None),
    ],
)
def test_the_first_word_is_kept(field: str, text: str, kept: str, is_said: bool | None) -> None:
    """`is_said`: the qmaster says so itself; None: it keeps all words."""
    sentence = f'only a single value is allowed for configuration attribute "{field}"'
    silent = f'what follows "{kept}" is dropped'
    assert said("global", **{field: text}) == ([] if is_said is None else [sentence if is_said else silent])
    assert kept_value(field, text) == kept


def test_the_first_word_is_what_holds() -> None:
    values = {"max_u_jobs": "10 20", "enforce_user": "auto x", "load_report_time": "0:0:9 x", "foo": "bar baz"}
    given = config_object(Kind.CONFIGURATION, "global", values)
    on = ON.with_object(given)
    settings = {setting.field: setting.text for setting in effective_configuration(on, "n1")}
    assert (settings["max_u_jobs"], settings["foo"]) == ("10", "bar")
    assert compile_cluster(on).configuration.values["enforce_user"] == "auto"
    assert stored(on, given).values == {
        "max_u_jobs": "10", "enforce_user": "auto", "load_report_time": "0:0:9", "foo": "bar",
    }  # fmt: skip
