"""All that a queue instance lacks for a task, not only what the scheduler notices first; and which one lacks least."""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from qmon_tui.scheduler import messages
from qmon_tui.scheduler.compiled.attributes import Attribute
from qmon_tui.scheduler.explaining.fitting import at_best, needed
from qmon_tui.scheduler.explaining.groups import offered_amount
from qmon_tui.scheduler.explaining.obstacle import Obstacle
from qmon_tui.scheduler.explaining.obstacles import Obstacles
from qmon_tui.scheduler.explaining.parallel import fewest_slots, free_slots, most_slots
from qmon_tui.scheduler.explaining.reserved import fits_now
from qmon_tui.scheduler.explaining.spelling import amount_text
from qmon_tui.scheduler.explanation import Missing, Nearest, Why
from qmon_tui.scheduler.matching.check import SLOTS, Failure
from qmon_tui.scheduler.matching.level import CONSUMABLE, Level
from qmon_tui.scheduler.matching.refusal import Refusal
from qmon_tui.scheduler.placement.sequential import GLOBAL_SCOPE, HOST_SCOPE, INSTANCE_SCOPE, QUEUE_SCOPE, QUOTA_SCOPE
from qmon_tui.scheduler.quotas.hits import Hit
from qmon_tui.scheduler.requests import Demand

_CANDIDATES = 3
"""How many queue instances of those with the same obstacle are looked at closely."""
_WEIGHTS = {Why.BUSY: 0, Why.QUOTA: 1, Why.STATE: 2, Why.NEVER: 3}


@dataclass(frozen=True, slots=True)
class Lack:
    """One thing that a queue instance lacks."""

    number: int
    obstacle: Obstacle
    place: str
    """The cluster queue, host or queue instance that lacks it."""
    level: Level | None = None
    wanted: float | None = None
    offered: float | None = None
    slots: int = 1
    """How many slots share both amounts."""

    @property
    def attribute(self) -> Attribute | None:
        """The attribute whose amount or value does not do."""
        missing = self.obstacle.shortfall
        return missing.attribute if missing is not None else None

    @property
    def size(self) -> float:
        """How much is missing in proportion to what is asked for; 1 for what is no amount."""
        if self.wanted is None or self.offered is None or not self.wanted:
            return 1.0
        return min(1.0, abs(self.wanted - self.offered) / abs(self.wanted))


def nearest_of(found: Obstacles, lacks: Iterable[tuple[Lack, ...]]) -> Nearest | None:
    """What is nearest to taking the task: a queue instance, or a parallel environment for a parallel job."""
    if fits_now(found):
        return None
    if found.is_barred:
        name = found.environments[0].name
        words = messages.message(messages.NO_PE_ACCESS, name)
        return Nearest(name, (Missing("access", "PE", name, words),))
    least = next(iter(lacks), ())
    has_masters = found.everywhere is None and not found.masters
    if found.environments and has_masters and (None in found.of or _are_slots(least)):
        return _nearest_environment(found)
    if not least:
        return None
    number = max(lack.number for lack in least)
    if number < 0 and found.environments:
        name = found.environments[0].name
    else:
        # Where only the global host lacks something, any queue instance that lacks nothing else is as near.
        number = number if number >= 0 else found.of.index(None) if None in found.of else 0
        name = found.run.resources.instances[number].name
    return Nearest(name, tuple(missing(lack) for lack in least))


def _are_slots(lacks: Sequence[Lack]) -> bool:
    """Tell whether nothing but slots of queue instances and hosts is missing."""
    return bool(lacks) and all(one.obstacle.attribute == SLOTS and one.obstacle.quota is None for one in lacks)


def lacks_of(found: Obstacles, among: Container[int] | None = None) -> list[tuple[Lack, ...]]:
    """What some queue instances lack, the one that lacks least first: the nearest ones of each kind of obstacle.

    Only of those `among` which to look, where that is given.
    """
    everywhere = tuple(_everywhere(found))
    chosen: list[int] = []
    for obstacle, numbers in found.places:
        # Without a master queue the others are of no use.
        numbers = [number for number in numbers if number in found.masters] if found.masters else numbers
        numbers = numbers if among is None else [number for number in numbers if number in among]
        chosen += _nearest_numbers(found, obstacle, numbers)
    if everywhere:
        chosen += [number for number, obstacle in enumerate(found.of) if obstacle is None][:1]
    every = [(*everywhere, *_lacks_at(found, number)) for number in chosen]
    return sorted((lacks for lacks in every if lacks), key=_distance)


def missing(lack: Lack) -> Missing:
    """One lack for people to read."""
    attribute, obstacle = lack.attribute, lack.obstacle
    scope = {GLOBAL_SCOPE: "global", HOST_SCOPE: "host", QUOTA_SCOPE: "quota"}.get(obstacle.scope, "queue")
    if obstacle.quota is not None:
        return _beyond_quota(obstacle.quota)
    if attribute is None or lack.wanted is None or lack.offered is None:
        return Missing(obstacle.attribute or _WHAT.get(obstacle.number, "access"), scope, lack.place, _words(lack))
    wanted, offered = amount_text(attribute, lack.wanted), amount_text(attribute, lack.offered)
    total = ""
    if obstacle.shortfall is not None and obstacle.shortfall.kind.endswith(CONSUMABLE) and lack.level is not None:
        total = amount_text(attribute, lack.level.configured[attribute.name].number)
    gap = amount_text(attribute, lack.wanted - lack.offered) if lack.wanted > lack.offered else ""
    of_total = f" of {total} free" if total else ""
    each = (
        f" ({lack.slots} times {amount_text(attribute, lack.wanted / lack.slots)})"
        if lack.slots > 1 and attribute.name != SLOTS
        else ""
    )
    words = f"{attribute.name}: {wanted} wanted{each}, {offered}{of_total or ' offered'}"
    return Missing(attribute.name, scope, lack.place, words, wanted, offered, total, gap)


def _beyond_quota(hit: Hit) -> Missing:
    """What a quota rule has left of the first limit that is exceeded."""
    one = hit.limits[0]
    words = f"{one.attribute}: {one.used_text} of {one.limit_text} used, of quota rule {hit.rule} ({hit.whose})"
    if one.limit is None or one.used is None or one.wanted is None:
        words = f"{one.attribute}: quota rule {hit.rule} allows {one.limit_text}"
        return Missing(one.attribute, "quota", hit.rule, words, offered=one.limit_text)
    left = max(0.0, one.limit - one.used)
    return Missing(
        one.attribute,
        "quota",
        hit.rule,
        words,
        f"{one.wanted:g}",
        f"{left:g}",
        one.limit_text,
        f"{one.wanted - left:g}",
    )


_WHAT = {
    messages.DISABLED: "state", messages.NOT_AVAILABLE: "state", messages.SUSPENDED: "state",
    messages.OVERLOADED: "load", messages.SUSPEND_ALARM: "load", messages.NOT_IN_QUEUE_LIST: "queue list",
    messages.NOT_BATCH: "queue type", messages.NOT_INTERACTIVE: "queue type",
    messages.NOT_IN_PE_LIST: "PE list", messages.NOT_PARALLEL_QUEUE: "PE list", messages.NOT_CLEAN: "clean up",
}  # fmt: skip


def _words(lack: Lack) -> str:
    return lack.obstacle.message(lack.place)


def _distance(lacks: tuple[Lack, ...]) -> tuple[int, int, float]:
    return (len(lacks), max(_WEIGHTS.get(lack.obstacle.why, 3) for lack in lacks), sum(lack.size for lack in lacks))


def _nearest_numbers(found: Obstacles, obstacle: Obstacle, numbers: list[int]) -> list[int]:
    """Where most of what is missing is offered."""
    if obstacle.shortfall is None or obstacle.shortfall.amount is None or len(numbers) <= _CANDIDATES:
        return numbers[:_CANDIDATES]
    return sorted(numbers, key=lambda number: -(offered_amount(found, obstacle, number) or 0.0))[:_CANDIDATES]


def _everywhere(found: Obstacles) -> Iterator[Lack]:
    refusal = found.everywhere if found.everywhere is not None and found.everywhere.failure is None else None
    if refusal is not None:
        yield Lack(-1, refusal, "global")
    yield from _short_of(found, -1, found.run.resources.global_level, GLOBAL_SCOPE, set(), "global")


def _lacks_at(found: Obstacles, number: int) -> Iterator[Lack]:
    resources = found.run.resources
    instance = resources.instances[number]
    site = found.run.dispatch.parallel.site
    applicant = found.applicant(found.environment_at(number))
    host = resources.hosts[resources.host_of[number]]
    looked: tuple[tuple[Refusal | None, str, str], ...] = (
        (site.rules.host_in_queue_list(instance.host, applicant), HOST_SCOPE, instance.host),
        (site.rules.host(site.compiled.hosts[instance.host], host.loads, applicant), HOST_SCOPE, instance.host),
        (site.rules.instance(instance, applicant), INSTANCE_SCOPE, instance.name),
    )
    refusals = [(refusal, scope, place) for refusal, scope, place in looked if refusal is not None]
    if [refusal.number for refusal, _, _ in refusals[:2]] == [messages.NOT_IN_QUEUE_LIST] * 2:
        # That the queue list does not contain the host, and that it does not contain the instance, is one lack.
        del refusals[0]
    accepted = set(found.accepted_everywhere)
    short = [
        *_short_of(found, number, host, HOST_SCOPE, accepted, instance.host),
        *_short_of(found, number, resources.queues[number], INSTANCE_SCOPE, accepted, instance.name),
    ]
    whole = site.rules.cluster_queue(site.queues[instance.queue], applicant)
    if whole is not None and not refusals and whole.attribute not in {lack.obstacle.attribute for lack in short}:
        # What the instance itself is refused for, or lacks, says more than that all instances of its queue do.
        refusals = [(whole, QUEUE_SCOPE, instance.queue)]
    for refusal, scope, place in refusals:
        yield Lack(number, Obstacle.of_refusal(refusal, scope), place)
    yield from short
    for hit in found.exceeded(number):
        yield Lack(number, Obstacle.of_quota(hit), instance.name)
    state = found.in_state(number)
    if state is not None and state.number != messages.FULL:
        yield Lack(number, state, instance.name)


def _short_of(
    found: Obstacles, number: int, level: Level, scope: str, accepted: set[str], place: str
) -> Iterator[Lack]:
    """Every request that does not fit a level: what has failed is left out, and the rest looked at again."""
    demand = found.run_job.demand
    checker = found.checker
    best: Level | None = None
    rest, seen = demand, level
    while (failure := checker.check(seen, rest, accepted)) is not None:
        if best is None:
            best, _ = at_best(level, checker.attributes)
        name = failure.attribute
        why = Why.NEVER if _fails_at_best(checker.check(best, _only(demand, name), set(accepted)), name) else Why.BUSY
        obstacle = Obstacle.of_failure(failure, scope, why, demand.printed)
        shortfall = failure.shortfall
        wanted = offered = None
        slots = 1
        if shortfall is not None and shortfall.amount is not None:
            slots = needed(found.together, level, shortfall.attribute)
            wanted = 1.0 if name == SLOTS else demand.amounts.get(name, shortfall.attribute.default_amount)
            wanted, offered = wanted * slots, shortfall.amount
        yield Lack(number, obstacle, place, level, wanted, offered, slots)
        accepted.add(name)
        if name == SLOTS:
            seen = replace(seen, configured={key: one for key, one in seen.configured.items() if key != SLOTS})
            seen.used = {key: amount for key, amount in seen.used.items() if key != SLOTS}
        rest = replace(
            rest,
            hard=tuple(one for one in rest.hard if one.attribute.name != name),
            names=rest.names | {name},
        )


def _only(demand: Demand, name: str) -> Demand:
    """The demand for one attribute."""
    return replace(demand, hard=tuple(one for one in demand.hard if one.attribute.name == name))


def _fails_at_best(failure: Failure | None, name: str) -> bool:
    return failure is not None and failure.attribute == name


def _nearest_environment(found: Obstacles) -> Nearest | None:
    best: tuple[int, Nearest] | None = None
    for environment in found.environments:
        slots = fewest_slots(found, environment)
        free = max(0, free_slots(found, environment))
        offered = free if free < slots else most_slots(found, environment)
        total = str(environment.slots) if free < slots else ""
        lack = slots - offered
        words = f"slots: {slots} wanted, {offered} offered" + (f" of {total}" if total else "")
        gap = Missing("slots", "PE", environment.name, words, str(slots), str(offered), total, str(max(0, lack)))
        if best is None or lack < best[0]:
            best = (lack, Nearest(environment.name, (gap,)))
    return best[1] if best is not None else None
