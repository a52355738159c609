"""The workspace holds any source: here one that is no folder, whose texts are kept in memory."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest

from qmon_tui.formats.layout import Layout
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.sources import ConflictError, Part, Reading, SavePlan, Source, SourceError, planned_files, reading_of
from qmon_tui.workspace import SetField, Workspace

TEXTS = {"complexes.yaml": "complexes:\n  gpu: {shortcut: gpu, type: INT, relop: <=, consumable: 'YES', urgency: 1}\n"}


@dataclass
class MemorySource:
    """Texts that somebody else may change at any time."""

    texts: dict[str, str] = field(default_factory=lambda: dict(TEXTS))
    location: str = "memory"
    is_there: bool = True
    folder = None
    cost = None
    interval: float = 0.0

    def exists(self) -> bool:
        return self.is_there

    def read(self, previous: Reading | None = None) -> Reading:
        if not self.is_there:
            raise SourceError("memory is gone")
        return reading_of(self, Layout.YAML, "memory", self.texts, previous=previous)

    def others(self, reading: Reading) -> dict[str, str]:
        return {}

    def read_part(self, previous: Reading, part: Part) -> Reading:
        return previous

    def plan(self, reading: Reading, cluster: Cluster, state: State | None = None) -> SavePlan:
        return planned_files(reading, cluster, state)

    def write(self, reading: Reading, plan: SavePlan) -> Reading:
        changed = tuple(change.file for change in plan.files if self.texts.get(change.file) != change.before)
        if changed:
            raise ConflictError(changed)
        for change in plan.files:
            self.texts[change.file] = change.after or ""
        return self.read(reading)

    async def changes(self, stop: asyncio.Event) -> AsyncIterator[frozenset[str]]:
        await stop.wait()
        yield frozenset()


def urgency(workspace: Workspace) -> str:
    return workspace.cluster.objects(Kind.COMPLEX)["gpu"].text("urgency")


def test_an_edit_is_saved_where_the_document_came_from() -> None:
    source: Source = MemorySource()
    workspace = Workspace(source.read())
    workspace.apply(SetField(Kind.COMPLEX, "gpu", "urgency", "7"))
    assert workspace.save() is None
    assert (urgency(workspace), workspace.is_dirty()) == ("7", False)
    assert "urgency: 7" in source.read().files["complexes.yaml"]


def test_what_somebody_else_wrote_meanwhile_is_a_conflict() -> None:
    source = MemorySource()
    workspace = Workspace(source.read())
    workspace.apply(SetField(Kind.COMPLEX, "gpu", "urgency", "7"))
    source.texts["complexes.yaml"] = TEXTS["complexes.yaml"].replace("urgency: 1", "urgency: 3")
    change = workspace.save()
    assert change is not None
    assert change.pending
    assert "urgency: 3" in source.texts["complexes.yaml"]
    workspace.take_theirs()
    assert urgency(workspace) == "3"


def test_a_source_that_is_gone_says_so() -> None:
    source = MemorySource(is_there=False)
    with pytest.raises(SourceError, match="gone"):
        source.read()
