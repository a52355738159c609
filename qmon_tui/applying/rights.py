"""Rights of the user on a running cluster, by verb: an action without the right is disabled and says why.

Source: administrators.md#what-managers-and-operators-may-do, qconf.md#permissions.
"""

import socket
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from qmon_tui.checks import is_same_name
from qmon_tui.model import Cluster, Kind, ObjectKey, State
from qmon_tui.qmaster import (
    Command,
    Qalter,
    Qdel,
    Qhold,
    QmodJobs,
    QmodQueues,
    QmodReschedule,
    Qrdel,
    Qrls,
    keys_of,
)
from qmon_tui.sources.cell_folder import client_user
from qmon_tui.sources.cells import Cell
from qmon_tui.values import BLANK_OR_COMMA, split_names


@dataclass(frozen=True, slots=True)
class Rights:
    """Role of the user in the lists of the cluster, from which refusals by the qmaster are foreseen."""

    user: str
    """The user who runs the clients."""
    hosts: tuple[str, ...]
    """The names of this host."""
    cluster: Cluster
    state: State

    @property
    def is_manager(self) -> bool:
        return self._is_listed(Kind.MANAGERS, (self.user,))

    @property
    def is_operator(self) -> bool:
        """True for an operator or a manager."""
        return self.is_manager or self._is_listed(Kind.OPERATORS, (self.user,))

    @property
    def words(self) -> str:
        """Role of the user: `manager`, `operator` or `user`."""
        return "manager" if self.is_manager else "operator" if self.is_operator else "user"

    def refusal(self, command: Command) -> str:
        """Return a sentence why the qmaster would refuse the command; empty if it may accept it."""
        if keys := keys_of(command):
            return self.refusal_for(keys)
        known = (Kind.ADMIN_HOSTS, Kind.SUBMIT_HOSTS)
        if self.hosts and not any(self._is_listed(kind, self.hosts) for kind in known):
            return f"{self.hosts[0]} is neither a submit host nor an administrative host (qconf -as {self.hosts[0]})"
        return "" if self.is_operator else self._refusal_for_user(command)

    def refusal_for(self, keys: Iterable[ObjectKey]) -> str:
        """Return a sentence why the qmaster would refuse to change these objects; empty if it may accept it."""
        if self.hosts and not self._is_listed(Kind.ADMIN_HOSTS, self.hosts):
            return f"{self.hosts[0]} is no administrative host: qconf -ah {self.hosts[0]} on one makes it one"
        are_usersets = all(kind is Kind.USERSET for kind, _ in keys)
        if self.is_manager or (self.is_operator and are_usersets):
            return ""
        return f"{self.user} must be {'an operator' if are_usersets else 'a manager'} for this (qconf -sm, -so)"

    def _refusal_for_user(self, command: Command) -> str:
        match command:
            case QmodQueues(verb, names):
                others = [name for name in names if not self._owns_queue(name)]
                may = f"{self.user} must be an operator or owner of the queue"
                return f"{may} to {verb.name.lower().replace('_', ' ')} {_few(others)}" if others else ""
            case QmodReschedule(names):
                return f"{self.user} must be an operator to reschedule what runs in {_few(names)}"
            case Qdel(targets) | Qhold(targets) | Qrls(targets) | Qalter(targets) | QmodJobs(targets):
                owned = {job.id for job in self.state.jobs if job.owner == self.user}
                others = [str(target.job) for target in targets if target.job not in owned]
                return f"{self.user} must be an operator or owner of job {_few(others)}" if others else ""
            case Qrdel(numbers):
                owned = {ar.id for ar in self.state.reservations if ar.owner == self.user}
                others = [str(number) for number in numbers if number not in owned]
                return f"{self.user} must be a manager or owner of reservation {_few(others)}" if others else ""
        return ""

    def _owns_queue(self, instance: str) -> bool:
        queue = self.cluster.get(Kind.QUEUE, instance.partition("@")[0])
        return queue is not None and self.user in split_names(queue.text("owner_list"), BLANK_OR_COMMA)

    def _is_listed(self, kind: Kind, names: Iterable[str]) -> bool:
        listed = split_names(self.cluster.single(kind).text("entries"), BLANK_OR_COMMA)
        return any(is_same_name(kind, entry, name) for entry in listed for name in names)


def rights_on(cell: Cell, cluster: Cluster, state: State) -> Rights:
    """Return the rights of the user who runs this program, through the prefix of the cell if it has one."""
    return Rights(client_user(cell), host_names(cell), cluster, state)


def host_names(cell: Cell) -> tuple[str, ...]:
    """Return the names of this host, including those in the cell's host_aliases."""
    name = socket.gethostname()
    names = dict.fromkeys((name, name.partition(".")[0], _full_name(name)))
    try:
        lines = (cell.common / "host_aliases").read_text("utf-8", "replace").splitlines()
    except OSError:
        lines = []
    for line in lines:
        words = line.split()
        if any(is_same_name(Kind.ADMIN_HOSTS, word, known) for word in words for known in tuple(names)):
            names |= dict.fromkeys(words)
    return tuple(names)


@lru_cache(maxsize=1)
def _full_name(name: str) -> str:
    return socket.getfqdn(name)


def _few(names: Iterable[str]) -> str:
    listed = list(names)
    return ", ".join(listed[:3]) + (f" and {len(listed) - 3} more" if len(listed) > 3 else "")
