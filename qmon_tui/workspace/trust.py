"""Measured trust: how many starts of the real scheduler our next run had placed on the right queue instances."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from qmon_tui.model import Outcome, State

if TYPE_CHECKING:
    from qmon_tui.workspace.evaluation import Result

_MOST_MISSES: Final = 20


@dataclass(frozen=True, slots=True)
class Trust:
    """Starts of tasks that were known while they waited, since a running cluster was opened."""

    right: int = 0
    """Starts on the very queue instances of our run."""
    total: int = 0
    misses: tuple[str, ...] = ()
    """The newest starts elsewhere, a sentence each."""

    def after(self, outcome: Outcome, before: State, now: State) -> "Trust":
        """Return the trust with the starts between two readings; `outcome` is our run on the first one."""
        known = {(job.id, job.owner): job for job in before.jobs}
        right, total, misses = self.right, self.total, list(self.misses)
        for job in now.jobs:
            earlier = known.get((job.id, job.owner))
            if earlier is None:
                continue
            for number, task in job.tasks.items():
                waited = earlier.tasks.get(number)
                if not task.granted or "q" in task.state or (waited is not None and "q" not in waited.state):
                    continue
                run = outcome.job(job.id)
                ours = next((entry.granted for entry in run.tasks if entry.task == number), {}) if run else {}
                total += 1
                if set(ours) == set(task.granted):
                    right += 1
                else:
                    where = ", ".join(ours) or "nowhere"
                    misses.append(f"{job.id}.{number} started on {', '.join(task.granted)}, our run placed it {where}")
        return Trust(right, total, tuple(misses[-_MOST_MISSES:]))


def after_reading(
    trust: Trust | None, result: "Result | None", revision: int, before: State, now: State
) -> Trust | None:
    """Return the trust with the starts between two readings; unchanged without a result of this revision."""
    if result is None or result.outcome is None or result.revision != revision:
        return trust
    return (trust or Trust()).after(result.outcome, before, now)
