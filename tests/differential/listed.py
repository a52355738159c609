"""What qstat and qquota print at the end of drawn scenarios, beside a folder of that moment.

python -m tests.differential.listed [FAMILY-NUMBER...]    # play them, by default all that are kept, and keep them
"""

import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final, NamedTuple

from qmon_tui.formats.folder_reader import Contents
from qmon_tui.model.outcome import Outcome
from qmon_tui.qmaster.scheduling import schedule
from qmon_tui.report.cluster import instance_lines, queue_lines
from qmon_tui.report.jobtable import table_rows
from qmon_tui.values.number_ranges import parse_ranges, range_numbers
from qmon_tui.workspace import Figures
from tests.differential.client_texts import qstat_f_lines, qstat_g_c_lines
from tests.differential.clock import universal_time
from tests.differential.families import families
from tests.differential.folders import folder_of, read
from tests.differential.hidden_state import HiddenState
from tests.differential.loading import load
from tests.differential.qmaster import Qmaster, running_qmaster
from tests.differential.recording import keep, kept
from tests.differential.scenarios import Scenario
from tests.differential.session_player import play
from tests.differential.usage import as_of, give_states, give_usage

RECORDED: Final = "listed"
NAMES: Final = (
    *("mixed-7001", "mixed-7002", "arrays-7002", "arrays-7003", "advance-7001", "advance-7002", "commanded-7001"),
    *("commanded-7003", "calendars-7001", "calendars-7002", "subordination-7001", "subordination-7002", "pe-7001"),
    *("pe-7002", "quota-7001", "quota-7002", "faulty-7001", "faulty-7002", "named-7001", "named-7002"),
)
"""The scenarios whose last moments are kept; in none qdel takes tasks from an array, which the folder does not tell."""
COMMANDS: Final = (
    ("qstat", "-f"), ("qstat", "-g", "c"), ("qstat", "-g", "c", "-ext"), ("qstat", "-u", "*"), ("qquota", "-u", "*")
)  # fmt: skip


def scenario_named(name: str) -> Scenario:
    """The scenario of a family and number such as `mixed-7`."""
    family, _, number = name.rpartition("-")
    return families()[family].scenario(int(number))


def listed(qmaster: Qmaster, scenario: Scenario) -> dict[str, Any]:
    """Play a scenario; the folder of its end, and what the clients print then."""
    qmaster.restart()
    contents = read(scenario.files)
    usage = as_of(contents.state, int(time.time()))
    load(qmaster, contents.cluster, (lambda: give_usage(qmaster, usage)) if usage else None)
    give_states(qmaster, contents.state.queue_states)
    printed: dict[str, list[str]] = {}
    memory = HiddenState()
    for run in play(qmaster, scenario.steps, usage, scenario.files):
        last = memory.completed(run)
        printed = {" ".join(command): qmaster.must(*command).splitlines() for command in COMMANDS}
    return {"folder": folder_of(replace(last, before=last.after), scenario.files), "printed": printed}


class JobLine(NamedTuple):
    """What one line of qstat says of one task."""

    job: str
    task: int
    user: str
    state: str
    queue: str
    slots: str


def real_jobs(lines: list[str]) -> Iterator[JobLine]:
    """Yield what qstat prints of each task, by its columns."""
    for line in lines[2:]:
        job, _, _, user, state, *_ = line.split()
        queue, slots, tasks = line[65:95].strip(), line[96:102].strip(), line[103:].strip()
        for task in range_numbers(parse_ranges(tasks)) if tasks else (1,):
            yield JobLine(job, task, user, state, queue, slots)


def our_jobs(contents: Contents, outcome: Outcome) -> Iterator[JobLine]:
    """Yield the same of the current state as the page Jobs shows it."""
    opened = frozenset(job.id for job in outcome.jobs)
    for row in table_rows(outcome, contents.state, opened, Figures.NOW):
        if not row.whole and not row.job.rejected:
            queue, slots = next(iter(row.instances), ""), str(row.job.slots_of(row.task, after=False))
            for task in row.tasks:
                yield JobLine(str(row.job.id), task.task, row.job.owner, row.state, queue, slots)


def differences(moment: dict[str, Any]) -> Iterator[str]:
    """Yield what differs between the clients' lines and ours."""
    contents, printed = read(moment["folder"]), moment["printed"]
    outcome = schedule(contents.cluster, contents.state)
    instances = instance_lines(contents.cluster, outcome.instances_before)
    queues = queue_lines(contents.cluster, instances)
    listings = {
        "qstat -f": list(qstat_f_lines(instances)),
        "qstat -g c": list(qstat_g_c_lines(queues)),
        "qstat -g c -ext": list(qstat_g_c_lines(queues, extended=True)),
    }
    for command, ours in listings.items():
        theirs = printed[command][: len(ours)]
        for our, real in zip(ours, theirs, strict=False):
            if our != real:
                yield f"{command}\n  real {real}\n  ours {our}"
        if len(theirs) < len(ours):
            yield f"{command}: {len(ours) - len(theirs)} lines more than the real one"
    real_lines, our_lines = set(real_jobs(printed["qstat -u *"])), set(our_jobs(contents, outcome))
    for name, lines in (("real", real_lines - our_lines), ("ours", our_lines - real_lines)):
        yield from (f"qstat -u *: only {name} {line}" for line in sorted(lines))
    yield from _quota_differences(printed["qquota -u *"], [
        (use.rule, use.text, use.filter) for use in outcome.quotas_before or ()
    ])  # fmt: skip


def _quota_differences(lines: list[str], uses: list[tuple[str, str, str]]) -> Iterator[str]:
    real = {tuple(line.split()) for line in lines[2:] if line.strip()}
    ours = {tuple(f"{rule} {text} {filters}".split()) for rule, text, filters in uses}
    if real != ours:
        yield f"qquota\n  only real {sorted(real - ours)}\n  only ours {sorted(ours - real)}"


def recorded() -> dict[str, Any]:
    """Name of a scenario -> folder and printed lines."""
    return dict(kept(RECORDED))


def main(names: list[str]) -> int:
    """Play, keep, and print what differs."""
    moments: dict[str, Any] = recorded() if names else {}
    differs = 0
    with running_qmaster() as qmaster:
        for name in names or NAMES:
            with universal_time():
                moment = moments[name] = listed(qmaster, scenario_named(name))
                found = list(differences(moment))
            differs += bool(found)
            print(f"{name}: {len(moment['printed']['qstat -u *'])} lines of jobs", *found, sep="\n", flush=True)
            keep(RECORDED, moments)
    print(f"{len(names or NAMES)} moments, {differs} differ")
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
