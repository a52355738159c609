"""Run the tests that guard what has changed since the last push, or since the commit that is named: `make quick`."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile
from time import time

import pytest

from tests.quick.choosing import choose_tests
from tests.quick.coverage_map import MAP_FILE, make_map, read_map
from tests.quick.selecting import NAMES_VARIABLE

WORKERS = 2
OPTIONS = ("-n", str(WORKERS), "--dist", "worksteal")
SECONDS = 40.0
"""Run time of the chosen tests on each core: with the start of pytest, under a minute."""
ALWAYS = ("tests/unit/test_imports.py",)
OLD = 14 * 24 * 3600
NO_MAP = f"""No map of which test runs which lines yet: all tests run once to make it, some ten minutes.
It is written to {MAP_FILE}; a copy from another clone serves as well. Ctrl-c stops this."""


def run_tests(root: Path, names: Sequence[str]) -> int:
    """Run tests, or all tests of files, by name and return pytest's exit code; 0 if none of them exists any more."""
    files = [name for name in dict.fromkeys(name.partition("::")[0] for name in names) if (root / name).exists()]
    with NamedTemporaryFile("w", suffix=".names") as list_file:
        list_file.write("\n".join(names))
        list_file.flush()
        code = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "tests.quick.selecting", "-q", "--no-header", *OPTIONS, *files],
            cwd=root,
            env={**os.environ, NAMES_VARIABLE: list_file.name},
            check=False,
        ).returncode
    return 0 if code == pytest.ExitCode.NO_TESTS_COLLECTED else code


def changed_files(root: Path, since: str) -> Iterator[str]:
    for command in (("diff", "--name-only", "--no-renames", since), ("ls-files", "--others", "--exclude-standard")):
        yield from _git(root, *command).splitlines()


def last_push(root: Path) -> str:
    """Return the newest commit that the upstream branch has as well; without one, the last commit."""
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
        print("The map of which test runs which lines is two weeks old: `make map` replaces it.", flush=True)
    changed = list(changed_files(root, sys.argv[1] if len(sys.argv) > 1 else last_push(root)))
    present = {path: (root / path).read_text() if (root / path).exists() else None for path in changed if is_text(path)}
    tests = [path for path in changed if Path(path).name.startswith("test_") and path.endswith(".py")]
    own = [path for path in tests if path.startswith(("tests/unit/", "tests/plain/", "tests/tui/"))]
    names = [*ALWAYS, *own, *choose_tests(coverage_map, present, WORKERS * SECONDS)]
    print(f"{len(changed)} files have changed: {len(names)} tests guard them.", flush=True)
    return run_tests(root, names)


def is_text(path: str) -> bool:
    return path.startswith(("qmon_tui/", "configs/", "docs/", "tests/", "README", "pyproject")) and not path.endswith(
        (".png", ".svg", ".gz")
    )


if __name__ == "__main__":
    sys.exit(main())
