"""Put faults into a copy of the tree, one by one, and tell which of them the tests that `make quick` chooses notice.

python -m tests.mutants [COUNT [SEED [FIRST]]]
"""

import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, time

from tests.mutants.faults import Fault, drawn_faults
from tests.quick.__main__ import SECONDS, WORKERS, run_tests
from tests.quick.choosing import choose_tests
from tests.quick.coverage_map import CoverageMap, make_map, read_map

ROOMS = tuple(f"qmon_tui/{name}" for name in ("scheduler", "qmaster", "checks", "formats", "workspace"))
EQUIVALENT = Path("tests/mutants/equivalent.txt")
"""Faults that change nothing that can be seen, each line with its reason behind a #."""
FIRST_TESTS = 12
CPU_LIMIT = 180
"""Seconds of work after which the tests count as hanging, which is noticed as well: other work may slow them down."""
GOAL = 0.95
_moments = count(int(time()))


def verdict(root: Path, coverage_map: CoverageMap, fault: Fault) -> str:
    """`noticed`, `hangs`, `survived`, or `no test` where no test runs the line; the tree is left as it was."""
    path = root / fault.path
    source = path.read_text()
    names = choose_tests(coverage_map, {fault.path: fault.applied(source)}, WORKERS * SECONDS)
    if not names:
        return "no test"
    path.write_text(fault.applied(source))
    _make_newest(path)
    try:
        for part in (names[:FIRST_TESTS], names[FIRST_TESTS:]):
            code = run_quietly(root, part)
            if code:
                return "noticed" if code > 0 else "hangs"
    finally:
        path.write_text(source)
        _make_newest(path)
    return "survived"


def _make_newest(path: Path) -> None:
    """Python compiles a source anew by its time in whole seconds and its size, which a fault may leave as they are."""
    moment = next(_moments)
    os.utime(path, (moment, moment))


def run_quietly(root: Path, names: Sequence[str]) -> int:
    options = ["-x", "-p", "no:cacheprovider", "--tb=no", "--no-summary"]
    return run_tests(root, names, options, cpu_limit=CPU_LIMIT, quiet=True)


def copied_tree(root: Path, folder: Path) -> Path:
    """The files that Git knows of, as they are now, and the map."""
    listed = subprocess.run(("git", "ls-files", "-co", "--exclude-standard"), cwd=root, capture_output=True, text=True)
    for name in listed.stdout.splitlines():
        if (root / name).is_file() and not name.startswith("screenshots/"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, folder / name)
    return folder


def equivalent_faults(root: Path) -> set[str]:
    lines = (root / EQUIVALENT).read_text().splitlines() if (root / EQUIVALENT).exists() else []
    return {line.partition("  # ")[0].strip() for line in lines if line.strip() and not line.startswith("#")}


def main() -> int:
    number_of_faults, seed, first = (*map(int, sys.argv[1:]), *(100, 1, 0)[len(sys.argv) - 1 :])
    root = Path.cwd()
    coverage_map = read_map(root) or make_map(root, workers=WORKERS)
    faults = drawn_faults(root, ROOMS, first + number_of_faults, seed, equivalent_faults(root))
    results: Counter[str] = Counter()
    with TemporaryDirectory() as folder:
        copy = copied_tree(root, Path(folder))
        for number, fault in enumerate(faults[first:], first + 1):
            began = perf_counter()
            result = verdict(copy, coverage_map, fault)
            results[result] += 1
            print(
                f"{number:4} {result:9} {perf_counter() - began:5.0f} s  {fault.path}:{fault.line} {fault.key}",
                flush=True,
            )
    noticed = results["noticed"] + results["hangs"]
    print(
        f"{noticed} of {results.total()} faults noticed; "
        + ", ".join(f"{name} {n}" for name, n in sorted(results.items()))
    )
    return 0 if noticed >= GOAL * results.total() else 1


if __name__ == "__main__":
    sys.exit(main())
