"""A pytest plugin that loads all tests once and runs some of them for each fault, in a process forked for it."""

import os
import resource
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic, sleep, time
from types import CodeType, FrameType

import pytest
from hypothesis import Phase, settings

from tests.mutants.patching import CodeChange, LoadedFunctions, code_change
from tests.quick.recording import test_of

CONNECTION_VARIABLE = "QMON_TUI_FAULTS"
MEMORY = 4 << 30
WALL_LIMIT = 900
"""Seconds after which a process counts as waiting for ever: other work may slow it down."""
_moments = count(int(time()))


@dataclass(frozen=True)
class Trial:
    """Tests to run until one fails, and the file that is another meanwhile, none where `text` is None."""

    names: Sequence[str]
    cpu_limit: int
    path: str = ""
    text: str | None = None


@dataclass(frozen=True)
class Answer:
    failed: str | None = None
    """The test that failed; empty where the process ended before one did, as it hung or crashed."""
    certain: bool = True
    """Whether nothing that had run before could have come out otherwise with the fault."""


class Tests:
    """The collected tests of a session, which it runs for whoever asks at the other end of a connection."""

    def __init__(self, session: pytest.Session, seen: set[tuple[str, CodeType]]) -> None:
        self._session = session
        self._seen = seen
        self._root = session.config.rootpath
        self._functions = LoadedFunctions(self._root / "qmon_tui")
        self._items: dict[str, list[pytest.Item]] = {}
        for item in session.items:
            for name in dict.fromkeys((item.nodeid, test_of(item.nodeid))):
                self._items.setdefault(name, []).append(item)

    def serve(self, connection: Connection) -> None:
        while True:
            try:
                trial = connection.recv()
            except EOFError:
                return
            connection.send(self._answer(trial))

    def _answer(self, trial: Trial) -> Answer:
        items = [item for name in trial.names for item in self._items.get(name, ())]
        if trial.text is None:
            return Answer(self._run_apart(items, trial.cpu_limit, None))
        path = self._root / trial.path
        before = path.read_text()
        change = code_change(str(path), before, trial.text)
        with _other_text(path, before, trial.text):
            failed = self._run_apart(items, trial.cpu_limit, change)
        if failed is _NOT_APPLIED:
            return Answer(None, certain=False)
        return Answer(failed, not change.ran(self._seen))

    def _run_apart(self, items: Sequence[pytest.Item], cpu_limit: int, change: CodeChange | None) -> str | None:
        reading, writing = os.pipe()
        os.set_blocking(reading, False)
        process = os.fork()
        if not process:
            self._run_and_exit(items, cpu_limit, change, writing)
        code = _wait(process)
        told = os.read(reading, 1 << 16).decode() if code == 0 else ""
        os.close(reading)
        os.close(writing)
        return {"passed": None, "not applied": _NOT_APPLIED}.get(told, told)

    def _run_and_exit(self, items: Sequence[pytest.Item], limit: int, change: CodeChange | None, writing: int) -> None:
        """Nothing of the session around it is left for, whatever happens."""
        try:
            os.setsid()
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            if change is not None and not change.apply(self._functions):
                told = "not applied"
            else:
                told = _first_failure(self._session, items) or "passed"
            os.write(writing, told.encode())
            os._exit(0)
        finally:
            os._exit(1)


_NOT_APPLIED = "(not applied)"


def _first_failure(session: pytest.Session, items: Sequence[pytest.Item]) -> str | None:
    failures = _Failures()
    session.config.pluginmanager.register(failures)
    for item, following in zip(items, (*items[1:], None), strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if failures.names:
            return failures.names[0]
    return None


class _Failures:
    def __init__(self) -> None:
        self.names: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.names.append(report.nodeid)


def _wait(process: int) -> int:
    """The exit code of a process, and -1 after the time is over; nothing that it has started is left."""
    end = monotonic() + WALL_LIMIT
    ended, status = os.waitpid(process, os.WNOHANG)
    while not ended and monotonic() < end:
        sleep(0.01)
        ended, status = os.waitpid(process, os.WNOHANG)
    with suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)
    if not ended:
        os.waitpid(process, 0)
        return -1
    return os.waitstatus_to_exitcode(status)


@contextmanager
def _other_text(path: Path, before: str, text: str) -> Iterator[None]:
    """Programs that tests start, and modules that are loaded later, read it."""
    write_newest(path, text)
    try:
        yield
    finally:
        write_newest(path, before)


def write_newest(path: Path, text: str) -> None:
    """Python compiles a source anew by its time in whole seconds and its size, which a fault may leave as they are."""
    path.write_text(text)
    moment = next(_moments)
    os.utime(path, (moment, moment))


_seen: set[tuple[str, CodeType]] = set()


def _note_call(frame: FrameType, event: str, _: object) -> None:
    if event == "call":
        _seen.add((frame.f_code.co_filename, frame.f_code))


def pytest_configure() -> None:
    """What runs while tests are loaded does not run again with a fault in it; a drawn example need not get smaller."""
    settings.register_profile("faults", settings(), phases=(Phase.explicit, Phase.generate))
    settings.load_profile("faults")
    sys.setprofile(_note_call)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    sys.setprofile(None)
    with Connection(int(os.environ[CONNECTION_VARIABLE])) as connection:
        Tests(session, _seen).serve(connection)
    return True
