"""Offered changes tried out: what `why` says would let a job start is done on a real qmaster, and the job has to start.

    python -m tests.differential.suggested_changes FAMILY FIRST LAST [-j N] [--leave FOLDER]

A session is played twice: to learn which jobs wait in the end, and what is offered to one of them; then with one of
these changes made before its last run, which is compared as always.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

from qmon_tui.explain import Change, Explainer
from qmon_tui.model.catalogue import specs
from qmon_tui.model.kinds import Kind
from qmon_tui.model.outcome import Outcome
from qmon_tui.qmaster.outcome_builder import build_outcome
from qmon_tui.qmaster.scheduling import simulate
from qmon_tui.report import all_changes
from tests.differential.agreement import Agreement, table
from tests.differential.families import families
from tests.differential.folders import contents_of
from tests.differential.hidden_state import HiddenState
from tests.differential.qmaster_pool import QmasterPool
from tests.differential.running import Verdict, judge as compared, why_not_played
from tests.differential.runs import Run
from tests.differential.scenarios import Scenario

RUN: Final = "run"
EXPECTED: Final = "# starts: "
_ASKED_BEFORE: Final = ("refusals", "reservations")
JOBS_ASKED, CHANGES_LOOKED_AT = 5, 4


@dataclass(slots=True)
class SuggestedChange(Verdict):
    """The scenario in which an offered change is made; None where nothing is offered that a session can do."""

    scenario: Scenario | None = None


def offer(runs: list[Run], scenario: Scenario, leave_in: Path) -> SuggestedChange:
    """Choose a job that waits at the end of a session, and one of the changes offered to it."""
    del leave_in
    memory = HiddenState()
    for real in runs:
        run = memory.completed(real)
        contents = contents_of(run, scenario.files)
        engine = simulate(contents.cluster, contents.state)
        outcome = build_outcome(engine)
        memory.note(run, engine)
    random = Random(scenario.name)
    explainer = Explainer(engine)
    waiting = waiting_jobs(outcome)
    for number in random.sample(waiting, min(len(waiting), JOBS_ASKED)):
        task = explainer.explanation(number).task
        offered = [(change, lines) for change in islice(explainer.changes(number), CHANGES_LOOKED_AT)
                   if (lines := list(_lines(change)))]  # fmt: skip
        if offered:
            change, lines = random.choice(offered)
            said = f"{EXPECTED}{number}.{task} {' '.join(sorted(change.starts_on))}"
            before = scenario.session.rstrip().removesuffix(RUN)
            return SuggestedChange(
                scenario=replace(scenario, session="\n".join((before.rstrip(), *lines, said, RUN, "")))
            )
    return SuggestedChange()


def waiting_jobs(outcome: Outcome) -> list[int]:
    """The jobs that can be asked about after a run."""
    return [
        job_outcome.id
        for job_outcome in outcome.jobs
        if job_outcome.tasks and job_outcome.rejected is None and not job_outcome.tasks[-1].granted
    ]


def _lines(change: Change) -> Iterator[str]:
    """A change as lines of a session; none where a session cannot make it."""
    lines = [_line(part) for part in all_changes(change)]
    if all(lines):
        yield from (line for line in lines if line)
        if any(line and line.startswith("root# qdel") for line in lines):
            yield "root# wait 3"


def _line(part: Change) -> str | None:
    if part.kind in set(Kind):
        kind = Kind(part.kind)
        if kind is Kind.QUOTA or "\n" in part.after:
            return None
        section = specs()[kind].yaml_key
        return f"root# edit {section} {part.name} {part.field}={part.after}"
    return f"root# {part.command}" if part.command else None


def judge(runs: list[Run], scenario: Scenario, leave_in: Path) -> Verdict:
    """Compare as always; and the task has to start where that was foretold."""
    verdict = compared(runs, scenario.files, leave_in)
    for comparison in verdict.comparisons:
        # What is asked for before the change is made is judged with it.
        comparison.mismatches[:] = [
            mismatch for mismatch in comparison.mismatches if mismatch.sort not in _ASKED_BEFORE
        ]
    if not any(comparison.mismatches for comparison in verdict.comparisons):
        verdict.complaint = ""
    said = next(line for line in scenario.session.splitlines() if line.startswith(EXPECTED))
    name, *places = said.removeprefix(EXPECTED).split()
    job, task = map(int, name.split("."))
    last = runs[-1]
    rows = [
        row
        for seen_job in last.after.jobs
        if seen_job.id == job
        for row in seen_job.rows
        if row.granted and task in row.tasks
    ]
    found = sorted(rows[0].granted) if rows else []
    if found != places:
        verdict.complaint += f"\n  {said.removeprefix('# ')}, real: {' '.join(found) or 'it does not start'}"
    return verdict


def main(words: list[str]) -> int:
    """Play some numbers of a family, print what does not come true, then the table."""
    parser = argparse.ArgumentParser("python -m tests.differential.suggested_changes")
    parser.add_argument("family", choices=sorted(families()))
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("-j", type=int, default=2)
    parser.add_argument("--leave", type=Path)
    asked = parser.parse_args(words)
    drawn = (families()[asked.family].scenario(number) for number in range(asked.first, asked.last + 1))
    changed: list[Scenario] = []
    with QmasterPool(asked.j, asked.leave, offer) as pool:
        for played in pool.play(scenario for scenario in drawn if not why_not_played(scenario)):
            if isinstance(played.verdict, SuggestedChange) and played.verdict.scenario is not None:
                changed.append(played.verdict.scenario)
            elif played.verdict is None:
                print(f"{played.scenario.name}: could not be played: {played.failure}", flush=True)
    agreement, broken = Agreement(), 0
    with QmasterPool(asked.j, asked.leave, judge) as pool:
        for played in pool.play(changed):
            if played.verdict is None:
                print(f"{played.scenario.name}: could not be played: {played.failure}\n  {played.folder}", flush=True)
                continue
            agreement.add(played.verdict)
            broken += bool(played.verdict.complaint)
            if played.verdict.complaint:
                print(f"{played.scenario.name}: differs, {played.folder}{played.verdict.complaint}", flush=True)
    print(f"\n{table({asked.family: agreement})}\n{agreement.scenarios - broken} of {agreement.scenarios} offers kept")
    return 0 if not broken else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
