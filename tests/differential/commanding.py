"""Play sessions of commands on the real qmaster, keep what it says, and play them on our own state."""

import json
import re
import shlex
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any, Final

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.jobs import Job, Request, Task
from qmon_tui.model.state import State
from qmon_tui.qmaster.commands import (
    InstanceCommand,
    JobCommand,
    Reply,
    Target,
    alter,
    instances_named,
    modify,
    new_job,
    submit,
)
from qmon_tui.qmaster.commands.holds import hold, release
from qmon_tui.qmaster.commands.modify import reschedule_instances
from qmon_tui.qmaster.commands.qdel import delete
from qmon_tui.qmaster.commands.qmod_queues import change_instances
from qmon_tui.qmaster.commands.tasks import exists, letters, task_of
from qmon_tui.scheduler.configuration.compiled_cluster import compile_cluster
from qmon_tui.scheduler.jobs.dependencies import Dependencies
from qmon_tui.sources import read_folder
from qmon_tui.values.number_ranges import parse_ranges, range_numbers
from tests.differential.command_sessions import SESSIONS, cluster_of
from tests.differential.loading import load
from tests.differential.observing import observe
from tests.differential.qmaster import Qmaster
from tests.differential.session_player import run_scheduler

RECORDED: Final = Path(__file__).parent.parent / "data" / "recorded" / "commands.json"
START_SECONDS: Final = 6.5
_LINE: Final = re.compile(r"(?P<user>\w+)[$#] (?P<command>.+)")
_ATTRIBUTES: Final = (
    *("hard resource_list", "soft resource_list", "hard_queue_list", "soft_queue_list", "master hard queue_list"),
    *("parallel environment", "priority", "project", "job_name", "jobshare", "account"),
    *("checkpoint_object", "maximum concurrency", "oticket", "restart", "reserve", "ar_id", "context"),
)
_PLAIN_ROW: Final = 8
_QUEUE: Final = 7
_WITHOUT_STATE: Final = 5
"""Columns of qstat."""

_FIRST_START: Final = 1_800_000_000.0
_BETWEEN_RUNS: Final = 10.0

Step = Mapping[str, Any]
"""A command with what was said, the tasks and instances afterwards, and the attributes of an altered job."""


# -- the real system


def record(qmaster: Qmaster, name: str, session: str | None = None) -> list[Step]:
    """Play a session, the one of that name or another one, from a fresh start; one step for each line."""
    with TemporaryDirectory() as folder:
        Path(folder, "cluster.yaml").write_text(cluster_of(name))
        cluster = read_folder(folder).cluster
    qmaster.restart()
    load(qmaster, cluster)
    return [_real_step(qmaster, line) for line in (session or SESSIONS[name]).splitlines()]


def _real_step(qmaster: Qmaster, line: str) -> Step:
    said: list[str] = []
    if line in ("run", "start"):
        run_scheduler(qmaster)
        if line == "run":
            time.sleep(START_SECONDS)
        return {"line": line, "said": said, **_seen(qmaster), **_granted(qmaster)}
    user, command = _parts(line)
    program, *words = shlex.split(command)
    options = ["-b", "y"] if program == "qsub" else []
    run = (program, *options, *words)
    answer = qmaster.run(*run) if user == "root" else qmaster.run_as(user, "staff", *run)
    said = [part.strip() for part in answer.text.splitlines() if part.strip() and part.strip() != "Exiting."]
    return {"line": line, "said": said, **_seen(qmaster), **_real_attributes(qmaster, line)}


def _seen(qmaster: Qmaster) -> dict[str, Any]:
    """Quickly, since a job that is told to end is gone a second later."""
    rows = [line.split() for line in qmaster.run("qstat", "-u", "*", "-g", "d").out.splitlines()[2:]]
    numbers = {row[0] for row in rows if len(row) > _PLAIN_ROW + ("@" in row[_QUEUE])}
    tasks = {f"{row[0]}.{row[-1] if row[0] in numbers else 1}": row[4] for row in rows}
    lines = (line.split() for line in qmaster.run("qstat", "-f").out.splitlines() if "@" in line)
    return {"tasks": tasks, "instances": {row[0]: row[5] for row in lines if len(row) > _WITHOUT_STATE}}


def _granted(qmaster: Qmaster) -> dict[str, Any]:
    """What the tasks were given that run."""
    seen = observe(qmaster)
    rows = ((job.id, row) for job in seen.jobs for row in job.rows if row.granted)
    return {"granted": {f"{number}.{task}": row.granted for number, row in rows for task in row.tasks}}


def _real_attributes(qmaster: Qmaster, line: str) -> dict[str, Any]:
    if "qalter" not in line:
        return {}
    return {"attributes": attributes_of(qmaster, int(line.split()[-1]))}


def attributes_of(qmaster: Qmaster, number: int) -> dict[str, str]:
    """What qstat -j says of a job that qalter can change."""
    lines = qmaster.run("qstat", "-j", str(number)).out.splitlines()
    found = (one.partition(":") for one in lines)
    known = {name.strip(): " ".join(text.split()) for name, _, text in found if name.strip() in _ATTRIBUTES}
    return {name: text for name, text in known.items() if text}


def keep(qmaster: Qmaster) -> None:
    """Record all sessions anew."""
    steps = {name: record(qmaster, name) for name in SESSIONS}
    RECORDED.write_text(json.dumps(steps, indent=0, sort_keys=True) + "\n")


def recorded() -> dict[str, list[Step]]:
    """The sessions as they were recorded."""
    return dict(json.loads(RECORDED.read_text()))


# -- our own state


@dataclass(slots=True)
class Ours:
    """Our state, to which the same commands are given."""

    cluster: Cluster
    state: State
    runs: int = 0

    @classmethod
    def fresh(cls, name: str = "") -> "Ours":
        """Nothing has been submitted in a session."""
        contents = read_texts(Layout.YAML, "sessions", {"cluster.yaml": cluster_of(name)})
        return cls(contents.cluster, replace(contents.state, now=1_800_000_000))

    def step(self, real: Step) -> dict[str, Any]:
        """Do what a step says; the same data as it has."""
        line = real["line"]
        said: list[str] = []
        if line in ("run", "start"):
            # What the scheduler decides is not the matter here: it is taken from the real one.
            self.runs += 1
            jobs = tuple(_placed(job, real, _FIRST_START + _BETWEEN_RUNS * self.runs) for job in self.state.jobs)
            self.state = replace(self.state, jobs=jobs, queue_states=MappingProxyType(real["instances"]))
        else:
            reply = self.command(*_parts(line))
            self.state = reply.state
            said = [part for text in reply.messages for part in text.splitlines()]
        found = {"line": line, "said": said, "tasks": self._tasks(), "instances": dict(self.state.queue_states)}
        return found if "qalter" not in line else {**found, "attributes": self._attributes(int(line.split()[-1]))}

    def command(self, user: str, command: str) -> Reply:
        """What comes of a command of a user."""
        program, *words = shlex.split(command)
        if program == "qsub":
            return submit(self.cluster, self.state, new_job(self.state, user, shlex.join(words)))
        if program == "qalter":
            return alter(self.cluster, self.state, int(words[-1]), shlex.join(words[:-1]))
        if program == "qmod":
            return self._qmod(words)
        target = _target(words[-1])
        if program == "qdel":
            return delete(self.cluster, self.state, target, force="-f" in words)
        held = words[1] if words[0] == "-h" else "u"
        return (hold if program == "qhold" else release)(self.cluster, self.state, target, held)

    def _qmod(self, words: list[str]) -> Reply:
        *options, name = words
        option = " ".join(options)
        if option == "-rq" or option == "-f -rq":
            names = instances_named(self.cluster, name)
            return reschedule_instances(self.cluster, self.state, names, force=option != "-rq")
        if option in list(JobCommand):
            return modify(self.cluster, self.state, JobCommand(option), _target(name))
        names = instances_named(self.cluster, name)
        if not names:
            return Reply(self.state, (f'invalid queue "{name}"',))
        return change_instances(self.cluster, self.state, InstanceCommand(option), names)

    def _tasks(self) -> dict[str, Any]:
        dependencies = Dependencies()
        for job in self.state.jobs:
            dependencies.add(job)
        found = {}
        for job in self.state.jobs:
            waits = bool(job.request.hold_jid) and dependencies.waits(job)
            held = dependencies.held_tasks(job) if job.request.hold_jid_ad else frozenset()
            for number in job.task_ids:
                if exists(job, number):
                    task = task_of(job, number)
                    found[f"{job.id}.{number}"] = letters(task.state, plus="h" if waits or number in held else "")
        return found

    def _attributes(self, number: int) -> dict[str, str]:
        job = next((job for job in self.state.jobs if job.id == number), None)
        project_of = compile_cluster(self.cluster).shares.project_of
        return our_attributes(job, project_of(job)) if job else {}


def our_attributes(job: Job, project: str | None = None) -> dict[str, str]:
    """The same of a job of ours, given the project that it may have by default."""
    request = job.request

    def listed(pairs: tuple[tuple[str, str | None], ...]) -> str:
        return ",".join(name if text is None else f"{name}={text}" for name, text in pairs)

    found = {
        "hard resource_list": listed(request.hard),
        "soft resource_list": listed(request.soft),
        "hard_queue_list": ",".join(request.hard_queues),
        "soft_queue_list": ",".join(request.soft_queues),
        "master hard queue_list": ",".join(request.master_queues),
        "parallel environment": _environment(request),
        "priority": str(request.priority) if request.priority else "",
        "project": request.project or project or "",
        "job_name": job.name,
        "jobshare": str(request.job_share),
        "account": request.account or "sge",
        "checkpoint_object": request.checkpoint or "",
        "maximum concurrency": str(request.max_running_tasks or ""),
        "oticket": str(request.override_tickets or ""),
        "restart": request.rerun,
        "reserve": "y" if request.reserve else "",
        "ar_id": request.advance_reservation or "",
        "context": dict(request.kept).get("-ac", ""),
    }
    return {name: text for name, text in found.items() if text}


def _environment(request: Request) -> str:
    if request.pe is None:
        return ""
    first, last, _ = request.pe.ranges[0]
    return f"{request.pe.name} range: {first}" if first == last else f"{request.pe.name} range: {first}-{last}"


def _placed(job: Job, real: Step, now: float) -> Job:
    tasks = dict(job.tasks)
    for number in job.task_ids:
        key = f"{job.id}.{number}"
        if granted := real["granted"].get(key):
            state = real["tasks"][key]
            known = tasks.get(number, Task(state))
            has_run = known.granted and "q" not in known.state
            started = known.started if has_run else now
            tasks[number] = replace(known, state=state, granted=MappingProxyType(granted), started=started)
    return replace(job, tasks=MappingProxyType(dict(sorted(tasks.items()))))


def _target(word: str) -> Target:
    job, _, tasks = word.partition(".")
    return Target(int(job), tuple(range_numbers(parse_ranges(tasks))) if tasks else None)


def _parts(line: str) -> tuple[str, str]:
    found = _LINE.fullmatch(line)
    assert found
    return found["user"], found["command"]
