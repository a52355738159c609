"""The document that is edited, a cluster and its state, both immutable; and the errors for refused edits."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from qmon_tui.formats import state as state_format
from qmon_tui.model import Cluster, ConfigObject, Kind, State, StateEntry, StateKind, config_object

AnyKind = Kind | StateKind
ObjectOrEntry = ConfigObject | StateEntry
"""Part of a document: an object of the configuration or an item of the state."""


BUILT_IN_OBJECTS = {(Kind.HOST, "global"), (Kind.CONFIGURATION, "global")}
"""Objects that exist in every cluster, written down or not; the single kinds are the others."""


@dataclass(frozen=True, slots=True)
class Document:
    """A cluster and its state at one moment; an edit makes a new document that shares the unchanged parts."""

    cluster: Cluster
    state: State

    def get(self, kind: AnyKind, name: str) -> ObjectOrEntry | None:
        if not isinstance(kind, StateKind):
            return self.cluster.get(kind, name)
        return state_format.entry(self.state, kind, name)

    def with_cluster(self, cluster: Cluster) -> "Document":
        return self if cluster is self.cluster else replace(self, cluster=cluster)

    def with_state(self, state: State) -> "Document":
        return self if state is self.state else replace(self, state=state)


def listed_objects(cluster: Cluster, kind: Kind) -> Mapping[str, ConfigObject]:
    """Return the objects of a kind by name; built-in objects that were not read come first."""
    unread = [name for known, name in sorted(BUILT_IN_OBJECTS) if known is kind and cluster.get(kind, name) is None]
    objects = cluster.objects(kind)
    return {**{name: config_object(kind, name, {}) for name in unread}, **objects} if unread else objects


class EditError(ValueError):
    """An edit that cannot be made; the text is a sentence for the user."""


class WorkspaceError(Exception):
    """Raised for an action that is impossible now; the text is a sentence for the user."""
