"""The last run, reused for the next one if an edit has changed nothing that decides.

The scheduler does not read many attributes, such as the prolog of a queue; another text may mean the same; and there
may have been enough of a consumable before and after (`reused_run`).
"""

from dataclasses import fields, replace
from weakref import ref

from qmon_tui.incremental.reused_run import reused_run
from qmon_tui.incremental.same_decisions import other_totals
from qmon_tui.model import Cluster, Kind, State
from qmon_tui.qmaster import Run
from qmon_tui.scheduler.configuration import CompiledCluster
from qmon_tui.scheduler.priority import Formulas

_READ_AS_COMPILED = frozenset({Kind.QUEUE, Kind.HOST, Kind.SCHEDULER, Kind.QUOTA, Kind.CALENDAR})
"""Kinds that a run reads only through `CompiledCluster`."""
_COMPARED = frozenset({"cluster", "hosts", "queues", "instances", "rule_matcher", "qmaster_rule_matcher"})
"""Parts that are compared in another way, or derived from other parts."""
_PARTS = tuple(part.name for part in fields(CompiledCluster) if part.name not in _COMPARED)


class LatestRun:
    """The last run, as long as it is in use elsewhere."""

    def __init__(self) -> None:
        self._runs: tuple[ref[Run], ...] = ()
        """The run that was made and the one that was returned for it last: a screen may show either."""

    def again(self, compiled: CompiledCluster, state: State, now: int, formulas: Formulas) -> Run | None:
        """Return the run under another configuration; None if it must be made."""
        run = next((run for known in self._runs if (run := known()) is not None), None)
        if run is None or run.state is not state or run.now != now or run.formula.formulas is not formulas:
            return None
        if not _has_same_others(run.compiled.cluster, compiled.cluster):
            return None
        if not _has_same_parts(run.compiled, compiled):
            return None
        totals = other_totals(run, compiled)
        if totals is None:
            return None
        again: Run | None = replace(run, compiled=compiled)
        if totals:
            reused = reused_run(run, compiled, totals)
            again = None if reused is None else replace(reused, known_outcome=None)
        if again is not None:
            self._runs = ref(run), ref(again)
        return again

    def keep(self, run: Run) -> None:
        self._runs = (ref(run),)


def _has_same_parts(before: CompiledCluster, after: CompiledCluster) -> bool:
    """True if all parts are equal but those that `other_totals` compares."""
    if not all(_is_equal(getattr(before, name), getattr(after, name)) for name in _PARTS):
        return False
    queues = zip(before.queues, after.queues, strict=False)
    return len(before.queues) == len(after.queues) and all(
        queue is now or (queue.name == now.name and queue.alternatives == now.alternatives) for queue, now in queues
    )


def _has_same_others(before: Cluster, after: Cluster) -> bool:
    return all(before.objects(kind) is after.objects(kind) for kind in Kind if kind not in _READ_AS_COMPILED)


def _is_equal(first: object, second: object) -> bool:
    return first is second or first == second
