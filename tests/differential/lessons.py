"""The moments of which the lessons ask, on a real qmaster: each is brought about there, and what it shows is compared.

    python -m tests.differential.lessons [LESSON]...

records them. A moment is a step as it begins, with the edits of its question, or with its solution.
"""

import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from qmon_tui.formats import JOBS_FILE, Layout, folder_texts
from qmon_tui.lessons import Course, find_lesson, lesson_files, lessons_folder, open_lesson
from qmon_tui.lessons.situation import Situation
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.qmaster.scheduling import schedule
from qmon_tui.scheduler.priority import GRID_ENGINE
from tests.differential.comparing import Comparison, Mismatch, compare
from tests.differential.qmaster import Qmaster, running_qmaster
from tests.differential.recording import definition_of, keep, kept
from tests.differential.running import real_runs
from tests.differential.runs import Run
from tests.differential.scenarios import USAGE, Scenario
from tests.differential.seeds import renumbered, session_of


@dataclass(frozen=True, slots=True)
class Moment:
    """A cluster at a moment of a lesson."""

    name: str
    situation: Situation

    @property
    def state(self) -> State:
        """The state without the jobs that are submitted later, which a real qmaster does not know yet."""
        state = self.situation.state
        return replace(state, jobs=tuple(job for job in state.jobs if not job.is_to_come(state.now)))

    @property
    def scenario(self) -> Scenario:
        """As something that can be played."""
        cluster, state = self.situation.cluster, self.state
        files = folder_texts(Layout.YAML, cluster, State())
        files.pop(JOBS_FILE, None)
        if state.usage:
            files[USAGE] = folder_texts(Layout.YAML, cluster, State(now=state.now, usage=state.usage))[JOBS_FILE]
        return Scenario(f"lesson-{self.name}", files, "\n".join(session_of(state)))


def lessons() -> list[str]:
    """The names of all lessons."""
    return [path.stem for path in lesson_files(lessons_folder())]


def moments(name: str) -> list[Moment]:
    """The moments of a lesson that a real qmaster can show, each once."""
    course = Course(open_lesson(find_lesson(name)))
    found: list[Moment] = []
    for label, situation in _situations(course):
        known = any(
            (one.situation.cluster, one.situation.state) == (situation.cluster, situation.state) for one in found
        )
        if not known and why_not_shown(situation) is None:
            found.append(Moment(f"{name}-{label}", situation))
    return found


def _situations(course: Course) -> Iterator[tuple[str, Situation]]:
    for number, step in enumerate(course.lesson.steps):
        yield f"{number + 1}", course.start(number)
        if step.question is not None and step.question.after:
            yield f"{number + 1}-after", course.after(number, step.question.after)
        if step.solution:
            yield f"{number + 1}-solved", course.solved(number)


def why_not_shown(situation: Situation) -> str | None:
    """Why no real qmaster shows a moment; None where one can."""
    cluster = situation.cluster
    if situation.formulas != GRID_ENGINE.name:
        return "its formulas are not Grid Engine's"
    if float(cluster.single(Kind.SCHEDULER).text("weight_waiting_time")):
        return "waiting counts, and no task waits for days here"
    if any(queue.text("calendar").upper() != "NONE" for queue in cluster.objects(Kind.QUEUE).values()):
        return "it depends on the time of day"
    return None


def real_run(qmaster: Qmaster, moment: Moment) -> Run:
    """The last run of what brings a moment about."""
    return real_runs(qmaster, moment.scenario)[-1]


def record_lesson(qmaster: Qmaster, name: str) -> list[str]:
    """Record a lesson; what differs."""
    data: dict[str, Any] = {}
    differs: list[str] = []
    for moment in moments(name):
        run = real_run(qmaster, moment)
        data[moment.name] = {"definition": definition_of(moment.scenario), "run": run.data()}
        differs += [f"{moment.name}: {mismatch}" for mismatch in compared(moment, run).mismatches]
    keep(f"lesson-{name}", data)
    return differs


def kept_run(moment: Moment, lesson: str) -> Run:
    """What was recorded of a moment; raises ValueError where the lesson has changed since."""
    data = kept(f"lesson-{lesson}").get(moment.name)
    if data is None or data["definition"] != definition_of(moment.scenario):
        raise ValueError(f"{moment.name} has changed: python -m tests.differential.lessons {lesson}")
    return Run.of(data["run"])


def compared(moment: Moment, run: Run) -> Comparison:
    """The real run beside what the lesson is told by our engine."""
    state = moment.state
    comparison = compare(renumbered(run, state), schedule(moment.situation.cluster, state))
    comparison.mismatches = [one for one in comparison.mismatches if not _comes_from_before(one)]
    return comparison


def _comes_from_before(mismatch: Mismatch) -> bool:
    """Dates of plans, usage that has faded for the seconds of the session, the order that earlier changes have left."""
    if mismatch.sort == "messages" and isinstance(mismatch.ours, list) and isinstance(mismatch.real, list):
        return sorted(mismatch.ours) == sorted(mismatch.real)
    if mismatch.sort == "nodes" and mismatch.what.endswith(" usage"):
        return math.isclose(float(str(mismatch.ours)), float(str(mismatch.real)), rel_tol=1e-4)
    return mismatch.sort == "schedule"


def main(names: list[str]) -> None:
    """Record what is named, or all."""
    with running_qmaster() as qmaster:
        for name in names or lessons():
            found = record_lesson(qmaster, name)
            print(f"{name}: {len(moments(name))} moments", *found[:8], sep="\n  ", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
