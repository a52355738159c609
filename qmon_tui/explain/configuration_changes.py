"""Candidate changes if access lists, queue lists, types or PE lists do not admit a job."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from qmon_tui.explain import edits
from qmon_tui.explain.edits import (
    SIZE_OF_LIST_CHANGE,
    SIZE_OF_OPEN_ACCESS,
    CandidateChange,
    EditedCluster,
    Impact,
    alteration,
)
from qmon_tui.explain.queue_state_changes import QUEUE_STATE_CANDIDATES
from qmon_tui.explain.rejection import UnmetRequirement
from qmon_tui.explain.request_changes import instance_of, place_of, requestable, with_request
from qmon_tui.explain.task_rejections import TaskRejections
from qmon_tui.model import Kind, messages
from qmon_tui.scheduler.configuration import Access, ParallelEnvironment, as_qmaster
from qmon_tui.scheduler.placement import HOST_SCOPE
from qmon_tui.values import BLANK, COMMA, join_names, slots_text, split_names

Names = tuple[str, ...]


def candidates_for_access(
    rejections: TaskRejections, access: Access, where: str, set_list: Callable[[str, Names, str], CandidateChange]
) -> Iterator[CandidateChange]:
    """Yield changes that admit the job's owner to `where`; `set_list(field, names, sentence)` makes those of a list."""
    job = rejections.run_job.job
    # The scheduler ignores some lists that the qmaster checks later.
    usersets = as_qmaster(rejections.run.compiled).usersets
    banned = [name for name in access.xuser_lists if name in usersets and usersets[name].contains(job.owner, job.group)]
    if banned:
        rest = tuple(name for name in access.xuser_lists if name not in banned)
        yield set_list("xuser_lists", rest, f"remove {', '.join(banned)} from the xuser_lists of {where}")
        return
    known = [name for name in access.user_lists if name in usersets and usersets[name].is_list]
    for name in known:

        def with_owner(edited: EditedCluster, _: int, name: str = name) -> EditedCluster:
            obj = edited.cluster.objects(Kind.USERSET)[name]
            entries = (*split_names(obj.text("entries"), COMMA), job.owner)
            sentence = f"add {job.owner} to the access list {name}"
            return edits.object_field(edited, obj, "entries", join_names(entries, COMMA), sentence)

        yield CandidateChange(f"userset {name}", Impact.GROUP, SIZE_OF_LIST_CHANGE, with_owner)
    if access.user_lists:
        yield set_list("user_lists", (), f"let everybody use {where}: clear user_lists")


def candidates_for_pe_access(rejections: TaskRejections) -> Iterator[CandidateChange]:
    """Yield changes that admit the job's owner to its PEs, if none of them does."""
    for environment in rejections.environments if rejections.lacks_pe_access else ():

        def set_list(
            field: str, names: tuple[str, ...], sentence: str, environment: ParallelEnvironment = environment
        ) -> CandidateChange:
            name, size = environment.name, SIZE_OF_LIST_CHANGE if names else SIZE_OF_OPEN_ACCESS
            return CandidateChange(
                f"{field} {name}", Impact.GROUP, size, lambda w, _: edits.object_field(
                    w, w.cluster.objects(Kind.PE)[name], field, join_names(names, BLANK), sentence
                ),
            )  # fmt: skip

        yield from candidates_for_access(
            rejections, environment.access, f"parallel environment {environment.name}", set_list
        )


def candidates_for_rejection(rejections: TaskRejections, unmet: UnmetRequirement) -> Iterator[CandidateChange]:
    """Yield changes that end a rejection, chosen by the number of its message."""
    make = _BY_MESSAGE.get(unmet.rejection.number) or QUEUE_STATE_CANDIDATES.get(unmet.rejection.number)
    if make is not None:
        yield from make(rejections, unmet)


def _set_list(
    rejections: TaskRejections, unmet: UnmetRequirement, field: str, names: tuple[str, ...], sentence: str
) -> CandidateChange:
    """Return the change of a list of the host or queue instance that refuses the job."""
    value = join_names(names, BLANK)
    size = SIZE_OF_LIST_CHANGE if names else SIZE_OF_OPEN_ACCESS
    kind = f"{field} {unmet.rejection.scope}"
    place = place_of(rejections, unmet)
    return CandidateChange(kind, place.impact, size, lambda w, _: edits.set_field(w, place, field, value, sentence))


def _access(rejections: TaskRejections, unmet: UnmetRequirement) -> Access:
    if unmet.rejection.scope == HOST_SCOPE or unmet.number < 0:
        return rejections.run.compiled.hosts[unmet.place].access
    return instance_of(rejections, unmet).profile.access


def _user(rejections: TaskRejections, unmet: UnmetRequirement) -> Iterator[CandidateChange]:
    yield from candidates_for_access(
        rejections, _access(rejections, unmet), place_of(rejections, unmet).words, partial(_set_list, rejections, unmet)
    )


def _project(rejections: TaskRejections, unmet: UnmetRequirement) -> Iterator[CandidateChange]:
    """Yield other projects for the job, or the admission of its project."""
    access, job = _access(rejections, unmet), rejections.run_job.job
    where, project = place_of(rejections, unmet).words, rejections.run_job.project
    projects = rejections.run.compiled.shares.projects
    for name in access.projects:
        if name in projects and name != project:
            words = f"let job {job.id} belong to the project {name}"
            yield alteration("-P", Impact.JOB, SIZE_OF_LIST_CHANGE, job.id, f"-P {name}", words, project or "", name)
    if project is not None and project in access.xprojects:
        rest = tuple(name for name in access.xprojects if name != project)
        yield _set_list(rejections, unmet, "xprojects", rest, f"remove {project} from the xprojects of {where}")
    elif project is not None:
        names = (*access.projects, project)
        yield _set_list(rejections, unmet, "projects", names, f"add {project} to the projects of {where}")
    else:
        yield _set_list(rejections, unmet, "projects", (), f"let jobs of all projects use {where}: clear projects")


def _queue_list(rejections: TaskRejections, unmet: UnmetRequirement) -> Iterator[CandidateChange]:
    """Yield the addition of the queue instance's queue to -q."""
    job = rejections.run_job.job
    before = ",".join(job.request.hard_queues)
    instance = instance_of(rejections, unmet)

    def widened(edited: EditedCluster, _: int) -> EditedCluster:
        text = ",".join((*edited.job(job.id).request.hard_queues, instance.queue))
        sentence = f"let job {job.id} run in queue {instance.queue}, too"
        return edits.job_request(edited, job.id, f"-q '{text}'", sentence, "-q", before, text)

    yield CandidateChange("-q", Impact.JOB, SIZE_OF_LIST_CHANGE, widened)


def _queues_not_requestable(rejections: TaskRejections, unmet: UnmetRequirement) -> Iterator[CandidateChange]:
    # A folder may lack the entry, which every qmaster has.
    if (attribute := rejections.run.compiled.attributes.by_name.get("qname")) is not None:
        yield requestable(attribute, "NO")


def _environment(rejections: TaskRejections, unmet: UnmetRequirement) -> Iterator[CandidateChange]:
    """Yield the addition of the PE to the queue instance's pe_list, and other PEs for the job."""
    wanted = rejections.environments[0].name if rejections.environments else None
    if wanted is None:
        return
    place, pe_list = place_of(rejections, unmet), instance_of(rejections, unmet).profile.pe_list
    value = join_names((*pe_list, wanted), BLANK)
    sentence = f"offer the parallel environment {wanted} in {place.words}"
    yield CandidateChange(
        "pe_list",
        Impact.PLACE,
        SIZE_OF_LIST_CHANGE,
        lambda w, _: edits.set_field(w, place, "pe_list", value, sentence),
    )
    yield from other_environments(rejections, pe_list)


def other_environments(rejections: TaskRejections, offered: Iterable[str]) -> Iterator[CandidateChange]:
    """Yield changes to another of the offered PEs, those with the same allocation rule first."""
    job, known = rejections.run_job.job, rejections.run.compiled.environments
    asked = {environment.name: environment.rule for environment in rejections.environments}
    names = [name for name in offered if name in known and name not in asked]
    for name in sorted(names, key=lambda name: known[name].rule not in asked.values()):

        def other(edited: EditedCluster, _: int, name: str = name) -> EditedCluster:
            before = edited.job(job.id).request.pe
            assert before is not None
            sentence = f"let job {job.id} run in the parallel environment {name}"
            options = f"-pe {name} {slots_text(before.ranges)}"
            return edits.job_request(edited, job.id, options, sentence, "-pe", before.name, name)

        yield CandidateChange("-pe", Impact.JOB, SIZE_OF_LIST_CHANGE, other)


def _queue_type(rejections: TaskRejections, unmet: UnmetRequirement) -> Iterator[CandidateChange]:
    place, profile = place_of(rejections, unmet), instance_of(rejections, unmet).profile
    word = "BATCH" if unmet.rejection.number == messages.NOT_BATCH else "INTERACTIVE"
    other = [("INTERACTIVE", profile.interactive), ("BATCH", profile.batch)]
    value = " ".join((word, *(name for name, has in other if has)))
    sentence = f"let {place.words} have the type {word.lower()}, too"
    yield CandidateChange(
        "qtype", Impact.PLACE, SIZE_OF_LIST_CHANGE, lambda w, _: edits.set_field(w, place, "qtype", value, sentence)
    )


def _for_forced(rejections: TaskRejections, unmet: UnmetRequirement) -> Iterator[CandidateChange]:
    """Yield the request for the FORCED attribute, and the change to make it optional."""
    attribute = rejections.run.compiled.attributes.by_name.get(unmet.rejection.attribute or "")
    if attribute is None:
        return
    resources = rejections.run.resources
    host = resources.hosts[resources.host_of[unmet.number]] if unmet.number >= 0 else resources.global_level
    levels = (host, resources.queues[unmet.number]) if unmet.number >= 0 else (host,)
    offered = next(
        (level.configured[attribute.name].text for level in levels if attribute.name in level.configured), ""
    )
    amount = "1" if attribute.is_consumable else offered
    value = None if attribute.type == "BOOL" else amount
    yield with_request(rejections, attribute, value)
    yield requestable(attribute, "FORCED")


_BY_MESSAGE: Mapping[int, Callable[[TaskRejections, UnmetRequirement], Iterator[CandidateChange]]] = {
    messages.NO_PERMISSION: _user,
    messages.NO_PROJECT: _project,
    messages.WRONG_PROJECT: _project,
    messages.EXCLUDED_PROJECT: _project,
    messages.NOT_IN_QUEUE_LIST: _queue_list,
    messages.QUEUES_NOT_REQUESTABLE: _queues_not_requestable,
    messages.NOT_PARALLEL_QUEUE: _environment,
    messages.NOT_IN_PE_LIST: _environment,
    messages.NOT_BATCH: _queue_type,
    messages.NOT_INTERACTIVE: _queue_type,
    messages.FORCED_IN_QUEUE: _for_forced,
    messages.FORCED_ON_HOST: _for_forced,
}
