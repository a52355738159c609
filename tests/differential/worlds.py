"""Where a private qmaster lives: its name tables, its files and how a command is run in it.

`SealedWorld` uses the kernel's namespaces: its own mounts, network and processes, so that nothing on the machine is
changed and nothing can be left behind. `OpenWorld` is for containers that forbid namespaces: a temporary folder, free
ports and lines appended to the machine's own name tables.
"""

import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Protocol

from tests.differential.names import NameTables

SEAL = Path(__file__).with_name("seal.py")
MOUNT_POINT = "/var/lib/gridengine"
PROCESSES = 50_000
PREFIX = "qmon-tui-qmaster-"


class World(Protocol):
    """A place for one qmaster at a time."""

    root: str
    """SGE_ROOT as the qmaster and its clients see it."""
    port: int
    """SGE_QMASTER_PORT; the next one is SGE_EXECD_PORT."""
    names: NameTables
    """Who and what can be resolved in it."""

    def path(self, name: str) -> Path:
        """A file below SGE_ROOT as this process sees it."""

    def prefix(self, uid: int, gid: int) -> tuple[str, ...]:
        """What comes before the words of a command that is to run in this world as somebody."""

    def close(self) -> None:
        """Leave nothing behind."""


class SealedWorld:
    """Private mount, network, host name and process namespaces, files in memory; ends with this process."""

    def __init__(self) -> None:
        self.root = MOUNT_POINT
        self.port = 7901
        command = ["unshare", "--mount", "--net", "--uts", "--pid", "--fork", "--kill-child"]
        self._holder = subprocess.Popen(
            [*command, sys.executable, "-S", "-E", str(SEAL), MOUNT_POINT],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._holder.stdout is not None
        if self._holder.stdout.readline() != "ready\n":
            raise PermissionError(self._complaint())
        holder = self._holder.pid
        self._pid = int(Path(f"/proc/{holder}/task/{holder}/children").read_text().split()[0])
        # The bind mounts keep the inodes of these files, so what is appended shows at once inside.
        self.names = NameTables(self.path("etc"), are_own=True)

    def _complaint(self) -> str:
        _, errors = self._holder.communicate()
        return errors.strip().splitlines()[-1] if errors.strip() else "unshare(1) failed"

    def path(self, name: str) -> Path:
        return Path(f"/proc/{self._pid}/root{self.root}/{name}")

    def prefix(self, uid: int, gid: int) -> tuple[str, ...]:
        namespaces = (f"--target={self._pid}", "--mount", "--net", "--uts", "--pid")
        return ("nsenter", *namespaces, f"--setuid={uid}", f"--setgid={gid}")

    def close(self) -> None:
        if self._holder.poll() is None:
            self._holder.communicate()


class OpenWorld:
    """A temporary folder and free ports; users and hosts are appended to the machine's own tables."""

    def __init__(self) -> None:
        remove_left_behind()
        self.root = tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-")
        os.chmod(self.root, 0o755)
        self.port = free_port_pair()
        self.names = NameTables(Path("/etc"), os.getpid() % PROCESSES)

    def path(self, name: str) -> Path:
        return Path(self.root, name)

    def prefix(self, uid: int, gid: int) -> tuple[str, ...]:
        who = ("setpriv", f"--reuid={uid}", f"--regid={gid}", "--clear-groups")
        # A qmaster must not outlive the tests, whatever ends them.
        return (*who, "--pdeathsig=KILL") if uid == 0 else who

    def close(self) -> None:
        shutil.rmtree(self.root, ignore_errors=True)


def remove_left_behind() -> None:
    """Remove the folders of processes that were killed before they could clean up."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        process = folder.name.removeprefix(PREFIX).partition("-")[0]
        if not Path("/proc", process).exists():
            shutil.rmtree(folder, ignore_errors=True)


def free_port_pair() -> int:
    """A port from 7900 that is free together with the next one."""
    for _ in range(200):
        port = random.randrange(7900, 9900, 2)
        if all(_is_free(candidate) for candidate in (port, port + 1)):
            return port
    raise OSError("no two free ports between 7900 and 9900")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def open_world() -> World:
    """A sealed world where the kernel permits it, else an open one; QMON_TUI_WORLD=open asks for the latter."""
    if os.environ.get("QMON_TUI_WORLD") != "open":
        try:
            return SealedWorld()
        except (PermissionError, FileNotFoundError):
            pass
    return OpenWorld()
