"""A pytest plugin that records which lines of the program each test runs and which files of the repository it reads.

Each process writes what it has seen into the folder that the variable below names, as a pickled `Recording`.
"""

import os
import pickle
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import coverage
import pytest

FOLDER_VARIABLE = "QMON_TUI_RECORDING"
ROOT = Path(__file__).parents[2]
_READ_BELOW = tuple(str(ROOT / name) for name in ("configs", "docs", "tests", "README.md", "pyproject.toml"))


@dataclass
class Recording:
    """What one process has seen; each case of a test by its node id, paths are relative to the repository."""

    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, dict[int, list[str]]] = field(default_factory=dict)
    read_files: dict[str, set[str]] = field(default_factory=dict)
    """The tests that read a file, by its path."""


def test_of(node_id: str) -> str:
    """The test that a case of it belongs to."""
    return node_id.partition("[")[0]


class Recorder:
    """Starts with the process, as modules that are loaded before are not measured."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._recording = Recording()
        self._current = ""
        # The newer way to measure does not tell which test it was.
        os.environ["COVERAGE_CORE"] = "ctrace"
        self._coverage = coverage.Coverage(data_file=None, config_file=False, include=[str(ROOT / "qmon_tui" / "*")])
        self._coverage.start()
        sys.addaudithook(self._note_open)

    def _note_open(self, event: str, arguments: tuple[object, ...]) -> None:
        if event == "open" and self._current and isinstance(arguments[0], str):
            path = arguments[0]
            if path.startswith(_READ_BELOW) and not path.endswith((".py", ".pyc")):
                self._recording.read_files.setdefault(os.path.relpath(path, ROOT), set()).add(self._current)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        name = item.nodeid
        if name != self._current:
            self._coverage.switch_context(name)
            self._current = name
        began = _work()
        try:
            return (yield)
        finally:
            seconds = self._recording.seconds
            seconds[name] = seconds.get(name, 0.0) + _work() - began

    def pytest_sessionfinish(self) -> None:
        self._current = ""
        self._coverage.stop()
        data = self._coverage.get_data()
        for path in data.measured_files():
            by_line = {line: [name for name in names if name] for line, names in data.contexts_by_lineno(path).items()}
            self._recording.lines[os.path.relpath(path, ROOT)] = {
                line: names for line, names in by_line.items() if names
            }
        if self._recording.seconds:
            (self._folder / f"{os.getpid()}.pickle").write_bytes(pickle.dumps(self._recording))


def _work() -> float:
    """Seconds that this process and what it has started have worked: other work makes them no longer."""
    return sum(os.times()[:4])


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Recorder(Path(os.environ[FOLDER_VARIABLE])))
