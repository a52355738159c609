"""One run of a real scheduler: what was there before it, what had been done, and what was there after it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from qmon_tui.model.state import PastUsage, PeAlg
from tests.differential.changes import Ended
from tests.differential.loads import Loads
from tests.differential.observing import Seen
from tests.differential.session import Edit
from tests.differential.usage import usage_data, usage_of

GRANTED: Final = re.compile(r"Your advance reservation (\d+) has been granted")


@dataclass(frozen=True, slots=True)
class Accepted:
    """A job that the real qmaster took, with what describes it in a cluster folder."""

    id: int
    owner: str
    group: str
    qsub: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A submission that the real qmaster refused, and its words."""

    owner: str
    group: str
    qsub: str
    text: str
    number: int = 0
    """The job number that it had or would have had; 0 where that is not known."""
    at: int = 0
    """When it was submitted; 0 where that is not known."""
    asked: int | None = None
    """How many advance reservations had been asked for by then since the run before; None where all had."""


@dataclass(frozen=True, slots=True)
class Asked:
    """An advance reservation that somebody asked for, and what qrsub said."""

    owner: str
    group: str
    options: str
    """With dates."""
    at: int
    said: tuple[str, ...]

    @property
    def number(self) -> int | None:
        """The number of the reservation that was granted."""
        found = GRANTED.search("\n".join(self.said))
        return int(found[1]) if found else None


def scores_of(numbers: Sequence[Any] | None) -> PeAlg | None:
    """Scores from their three numbers, or from texts of such."""
    if numbers is None:
        return None
    least, binary, highest = map(int, numbers)
    return least, binary, highest


@dataclass(frozen=True, slots=True)
class Run:
    """One scheduling run: all jobs submitted so far, what was there before it, its time, and what was there after."""

    jobs: tuple[Accepted, ...]
    refused: tuple[Refused, ...]
    starts: tuple[tuple[int, int], ...]
    """(job, task) of all starts in the runs before, in their order."""
    loads: Loads
    """The load values reported so far."""
    before: Seen
    at: int
    after: Seen
    schedule: tuple[str, ...] = ()
    """The lines of the schedule file, where the scheduler writes one."""
    rejected: frozenset[int] = frozenset()
    """Jobs for whose kind the scheduler tries no reservations any more."""
    usage: PastUsage = field(default_factory=PastUsage)
    """What everybody had used before."""
    cleared: bool = False
    """All usage was cleared before it."""
    nodes: tuple[Mapping[str, str], ...] = ()
    """The share tree afterwards, as sge_share_mon(1) shows it."""
    skipped: bool = False
    """The qmaster left orders of the run unread, after one that it did not like."""
    edits: tuple[Edit, ...] = ()
    """What was changed in the configuration so far."""
    unclean: tuple[tuple[int, int, str], ...] = ()
    """(job, task, master queue) of every earlier run of those that were rescheduled, in their order."""
    changed: tuple[tuple[int, float], ...] = ()
    """When jobs were changed last (see `Changes`)."""
    asked: tuple[Asked, ...] = ()
    """The advance reservations that were asked for since the run before, in their order."""
    categories: tuple[tuple[int, str], ...] = ()
    """Jobs in the category of another advance reservation (see `Changes`)."""
    moved: tuple[tuple[str, float], ...] = ()
    """When cluster queues, queue instances and hosts were changed last."""
    ended: tuple[Ended, ...] = ()
    """The tasks that ended, or were taken from their places, after the run before."""
    stopped: tuple[tuple[int, int, float], ...] = ()
    """(job, task) that a command sent to the scheduler as it was, and when it did so last."""
    standing: tuple[tuple[int, int], ...] = ()
    """(job, task) that stood still with its queue instance when a command last sent it."""
    sent: tuple[tuple[str, bool], ...] = ()
    """Queue instances that were sent as a whole after the run before, and whether another one had suspended them."""
    told: tuple[int, ...] = ()
    """Jobs that commands have had sent with all their tasks after the run before."""
    seen: frozenset[str] = frozenset()
    """The queue instances that the scheduler takes for suspended by others, by our account; not kept."""
    times: tuple[tuple[int, int], ...] = ()
    """When each deed of the step was done, in seconds, and how many of `ended` had ended by then; not kept."""
    limits: tuple[tuple[int, int, int], ...] = ()
    """(job, task) and the seconds for which it was started, by our account: nothing shows it."""
    start_failed: frozenset[tuple[int, int]] = frozenset()
    """(job, task) of which the qmaster has refused a start, by our account: nothing shows it; not kept."""
    pe_alg: PeAlg | None = None
    """What the scheduler remembered of its searches in ranges of slots afterwards; None where it was not recorded."""
    pe_alg_before: PeAlg = (0, 0, 0)
    """The same before the run, by our account where it was not recorded."""

    def data(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "jobs": [asdict(job) for job in self.jobs],
            "refused": [asdict(job) for job in self.refused],
            "starts": self.starts,
            "loads": self.loads,
            "before": self.before.data(),
            "at": self.at,
            "after": self.after.data(),
            **({"schedule": self.schedule} if self.schedule else {}),
            **({"skipped": True} if self.skipped else {}),
            **({"usage": usage_data(self.usage)} if self.usage else {}),
            **({"cleared": True} if self.cleared else {}),
            **({"nodes": self.nodes} if self.nodes else {}),
            **({"edits": [asdict(edit) for edit in self.edits]} if self.edits else {}),
            **({"unclean": self.unclean} if self.unclean else {}),
            **({"changed": self.changed} if self.changed else {}),
            **({"categories": self.categories} if self.categories else {}),
            **({"asked": [asdict(asked) for asked in self.asked]} if self.asked else {}),
            **({"moved": self.moved} if self.moved else {}),
            **({"ended": self.ended} if self.ended else {}),
            **({"stopped": self.stopped} if self.stopped else {}),
            **({"standing": self.standing} if self.standing else {}),
            **({"sent": self.sent} if self.sent else {}),
            **({"told": self.told} if self.told else {}),
            **({"pe_alg": self.pe_alg} if self.pe_alg is not None else {}),
        }

    @classmethod
    def of(cls, data: dict[str, Any]) -> "Run":
        """From JSON values."""
        return cls(
            tuple(Accepted(**job) for job in data["jobs"]),
            tuple(Refused(**job) for job in data["refused"]),
            tuple((job, task) for job, task in data["starts"]),
            data.get("loads", {}),
            Seen.of(data["before"]),
            data["at"],
            Seen.of(data["after"]),
            tuple(data.get("schedule", ())),
            usage=usage_of(data.get("usage", {})),
            cleared=data.get("cleared", False),
            nodes=tuple(data.get("nodes", ())),
            skipped=data.get("skipped", False),
            edits=tuple(Edit(**edit) for edit in data.get("edits", ())),
            unclean=tuple((job, task, name) for job, task, name in data.get("unclean", ())),
            changed=tuple((job, when) for job, when in data.get("changed", ())),
            categories=tuple((job, reservation) for job, reservation in data.get("categories", ())),
            asked=tuple(Asked(**{**one, "said": tuple(one["said"])}) for one in data.get("asked", ())),
            moved=tuple((name, when) for name, when in data.get("moved", ())),
            ended=tuple((job, task, when) for job, task, when in data.get("ended", ())),
            stopped=tuple((job, task, when) for job, task, when in data.get("stopped", ())),
            standing=tuple((job, task) for job, task in data.get("standing", ())),
            sent=tuple((name, stood) for name, stood in data.get("sent", ())),
            told=tuple(data.get("told", ())),
            pe_alg=scores_of(data.get("pe_alg")),
        )
