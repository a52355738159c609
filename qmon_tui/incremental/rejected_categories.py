"""Categories that get no more reservations; `Job.reservation_rejected` of their jobs carries that from run to run.

The rules are `collect_run_jobs`, where one such job marks its whole category, and `stays_rejected`.
"""

from collections.abc import Iterable, Iterator

from qmon_tui.incremental.known_jobs import KnownJob
from qmon_tui.model import Job
from qmon_tui.scheduler.jobs import Category


class RejectedCategories:
    """The jobs of each category, split by `Job.reservation_rejected`."""

    def __init__(self) -> None:
        self._categories: dict[int, Category] = {}
        """id -> category, for all categories of the present jobs."""
        self._telling: dict[int, dict[int, KnownJob]] = {}
        """id of a category -> job number -> job with `reservation_rejected`; categories without one are left out."""
        self._silent: dict[int, dict[int, KnownJob]] = {}
        """Like `_telling`, for the other jobs."""

    def add(self, known: KnownJob) -> None:
        category = known.profile.category
        by_category = self._telling if known.job.reservation_rejected else self._silent
        by_category.setdefault(id(category), {})[known.job.id] = known
        self._categories[id(category)] = category

    def remove(self, known: KnownJob) -> None:
        """Remove a job, given as it was when it was added."""
        key = id(known.profile.category)
        by_category = self._telling if known.job.reservation_rejected else self._silent
        del by_category[key][known.job.id]
        if not by_category[key]:
            del by_category[key]
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
        """Yield each job whose `reservation_rejected` a run changes, and its new value.

        `has_tried` is True if the run has tried jobs, and so has set `reservation_rejected` of the categories.
        """
        started = frozenset(started)
        keys = list(self._telling)
        if has_tried:
            keys = [key for key, category in self._categories.items() if category.reservation_rejected]
        for key in keys:
            is_single = self._categories[key].jobs == 1
            for number, known in self._silent.get(key, {}).items():
                if not (is_single and number in started):
                    yield known.job, True
            if is_single:
                for number, known in self._telling.get(key, {}).items():
                    if number in started:
                        yield known.job, False
