"""What this engine does not simulate yet, said for each job and for the configuration."""

from collections.abc import Iterator

from qmon_tui.model import Kind, Request
from qmon_tui.scheduler.configuration import CompiledCluster


def of_job(request: Request, compiled: CompiledCluster) -> tuple[str, ...]:
    """What a job needs that is not simulated; such a job is left pending."""
    return tuple(_of_job(request, compiled))


def _of_job(request: Request, compiled: CompiledCluster) -> Iterator[str]:
    for kind in compiled.policy.tickets.usage.senseless:
        yield f"half-life of {kind} below 42 seconds (halflife_decay_list)"


def of_configuration(compiled: CompiledCluster) -> tuple[str, ...]:
    """What the configuration asks for that is not simulated."""
    return tuple(_of_configuration(compiled))


def _of_configuration(compiled: CompiledCluster) -> Iterator[str]:
    yield from _of_other_dialects(compiled)


def _of_other_dialects(compiled: CompiledCluster) -> Iterator[str]:
    """What only forks of Grid Engine have."""
    for name, entry in compiled.cluster.objects(Kind.COMPLEX).items():
        if entry.text("type").upper() == "RSMAP" or entry.text("consumable").upper() == "HOST":
            yield f"attribute {name} of type {entry.text('type')} with consumable {entry.text('consumable')}"
