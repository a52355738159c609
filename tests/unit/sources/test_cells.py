"""Cells are found by the environment or by clusters.toml, whose faults are sentences; nothing that writes is run."""

import os
from pathlib import Path

import pytest

from qmon_tui.cli import main
from qmon_tui.sources import SourceError
from qmon_tui.sources.cell_folder import cell_folder, private_words
from qmon_tui.sources.cells import Cell, cell_names, find_cell
from qmon_tui.sources.clients import SHOW_OPTIONS, Clients, refuse_writing


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's clusters.toml, and an environment without a cell."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("SGE_ROOT", "SGE_CELL", "SGE_QMASTER_PORT", "SGE_EXECD_PORT"):
        monkeypatch.delenv(name, raising=False)
    file = tmp_path / "config/qmon-tui/clusters.toml"
    file.parent.mkdir(parents=True)
    return file


def _cell_folder(root: Path, cell: str = "default") -> Path:
    common = root / cell / "common"
    common.mkdir(parents=True)
    (common / "bootstrap").write_text(f"binary_path {root}/bin\n")
    return common


def test_a_cell_of_the_file_has_its_ports_from_the_settings(config: Path, tmp_path: Path) -> None:
    _cell_folder(tmp_path / "sge", "prod").joinpath("settings.sh").write_text(
        "SGE_ROOT=/elsewhere; export SGE_ROOT\nSGE_QMASTER_PORT=6444; export SGE_QMASTER_PORT\n"
    )
    config.write_text(
        f'[prod]\nroot = "{tmp_path}/sge"\ncell = "prod"\nexecd_port = 7000\nrefresh = 30\nversion = "8.1.9"\n'
        'prefix = ["sudo", "-n", "-u", "sgeadmin"]\nprotected = ["queue/all.q"]\n[other]\nroot = "/x"\n'
    )
    assert cell_names() == ("prod", "other")
    found = find_cell("prod")
    assert (found.qmaster_port, found.execd_port, found.refresh) == (6444, 7000, 30)
    assert found.prefix == ("sudo", "-n", "-u", "sgeadmin")
    assert found.location == "qmaster:prod"
    assert found.environment()["SGE_CELL"] == "prod"
    assert found.environment()["SGE_QMASTER_PORT"] == "6444"


def test_a_cell_of_the_environment(config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _cell_folder(tmp_path)
    monkeypatch.setenv("SGE_ROOT", str(tmp_path))
    monkeypatch.setenv("SGE_QMASTER_PORT", "7901")
    assert find_cell() == Cell(str(tmp_path), qmaster_port=7901)
    monkeypatch.setenv("SGE_QMASTER_PORT", "port")
    with pytest.raises(SourceError, match='SGE_QMASTER_PORT is "port"'):
        find_cell()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no cluster is called prod in .*clusters.toml: there are none in it"),
        ('[test]\nroot = "/x"', "it names test"),
        ("[prod", "is not TOML"),
        ("prod = 1", "write a table"),
        ("[prod]\n", "root is missing"),
        ('[prod]\nroot = "/x"\nport = 1', "port is none of root, cell"),
        ("[prod]\nroot = 1", "root is a text"),
        ('[prod]\nroot = "/x"\nqmaster_port = true', "qmaster_port is a whole number"),
        ('[prod]\nroot = "/x"\nqmaster_port = 70000', "from 1 to 65535"),
        ('[prod]\nroot = "/x"\nprefix = ["sudo", 1]', "prefix is a list of texts"),
        ('[prod]\nroot = "/x"\nrefresh = 0', "refresh is a number of seconds"),
        ('[prod]\nroot = "/nowhere"', "/nowhere holds no cell default"),
    ],
)
def test_a_fault_of_the_file_is_a_sentence(
    config: Path, text: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    config.write_text(text)
    with pytest.raises(SourceError, match=words):
        find_cell("prod")
    assert main(["check", "qmaster:prod"]) == 2
    assert capsys.readouterr().err.startswith("qmon-tui check: ")


def test_an_environment_without_a_cell_is_told(
    config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("qmon_tui.sources.cells._PLACE", "/nowhere")
    assert main(["schedule", "qmaster:"]) == 2
    assert "SGE_ROOT is not set" in capsys.readouterr().err


@pytest.mark.parametrize(
    "line",
    [
        "qconf -mq all.q", "qconf -dq all.q", "qconf -sq all.q -dq all.q", "qconf -aattr queue slots 1 a", "qconf -km",
        "qconf -tsm", "qconf all.q", "qconf", "qsub x", "qdel 1", "qmod -d x", "sh -c x", "/usr/bin/qstat", "qalter 1",
        "qconf -Sq x", "qconf -sq -help",
    ],
)  # fmt: skip
def test_what_may_write_is_not_run(line: str) -> None:
    with pytest.raises(ValueError, match="only commands that show are run"):
        refuse_writing(line.split())


def test_debian_keeps_its_clients_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its bootstrap names /usr/sbin as binary_path, where no client is."""
    (_cell_folder(tmp_path) / "bootstrap").write_text(f"binary_path {tmp_path}/sbin\n")
    clients = tmp_path / "lib"
    clients.mkdir()
    for name in ("qconf", "qstat", "qhost"):
        (clients / name).write_text("#!/bin/sh\necho SGE 8.1.9\n")
        (clients / name).chmod(0o755)
    cell = Cell(str(tmp_path))
    with pytest.raises(SourceError, match="holds no qconf"):
        assert Clients(cell).version
    monkeypatch.setattr("qmon_tui.sources.clients._ELSEWHERE", {f"{tmp_path}/sbin": (str(clients),)})
    assert Clients(cell).version == "SGE 8.1.9"
    (clients / "qstat").write_text("#!/bin/sh\necho error: no qmaster name >&2\nexit 1\n")
    with pytest.raises(SourceError, match=r"qstat does not say its version .error: no qmaster name"):
        assert Clients(cell).version


def test_what_shows_is_run() -> None:
    for line in ("qstat -u *", "qconf -sq a -sq b", "qconf -help", "qacct -j 5"):
        refuse_writing(line.split())
    assert all(option.startswith("-s") for option in SHOW_OPTIONS)


def test_the_shared_folder_belongs_to_the_group_of_the_cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    common = _cell_folder(tmp_path)
    cell = Cell(root=str(tmp_path), cell="default")
    mask = os.umask(0o077)
    try:
        folder = cell_folder(cell)
    finally:
        os.umask(mask)
    assert folder == common.parent / "qmon-tui"
    assert folder.stat().st_mode & 0o7777 == 0o2775
    assert folder.stat().st_gid == common.parent.stat().st_gid
    assert private_words(cell) == ""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("qmon_tui.sources.cell_folder._is_shared", lambda _: False)
    assert cell_folder(cell).is_relative_to(tmp_path / "state")
    assert "are kept for you alone in" in private_words(cell)
