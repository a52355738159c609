"""What runs keeps the limit that it was started with, and a file says so; the numbers are those of the real system."""

import re
from collections.abc import Iterable

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.state.state_writer import state_text
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.state import State
from qmon_tui.qmaster.commands import alter
from qmon_tui.qmaster.scheduling import schedule
from tests.differential.recording import kept_runs
from tests.differential.scenarios import CLUSTERS, read_scenario
from tests.differential.schedule import written

RUNNING = re.compile(r"(\d+):1:RUNNING:\d+:(\d+):Q:")


def limits_shown(lines: Iterable[str]) -> dict[str, str]:
    """Job -> how long the schedule file says that it runs."""
    return {found[1]: found[2] for line in lines if (found := RUNNING.match(line))}


def running(cluster: str, jobs: str) -> tuple[Cluster, State]:
    """A cluster with started jobs."""
    contents = read_texts(Layout.YAML, "limits", {"cluster.yaml": cluster, "jobs.yaml": jobs})
    assert not contents.findings
    return contents.cluster, contents.state


JOBS = """\
now: 2026-11-22T12:00:10+00:00
jobs:
- {id: 1, owner: dora, submitted: "+0", qsub: -l h_rt=7200, tasks: {1: {state: r, granted: {a.q@n1: 1}}}}
- {id: 2, owner: dora, submitted: "+0", tasks: {1: {state: r, granted: {a.q@n1: 1}}}}
- {id: 3, owner: bela, submitted: "+0", tasks: {1: {state: r, granted: {b.q@n1: 1}}}}
"""
WAITING = """\
- {id: 4, owner: bela, submitted: "+0", qsub: -t 1-3, tasks: {1-2: {state: hqw}, 3: {state: Rq, granted: {b.q@n1: 1}}}}
"""


def test_altered_jobs_keep_the_limits_of_the_real_ones() -> None:
    scenario = read_scenario(CLUSTERS / "limits_of_the_start")
    cluster, state = running(scenario.files["cluster.yaml"], JOBS)
    for job, limit in ((1, "60"), (2, "60"), (3, "900")):
        state = alter(cluster, state, job, f"-l h_rt={limit}").state
    again = running(scenario.files["cluster.yaml"], state_text(state))[1]
    assert [job.tasks for job in again.jobs] == [job.tasks for job in state.jobs]
    real = kept_runs(scenario)[-1]
    ours = written(schedule(cluster, again).timeline)
    assert limits_shown(ours) == limits_shown(real.schedule) == {"1": "7260", "2": "3660", "3": "7260"}


def test_what_waits_or_asks_for_the_same_gets_no_limit() -> None:
    files = read_scenario(CLUSTERS / "limits_of_the_start").files
    jobs = JOBS.replace("qsub: -l h_rt=7200", "qsub: -l h_rt=60") + WAITING
    cluster, state = running(files["cluster.yaml"], jobs)
    for job in (1, 4):
        state = alter(cluster, state, job, "-l h_rt=60").state
    assert [task.wallclock_limit for job in state.jobs for task in job.tasks.values()] == [None] * 6


def test_a_limit_that_is_none_is_an_error_with_its_place() -> None:
    jobs = JOBS.replace("granted: {b.q@n1: 1}", "granted: {b.q@n1: 1}, wallclock_limit: 2:0:0")
    contents = read_texts(Layout.YAML, "limits", {"jobs.yaml": jobs})
    assert [(finding.line, finding.message) for finding in contents.findings] == [
        (5, '"2:0:0" is not a limit of the run time, write whole seconds or INFINITY')
    ]
