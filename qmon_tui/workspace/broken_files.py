"""Substitutes for broken files: the objects and jobs that were last read from them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeVar

from qmon_tui.formats import unreadable
from qmon_tui.model import Cluster, ConfigObject, Finding, Job, Kind, PastUsage, State, StateKind
from qmon_tui.workspace import edits
from qmon_tui.workspace.document import AnyKind, Document, ObjectOrEntry

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class FolderContent:
    """Content shown for a reading; `stale_files` are the broken files whose last good content is in it."""

    cluster: Cluster
    state: State
    stale_files: tuple[str, ...] = ()
    kept: frozenset[tuple[Kind, str]] = frozenset()
    """Objects that are missing in this reading and were kept from an earlier one."""

    @property
    def document(self) -> Document:
        """Cluster and state together."""
        return Document(self.cluster, self.state)

    def refusal(self, kind: AnyKind, name: str, before: ObjectOrEntry | None) -> str | None:
        """Return why a change to an object or item cannot be saved: its file is broken. None if it can be saved."""
        file = before.origin.file if before and before.origin else None
        broken = file in self.stale_files if isinstance(kind, StateKind) else (kind, name) in self.kept
        words = f"{edits.object_words(kind, name)} cannot be saved while {file or 'its file'} is broken: fix it first."
        return words if broken else None


def with_last_good(
    shown: FolderContent, known: tuple[Finding, ...], fresh: FolderContent, findings: tuple[Finding, ...]
) -> FolderContent:
    """Return a fresh reading in which objects that a broken file lost or garbled keep their last shown version.

    Objects that had errors in the earlier findings `known` are taken from their file.
    """
    errors = unreadable(findings)
    broken = {finding.file for finding in errors if finding.file}
    if not broken:
        return fresh
    kept = {(kind.value, name) for kind, name in shown.kept}
    garbled = {(finding.kind, finding.name) for finding in errors} - (
        {(finding.kind, finding.name) for finding in unreadable(known)} - kept
    )
    new = fresh.cluster
    lost = [
        obj
        for obj in shown.cluster
        if obj.origin
        and obj.origin.file in broken
        and (_unread(new.get(obj.kind, obj.name)) or (obj.kind.value, obj.name) in garbled)
    ]
    ids = {job.id for job in fresh.state.jobs}
    jobs = [job for job in shown.state.jobs if job.origin and job.origin.file in broken and job.id not in ids]
    files = {origin.file for origin in (*(obj.origin for obj in lost), *(job.origin for job in jobs)) if origin}
    return FolderContent(
        cluster=_in_place(new.with_objects(lost), lost, shown.cluster),
        state=_with_last_state(fresh.state, shown.state, jobs) if files else fresh.state,
        stale_files=tuple(sorted(files)),
        kept=frozenset((obj.kind, obj.name) for obj in lost),
    )


def _unread(obj: ConfigObject | None) -> bool:
    """Return True if no file has the object: it is missing, or is a default one of a new cluster (without origin)."""
    return obj is None or obj.origin is None


def _in_place(cluster: Cluster, lost: list[ConfigObject], shown: Cluster) -> Cluster:
    """Return the cluster with the kept objects in their former order."""
    for kind in dict.fromkeys(obj.kind for obj in lost):
        objects = cluster.objects(kind)
        names = [name for name in shown.objects(kind) if name in objects]
        cluster = edits.with_order(cluster, kind, [objects[name] for name in dict.fromkeys((*names, *objects))])
    return cluster


def _with_last_state(state: State, shown: State, jobs: list[Job]) -> State:
    # Load values and queue states do not know their file: while a file is broken, none of them is removed.
    return replace(
        state,
        now=shown.now,
        jobs=tuple(sorted((*state.jobs, *jobs), key=lambda job: job.id)),
        loads=_both(shown.loads, state.loads),
        queue_states=_both(shown.queue_states, state.queue_states),
        error_reasons=_both(shown.error_reasons, state.error_reasons),
        drains=_both(shown.drains, state.drains),
        exceptions=_both(shown.exceptions, state.exceptions),
        changed=_both(shown.changed, state.changed),
        seen_suspended=shown.seen_suspended | state.seen_suspended,
        reservations=state.reservations or shown.reservations,
        usage=PastUsage(_both(shown.usage.users, state.usage.users), _both(shown.usage.projects, state.usage.projects)),
    )


def _both(old: Mapping[str, T], new: Mapping[str, T]) -> Mapping[str, T]:
    return MappingProxyType({**old, **new})
