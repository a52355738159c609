"""The command palette: whatever has a name can be gone to, whatever can be done is done, by a few of its letters."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from textual.command import DiscoveryHit, Hits, Provider
from textual.command import Hit as Offered
from textual.content import Content

from qmon_tui.model.catalogue import spec, specs
from qmon_tui.model.findings import Severity
from qmon_tui.model.kinds import Kind
from qmon_tui.tui.latest import in_thread
from qmon_tui.tui.places import PLACES
from qmon_tui.tui.present.jump import Hit, Target, best, with_fields

if TYPE_CHECKING:
    from qmon_tui.tui.screens.main import MainScreen


class Everything(Provider):
    """Actions, places, kinds, objects, fields, jobs, queue instances and findings.

    What there is, is listed once when the palette opens; finding among it runs off the event loop.
    """

    async def startup(self) -> None:
        """List what there is."""
        main = self._main
        self._objects = tuple(_objects(main))
        self._targets = (
            *_actions(main), *_places(main), *self._objects, *_fields(main), *_jobs(main), *_instances(main),
            *_findings(main),
        )  # fmt: skip

    @property
    def _main(self) -> "MainScreen":
        from qmon_tui.tui.screens.main import MainScreen

        screen = self.screen
        assert isinstance(screen, MainScreen)
        return screen

    async def discover(self) -> Hits:
        """Before anything is typed: what can be done, and the places and kinds."""
        for target in (*_actions(self._main), *_places(self._main)):
            yield DiscoveryHit(Content(target.text), target.go, target.text, target.about)

    async def search(self, query: str) -> Hits:
        """What fits the query best."""

        def find() -> list[Hit]:
            return [*with_fields(self._objects, partial(_fields_of, self._main), query), *best(self._targets, query)]

        matcher = self.matcher(query)
        for hit in await in_thread(find):
            target = hit.target
            yield Offered(hit.score, matcher.highlight(target.text), target.go, target.text, target.about)


def _actions(main: "MainScreen") -> Iterator[Target]:
    now = main.situation()
    for action in main.registry.here(now):
        if action.id != "palette":
            about = f"{action.key}  " if action.key else ""
            about += action.disabled_reason(now) or ""
            yield Target(f"{action.label}: {action.description}", about, partial(main.do, action.id), action.label)


def _places(main: "MainScreen") -> Iterator[Target]:
    for place in PLACES:
        yield Target(f"go to {place.title}", place.help, partial(main.jumping.to_place, place.id), place.title)
    for kind, declared in specs().items():
        yield Target(f"go to {declared.title}", declared.help, partial(main.jumping.to, kind), declared.title)


def _objects(main: "MainScreen") -> Iterator[Target]:
    for obj in main.workspace.cluster:
        yield Target(f"{obj.kind} {obj.name}", "", partial(main.jumping.to, obj.kind, obj.name), obj.name)


def _fields(main: "MainScreen") -> Iterator[Target]:
    """The fields of every kind, each in the object that the list of its kind has chosen."""
    for kind, declared in specs().items():
        for field in declared.fields:
            go = partial(main.jumping.to_field, kind, field.name)
            yield Target(f"field {field.name} of {declared.title}", field.help, go, field.name)


def _fields_of(main: "MainScreen", target: Target) -> Iterator[Target]:
    """The fields of one object."""
    kind_name, _, name = target.text.partition(" ")
    kind = Kind(kind_name)
    for field in spec(kind).fields:
        go = partial(main.jumping.to, kind, name, field.name)
        yield Target(f"{target.text} ▸ {field.name}", field.help, go, field.name)


def _jobs(main: "MainScreen") -> Iterator[Target]:
    for row in main.live.job_rows:
        text = f"job {row.number} {row.job.name} of {row.job.owner}"
        yield Target(text, f"{row.task.state} {row.place}", partial(main.jumping.to_job, row.key), row.number)


def _instances(main: "MainScreen") -> Iterator[Target]:
    outcome = main.workspace.result.outcome if main.workspace.result else None
    for instance in outcome.queue_instances if outcome else ():
        about = f"{instance.used} of {instance.total} slots {instance.state}"
        go = partial(main.jumping.to_instance, instance.name)
        yield Target(f"queue instance {instance.name}", about, go, instance.name)


def _findings(main: "MainScreen") -> Iterator[Target]:
    for finding in main.findings:
        sign = "✗" if finding.severity is Severity.ERROR else "!"
        about = f"{finding.kind} {finding.name}"
        yield Target(f"{sign} {finding.message}", about, partial(main.jumping.to_finding, finding))
