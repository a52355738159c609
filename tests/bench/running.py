"""Reading a running cluster, as multiples of what `qstat` itself takes there."""

import time
from collections.abc import Callable
from typing import Final

from qmon_tui.formats.records import read_clients
from qmon_tui.sources.qmaster_source import QmasterSource
from tests.bench.timing import median
from tests.differential.demo import prepare
from tests.differential.qmaster import Qmaster, running_qmaster, why_unavailable
from tests.differential.test_running_cluster import cell_of

JOBS: Final = 500
_QSTAT: Final = ("qstat", "-u", "*", "-ext", "-pri", "-r", "-xml")
_SUBMIT: Final = f"for n in $(seq {JOBS}); do qsub -terse -b y -h -N j$n -l h_vmem=2G sleep 60 >/dev/null; done"


def print_running() -> None:
    """Print the first reading, a refresh and our reader of the XML of a private qmaster with JOBS held jobs."""
    reason = why_unavailable()
    if reason:
        print(f"no running cluster is read: {reason}")
        return
    with running_qmaster() as qmaster:
        prepare(qmaster)
        qmaster.must("sh", "-c", _SUBMIT)
        _print_figures(qmaster)


def _print_figures(qmaster: Qmaster) -> None:
    source = QmasterSource(cell_of(qmaster))
    reading = source.read()
    listing = qmaster.must(*_QSTAT).encode()
    qstat = median(lambda: _seconds(lambda: qmaster.must(*_QSTAT)), 5)
    print(f"\na private qmaster with configs/site and {JOBS} more jobs; qstat of all of them {qstat * 1000:.0f} ms:")
    for what, seconds in (
        ("reading all of it", median(lambda: _seconds(source.read), 3)),
        ("a refresh", median(lambda: _seconds(lambda: source.read(reading)), 5)),
        (
            "our reader of what qstat printed (CPU)",
            median(lambda: _cpu_seconds(lambda: read_clients({"qstat": listing})), 5),
        ),
    ):
        print(f"{what:58} {seconds * 1000:9.1f} ms {seconds / qstat:7.1f} x qstat")


def _seconds(act: Callable[[], object]) -> float:
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def _cpu_seconds(act: Callable[[], object]) -> float:
    start = time.process_time()
    act()
    return time.process_time() - start
