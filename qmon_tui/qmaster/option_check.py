"""Checks of submission options, the same for all jobs of a user with equal options.

Messages and their order are the qmaster's; `submission_check` has checks that differ from job to job.

Source: clients.md#what-the-qmaster-refuses-of-a-job.
"""

from collections.abc import Iterator
from itertools import chain
from weakref import WeakKeyDictionary

from qmon_tui.model import Job, Kind, PeRequest, Request
from qmon_tui.scheduler.configuration import Access, CompiledCluster, as_qmaster, matching_environments, number_or_none
from qmon_tui.scheduler.jobs import JobProfile
from qmon_tui.values import BLANK, QueuePattern, canonical, is_expression, is_none, split_names, syntax_error

_NEVER = "n"
"""-c n: no checkpoints."""
_NOUNS = {"INT": "integer", "DOUBLE": "double", "TIME": "time", "MEMORY": "memory", "BOOL": "boolean"}


class OptionCheck:
    """The objections that depend on the configuration only."""

    def __init__(self, compiled: CompiledCluster) -> None:
        self._compiled = compiled
        self._cluster = compiled.cluster
        self._usersets = as_qmaster(compiled).usersets
        configuration = compiled.configuration
        self._needs_user = configuration.text("enforce_user").strip().lower() == "true"
        self._needs_project = configuration.text("enforce_project").strip().lower() == "true"

    def all(self, job: Job) -> tuple[str, ...]:
        """Return the objections to a job; qsub prints the first."""
        return tuple(self._all(job))

    def first_to_reservation(self, request: Request) -> str | None:
        """Return the first objection to an advance reservation with this request; None if it is searched for."""
        asked = self._objections_to_request(request, "advance_reservation")
        return next(chain(self._objections_to_checkpoint(request), asked), None)

    def _all(self, job: Job) -> Iterator[str]:
        compiled = self._compiled
        submit = compiled.submit_access
        if not submit.permits(job.owner, job.group, self._usersets):
            yield f"job rejected: {job.owner} is not allowed to submit jobs"
        yield from self._objections_to_request(job.request, "job")
        yield from self._objections_to_checkpoint(job.request)
        if self._needs_user and job.owner not in compiled.shares.users:
            yield f'job rejected: the user "{job.owner}" does not exist'
        yield from self._objections_to_project(job)
        if self._cluster.get(Kind.USERSET, compiled.shares.department_of(job)) is None:
            yield f'denied: no matching department for user "{job.owner}" or group "{job.group}"'

    def _objections_to_request(self, request: Request, noun: str) -> Iterator[str]:
        """`noun` is the qmaster's word for job or reservation."""
        compiled = self._compiled
        yield from _objections_to_requests(request.hard, compiled, noun)
        yield from _objections_to_requests(request.soft, compiled, noun)
        soft = [attribute for name, _ in request.soft if (attribute := compiled.attributes.find(name)) is not None]
        for place, attribute in enumerate(soft):
            # A request repeated under the other name counts at its second position.
            if attribute.is_consumable and attribute not in soft[place + 1 :]:
                yield f'denied: soft requests on consumables like "{attribute.name}" are not supported'
        yield from _objections_to_expressions((*request.hard, *request.soft), compiled)
        for patterns in (request.hard_queues, request.soft_queues, request.master_queues):
            yield from self._objections_to_queues(patterns)
        if request.pe is not None:
            yield from self._objections_to_environment(request.pe, noun)

    def _objections_to_checkpoint(self, request: Request) -> Iterator[str]:
        name, when = request.checkpoint, request.checkpoint_when
        environment = self._cluster.get(Kind.CKPT, name) if name is not None else None
        if name is not None and environment is None:
            yield f'job rejected: the requested checkpointing environment "{name}" does not exist'
            return
        when_of_environment = environment.text("when") if environment else ""
        letters = when if when.isalpha() else when_of_environment
        if _NEVER in letters and (name is not None or set(letters) != {_NEVER}):
            yield 'job rejected: checkpointing with "-c n" requested'
        elif name is None and when and _NEVER not in letters:
            yield "checkpointing denied"

    def _objections_to_queues(self, patterns: tuple[str, ...]) -> Iterator[str]:
        qname = self._compiled.attributes.by_name.get("qname")
        if patterns and (qname is None or qname.requestable == "NO"):
            yield "Job was rejected because job requests a queue while queues are not configured as requestable"
        unknown = [text for text in patterns if not self._matches_some_instance(QueuePattern.parse(text))]
        if unknown:
            yield "\n".join(chain.from_iterable(map(_unknown_queue, unknown)))

    def _matches_some_instance(self, pattern: QueuePattern) -> bool:
        groups = self._compiled.groups
        return any(pattern.matches(each.queue, each.host, groups) for each in self._compiled.instances)

    def _objections_to_environment(self, request: PeRequest, noun: str) -> Iterator[str]:
        environments = list(matching_environments(request.name, self._compiled.environments))
        if not environments:
            yield f'job rejected: the requested parallel environment "{request.name}" does not exist'
        if any(first == 0 or last == 0 for first, last, _ in request.ranges):
            yield f'"{noun}" rejected: pe range must be greater than zero'
        first, last, _ = request.ranges[0]
        is_range = len(request.ranges) > 1 or first != last
        if is_range and len({environment.urgent_slots(request.ranges) for environment in environments}) > 1:
            yield (
                f'"{noun}" rejected: PEs matching wildcard and jobs slot range would cause'
                " ambiguous urgency slot amount"
            )

    def _objections_to_project(self, job: Job) -> Iterator[str]:
        compiled = self._compiled
        submit = compiled.submit_access
        project = compiled.shares.project_of(job)
        if project is None:
            if submit.projects:
                yield "job rejected: no project was supplied and only certain projects are allowed to submit jobs"
            if self._needs_project:
                yield "job rejected: no project assigned to job"
            return
        obj = self._cluster.get(Kind.PROJECT, project)
        if obj is None:
            yield f'job rejected: the requested project "{project}" does not exist'
            return
        own = Access(split_names(obj.text("acl"), BLANK), split_names(obj.text("xacl"), BLANK))
        if not own.permits(job.owner, job.group, self._usersets):
            yield f'job rejected: no access to project "{project}" for user "{job.owner}"'
        if project in submit.xprojects or (submit.projects and project not in submit.projects):
            yield f'job rejected: project "{project}" is not allowed to submit jobs'


def _unknown_queue(text: str) -> Iterator[str]:
    if text.endswith("@"):
        yield f'No cluster queue or queue instance matches the phrase "{text}"'
    yield f'Job was rejected because job requests unknown queue "{"" if is_none(text) else text}"'


def _objections_to_requests(
    requests: tuple[tuple[str, str | None], ...], compiled: CompiledCluster, noun: str
) -> Iterator[str]:
    attributes = compiled.attributes
    for name, text in requests:
        attribute = attributes.find(name)
        if attribute is None:
            yield f'unknown resource "{name}"'
            continue
        if text == "":
            yield f'denied: missing value for resource "{attribute.name}"'
        if attribute.requestable == "NO":
            yield f'resource "{name}" configured as non requestable'
        if text is None:
            continue
        if attribute.type == "HOST" and not is_expression(text) and canonical(text) not in compiled.hosts:
            yield f'can\'t resolve hostname "{text}"'
        amount = number_or_none(text) if attribute.numeric else 0.0
        if amount is None:
            yield f'attribute "{attribute.name}" is not a {_NOUNS[attribute.type]} value'
        elif attribute.is_consumable and text.lower() == "infinity":
            yield f'attribute "{attribute.name}" is not a value that can be set to infinity'
        elif attribute.is_consumable and amount < 0:
            yield f'attribute "{attribute.name}" is consumable but has a negative value'
    if any((requested := attributes.find(name)) is not None and requested.name == "slots" for name, _ in requests):
        yield f'"{noun}" denied: use parallel environments instead of requesting slots explicitly'


def _objections_to_expressions(
    requests: tuple[tuple[str, str | None], ...], compiled: CompiledCluster
) -> Iterator[str]:
    for name, text in requests:
        attribute = compiled.attributes.find(name)
        position = None if attribute is None or attribute.numeric or text is None else syntax_error(text)
        if position is not None:
            yield f'Parse error on position {position} of the expression "{text}".'


def objection_of(compiled: CompiledCluster, job_profile: JobProfile, job: Job) -> str | None:
    """Return the first objection to all jobs of a profile, given one of them; None if they are admitted."""
    return next(iter(objections_of(compiled, job_profile, job)), None)


def objections_of(compiled: CompiledCluster, job_profile: JobProfile, job: Job) -> tuple[str, ...]:
    """Return all objections to the jobs of a profile, given one of them, in the qmaster's order.

    Cached as long as the profile, which is made for one configuration.
    """
    if job_profile not in _known:
        _known[job_profile] = OptionCheck(compiled).all(job)
    return _known[job_profile]


_known: WeakKeyDictionary[JobProfile, tuple[str, ...]] = WeakKeyDictionary()
