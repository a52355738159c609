"""What this engine does not simulate yet, said for each job and for the configuration."""

from collections.abc import Iterator

from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import Request
from qmon_tui.scheduler.compiled.cluster import Compiled
from qmon_tui.scheduler.compiled.parsing import boolean


def of_job(request: Request, compiled: Compiled) -> tuple[str, ...]:
    """What a job needs that is not simulated; such a job is left pending."""
    return tuple(_of_job(request, compiled))


def _of_job(request: Request, compiled: Compiled) -> Iterator[str]:
    if request.checkpoint is not None:
        yield f"checkpointing environment {request.checkpoint}"
    if request.advance_reservation is not None:
        yield f"advance reservation {request.advance_reservation}"
    if request.immediate:
        yield "immediate start (-now y)"
    for name in enabled_quotas(compiled):
        yield f"resource quota set {name}"


def of_configuration(compiled: Compiled) -> tuple[str, ...]:
    """What the configuration asks for that is not simulated."""
    return tuple(_of_configuration(compiled))


def _of_configuration(compiled: Compiled) -> Iterator[str]:
    for name in enabled_quotas(compiled):
        yield f"resource quota set {name}"


def enabled_quotas(compiled: Compiled) -> tuple[str, ...]:
    """The names of the quota sets that are in force."""
    quotas = compiled.cluster.objects(Kind.QUOTA)
    return tuple(name for name, quota in quotas.items() if boolean(quota.text("enabled")))
