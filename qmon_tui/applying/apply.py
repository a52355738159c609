"""Applying a plan: read all its objects again, keep the way back on disk, then run step after step until a failure."""

import contextlib
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from qmon_tui.applying.gate import Gate, Verdict, Written, apply_lock
from qmon_tui.applying.plan import Plan, PlanError, Target, differing, make_plan, only, with_lasting_names
from qmon_tui.applying.records import FINISH, TAKE_BACK, Record, RecordFile, note_done, record_of
from qmon_tui.applying.rights import rights_on
from qmon_tui.model import Cluster, ObjectKey, State
from qmon_tui.sources import SourceError
from qmon_tui.sources.cell_folder import cell_folder, make_shared
from qmon_tui.sources.qmaster_source import QmasterSource
from qmon_tui.workspace import Conflict, changes_by_value, overlapping, overlay

Progress = Callable[[int, Written], None]
"""Called after each step with its number, from 0, and its result."""


class Changed(NamedTuple):
    """An object that has changed since the plan was made, in three versions: a cluster of this object each."""

    key: ObjectKey
    base: Cluster
    wanted: Cluster
    now: Cluster


class Applied(NamedTuple):
    """The result of an apply."""

    plan: Plan
    written: tuple[Written, ...]
    """One for each step that was tried; the last one failed unless `is_whole`."""
    changed: tuple[Changed, ...] = ()
    """Objects that have changed since the plan was made: if there are any, nothing was written."""
    record: str = ""
    """Name of its record, by which it can be taken back; empty if nothing was run."""

    @property
    def is_whole(self) -> bool:
        """True if every step is carried out."""
        return not self.changed and len(self.written) == len(self.plan.steps) and self._is_well

    @property
    def _is_well(self) -> bool:
        return all(written.verdict.is_well for written in self.written)

    @property
    def words(self) -> str:
        total = len(self.plan.steps)
        if not total:
            return "there was nothing to run"
        if self.changed:
            return "nothing was written: the cluster has changed since the plan was made"
        done = sum(written.verdict.is_well for written in self.written)
        if self.is_whole:
            return f"all {total} commands done and read back" if total != 1 else "the command is done and read back"
        last = self.written[-1]
        left = total - len(self.written)
        return f"{done} of {total} commands done; number {len(self.written)}: {last.verdict}; {left} not tried"


def target_of(source: QmasterSource) -> Target:
    """Return the cluster that a source reads, as target of a plan. Raises SourceError."""
    return Target(source.location, source.cell.root, source.cell.cell, source.clients.version)


def apply_plan(
    source: QmasterSource, plan: Plan, cluster: Cluster, state: State, *, reason: str = "", tell: Progress | None = None
) -> Applied:
    """Apply a plan; the rights of the user are found in `cluster` and `state`, as last read.

    Raises PlanError if the plan is for another cluster, has refusals, lacks rights or was applied before; SourceError
    if lock, record or objects are unavailable. Nothing was run then.
    """
    target = target_of(source)
    if plan.target != replace(target, location=plan.target.location):
        raise PlanError(
            f"the plan is for {plan.target.root} {plan.target.cell} with {plan.target.version}, not for {target.root}"
            f" {target.cell} with {target.version}: plan again"
        )
    if plan.refusals:
        raise PlanError(f"the qmaster would refuse {plan.refusals[0].line}: {'; '.join(plan.refusals[0].messages)}")
    if not plan.steps:
        return Applied(plan, ())
    rights = rights_on(source.cell, cluster, state)
    for step in plan.steps:
        if refusal := rights.refusal_for(step.keys):
            raise PlanError(refusal)
    with apply_lock(source.cell):
        if (used := _applied_mark(source, plan)).exists():
            raise PlanError("the plan was applied before: plan again")
        record_before = record_of(plan)
        if record_before is not None and record_before.dealt_with > plan.made:
            raise PlanError(f"{record_before.name} was {record_before.end} meanwhile: plan again")
        now = source.read_objects(plan.keys)
        if keys := differing(now, plan.base, plan.keys):
            entries = (
                Changed(key, only(plan.base, (key,)), only(plan.wanted, (key,)), only(now, (key,))) for key in keys
            )
            return Applied(plan, (), tuple(entries))
        _mark_applied(used)
        with RecordFile(plan) as record:
            written = _carried_out(Gate(source, rights, reason), plan, record, tell)
            applied = Applied(plan, written, (), record.name)
            with contextlib.suppress(SourceError):  # without this entry it counts as interrupted
                record.end(applied.words)
        if applied.is_whole:
            note_done(source.cell, plan)
        return applied


def _carried_out(gate: Gate, plan: Plan, record: RecordFile, tell: Progress | None) -> tuple[Written, ...]:
    results: list[Written] = []
    for number, step in enumerate(plan.steps):
        try:
            record.begin(number)
        except SourceError as error:
            results.append(Written(step.line, Verdict.REFUSED, (error.message,)))
            break
        try:
            written = gate.write(step)
        except SourceError as error:
            written = Written(step.line, Verdict.REFUSED, (error.message,))
        results.append(written)
        with contextlib.suppress(SourceError):  # `begin` of the next step reports it
            record.ended(number, written)
        if tell is not None:
            tell(number, written)
        if not written.verdict.is_well:
            break
    return tuple(results)


def _applied_mark(source: QmasterSource, plan: Plan) -> Path:
    """Return the file that marks the plan as applied; it may not exist yet. Raises SourceError."""
    try:
        return cell_folder(source.cell) / "applied" / plan.identity
    except OSError as error:
        raise SourceError(f"no folder can be made beside the cell ({error.strerror}): nothing was run") from None


def _mark_applied(place: Path) -> None:
    """Create the file that marks the plan as applied. Raises SourceError."""
    try:
        make_shared(place.parent, place.parent.parent)
        os.close(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o664))
    except OSError as error:
        raise SourceError(f"that the plan is applied cannot be noted ({error.strerror}): nothing was run") from None


# The way back -----------------------------------------------------------------------------------------------------


class WayBack(NamedTuple):
    """A plan that takes an apply back, and conflicts with later changes, which it leaves alone."""

    plan: Plan
    conflicts: tuple[Conflict, ...]


def take_back(source: QmasterSource, record: Record, cluster: Cluster, state: State) -> WayBack:
    """Return the plan that reverts an apply in the cluster as it is now; later changes stay."""
    wanted, base = _after_and_before(record)
    return _three_way(source, TAKE_BACK + record.name, wanted, base, cluster, state)


def finish(source: QmasterSource, record: Record, cluster: Cluster, state: State) -> WayBack:
    """Return the plan that completes an interrupted apply in the cluster as it is now; later changes stay."""
    return _three_way(source, FINISH + record.name, record.plan.base, record.plan.wanted, cluster, state)


def merged_plan(source: QmasterSource, plan: Plan, cluster: Cluster, state: State) -> WayBack:
    """Return a plan of the same changes for a cluster that has changed since."""
    return _three_way(source, plan.source, plan.base, plan.wanted, cluster, state)


def _after_and_before(record: Record) -> tuple[Cluster, Cluster]:
    """Return the objects after and before all steps that may have changed something."""
    before, after = Cluster(), Cluster()
    keys: dict[ObjectKey, None] = {}
    for step in record.carried_out:
        for key in step.keys:
            if key not in keys:
                keys[key] = None
                before = before.with_objects(only(step.before, (key,)))
            for obj in only(after, (key,)):
                after = after.without(obj.kind, obj.name)
        after = after.with_objects(step.after)
    return after, before


def _three_way(
    source: QmasterSource, words: str, base: Cluster, mine: Cluster, theirs: Cluster, state: State
) -> WayBack:
    """Return the plan that makes the changes from `base` to `mine` in `theirs`, without objects in conflict."""
    made = changes_by_value(base, mine)
    now = only(theirs, {(obj.kind, obj.name): None for part in (base, mine) for obj in part})
    clashes = overlapping(made, changes_by_value(base, now))
    blocked = {(clash.kind, clash.name) for clash in clashes}
    left = (change for change in made if (change.kind, change.name) not in blocked)
    wanted = with_lasting_names(theirs, overlay(left, theirs))
    return WayBack(make_plan(target_of(source), words, theirs, wanted, state), clashes)
