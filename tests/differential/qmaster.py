"""A private real qmaster 8.1.9 with simulated hosts: started in a quarter of a second, wiped by starting afresh."""

import contextlib
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from tests.differential.worlds import World, open_world

BINARIES = Path("/usr/lib/gridengine")
RESOURCES = "/usr/share/gridengine/util/resources"
DEFAULT_CONFIGURATION = Path("/usr/share/gridengine/default-configuration")
PACKAGES = "Debian's gridengine-master and gridengine-client"
START_SECONDS = 20.0
COMMAND_SECONDS = 60.0

# Of several worker threads each remembers whether it has verified slots for qrsub or -w v before, so that chance would
# decide in which order the next one finds the queue instances.
BOOTSTRAP = """\
admin_user              none
default_domain          none
ignore_fqdn             false
spooling_method         berkeleydb
spooling_lib            libspoolb
spooling_params         {root}/spool/db
binary_path             {binaries}
qmaster_spool_dir       {root}/spool/qmaster
security_mode           none
listener_threads        2
worker_threads          1
scheduler_threads       1
"""

INITIALISE = f"""\
set -e
cd "$SGE_ROOT"
rm -rf default spool
mkdir -p default/common spool/qmaster/job_scripts spool/db bin lib utilbin
for folder in bin lib utilbin; do ln -sfn {BINARIES} $folder/$SGE_ARCH; done
ln -sfn {Path(RESOURCES).parent} util
cp input/* default/common/
{BINARIES}/spoolinit berkeleydb libspoolb spool/db init
{BINARIES}/spooldefaults configuration default/common/initial-configuration
{BINARIES}/spooldefaults complexes {RESOURCES}/centry
{BINARIES}/spooldefaults usersets {RESOURCES}/usersets
{BINARIES}/spooldefaults managers root
"""


class QmasterError(Exception):
    """The real system did not do what a test needs; the text is its own."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a client program said."""

    status: int
    out: str
    err: str

    @property
    def text(self) -> str:
        """Both streams, errors first: success sentences are on stdout, refusals on stderr (qconf.md#exit-status)."""
        return self.err + self.out


def why_unavailable() -> str | None:
    """Why no real qmaster can be run here, or None."""
    if not (BINARIES / "sge_qmaster").exists() or not (BINARIES / "qconf").exists():
        return f"Grid Engine is not installed: {PACKAGES} are missing"
    if os.geteuid() != 0:
        return "Grid Engine is installed, but only root can submit as several users and name simulated hosts"
    return None


class Qmaster:
    """One world with at most one running qmaster in it. Use as a context manager, or call `close`."""

    def __init__(self) -> None:
        self.world: World = open_world()
        self._daemons = contextlib.ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- life ---------------------------------------------------------------------------------------------------------

    def restart(self) -> None:
        """Start a qmaster with a fresh spool, ending the one before. Takes about 0.3 s."""
        self.stop()
        given = self.world.path("input")
        shutil.rmtree(given, ignore_errors=True)
        given.mkdir()
        given.joinpath("bootstrap").write_text(BOOTSTRAP.format(root=self.world.root, binaries=BINARIES))
        given.joinpath("act_qmaster").write_text("localhost\n")
        given.joinpath("host_aliases").write_text(f"localhost {os.uname().nodename}\n")
        given.joinpath("initial-configuration").write_text(DEFAULT_CONFIGURATION.read_text())
        self.must("sh", "-c", INITIALISE)
        self.resume()

    def resume(self) -> None:
        """Start a qmaster on the spool that is there."""
        process = self._daemons.enter_context(self.running(BINARIES / "sge_qmaster"))
        deadline = time.monotonic() + START_SECONDS
        while "scheduler" not in self.run("qconf", "-secl").out:
            if time.monotonic() > deadline or process.poll() is not None:
                raise QmasterError(f"the qmaster did not start: {self.log()}")
            time.sleep(0.02)

    def stop(self) -> None:
        """End the qmaster at once; what it has said that it stored is stored."""
        self._daemons.close()
        self._daemons = contextlib.ExitStack()

    @contextlib.contextmanager
    def running(self, daemon: Path) -> Iterator[subprocess.Popen[bytes]]:
        """A daemon of Grid Engine, running in the world as root for as long as the block lasts."""
        pid = self.file(f"{daemon.name}.pid", "")
        process = subprocess.Popen(
            # The process that is waited for may be nsenter(1), which does not pass signals on.
            [*self.world.prefix(0, 0), "sh", "-c", f"echo $$ >{pid}; exec {daemon}"],
            env=self.environment() | {"SGE_ND": "1"},  # stay in the foreground
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
        )
        try:
            yield process
        finally:
            self.run("sh", "-c", f"kill -KILL $(cat {pid})")
            process.kill()
            process.wait()

    def close(self) -> None:
        """End the qmaster and its world."""
        self.stop()
        self.world.close()

    def log(self) -> str:
        """The qmaster's message file."""
        with contextlib.suppress(OSError):
            return self.world.path("spool/qmaster/messages").read_text(errors="replace")
        return ""

    # -- commands -----------------------------------------------------------------------------------------------------

    def run(self, program: str, *arguments: str, stdin: str = "") -> Answer:
        """Run a program in the world as root: the name of a Grid Engine client, or any other command."""
        return self._call(self.world.prefix(0, 0), program, arguments, stdin)

    def run_as(self, owner: str, group: str, program: str, *arguments: str) -> Answer:
        """Run a client program as a user with a primary group; both are made where they do not exist."""
        names = self.world.names
        return self._call(self.world.prefix(names.user(owner, group), names.group(group)), program, arguments)

    def must(self, program: str, *arguments: str) -> str:
        """Run a program that has to succeed; its output."""
        answer = self.run(program, *arguments)
        if answer.status:
            raise QmasterError(f"{program} {' '.join(arguments)}: {answer.text.strip()}")
        return answer.out

    def file(self, name: str, text: str) -> str:
        """Write a file below SGE_ROOT/work; its path as the clients see it."""
        target = self.world.path(f"work/{name}")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        return f"{self.world.root}/work/{name}"

    def environment(self) -> dict[str, str]:
        """Return the variables with which a client finds the qmaster."""
        return {
            "PATH": f"{BINARIES}:/usr/sbin:/usr/bin:/sbin:/bin",
            "LC_ALL": "C",
            "TZ": "UTC",
            "SGE_ROOT": self.world.root,
            "SGE_CELL": "default",
            "SGE_ARCH": "lx-amd64",
            "SGE_QMASTER_PORT": str(self.world.port),
            "SGE_EXECD_PORT": str(self.world.port + 1),
            "SGE_SINGLE_LINE": "1",
        }

    def _call(self, prefix: tuple[str, ...], program: str, arguments: tuple[str, ...], stdin: str = "") -> Answer:
        done = subprocess.run(
            [*prefix, program, *arguments],
            env=self.environment(),
            cwd="/",
            input=stdin,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=COMMAND_SECONDS,
        )
        return Answer(done.returncode, done.stdout, done.stderr)


@contextlib.contextmanager
def running_qmaster() -> Iterator[Qmaster]:
    """A qmaster for as long as the block lasts; raises QmasterError with the reason where there can be none."""
    reason = why_unavailable()
    if reason:
        raise QmasterError(reason)
    with Qmaster() as qmaster:
        qmaster.restart()
        yield qmaster
