"""Ways out where a request does not fit what is offered: more is offered, less is asked for, another value is set."""

from collections.abc import Iterator
from math import ceil, isfinite, log

from qmon_tui.model.kinds import Kind
from qmon_tui.scheduler.compiled.attributes import Attribute
from qmon_tui.scheduler.compiled.queues import BUILT_IN, LIMITS, Instance
from qmon_tui.scheduler.explaining import edits
from qmon_tui.scheduler.explaining.edits import Edited
from qmon_tui.scheduler.explaining.lacks import Lack
from qmon_tui.scheduler.explaining.obstacles import Obstacles
from qmon_tui.scheduler.explaining.remedy import MOST_STEPS, Reach, Remedy
from qmon_tui.scheduler.explaining.spelling import amount_text
from qmon_tui.scheduler.matching.check import SLOTS
from qmon_tui.scheduler.matching.level import CONSUMABLE, FIXED
from qmon_tui.scheduler.placement.sequential import GLOBAL_SCOPE, HOST_SCOPE, INSTANCE_SCOPE
from qmon_tui.values.patterns import is_expression

_SMALL_STEPS, _PARTS = 32, 8
_IDENTITY = frozenset({"hostname", "qname"})
"""What a queue instance is called; another value in complex_values would send jobs to a wrong place."""
_AT_MOST = ("<", "<=")


def remedies_for_amounts(found: Obstacles, lack: Lack) -> Iterator[Remedy]:
    """For a request that fails on one level."""
    missing = lack.obstacle.shortfall
    name = lack.obstacle.attribute
    attribute = found.run.compiled.attributes.by_name.get(name or "")
    if attribute is None:
        return
    if missing is None:
        yield from _for_what_is_no_amount(found, lack, attribute)
    elif lack.wanted is not None and lack.offered is not None:
        if missing.kind.endswith(CONSUMABLE) and lack.wanted > lack.offered and not attribute.exclusive:
            yield more_of(found, lack, attribute, lack.wanted - lack.offered, lack.wanted)
        elif missing.kind.endswith(FIXED):
            yield _other_value(found, lack, attribute, amount_text(attribute, lack.wanted))
        yield from _other_request(found, lack, attribute, amount_text(attribute, _share(attribute, lack)))
    else:
        wanted = next((one.text for one in found.run_job.demand.hard if one.attribute is attribute), "")
        is_settable = missing.kind.endswith(FIXED) and attribute.name not in _IDENTITY
        if is_settable and wanted and not is_expression(wanted):
            yield _other_value(found, lack, attribute, wanted)
        yield from _other_request(found, lack, attribute, missing.text)


def more_of(found: Obstacles, lack: Lack, attribute: Attribute, amount: float, each: float) -> Remedy:
    """More of a consumable: as much as is missing, then enough for one job more of those that might take it first."""
    assert lack.level is not None
    least = _least_asked(found, attribute, each)
    total = lack.level.configured[attribute.name].number
    scope, run = lack.obstacle.scope, found.run
    kind = f"more {attribute.name} {scope}"
    size = amount / (total + amount) if total + amount else 1.0

    def value(steps: int) -> str:
        small = min(steps - 1, _SMALL_STEPS)
        return amount_text(attribute, total + amount + small * least + (steps - 1 - small) * each)

    if scope in (GLOBAL_SCOPE, HOST_SCOPE):
        reach = Reach.CLUSTER if scope == GLOBAL_SCOPE else Reach.PLACE
        return Remedy(
            kind, reach, size, lambda w, n: edits.host_value(w, lack.place, attribute, value(n), "raise"), MOST_STEPS
        )
    instance = run.resources.instances[lack.number]
    if attribute.name == SLOTS:
        return more_slots(instance, int(amount))
    current = complex_values(found, lack.number)
    return Remedy(
        kind,
        Reach.PLACE,
        size,
        lambda w, n: edits.queue_value(w, instance.queue, instance.host, current, attribute, value(n), "raise"),
        MOST_STEPS,
    )


def more_slots(instance: Instance, lack: int) -> Remedy:
    """So many more slots in a queue instance, and one more in each step."""
    slots = instance.profile.slots

    def raised(world: Edited, steps: int) -> Edited:
        value = slots + lack + steps - 1
        sentence = f"raise the slots of queue instance {instance.name} from {slots} to {value}"
        return edits.queue_field(world, instance.queue, instance.host, "slots", str(value), sentence)

    return Remedy("more slots queue", Reach.PLACE, lack / (slots + lack), raised, MOST_STEPS)


def _least_asked(found: Obstacles, attribute: Attribute, each: float) -> float:
    """The least that a pending job asks for, but no less than that a few steps are as much as the task asks for."""
    asked = {id(one.demand): one.demand.amounts.get(attribute.name, 0.0) for one in found.run.pending}.values()
    least = min((amount for amount in asked if amount > 0), default=each)
    if not isfinite(each):
        return each
    unit = 1024 ** max(0, int(log(each, 1024))) if attribute.type == "MEMORY" and each >= 1 else 1
    fewest = each / _PARTS if attribute.type == "DOUBLE" else ceil(each / _PARTS / unit) * unit
    return min(each, max(least, fewest))


def complex_values(found: Obstacles, number: int) -> str:
    """complex_values of a queue instance, as text."""
    configured = found.run.resources.instances[number].profile.configured
    return ",".join(f"{key}={value.text}" for key, value in configured.items() if key != SLOTS)


def _other_value(found: Obstacles, lack: Lack, attribute: Attribute, value: str) -> Remedy:
    """What is asked for becomes what is offered."""
    scope = lack.obstacle.scope
    kind = f"other {attribute.name} {scope}"
    if scope != INSTANCE_SCOPE:
        reach = Reach.CLUSTER if scope == GLOBAL_SCOPE else Reach.PLACE
        return Remedy(kind, reach, lack.size, lambda w, _: edits.host_value(w, lack.place, attribute, value))
    instance = found.run.resources.instances[lack.number]
    if attribute.name in LIMITS and attribute.name not in instance.profile.configured:
        old = instance.profile.fields[attribute.name].text
        sentence = f"change {attribute.name} of queue instance {instance.name} from {old} to {value}"
        return Remedy(
            kind,
            Reach.PLACE,
            lack.size,
            lambda w, _: edits.queue_field(w, instance.queue, instance.host, attribute.name, value, sentence),
        )
    current = complex_values(found, lack.number)
    return Remedy(
        kind,
        Reach.PLACE,
        lack.size,
        lambda w, _: edits.queue_value(w, instance.queue, instance.host, current, attribute, value),
    )


def _other_request(found: Obstacles, lack: Lack, attribute: Attribute, offered: str) -> Iterator[Remedy]:
    """What is offered becomes what is asked for; or nothing is asked for any more."""
    number = found.run_job.id
    wanted = next((one for one in found.run_job.demand.hard if one.attribute is attribute), None)
    if attribute.name == SLOTS or attribute.requestable == "NO":
        return
    empty = attribute.numeric and attribute.relop in _AT_MOST and not _share(attribute, lack) > 0
    # To ask for exclusive use with FALSE is not to ask for it.
    if offered and not empty and not attribute.exclusive:
        before = wanted.text if wanted is not None else attribute.default
        sentence = f"let job {number} ask for {attribute.name}={offered} instead of {before}"

        def other(world: Edited, _: int) -> Edited:
            hard = request_of(found, world, attribute, offered)
            return edits.resource_request(world, number, hard, sentence, attribute.name, before, offered)

        yield Remedy(f"ask {attribute.name}", Reach.JOB, lack.size, other)
    elif wanted is not None:
        yield without_request(found, attribute)


def _share(attribute: Attribute, lack: Lack) -> float:
    """What each of the slots may take of what is offered, without fractions where there need not be any."""
    offered = lack.offered or 0.0
    return offered / lack.slots if attribute.type == "DOUBLE" or lack.slots == 1 else offered // lack.slots


def without_request(found: Obstacles, attribute: Attribute) -> Remedy:
    """The job does without something."""
    number = found.run_job.id
    before = next((one.text for one in found.run_job.demand.hard if one.attribute is attribute), "")

    def less(world: Edited, _: int) -> Edited:
        hard = [
            (name, text)
            for name, text in world.job(number).request.hard
            if found.run.compiled.attributes.find(name) is not attribute
        ]
        sentence = f"let job {number} do without {attribute.name}={before}"
        return edits.resource_request(world, number, hard, sentence, attribute.name, before, "")

    return Remedy(f"without {attribute.name}", Reach.PURPOSE, 1.0, less)


def with_request(found: Obstacles, attribute: Attribute, value: str | None) -> Remedy:
    """The job asks for something that it has to ask for."""
    number = found.run_job.id
    text = attribute.name if value is None else f"{attribute.name}={value}"

    def more(world: Edited, _: int) -> Edited:
        hard = (*world.job(number).request.hard, (attribute.name, value))
        sentence = f"let job {number} ask for {text}"
        return edits.resource_request(world, number, hard, sentence, attribute.name, "", value or "TRUE")

    return Remedy(f"with {attribute.name}", Reach.JOB, 0.5, more)


def request_of(found: Obstacles, world: Edited, attribute: Attribute, text: str) -> list[tuple[str, str | None]]:
    """The hard requests of the job with another amount of one attribute."""
    hard = list(world.job(found.run_job.id).request.hard)
    find = found.run.compiled.attributes.find
    if not any(find(name) is attribute for name, _ in hard):
        return [*hard, (attribute.name, text)]
    return [(name, text if find(name) is attribute else old) for name, old in hard]


def _for_what_is_no_amount(found: Obstacles, lack: Lack, attribute: Attribute) -> Iterator[Remedy]:
    """Something nobody knows, something that must not be asked for, something in exclusive use."""
    wanted = next((one for one in found.run_job.demand.hard if one.attribute is attribute), None)
    if wanted is not None:
        yield without_request(found, attribute)
    if attribute.requestable == "NO":
        yield requestable(found, attribute, "NO")
    elif wanted is not None and lack.obstacle.scope == INSTANCE_SCOPE and attribute.name not in BUILT_IN:
        instance = found.run.resources.instances[lack.number]
        value = "TRUE" if attribute.exclusive else wanted.text
        yield Remedy(
            f"give {attribute.name}",
            Reach.PLACE,
            1.0,
            lambda w, _: edits.host_value(w, instance.host, attribute, value),
        )


def requestable(found: Obstacles, attribute: Attribute, before: str) -> Remedy:
    """An attribute that may be asked for, and need not be."""

    def changed(world: Edited, _: int) -> Edited:
        obj = world.cluster.objects(Kind.COMPLEX)[attribute.name]
        sentence = f"let the attribute {attribute.name} be requestable YES instead of {before}"
        return edits.object_field(world, obj, "requestable", "YES", sentence)

    return Remedy(f"requestable {attribute.name}", Reach.CLUSTER, 1.0, changed)
