"""Timing of whole processes (their CPU time: elapsed time tells what else runs on the machine) and of first frames."""

import fcntl
import os
import pty
import resource
import select
import signal
import statistics
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Sequence

RUNS = 7


def median(measure: Callable[[], float], runs: int = RUNS) -> float:
    """The median of a few measurements, after one that does not count."""
    measure()
    return statistics.median(measure() for _ in range(runs))


def process_seconds(arguments: Sequence[str]) -> float:
    """CPU time of one process from start to end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def bare_python() -> float:
    """The unit that other figures are told in: a Python that does nothing."""
    return median(lambda: process_seconds([sys.executable, "-c", "pass"]))


def first_text_seconds(arguments: Sequence[str], text: bytes, limit: float = 30.0) -> float:
    """Time from start until `text` is on the terminal (120x36); the process is killed then."""
    start = time.perf_counter()
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM="xterm-256color", COLORTERM="truecolor", TEXTUAL_ANIMATIONS="none")
        os.execvp(arguments[0], list(arguments))
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))
    seen = b""
    try:
        while time.perf_counter() - start < limit:
            if select.select([terminal], [], [], 0.05)[0]:
                try:
                    seen += os.read(terminal, 65536)
                except OSError:
                    break
                if text in seen:
                    return time.perf_counter() - start
        raise TimeoutError(f"{text!r} did not appear: {seen[-300:]!r}")
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)
