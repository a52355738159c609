"""Moments of drawn scenarios, made without a real system: what the engine starts in one run is running in the next."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.outcome import Outcome
from qmon_tui.model.state import State
from qmon_tui.qmaster.scheduling import schedule
from qmon_tui.values.times import format_time
from tests.differential.folders import read
from tests.differential.scenarios import Scenario
from tests.differential.session import Load, Submission

NOW = 1_760_000_000
TIMES = 3
"""How often everything is submitted: what is remembered of a job only shows with others of its kind."""


def moments(scenario: Scenario) -> Iterator[tuple[Cluster, State, Outcome]]:
    """The cluster before each run of a session, and the run; an administrator's orders are left out."""
    known = read(scenario.files)
    cluster = known.cluster
    jobs: dict[int, dict[str, Any]] = {}
    loads: dict[str, Mapping[str, str]] = {}
    for number, step in enumerate(scenario.steps):
        now = NOW + 40 * number
        for action in step.actions:
            if isinstance(action, Load):
                loads[action.host] = {**loads.get(action.host, {}), **action.values}
            elif isinstance(action, Submission):
                for _ in range(TIMES):
                    job = {
                        "id": len(jobs) + 1,
                        "owner": action.owner,
                        "group": action.group,
                        "qsub": action.dated(now).qsub,
                    }
                    jobs[len(jobs) + 1] = {**job, "submitted": format_time(now - 30 + len(jobs) % 7)}
        lines = [f"now: {format_time(now)}", f"loads: {json.dumps(loads)}", "jobs:" if jobs else "jobs: []"]
        lines += [f"- {json.dumps(job)}" for job in jobs.values()]
        state = read({**scenario.files, "jobs.yaml": "\n".join(lines) + "\n"}, known).state
        outcome = schedule(cluster, state)
        yield cluster, state, outcome
        _start(jobs, outcome, now)


def _start(jobs: dict[int, dict[str, Any]], outcome: Outcome, now: int) -> None:
    """Let what was started run from now on."""
    for job in outcome.jobs:
        for task in job.tasks:
            if task.state == "t":
                placed = {"state": "r", "granted": dict(task.granted), "started": format_time(now)}
                jobs[job.id].setdefault("tasks", {})[str(task.task)] = placed
