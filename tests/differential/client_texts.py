"""The listings of queue instances and cluster queues exactly as the clients `qstat -f` and `qstat -g c` print them."""

from collections.abc import Iterator, Sequence
from typing import Final

from qmon_tui.report.cluster.qstat_listings import LETTERS, InstanceLine, QueueLine

_NAME: Final = 30
"""Cells of a name; both clients cut off what is longer."""
_RULE: Final = 81


def qstat_f_lines(instances: Sequence[InstanceLine]) -> Iterator[str]:
    """Yield the lines of `qstat -f` without its jobs."""
    if instances:
        yield f"{'queuename':<{_NAME}} qtype resv/used/tot. load_avg {'arch':<13} states"
    for line in instances:
        yield "-" * _RULE
        arch = (line.arch or "-NA-")[:13]
        yield (
            f"{line.name[:_NAME]:<{_NAME}} {line.qtype[:5]:<5} {line.slots_text[:14]:<14} {line.load_text[:8]:<8} "
            f"{arch:<13} {line.state}"
        )


def qstat_g_c_lines(queues: Sequence[QueueLine], *, extended: bool = False) -> Iterator[str]:
    """Yield the lines of `qstat -g c`, `extended` those of `qstat -g c -ext`."""
    titles = ("USED", "RES", "AVAIL", "TOTAL", "aoACDS")
    letters = LETTERS if extended else ""
    head = f"{'CLUSTER QUEUE':<{_NAME}} {'CQLOAD':>7} {' '.join(f'{title:>6}' for title in titles)}  cdsuE  "
    more = "".join(f"{letter:>5} " for letter in letters).rstrip()
    yield head + more
    yield "-" * (_NAME + 50 + 6 * len(letters))
    for line in queues:
        numbers = (line.used, line.reserved, line.available, line.total, line.aoacds, line.cdsue)
        counts = (line.by_letter.get(letter, 0) for letter in letters)
        yield (
            f"{line.name[:_NAME]:<{_NAME}} {line.load_text:>7} "
            + "".join(f"{number:>6} " for number in numbers)
            + "".join(f"{number:>5} " for number in counts)
        )
