"""Lines of qalter, given to a held job that asks for nothing: what the real one says and leaves, and what ours does.

    python -m tests.differential.altering

asks a real qmaster the recorded lines anew, and those that follow as arguments. Not among them are those of which the
real one prints what is asked for in another spelling.
"""

import shlex
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.state import State
from qmon_tui.qmaster.commands import alter, new_job, submit
from tests.differential.commanding import Ours, attributes_of, our_attributes
from tests.differential.lines import make_ready, record, recorded_lines
from tests.differential.qmaster import Qmaster

RECORDED: Final = Path(__file__).parent.parent / "data" / "recorded" / "alterations.json"
_CLIENT: Final = "qalter: "
_NEWS: Final = ("blocking jobs", "exited jobs", "warning: ")
"""What is said besides, of other jobs or of options given twice."""


class Altered(NamedTuple):
    """What came of a line."""

    said: list[str]
    """In the order of the alphabet, the job having the number 1; nothing but `qalter: ` where the client refuses."""
    attributes: dict[str, str]
    """What qstat -j shows afterwards."""


def real_answers(qmaster: Qmaster, lines: Iterable[str]) -> Iterator[tuple[str, Altered]]:
    """Alter a fresh job by each line."""
    make_ready(qmaster)
    for line in lines:
        number = qmaster.run_as("usera", "staff", "qsub", "-b", "y", "-h", "-terse", "x").out.strip()
        text = qmaster.run("qalter", *shlex.split(line), number).text
        text = text.replace(f"job {number}", "job 1").replace(f'"{number}"', '"1"').replace(f"({number})", "(1)")
        yield line, Altered(_sentences(text), attributes_of(qmaster, int(number)))
        qmaster.run("qdel", number)


def our_answer(line: str) -> Altered:
    """What ours makes of it."""
    cluster, state = _fresh()
    reply = alter(cluster, state, 1, line)
    return Altered(_sentences("\n".join(reply.messages)), our_attributes(reply.state.jobs[0]))


def recorded() -> dict[str, Altered]:
    """The lines and what was recorded of them."""
    return {line: Altered(*answer) for line, answer in recorded_lines(RECORDED).items()}


@lru_cache(maxsize=1)
def _fresh() -> tuple[Cluster, State]:
    ours = Ours.fresh()
    return ours.cluster, submit(ours.cluster, ours.state, new_job(ours.state, "usera", "-h x")).state


def _sentences(text: str) -> list[str]:
    found = [line.strip() for line in text.splitlines() if line.strip() not in ("", "Exiting.")]
    said = sorted(line for line in found if not any(news in line for news in _NEWS))
    return [_CLIENT] if any(line.startswith(_CLIENT) for line in said) else said


if __name__ == "__main__":
    record(RECORDED, real_answers, sys.argv[1:])
