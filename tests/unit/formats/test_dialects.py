"""Files of Open Cluster Scheduler 9 open, too: its fields, its types, its amounts."""

from pathlib import Path

import pytest

from qmon_tui.checks import check, check_object
from qmon_tui.checks.dialects import dialect_findings
from qmon_tui.formats.folder_reader import Contents, read_texts
from qmon_tui.formats.folder_writer import folder_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.qconf.complex_table import read_complexes, write_complexes
from qmon_tui.formats.qconf.objects import write_object
from qmon_tui.formats.qconf.qconf_edit import edit_complexes
from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.dialects import OCS, SGE, UGE, recognised
from qmon_tui.model.findings import Severity
from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster.scheduling import schedule
from qmon_tui.sources import read_folder
from qmon_tui.sources.conversion import convert

PE = """\
pe_name              mpi
slots                5
user_lists           NONE
xuser_lists          NONE
start_proc_args      NONE
stop_proc_args       NONE
allocation_rule      $pe_slots
control_slaves       FALSE
job_is_first_task    TRUE
urgency_slots        min
accounting_summary   FALSE
ign_sreq_on_mhost    FALSE
master_forks_slaves  FALSE
daemon_forks_slaves  FALSE
"""
UGE_LACKS = ("load_formula", "queue_sort_method")
MAP = "complexes: {gpu: {shortcut: gpu, type: RSMAP, relop: <=, requestable: YES, consumable: HOST, default: 0}}\n"


def yaml(text: str) -> Contents:
    return read_texts(Layout.YAML, "c", {"c.yaml": text})


def errors(contents: Contents) -> list[str]:
    findings = (*contents.findings, *check(contents.cluster, contents.state))
    return [finding.message for finding in findings if finding.severity is Severity.ERROR]


def test_an_environment_of_the_fork_shows_where_the_cluster_comes_from() -> None:
    contents = read_texts(Layout.QCONF, "c", {"pe/mpi": PE})
    assert contents.cluster.dialect == OCS
    assert errors(contents) == []
    environment = contents.cluster.get(Kind.PE, "mpi")
    assert environment is not None
    assert write_object(environment).split() == PE.split()


def test_without_a_sign_of_the_fork_a_file_is_grid_engines() -> None:
    own = "".join(line for line in PE.splitlines(keepends=True) if "forks" not in line and "mhost" not in line)
    contents = read_texts(Layout.QCONF, "c", {"pe/mpi": own})
    assert contents.cluster.dialect == SGE
    assert errors(contents) == ['error: required attribute "qsort_args" is missing']
    assert "dialect: sge-6.2u5" in contents.findings[0].hint


def test_a_resource_map_is_a_slip_in_grid_engine_and_a_type_in_the_fork() -> None:
    assert errors(yaml(MAP)) == ['error: unknown complex attribute type "RSMAP"', '"HOST" is not a value of consumable']
    hint = check(yaml(MAP).cluster)[0].hint
    assert "Open Cluster Scheduler 9" in hint
    assert "dialect: ocs-9" in hint
    assert errors(yaml("dialect: ocs-9\n" + MAP)) == []


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("2(gpu0 gpu1)", ""),
        ("3(1-3)", ""),
        ("4", ""),
        ("3(gpu0 gpu1)", "has the amount 3 and 2 ids"),
        ("two", "is not a resource map"),
        ("2(gpu0[device=/dev/nvidia0,memory=80G] gpu1)", ""),
        ("1(gpu0[device=/dev/nvidia0,memory=80G]),arch=x", ""),
        ("3(gpu0[memory=80G] gpu1)", "has the amount 3 and 2 ids"),
        ("1(gpu0[memory])", 'has a characteristic "memory"'),
    ],
)
def test_amounts_of_a_resource_map(value: str, problem: str) -> None:
    said = errors(yaml(f'dialect: ocs-9\n{MAP}hosts: {{n1: {{complex_values: "gpu={value}"}}}}\n'))
    assert len(said) == bool(problem)
    assert all(problem in message for message in said)


def test_what_only_the_fork_has_is_not_simulated_silently() -> None:
    contents = yaml("dialect: ocs-9\n" + MAP)
    outcome = schedule(contents.cluster, contents.state)
    assert outcome.not_simulated == (
        "the decisions of Open Cluster Scheduler 9; all forecasts are those of Son of Grid Engine 8.1.9",
        "attribute gpu of type RSMAP with consumable HOST",
    )


def test_an_unknown_dialect_is_said() -> None:
    assert errors(yaml("dialect: pbs\n")) == ["dialect is one of sge-8.1.9, sge-6.2u5, uge-8, ocs-9"]


def test_of_an_older_grid_engine_no_newer_field_is_missed() -> None:
    own = "".join(line for line in PE.splitlines(keepends=True) if "forks" not in line and "mhost" not in line)
    contents = read_texts(Layout.QCONF, "c", {"pe/mpi": own, "dialect.yaml": "dialect: sge-6.2u5\n"})
    assert errors(contents) == []
    again = folder_texts(Layout.QCONF, contents.cluster, contents.state)
    assert again["pe/mpi"].split() == own.split()
    assert again["dialect.yaml"] == "dialect: sge-6.2u5\n"


UGE_TABLE = """\
#name  shortcut type  relop requestable consumable default urgency aapre affinity
licence lic     INT   <=    YES         YES        0       0       YES   2.500000
"""


def test_more_columns_of_a_complex_table_are_read_kept_and_written() -> None:
    (entry,), findings = read_complexes(UGE_TABLE, "centry")
    assert findings == ()
    assert (entry.values["aapre"], entry.values["affinity"]) == ("YES", "2.500000")
    assert recognised({Kind.COMPLEX: {entry.name: entry}}) == UGE
    again, findings = read_complexes(write_complexes([entry]), "centry")
    assert (again[0].values, findings) == (entry.values, ())
    changed = edit_complexes(UGE_TABLE, [entry], [entry.with_value("aapre", "NO"), entry.renamed("other")])
    rows = [line.split() for line in changed.splitlines()[1:]]
    assert [row[0] for row in rows] == ["licence", "other"]
    assert rows[0][8:] == ["NO", "2.500000"]
    assert rows[1][8:] == ["YES", "2.500000"]


def test_more_columns_without_a_header_that_names_them_are_a_slip() -> None:
    _, findings = read_complexes(UGE_TABLE.partition("\n")[2], "centry")
    assert "should end with" in findings[0].message


def test_the_scheduler_of_univa_lacks_what_it_has_other_settings_for() -> None:
    theirs = {"host_sort_formula": "np_load_avg", "weight_queue_seqno": "0.0"}
    usual = {f.name: f.default for f in spec(Kind.SCHEDULER).fields if f.name not in UGE_LACKS}
    text = "".join(f"{name} {value}\n" for name, value in {**usual, **theirs}.items())
    contents = read_texts(Layout.QCONF, "c", {"schedconf": text})
    assert contents.cluster.dialect == UGE
    assert errors(contents) == []
    again = write_object(contents.cluster.single(Kind.SCHEDULER), single_line=True)
    assert {line.split()[0] for line in again.splitlines()} == {*usual, *theirs}


def test_a_field_of_another_dialect_than_the_declared_one_is_found() -> None:
    said = errors(yaml("dialect: sge-8.1.9\npes: {mpi: {ign_sreq_on_mhost: TRUE}}\nqueues: {q: {pe_list: mpi}}\n"))
    assert said == ['error: unknown attribute name "ign_sreq_on_mhost"']
    assert errors(yaml("dialect: ocs-9\npes: {mpi: {ign_sreq_on_mhost: TRUE}}\n")) == []
    assert errors(yaml("dialect: uge-8\npes: {mpi: {daemon_forks_slaves: TRUE}}\n")) == []


@pytest.mark.parametrize(
    ("kind", "name", "words"),
    [
        (Kind.HOSTGROUP, "@exec_hosts", "of its own"),
        (Kind.USERSET, "operator", "of its own"),
        (Kind.PROJECT, "a*", '"*"'),
        (Kind.PROJECT, "fine", ""),
        (Kind.USERSET, "manager", "of its own"),
        (Kind.PROJECT, "operator", ""),
        (Kind.CKPT, "a]", '"]"'),
        (Kind.QUEUE, "q!", '"!"'),
    ],
)
def test_names_that_the_next_release_refuses(kind: Kind, name: str, words: str) -> None:
    obj = config_object(kind, name, {"type": "ACL"} if kind is Kind.USERSET else {})
    said = [
        finding.message for finding in check_object(Cluster(dialect=OCS), obj) if finding.rule.endswith("successor")
    ]
    assert len(said) == bool(words)
    assert all(words in message for message in said)
    assert not [finding for finding in check_object(Cluster(), obj) if finding.rule.endswith("successor")]


@pytest.mark.parametrize(
    ("dialect", "queue", "messages"),
    [
        ("ocs-9", "complex_values: gpu=2", ['"gpu" is a consumable of hosts (HOST): a queue does not offer it']),
        (
            "ocs-9",
            "complex_values: 'lic=1,[@h=g=2]'",
            ['"gpu" is a consumable of hosts (HOST): a queue does not offer it'],
        ),
        ("ocs-9", "complex_values: 'lic=1,unknown=2'", []),
        ("ocs-9", "load_thresholds: gpu=2", []),
        ("sge-8.1.9", "complex_values: gpu=2", []),
    ],
)
def test_a_queue_does_not_offer_what_is_used_up_once_per_host(dialect: str, queue: str, messages: list[str]) -> None:
    entries = [
        config_object(Kind.COMPLEX, name, {"shortcut": name[0], "type": "INT", "consumable": consumable})
        for name, consumable in (("gpu", "HOST"), ("lic", "YES"))
    ]
    field, _, text = queue.partition(": ")
    obj = config_object(Kind.QUEUE, "q", {field: text.strip("'")})
    cluster = Cluster(dialect=dialect).with_objects([*entries, obj])
    assert [finding.message for finding in dialect_findings(cluster, obj)] == messages


@pytest.mark.parametrize(
    ("dialect", "kind", "name", "titles"),
    [
        (SGE, Kind.PE, "daemon_forks_slaves", "Univa Grid Engine 8 and Open Cluster Scheduler 9"),
        (SGE, Kind.PE, "ign_sreq_on_mhost", "Open Cluster Scheduler 9"),
        (UGE, Kind.PE, "ign_sreq_on_mhost", "Open Cluster Scheduler 9"),
        (UGE, Kind.PE, "daemon_forks_slaves", ""),
        (OCS, Kind.SCHEDULER, "host_sort_formula", "Univa Grid Engine 8"),
        (SGE, Kind.PE, "slots", ""),
        (SGE, Kind.PE, "of_nobody", ""),
        (SGE, Kind.CONFIGURATION, "mail_tag", ""),
    ],
)
def test_whose_field_it_is(dialect: str, kind: Kind, name: str, titles: str) -> None:
    obj = config_object(kind, "mpi", {name: "1"})
    hints = [finding.hint for finding in dialect_findings(Cluster(dialect=dialect), obj) if finding.field == name]
    assert hints == ([f"It is a field of {titles}; the cluster's dialect is {dialect}."] if titles else [])


def test_the_dialect_survives_a_conversion(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "c.yaml").write_text("dialect: ocs-9\n" + MAP)
    assert convert(read_folder(tmp_path / "a"), tmp_path / "b", "yaml").cluster.dialect == OCS
