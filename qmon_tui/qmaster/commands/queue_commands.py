"""The commands for queue instances and advance reservations as values: qmod, qrsub and qrdel."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from qmon_tui.model import Cluster, State, read_only
from qmon_tui.qmaster.commands.command import Command, Reply
from qmon_tui.qmaster.commands.modify import reschedule_instances
from qmon_tui.qmaster.commands.qmod_queues import InstanceCommand, change_instances
from qmon_tui.qmaster.commands.qrsub_qrdel import give_back, reserve

_WORDS = {
    InstanceCommand.DISABLE: "disable",
    InstanceCommand.ENABLE: "enable",
    InstanceCommand.SUSPEND: "suspend",
    InstanceCommand.UNSUSPEND: "resume",
    InstanceCommand.CLEAR_ERROR: "clear the error of",
}


def _called(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{len(names)} queue instances"


@dataclass(frozen=True, slots=True)
class QmodQueues(Command):
    """Queue instances disabled, enabled, suspended, resumed or cleared of errors."""

    command: InstanceCommand
    names: tuple[str, ...]
    shown_states: Mapping[str, str] = field(default_factory=lambda: read_only({}))
    """Queue instance -> states that are not recorded: suspended by a calendar, subordinated."""
    unknown: frozenset[str] = frozenset()
    """Names that are no queue instances: qmod reports them among the others."""

    @property
    def words(self) -> str:
        return f"{_WORDS[self.command]} {_called(self.names)}"

    @property
    def line(self) -> str:
        return f"qmod {self.command} {shlex.join(self.names)}"

    def apply(self, cluster: Cluster, state: State) -> Reply:
        return change_instances(
            cluster, state, self.command, self.names, shown_states=self.shown_states, unknown=self.unknown
        )


@dataclass(frozen=True, slots=True)
class QmodReschedule(Command):
    """Rescheduling of all tasks in queue instances, with `force` also of those not rerunnable."""

    names: tuple[str, ...]
    force: bool = False

    @property
    def words(self) -> str:
        return f"reschedule {'by force ' if self.force else ''}what runs in {_called(self.names)}"

    @property
    def line(self) -> str:
        return f"qmod {'-f ' if self.force else ''}-rq {shlex.join(self.names)}"

    def apply(self, cluster: Cluster, state: State) -> Reply:
        return reschedule_instances(cluster, state, self.names, force=self.force)


@dataclass(frozen=True, slots=True)
class Qrsub(Command):
    """Request of an advance reservation by its owner."""

    owner: str
    options: str
    group: str = "staff"

    @property
    def words(self) -> str:
        return f"reserve {self.options} for {self.owner}"

    @property
    def line(self) -> str:
        return f"qrsub {self.options}"

    def apply(self, cluster: Cluster, state: State) -> Reply:
        return reserve(cluster, state, self.owner, self.options, group=self.group)


@dataclass(frozen=True, slots=True)
class Qrdel(Command):
    """Deletion of advance reservations with their jobs."""

    numbers: tuple[int, ...]
    force: bool = False

    @property
    def words(self) -> str:
        words = f"reservation {self.numbers[0]}" if len(self.numbers) == 1 else f"{len(self.numbers)} reservations"
        return f"delete advance {words}"

    @property
    def line(self) -> str:
        return f"qrdel {'-f ' if self.force else ''}{' '.join(map(str, self.numbers))}"

    def apply(self, cluster: Cluster, state: State) -> Reply:
        reply = Reply(state)
        for number in self.numbers:
            reply = reply.then(give_back(cluster, reply.state, number, force=self.force))
        return reply
