"""Unmet requirements: all that queue instances lack for a task, beyond the first one that the scheduler notices."""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace

from qmon_tui.explain.explanation import Missing, NearestPlace, ReasonKind
from qmon_tui.explain.level_fit import needed, when_empty
from qmon_tui.explain.pe_slots import fewest_slots, free_slots, most_slots
from qmon_tui.explain.rejection import PlaceRejection, UnmetRequirement, amount_text
from qmon_tui.explain.reservations import fits_now
from qmon_tui.explain.task_rejections import TaskRejections
from qmon_tui.model import messages
from qmon_tui.scheduler.matching import CONSUMABLE, SLOTS, Level, Refusal
from qmon_tui.scheduler.placement import GLOBAL_SCOPE, HOST_SCOPE, INSTANCE_SCOPE, QUEUE_SCOPE, QUOTA_SCOPE
from qmon_tui.scheduler.quotas import MatchedRule

_CANDIDATES = 3
"""Number of queue instances kept per rejection: those that lack the least."""
_LOOKED_AT = 1000
"""Maximum number of different queue instances examined per rejection."""
_WEIGHTS = {ReasonKind.BUSY: 0, ReasonKind.QUOTA: 1, ReasonKind.STATE: 2, ReasonKind.NEVER: 3}


def nearest_place(
    rejections: TaskRejections, unmet_requirements: Iterable[tuple[UnmetRequirement, ...]]
) -> NearestPlace | None:
    """Return the queue instance or PE with the fewest unmet requirements; None if the task fits now."""
    if fits_now(rejections):
        return None
    if rejections.lacks_pe_access:
        name = rejections.environments[0].name
        words = messages.message(messages.NO_PE_ACCESS, name)
        return NearestPlace(name, (Missing("access", "PE", name, words),))
    least = next(iter(unmet_requirements), ())
    has_masters = rejections.everywhere is None and not rejections.masters
    if rejections.environments and has_masters and (None in rejections.of or _are_slots(least)):
        return _nearest_environment(rejections)
    if not least:
        return None
    number = max(unmet.number for unmet in least)
    if number < 0 and rejections.environments:
        name = rejections.environments[0].name
    else:
        # If only the global host lacks something, each queue instance that lacks nothing else is equally near.
        if number < 0:
            number = rejections.of.index(None) if None in rejections.of else 0
        name = rejections.run.resources.instances[number].name
    return NearestPlace(name, tuple(missing(unmet) for unmet in least))


def _are_slots(unmet_requirements: Sequence[UnmetRequirement]) -> bool:
    """True if only slots of queue instances and hosts are missing."""
    return bool(unmet_requirements) and all(
        requirement.rejection.attribute == SLOTS and requirement.rejection.quota is None
        for requirement in unmet_requirements
    )


def unmet_requirements_of(
    rejections: TaskRejections, among: Container[int] | None = None
) -> list[tuple[UnmetRequirement, ...]]:
    """Return the unmet requirements of queue instances, those that lack the least first, limited per rejection.

    `among`: numbers of the queue instances to consider; None for all.
    """
    everywhere = tuple(_everywhere(rejections))
    groups: list[Sequence[int]] = []
    for rejection, numbers in rejections.places:
        # If no queue instance can be the master queue, other obstacles do not matter.
        numbers = [number for number in numbers if number in rejections.masters] if rejections.masters else numbers
        numbers = numbers if among is None else [number for number in numbers if number in among]
        groups.append(_one_per_class(rejections, rejection, numbers))
    if everywhere:
        groups.append([number for number, rejection in enumerate(rejections.of) if rejection is None][:1])
    nearest: list[tuple[UnmetRequirement, ...]] = []
    for different in groups:
        every = ((*everywhere, *_lacks_at(rejections, number)) for number in different)
        nearest += sorted(filter(None, every), key=_distance)[:_CANDIDATES]
    return sorted(nearest, key=_distance)


def missing(unmet: UnmetRequirement) -> Missing:
    """Return an unmet requirement in words and numbers."""
    attribute, rejection = unmet.attribute, unmet.rejection
    scope = {GLOBAL_SCOPE: "global", HOST_SCOPE: "host", QUOTA_SCOPE: "quota"}.get(rejection.scope, "queue")
    if rejection.quota is not None:
        return _missing_quota(rejection.quota)
    if attribute is None or unmet.wanted is None or unmet.offered is None:
        what = rejection.attribute or _WHAT.get(rejection.number, "access")
        return Missing(what, scope, unmet.place, rejection.message(unmet.place))
    wanted, offered = amount_text(attribute, unmet.wanted), amount_text(attribute, unmet.offered)
    total = ""
    if rejection.shortfall is not None and rejection.shortfall.kind.endswith(CONSUMABLE) and unmet.level is not None:
        total = amount_text(attribute, unmet.level.configured[attribute.name].number)
    gap = amount_text(attribute, unmet.wanted - unmet.offered) if unmet.wanted > unmet.offered else ""
    of_total = f" of {total} free" if total else ""
    each = (
        f" ({unmet.slots} times {amount_text(attribute, unmet.wanted / unmet.slots)})"
        if unmet.slots > 1 and attribute.name != SLOTS
        else ""
    )
    words = f"{attribute.name}: {wanted} wanted{each}, {offered}{of_total or ' offered'}"
    return Missing(attribute.name, scope, unmet.place, words, wanted, offered, total, gap)


def _missing_quota(matched_rule: MatchedRule) -> Missing:
    """Return the rest of the first exceeded limit of a quota rule."""
    limit = matched_rule.limits[0]
    rule = f"quota rule {matched_rule.rule} ({matched_rule.rule_scope_text})"
    words = f"{limit.attribute}: {limit.used_text} of {limit.limit_text} used, of {rule}"
    if limit.limit is None or limit.used is None or limit.wanted is None:
        words = f"{limit.attribute}: quota rule {matched_rule.rule} allows {limit.limit_text}"
        return Missing(limit.attribute, "quota", matched_rule.rule, words, offered=limit.limit_text)
    left = max(0.0, limit.limit - limit.used)
    return Missing(
        limit.attribute,
        "quota",
        matched_rule.rule,
        words,
        f"{limit.wanted:g}",
        f"{left:g}",
        limit.limit_text,
        f"{limit.wanted - left:g}",
    )


_WHAT = {
    messages.DISABLED: "state", messages.NOT_AVAILABLE: "state", messages.SUSPENDED: "state",
    messages.OVERLOADED: "load", messages.SUSPEND_ALARM: "load", messages.NOT_IN_QUEUE_LIST: "queue list",
    messages.NOT_BATCH: "queue type", messages.NOT_INTERACTIVE: "queue type",
    messages.NOT_IN_PE_LIST: "PE list", messages.NOT_PARALLEL_QUEUE: "PE list", messages.NOT_CLEAN: "clean up",
}  # fmt: skip


def _distance(unmet_requirements: tuple[UnmetRequirement, ...]) -> tuple[int, int, float]:
    return (
        len(unmet_requirements),
        max(_WEIGHTS.get(unmet.rejection.why, 3) for unmet in unmet_requirements),
        sum(unmet.size for unmet in unmet_requirements),
    )


def _one_per_class(rejections: TaskRejections, rejection: PlaceRejection, numbers: Sequence[int]) -> Sequence[int]:
    """Return the first queue instance of each equivalence class; of more than `_LOOKED_AT`, those that offer most."""
    first = {rejections.place_classes[number]: number for number in reversed(numbers)}
    different = sorted(first.values())
    if len(different) <= _LOOKED_AT or rejection.shortfall is None or rejection.shortfall.amount is None:
        return different[:_LOOKED_AT]
    name = rejection.shortfall.attribute.name

    def free(number: int) -> float:
        level = rejections.level(number, rejection)
        offered = level.configured.get(name) or level.loads.get(name)
        return offered.number - level.used.get(name, 0.0) if offered is not None else 0.0

    return sorted(different, key=free, reverse=True)[:_LOOKED_AT]


def _everywhere(rejections: TaskRejections) -> Iterator[UnmetRequirement]:
    refusal = (
        rejections.everywhere if rejections.everywhere is not None and rejections.everywhere.failure is None else None
    )
    if refusal is not None:
        yield UnmetRequirement(-1, refusal, "global")
    yield from _short_of(rejections, -1, rejections.run.resources.global_level, GLOBAL_SCOPE, set(), "global")


def _lacks_at(rejections: TaskRejections, number: int) -> Iterator[UnmetRequirement]:
    resources = rejections.run.resources
    instance = resources.instances[number]
    context = rejections.run.dispatch.parallel.context
    placement_request = rejections.placement_request(rejections.environment_at(number))
    host = resources.hosts[resources.host_of[number]]
    checked: tuple[tuple[Refusal | None, str, str], ...] = (
        (context.rules.host_in_queue_list(instance.host, placement_request), HOST_SCOPE, instance.host),
        (
            context.rules.host(context.compiled.hosts[instance.host], host.loads, placement_request),
            HOST_SCOPE,
            instance.host,
        ),
        (context.rules.instance(instance, placement_request), INSTANCE_SCOPE, instance.name),
    )
    refusals = [(refusal, scope, place) for refusal, scope, place in checked if refusal is not None]
    if [refusal.number for refusal, _, _ in refusals[:2]] == [messages.NOT_IN_QUEUE_LIST] * 2:
        # The queue list excludes both host and instance: that is one requirement.
        del refusals[0]
    accepted = set(rejections.accepted_everywhere)
    short = [
        *_short_of(rejections, number, host, HOST_SCOPE, accepted, instance.host),
        *_short_of(rejections, number, resources.queues[number], INSTANCE_SCOPE, accepted, instance.name),
    ]
    whole = context.rules.cluster_queue(context.queues[instance.queue], placement_request)
    if whole is not None and not refusals and whole.attribute not in {unmet.rejection.attribute for unmet in short}:
        # The instance's own refusal or shortage is more specific than that of its whole queue.
        refusals = [(whole, QUEUE_SCOPE, instance.queue)]
    for refusal, scope, place in refusals:
        yield UnmetRequirement(number, PlaceRejection.of_refusal(refusal, scope), place)
    yield from short
    for matched_rule in rejections.exceeded(number):
        yield UnmetRequirement(number, PlaceRejection.of_quota(matched_rule), instance.name)
    state = rejections.state_rejection(number)
    if state is not None and state.number != messages.FULL:
        yield UnmetRequirement(number, state, instance.name)
    elif not short:
        # A consumable that is short anyway is more specific than its threshold.
        crossed = rejections.crossed(number)
        yield from (UnmetRequirement(number, rejection, instance.name) for rejection in crossed)


def _short_of(
    rejections: TaskRejections, number: int, level: Level, scope: str, accepted: set[str], place: str
) -> Iterator[UnmetRequirement]:
    """Yield every request that does not fit a level, by repeating the check without those that failed."""
    demand = rejections.run_job.demand
    checker = rejections.checker
    best: Level | None = None
    rest, seen = demand, level
    while (failure := checker.check(seen, rest, accepted)) is not None:
        if best is None:
            best, _ = when_empty(level, checker.attributes)
        name = failure.attribute
        alone = replace(demand, hard=tuple(request for request in demand.hard if request.attribute.name == name))
        empty = checker.check(best, alone, set(accepted))
        why = ReasonKind.NEVER if empty is not None and empty.attribute == name else ReasonKind.BUSY
        rejection = PlaceRejection.of_failure(failure, scope, why, demand.printed)
        shortfall = failure.shortfall
        wanted = offered = None
        slots = 1
        if shortfall is not None and shortfall.amount is not None:
            slots = needed(rejections.least_slots, level, shortfall.attribute)
            wanted = 1.0 if name == SLOTS else demand.amounts.get(name, shortfall.attribute.default_amount)
            wanted, offered = wanted * slots, shortfall.amount
        yield UnmetRequirement(number, rejection, place, level, wanted, offered, slots)
        accepted.add(name)
        if name == SLOTS:
            seen = replace(seen, configured={key: value for key, value in seen.configured.items() if key != SLOTS})
            seen.used = {key: amount for key, amount in seen.used.items() if key != SLOTS}
        rest = replace(
            rest,
            hard=tuple(request for request in rest.hard if request.attribute.name != name),
            names=rest.names | {name},
        )


def _nearest_environment(rejections: TaskRejections) -> NearestPlace | None:
    best: tuple[int, NearestPlace] | None = None
    for environment in rejections.environments:
        slots = fewest_slots(rejections, environment)
        free = max(0, free_slots(rejections, environment))
        offered = free if free < slots else most_slots(rejections, environment)
        total = str(environment.slots) if free < slots else ""
        missing_slots = slots - offered
        words = f"slots: {slots} wanted, {offered} offered" + (f" of {total}" if total else "")
        gap = Missing(
            "slots", "PE", environment.name, words, str(slots), str(offered), total, str(max(0, missing_slots))
        )
        if best is None or missing_slots < best[0]:
            best = (missing_slots, NearestPlace(environment.name, (gap,)))
    return best[1] if best is not None else None
