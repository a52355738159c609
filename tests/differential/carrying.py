"""Our own outcome carried forward: what real runs decide, and ours of the state that commands and events have made.

Of the real system only what happened is taken: when commands were given, tasks ended, and runs were. The state after
each run is ours, not what qstat shows:

    python -m tests.differential.carrying FAMILY NUMBERS [-j N] [--leave FOLDER]
"""

import argparse
import shlex
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from qmon_tui.formats.state.state_writer import state_text
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.state import PastUsage, State
from qmon_tui.qmaster.commands import (
    InstanceCommand,
    Reply,
    Target,
    give_back,
    instances_named,
    new_job,
    reserve,
    submit,
)
from qmon_tui.qmaster.commands.job_numbers import next_job, next_reservation
from qmon_tui.qmaster.commands.qdel import delete
from qmon_tui.qmaster.commands.qmod_queues import change_instances
from qmon_tui.qmaster.outcome_builder import build_outcome
from qmon_tui.qmaster.scheduling import simulate
from qmon_tui.qmaster.transition import (
    CalendarSwitched,
    Event,
    LoadReported,
    ReservationBegan,
    ReservationEnded,
    TaskArrived,
    TaskEnded,
    after_event,
    after_run,
)
from qmon_tui.scheduler.configuration.compiled_cluster import compile_cluster
from qmon_tui.scheduler.suspension.queue_states import queue_states
from qmon_tui.values.number_ranges import parse_ranges, range_numbers
from tests.differential.agreement import Agreement, table
from tests.differential.commanding import Ours
from tests.differential.comparing import compare
from tests.differential.days import START_DELAY
from tests.differential.editing import cluster_of
from tests.differential.families import families
from tests.differential.folders import read, write_folder
from tests.differential.qmaster_pool import QmasterPool
from tests.differential.running import Verdict, complaint
from tests.differential.runs import Run
from tests.differential.scenarios import GIVEN, Scenario
from tests.differential.session import Action, Order, Reserve, Submission
from tests.differential.session_player import CLEAR_USAGE

COMMANDS: Final = frozenset({"qalter", "qhold", "qrls", "qdel", "qmod", "qrdel", "wait"})


def can_be_carried(scenario: Scenario) -> bool:
    """Tell whether all that happens in a scenario is done by commands of ours."""
    return all(_is_ours(action) for step in scenario.steps for action in step.actions)


def _is_ours(action: Action) -> bool:
    """Tell whether something is done by a command of ours; our qalter is for whole jobs."""
    if isinstance(action, Submission | Reserve):
        return True
    if not isinstance(action, Order) or (action.words[0] not in COMMANDS and action.words != CLEAR_USAGE):
        return False
    return action.words[0] != "qalter" or "." not in action.words[-1]


@dataclass(slots=True)
class Carrier:
    """A cluster and the state that our commands have made of it."""

    cluster: Cluster
    state: State

    def do(self, action: Action, at: int, submitted: Mapping[int, int], reserved: Mapping[int, int]) -> None:
        """Do what was done at a time; when a job or a reservation came the qmaster tells: perhaps a second later."""
        if isinstance(action, Submission):
            at = submitted.get(next_job(self.state), at)
        self.pass_time(at)
        if isinstance(action, Submission):
            submission = action.dated(at)
            job = new_job(self.state, submission.owner, submission.qsub, group=submission.group)
            self.state = submit(self.cluster, self.state, job).state
        elif isinstance(action, Reserve):
            options = shlex.join(action.dated(at))
            self.pass_time(max(at, reserved.get(next_reservation(self.state), at)))
            self.state = reserve(self.cluster, self.state, action.owner, options, group=action.group).state
        elif isinstance(action, Order) and action.words == CLEAR_USAGE:
            self.state = replace(self.state, usage=PastUsage())
        elif isinstance(action, Order) and action.words[0] != "wait":
            self.state = self._ordered(action.words).state

    def _ordered(self, words: tuple[str, ...]) -> Reply:
        if words[0] == "qdel" and "-t" in words:
            tasks = tuple(range_numbers(parse_ranges(words[words.index("-t") + 1])))
            job = next(int(word) for word in words[1:] if word.isdigit())
            return delete(self.cluster, self.state, Target(job, tasks), force="-f" in words)
        if words[0] == "qmod" and words[1] in list(InstanceCommand):
            compiled = compile_cluster(self.cluster)
            letters = queue_states(compiled, self.state, self.state.now)
            standing = {instance.name: shown for instance, shown in zip(compiled.instances, letters, strict=True)}
            names = instances_named(self.cluster, words[2])
            return change_instances(self.cluster, self.state, InstanceCommand(words[1]), names, shown_states=standing)
        if words[0] == "qrdel":
            return give_back(self.cluster, self.state, int(words[-1]), force="-f" in words)
        return Ours(self.cluster, self.state).command("root", shlex.join(words))

    def happen(self, event: Event, at: int) -> None:
        """Let something happen."""
        self.state = after_event(self.cluster, self.state, event, at=at)

    def end(self, ended: Iterable[tuple[int, int, float]]) -> None:
        """Let tasks end."""
        for job, task, seen in ended:
            when = self._when(job, task, int(seen))
            self.pass_time(when, to_the_end=False)
            self.happen(TaskEnded(job, task), when)

    def _when(self, number: int, task_number: int, seen: int) -> int:
        """When a task ended that was seen to have ended: what nobody told to end did so after its run time."""
        job = next((job for job in self.state.jobs if job.id == number), None)
        task = job.tasks.get(task_number) if job is not None else None
        if job is None or task is None or task.started is None or "d" in task.state:
            return seen
        end = int(task.started) + START_DELAY + (job.runtime or 0)
        return end if self.state.now <= end <= seen else max(seen, self.state.now)

    def pass_time(self, until: int, *, to_the_end: bool = True) -> None:
        """Let happen what comes with the time: reservations begin, calendars open and close.

        Of the timers that ring in the last second those of reservations were set before those of tasks, and ring later.
        """
        for when, event in sorted(self._due(until), key=lambda due: due[0]):
            if to_the_end or when < until or isinstance(event, CalendarSwitched):
                self.happen(event, when)
        self.state = replace(self.state, now=until)

    def _due(self, until: int) -> Iterable[tuple[int, Event]]:
        since = self.state.now
        for reservation in self.state.reservations:
            if reservation.state in "wW" and reservation.start <= until:
                yield max(reservation.start, since), ReservationBegan(reservation.id)
            if not reservation.is_over and reservation.end <= until:
                yield max(reservation.end, since), ReservationEnded(reservation.id)
        for name, calendar in compile_cluster(self.cluster).calendars.items():
            change = calendar.next_change(since) if since else None
            while change is not None and change <= until:
                yield change, CalendarSwitched(name)
                change = calendar.next_change(change)


def judge(runs: Iterable[Run], scenario: Scenario, leave_in: Path) -> Verdict:
    """Compare the real runs with ours; it ends with the first run that differs."""
    verdict = Verdict()
    runs = tuple(runs)
    carrier = Carrier(cluster_of(scenario.files), State(usage=runs[0].usage))
    configured = {name: text for name, text in scenario.files.items() if name not in GIVEN}
    for number, (run, step) in enumerate(zip(runs, scenario.steps, strict=True), 1):
        verdict.runs = number
        submitted = {job.id: job.submitted for job in run.before.jobs}
        reserved = {reservation.id: reservation.submitted for reservation in run.before.reservations}
        over = 0
        for load in sorted(step.loads, key=lambda load: load.host):
            reported = run.times[0][0] if run.times else run.at
            carrier.pass_time(reported)
            carrier.happen(LoadReported(load.host, tuple(load.values.items())), reported)
        for action, (at, by_now) in zip(step.actions, run.times, strict=True):
            carrier.end(run.ended[over:by_now])
            carrier.do(action, at, submitted, reserved)
            over = by_now
        carrier.end(run.ended[over:])
        carrier.pass_time(run.at)
        for event in _arrivals(carrier.state, run):
            carrier.happen(event, run.at)
        # A state that is written down tells as much as one that is not.
        text = state_text(carrier.state) or f"now: {run.at}\n"
        contents = read({**configured, "jobs.yaml": text})
        ours = simulate(contents.cluster, contents.state)
        comparison = compare(run, build_outcome(ours))
        verdict.comparisons.append(comparison)
        if comparison.mismatches:
            folder = write_folder(leave_in / f"run{number}", {**configured, "jobs.yaml": text})
            verdict.complaint += complaint(number, comparison, folder)
            break
        carrier.state = after_run(ours)
    return verdict


def _arrivals(state: State, run: Run) -> list[Event]:
    """What had arrived at its host before a run."""
    rows = [(job.id, row) for job in run.before.jobs for row in job.rows]
    there = {(job, task) for job, row in rows for task in row.tasks if row.granted and "t" not in row.state}
    return [
        TaskArrived(job.id, number)
        for job in state.jobs
        for number, task in job.tasks.items()
        if "t" in task.state and (job.id, number) in there
    ]


def main(words: list[str]) -> int:
    """Play some numbers of a family, print what differs, then the table."""
    parser = argparse.ArgumentParser("python -m tests.differential.carrying")
    parser.add_argument("family", choices=sorted(families()))
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("-j", type=int, default=2)
    parser.add_argument("--leave", type=Path)
    asked = parser.parse_args(words)
    drawn = (families()[asked.family].scenario(number) for number in range(asked.first, asked.last + 1))
    agreement = Agreement()
    with QmasterPool(asked.j, asked.leave, judge) as pool:
        for played in pool.play(filter(can_be_carried, drawn)):
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
