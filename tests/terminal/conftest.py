"""A terminal for each test, and copies of the clusters that they may change."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.terminal.terminal import Terminal

CONFIGS = Path(__file__).parents[2] / "configs"


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    # A socket's path may only be a hundred characters long.
    with tempfile.TemporaryDirectory(prefix="qmon") as sockets:
        it = Terminal(Path(sockets) / "tmux", tmp_path / "home")
        yield it
        it.close()


@pytest.fixture
def teaching(tmp_path: Path) -> Path:
    return Path(shutil.copytree(CONFIGS / "teaching", tmp_path / "teaching"))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return Path(shutil.copytree(CONFIGS / "site", tmp_path / "site"))
