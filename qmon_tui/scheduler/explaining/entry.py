"""Ways out where the configuration does not let a job in: lists of users, projects, queues, environments."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from qmon_tui.scheduler import messages
from qmon_tui.scheduler.compiled.access import Access
from qmon_tui.scheduler.compiled.queues import Instance
from qmon_tui.scheduler.explaining import edits
from qmon_tui.scheduler.explaining.amounts import requestable, with_request
from qmon_tui.scheduler.explaining.edits import Edited
from qmon_tui.scheduler.explaining.lacks import Lack
from qmon_tui.scheduler.explaining.letting_in import LISTED, OPENED, let_in
from qmon_tui.scheduler.explaining.obstacles import Obstacles
from qmon_tui.scheduler.explaining.opening import OPENING
from qmon_tui.scheduler.explaining.remedy import Reach, Remedy
from qmon_tui.scheduler.placement.sequential import HOST_SCOPE
from qmon_tui.values.lists import BLANK, join_names
from qmon_tui.values.number_ranges import slots_text

_HUNDREDTHS = 100


def remedies_for_entry(found: Obstacles, lack: Lack) -> Iterator[Remedy]:
    """For a refusal: what its message is about tells what can be changed."""
    make = _BY_MESSAGE.get(lack.obstacle.number) or OPENING.get(lack.obstacle.number)
    if make is not None:
        yield from make(found, lack)


def _instance(found: Obstacles, lack: Lack) -> Instance:
    return found.run.resources.instances[lack.number]


def _set_list(found: Obstacles, lack: Lack, field: str, names: tuple[str, ...], sentence: str) -> Remedy:
    """A list of the host or queue instance that refuses the job, with other names in it."""
    value = join_names(names, BLANK)
    size = LISTED if names else OPENED
    kind = f"{field} {lack.obstacle.scope}"
    if lack.obstacle.scope == HOST_SCOPE or lack.number < 0:
        reach = Reach.PLACE if lack.number >= 0 else Reach.CLUSTER
        return Remedy(kind, reach, size, lambda w, _: edits.host_field(w, lack.place, field, value, sentence))
    instance = _instance(found, lack)
    return Remedy(
        kind,
        Reach.PLACE,
        size,
        lambda w, _: edits.queue_field(w, instance.queue, instance.host, field, value, sentence),
    )


def _access(found: Obstacles, lack: Lack) -> Access:
    if lack.obstacle.scope == HOST_SCOPE or lack.number < 0:
        return found.run.compiled.hosts[lack.place].access
    return _instance(found, lack).profile.access


def _where(found: Obstacles, lack: Lack) -> str:
    """The place whose lists decide, in words; of a whole cluster queue one of its instances."""
    if lack.number < 0:
        return "the global host"
    if lack.obstacle.scope == HOST_SCOPE:
        return f"host {lack.place}"
    return f"queue instance {_instance(found, lack).name}"


def _user(found: Obstacles, lack: Lack) -> Iterator[Remedy]:
    """The user gets into a list that is let in, or the list that keeps the user out goes."""
    yield from let_in(found, _access(found, lack), _where(found, lack), partial(_set_list, found, lack))


def _project(found: Obstacles, lack: Lack) -> Iterator[Remedy]:
    """The job gets a project that is let in, or its project is let in."""
    access, job = _access(found, lack), found.run_job.job
    where, project = _where(found, lack), found.run_job.project
    projects = found.run.compiled.shares.projects
    for name in access.projects:
        if name in projects and name != project:

            def other(world: Edited, _: int, name: str = name) -> Edited:
                own = world.job(job.id)
                sentence = f"let job {job.id} belong to the project {name}"
                request = replace(own.request, project=name)
                return edits.job_request(world, own, request, sentence, "-P", project or "", name, f"-P {name}")

            yield Remedy("-P", Reach.JOB, LISTED, other)
    if project is not None and project in access.xprojects:
        rest = tuple(name for name in access.xprojects if name != project)
        yield _set_list(found, lack, "xprojects", rest, f"take {project} out of the xprojects of {where}")
    elif project is not None:
        names = (*access.projects, project)
        yield _set_list(found, lack, "projects", names, f"enter {project} into the projects of {where}")
    else:
        yield _set_list(found, lack, "projects", (), f"let jobs of all projects use {where}: no projects")


def _queue_list(found: Obstacles, lack: Lack) -> Iterator[Remedy]:
    """The job names a queue instance, or none at all."""
    job = found.run_job.job
    before = ",".join(job.request.hard_queues)
    instance = _instance(found, lack)

    def widened(world: Edited, _: int) -> Edited:
        own = world.job(job.id)
        queues = (*own.request.hard_queues, instance.queue)
        sentence = f"let job {job.id} run in queue {instance.queue}, too"
        text = ",".join(queues)
        return edits.job_request(
            world, own, replace(own.request, hard_queues=queues), sentence, "-q", before, text, f"-q '{text}'"
        )

    yield Remedy("-q", Reach.JOB, LISTED, widened)


def _queues_not_requestable(found: Obstacles, lack: Lack) -> Iterator[Remedy]:
    yield requestable(found, found.run.compiled.attributes.by_name["qname"], "NO")


def _environment(found: Obstacles, lack: Lack) -> Iterator[Remedy]:
    """The queue instance offers the parallel environment; or the job takes one that is offered there."""
    wanted = found.environments[0].name if found.environments else None
    if wanted is None:
        return
    instance = _instance(found, lack)
    value = join_names((*instance.profile.pe_list, wanted), BLANK)
    sentence = f"offer the parallel environment {wanted} in queue instance {instance.name}"
    yield Remedy(
        "pe_list",
        Reach.PLACE,
        LISTED,
        lambda w, _: edits.queue_field(w, instance.queue, instance.host, "pe_list", value, sentence),
    )
    yield from other_environments(found, instance.profile.pe_list)


def other_environments(found: Obstacles, offered: Iterable[str]) -> Iterator[Remedy]:
    """The job takes another parallel environment of those offered, one with the same allocation rule before others."""
    job, known = found.run_job.job, found.run.compiled.environments
    asked = {one.name: one.rule for one in found.environments}
    names = [name for name in offered if name in known and name not in asked]
    for name in sorted(names, key=lambda name: known[name].rule not in asked.values()):

        def other(world: Edited, _: int, name: str = name) -> Edited:
            own = world.job(job.id)
            before = own.request.pe
            assert before is not None
            changed = replace(own.request, pe=replace(before, name=name))
            sentence = f"let job {job.id} run in the parallel environment {name}"
            options = f"-pe {name} {slots_text(before.ranges)}"
            return edits.job_request(world, own, changed, sentence, "-pe", before.name, name, options)

        yield Remedy("-pe", Reach.JOB, LISTED, other)


def _queue_type(found: Obstacles, lack: Lack) -> Iterator[Remedy]:
    instance = _instance(found, lack)
    word = "BATCH" if lack.obstacle.number == messages.NOT_BATCH else "INTERACTIVE"
    other = [("INTERACTIVE", instance.profile.interactive), ("BATCH", instance.profile.batch)]
    value = " ".join((word, *(name for name, has in other if has)))
    sentence = f"let queue instance {instance.name} be of type {word.lower()}, too"
    yield Remedy(
        "qtype",
        Reach.PLACE,
        LISTED,
        lambda w, _: edits.queue_field(w, instance.queue, instance.host, "qtype", value, sentence),
    )


def _forced(found: Obstacles, lack: Lack) -> Iterator[Remedy]:
    """The job asks for what must be asked for, in the value that is offered; or it need not be asked for."""
    attribute = found.run.compiled.attributes.by_name.get(lack.obstacle.attribute or "")
    if attribute is None:
        return
    resources = found.run.resources
    host = resources.hosts[resources.host_of[lack.number]] if lack.number >= 0 else resources.global_level
    levels = (host, resources.queues[lack.number]) if lack.number >= 0 else (host,)
    offered = next(
        (level.configured[attribute.name].text for level in levels if attribute.name in level.configured), ""
    )
    value = None if attribute.type == "BOOL" else "1" if attribute.is_consumable else offered
    yield with_request(found, attribute, value)
    yield requestable(found, attribute, "FORCED")


_BY_MESSAGE: Mapping[int, Callable[[Obstacles, Lack], Iterator[Remedy]]] = {
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
    messages.FORCED_IN_QUEUE: _forced,
    messages.FORCED_ON_HOST: _forced,
}
