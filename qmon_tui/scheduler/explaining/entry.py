"""Ways out where the configuration does not let a job in: lists of users, projects, queues, environments, states."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from math import isfinite

from qmon_tui.scheduler import messages
from qmon_tui.scheduler.compiled.access import Access
from qmon_tui.scheduler.compiled.queues import Instance
from qmon_tui.scheduler.explaining import edits
from qmon_tui.scheduler.explaining.amounts import requestable, with_request
from qmon_tui.scheduler.explaining.edits import Edited
from qmon_tui.scheduler.explaining.lacks import Lack
from qmon_tui.scheduler.explaining.letting_in import LISTED, OPENED, let_in
from qmon_tui.scheduler.explaining.obstacles import Obstacles
from qmon_tui.scheduler.explaining.remedy import MOST_STEPS, Reach, Remedy
from qmon_tui.scheduler.placement.sequential import HOST_SCOPE
from qmon_tui.scheduler.queue_states import CONFIGURED, UNHEARD
from qmon_tui.scheduler.suspending.letters import SUBORDINATED
from qmon_tui.values.lists import BLANK, BLANK_OR_COMMA, join_entries, join_names
from qmon_tui.values.ranges import slots_text

_HUNDREDTHS = 100


def remedies_for_entry(found: Obstacles, lack: Lack) -> Iterator[Remedy]:
    """For a refusal: what its message is about tells what can be changed."""
    make = _BY_MESSAGE.get(lack.obstacle.number)
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
    instance, job = _instance(found, lack), found.run_job.job
    value = join_names((*instance.profile.pe_list, wanted), BLANK)
    sentence = f"offer the parallel environment {wanted} in queue instance {instance.name}"
    yield Remedy(
        "pe_list",
        Reach.PLACE,
        LISTED,
        lambda w, _: edits.queue_field(w, instance.queue, instance.host, "pe_list", value, sentence),
    )
    for name in instance.profile.pe_list:
        if name in found.run.compiled.environments and job.request.pe is not None:

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


def _state(found: Obstacles, lack: Lack) -> Iterator[Remedy]:
    """The queue instance is freed of its states, and of the calendar that has closed it."""
    instance, closing = _instance(found, lack), lack.obstacle.closing
    letters = "".join(one for one in found.run.availability.states[lack.number] if one not in CONFIGURED)
    if UNHEARD in letters:
        # No command makes an execd report.
        return
    if closing is None:
        # What a superordinate suspends goes on when that has fewer jobs, and not by a command.
        if letters and SUBORDINATED not in letters:
            yield Remedy("state", Reach.PLACE, 0.3, lambda w, _: edits.instance_state(w, instance.name, letters))
        return
    sentence = f"take the calendar {closing.calendar} away from queue instance {instance.name}"

    def opened(world: Edited, _: int) -> Edited:
        free = edits.instance_state(world, instance.name, letters) if letters else world
        return edits.queue_field(free, instance.queue, instance.host, "calendar", "NONE", sentence)

    yield Remedy("calendar", Reach.PLACE, OPENED, opened)


def _unclean(found: Obstacles, lack: Lack) -> Iterator[Remedy]:
    """The hosts of the task's earlier runs are cleaned up, as the real ones do by themselves in a while."""
    del lack
    run_job = found.run_job
    task = run_job.queue[run_job.next_task]
    hosts = ", ".join(run_job.unclean)
    yield Remedy("clean", Reach.JOB, 0.3, lambda w, _: edits.cleaned_up(w, run_job.id, task, hosts))


def _load_alarm(found: Obstacles, lack: Lack) -> Iterator[Remedy]:
    """A threshold just above the load, where one reported load is the matter; or no thresholds."""
    limits = _instance(found, lack).profile.load_thresholds
    levels = found.run.resources.levels_of(lack.number)
    reached = [entry for entry in limits if found.run.thresholds.alarm([entry], *levels) is not None]
    if len(reached) == 1:
        yield from _higher_threshold(found, lack, reached[0])
    yield _without_thresholds(found, lack, "load_thresholds", "load thresholds")


def _higher_threshold(found: Obstacles, lack: Lack, reached: tuple[str, str]) -> Iterator[Remedy]:
    name, limit = reached
    instance = _instance(found, lack)
    attribute = found.run.compiled.attributes.find(name)
    global_level, host, _ = found.run.resources.levels_of(lack.number)
    load = host.loads.get(name) or global_level.loads.get(name)
    if attribute is None or load is None or not attribute.numeric or attribute.relop not in (">=", ">"):
        return
    # No threshold is above a load without an end.
    if not isfinite(load.number * _HUNDREDTHS):
        return

    def raised(world: Edited, steps: int) -> Edited:
        # Beyond the load that is reported comes what just-started jobs are assumed to add.
        value = f"{(int(load.number * _HUNDREDTHS) + steps) / _HUNDREDTHS:g}"
        entries = ((key, value if key == name else old) for key, old in instance.profile.load_thresholds)
        sentence = f"raise the load threshold {name} of queue instance {instance.name} from {limit} to {value}"
        text = join_entries(entries, BLANK_OR_COMMA)
        return edits.queue_field(world, instance.queue, instance.host, "load_thresholds", text, sentence)

    yield Remedy("higher threshold", Reach.PLACE, LISTED, raised, MOST_STEPS)


def _suspend_alarm(found: Obstacles, lack: Lack) -> Iterator[Remedy]:
    yield _without_thresholds(found, lack, "suspend_thresholds", "suspend thresholds")


def _without_thresholds(found: Obstacles, lack: Lack, field: str, words: str) -> Remedy:
    instance = _instance(found, lack)
    sentence = f"take the {words} away from queue instance {instance.name}"
    return Remedy(
        field,
        Reach.PLACE,
        OPENED,
        lambda w, _: edits.queue_field(w, instance.queue, instance.host, field, "NONE", sentence),
    )


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
    messages.NOT_CLEAN: _unclean,
    messages.DISABLED: _state,
    messages.NOT_AVAILABLE: _state,
    messages.SUSPENDED: _state,
    messages.OVERLOADED: _load_alarm,
    messages.SUSPEND_ALARM: _suspend_alarm,
}
