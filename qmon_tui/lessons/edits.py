"""Edits of lessons and submissions, as data: fields by their path, commands of Grid Engine, objects."""

import shlex
from collections.abc import Iterable
from dataclasses import replace
from typing import Final, NamedTuple

from qmon_tui.formats import Layout, read_texts
from qmon_tui.formats.state import entry, with_entries
from qmon_tui.lessons.data import LessonError, quoted
from qmon_tui.lessons.lesson import AddObjects, CommandLine, FieldEdit, LessonEdit, RemoveObject, SetTime, WholeCluster
from qmon_tui.model import Cluster, Job, Kind, Severity, State, StateEntry, StateKind, config_object
from qmon_tui.model.catalogue import single_name, spec, specs
from qmon_tui.qmaster import Command, Qdel, Qsub, new_job, read_command
from qmon_tui.values import meant, parse_moment

KINDS: Final = {known.yaml_key: kind for kind, known in specs().items()}
"""Key at the top of a YAML file -> kind of object."""
STATE_KINDS: Final = {"jobs": StateKind.JOB, "loads": StateKind.LOADS, "states": StateKind.INSTANCE}
_PROGRAMS: Final = ("qalter", "qhold", "qrls", "qdel", "qmod", "qrdel", "qrsub", "qconf", "qsub")
_OF_JOBS: Final = frozenset({"qalter", "qhold", "qrls", "qdel", "qmod"})


class ClusterState(NamedTuple):
    """A cluster and its state."""

    cluster: Cluster
    state: State


def is_command(text: str) -> bool:
    """True if an edit is a command of Grid Engine."""
    return text.split(None, 1)[0] in _PROGRAMS if text.strip() else False


def field_edit(text: str, line: int | None) -> FieldEdit:
    """Return a text such as queues.all.q.slots=4 as an edit. Raises LessonError."""
    path, equals, value = text.partition("=")
    if not equals:
        raise LessonError(
            f'"{quoted(text)}" is not an edit', line, "write KEY.NAME.FIELD=VALUE or a command such as qalter -p 10 JOB"
        )
    key, name, field = split_path(path.strip(), line)
    return FieldEdit(key, name, field, value.strip() or None, line)


def edit_words(edit: LessonEdit) -> str:
    """Return an edit in one line, as a lesson or a submission may write it."""
    match edit:
        case FieldEdit(key, name, attribute, text):
            path = f"{key}.{attribute}" if key in KINDS and spec(KINDS[key]).single else f"{key}.{name}.{attribute}"
            return f"{path}={text or ''}"
        case CommandLine(words, owner):
            return f"{words} ({owner})" if owner else words
        case AddObjects(text):
            return f"add {' '.join(text.split())}"
        case RemoveObject(key, name):
            return f"remove {key}.{name}"
        case SetTime(text):
            return f"now: {text}"
        case WholeCluster():
            return "another cluster"


def edit_title(edit: LessonEdit) -> str:
    """Return an edit in a few words; added objects only by their names."""
    if not isinstance(edit, AddObjects):
        return edit_words(edit)
    contents = read_texts(Layout.YAML, "lesson", {"lesson.yaml": edit.text})
    objects = [obj for part in contents.parts.values() for obj in part.objects]
    added = [f"{spec(obj.kind).yaml_key}{'' if spec(obj.kind).single else f'.{obj.name}'}" for obj in objects]
    added += [f"jobs.{job.name}" for job in contents.state.jobs]
    return f"add {' '.join(added)}" if added else edit_words(edit)


def split_path(path: str, line: int | None) -> tuple[str, str, str]:
    """Return key, name and field of a path: queues.all.q.slots, scheduler.weight_ticket. Raises LessonError."""
    key, dot, rest = path.partition(".")
    kind = KINDS.get(key)
    if kind is None and key not in STATE_KINDS:
        known = (*KINDS, *STATE_KINDS)
        raise LessonError(
            f'"{quoted(key)}" is no kind of object', line, meant(key, known) or f"kinds: {', '.join(known)}"
        )
    if kind is not None and spec(kind).single:
        if not dot or (kind is not Kind.SHARETREE and rest not in spec(kind).by_name and spec(kind).by_name):
            raise LessonError(f'{key} has no field "{quoted(rest)}"', line, meant(rest, spec(kind).by_name))
        return key, single_name(kind), rest
    name, dot, field = rest.rpartition(".")
    if not dot or not name or not field:
        raise LessonError(f'"{quoted(path)}" names no field', line, f"write {key}.NAME.FIELD")
    if kind is not None and field not in spec(kind).by_name:
        raise LessonError(f'{key} have no field "{quoted(field)}"', line, meant(field, spec(kind).by_name))
    return key, name, field


def made(place: ClusterState, edits: Iterable[LessonEdit]) -> ClusterState:
    """Return cluster and state after all edits in their order. Raises LessonError at the first that is impossible."""
    for edit in edits:
        place = edited(place, edit)
    return place


def edited(place: ClusterState, edit: LessonEdit) -> ClusterState:
    """Return cluster and state after an edit. Raises LessonError, in the qmaster's words if it refuses the edit."""
    match edit:
        case FieldEdit():
            return _with_field(place, edit)
        case CommandLine():
            return _commanded(place, edit)
        case AddObjects():
            return _with_objects(place, edit)
        case RemoveObject():
            kind = KINDS[edit.key]
            if place.cluster.get(kind, edit.name) is None:
                raise LessonError(f"there is no {kind.value} {quoted(edit.name)}", edit.line)
            return place._replace(cluster=place.cluster.without(kind, edit.name))
        case SetTime():
            try:
                return place._replace(state=replace(place.state, now=parse_moment(edit.text, int(place.state.now))))
            except ValueError as error:
                raise LessonError(f"{error}", edit.line) from None
        case WholeCluster():
            return ClusterState(edit.cluster, edit.state)


def find_job(state: State, name: str) -> Job:
    """Return the job with a unique name, or a number. Raises LessonError."""
    named = [job for job in state.jobs if job.name == name]
    if len(named) == 1:
        return named[0]
    if len(named) > 1:
        numbers = ", ".join(str(job.id) for job in named)
        raise LessonError(f"{quoted(name)} is the name of several jobs: {numbers}", hint="give the number")
    job = next((job for job in state.jobs if str(job.id) == name), None)
    if job is None:
        names = [job.name for job in state.jobs]
        raise LessonError(f"there is no job {quoted(name)}", hint=meant(name, names))
    return job


def job_label(state: State, job: Job) -> str:
    """Return the name of a job if no other job has it; else its number."""
    named = sum(other.name == job.name for other in state.jobs)
    return job.name if named == 1 and job.name else str(job.id)


def _with_field(place: ClusterState, edit: FieldEdit) -> ClusterState:
    if edit.key in KINDS:
        kind = KINDS[edit.key]
        obj = place.cluster.get(kind, edit.name)
        if obj is None:
            if not spec(kind).single and (kind, edit.name) not in _BUILT_IN:
                names = place.cluster.objects(kind)
                raise LessonError(f"there is no {kind.value} {quoted(edit.name)}", edit.line, meant(edit.name, names))
            obj = config_object(kind, edit.name, {})
        return place._replace(cluster=place.cluster.with_object(obj.with_value(edit.attribute, edit.text)))
    kind_of_item = STATE_KINDS[edit.key]
    name = str(find_job(place.state, edit.name).id) if kind_of_item is StateKind.JOB else edit.name
    item = entry(place.state, kind_of_item, name) or StateEntry(kind_of_item, name, {})
    try:
        changed = item.with_value(edit.attribute, edit.text)
        return place._replace(state=with_entries(place.state, (changed,)))
    except (ValueError, KeyError) as error:
        raise LessonError(f"{edit.key}.{edit.name} cannot be so: {error}", edit.line) from None


_BUILT_IN: Final = frozenset({(Kind.HOST, "global"), (Kind.CONFIGURATION, "global")})


def command_of(place: ClusterState, edit: CommandLine) -> Command:
    """Read the command of a line, which may give jobs by name. Raises LessonError."""
    line = with_numbers(place.state, edit.words)
    program = line.split(None, 1)[0]
    if program == "qsub":
        if not edit.owner:
            raise LessonError("who submits the job?", edit.line, "write {qsub: OPTIONS, owner: NAME}")
        return Qsub(new_job(place.state, edit.owner, line.split(None, 1)[1] if " " in line else ""))
    command = read_command(place.cluster, line, edit.owner)
    if command is None:
        raise LessonError(f'"{quoted(edit.words)}" is not a command that is understood here', edit.line)
    # No host takes time to end a job here.
    return Qdel(command.targets, force=True) if isinstance(command, Qdel) else command


def _commanded(place: ClusterState, edit: CommandLine) -> ClusterState:
    command = command_of(place, edit)
    reply = command.apply(place.cluster, place.state)
    if not reply.changes(place.state):
        reason = " ".join(reply.reasons) or "nothing is changed by it"
        raise LessonError(f'"{quoted(edit.words)}": {reason}', edit.line)
    return ClusterState(reply.cluster or place.cluster, reply.state)


def with_numbers(state: State, words: str) -> str:
    """Return a command line in which job names at its end are replaced by job numbers."""
    try:
        split = shlex.split(words)
    except ValueError:
        return words
    if not split or split[0] not in _OF_JOBS:
        return words
    names: dict[str, list[int]] = {}
    for job in state.jobs:
        names.setdefault(job.name, []).append(job.id)
    for index in range(len(split) - 1, 0, -1):
        name, dot, task = split[index].rpartition(".")
        if len(names.get(split[index], ())) == 1:
            split[index] = str(names[split[index]][0])
        elif dot and len(names.get(name, ())) == 1:
            split[index] = f"{names[name][0]}.{task}"
        elif not split[index].replace(".", "").isdigit():
            break
    return shlex.join(split)


def _with_objects(place: ClusterState, edit: AddObjects) -> ClusterState:
    contents = read_texts(Layout.YAML, place.cluster.name, {"lesson.yaml": edit.text})
    broken = next((finding for finding in contents.findings if finding.severity is Severity.ERROR), None)
    if broken is not None:
        raise LessonError(broken.message, broken.line, broken.hint)
    objects = [obj for part in contents.parts.values() for obj in part.objects]
    cluster = place.cluster.with_objects(objects)
    state = place.state
    jobs = {job.id: job for job in contents.state.jobs}
    if jobs:
        kept = tuple(jobs.pop(job.id, job) for job in state.jobs)
        state = replace(state, jobs=(*kept, *jobs.values()))
    if contents.state.loads:
        state = replace(state, loads={**state.loads, **contents.state.loads})
    return ClusterState(cluster, state)
