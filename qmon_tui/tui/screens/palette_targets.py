"""Targets of the palette: all that can be shown, such as objects, pages and jobs, and all actions."""

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final, NamedTuple

from qmon_tui.model import Kind, Severity
from qmon_tui.model.catalogue import spec, specs
from qmon_tui.report import SearchHit, SearchTarget, best, with_fields
from qmon_tui.report.jobtable import COLUMNS
from qmon_tui.sources import SourceError
from qmon_tui.tui.base import ClusterRequested
from qmon_tui.tui.pages import PAGES, PAGES_BY_ID
from qmon_tui.tui.panels import PANEL_TABLE
from qmon_tui.tui.screens.palette_commands import PaletteCommands

if TYPE_CHECKING:
    from qmon_tui.tui.screens.action_screen import ActionScreen


class Whereabouts(NamedTuple):
    """Target of a qmon window: the id of a page, else a kind of object, with the tab to open if any."""

    page: str = ""
    kind: Kind | None = None
    tab: str = ""


WINDOWS: Final[dict[str, Whereabouts]] = {
    "Job Control": Whereabouts("jobs"),
    "Submit Job": Whereabouts("jobs"),
    "Queue Control": Whereabouts("cluster"),
    "Cluster Queues": Whereabouts("cluster"),
    "Queue Instances": Whereabouts("cluster"),
    "Calendar Configuration": Whereabouts(kind=Kind.CALENDAR),
    "Complex Configuration": Whereabouts(kind=Kind.COMPLEX),
    "Host Configuration": Whereabouts(kind=Kind.HOST),
    "Administration Host": Whereabouts(kind=Kind.ADMIN_HOSTS),
    "Submit Host": Whereabouts(kind=Kind.SUBMIT_HOSTS),
    "Execution Host": Whereabouts(kind=Kind.HOST),
    "Host Groups": Whereabouts(kind=Kind.HOSTGROUP),
    "Queue Configuration": Whereabouts(kind=Kind.QUEUE),
    "User Configuration": Whereabouts(kind=Kind.USER),
    "Manager Configuration": Whereabouts(kind=Kind.MANAGERS),
    "Operator Configuration": Whereabouts(kind=Kind.OPERATORS),
    "Userset Configuration": Whereabouts(kind=Kind.USERSET),
    "Project Configuration": Whereabouts(kind=Kind.PROJECT),
    "Parallel Environment Configuration": Whereabouts(kind=Kind.PE),
    "Checkpointing Configuration": Whereabouts(kind=Kind.CKPT),
    "Scheduler Configuration": Whereabouts(kind=Kind.SCHEDULER),
    "Policy Configuration": Whereabouts(kind=Kind.SCHEDULER, tab="Weights"),
    "Ticket Overview": Whereabouts(kind=Kind.SCHEDULER, tab="Shares"),
    "Share Tree Policy": Whereabouts(kind=Kind.SHARETREE),
    "Functional Policy": Whereabouts(kind=Kind.SCHEDULER, tab="Shares"),
    "Override Policy": Whereabouts(kind=Kind.SCHEDULER, tab="Shares"),
    "Resource Quota Configuration": Whereabouts(kind=Kind.QUOTA),
    "Cluster Configuration": Whereabouts(kind=Kind.CONFIGURATION),
    "Advance Reservations": Whereabouts("reservations"),
}


class PaletteTargets:
    """Actions, pages, kinds, objects, tabs, fields, jobs, queue instances and findings at the time of construction.

    Construction is quick. The first search builds the list of targets, so call `hits` off the event loop.
    """

    def __init__(self, screen: "ActionScreen") -> None:
        self._screen = screen
        self._navigation = screen.navigation
        self._cluster = screen.workspace.cluster
        result = screen.workspace.result
        self._reservations = screen.workspace.state.reservations
        self._instances = result.outcome.queue_instances if result and result.outcome else ()
        self._jobs = screen.live.job_rows
        self._findings = screen.findings
        self._open = screen.post_message
        self._actions, self._pages = tuple(_actions(screen)), tuple(self._go_tos())
        self.first = (*self._actions, *self._pages)
        """Targets offered before the user types: actions, pages and kinds."""

    def hits(self, query: str) -> list[SearchHit]:
        """Return the targets that match, best first; a command line is the only target."""
        if command := PaletteCommands(self._screen).target(query):
            return [SearchHit(1.0, command)]
        if not query.strip():
            return [SearchHit(0.0, target) for target in self.first]
        # Sorting is stable: with equal scores, pages and kinds come first, and fields of objects last.
        fields = with_fields(self._objects, self._fields_of, query)
        return sorted((*best(self._targets, query), *fields), key=lambda hit: -hit.score)

    def topics(self) -> Iterator[SearchTarget]:
        """Yield help topics besides keys: pages and kinds, tabs, columns, fields."""
        to_jobs: Callable[[], None] = partial(self._navigation.to_page, "jobs")
        columns = (
            SearchTarget(f"column {column.title} of Jobs", column.help, to_jobs, column.title) for column in COLUMNS
        )
        yield from (target for target in (*self._go_tos(), *self._tabs(), *columns, *self._fields()) if target.about)

    @cached_property
    def _targets(self) -> tuple[SearchTarget, ...]:
        return (
            *self._pages, *self._actions, *self._additions(), *self._clusters(), *self._objects, *self._tabs(),
            *self._fields(), *self._windows(), *self._job_targets(), *self._instance_targets(),
            *self._reservation_targets(), *self._finding_targets(),
        )  # fmt: skip

    def _go_tos(self) -> Iterator[SearchTarget]:
        for page in PAGES:
            go: Callable[[], None] = partial(self._navigation.to_page, page.id)
            yield SearchTarget(f"go to {page.title}", page.help, go, page.title)
        for kind, declared in specs().items():
            yield SearchTarget(
                f"go to {declared.title}", declared.help, partial(self._navigation.to, kind), declared.title
            )

    def _additions(self) -> Iterator[SearchTarget]:
        """Yield a target for everything that can be added: an object of each kind, a job, a reservation."""
        for page in PAGES:
            if (action := self._screen.registry.by_id.get(f"{page.id}.add")) is not None:
                go: Callable[[], None] = partial(self._add, partial(self._navigation.to_page, page.id))
                yield SearchTarget(f"add to {page.title}: {action.description}", "", go)
        for kind, declared in specs().items():
            if not declared.single:
                go = partial(self._add, partial(self._navigation.to, kind))
                yield SearchTarget(f"add {kind}", f"a new one in {declared.title}", go, f"add {kind}")

    def _add(self, go: Callable[[], None]) -> None:
        """Go to a page or kind by calling `go`, and run the action `add` once it is shown."""
        go()
        self._screen.call_after_refresh(self._screen.do, "add")

    def _clusters(self) -> Iterator[SearchTarget]:
        """Yield the running clusters: the one of the environment, and those that clusters.toml names."""
        from qmon_tui.sources.cells import SCHEME, cell_names, clusters_file  # late: the first frame needs no cells

        try:
            names = cell_names()
        except SourceError:
            names = ()
        for name in ("", *names):
            text = f"named in {clusters_file()}" if name else "the cell of the environment (SGE_ROOT)"
            go: Callable[[], object] = partial(self._open, ClusterRequested(f"{SCHEME}{name}"))
            yield SearchTarget(f"cluster {name}".strip(), text, partial(_do, go), f"cluster {name}".strip())

    def _windows(self) -> Iterator[SearchTarget]:
        """Yield pages, kinds and tabs under the names of qmon's windows."""
        for name, where in WINDOWS.items():
            if where.kind is None:
                here, go = PAGES_BY_ID[where.page].title, partial(self._navigation.to_page, where.page)
            elif where.tab:
                here = f"{spec(where.kind).title}, tab {where.tab}"
                go = partial(self._navigation.to_tab, where.kind, where.tab)
            else:
                here, go = spec(where.kind).title, partial(self._navigation.to, where.kind)
            yield SearchTarget(f"{name} of qmon", f"here: {here}", go, name)

    @cached_property
    def _objects(self) -> tuple[SearchTarget, ...]:
        return tuple(
            SearchTarget(f"{obj.kind} {obj.name}", "", partial(self._navigation.to, obj.kind, obj.name), obj.name)
            for obj in self._cluster
        )

    def _tabs(self) -> Iterator[SearchTarget]:
        """Yield the tabs of every kind with several; each opens in the object chosen in the list of its kind."""
        for kind, declared in specs().items():
            panels = PANEL_TABLE.of(kind)
            helps = {group: "" for group in declared.groups} | {panel.title: panel.help for panel in panels}
            for title, about in helps.items() if len(helps) > 1 else ():
                fields = " ".join(field.name for field in declared.fields if field.group == title)
                go = partial(self._navigation.to_tab, kind, title)
                yield SearchTarget(f"tab {title} of {declared.title}", about or fields, go, title)

    def _fields(self) -> Iterator[SearchTarget]:
        """Yield the fields of every kind; each opens in the object chosen in the list of its kind."""
        for kind, declared in specs().items():
            for field in declared.fields:
                go = partial(self._navigation.to_field, kind, field.name)
                yield SearchTarget(f"field {field.name} of {declared.title}", field.help, go, field.name)

    def _fields_of(self, target: SearchTarget) -> Iterator[SearchTarget]:
        kind_name, _, name = target.text.partition(" ")
        kind = Kind(kind_name)
        for field in spec(kind).fields:
            go = partial(self._navigation.to, kind, name, field.name)
            yield SearchTarget(f"{target.text} ▸ {field.name}", field.help, go, field.name)

    def _job_targets(self) -> Iterator[SearchTarget]:
        for row in self._jobs:
            text = f"job {row.number} {row.job.name} of {row.job.owner}"
            yield SearchTarget(
                text, f"{row.task.state} {row.place}", partial(self._navigation.to_job, row.key), row.number
            )

    def _reservation_targets(self) -> Iterator[SearchTarget]:
        for reservation in self._reservations:
            text = " ".join(
                filter(None, ("advance reservation", str(reservation.id), reservation.name, "of", reservation.owner))
            )
            go: Callable[[], None] = partial(self._navigation.to_page, "reservations", str(reservation.id))
            yield SearchTarget(text, ",".join(reservation.granted), go, str(reservation.id))

    def _instance_targets(self) -> Iterator[SearchTarget]:
        for instance in self._instances:
            about = f"{instance.used} of {instance.total} slots {instance.state}"
            go = partial(self._navigation.to_instance, instance.name)
            yield SearchTarget(f"queue instance {instance.name}", about, go, instance.name)

    def _finding_targets(self) -> Iterator[SearchTarget]:
        for finding in self._findings:
            sign = "✗" if finding.severity is Severity.ERROR else "!"
            about = f"{finding.kind} {finding.name}"
            yield SearchTarget(f"{sign} {finding.message}", about, partial(self._navigation.to_finding, finding))


def _do(go: Callable[[], object]) -> None:
    go()


def _actions(screen: "ActionScreen") -> Iterator[SearchTarget]:
    now = screen.action_context()
    for action in screen.registry.here(now):
        if action.id != "palette":
            reason = action.disabled_reason(now) or ""
            text = f"{action.label}: {action.description}"
            yield SearchTarget(text, action.key(), partial(screen.do, action.id), action.label, reason)
