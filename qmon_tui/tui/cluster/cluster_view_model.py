"""Content of the Cluster page: its listings, computed in a worker, their titles and the explanation below."""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final

from qmon_tui.model import Cluster, InstanceOutcome, Outcome, State
from qmon_tui.report import Groups, Line, RowFilter, Span, TextRole, count, fit, groups_of, parse_filter, shown_figure
from qmon_tui.report.cluster import (
    HOST_FIELDS,
    INSTANCE_FIELDS,
    LISTING_FILTER_FIELDS,
    QUEUE_FIELDS,
    AnyLine,
    ClusterMap,
    HostLine,
    InstanceLine,
    ListingField,
    ListingRow,
    ListingTable,
    MapCell,
    QueueLine,
    SortOrder,
    host_lines,
    host_names,
    instance_lines,
    legend_lines,
    mark_sign,
    queue_lines,
    state_lines,
)
from qmon_tui.workspace import Document, Figures

_NONE: Final[frozenset[str]] = frozenset()


class ListingKind(StrEnum):
    """The listings of the page; the value is the title."""

    MAP = "Map"
    QUEUES = "Cluster queues (qstat -g c)"
    INSTANCES = "Queue instances (qstat -f)"
    HOSTS = "Hosts (qhost)"


@dataclass(frozen=True, slots=True)
class ViewInput:
    """Input of a view model."""

    cluster: Cluster
    state: State
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Listings:
    """The lines of all listings at one time, now or after the next run."""

    instances: list[InstanceLine]
    queues: list[QueueLine]
    hosts: list[HostLine]
    by_name: dict[str, InstanceLine]
    outcomes: dict[str, InstanceOutcome]

    @classmethod
    def of(cls, cluster: Cluster, state: State, outcomes: Sequence[InstanceOutcome]) -> "Listings":
        """Make the listings from the queue instances at one time."""
        instances = instance_lines(cluster, outcomes, state.drains)
        return cls(
            instances, queue_lines(cluster, instances, state.drains), host_lines(cluster, state, instances),
            {line.name: line for line in instances}, {outcome.name: outcome for outcome in outcomes},
        )  # fmt: skip

    def lines(self, kind: ListingKind) -> Sequence[AnyLine]:
        """Return the lines of a listing other than the map."""
        if kind is ListingKind.QUEUES:
            return self.queues
        return self.instances if kind is ListingKind.INSTANCES else self.hosts


@dataclass(frozen=True)
class ViewModel:
    """All four listings, of the current state and after the next run."""

    now: Listings
    after: Listings
    names: list[str]
    """All execution hosts."""
    groups: Groups

    def shown(self, figures: Figures) -> Listings:
        """Return the listings for details: those after the next run if only they are shown, else the present ones."""
        return self.after if figures is Figures.NEXT else self.now

    def rows(
        self,
        kind: ListingKind,
        words: str = "",
        column: int = 0,
        marked: frozenset[str] = _NONE,
        order: SortOrder | None = None,
        figures: Figures = Figures.NOW,
        kept: Collection[Hashable] = (),
    ) -> ClusterMap | ListingTable:
        """Return a listing: the rows that the filter accepts, and those in `kept`. The map ignores `order`."""
        row_filter = self.filter(words)
        if kind is ListingKind.MAP:
            queues, look = [line.name for line in self.now.queues], (column, marked, self.after.by_name, figures)
            whole = ClusterMap(self.names, queues, self.now.by_name, *look)
            lines = {line.name: line for line in self.now.hosts}
            hosts = [
                name for index, name in enumerate(self.names)
                if name in kept or row_filter.accepts(self._row(lines[name], whole.text(index)))
            ]  # fmt: skip
            return ClusterMap(hosts, queues, self.now.by_name, *look) if row_filter else whole
        title, fields = _TABLES[kind]
        now, after = self.now.lines(kind), self.after.lines(kind)
        marks: Mapping[str, str] = dict.fromkeys(marked, "✓")
        if kind is not ListingKind.INSTANCES:
            marks = self._marks(marked, lambda line: line.queue if kind is ListingKind.QUEUES else line.host)
        shown, others = (after, after) if figures is Figures.NEXT else (now, after)
        by_name = {line.name: line for line in others}
        whole_listing = ListingTable(title, shown, fields, marks, order, by_name, figures)
        if not row_filter:
            return whole_listing
        lines_shown = [
            line for index in range(len(shown))
            if (line := whole_listing.at(index)).name in kept
            or row_filter.accepts(self._row(line, whole_listing.text(index)))
        ]  # fmt: skip
        return ListingTable(title, lines_shown, fields, marks, order, by_name, figures)

    def filter(self, words: str) -> RowFilter[ListingRow]:
        """Parse the text of a filter."""
        return parse_filter(words, LISTING_FILTER_FIELDS, self.groups)

    def _row(self, line: AnyLine, text: str) -> ListingRow:
        if isinstance(line, InstanceLine):
            return ListingRow(line, (line,), text)
        parts = self._of_queues if isinstance(line, QueueLine) else self._of_hosts
        return ListingRow(line, parts.get(line.name, ()), text)

    @cached_property
    def _of_queues(self) -> Mapping[str, Sequence[InstanceLine]]:
        return _by_part(self.now.instances, lambda line: line.queue)

    @cached_property
    def _of_hosts(self) -> Mapping[str, Sequence[InstanceLine]]:
        return _by_part(self.now.instances, lambda line: line.host)

    def _marks(self, marked: frozenset[str], part: Callable[[InstanceLine], str]) -> dict[str, str]:
        """Return cluster queue or host -> sign for all or some marked instances; without marked ones it is missing."""
        names: dict[str, list[str]] = {}
        for line in self.now.instances if marked else ():
            names.setdefault(part(line), []).append(line.name)
        return {name: sign for name, instances in names.items() if (sign := mark_sign(instances, marked))}

    def of_queue(self, queue: str) -> list[str]:
        return [line.name for line in self._of_queues.get(queue, ())]

    def of_host(self, host: str) -> list[str]:
        return [line.name for line in self._of_hosts.get(host, ())]


_TABLES: Final[Mapping[ListingKind, tuple[str, Sequence[ListingField]]]] = {
    ListingKind.QUEUES: ("CLUSTER QUEUE", QUEUE_FIELDS),
    ListingKind.INSTANCES: ("queuename", INSTANCE_FIELDS),
    ListingKind.HOSTS: ("HOSTNAME", HOST_FIELDS),
}


def _by_part(lines: Sequence[InstanceLine], part: Callable[[InstanceLine], str]) -> Mapping[str, list[InstanceLine]]:
    parts: dict[str, list[InstanceLine]] = {}
    for line in lines:
        parts.setdefault(part(line), []).append(line)
    return parts


def build_view_model(view_input: ViewInput) -> ViewModel:
    """Return all listings, before and after the next run; called in a worker."""
    cluster, state, outcome = view_input.cluster, view_input.state, view_input.outcome
    now, after = (Listings.of(cluster, state, part) for part in (outcome.instances_before, outcome.queue_instances))
    return ViewModel(now, after, host_names(cluster), groups_of(cluster))


FIRST_RUN = "The first run is under way …"


def _tab(kind: ListingKind, shown: ListingKind) -> str:
    """Return the title of a listing; that of the shown one includes the command that prints it."""
    return f"[{kind.value}]" if kind is shown else f" {kind.value.partition(' (')[0]} "


def tab_spans(shown: ListingKind) -> tuple[Span, ...]:
    """Return the titles of all listings as one line."""
    return tuple(Span(_tab(kind, shown), TextRole.ACCENT if kind is shown else TextRole.DIM) for kind in ListingKind)


def tab_at(cell: int, shown: ListingKind) -> ListingKind | None:
    """Return the listing whose title is at a cell of that row; None if there is none."""
    for kind in ListingKind:
        if 0 <= cell < len(_tab(kind, shown)):
            return kind
        cell -= len(_tab(kind, shown))
    return None


def detail_lines(
    names: tuple[str, ...], model: ViewModel | None, figures: Figures, document: Document, cells: int
) -> tuple[Line, ...]:
    """Return lines about a queue instance with the meaning of its state letters; for several, a summary."""
    if model is None or not names:
        return ((Span("No queue instance here." if model else FIRST_RUN, TextRole.DIM),),)
    shown = model.shown(figures)
    if len(names) > 1:
        lines, now, after = (
            [listing.by_name[name] for name in names if name in listing.by_name]
            for listing in (shown, model.now, model.after)
        )
        used = shown_figure(figures, *(str(sum(line.used for line in part)) for part in (now, after)))
        words = (
            f"{count(len(names), 'queue instance')}, {used} of {count(sum(line.total for line in lines), 'slot')} used"
        )
        states = Counter(line.state for line in lines if line.state)
        letters = ", ".join(f"{state} {number}×" for state, number in sorted(states.items()))
        return (
            fit((Span(words, TextRole.DIM), Span(f"  states {letters}" if letters else "", TextRole.WARNING)), cells),
        )
    line, outcome = shown.by_name[names[0]], shown.outcomes[names[0]]
    before, then = (listing.by_name[line.name] for listing in (model.now, model.after))
    slots = shown_figure(figures, before.slots_text, then.slots_text)
    load = shown_figure(figures, before.load_text, then.load_text)
    head = fit(
        (
            Span(line.name, TextRole.STRONG),
            Span(f"  {line.qtype}  resv/used/tot. {slots}  load_avg {load}", TextRole.DIM),
        ),
        cells,
    )
    return (head, *state_lines(document.cluster, document.state, outcome, cells))


def letter_lines(
    names: tuple[str, ...], model: ViewModel | None, figures: Figures, document: Document, cells: int
) -> tuple[Line, ...]:
    """Return explanations of the state letters of queue instances, and then of all letters that exist."""
    named = [name for name in names if model and model.shown(figures).by_name[name].state]
    lines: list[Line] = []
    for name in named or names[:1]:
        lines += [*detail_lines((name,), model, figures, document, cells), ()]
    if (others := len(names) - len(named)) and named:
        lines += [(Span(f"{count(others, 'queue instance')} without state letters", TextRole.DIM),), ()]
    return (*lines, *legend_lines(cells))


def order_named(text: str) -> SortOrder | None:
    """Parse the order in a view setting, such as `LOAD-`; None (empty text) for the listing's own order."""
    return SortOrder(text.removesuffix("-"), text.endswith("-")) if text else None


def first_column(model: ViewModel) -> int:
    """Return the map's first column for the cursor: the first cluster queue with an instance on the first host."""
    rows = model.rows(ListingKind.MAP)
    host = str(rows.key(0)) if len(rows) else ""
    names = enumerate(queue.name for queue in model.now.queues)
    return next((number for number, name in names if MapCell(host, name).instance in model.now.by_name), 0)
