"""What is said of objects that are there already, and of those that are not (qconf.md#what-exists-already)."""

import pytest

from qmon_tui.checks import addition_findings, change_findings, deletion_refusals, exists
from qmon_tui.model.cluster import ConfigObject, config_object
from qmon_tui.model.kinds import Kind
from tests.unit.scheduler.building import cluster, configuration, environment, host, project, queue, user, userset

OTHERS: tuple[tuple[Kind, str, dict[str, str]], ...] = (
    (Kind.HOSTGROUP, "@g", {"hostlist": "n1"}),
    (Kind.CKPT, "ck", {}),
    (Kind.CALENDAR, "night", {}),
    (Kind.QUOTA, "max", {"limit": "to slots=1"}),
    (Kind.CONFIGURATION, "n1", {"mailer": "/bin/mail"}),
)
ON = cluster(
    *(host("n1"), queue("a.q", "n1"), environment("mpi"), userset("staff", "anna"), project("sea"), user("anna")),
    *(config_object(kind, name, values) for kind, name, values in OTHERS),
    configuration(),
)


def of(kind: Kind, name: str, **values: str) -> ConfigObject:
    return config_object(kind, name, values)


@pytest.mark.parametrize(
    ("kind", "name", "said"),
    [
        (Kind.QUEUE, "a.q", 'cluster queue "a.q" already exists'),
        (Kind.QUEUE, "A.q", None),
        (Kind.HOST, "N1", 'exechost "n1" already exists'),
        (Kind.HOST, "n2", None),
        (Kind.HOST, "global", 'exechost "global" already exists'),
        (Kind.HOST, "template", 'exechost "template" already exists'),
        (Kind.HOSTGROUP, "@g", 'host group "@g" already exists'),
        (Kind.PE, "mpi", 'parallel environment "mpi" already exists'),
        (Kind.CKPT, "ck", 'checkpoint interface "ck" already exists'),
        (Kind.CALENDAR, "night", 'calendar "night" already exists'),
        (Kind.USERSET, "staff", 'userset "staff" already exists'),
        (Kind.PROJECT, "sea", 'project "sea" already exists'),
        (Kind.USER, "anna", 'user "anna" already exists'),
        (Kind.USER, "Anna", None),
        (Kind.QUOTA, "max", 'resource quota set "max" already exists'),
        (Kind.CONFIGURATION, "N1", "configuration n1 already exists"),
        (Kind.CONFIGURATION, "global", "configuration global already exists"),
        (Kind.MANAGERS, "managers", None),
    ],
)
def test_a_name_that_is_taken(kind: Kind, name: str, said: str | None) -> None:
    finding = exists(ON, of(kind, name))
    assert (finding and finding.message) == said


@pytest.mark.parametrize(
    ("kind", "name", "changed", "deleted"),
    [
        (Kind.QUEUE, "A.q", 'denied: cluster queue "A.q" does not exist', 'denied: cluster queue "A.q" does not exist'),
        (Kind.HOST, "n2", 'denied: exechost "n2" does not exist', 'denied: execution host "n2" does not exist'),
        (Kind.HOST, "n 2", "can't resolve hostname \"n 2\"", "can't resolve hostname \"n 2\""),
        (Kind.HOST, "N1", None, None),
        (Kind.HOSTGROUP, "@x", 'denied: host group "@x" does not exist', 'denied: host group "@x" does not exist'),
        # Whoever spells it otherwise means the one that is there.
        (Kind.HOSTGROUP, "@G", None, None),
        (Kind.PE, "x", 'denied: parallel environment "x" does not exist',
         'denied: parallel environment "x" does not exist'),
        (Kind.CKPT, "x", 'denied: checkpoint interface "x" does not exist',
         'denied: checkpointing environment "x" does not exist'),
        (Kind.CALENDAR, "x", 'denied: calendar "x" does not exist', 'denied: calendar "x" does not exist'),
        (Kind.USERSET, "x", "x is not known as a project", 'denied: userset "x" does not exist'),
        (Kind.PROJECT, "x", "x is not known as a project", 'denied: project "x" does not exist'),
        (Kind.USER, "x", "x is not known as a user", 'denied: user "x" does not exist'),
        (Kind.CONFIGURATION, "x", "configuration x does not exist", None),
        (Kind.CONFIGURATION, "N1", None, None),
    ],
)  # fmt: skip
def test_a_name_that_is_not_there(kind: Kind, name: str, changed: str | None, deleted: str | None) -> None:
    values = {"mailer": "/bin/mail"} if kind is Kind.CONFIGURATION else {}
    said = [finding.message for finding in change_findings(ON, of(kind, name, **values))]
    absent = [text for text in said if "does not exist" in text or "not known" in text or "resolve" in text]
    assert (absent[0] if absent else None) == changed
    refusals = [finding.message for finding in deletion_refusals(ON, kind, name)]
    refused = [text for text in refusals if "still reference" not in text]
    assert (refused[0] if refused else None) == deleted


@pytest.mark.parametrize(
    ("obj", "said"),
    [
        # qconf finds this while it reads, the qmaster looks at the name first.
        (of(Kind.QUEUE, "a.q", hostlist="n1", slots="x", pe_list="gone"),
         ['error: error parsing unsigned long value from string "x"', 'cluster queue "a.q" already exists',
          'Parallel environment "gone" does not exist']),
        (of(Kind.HOST, "n1", complex_values="nothing=1"),
         ['exechost "n1" already exists', 'denied: attribute "nothing" is not a complex attribute']),
        (of(Kind.CONFIGURATION, "n1", auto_user_fshare="-1"),
         ["configuration n1 already exists", 'error: parameter "auto_user_fshare" must be a positive number']),
        (of(Kind.HOSTGROUP, "@g", hostlist="@x"),
         ['host group "@g" already exists', 'denied: host group "@x" does not exist']),
        (of(Kind.QUOTA, "max", limit="to nothing=1"),
         ['resource quota set "max" already exists',
          '"resource_quota" references not existing complex attribute "nothing"']),
        (of(Kind.USER, "bert"), []),
    ],
)  # fmt: skip
def test_the_name_is_looked_at_by_the_qmaster_and_values_are_read_before(obj: ConfigObject, said: list[str]) -> None:
    assert [finding.message for finding in addition_findings(ON, obj)] == said
