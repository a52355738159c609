"""Run the tests that guard what has changed since the last push, or since the commit that is named: `make quick`."""

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile
from time import time

from tests.quick.choosing import choose_tests
from tests.quick.coverage_map import MAP_FILE, make_map, read_map
from tests.quick.selecting import NAMES_VARIABLE

WORKERS = 2
SECONDS = 40.0
"""How long the chosen tests take on each core: with what pytest needs to begin, it stays under a minute."""
ALWAYS = ("tests/unit/test_imports.py",)
OLD = 14 * 24 * 3600
NO_MAP = f"""There is no map yet of which test runs what: it is made now, once, by running all tests, some ten minutes.
It is kept in {MAP_FILE}, which may be copied from another clone. Ctrl-c ends this; pytest PATH runs what you choose."""


def run_tests(
    root: Path, names: Sequence[str], options: Iterable[str], cpu_limit: int | None = None, quiet: bool = False
) -> int:
    """Run tests by their names, or all of a file; 0 where they pass, and where none of them is there any more.

    A process that works for more than `cpu_limit` seconds ends with a negative number.
    """
    files = dict.fromkeys(name.partition("::")[0] for name in names)
    there = [name for name in files if (root / name).exists()]
    if not there:
        return 0
    with NamedTemporaryFile("w", suffix=".names") as list_file:
        list_file.write("\n".join(names))
        list_file.flush()
        command = [sys.executable, "-m", "pytest", "-p", "tests.quick.selecting", "-q", "--no-header", *options, *there]
        environment = {**os.environ, NAMES_VARIABLE: list_file.name}
        output = subprocess.DEVNULL if quiet else None
        code = subprocess.run(
            command if cpu_limit is None else ["prlimit", f"--cpu={cpu_limit}", *command],
            cwd=root,
            env=environment,
            stdout=output,
            stderr=output,
            check=False,
        ).returncode
    return 0 if code == 5 else code  # 5: no test was left


def changed_files(root: Path, since: str) -> Iterator[str]:
    for command in (("diff", "--name-only", "--no-renames", since), ("ls-files", "--others", "--exclude-standard")):
        yield from _git(root, *command).splitlines()


def last_push(root: Path) -> str:
    """The newest commit that others have as well; without anybody upstream, the last commit."""
    return _git(root, "merge-base", "HEAD", "@{upstream}").strip() or "HEAD"


def _git(root: Path, *arguments: str) -> str:
    return subprocess.run(("git", *arguments), cwd=root, capture_output=True, text=True, check=False).stdout


def main() -> int:
    root = Path.cwd()
    coverage_map = read_map(root)
    if coverage_map is None:
        print(NO_MAP, flush=True)
        coverage_map = make_map(root, workers=WORKERS)
    elif time() - (root / MAP_FILE).stat().st_mtime > OLD:
        print("The map of which test runs what is two weeks old: `make map` makes it anew.", flush=True)
    changed = list(changed_files(root, sys.argv[1] if len(sys.argv) > 1 else last_push(root)))
    present = {path: (root / path).read_text() if (root / path).exists() else None for path in changed if is_text(path)}
    tests = [path for path in changed if Path(path).name.startswith("test_") and path.endswith(".py")]
    own = [path for path in tests if path.startswith(("tests/unit/", "tests/plain/", "tests/tui/"))]
    names = [*ALWAYS, *own, *choose_tests(coverage_map, present, WORKERS * SECONDS)]
    print(f"{len(changed)} files have changed: {len(names)} tests guard them.", flush=True)
    return run_tests(root, names, ["-n", str(WORKERS), "--dist", "worksteal"])


def is_text(path: str) -> bool:
    return path.startswith(("qmon_tui/", "configs/", "docs/", "tests/", "README", "pyproject")) and not path.endswith(
        (".png", ".svg", ".gz")
    )


if __name__ == "__main__":
    sys.exit(main())
