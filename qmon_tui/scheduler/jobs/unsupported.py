"""Features that the simulation does not support, listed per job and for the configuration."""

from collections.abc import Iterator

from qmon_tui.model import Kind, Request, foreign_decisions
from qmon_tui.scheduler.configuration import CompiledCluster


def of_job(request: Request, compiled: CompiledCluster) -> tuple[str, ...]:
    """Return the features that a job needs and that are not simulated; such a job stays pending."""
    return tuple(_of_job(request, compiled))


def _of_job(request: Request, compiled: CompiledCluster) -> Iterator[str]:
    for kind in compiled.policy.tickets.usage.senseless:
        yield f"half-life of {kind} below 42 seconds (halflife_decay_list)"


def of_configuration(compiled: CompiledCluster) -> tuple[str, ...]:
    """Return the features of the configuration that are not simulated."""
    return tuple(_of_configuration(compiled))


def _of_configuration(compiled: CompiledCluster) -> Iterator[str]:
    yield from _of_other_dialects(compiled)


def _of_other_dialects(compiled: CompiledCluster) -> Iterator[str]:
    """Yield the features that only forks of Grid Engine have, their decisions first."""
    if words := foreign_decisions(compiled.cluster.dialect):
        yield words
    for name, entry in compiled.cluster.objects(Kind.COMPLEX).items():
        if entry.text("type").upper() == "RSMAP" or entry.text("consumable").upper() == "HOST":
            yield f"attribute {name} of type {entry.text('type')} with consumable {entry.text('consumable')}"
