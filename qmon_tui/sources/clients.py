"""The clients of a cell: only this module runs them. Reading runs none that could change anything.

Clients are taken from the cell itself: a client of another version has aborted a qmaster (clients.md).
"""

import contextlib
import os
import platform
import re
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

from qmon_tui.sources.cells import Cell, clusters_file
from qmon_tui.sources.source import Cost, SourceError

SHOW_OPTIONS: Final = frozenset((
    "-sc", "-scal", "-scall", "-scat", "-scatl", "-sckpt", "-sckptl", "-sconf", "-sconfl", "-se", "-secl", "-sel",
    "-sh", "-shgrp", "-shgrpl", "-sm", "-so", "-sobjl", "-sp", "-spl", "-sprj", "-sprjl", "-sq", "-sql", "-srole",
    "-srolel",    "-srqs", "-srqsl", "-ss", "-ssconf", "-sss", "-sst", "-sstree", "-su", "-sul", "-suser", "-suserl",
))  # fmt: skip
"""Options of qconf that only show; reading uses no others."""
READERS: Final = frozenset(("qstat", "qhost", "qselect", "qquota", "qrstat", "qacct", "qping"))
"""Clients that cannot change anything."""
WRITERS: Final = frozenset(("qconf", "qmod", "qalter", "qhold", "qrls", "qdel", "qsub", "qrsub", "qrdel"))
"""Clients that change the cluster."""
NEEDED: Final = ("qconf", "qstat", "qhost")
MOST_BYTES: Final = 1024 * 1024 * 1024
"""Largest answer; 200,000 jobs with all their requests need a fifth of it."""
AT_A_TIME: Final = 3
"""Number of clients that run at the same time."""
PATIENCE_SECONDS: Final = 30.0
"""Timeout of one client."""
_ELSEWHERE: Final[Mapping[str, tuple[str, ...]]] = {"/usr/sbin": ("/usr/lib/gridengine",)}
"""`binary_path` -> folders that really hold the clients: Debian's bootstrap names the folder of daemon wrappers."""
_PAUSES: Final = (0.3, 1.0)
"""Seconds before the first and second retry of a client that did not reach the qmaster."""
_LONGEST_COMPLAINT: Final = 4096
_CHUNK: Final = 1024 * 1024
_NO_CONNECTION: Final = re.compile(
    r"commlib|unable to (?:send message to|contact) qmaster|got select error", re.IGNORECASE
)
_NO_PERMISSION: Final = re.compile(r"denied|not allowed|permission|privilege", re.IGNORECASE)
_TOO_MANY: Final = re.compile(r"gdi_request_limits|too many requests|request limit", re.IGNORECASE)
_VERSION: Final = re.compile(r"[A-Za-z][\w.() +-]{2,60}")
"""First line of -help: `SGE 8.1.9`, or `OCS 9.0.10 (131225-1739)` with the build."""


class ClientError(SourceError):
    """A client gave no answer or no usable one; the text says what to do."""

    def __init__(self, message: str, *, passes: bool = False) -> None:
        super().__init__(message)
        self.passes = passes
        """True if the next attempt may succeed."""


class Answer(NamedTuple):
    """Exit status of a client, its stdout (`out`) and its stderr (`complaint`)."""

    status: int
    out: bytes
    complaint: str


def refuse_writing(words: Sequence[str]) -> None:
    """Raise ValueError for a command line that may do more than show; every reading command is checked here."""
    program, *arguments = words
    if arguments == ["-help"] and program in READERS | {"qconf"}:
        return
    if program == "qconf":
        options = [word for word in arguments if word.startswith("-")]
        if options and arguments[0] in SHOW_OPTIONS and SHOW_OPTIONS.issuperset(options):
            return
    elif program in READERS:
        return
    raise ValueError(f"{' '.join(words)[:80]}: only commands that show are run")


class Clients:
    """Runs the clients of one cell. Raises ClientError, SourceError with what to do."""

    def __init__(self, cell: Cell, *, writes: bool = False) -> None:
        self.cell = cell
        self.writes = writes
        """True if `change` is permitted."""
        self.cost = Cost()
        self._lock = threading.Lock()
        self._folder = ""
        self._version = ""

    @property
    def version(self) -> str:
        """The version of all clients, such as `SGE 8.1.9`; the first access searches for the clients."""
        if not self._version:
            self._folder = _client_folder(self.cell)
            present = [name for name in sorted(READERS | {"qconf"}) if _is_there(self._folder, name)]
            versions = {name: self._version_of(name) for name in present}
            self._version = _agreed(versions, self.cell, self._folder)
        return self._version

    def has(self, program: str) -> bool:
        """True if the cell has this client."""
        return bool(self.version) and _is_there(self._folder, program)

    def ask(self, *words: str) -> Answer:
        """Run one client and return its answer, whatever its exit status; retry if the qmaster was not reached."""
        assert self.version  # checks first that all clients have one version
        for pause in (*_PAUSES, None):
            try:
                answer = self._run(words)
                _refuse_failure(words, answer, self.cell)
                return answer
            except ClientError as error:
                if pause is None or not error.passes:
                    raise
                time.sleep(pause)
        raise AssertionError

    def change(self, *words: str) -> Answer:
        """Run one client that changes the cluster, once, without retry; only `Gate` of `applying` calls this."""
        assert self.version
        if not self.writes or words[0] not in WRITERS:
            raise SourceError(f"{' '.join(words)[:80]}: {self.cell.location} is only read; --write permits changes")
        return self._run(words, writes=True)

    def ask_all(self, lines: Iterable[Sequence[str]]) -> list[Answer]:
        """Run several clients, AT_A_TIME in parallel; return the answers in the order of the lines."""
        with ThreadPoolExecutor(AT_A_TIME) as pool:
            answers = [pool.submit(self.ask, *line) for line in lines]
            try:
                return [answer.result() for answer in answers]
            except SourceError:
                pool.shutdown(wait=False, cancel_futures=True)  # the others would fail as well
                raise

    def _version_of(self, program: str) -> str:
        answer = self._run((program, "-help"))
        first = (answer.out.decode("utf-8", "replace") or answer.complaint).partition("\n")[0].strip()
        if not _VERSION.fullmatch(first) and answer.status and answer.complaint:
            raise ClientError(f"{program} does not say its version ({first[:160]}): see whether the cell is complete")
        return first if _VERSION.fullmatch(first) else ""

    def _run(self, words: Sequence[str], *, writes: bool = False) -> Answer:
        """Run a client: the only function that starts one."""
        if not writes:
            refuse_writing(words)
        environment = self.cell.environment()
        line = [os.path.join(self._folder, words[0]), *words[1:]]
        if self.cell.prefix:  # sudo passes no variables
            line = [*self.cell.prefix, "/usr/bin/env", *(f"{name}={text}" for name, text in environment.items()), *line]
        began = time.monotonic()
        try:
            process = subprocess.Popen(
                line, env=environment, cwd="/", stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
            )  # fmt: skip
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise ClientError(f"{line[0]} cannot be run: {reason}; set clients in {clusters_file()}") from None
        answer = _answer_of(process, words)
        with self._lock:
            self.cost.commands += 1
            self.cost.bytes += len(answer.out)
            self.cost.seconds += time.monotonic() - began
        return answer


def _answer_of(process: subprocess.Popen[bytes], words: Sequence[str]) -> Answer:
    """Return a client's answer. Raises ClientError after PATIENCE_SECONDS or more than MOST_BYTES."""
    assert process.stdout is not None
    assert process.stderr is not None
    chunks: dict[object, list[bytes]] = {process.stdout: [], process.stderr: []}
    size = 0
    deadline = time.monotonic() + PATIENCE_SECONDS
    with process.stdout, process.stderr, selectors.DefaultSelector() as selector:
        for stream in (process.stdout, process.stderr):
            selector.register(stream, selectors.EVENT_READ)
        while selector.get_map():
            ready = selector.select(max(0.0, deadline - time.monotonic()))
            if not ready:
                _end(process)
                raise ClientError(
                    f"{' '.join(words)[:60]} did not answer within {PATIENCE_SECONDS:g} s: is the qmaster overloaded?"
                )  # fmt: skip
            for key, _ in ready:
                data = os.read(key.fd, _CHUNK)
                if not data:
                    selector.unregister(key.fileobj)
                size += len(data)
                chunks[key.fileobj].append(data)
            if size > MOST_BYTES:
                _end(process)
                raise ClientError(f"{words[0]} answers with more than {MOST_BYTES / 2**20:.0f} MiB, which is not read")
    out, complaint = (b"".join(parts) for parts in chunks.values())
    return Answer(process.wait(), out, complaint[:_LONGEST_COMPLAINT].decode("utf-8", "replace").strip())


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill a client and its children, as far as permitted."""
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    threading.Thread(target=process.wait, daemon=True).start()


def _refuse_failure(words: Sequence[str], answer: Answer, cell: Cell) -> None:
    """Raise ClientError if the qmaster was not reached, or denies requests from this user or host."""
    complaint = answer.complaint
    first = " ".join((complaint.splitlines() or [""])[0].split())[:160]
    if not answer.status and not complaint:
        return
    if _TOO_MANY.search(complaint):
        raise ClientError(
            f"the qmaster takes no more requests for now ({first}): wait, refresh less often, or raise"
            " gdi_request_limits of the global configuration",
            passes=True,
        )
    if _NO_CONNECTION.search(complaint):
        host = _qmaster_host(cell)
        raise ClientError(
            f"the qmaster{host} does not answer ({first}): see whether sge_qmaster runs there, and whether"
            " SGE_QMASTER_PORT is its port",
            passes=True,
        )
    if answer.status and _NO_PERMISSION.search(complaint) and "does not exist" not in complaint:
        raise ClientError(
            f"the qmaster does not let you ask ({first}): work on a host of qconf -ss or -sh, or set prefix in"
            f" {clusters_file()}"
        )
    if answer.status < 0 or answer.status > 100:
        raise ClientError(f"{words[0]} ended with status {answer.status} ({first or 'it says nothing'}): try again")


def _qmaster_host(cell: Cell) -> str:
    try:
        host = (cell.common / "act_qmaster").read_text(errors="replace").strip()
    except OSError:
        return ""
    return f" on {host[:80]}" if host.isprintable() and host else ""


def _is_there(folder: str, program: str) -> bool:
    return os.access(os.path.join(folder, program), os.X_OK)


def _client_folder(cell: Cell) -> str:
    """Return the folder of the clients: `binary_path`, or the folder of this machine in it. Raises SourceError."""
    base = cell.clients or _binary_path(cell)
    candidates = [base, *(os.path.join(base, name) for name in _architectures(base)), *_ELSEWHERE.get(base, ())]
    folders = [folder for folder in candidates if _is_there(folder, "qconf")]
    if not folders:
        raise SourceError(
            f"{base} holds no qconf for this machine: install the cell's clients there, or set clients in"
            f" {clusters_file()}"
        )
    missing = [name for name in NEEDED if not _is_there(folders[0], name)]
    if missing:
        raise SourceError(f"{folders[0]} lacks {', '.join(missing)}: install all clients of the cell there")
    return folders[0]


def _binary_path(cell: Cell) -> str:
    place = cell.common / "bootstrap"
    try:
        text = place.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise SourceError(f"cannot read {place}: {error.strerror}; set clients in {clusters_file()}") from None
    match = re.search(r"^binary_path\s+(\S+)", text, re.MULTILINE)
    if match is None or not os.path.isabs(match[1]):
        raise SourceError(f"{place} names no binary_path: set clients in {clusters_file()}")
    return match[1]


def _architectures(base: str) -> list[str]:
    """Return the folders below `binary_path` that may hold clients of this machine, the likeliest first."""
    machine = {"x86_64": "amd64", "aarch64": "arm64", "i686": "x86"}.get(platform.machine(), platform.machine())
    try:
        names = sorted(entry.name for entry in os.scandir(base) if entry.is_dir())
    except OSError:
        return []
    asked = [name for name in (os.environ.get("SGE_ARCH", ""),) if name in names]
    return [*asked, *(name for name in names if name.endswith(machine))]


def _agreed(versions: dict[str, str], cell: Cell, folder: str) -> str:
    """Return the version of all clients. Raises SourceError if versions differ, or are not that of clusters.toml."""
    known = set(versions.values())
    if len(known) > 1 or "" in known:
        versions_text = ", ".join(f"{name} {version or 'of an unknown version'}" for name, version in versions.items())
        raise SourceError(
            f"the clients in {folder} are not of one version ({versions_text}): another version may stop a qmaster;"
            f" install those of the cell, or set clients in {clusters_file()}"
        )
    version = known.pop()
    if cell.version and cell.version not in version.split():
        raise SourceError(
            f"the clients in {folder} are {version}, but {clusters_file()} says {cell.version}: correct one of them"
        )
    return version
