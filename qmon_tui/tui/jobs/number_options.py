"""The numbers of a job that are asked for alone: POSIX priority, override tickets, job share."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from qmon_tui.formats.qsub_options import AMOUNTS, PRIORITIES
from qmon_tui.model.state import Request


@dataclass(frozen=True, slots=True)
class NumberOption:
    """An option of qalter with a whole number."""

    option: str
    title: str
    help: str
    allowed: range
    read: Callable[[Request], int]

    def problem(self, text: str) -> str | None:
        """What is wrong with a text, None where it is such a number."""
        whole = text.removeprefix("-").removeprefix("+").isdecimal()
        if whole and int(text) in self.allowed:
            return None
        return f"A whole number from {self.allowed.start} to {self.allowed.stop - 1} is needed."


PRIORITY: Final = NumberOption(
    "-p", "POSIX priority", "-1023 to 1024; 0 is usual, more comes earlier.", PRIORITIES,
    lambda request: request.priority,
)  # fmt: skip
OVERRIDE_TICKETS: Final = NumberOption(
    "-ot", "Override tickets", "They count where O is in policy_hierarchy and weight_ticket is not 0.", AMOUNTS,
    lambda request: request.override_tickets,
)  # fmt: skip
JOB_SHARE: Final = NumberOption(
    "-js", "Job share", "Its part of the functional tickets of jobs (weight_job), beside the others' shares.", AMOUNTS,
    lambda request: request.job_share,
)  # fmt: skip
