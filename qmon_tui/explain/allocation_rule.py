"""Allocation rules: the fewest slots that a parallel job can get, and how many must be on one host."""

from collections.abc import Iterator, Mapping, Sequence

from qmon_tui.model import PeRequest
from qmon_tui.scheduler.configuration import ParallelEnvironment
from qmon_tui.scheduler.matching import GLOBAL, HOST
from qmon_tui.values import c_integer_prefix


def fewest_slots_of_request(request: PeRequest | None, environment: ParallelEnvironment | None = None) -> int:
    """Return the smallest number of slots that the job accepts and the PE can allocate."""
    least = min(first for first, _, _ in request.ranges) if request is not None else 1
    return least if environment is None else next(allocatable_slots(request, environment), least)


def allocatable_slots(request: PeRequest | None, environment: ParallelEnvironment) -> Iterator[int]:
    """Yield the slot numbers that the allocation rule can give, ascending; only the first ones of each range."""
    each = max(1, slots_per_host(environment))
    ranges = request.ranges if request is not None else ((1, 1, 1),)
    numbers = {number for first, last, step in ranges for number in range(first, last + 1, step)[:each]}
    return (number for number in sorted(numbers) if environment.per_host(number))


def slots_per_host(environment: ParallelEnvironment) -> int:
    """Return the slots that each host must give; 0 if the allocation rule does not fix it."""
    return (c_integer_prefix(environment.rule) or 0) if environment.rule[:1].isdigit() else 0


def least_slots(request: PeRequest | None, environments: Sequence[ParallelEnvironment]) -> Mapping[str, int]:
    """Return layer -> the least slots that must fit there, in any of the PEs; empty without PEs."""
    if not environments:
        return {}
    everywhere = min(fewest_slots_of_request(request, environment) for environment in environments)
    return {
        GLOBAL: everywhere,
        HOST: max(
            1, min(environment.per_host(fewest_slots_of_request(request, environment)) for environment in environments)
        ),
    }
