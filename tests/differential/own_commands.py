"""Our own commands in the place of the real ones: the state that they leave is run, and compared with what happened.

Only what the scheduler decided, and what ended, is taken from the real system:

    python -m tests.differential.own_commands FAMILY NUMBERS [-j N] [--leave FOLDER]
"""

import argparse
import shlex
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Final

from qmon_tui.formats.state.state_writer import state_text
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.state import Job, State, Task
from qmon_tui.qmaster.commands import (
    InstanceCommand,
    Reply,
    Target,
    change_instances,
    delete,
    instances_named,
    new_job,
    submit,
)
from qmon_tui.qmaster.commands.job_numbers import next_job
from qmon_tui.qmaster.commands.subordinate_suspension import suspended_by_others
from qmon_tui.qmaster.commands.tasks import resumed
from qmon_tui.qmaster.outcome_builder import build_outcome
from qmon_tui.qmaster.run import Run as Engine
from qmon_tui.qmaster.run import simulate
from qmon_tui.qmaster.scheduler_events import with_changed_instances
from qmon_tui.qmaster.task_end import changed_by_end
from qmon_tui.scheduler.configuration.compiled_cluster import compile_cluster
from qmon_tui.scheduler.suspension.queue_states import queue_states
from qmon_tui.values.number_ranges import parse_ranges, range_numbers
from tests.differential.agreement import Agreement, table
from tests.differential.commanding import Ours
from tests.differential.comparing import compare
from tests.differential.editing import cluster_of
from tests.differential.families import families
from tests.differential.folders import COMPUTED_STATES, GONE, JUST_FINISHED, contents_of, read, write_folder
from tests.differential.hidden_state import HiddenState, seen_after
from tests.differential.observing import Row, Seen
from tests.differential.qmaster_pool import QmasterPool
from tests.differential.running import Verdict, complaint
from tests.differential.runs import Run
from tests.differential.scenarios import Scenario
from tests.differential.session import Action, Order, Submission

PARTS: Final = 1_000_000
_TICKETS: Final = ("tckts", "otckt", "ftckt", "stckt")
COMMANDS: Final = frozenset({"qalter", "qhold", "qrls", "qdel", "qmod", "wait"})


def has_only_own_commands(scenario: Scenario) -> bool:
    """Tell whether all that happens in a scenario is done by commands of ours."""
    actions = [action for step in scenario.steps for action in step.actions]
    is_plain = not scenario.reports_loads and "sharetree" not in str(scenario.files)
    return is_plain and all(isinstance(action, Submission) or _is_ours(action) for action in actions)


def _is_ours(action: Action) -> bool:
    """Tell whether something is done by a command of ours; our qalter is for whole jobs."""
    if not isinstance(action, Order) or action.words[0] not in COMMANDS:
        return False
    return action.words[0] != "qalter" or "." not in action.words[-1]


@dataclass(slots=True)
class OwnCommands:
    """A cluster and the state that our commands have made of it."""

    cluster: Cluster
    state: State

    def do(self, action: Action, at: int, submitted: Mapping[int, int]) -> None:
        """Do what was done at a time; when a job came the qmaster tells, which may have been a second later."""
        if isinstance(action, Submission):
            at = submitted.get(next_job(self.state), at)
        self.state = replace(self.state, now=at)
        if isinstance(action, Submission):
            submission = action.dated(at)
            job = new_job(self.state, submission.owner, submission.qsub, group=submission.group)
            self.state = submit(self.cluster, self.state, job).state
        elif isinstance(action, Order) and action.words[0] != "wait":
            self.state = self._ordered(action.words).state

    def _ordered(self, words: tuple[str, ...]) -> Reply:
        if words[0] == "qdel" and "-t" in words:
            tasks = tuple(range_numbers(parse_ranges(words[words.index("-t") + 1])))
            return delete(self.cluster, self.state, Target(int(words[1]), tasks))
        if words[0] == "qmod" and words[1] in list(InstanceCommand):
            compiled = compile_cluster(self.cluster)
            letters = queue_states(compiled, self.state, self.state.now)
            standing = {instance.name: shown for instance, shown in zip(compiled.instances, letters, strict=True)}
            names = instances_named(self.cluster, words[2])
            return change_instances(self.cluster, self.state, InstanceCommand(words[1]), names, standing=standing)
        return Ours(self.cluster, self.state).command("root", shlex.join(words))

    def end(self, ended: Iterable[tuple[int, int, float]]) -> None:
        """What ended is gone from its place; a job is there until a run has seen it."""
        for number, task, when in ended:
            job = next((job for job in self.state.jobs if job.id == number), None)
            if job is None or task not in job.tasks or not job.tasks[task].granted:
                continue
            places = changed_by_end(self.cluster, self.state, number, [task])
            still = suspended_by_others(self.cluster, self.state)
            self.state = with_changed_instances(replace(self.state, now=int(when)), places, still)
            known = Task(JUST_FINISHED, started=job.tasks[task].started)
            self._put(replace(job, tasks=MappingProxyType({**job.tasks, task: known})))

    def resume(self, before: Seen) -> None:
        """What goes on because something has ended is taken from the real system, too."""
        standing = {(job.id, task) for job in before.jobs for row in job.rows for task in row.tasks if "S" in row.state}
        for job in self.state.jobs:
            tasks = {
                number: resumed(task, "S") if "S" in task.state and (job.id, number) not in standing else task
                for number, task in job.tasks.items()
            }
            self._put(replace(job, tasks=MappingProxyType(tasks)))
        still = {instance.name for instance in before.instances if "S" in instance.state}
        states = {
            name: text if name in still else text.replace("S", "") for name, text in self.state.queue_states.items()
        }
        self.state = replace(self.state, queue_states=MappingProxyType(states))

    def forget(self) -> None:
        """A run has seen what had ended before it."""
        for job in self.state.jobs:
            tasks = {number: Task(GONE) if task.state == JUST_FINISHED else task for number, task in job.tasks.items()}
            self._put(replace(job, tasks=MappingProxyType(tasks)))
        is_over = [all(number in job.tasks and job.tasks[number].state == GONE for number in job.task_ids)
                   for job in self.state.jobs]  # fmt: skip
        jobs = tuple(job for job, over in zip(self.state.jobs, is_over, strict=True) if not over)
        self.state = replace(self.state, jobs=jobs)

    def take_over(self, run: Run, engine: Engine) -> None:
        """What the scheduler has done: starts in our order where they are ours, letters as they are shown."""
        names = [instance.name for instance in engine.resources.instances]
        order = {(start.run_job.id, start.task): place for place, start in enumerate(engine.dispatch.starts)}
        grants = {
            (start.run_job.id, start.task): {names[number]: slots for number, slots in start.grants}
            for start in engine.dispatch.starts
        }
        for seen in run.after.jobs:
            job = next((job for job in self.state.jobs if job.id == seen.id), None)
            if job is None:
                continue
            tasks = dict(job.tasks)
            for row in seen.rows:
                for number in row.tasks if row.granted else ():
                    key = (seen.id, number)
                    place = order.get(key, len(order))
                    tasks[number] = _placed(tasks.get(number), row, place, grants.get(key))
            self._put(replace(job, tasks=MappingProxyType(dict(sorted(tasks.items())))))
        outcome = build_outcome(engine)
        rejected = {job_outcome.id for job_outcome in outcome.jobs if job_outcome.reservation_rejected}
        jobs = tuple(replace(job, reservation_rejected=job.id in rejected) for job in self.state.jobs)
        states = {
            instance.name: "".join(c for c in instance.state if c not in COMPUTED_STATES)
            for instance in run.after.instances
        }
        scores = outcome.pe_alg if run.pe_alg is None else run.pe_alg
        self.state = replace(self.state, jobs=jobs, queue_states=MappingProxyType(states), pe_alg=scores)
        self.state = replace(self.state, seen_suspended=seen_after(engine))

    def _put(self, job: Job) -> None:
        self.state = replace(self.state, jobs=tuple(job if one.id == job.id else one for one in self.state.jobs))


def _placed(known: Task | None, row: Row, place: int, grants: Mapping[str, int] | None) -> Task:
    if known is not None and known.granted and "q" not in known.state:
        return replace(known, state=row.state)
    granted = grants if grants is not None and dict(grants) == dict(row.granted) else row.granted
    tickets = {name: float(int(row.columns[name]) % 2**32) for name in _TICKETS} if row.environment else None
    return Task(
        row.state,
        MappingProxyType(dict(granted)),
        (row.started or 0) + place / PARTS,
        environment=row.environment,
        tickets=tickets,
        unclean=known.unclean_hosts if known is not None else (),
    )


def judge(runs: Iterable[Run], scenario: Scenario, leave_in: Path) -> Verdict:
    """Compare the real runs with ours of what our commands have made of the state."""
    verdict, memory = Verdict(), HiddenState()
    carrier = OwnCommands(cluster_of(scenario.files), State())
    for number, (real, step) in enumerate(zip(runs, scenario.steps, strict=True), 1):
        verdict.runs = number
        run = memory.completed(real)
        submitted = {job.id: job.submitted for job in real.before.jobs}
        over = 0
        for action, (at, by_now) in zip(step.actions, real.times, strict=True):
            carrier.end(real.ended[over:by_now])
            carrier.do(action, at, submitted)
            over = by_now
        carrier.end(real.ended[over:])
        if real.ended:
            carrier.resume(real.before)
        folder = {**scenario.files, "jobs.yaml": state_text(replace(carrier.state, now=real.at)) or f"now: {real.at}\n"}
        contents = read(folder)
        engine = simulate(contents.cluster, contents.state)
        comparison = compare(run, build_outcome(engine))
        verdict.comparisons.append(comparison)
        as_seen = contents_of(run, scenario.files)
        memory.note(run, simulate(as_seen.cluster, as_seen.state), build_outcome(engine))
        if comparison.mismatches:
            verdict.complaint += complaint(number, comparison, write_folder(leave_in / f"run{number}", folder))
            break
        carrier.state = contents.state
        carrier.forget()
        carrier.take_over(real, engine)
    return verdict


def main(words: list[str]) -> int:
    """Play some numbers of a family, print what differs, then the table."""
    parser = argparse.ArgumentParser("python -m tests.differential.own_commands")
    parser.add_argument("family", choices=sorted(families()))
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("-j", type=int, default=2)
    parser.add_argument("--leave", type=Path)
    asked = parser.parse_args(words)
    drawn = (families()[asked.family].scenario(number) for number in range(asked.first, asked.last + 1))
    agreement = Agreement()
    with QmasterPool(asked.j, asked.leave, judge) as pool:
        for played in pool.play(filter(has_only_own_commands, drawn)):
            if played.verdict is None:
                print(f"{played.scenario.name}: could not be played: {played.failure}", flush=True)
                continue
            agreement.add(played.verdict)
            if played.verdict.complaint:
                print(f"{played.scenario.name}: differs, {played.folder}{played.verdict.complaint}", flush=True)
    print(f"\n{table({asked.family: agreement})}")
    return 0 if agreement.whole else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
