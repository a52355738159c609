"""The latest run stands for the next one, too, where an edit has changed nothing that decides.

Of many attributes, such as the prolog of a queue, the scheduler reads nothing; others come to the same as before; and
of a consumable there may have been enough before and after (`scheduler.standing_run`).
"""

from dataclasses import fields, replace
from weakref import ref

from qmon_tui.model import Cluster, Kind, State
from qmon_tui.qmaster.run import Run
from qmon_tui.scheduler import other_totals, standing_run
from qmon_tui.scheduler.configuration import CompiledCluster
from qmon_tui.scheduler.priority import Formulas

_READ_AS_COMPILED = frozenset({Kind.QUEUE, Kind.HOST, Kind.SCHEDULER, Kind.QUOTA, Kind.CALENDAR})
"""Of these a run reads nothing but what `CompiledCluster` says of them."""
_COMPARED = frozenset({"cluster", "hosts", "queues", "instances", "rule_matcher", "qmaster_rule_matcher"})
"""These are looked at by themselves, or made of others."""
_PARTS = tuple(part.name for part in fields(CompiledCluster) if part.name not in _COMPARED)


class LatestRun:
    """The last run, as long as somebody looks at it."""

    def __init__(self) -> None:
        self._runs: tuple[ref[Run], ...] = ()
        """The one that was made, and the one that stands for it now: a screen may look at either."""

    def again(self, compiled: CompiledCluster, state: State, now: int, formulas: Formulas) -> Run | None:
        """What a run would come to; None where the last one does not tell."""
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
            standing = standing_run(run, compiled, totals)
            again = None if standing is None else replace(standing, told=None)
        if again is not None:
            self._runs = ref(run), ref(again)
        return again

    def keep(self, run: Run) -> None:
        """Let this one be the last run."""
        self._runs = (ref(run),)


LATEST_RUN = LatestRun()


def _has_same_parts(before: CompiledCluster, after: CompiledCluster) -> bool:
    """True if all is the same but for what `other_totals` compares."""
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
