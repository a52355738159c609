"""Running git on a repository without its configuration, which may name programs to run.

git gets our own folder instead of `.git`: a configuration that we write, and links to the objects and references of
the repository. The repository's configuration (pagers, signatures, hooks, filters, remotes of a partial clone,
included files) is never read, so that it cannot start a program.
"""

import contextlib
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from qmon_tui.sources.regular_file import read_regular, refuse_others

MOST_BYTES: Final = 256 * 1024 * 1024
"""Largest answer of git; a repository of a few kilobytes can expand to files of any size."""

LOST: Final = "a partial clone has the rest at its remote (git checkout fetches it), else git fsck tells what is lost"
"""Advice if a repository lacks objects."""

_PATIENCE_SECONDS: Final = 30
_LINKED: Final = ("objects", "refs", "packed-refs", "reftable", "shallow")
_LONGEST_HEAD: Final = 4096
_EXTENSIONS: Final = ("objectformat", "refstorage")
"""Settings of the storage of objects and references, which git needs to read them."""


class GitError(Exception):
    """Raised if git ends with an error or cannot be run."""

    def __init__(self, message: str, *, is_answer: bool = False) -> None:
        super().__init__(message)
        self.is_answer = is_answer
        """True if git ran and ended with an error."""


class Repository(NamedTuple):
    """A repository as git sees it."""

    git_folder: str
    """Our own folder, which replaces `.git`."""
    prefix: str
    """The path of the cluster folder in the repository: `etc/site`; `.` for the whole repository."""

    def ask(self, *arguments: str, given: bytes = b"") -> bytes:
        """Run git with `given` as its input and return what it prints. Raises GitError."""
        return _run(self.git_folder, arguments, given)

    def read(self, *arguments: str, given: bytes = b"") -> bytes:
        """Run git on objects that must exist and return what it prints. Raises GitError with advice."""
        try:
            return self.ask(*arguments, given=given)
        except GitError as error:
            raise GitError(f"git cannot read it ({error}); {LOST}" if error.is_answer else str(error)) from None

    def commit(self, name: str) -> str | None:
        """Return the hash of the commit of this name; None if git knows none. Raises GitError if its object is lost."""
        named = self._hash_of(name)
        commit = self._hash_of(f"{named}^{{commit}}") if named else None
        if named and not commit:
            self.read("cat-file", "-t", named)  # raises if the object is lost; else it is no commit
        return commit

    def _hash_of(self, name: str) -> str | None:
        try:
            return self.ask("rev-parse", "--verify", "--quiet", "--end-of-options", name).decode().strip()
        except GitError as error:
            if error.is_answer:
                return None
            raise


@contextlib.contextmanager
def repository_of(folder: str | os.PathLike[str]) -> Iterator[Repository]:
    """Open the repository in which a folder is. Raises GitError."""
    path = Path(os.path.realpath(folder))
    try:
        top, git_folder = next(
            (above, place) for above in (path, *path.parents) if (place := _git_folder(above)) is not None
        )
    except StopIteration:
        raise GitError("the folder is not under version control by git") from None
    with contextlib.ExitStack() as stack:
        try:
            own = stack.enter_context(tempfile.TemporaryDirectory(prefix="qmon-tui-git-"))
            _fill(Path(own), git_folder)
        except OSError as error:
            where = error.filename or "the temporary folder"
            raise GitError(f"git cannot be asked: {where}: {error.strerror}") from None
        yield Repository(own, path.relative_to(top).as_posix())


def _git_folder(folder: Path) -> Path | None:
    """Return the `.git` of a folder, also if a file names its place (worktrees, submodules); None without one."""
    place = folder / ".git"
    with contextlib.suppress(OSError, ValueError):
        if place.is_file():
            _, _, where = os.fsdecode(read_regular(place, _LONGEST_HEAD)).partition("gitdir: ")
            place = folder / where.rstrip("\n")
        return place if (place / "HEAD").exists() else None
    return None


def _fill(own: Path, git_folder: Path) -> None:
    """Fill our folder that replaces `.git`. Raises OSError, GitError."""
    common = git_folder
    with contextlib.suppress(FileNotFoundError):
        common = git_folder / os.fsdecode(read_regular(git_folder / "commondir", _LONGEST_HEAD)).rstrip("\n")
    for place in (common / name for name in _LINKED if (common / name).exists()):
        if not place.is_dir():
            refuse_others(place)  # git would wait for the writer of a pipe
        (own / place.name).symlink_to(os.path.realpath(place))
    (own / "HEAD").write_bytes(read_regular(git_folder / "HEAD", _LONGEST_HEAD))
    (own / "config").write_text("[core]\n\tbare = true\n")
    extensions = _extensions(own, common / "config")
    if extensions:
        lines = "".join(f"\t{name} = {value}\n" for name, value in extensions.items())
        (own / "config").write_text(f"[core]\n\tbare = true\n\trepositoryFormatVersion = 1\n[extensions]\n{lines}")


def _extensions(own: Path, config: Path) -> dict[str, str]:
    """Return the repository's storage settings; nothing else of its configuration is used."""
    values = {}
    (own / "theirs").write_bytes(read_regular(config, 1024 * 1024) if config.exists() else b"")
    for name in _EXTENSIONS:
        with contextlib.suppress(GitError):
            line = ("config", "--file", str(own / "theirs"), "--no-includes", "--get", f"extensions.{name}")
            values[name] = _run(str(own), line, b"").decode(errors="replace").strip()
    return {name: value for name, value in values.items() if value.isalnum()}


def _run(git_folder: str, arguments: tuple[str, ...], given: bytes) -> bytes:
    # A relative entry of PATH could name a program in the folder that is read.
    places = filter(os.path.isabs, os.environ.get("PATH", os.defpath).split(os.pathsep))
    git = shutil.which("git", path=os.pathsep.join(places))
    if git is None:
        raise GitError("earlier revisions need git, which is not installed")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name == "GIT_EXEC_PATH"}
    environment = kept | {
        "GIT_DIR": git_folder,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "HOME": git_folder,  # git before 2.32 does not know GIT_CONFIG_GLOBAL
        "XDG_CONFIG_HOME": git_folder,
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_OPTIONAL_LOCKS": "0",
        "LC_ALL": "C",
    }
    pipe = subprocess.PIPE
    try:
        with tempfile.TemporaryFile() as questions:
            questions.write(given)
            questions.seek(0)
            process = subprocess.Popen(
                [git, "--no-pager", *arguments],
                cwd=git_folder,
                env=environment,
                stdin=questions,
                stdout=pipe,
                stderr=pipe,
            )
    except (OSError, ValueError) as error:
        raise GitError(f"git does not answer: {error}") from None
    with process:
        assert process.stdout is not None
        assert process.stderr is not None
        alarm = threading.Timer(_PATIENCE_SECONDS, process.kill)
        alarm.start()
        try:
            answer = process.stdout.read(MOST_BYTES + 1)
            if len(answer) > MOST_BYTES:
                process.kill()
                raise GitError(f"git answers with more than {MOST_BYTES // 1024 // 1024} MiB, too much for a cluster")
            messages = process.stderr.read(_LONGEST_HEAD).decode(errors="replace").splitlines()
            process.stderr.close()
            process.wait()
        finally:
            alarm.cancel()
    if process.returncode < 0:
        raise GitError(f"git does not answer within {_PATIENCE_SECONDS} seconds")
    if process.returncode:
        raise GitError(messages[0].removeprefix("fatal: ").removeprefix("error: ") if messages else "", is_answer=True)
    return answer
