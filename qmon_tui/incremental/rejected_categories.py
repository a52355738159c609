"""Categories that get no reservation any more, which their jobs carry from run to run.

The rules are `collect_run_jobs`, which reads it of one job for all of its kind, and `stays_rejected`.
"""

from collections.abc import Iterable, Iterator

from qmon_tui.incremental.known_jobs import KnownJob
from qmon_tui.model import Job
from qmon_tui.scheduler.jobs import Category


class RejectedCategories:
    """The jobs of each kind, by whether they tell that it gets no reservation."""

    def __init__(self) -> None:
        self._categories: dict[int, Category] = {}
        """id -> category, for all categories of jobs that are there."""
        self._telling: dict[int, dict[int, KnownJob]] = {}
        """Kind -> number of a job -> that, if it tells so; kinds without such jobs are left out."""
        self._silent: dict[int, dict[int, KnownJob]] = {}

    def add(self, known: KnownJob) -> None:
        category = known.profile.category
        by_kind = self._telling if known.job.reservation_rejected else self._silent
        by_kind.setdefault(id(category), {})[known.job.id] = known
        self._categories[id(category)] = category

    def remove(self, known: KnownJob) -> None:
        """A job, as it was, is gone."""
        key = id(known.profile.category)
        by_kind = self._telling if known.job.reservation_rejected else self._silent
        del by_kind[key][known.job.id]
        if not by_kind[key]:
            del by_kind[key]
        if key not in self._telling and key not in self._silent:
            del self._categories[key]

    def replace(self, before: KnownJob, after: KnownJob) -> None:
        self.remove(before)
        self.add(after)

    def begin_run(self) -> None:
        """Set `reservation_rejected` of each category from its jobs."""
        for key, category in self._categories.items():
            category.reservation_rejected = key in self._telling

    def changes(self, started: Iterable[int], *, has_tried: bool) -> Iterator[tuple[Job, bool]]:
        """The jobs that tell something else after a run, and what; `has_tried` where it has looked for reservations."""
        started = frozenset(started)
        kinds = list(self._telling)
        if has_tried:
            kinds = [key for key, category in self._categories.items() if category.reservation_rejected]
        for key in kinds:
            is_single = self._categories[key].jobs == 1
            for number, known in self._silent.get(key, {}).items():
                if not (is_single and number in started):
                    yield known.job, True
            if is_single:
                for number, known in self._telling.get(key, {}).items():
                    if number in started:
                        yield known.job, False
