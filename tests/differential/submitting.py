"""Lines of qsub, each option with good, odd and missing values: what the real one makes of them, and what ours does.

    python -m tests.differential.submitting

asks a real qmaster the recorded lines anew, and those that follow as arguments. Not among them is what cannot be
compared: scripts (-jsv, -@, -b n, -clear behind -b y), hosts in paths that nobody knows, -verify, task 0, which is
found wrong in our files, -ot and letters behind -h, which tell there what qalter and qhold have done.
"""

import re
import shlex
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from qmon_tui.formats.qsub_options import c_integer
from qmon_tui.model.jobs import Job
from qmon_tui.qmaster.commands import new_job, submit
from tests.differential.commanding import Ours
from tests.differential.lines import make_ready, record, recorded_lines
from tests.differential.qmaster import Qmaster

RECORDED: Final = Path(__file__).parent.parent / "data" / "recorded" / "submissions.json"
_OWNER: Final = ("usera", "staff")
_BEFORE: Final = 5_000_000
"""Our last number before each line, far from all that a line may name."""
_REFUSED: Final = "Unable to run job: "
_WARNING: Final = "qsub: warning: "
"""With what begins what it says of options given twice, wherever the qmaster's answer stands."""
_FACTS: Final = ("job_name", "jobshare", "job-array tasks", "maximum concurrency", "parallel environment", "ar_id")
_CLIENTS: Final = ("job_name in the request", "paths may not be empty", "The input value for an argument")
"""What qsub finds out before it sends a job, but says as if the qmaster had."""


class Answer(NamedTuple):
    """What came of a line."""

    submitted: bool
    used: int
    """How many job numbers it used up."""
    said: str
    """With which words the qmaster refused it; empty where it did not, or where qsub had done so."""
    facts: dict[str, str]
    """What qstat -j shows of the job; only what the line can change."""


def real_answers(qmaster: Qmaster, lines: Iterable[str]) -> Iterator[tuple[str, Answer]]:
    """Submit each line to a fresh qmaster and delete the job."""
    make_ready(qmaster)
    last = _number(qmaster)
    for line in lines:
        words = shlex.split(line)
        said = qmaster.run_as(*_OWNER, "qsub", *([] if "-b" in words else ["-b", "y"]), *words)
        found = re.search(r"Your job(?:-array)? (\d+)", said.text) or re.match(r"(\d+)", said.out)
        facts = _facts(qmaster, found[1]) if found else {}
        number = _number(qmaster)
        text = " ".join(part.strip() for part in said.err.splitlines() if part.strip() not in ("", "Exiting."))
        is_refused = said.status != 0 and _REFUSED in text and not any(words in text for words in _CLIENTS)
        yield line, Answer(bool(found), number - last - 1, text if is_refused else "", facts)
        last = number


def our_answer(line: str) -> Answer:
    """What ours makes of it."""
    ours = _fresh()
    state = replace(ours.state, jobseqnum=_BEFORE)
    reply = submit(ours.cluster, state, new_job(state, _OWNER[0], line))
    parts = (part.strip() for said in reply.messages for part in said.splitlines())
    text = " ".join(part for part in parts if _WARNING not in part)
    job = reply.state.jobs[-1] if reply.state.jobs else None
    used = (job.id if job else reply.state.jobseqnum) - _BEFORE
    return Answer(job is not None, used, text if _REFUSED in text else "", _facts_of(job) if job else {})


@lru_cache(maxsize=1)
def _fresh() -> Ours:
    return Ours.fresh()


def recorded() -> dict[str, Answer]:
    """The lines and what was recorded of them."""
    return {line: Answer(*answer) for line, answer in recorded_lines(RECORDED).items()}


def _number(qmaster: Qmaster) -> int:
    number = qmaster.run_as(*_OWNER, "qsub", "-b", "y", "-h", "-terse", "x").out.strip()
    qmaster.run("qdel", number)
    return int(number)


def _facts(qmaster: Qmaster, number: str) -> dict[str, str]:
    pairs = (line.partition(":") for line in qmaster.run("qstat", "-j", number).out.splitlines())
    found = {name.strip(): text.strip() for name, _, text in pairs if name.strip() in _FACTS}
    qmaster.run("qdel", number)
    return found


def _facts_of(job: Job) -> dict[str, str]:
    request, array, environment = job.request, job.request.array, job.request.pe
    found = {
        "job_name": job.name,
        "jobshare": str(c_integer(str(request.job_share))),
        "job-array tasks": f"{array.first}-{array.last}:{array.step}" if array else "",
        "maximum concurrency": str(request.max_running_tasks or ""),
        "parallel environment": f"{environment.name} range: {_slots(environment.ranges)}" if environment else "",
        "ar_id": request.advance_reservation or "",
    }
    return {name: text for name, text in found.items() if text}


def _slots(ranges: Iterable[tuple[int, int, int]]) -> str:
    """As qstat prints them: it tells no steps, and two numbers one by one."""
    return ",".join(
        str(first) if first == last else f"{first},{last}" if first + step == last else f"{first}-{last}"
        for first, last, step in ranges
    )


if __name__ == "__main__":
    record(RECORDED, real_answers, sys.argv[1:])
