"""Candidate changes for a request that does not fit: more offered, less requested, or exclusive use ended."""

from collections.abc import Iterable, Iterator
from math import ceil, gcd, isfinite, log

from qmon_tui.explain import edits
from qmon_tui.explain.edits import MOST_STEPS, CandidateChange, EditedCluster, Impact, Place
from qmon_tui.explain.explanation import ReasonKind
from qmon_tui.explain.rejection import UnmetRequirement, amount_text
from qmon_tui.explain.task_rejections import TaskRejections
from qmon_tui.model import Kind
from qmon_tui.scheduler.configuration import BUILT_IN, LIMITS, Attribute, QueueInstance
from qmon_tui.scheduler.jobs import ResourceRequest, RunJob
from qmon_tui.scheduler.matching import CONSUMABLE, FIXED, SLOTS
from qmon_tui.scheduler.placement import GLOBAL_SCOPE, HOST_SCOPE, INSTANCE_SCOPE
from qmon_tui.values import is_expression

_SMALL_STEPS, _PARTS = 48, 8
_IDENTITY = frozenset({"hostname", "qname"})
"""Attributes that name hosts and queues; to set them in complex_values would misdirect jobs."""
_AT_MOST = ("<", "<=")


def candidates_for_request(rejections: TaskRejections, unmet: UnmetRequirement) -> Iterator[CandidateChange]:
    """Yield changes for a request that fails on one level."""
    missing = unmet.rejection.shortfall
    name = unmet.rejection.attribute
    attribute = rejections.run.compiled.attributes.by_name.get(name or "")
    if attribute is None:
        return
    if missing is None:
        yield from _for_value(rejections, unmet, attribute)
    elif unmet.wanted is not None and unmet.offered is not None:
        if missing.kind.endswith(CONSUMABLE) and unmet.wanted > unmet.offered and not attribute.exclusive:
            yield more_of(rejections, unmet, attribute, unmet.wanted - unmet.offered, unmet.wanted)
        elif missing.kind.endswith(FIXED):
            yield _other_value(rejections, unmet, attribute, amount_text(attribute, unmet.wanted))
        yield from _other_request(rejections, unmet, attribute, amount_text(attribute, _share(attribute, unmet)))
    else:
        wanted = _requested(rejections, attribute)
        is_settable = missing.kind.endswith(FIXED) and attribute.name not in _IDENTITY
        if is_settable and wanted is not None and wanted.text and not is_expression(wanted.text):
            yield _other_value(rejections, unmet, attribute, wanted.text)
        yield from _other_request(rejections, unmet, attribute, missing.text)


def more_of(
    rejections: TaskRejections, unmet: UnmetRequirement, attribute: Attribute, amount: float, each: float
) -> CandidateChange:
    """Return the change that adds the missing amount of a consumable; more in each step, as jobs ahead may take it."""
    assert unmet.level is not None
    least = _least_step(rejections, attribute, each)
    total = unmet.level.configured[attribute.name].number
    kind = f"more {attribute.name} {unmet.rejection.scope}"
    size = min(1.0, amount / each) if each else 1.0

    def value(steps: int) -> str:
        small = min(steps - 1, _SMALL_STEPS)
        return amount_text(attribute, total + amount + small * least + (steps - 1 - small) * each)

    place = place_of(rejections, unmet)
    if place.queue and attribute.name == SLOTS:
        return more_slots(instance_of(rejections, unmet), int(amount))
    return CandidateChange(
        kind, place.impact, size, lambda w, n: edits.set_value(w, place, attribute, value(n), "raise"), MOST_STEPS
    )


def more_slots(instance: QueueInstance, missing: int) -> CandidateChange:
    """Return additional slots in a queue instance, one more in each step."""
    slots, place = instance.profile.slots, Place(instance.host, instance.queue)

    def raised(edited: EditedCluster, steps: int) -> EditedCluster:
        value = slots + missing + steps - 1
        sentence = f"raise the slots of {place.words} from {slots} to {value}"
        return edits.set_field(edited, place, "slots", str(value), sentence)

    return CandidateChange("more slots queue", Impact.PLACE, missing / (slots + missing), raised, MOST_STEPS)


def _least_step(rejections: TaskRejections, attribute: Attribute, each: float) -> float:
    """Return the amount of a small step: the greatest divisor of all requested amounts, unless that is too small.

    Amounts that jobs ahead take first are multiples of it.
    """
    if not isfinite(each):
        return each
    asked = {id(job.demand): job.demand.amounts.get(attribute.name, 0.0) for job in rejections.run.pending}.values()
    amounts = [each, *(amount for amount in asked if amount > 0 and isfinite(amount))]
    if attribute.type == "DOUBLE" or any(amount != int(amount) for amount in amounts):
        return max(each / _PARTS, min(amounts))
    divisor = gcd(*map(int, amounts))
    if each <= divisor * _SMALL_STEPS:
        return divisor
    unit = 1024 ** max(0, int(log(each, 1024))) if attribute.type == "MEMORY" else 1
    return ceil(each / _PARTS / unit) * unit


def instance_of(rejections: TaskRejections, unmet: UnmetRequirement) -> QueueInstance:
    """Return the queue instance that does not meet a requirement."""
    return rejections.run.resources.instances[unmet.number]


def place_of(rejections: TaskRejections, unmet: UnmetRequirement) -> Place:
    """Return the place that does not meet a requirement; for a whole cluster queue one of its instances."""
    if unmet.rejection.scope in (GLOBAL_SCOPE, HOST_SCOPE):
        return Place(unmet.place)
    instance = instance_of(rejections, unmet)
    values = ",".join(f"{key}={value.text}" for key, value in instance.profile.configured.items() if key != SLOTS)
    return Place(instance.host, instance.queue, values)


def _other_value(
    rejections: TaskRejections, unmet: UnmetRequirement, attribute: Attribute, value: str
) -> CandidateChange:
    """Return the change that offers the requested value."""
    kind, place = f"other {attribute.name} {unmet.rejection.scope}", place_of(rejections, unmet)
    profile = instance_of(rejections, unmet).profile
    if place.queue and attribute.name in LIMITS and attribute.name not in profile.configured:
        sentence = f"change {attribute.name} of {place.words} from {profile.fields[attribute.name].text} to {value}"
        return CandidateChange(
            kind, Impact.PLACE, unmet.size, lambda w, _: edits.set_field(w, place, attribute.name, value, sentence)
        )
    return CandidateChange(kind, place.impact, unmet.size, lambda w, _: edits.set_value(w, place, attribute, value))


def _requested(rejections: TaskRejections, attribute: Attribute) -> ResourceRequest | None:
    return next((request for request in rejections.run_job.demand.hard if request.attribute is attribute), None)


def _other_request(
    rejections: TaskRejections, unmet: UnmetRequirement, attribute: Attribute, offered: str
) -> Iterator[CandidateChange]:
    """Yield the change that requests the offered value, or the one that drops the request."""
    wanted = _requested(rejections, attribute)
    if attribute.name == SLOTS or attribute.requestable == "NO":
        return
    empty = attribute.numeric and attribute.relop in _AT_MOST and not _share(attribute, unmet) > 0
    # A request of FALSE does not request exclusive use.
    if offered and not empty and not attribute.exclusive:
        yield asking(rejections, attribute, offered, unmet.size)
    elif wanted is not None:
        yield without_request(rejections, attribute)


def asking(rejections: TaskRejections, attribute: Attribute, text: str, size: float) -> CandidateChange:
    """Return the change that requests another value."""
    number = rejections.run_job.id
    wanted = _requested(rejections, attribute)
    before = wanted.text if wanted is not None else attribute.default
    sentence = f"let job {number} ask for {attribute.name}={text} instead of {before}"

    def other(edited: EditedCluster, _: int) -> EditedCluster:
        hard = request_of(rejections, edited, attribute, text)
        return edits.resource_request(edited, number, hard, sentence, attribute.name, before, text)

    return CandidateChange(f"ask {attribute.name}", Impact.JOB, size, other)


def _share(attribute: Attribute, unmet: UnmetRequirement) -> float:
    """Return each slot's share of the offer, rounded down to a whole number unless the type is DOUBLE."""
    offered = unmet.offered or 0.0
    return offered / unmet.slots if attribute.type == "DOUBLE" or unmet.slots == 1 else offered // unmet.slots


def without_request(rejections: TaskRejections, attribute: Attribute) -> CandidateChange:
    """Return the change that drops a request."""
    number, wanted = rejections.run_job.id, _requested(rejections, attribute)
    before = wanted.text if wanted is not None else ""

    def less(edited: EditedCluster, _: int) -> EditedCluster:
        hard = [
            (name, text)
            for name, text in edited.job(number).request.hard
            if rejections.run.compiled.attributes.find(name) is not attribute
        ]
        sentence = f"drop the request {attribute.name}={before} of job {number}"
        return edits.resource_request(edited, number, hard, sentence, attribute.name, before, "")

    return CandidateChange(f"without {attribute.name}", Impact.PURPOSE, 1.0, less)


def with_request(rejections: TaskRejections, attribute: Attribute, value: str | None) -> CandidateChange:
    """Return the change that adds a request."""
    number = rejections.run_job.id
    text = attribute.name if value is None else f"{attribute.name}={value}"

    def more(edited: EditedCluster, _: int) -> EditedCluster:
        hard = (*edited.job(number).request.hard, (attribute.name, value))
        sentence = f"let job {number} ask for {text}"
        return edits.resource_request(edited, number, hard, sentence, attribute.name, "", value or "TRUE")

    return CandidateChange(f"with {attribute.name}", Impact.JOB, 0.5, more)


def request_of(
    rejections: TaskRejections, edited: EditedCluster, attribute: Attribute, text: str
) -> list[tuple[str, str | None]]:
    """Return the hard requests of the job with one value replaced."""
    hard = list(edited.job(rejections.run_job.id).request.hard)
    find = rejections.run.compiled.attributes.find
    if not any(find(name) is attribute for name, _ in hard):
        return [*hard, (attribute.name, text)]
    return [(name, text if find(name) is attribute else old) for name, old in hard]


def _for_value(rejections: TaskRejections, unmet: UnmetRequirement, attribute: Attribute) -> Iterator[CandidateChange]:
    """Yield changes for requests that are unknown, not requestable, or exclusive."""
    wanted = _requested(rejections, attribute)
    if wanted is not None:
        yield without_request(rejections, attribute)
    if attribute.requestable == "NO":
        yield requestable(attribute, "NO")
    elif wanted is not None and unmet.rejection.scope == INSTANCE_SCOPE and attribute.name not in BUILT_IN:
        host = Place(instance_of(rejections, unmet).host)
        value = "TRUE" if attribute.exclusive else wanted.text
        yield CandidateChange(
            f"give {attribute.name}", Impact.PLACE, 1.0, lambda w, _: edits.set_value(w, host, attribute, value)
        )


def requestable(attribute: Attribute, before: str) -> CandidateChange:
    """Return the change that lets jobs request an attribute, but need not; `before` is its present `requestable`."""
    name = attribute.name
    sentence = f"make the attribute {name} requestable (YES instead of {before})"
    return CandidateChange(
        f"requestable {name}", Impact.CLUSTER, 1.0, lambda w, _: edits.object_field(
            w, w.cluster.objects(Kind.COMPLEX)[name], "requestable", "YES", sentence
        ),
    )  # fmt: skip


_MOST_USERS = 3
"""Maximum number of jobs to delete in a change."""


def candidates_for_exclusive_use(rejections: TaskRejections, unmet: UnmetRequirement) -> Iterator[CandidateChange]:
    """Yield changes if exclusive use blocks the task: its own request or default, or that of jobs using the place."""
    attribute = unmet.attribute or rejections.run.compiled.attributes.by_name.get(unmet.rejection.attribute or "")
    if (
        attribute is None
        or not attribute.exclusive
        or unmet.rejection.why is not ReasonKind.BUSY
        or unmet.level is None
    ):
        return
    asked = _requests(rejections.run_job, attribute)
    if not asked:
        place, kind = place_of(rejections, unmet), f"no {attribute.name} {unmet.rejection.scope}"
        yield CandidateChange(kind, place.impact, 1.0, lambda w, _: edits.without_value(w, place, attribute))
    users = [
        job for job in rejections.run.jobs if (asked or _requests(job, attribute)) and _is_there(rejections, unmet, job)
    ]
    numbers = [job.id for job in users]
    # Its own running tasks need not end for a waiting one.
    if 0 < len(users) <= _MOST_USERS and rejections.run_job.id not in numbers:
        yield CandidateChange(
            f"qdel {numbers}", Impact.OTHERS, float(len(numbers)), lambda w, _: edits.without_jobs(w, numbers)
        )


def _requests(run_job: RunJob, attribute: Attribute) -> bool:
    return any(request.attribute is attribute for request in run_job.demand.hard)


def _is_there(rejections: TaskRejections, unmet: UnmetRequirement, run_job: RunJob) -> bool:
    """True if a job has started tasks in the place of an unmet requirement."""
    resources, job, split = rejections.run.resources, run_job.job, run_job.split
    numbers: Iterable[int] = (unmet.number,)
    if unmet.rejection.scope == GLOBAL_SCOPE:
        numbers = range(len(resources.instances))
    elif unmet.rejection.scope == HOST_SCOPE:
        numbers = resources.instances_of[resources.host_of[unmet.number]]
    names = {resources.instances[number].name for number in numbers}
    return any(names & job.tasks[task].granted.keys() for task in (*split.running, *split.suspended))
