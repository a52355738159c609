"""Settings of a simulation besides cluster and jobs."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from qmon_tui.formats import problem
from qmon_tui.model import Cluster, Finding, HostFailure, Kind, LoadModel, Severity, State
from qmon_tui.qmaster import Command, Qrsub, read_command
from qmon_tui.scheduler import session_of
from qmon_tui.values import format_time


@dataclass(frozen=True, slots=True)
class TimedCommand:
    """A command to the qmaster at a time, in seconds since the epoch."""

    at: int
    command: Command


@dataclass(frozen=True, slots=True)
class Settings:
    """The end, delays, loads, commands and host failures of a simulation."""

    until: int | None = None
    """End of the simulation in seconds since the epoch; None: when no event is left."""
    start_delay: int = 0
    """Seconds from the dispatch of a task to its arrival at the host; 5 with the simulated hosts of a real qmaster."""
    simulated_hosts: bool = False
    """SIMULATE_EXECDS of a real qmaster: suspended tasks end as if they ran, limits end no task, no usage is reported
    (lifecycle.md#simulated-execution-hosts)."""
    load: LoadModel | None = None
    """Model of the load values that jobs cause; None if no host reports any."""
    commands: tuple[TimedCommand, ...] = ()
    failures: tuple[HostFailure, ...] = ()
    seed: int = 0
    """Seed of the random order of threads in a real qmaster with simulated hosts (`ThreadTiming`)."""

    @classmethod
    def of(cls, cluster: Cluster, state: State) -> "Settings":
        """Return the settings of `State.simulation`; lines that are no commands are left out."""
        plan = state.simulation
        read = ((line.at, read_command(cluster, line.command, line.owner)) for line in plan.commands)
        commands = tuple(TimedCommand(at, command) for at, command in read if command is not None)
        return cls(plan.until, plan.start_delay, plan.simulated_hosts, plan.load, commands, plan.failures, plan.seed)


def plan_findings(cluster: Cluster, state: State) -> Iterator[Finding]:
    """Yield a finding for each line of a plan that is no command, and for each unknown host or attribute."""
    plan = state.simulation
    for line in plan.commands:
        command = read_command(cluster, line.command, line.owner)
        file, number = (line.origin.file, line.origin.line) if line.origin else (None, None)
        if command is None:
            message = f'"{line.command}" is not a command that can be given in a simulation'
            yield problem("format.simulation", message, file=file, line=number, hint=_KNOWN)
        elif isinstance(command, Qrsub) and not line.owner:
            message = f'no owner is given for "{line.command}": the qmaster would deny it'
            yield problem("format.simulation", message, file=file, line=number, hint=_OWNER)
    named = [(failure.host, f"fail at {format_time(failure.at)}") for failure in plan.failures]
    named += [(host, "report its load") for host in (plan.load.hosts if plan.load is not None else ())]
    if named:
        hosts = {instance.host for instance in session_of(cluster).compiled(state).instances}
        hosts |= set(cluster.objects(Kind.HOST))
        # A command of the plan may add a host.
        words = " ".join(line.command for line in plan.commands)
        for host, event in named:
            if host not in hosts and host not in words:
                yield problem(
                    "format.simulation", f"there is no host {host} that could {event}", kind="host", name=host
                )
    yield from _unknown_attributes(cluster, plan.load)


def _unknown_attributes(cluster: Cluster, load: LoadModel | None) -> Iterator[Finding]:
    """Yield a warning for each load value, and each `per_request`, that names no attribute (a typing error)."""
    if load is None:
        return
    known = session_of(cluster).configured.attributes
    values = {name: value for levels in (*load.hosts.values(), load.values) for name, value in levels.items()}
    for name, value in values.items():
        asked = (value.per_request or "").removeprefix("-")
        for attribute, role in ((name, "is reported as a load value"), (asked, f"{name} follows")):
            if attribute and known.find(attribute) is None:
                message = f'load: there is no attribute "{attribute}", which {role}'
                yield problem("format.simulation", message, severity=Severity.WARNING)


_OWNER: Final = 'write owner: beside it, with a manager or a user of the userset "arusers"'
_KNOWN: Final = "write one of qalter, qhold, qrls, qdel, qmod, qrsub, qrdel or qconf"
DEFAULT_SETTINGS: Final = Settings()
