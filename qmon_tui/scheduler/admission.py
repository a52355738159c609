"""What qsub would refuse, in its words and in the qmaster's order (validation/clients.md section 7)."""

from collections.abc import Callable, Iterator, Mapping

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import AdvanceReservation, Job, PeRequest, Request, State
from qmon_tui.scheduler.advance.reserved import lasting
from qmon_tui.scheduler.compiled.access import Access
from qmon_tui.scheduler.compiled.cluster import Compiled, compile_cluster
from qmon_tui.scheduler.compiled.environments import matching_environments
from qmon_tui.scheduler.compiled.parsing import number_or_none, unsigned
from qmon_tui.scheduler.dependencies import Dependencies
from qmon_tui.scheduler.requests import compile_demand
from qmon_tui.scheduler.timeline.durations import requested
from qmon_tui.scheduler.verifying import Verification, is_verified, objection, verified
from qmon_tui.values.hosts import canonical
from qmon_tui.values.lists import BLANK, BLANK_OR_COMMA, split_names
from qmon_tui.values.patterns import QueuePattern, is_expression, syntax_error

_NOUNS = {"INT": "integer", "DOUBLE": "double", "TIME": "time", "MEMORY": "memory", "BOOL": "boolean"}

_NO_OBJECTION = (None, None)


def refusal(cluster: Cluster, state: State, job: Job) -> str | None:
    """The text with which a job would be refused that comes to the jobs of a state now; None where it is let in."""
    dependencies = Dependencies()
    reservations = {str(one.id): one for one in lasting(state)}
    compiled = compile_cluster(cluster)
    admission = Admission(compiled, dependencies, reservations, lambda one: verified(compiled, state, one))
    for other in sorted(state.jobs, key=lambda one: one.id):
        if other.id != job.id:
            admission.count(other)
            dependencies.add(other)
    return admission.refusal(job, admission.objection_to_kind(job))


class Admission:
    """Looks at jobs in the order of their submission; limits on the number of jobs count those let in before."""

    def __init__(
        self,
        compiled: Compiled,
        dependencies: Dependencies,
        reservations: Mapping[str, AdvanceReservation],
        verify: Callable[[Job], Verification],
    ) -> None:
        """`verify` tells what -w e asks: see `verifying`."""
        self._compiled = compiled
        self._dependencies = dependencies
        self._reservations = reservations
        self._verify = verify
        self._cluster = compiled.cluster
        configuration = compiled.configuration
        self._max_jobs = unsigned(configuration.text("max_jobs"))
        self._max_user_jobs = unsigned(configuration.text("max_u_jobs"))
        self._max_tasks = unsigned(configuration.text("max_aj_tasks"))
        self._privileged = {
            name
            for kind in (Kind.MANAGERS, Kind.OPERATORS)
            for name in split_names(self._cluster.single(kind).text("entries"), BLANK_OR_COMMA)
        }
        self._needs_user = configuration.text("enforce_user").strip().lower() == "true"
        self._needs_project = configuration.text("enforce_project").strip().lower() == "true"
        self._accepted = 0
        self._accepted_of: dict[str, int] = {}
        self._verifications: dict[object, Verification] = {}

    def refusal(self, job: Job, objection_to_kind: str | None) -> str | None:
        """The text with which the job is refused; None, and the job counts from now on, where it is let in.

        Jobs of one kind are refused for the same reason, so `objection_to_kind` is asked for once for all of them.
        """
        found = (
            next(self._objections_to_form(job), None),
            next(self._objections_to_number(job), None)
            or objection_to_kind
            or (next(self._objections_to_options(job), None) if _is_special(job.request) else None),
        )
        if found == _NO_OBJECTION:
            self.count(job)
            return None
        return "\n".join(text for text in found if text is not None)

    def count(self, job: Job) -> None:
        """Count a job that is in the system."""
        self._accepted += 1
        self._accepted_of[job.owner] = self._accepted_of.get(job.owner, 0) + 1

    def _objections_to_form(self, job: Job) -> Iterator[str]:
        """What is found first; the qmaster then goes on, so that another objection may follow."""
        request = job.request
        if request.master_queues and request.pe is None:
            yield "job rejected: specification of master queue is not allowed for non-parallel jobs"
        if job.name[:1].isdigit():
            yield f'denied: "{job.name}" is not a valid object name (cannot start with a digit)'
        if self._max_tasks and len(job.task_ids) > self._max_tasks:
            yield f"job rejected: you tried to submit a job with more than {self._max_tasks} tasks"

    def _objections_to_number(self, job: Job) -> Iterator[str]:
        """Too many jobs are there already."""
        if self._max_jobs and self._accepted >= self._max_jobs:
            yield f"job rejected: only {self._max_jobs} jobs are allowed per cluster"
        count = self._accepted_of.get(job.owner, 0)
        if self._max_user_jobs and count >= self._max_user_jobs:
            yield (f"job rejected: only {self._max_user_jobs} jobs are allowed per user (current job count: {count})")

    def _objections_to_options(self, job: Job) -> Iterator[str]:
        """What depends on the job's own time, rank and predecessors."""
        request = job.request
        if request.advance_reservation is not None:
            yield from self._objections_to_reservation(request, job.submitted)
        if request.deadline is not None and not self._is_deadline_user(job.owner):
            yield f'job rejected: the user "{job.owner}" is not a deadline initiation user'
        if request.priority > 0 and job.owner not in self._privileged:
            yield "job rejected: positive submission priority requires operator privileges"
        yield from self._dependencies.objections(job)
        text = objection(job, self._verification(job)) if is_verified(job) else None
        if text is not None:
            yield text

    def _verification(self, job: Job) -> Verification:
        request = job.request
        kind = (request.hard, request.hard_queues, request.master_queues, request.pe, request.checkpoint)
        key = (*kind, request.project, request.immediate, request.advance_reservation, job.owner, job.group)
        if key not in self._verifications:
            self._verifications[key] = self._verify(job)
        return self._verifications[key]

    def objection_to_kind(self, job: Job) -> str | None:
        """Why all jobs of one user with the same requests are refused; None where they are not."""
        return next(self._objections_to_kind(job), None)

    def _objections_to_kind(self, job: Job) -> Iterator[str]:
        request, compiled = job.request, self._compiled
        submit = compiled.submit_access
        if not submit.permits(job.owner, job.group, compiled.usersets, of_any_type=True):
            yield f"job rejected: {job.owner} is not allowed to submit jobs"
        yield from _objections_to_requests(request.hard, compiled)
        yield from _objections_to_requests(request.soft, compiled)
        for name, _ in request.soft:
            attribute = compiled.attributes.find(name)
            if attribute is not None and attribute.is_consumable:
                yield f'denied: soft requests on consumables like "{attribute.name}" are not supported'
        for patterns in (request.hard_queues, request.soft_queues, request.master_queues):
            yield from self._objections_to_queues(patterns)
        if request.pe is not None:
            yield from self._objections_to_environment(request.pe)
        if request.checkpoint is not None and self._cluster.get(Kind.CKPT, request.checkpoint) is None:
            yield f'job rejected: the requested checkpointing environment "{request.checkpoint}" does not exist'
        if self._needs_user and job.owner not in compiled.shares.users:
            yield f'job rejected: the user "{job.owner}" does not exist'
        yield from self._objections_to_project(job)

    def _objections_to_reservation(self, request: Request, submitted: int) -> Iterator[str]:
        """An advance reservation that is not there, or in which the job's run time has no place any more."""
        name = request.advance_reservation or ""
        reservation = self._reservations.get(name)
        if reservation is None:
            yield f"the advance reservation id {name} is invalid"
            return
        duration = requested(compile_demand(request, self._compiled.attributes))
        if duration is None:
            return
        if duration > reservation.end - reservation.start:
            yield f"the job duration is longer than duration of the advance reservation id {name}"
        elif max(submitted, reservation.start) + duration > reservation.end:
            yield f"the job duration exceeds the end time of the advance reservation id {name}"

    def _objections_to_queues(self, patterns: tuple[str, ...]) -> Iterator[str]:
        qname = self._compiled.attributes.by_name.get("qname")
        if patterns and (qname is None or qname.requestable == "NO"):
            yield "Job was rejected because job requests a queue while queues are not configured as requestable"
        unknown = [text for text in patterns if not self._matches_some_instance(QueuePattern.parse(text))]
        if unknown:
            yield "\n".join(f'Job was rejected because job requests unknown queue "{text}"' for text in unknown)

    def _matches_some_instance(self, pattern: QueuePattern) -> bool:
        groups = self._compiled.groups
        return any(pattern.matches(each.queue, each.host, groups) for each in self._compiled.instances)

    def _objections_to_environment(self, request: PeRequest) -> Iterator[str]:
        found = list(matching_environments(request.name, self._compiled.environments))
        if not found:
            yield f'job rejected: the requested parallel environment "{request.name}" does not exist'
        if any(first == 0 or last == 0 for first, last, _ in request.ranges):
            yield '"job" rejected: pe range must be greater than zero'
        first, last, _ = request.ranges[0]
        is_range = len(request.ranges) > 1 or first != last
        if is_range and len({environment.urgent_slots(request.ranges) for environment in found}) > 1:
            yield (
                '"job" rejected: PEs matching wildcard and jobs slot range would cause ambiguous urgency slot amount'
            )

    def _objections_to_project(self, job: Job) -> Iterator[str]:
        compiled = self._compiled
        submit = compiled.submit_access
        project = job.request.project or compiled.shares.default_project(job.owner)
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
        if not own.permits(job.owner, job.group, compiled.usersets, of_any_type=True):
            yield f'job rejected: no access to project "{project}" for user "{job.owner}"'
        if project in submit.xprojects or (submit.projects and project not in submit.projects):
            yield f'job rejected: project "{project}" is not allowed to submit jobs'

    def _is_deadline_user(self, user: str) -> bool:
        userset = self._compiled.usersets.get("deadlineusers")
        return userset is not None and user in userset.users


def _is_special(request: Request) -> bool:
    return bool(
        request.priority > 0
        or request.deadline is not None
        or request.advance_reservation is not None
        or request.verify
        or request.hold_jid
        or request.hold_jid_ad
    )


def _objections_to_requests(requests: tuple[tuple[str, str | None], ...], compiled: Compiled) -> Iterator[str]:
    attributes = compiled.attributes
    for name, text in requests:
        attribute = attributes.find(name)
        if attribute is None:
            yield f'unknown resource "{name}"'
            continue
        if attribute.requestable == "NO":
            yield f'resource "{name}" configured as non requestable'
        if text is None:
            continue
        if attribute.type == "HOST" and not is_expression(text) and canonical(text) not in compiled.hosts:
            yield f'can\'t resolve hostname "{text}"'
        if not attribute.numeric:
            position = syntax_error(text)
            if position is not None:
                yield f'Parse error on position {position} of the expression "{text}".'
            continue
        amount = number_or_none(text)
        if amount is None:
            yield f'attribute "{attribute.name}" is not a {_NOUNS[attribute.type]} value'
        elif attribute.is_consumable and text.lower() == "infinity":
            yield f'attribute "{attribute.name}" is not a value that can be set to infinity'
        elif attribute.is_consumable and amount < 0:
            yield f'attribute "{attribute.name}" is consumable but has a negative value'
    if any((found := attributes.find(name)) is not None and found.name == "slots" for name, _ in requests):
        yield '"job" denied: use parallel environments instead of requesting slots explicitly'
