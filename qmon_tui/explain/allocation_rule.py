"""How the slots of a parallel job may be divided: the fewest that can be had, and how many have to be together."""

from collections.abc import Iterator, Mapping, Sequence

from qmon_tui.model import PeRequest
from qmon_tui.scheduler.configuration import ParallelEnvironment
from qmon_tui.scheduler.matching import GLOBAL, HOST
from qmon_tui.values import c_integer_prefix


def fewest_slots_of_request(request: PeRequest | None, environment: ParallelEnvironment | None = None) -> int:
    """The smallest number of slots with which the job is content, and that can be allocated in an environment."""
    least = min(first for first, _, _ in request.ranges) if request is not None else 1
    return least if environment is None else next(allocatable_slots(request, environment), least)


def allocatable_slots(request: PeRequest | None, environment: ParallelEnvironment) -> Iterator[int]:
    """The numbers of slots that the allocation rule can give, in ascending order; only as many as tell whether any."""
    each = max(1, slots_per_host(environment))
    ranges = request.ranges if request is not None else ((1, 1, 1),)
    numbers = {number for first, last, step in ranges for number in range(first, last + 1, step)[:each]}
    return (number for number in sorted(numbers) if environment.per_host(number))


def slots_per_host(environment: ParallelEnvironment) -> int:
    """How many slots each host has to give; 0 where the allocation rule does not say."""
    return (c_integer_prefix(environment.rule) or 0) if environment.rule[:1].isdigit() else 0


def least_slots(request: PeRequest | None, environments: Sequence[ParallelEnvironment]) -> Mapping[str, int]:
    """Layer -> how many slots have to fit there at least, whatever the environment."""
    if not environments:
        return {}
    everywhere = min(fewest_slots_of_request(request, environment) for environment in environments)
    return {
        GLOBAL: everywhere,
        HOST: max(
            1, min(environment.per_host(fewest_slots_of_request(request, environment)) for environment in environments)
        ),
    }
