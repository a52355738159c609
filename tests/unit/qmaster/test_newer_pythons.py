"""Each newer Python that is installed works out the same numbers, to the last bit."""

import os
import pickle
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from qmon_tui.qmaster import schedule
from qmon_tui.sources import read_folder
from tests.unit.qmaster.exact_numbers import exact_numbers

ROOT = Path(__file__).parents[3]
MINORS = range(sys.version_info.minor + 1, sys.version_info.minor + 6)
PROGRAM = """
import pickle, sys
from qmon_tui.qmaster import schedule
from tests.unit.qmaster.exact_numbers import exact_numbers
cluster, state = pickle.load(sys.stdin.buffer)
sys.stdout.write("\\n".join(exact_numbers(schedule(cluster, state))))
"""


@cache
def newer_python(minor: int) -> str | None:
    """A Python that runs, on the path or as pyenv keeps it."""
    name = f"python3.{minor}"
    kept = sorted(Path(os.environ.get("PYENV_ROOT", "/nonexistent")).glob(f"versions/3.{minor}.*/bin/{name}"))
    for path in (shutil.which(name), *map(str, kept)):
        if path and subprocess.run([path, "-c", ""], capture_output=True, check=False).returncode == 0:
            return path
    return None


@pytest.mark.parametrize("name", ["campus", "desktops", "genome"])
def test_all_numbers_are_the_same(name: str) -> None:
    pythons = [python for python in map(newer_python, MINORS) if python is not None]
    if not pythons:
        pytest.skip("no newer Python is installed")
    reading = read_folder(ROOT / "configs" / name)
    assert reading.contents is not None
    document = reading.contents.cluster, reading.contents.state
    for python in pythons:
        answer = subprocess.run(
            [python, "-c", PROGRAM],
            input=pickle.dumps(document),
            stdout=subprocess.PIPE,
            env={"PYTHONPATH": str(ROOT)},
            cwd=ROOT,
            check=True,
        )
        assert answer.stdout.decode().splitlines() == list(exact_numbers(schedule(*document))), python
