"""What holds for all tests."""

import gc
import os
import signal
import sys
from collections.abc import Sequence

import pytest
from hypothesis import settings

# Programs that tests start are installed ones, and those are compiled: else each start would compile all again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# A shell that runs the tests in the background has them ignore ctrl-c, and all programs that they start with them.
for number in (signal.SIGINT, signal.SIGQUIT):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
# Half of the time in which tests are collected goes into compiling them.
sys.dont_write_bytecode = False

# How long an example takes says more about what else the machine does than about the program. And the same tree passes
# or fails each time, on a few examples: new ones are drawn where more of them are asked for (make drawn).
settings.register_profile(
    "any machine",
    deadline=None,
    max_examples=int(os.environ.get("EXAMPLES", "30")),
    derandomize="EXAMPLES" not in os.environ,
)
settings.load_profile("any machine")


def pytest_collection_finish() -> None:
    """Collect garbage as seldom as the program itself does: what was loaded and collected stays until the end.

    Otherwise a third of the suite's time goes into looking through it.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give half of the workers the tests that wait for other programs, and the others an equal share of the slow ones.

    Behind them each has quick ones, which others may take over. Workers begin with equal stretches of the list.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    waiters = max(1, workers // 2)
    waiting = [item for item in items if _waits(item)]
    others = [item for item in items if not _waits(item)]
    quick = [item for item in others if "unit" in item.path.parts]
    slow = [item for item in others if "unit" not in item.path.parts]
    items[:] = []
    for own in range(workers):
        items += waiting[own::waiters] if own < waiters else slow[own - waiters :: workers - waiters]
        items += _stretch(quick, own, workers)
    if workers == 1:
        items += slow


def _waits(item: pytest.Item) -> bool:
    return any(item.get_closest_marker(name) for name in ("qmaster", "tmux"))


def _stretch(items: Sequence[pytest.Item], own: int, workers: int) -> Sequence[pytest.Item]:
    return items[len(items) * own // workers : len(items) * (own + 1) // workers]
