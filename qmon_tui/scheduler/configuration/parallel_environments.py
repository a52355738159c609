"""Parallel environments (sge_pe(5))."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from qmon_tui.model import ConfigObject, PeRequest
from qmon_tui.scheduler.configuration.access_lists import Access
from qmon_tui.scheduler.configuration.lenient_parsing import boolean, unsigned, whole
from qmon_tui.values import BLANK, OPEN_END, c_integer_prefix, compile_pattern, split_names

SlotRanges = Sequence[tuple[int, int, int]]
"""(first, last, step) of each range of a -pe option."""

FILL_UP, ROUND_ROBIN = -1, -2
"""Results of `per_host` for allocation rules that do not fix the number of slots per host."""


@dataclass(frozen=True, slots=True)
class ParallelEnvironment:
    """The fields of a parallel environment that the scheduler reads."""

    name: str
    slots: int
    access: Access
    rule: str
    """allocation_rule."""
    urgency_slots: str
    controls_slaves: bool = False

    def per_host(self, slots: int) -> int:
        """Return the slots per host for a job, or FILL_UP or ROUND_ROBIN; 0 if `slots` cannot be divided evenly."""
        if self.rule[:1].isdigit():
            fixed = c_integer_prefix(self.rule) or 0
            return fixed if fixed and slots % fixed == 0 else 0
        return {"$pe_slots": slots, "$fill_up": FILL_UP, "$round_robin": ROUND_ROBIN}.get(self.rule.lower(), 0)

    def urgent_slots(self, ranges: SlotRanges) -> int:
        """Return the number of slots by which the urgency of a job with these ranges is calculated."""
        setting = self.urgency_slots.lower()
        if setting == "min":
            return ranges[0][0]
        if setting == "max":
            highest = ranges[-1][1]
            return self.slots if highest >= OPEN_END else highest
        if setting == "avg":
            return _average(ranges, self.slots)
        return whole(setting) if setting[:1].isdigit() else 1


def _average(ranges: Iterable[tuple[int, int, int]], bound: int) -> int:
    """Return the truncated average of all numbers in the ranges up to `bound` (0: no bound); 0 if there are none."""
    count = 0
    total = 0
    for first, last, step in ranges:
        numbers = range(first, min(last, bound or last) + 1, step)
        count += len(numbers)
        if numbers:
            total += len(numbers) * (numbers[0] + numbers[-1]) // 2
    return total // count if count else 0


def compile_environment(obj: ConfigObject) -> ParallelEnvironment:
    """Parse one parallel environment."""
    return ParallelEnvironment(
        name=obj.name,
        slots=unsigned(obj.text("slots")),
        access=Access(split_names(obj.text("user_lists"), BLANK), split_names(obj.text("xuser_lists"), BLANK)),
        rule=obj.text("allocation_rule").strip(),
        urgency_slots=obj.text("urgency_slots").strip(),
        controls_slaves=boolean(obj.text("control_slaves")),
    )


def likely_environment(
    request: PeRequest, slots: int, offers: Sequence[Collection[str]], environments: Mapping[str, ParallelEnvironment]
) -> ParallelEnvironment | None:
    """Guess a running job's PE; `offers` are the pe_lists of its queue instances.

    Order: in all `offers` and able to grant `slots`; in all `offers`; any match of -pe. None if none matches.
    """
    parallel_environments = list(matching_environments(request.name, environments))
    offered = [
        environment for environment in parallel_environments if all(environment.name in names for names in offers)
    ]
    able = [environment for environment in offered if environment.slots >= slots and environment.per_host(slots)]
    return next(iter((*able, *offered, *parallel_environments)), None)


def matching_environments(name: str, environments: Mapping[str, ParallelEnvironment]) -> Iterator[ParallelEnvironment]:
    """Yield the parallel environments that match the name in -pe, which may be a shell pattern."""
    fits = compile_pattern(name).fullmatch
    return (environment for known, environment in environments.items() if fits(known))
