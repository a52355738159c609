"""Folders of files that qconf printed, under any names: nightly backups, and single files beside scripts."""

import re
from pathlib import Path

import pytest

from qmon_tui.formats import Layout, differing, folder_texts, without_reports
from qmon_tui.model import Kind
from qmon_tui.sources import SourceError, read_folder
from qmon_tui.sources.conversion import convert, convert_objects, read_object_files
from tests.unit.configs.announced import CONFIGS

NAMES = {
    "centry": "complexes", "schedconf": "sched_conf", "sharetree": "sharetree.txt", "resource_quotas": "rqs",
    "managers": "manager_list", "operators": "operators", "admin_hosts": "adminhosts", "submit_hosts": "submithosts",
    "cqueues": "queue_", "pe": "pe_", "execution": "exec_", "hostgroups": "hostgroup", "usersets": "userset-",
    "calendars": "cal_", "ckpt": "ckpt_", "projects": "prj_", "users": "user_",
}  # fmt: skip
HOST = (
    "hostname n1\nload_scaling NONE\ncomplex_values lic=2\nload_values np_load_avg=0.5\nprocessors 4\nuser_lists NONE\n"
)
HOST += "xuser_lists NONE\nprojects NONE\nxprojects NONE\nusage_scaling NONE\nreport_variables NONE\n"
PE = "pe_name mpi\nslots 9\nuser_lists NONE\nxuser_lists NONE\nstart_proc_args NONE\nstop_proc_args NONE\n"
PE += "allocation_rule $pe_slots\ncontrol_slaves FALSE\njob_is_first_task TRUE\nurgency_slots min\n"
PE += "accounting_summary FALSE\nqsort_args NONE\n"


def flat(file: str, text: str) -> tuple[str, str]:
    """The name that a backup gives to a file of a qconf folder, and its text; a configuration without its header."""
    folder, _, name = file.partition("/")
    if folder == "configurations":
        return "cluster_conf" if name == "global" else f"conf_{name}", re.sub(r"\A#.*\n", "", text)
    return (f"{NAMES.get(folder, folder)}{name}" if name else NAMES.get(folder, folder)), text


@pytest.mark.parametrize("name", ["teaching", "site"])
def test_a_folder_of_single_files_is_the_same_cluster(name: str, tmp_path: Path) -> None:
    wanted = read_folder(CONFIGS / name)
    for file, text in folder_texts(Layout.QCONF, wanted.cluster, wanted.state).items():
        flat_name, flat_text = flat(file, text) if not file.endswith(".yaml") else (file, text)
        (tmp_path / flat_name).write_text(flat_text)
    (tmp_path / "README").write_text("name  of what\nthis is\n")
    (tmp_path / "backup.sh").write_text("#!/bin/sh\nqconf -sq all.q > queue_all.q\n")
    (tmp_path / "queue_old~").write_text("qname old\n")
    (tmp_path / "data.json").write_text('{"name": 1}\n')
    reading = read_folder(tmp_path)
    assert (reading.layout, [finding.message for finding in reading.findings]) == (Layout.FILES, [])
    assert not list(differing(reading.cluster, wanted.cluster))
    assert reading.state.jobs == wanted.state.jobs
    assert not {"README", "backup.sh", "queue_old~", "data.json"} & reading.files.keys()


@pytest.mark.parametrize(
    ("file", "text", "kind", "name"),
    [
        ("n1.conf", "mailer /bin/mail\nxterm /bin/xterm\n", Kind.CONFIGURATION, "n1"),
        ("conf_n1.local", "mailer /bin/mail\nxterm /bin/xterm\n", Kind.CONFIGURATION, "n1.local"),
        ("host_conf_n1", "mailer /bin/mail\nxterm /bin/xterm\n", Kind.CONFIGURATION, "n1"),
        ("global_conf", "mailer /bin/mail\nmin_uid 0\n", Kind.CONFIGURATION, "global"),
        ("configuration", "mailer /bin/mail\nmin_uid 0\n", Kind.CONFIGURATION, "global"),
        ("x", "#n2:\nmailer /bin/mail\nmin_uid 0\n", Kind.CONFIGURATION, "n2"),
        ("whatever", HOST, Kind.HOST, "n1"),
        ("managers.txt", "root\nanna\n", Kind.MANAGERS, "managers"),
        ("adm_hosts", "n1\n", Kind.ADMIN_HOSTS, "admin_hosts"),
        ("pes/mpi", PE, Kind.PE, "mpi"),
    ],
)
def test_a_file_is_told_by_what_is_in_it(file: str, text: str, kind: Kind, name: str, tmp_path: Path) -> None:
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text(text)
    reading = read_folder(tmp_path)
    obj = reading.cluster.get(kind, name)
    assert obj is not None
    assert obj.origin is not None
    assert obj.origin.file == file


@pytest.mark.parametrize(
    "text", ["a\nb\n", "name x\ntype y\n", '{\n "name": 1\n}\n', "#foo:\necho\n", "qname x\nslots 1\n"]
)
def test_other_files_are_no_cluster(text: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text(text)
    with pytest.raises(SourceError, match=r"holds no cluster: .* a queue begins with qname"):
        read_folder(tmp_path)


def test_single_files_are_not_written(tmp_path: Path) -> None:
    (tmp_path / "exec_n1").write_text(HOST)
    reading = read_folder(tmp_path)
    assert dict(reading.state.loads["n1"]) == {"np_load_avg": "0.5"}
    host = reading.cluster.objects(Kind.HOST)["n1"]
    edited = reading.cluster.with_object(host.with_value("complex_values", "lic=3"))
    with pytest.raises(SourceError, match=r"exec_n1 line 1.*only read: `qmon-tui convert"):
        reading.source.plan(reading, edited)
    copy = convert(reading, tmp_path.parent / "copy", "qconf")
    assert not list(differing(copy.cluster, reading.cluster))
    assert copy.state.loads == reading.state.loads


def test_single_files_become_yaml(tmp_path: Path) -> None:
    paths = []
    for file, text in {"exec_n1": HOST, "pe_mpi": PE, "notes": "anna was here\n"}.items():
        paths.append(str(tmp_path / file))
        (tmp_path / file).write_text(text)
    reading = read_object_files(paths[:2])
    assert reading is not None
    assert convert_objects(reading, str(tmp_path / "new" / "c.yaml"), "yaml") == ["c.yaml"]
    again = read_folder(tmp_path / "new")
    assert again.findings == ()
    assert not list(differing(again.cluster, without_reports(reading.cluster)))
    assert dict(again.state.loads["n1"]) == {"np_load_avg": "0.5"}
    assert read_object_files(paths[2:]) is None
    with pytest.raises(SourceError, match="notes: not what qconf prints"):
        read_object_files(paths)
    with pytest.raises(SourceError, match="is there already"):
        convert_objects(reading, str(tmp_path / "new" / "c.yaml"), "yaml")
