"""The map of which test runs which lines: made once by running all tests with `python -m tests.quick.coverage_map`."""

import os
import pickle
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.quick.recording import FOLDER_VARIABLE, Recording, test_of

MAP_FILE = Path(".quick/map.pickle")
RECORDED = ("tests/unit", "tests/plain", "tests/tui", "tests/differential")
BY_CASE = (
    "tests/plain/",
    "tests/differential/test_runs.py",
    "tests/differential/test_families.py",
    "tests/differential/test_suggested_changes.py",
)
"""Where cases are clusters, drawn or recorded: they differ in what they run, and each says much."""
CHEAP = 2.0
"""Seconds, as recorded, that the cases of a test may take together to be chosen as one."""


@dataclass(frozen=True)
class CoverageMap:
    """Sets of tests are numbers whose bit n stands for the test n; paths are relative to the repository."""

    tests: Sequence[str]
    """Node ids, of single cases where a test is not chosen as a whole."""
    seconds: Sequence[float]
    extents: Sequence[int]
    """How many lines each test runs."""
    sources: Mapping[str, str]
    """The modules as they were when the map was made: its line numbers are theirs."""
    lines: Mapping[str, Mapping[int, int]]
    read_files: Mapping[str, int]

    def all_of(self, path: str) -> int:
        """The tests that run anything of a module."""
        every = 0
        for bits in self.lines.get(path, {}).values():
            every |= bits
        return every


def read_map(root: Path) -> CoverageMap | None:
    """None where none has been made."""
    path = root / MAP_FILE
    if not path.exists():
        return None
    loaded = pickle.loads(path.read_bytes())
    assert isinstance(loaded, CoverageMap)
    return loaded


def make_map(root: Path, paths: Sequence[str] = RECORDED, workers: int = 2) -> CoverageMap:
    """Run the tests below `paths`, which takes a few minutes, and write the map.

    Tests that fail are recorded as well.
    """
    sources = {str(path.relative_to(root)): path.read_text() for path in (root / "qmon_tui").rglob("*.py")}
    with TemporaryDirectory() as folder:
        options = ["-m", "not qmaster and not long", "-n", str(workers), "--dist", "worksteal"]
        options += ["-q", "--no-header", "--tb=line"]
        subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "tests.quick.recording", *options, *paths],
            cwd=root,
            env={**os.environ, FOLDER_VARIABLE: folder},
            check=False,
        )
        parts = [pickle.loads(path.read_bytes()) for path in sorted(Path(folder).iterdir())]
    coverage_map = _merged(parts, sources)
    (root / MAP_FILE).parent.mkdir(exist_ok=True)
    (root / MAP_FILE).write_bytes(pickle.dumps(coverage_map))
    return coverage_map


def _merged(parts: Sequence[Recording], sources: Mapping[str, str]) -> CoverageMap:
    names_of = _names_of(parts)
    names = sorted(set(names_of.values()))
    numbers = {name: number for number, name in enumerate(names)}
    lines: dict[str, dict[int, int]] = {}
    read_files: dict[str, int] = {}
    extents = [0] * len(names)
    for part in parts:
        for path, by_line in part.lines.items():
            merged = lines.setdefault(path, {})
            for line, tests in by_line.items():
                merged[line] = merged.get(line, 0) | _bits(numbers[names_of[case]] for case in tests)
        for path, readers in part.read_files.items():
            read_files[path] = read_files.get(path, 0) | _bits(numbers[names_of[case]] for case in readers)
    for by_line_bits in lines.values():
        for bits in by_line_bits.values():
            for number in set_bits(bits):
                extents[number] += 1
    seconds = [0.0] * len(names)
    for part in parts:
        for case, its_seconds in part.seconds.items():
            seconds[numbers[names_of[case]]] += its_seconds
    return CoverageMap(names, seconds, extents, sources, lines, read_files)


def _names_of(parts: Sequence[Recording]) -> dict[str, str]:
    """For each case what is chosen: the test with all its cases where they cost little, else the case alone."""
    by_test: dict[str, float] = defaultdict(float)
    cases = [(case, seconds) for part in parts for case, seconds in part.seconds.items()]
    for case, seconds in cases:
        by_test[test_of(case)] += seconds
    return {
        case: case if case.startswith(BY_CASE) or by_test[test_of(case)] > CHEAP else test_of(case) for case, _ in cases
    }


def _bits(numbers: Iterable[int]) -> int:
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return bits


def set_bits(bits: int) -> Iterator[int]:
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def main() -> None:
    coverage_map = make_map(Path.cwd(), sys.argv[1:] or RECORDED)
    print(f"{len(coverage_map.tests)} tests, {sum(map(len, coverage_map.lines.values()))} lines")


if __name__ == "__main__":
    # Under its own name, as it is pickled: not as `__main__`.
    from tests.quick import coverage_map as module

    module.main()
