"""Put faults into a copy of the tree, one by one, and tell which of them the tests that `make quick` chooses notice.

python -m tests.mutants [COUNT [SEED [FIRST]]]
python -m tests.mutants PATH...   # every fault of these modules or folders, with few tests each: what is to be tested?
"""

import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from tests.mutants.faults import Fault, drawn_faults, every_fault
from tests.mutants.forking import CONNECTION_VARIABLE, Answer, Trial, write_newest
from tests.quick.__main__ import SECONDS, WORKERS, run_tests
from tests.quick.choosing import choose_tests
from tests.quick.coverage_map import CoverageMap, make_map, read_map
from tests.quick.recording import test_of

ROOMS = tuple(f"qmon_tui/{name}" for name in ("scheduler", "qmaster", "checks", "formats", "workspace"))
EQUIVALENT = Path("tests/mutants/equivalent.txt")
"""Faults that change nothing that can be seen, each line with its reason behind a #."""
CPU_LIMIT = 180
"""Seconds of work after which the tests count as hanging, which is noticed as well: other work may slow them down."""
GOAL = 0.95
FEW = 8.0
"""Seconds of tests for each fault where every one of a module is tried."""


@dataclass
class Judge:
    """Says of faults whether tests notice them, in a copy of the tree with a process that has loaded its tests."""

    copy: Path
    coverage_map: CoverageMap
    connection: Connection
    seconds: float = WORKERS * SECONDS
    """Of tests for each fault, on one core."""
    failing: set[str] = field(default_factory=set)
    """Tests that fail without a fault as well: they notice nothing."""
    passing: set[str] = field(default_factory=set)

    def verdict(self, fault: Fault) -> tuple[str, str]:
        """`noticed` or `hangs` and the test, `survived`, or `no test` where no test runs the line."""
        text = fault.applied((self.copy / fault.path).read_text())
        names = choose_tests(self.coverage_map, {fault.path: text}, self.seconds)
        if not names:
            return "no test", ""
        while True:
            names = [name for name in names if name not in self.failing]
            answer = self._ask(Trial(names, CPU_LIMIT, fault.path, text))
            if answer.failed == "":
                return "hangs", ""
            if answer.failed is None:
                return ("survived", "") if answer.certain else (self._verdict_of_a_new_process(fault, text, names), "")
            if self._passes(answer.failed):
                return "noticed", answer.failed

    def _passes(self, node_id: str) -> bool:
        """Whether a test that fails with a fault passes without one."""
        if node_id not in self.passing:
            if self._ask(Trial([node_id], CPU_LIMIT)).failed is not None:
                self.failing |= {node_id, test_of(node_id)}
                return False
            self.passing.add(node_id)
        return True

    def _ask(self, trial: Trial) -> Answer:
        self.connection.send(trial)
        answer = self.connection.recv()
        assert isinstance(answer, Answer)
        return answer

    def _verdict_of_a_new_process(self, fault: Fault, text: str, names: Sequence[str]) -> str:
        path = self.copy / fault.path
        before = path.read_text()
        write_newest(path, text)
        try:
            options = ["-x", "-p", "no:cacheprovider", "--tb=no", "--no-summary"]
            code = run_tests(self.copy, names, options, cpu_limit=CPU_LIMIT, quiet=True)
        finally:
            write_newest(path, before)
        return "survived" if not code else "noticed" if code > 0 else "hangs"


@contextmanager
def judge(root: Path, coverage_map: CoverageMap) -> Iterator[Judge]:
    with TemporaryDirectory() as folder:
        copy, temporary = Path(folder) / "tree", Path(folder) / "tmp"
        temporary.mkdir()
        copy_tree(root, copy)
        ours, theirs = Pipe()
        files = sorted({name.partition("::")[0] for name in coverage_map.tests})
        options = ["-p", "tests.mutants.forking", "-p", "no:cacheprovider", "-q", "-m", "not qmaster and not long"]
        process = subprocess.Popen(
            [sys.executable, "-m", "pytest", *options, *(name for name in files if (copy / name).exists())],
            cwd=copy,
            env={**os.environ, CONNECTION_VARIABLE: str(theirs.fileno()), "TMPDIR": str(temporary)},
            pass_fds=(theirs.fileno(),),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        theirs.close()
        try:
            yield Judge(copy, coverage_map, ours)
        finally:
            ours.close()
            process.wait()


def copy_tree(root: Path, copy: Path) -> None:
    """The files that Git knows of, as they are now."""
    listed = subprocess.run(("git", "ls-files", "-co", "--exclude-standard"), cwd=root, capture_output=True, text=True)
    for name in listed.stdout.splitlines():
        if (root / name).is_file() and not name.startswith("screenshots/"):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, copy / name)


def equivalent_faults(root: Path) -> set[str]:
    lines = (root / EQUIVALENT).read_text().splitlines() if (root / EQUIVALENT).exists() else []
    return {line.partition("  # ")[0].strip() for line in lines if line.strip() and not line.startswith("#")}


def told_verdicts(judge: Judge, faults: Iterable[Fault], first: int) -> Counter[str]:
    results: Counter[str] = Counter()
    for number, fault in enumerate(faults, first):
        began = perf_counter()
        result, test = judge.verdict(fault)
        results[result] += 1
        seconds = perf_counter() - began
        print(f"{number:4} {result:9} {seconds:5.1f} s  {fault.path}:{fault.line} {fault.key}  {test}", flush=True)
    for name in sorted(judge.failing):
        print(f"fails without a fault: {name}")
    return results


def main() -> int:
    root = Path.cwd()
    coverage_map = read_map(root) or make_map(root, workers=WORKERS)
    paths = [argument for argument in sys.argv[1:] if not argument.isdigit()]
    if paths:
        first, faults = 0, every_fault(root, paths, equivalent_faults(root))
    else:
        number_of_faults, seed, first = (*map(int, sys.argv[1:]), *(100, 1, 0)[len(sys.argv) - 1 :])
        faults = drawn_faults(root, ROOMS, first + number_of_faults, seed, equivalent_faults(root))
    with judge(root, coverage_map) as its_judge:
        if paths:
            its_judge.seconds = FEW
        results = told_verdicts(its_judge, faults[first:], first + 1)
    noticed = results["noticed"] + results["hangs"]
    print(
        f"{noticed} of {results.total()} faults noticed; "
        + ", ".join(f"{name} {n}" for name, n in sorted(results.items()))
    )
    return 0 if noticed >= GOAL * results.total() else 1


if __name__ == "__main__":
    sys.exit(main())
