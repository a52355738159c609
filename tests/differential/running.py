"""Both sides of the comparison of a scenario: the real runs, and ours of the same moments."""

import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from qmon_tui.qmaster.outcome_builder import build_outcome
from qmon_tui.qmaster.scheduling import schedule, simulate
from tests.differential.comparing import Comparison, compare
from tests.differential.folders import contents_of, folder_of, read, refused_yaml, write_folder
from tests.differential.granting import Grants
from tests.differential.hidden_state import HiddenState
from tests.differential.loading import load
from tests.differential.loads import why_no_loads
from tests.differential.qmaster import Qmaster, QmasterError, why_unavailable
from tests.differential.runs import Refused, Run
from tests.differential.scenarios import Scenario
from tests.differential.session_player import play
from tests.differential.usage import as_of, give_states, give_usage

SHOWN = 12


@dataclass(slots=True)
class Verdict:
    """What the comparison of a scenario found."""

    runs: int = 0
    comparisons: list[Comparison] = field(default_factory=list)
    not_simulated: set[str] = field(default_factory=set)
    """What the engine said it does not simulate; such runs are not compared."""
    complaint: str = ""
    """What differs, and where the folders are that show it; empty where nothing does."""


def why_not_played(scenario: Scenario) -> str | None:
    """Why the scenario cannot be played here, or None."""
    return why_unavailable() or (why_no_loads() if scenario.reports_loads else None)


def real_runs(qmaster: Qmaster, scenario: Scenario) -> list[Run]:
    """Play a scenario on a fresh qmaster; what goes wrong on a busy machine, such as a run too many, is tried again."""
    try:
        return _played(qmaster, scenario)
    except QmasterError:
        return _played(qmaster, scenario)


def _played(qmaster: Qmaster, scenario: Scenario) -> list[Run]:
    qmaster.restart()
    contents = read(scenario.files)
    usage = as_of(contents.state, int(time.time()))
    load(qmaster, contents.cluster, (lambda: give_usage(qmaster, usage)) if usage else None)
    give_states(qmaster, contents.state.queue_states)
    return list(play(qmaster, scenario.steps, usage, scenario.files))


def played_and_judged(qmaster: Qmaster, scenario: Scenario, leave_in: Path) -> Verdict:
    """Compare real runs with ours; what differs is played again, as a busy machine may end a job between two looks."""
    verdict = judge(real_runs(qmaster, scenario), scenario.files, leave_in / "first")
    return judge(real_runs(qmaster, scenario), scenario.files, leave_in) if verdict.complaint else verdict


def judge(runs: Iterable[Run], files: Mapping[str, str], leave_in: Path) -> Verdict:
    """Compare the real runs with ours; what differs is left as cluster folders for `qmon-tui schedule`."""
    verdict = Verdict()
    memory = HiddenState()
    grants = Grants()
    for number, real in enumerate(runs, 1):
        verdict.runs = number
        run = memory.completed(real)
        contents = contents_of(run, files)
        engine = simulate(contents.cluster, contents.state)
        outcome = build_outcome(engine)
        memory.note(run, engine)
        not_simulated = {*outcome.not_simulated, *(text for job in outcome.jobs for text in job.not_simulated)}
        verdict.not_simulated |= not_simulated
        if not not_simulated:
            comparison = compare(run, outcome)
            _compare_refusals(comparison, run, files)
            grants.compare(comparison, run, contents)
            verdict.comparisons.append(comparison)
            if comparison.mismatches:
                folder = write_folder(leave_in / f"run{number}", folder_of(run, files))
                verdict.complaint += complaint(number, comparison, folder)
    return verdict


def _compare_refusals(comparison: Comparison, run: Run, files: Mapping[str, str]) -> None:
    for refused in run.refused:
        ours = _refusal(run, refused, files)
        real = said_by_qsub(refused)
        comparison.same("refusals", f"qsub {refused.qsub}", _without_number(ours), _without_number(real))


def _without_number(text: str | None) -> str | None:
    """A verification counts as a job, of which nobody knows later."""
    return text and re.sub("^Job [0-9]+ ", "Job N ", text, flags=re.MULTILINE)


def _refusal(run: Run, refused: Refused, files: Mapping[str, str]) -> str | None:
    """What we say of a submission to what was there before the run."""
    number, text = refused_yaml(run, refused)
    try:
        contents = read({**folder_of(run, files), "jobs.yaml": text})
    except ValueError as error:
        return str(error)
    job = schedule(contents.cluster, contents.state).job(number)
    return job.rejected if job else None


def said_by_qsub(refused: Refused) -> str:
    """The reason in qsub's text, without what stands around every reason, the submitting host, and warnings."""
    lines = (
        refused.text.removeprefix("Unable to run job: ")
        .replace(f"{refused.owner}@localhost", refused.owner)
        .splitlines()
    )
    return "\n".join(
        line for line in lines if line != "Exiting." and not line.startswith(("warning: ", "qsub: warning: "))
    )


def complaint(number: int, comparison: Comparison, folder: Path) -> str:
    lines = [str(mismatch) for mismatch in comparison.mismatches]
    more = f"\n  ... and {len(lines) - SHOWN} more" if len(lines) > SHOWN else ""
    shown = "\n  ".join(lines[:SHOWN])
    return f"\nrun {number} (see it with: qmon-tui schedule {folder})\n  {shown}{more}"
