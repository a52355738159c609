"""`make run` offers every example cluster and a lesson, each as a private copy."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from qmon_tui.sources import read_folder

CONFIGS = Path(__file__).parents[3] / "configs"


@pytest.fixture
def choose() -> ModuleType:
    spec = importlib.util.spec_from_file_location("choose", CONFIGS / "choose.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_cluster_is_offered(choose: ModuleType) -> None:
    others = {"broken-qconf", "lessons", "seeds"}
    folders = {path.name for path in CONFIGS.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders - others >= set(choose.CLUSTERS)
    assert all(any((CONFIGS / name).glob("*.yaml")) for name in choose.CLUSTERS)
    assert all(name in choose.menu() for name in choose.CLUSTERS)
    assert max(map(len, choose.menu().splitlines())) < 80
    assert (CONFIGS / "lessons" / f"{choose.LESSON}.yaml").exists()


def test_an_answer_opens_a_copy_that_stays(choose: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert choose.command("") == choose.command("1") == []
    (folder,) = choose.command("2")
    assert read_folder(Path(folder)).cluster is not None
    Path(folder, "mark").touch()
    assert choose.command("site") == [folder]
    assert Path(folder, "mark").exists()
    assert choose.command("99") is None
    assert choose.command("l") == ["learn", choose.LESSON]
