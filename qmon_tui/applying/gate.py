"""The gate: only this module runs commands that change a running cluster.

It reads each object again before a command, runs the command, reads the object back and compares. Exit codes do not
count (qconf.md#exit-status). A lock lets users of this program apply one after the other; it does not stop qconf.
"""

import contextlib
import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from qmon_tui.applying.plan import Step, differing
from qmon_tui.applying.rights import Rights
from qmon_tui.qmaster import FILE, Call, Command, calls_of
from qmon_tui.sources import SourceError
from qmon_tui.sources.cell_folder import LogEntry, author, cell_folder, comment
from qmon_tui.sources.cells import Cell
from qmon_tui.sources.clients import Answer, ClientError
from qmon_tui.sources.qmaster_source import QmasterSource

_NAME: Final = "lock"
_PAUSE: Final = 0.1
_PATIENCE: Final = 10.0


@contextlib.contextmanager
def apply_lock(cell: Cell) -> Iterator[None]:
    """Hold the lock while the block runs. Raises SourceError that names the lock's holder and age."""
    place = _take_lock(cell, time.monotonic() + _PATIENCE)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            place.unlink()


def _take_lock(cell: Cell, until: float) -> Path:
    try:
        place = cell_folder(cell) / _NAME
        while not _create_lock(place):
            if _is_abandoned(place):
                with contextlib.suppress(OSError):
                    place.unlink()
            elif time.monotonic() > until:
                raise SourceError(f"{_holder(place)}: wait, or remove {place} if that program has ended")
            else:
                time.sleep(_PAUSE)
    except OSError as error:
        raise SourceError(f"the lock beside the cell cannot be taken: {error.strerror}") from None
    return place


def _create_lock(place: Path) -> bool:
    """Create the lock file; False if it exists. O_EXCL is safe on NFS, too."""
    try:
        descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o664)
    except FileExistsError:
        return False
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        who = author()
        json.dump({"who": who.words, "host": who.host, "pid": os.getpid(), "since": time.time()}, file)
    return True


def _lock_facts(place: Path) -> dict[str, object]:
    try:
        data = json.loads(place.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


def _is_abandoned(place: Path) -> bool:
    """Return True if the lock's holder ran on this host and has ended."""
    data = _lock_facts(place)
    pid = data.get("pid")
    if data.get("host") != author().host or not isinstance(pid, int):
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def _holder(place: Path) -> str:
    data = _lock_facts(place)
    since, who = data.get("since"), str(data.get("who", "somebody"))
    age = f" for {max(0, time.time() - since):.0f} s" if isinstance(since, float) else ""
    return f"{''.join(sign if sign.isprintable() else '?' for sign in who)} has been applying a plan{age}"


_DONE: Final = re.compile(
    r'changed state of "|has been submitted|^modified |\bsets .* of job\b|has (?:registered|deleted) '
    r"|forced the deletion of|has been granted| - (?:un)?suspended |cleared error state"
    r"|(?:Forced|Pushed) rescheduling|added |removed |modified "
)
"""Sentences with which clients report a change."""
_ALREADY: Final = re.compile(r"already in the specified state|is already (?:un)?suspended|is not in error state")
_NEUTRAL: Final = re.compile(
    r"^Exiting\.$|^(?:Unable to run job: )?warning: |^\s+(?:blocking|exited) jobs:", re.IGNORECASE
)
"""Lines that report neither a change nor a refusal; `qalter -hold_jid` lists jobs."""
_LOST: Final = re.compile(r"failed receiving gdi request|receive timeout|got read error")
"""Complaints after a request was sent: the qmaster may have carried it out."""


class Verdict(StrEnum):
    """The result of a command."""

    DONE = "done"
    ALREADY = "already so"
    """The object was as wanted already before the command."""
    PARTLY = "partly done"
    """Some of several jobs or queue instances were refused."""
    REFUSED = "refused"
    """No object has changed."""
    DIFFERENT = "something else changed"
    """The object has changed, but not to the wanted version."""
    CONFLICT = "changed meanwhile"
    """The command was not run, as the object had changed since the plan was made."""
    UNKNOWN = "unknown"
    """The client did not answer or lost the qmaster, and nothing could be read back."""

    @property
    def is_well(self) -> bool:
        """True if the cluster is as the command wants it."""
        return self in (Verdict.DONE, Verdict.ALREADY)


class Written(NamedTuple):
    """A command line and its result."""

    line: str
    verdict: Verdict
    answer: tuple[str, ...] = ()
    """The lines that the clients printed."""
    log: str = ""
    """Path of its log file; empty if nothing was run."""


class Gate:
    """Writer to one cluster. Raises SourceError if the log cannot be written: no command runs without a log."""

    def __init__(self, source: QmasterSource, rights: Rights, reason: str = "") -> None:
        self.source = source
        self.rights = rights
        self.reason = reason
        self._author = author()

    def write(self, step: Step) -> Written:
        """Run one step, once, if its objects are as before the step, and judge it by reading them back.

        Raises SourceError, with nothing run, if the objects cannot be read or the log cannot be created.
        """
        if refusal := self.rights.refusal_for(step.keys):
            return Written(step.line, Verdict.REFUSED, (refusal,))
        now = self.source.read_objects(step.keys)
        if differing(now, step.before, step.keys):
            is_made = not differing(now, step.after, step.keys)
            return Written(step.line, Verdict.ALREADY if is_made else Verdict.CONFLICT)
        answers, log, lost = self._run(step.calls)
        lines = _lines(answers) + lost
        try:
            after = self.source.read_objects(step.keys)
        except SourceError as error:
            return Written(step.line, Verdict.UNKNOWN, (*lines, error.message), log)
        verdict = Verdict.DONE
        if differing(after, step.after, step.keys):
            verdict = Verdict.DIFFERENT if differing(after, now, step.keys) else Verdict.REFUSED
            if verdict is Verdict.REFUSED and (lost or any(map(_LOST.search, lines))):
                verdict = Verdict.UNKNOWN  # the qmaster may still carry it out
        _append(log, f"read back: {verdict}")
        return Written(step.line, verdict, lines, log)

    def run(self, command: Command) -> Written:
        """Run a command for jobs, queue instances or reservations, once; judge it by its output. Raises SourceError."""
        line = command.line or command.words
        if refusal := self.rights.refusal(command):
            return Written(line, Verdict.REFUSED, (refusal,))
        calls = calls_of(command)
        if not calls:
            return Written(line, Verdict.REFUSED, ("no command of Grid Engine does this",))
        answers, log, lost = self._run(calls)
        verdict = Verdict.UNKNOWN if lost else _judged(answers)
        _append(log, f"answered: {verdict}")
        return Written(line, verdict, _lines(answers) + lost, log)

    def _run(self, calls: Sequence[Call]) -> tuple[list[Answer], str, tuple[str, ...]]:
        """Run the calls; return the answers, the path of the log, and the error if a call got no answer, else ()."""
        answers: list[Answer] = []
        try:
            entry = LogEntry.begun(cell_folder(self.source.cell), self._heading(calls))
        except OSError as error:
            raise SourceError(f"the log cannot be written ({error.strerror or error}): nothing was run") from None
        with contextlib.closing(entry):
            for call in calls:
                try:
                    with _with_file(call) as words:
                        answers.append(self.source.clients.change(*words))
                except ClientError as error:
                    with contextlib.suppress(OSError):
                        entry.append((comment(f"no answer: {error.message}"),))
                    return answers, str(entry.path), (error.message,)
                answered = (f"exit status {answers[-1].status}", *_lines(answers[-1:]))
                with contextlib.suppress(OSError):  # the command has run: a full disk must not stop the next ones
                    entry.append(tuple(map(comment, answered)))
        return answers, str(entry.path), ()

    def _heading(self, calls: Iterable[Call]) -> tuple[str, ...]:
        cell = self.source.cell
        facts = (f"cell {cell.root} {cell.cell}", f"by {self._author.words}", f"reason: {self.reason or 'none given'}")
        return ("#!/bin/sh", *map(comment, facts), *(line for call in calls for line in call.shell_lines))


@contextlib.contextmanager
def _with_file(call: Call) -> Iterator[tuple[str, ...]]:
    """Yield the words of a call while its temporary file exists, readable also for the user of the prefix (sudo)."""
    if call.text is None:
        yield call.words
        return
    folder = Path(tempfile.mkdtemp(prefix="qmon-tui-"))
    try:
        folder.chmod(0o755)
        file = folder / call.words[FILE]
        file.write_text(call.text, encoding="utf-8")
        file.chmod(0o644)
        yield (*call.words[:FILE], os.fspath(file), *call.words[FILE + 1 :])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _append(log: str, text: str) -> None:
    with contextlib.suppress(OSError), open(log, "a", encoding="utf-8") as file:
        file.write(comment(text) + "\n")


def _lines(answers: Iterable[Answer]) -> tuple[str, ...]:
    texts = (text for answer in answers for text in (answer.complaint, answer.out.decode("utf-8", "replace")))
    return tuple(line.rstrip() for text in texts for line in text.splitlines() if line.strip())


def _judged(answers: Sequence[Answer]) -> Verdict:
    """Judge a command for jobs or queue instances by the clients' sentences (qconf.md#exit-status)."""
    lines = [line for line in _lines(answers) if not _NEUTRAL.search(line)]
    if any(map(_LOST.search, lines)):
        return Verdict.UNKNOWN
    done = sum(_DONE.search(line) is not None for line in lines)
    already = sum(_ALREADY.search(line) is not None for line in lines)
    if done + already == len(lines) and (lines or not any(answer.status for answer in answers)):
        return Verdict.DONE if done else Verdict.ALREADY
    return Verdict.PARTLY if done else Verdict.REFUSED
