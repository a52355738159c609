"""Small clusters, readings and edits for the tests of the workspace."""

from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from hypothesis import strategies as st

from qmon_tui.model.cluster import Cluster, ConfigObject, Origin, config_object
from qmon_tui.model.findings import Finding, Severity
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.workspace import Document, EditError
from qmon_tui.workspace.difference import changes
from qmon_tui.workspace.edits import (
    AddObject,
    Batch,
    Edit,
    RemoveObject,
    RenameObject,
    ReplaceKind,
    SetField,
    SetFields,
)
from qmon_tui.workspace.merge import Conflict, overlapping

NAMES = ("a.q", "b.q", "c.q", "d.q")
FIELDS = ("slots", "seq_no", "h_rt", "hostlist")


def queue(name: str, file: str | None = None, **values: str) -> ConfigObject:
    origin = Origin(file) if file else None
    return config_object(Kind.QUEUE, name, {"qname": name, **values}, origin)


def cluster(*objects: ConfigObject) -> Cluster:
    return Cluster().with_objects(objects)


def conflicts(base: Cluster, mine: Cluster, theirs: Cluster) -> tuple[Conflict, ...]:
    """Return the conflicts between the changes of two sides to one cluster."""
    return overlapping(changes(base, mine), changes(base, theirs))


def reading(
    content: Cluster,
    state: State | None = None,
    findings: tuple[Finding, ...] = (),
    files: Mapping[str, str] | None = None,
) -> Any:
    """What sources.folder.read_folder answers, without a folder."""
    return cast(
        Any,
        SimpleNamespace(
            folder=Path("/nowhere"),
            live=None,
            cluster=content,
            state=state or State(),
            findings=findings,
            files=files or {},
        ),
    )


def broken(file: str, kind: str = "", name: str = "") -> Finding:
    return Finding("format.yaml", Severity.ERROR, kind, name, None, "cannot be read", file=file, line=1)


texts = st.sampled_from(("1", "2", "24:00:00", "NONE", "1,[node01=4]"))
queues = st.builds(
    lambda name, values: queue(name, **values),
    st.sampled_from(NAMES),
    st.dictionaries(st.sampled_from(FIELDS), texts, max_size=3),
)
clusters = st.lists(queues, max_size=4).map(lambda objects: cluster(*objects))
_names = st.sampled_from(NAMES)
_optional = st.none() | texts
simple_edits: st.SearchStrategy[Edit] = st.one_of(
    st.builds(SetField, st.just(Kind.QUEUE), _names, st.sampled_from(FIELDS), _optional),
    st.builds(SetFields, st.just(Kind.QUEUE), _names, st.dictionaries(st.sampled_from(FIELDS), _optional, min_size=1)),
    st.builds(SetField, st.just(Kind.SCHEDULER), st.just("scheduler"), st.just("weight_ticket"), texts),
    st.builds(AddObject, queues),
    st.builds(RemoveObject, st.just(Kind.QUEUE), _names),
    st.builds(RenameObject, st.just(Kind.QUEUE), _names, _names),
    st.builds(
        lambda objects: ReplaceKind(Kind.QUEUE, tuple(objects)),
        st.lists(queues, max_size=3, unique_by=lambda q: q.name),
    ),
)
edits: st.SearchStrategy[Edit] = simple_edits | st.builds(
    lambda parts: Batch("several things", tuple(parts)), st.lists(simple_edits, min_size=1, max_size=3)
)


def applied(start: Cluster, some: list[Edit]) -> Cluster:
    """The cluster after those of the edits that can be made."""
    for edit in some:
        try:
            start = edit.made(Document(start, State())).cluster
        except EditError:
            continue
    return start
