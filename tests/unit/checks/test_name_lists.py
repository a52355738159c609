"""Names added to the managers, operators and hosts, and taken out again (administrators.md, qconf.md)."""

import pytest

from qmon_tui.checks import check_object, entry_addition, entry_removal
from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.kinds import Kind

MANAGERS, OPERATORS, ADMIN_HOSTS, SUBMIT_HOSTS = Kind.MANAGERS, Kind.OPERATORS, Kind.ADMIN_HOSTS, Kind.SUBMIT_HOSTS


def lists(managers: str = "root", operators: str = "", admin: str = "m n1", submit: str = "n1") -> Cluster:
    texts = {MANAGERS: managers, OPERATORS: operators, ADMIN_HOSTS: admin, SUBMIT_HOSTS: submit}
    return Cluster().with_objects([config_object(kind, kind.value, {"entries": text}) for kind, text in texts.items()])


@pytest.mark.parametrize(
    ("kind", "name", "said"),
    [
        (MANAGERS, "anna", None),
        (MANAGERS, "Root", None),
        (MANAGERS, "root", 'manager "root" already exists'),
        (OPERATORS, "root", None),
        (ADMIN_HOSTS, "n2", None),
        (ADMIN_HOSTS, "N1", 'adminhost "n1" already exists'),
        (SUBMIT_HOSTS, "m", None),
        (SUBMIT_HOSTS, "n1", 'submithost "n1" already exists'),
        (SUBMIT_HOSTS, "n*", None),
        (SUBMIT_HOSTS, "@n*", None),
        (SUBMIT_HOSTS, "n1|n2", None),
        (ADMIN_HOSTS, "@nodes", 'can\'t resolve hostname "@nodes"'),
        (ADMIN_HOSTS, "n 1", 'can\'t resolve hostname "n 1"'),
        (OPERATORS, "n 1", None),
    ],
)
def test_names_that_are_added(kind: Kind, name: str, said: str | None) -> None:
    finding = entry_addition(lists(), kind, name)
    assert (finding and finding.message) == said


@pytest.mark.parametrize(
    ("on", "kind", "name", "said"),
    [
        (lists("root anna"), MANAGERS, "anna", None),
        (lists("root anna"), MANAGERS, "Anna", 'denied: manager "Anna" does not exist'),
        (lists("root anna"), MANAGERS, "root", 'may not remove user "root" from manager list'),
        (lists(), OPERATORS, "root", 'may not remove user "root" from operator list'),
        (lists(operators="anna"), OPERATORS, "anna", None),
        (lists(), OPERATORS, "anna", 'denied: operator "anna" does not exist'),
        (lists(), ADMIN_HOSTS, "n1", None),
        (lists(), ADMIN_HOSTS, "N1", None),
        (lists(), ADMIN_HOSTS, "n2", 'denied: administrative host "n2" does not exist'),
        (lists(), ADMIN_HOSTS, "n*", 'can\'t resolve hostname "n*"'),
        (lists(admin="m n*"), ADMIN_HOSTS, "N*", None),
        (lists(operators="n*"), OPERATORS, "n*", None),
        # The host of the qmaster is always listed: the last one is it.
        (lists(admin="n1"), ADMIN_HOSTS, "n1", 'denied: can\'t delete master host "n1" from admin host list'),
        (lists(admin="n1"), ADMIN_HOSTS, "n2", 'denied: administrative host "n2" does not exist'),
        (lists(admin="n1 localhost"), ADMIN_HOSTS, "LocalHost",
         'denied: can\'t delete master host "localhost" from admin host list'),
        (lists(admin="n1 localhost"), ADMIN_HOSTS, "n1", None),
        (lists(), SUBMIT_HOSTS, "n1", None),
        (lists(submit="n1 localhost"), SUBMIT_HOSTS, "localhost", None),
        (lists(), SUBMIT_HOSTS, "root", 'denied: submit host "root" does not exist'),
        (lists(), SUBMIT_HOSTS, "@n1", 'can\'t resolve hostname "@n1"'),
    ],
)  # fmt: skip
def test_names_that_are_taken_out(on: Cluster, kind: Kind, name: str, said: str | None) -> None:
    finding = entry_removal(on, kind, name)
    assert (finding and finding.message) == said


@pytest.mark.parametrize(
    ("kind", "entries", "said"),
    [
        (MANAGERS, "anna,root", []),
        (MANAGERS, "anna", ['may not remove user "root" from manager list']),
        (OPERATORS, "anna", []),
        (MANAGERS, "root @nodes", []),
        (ADMIN_HOSTS, "n1 n* N2", []),
        (SUBMIT_HOSTS, "@x n1 a%", ['can\'t resolve hostname "@x"', 'can\'t resolve hostname "a%"']),
    ],
)
def test_whole_lists(kind: Kind, entries: str, said: list[str]) -> None:
    findings = check_object(lists(), config_object(kind, kind.value, {"entries": entries}))
    assert [finding.message for finding in findings] == said
