"""Content of the Cluster page: its listings, made in a worker, their tabs and the explanation below."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from qmon_tui.model import Cluster, InstanceOutcome, Outcome, State
from qmon_tui.report import Line, Span, TextRole, count, fit
from qmon_tui.report.cluster import (
    HOST_FIELDS,
    INSTANCE_FIELDS,
    QUEUE_FIELDS,
    AnyLine,
    ClusterMap,
    HostLine,
    InstanceLine,
    ListingField,
    ListingTable,
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
from qmon_tui.workspace import Document

_NONE: Final[frozenset[str]] = frozenset()


class ListingKind(StrEnum):
    """Listings; the value is the title."""

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
class ViewModel:
    """All four listings of one run."""

    instances: list[InstanceLine]
    queues: list[QueueLine]
    hosts: list[HostLine]
    names: list[str]
    """All execution hosts."""
    by_name: dict[str, InstanceLine]
    outcomes: dict[str, InstanceOutcome]

    def rows(
        self,
        kind: ListingKind,
        words: str = "",
        column: int = 0,
        marked: frozenset[str] = _NONE,
        order: SortOrder | None = None,
    ) -> ClusterMap | ListingTable:
        """The table of a listing, only what contains all of the words; `order` is that of listings."""
        if kind is ListingKind.MAP:
            queues = [line.name for line in self.queues]
            whole = ClusterMap(self.names, queues, self.by_name, column, marked)
            hosts = [self.names[index] for index in range(len(whole)) if _contains(whole.text(index), words)]
            return ClusterMap(hosts, queues, self.by_name, column, marked) if words else whole
        if kind is ListingKind.QUEUES:
            marks = self._marks(marked, lambda line: line.queue)
            return _listing("CLUSTER QUEUE", self.queues, QUEUE_FIELDS, words, marks, order)
        if kind is ListingKind.INSTANCES:
            return _listing("queuename", self.instances, INSTANCE_FIELDS, words, dict.fromkeys(marked, "✓"), order)
        marks = self._marks(marked, lambda line: line.host)
        return _listing("HOSTNAME", self.hosts, HOST_FIELDS, words, marks, order)

    def _marks(self, marked: frozenset[str], part: Callable[[InstanceLine], str]) -> dict[str, str]:
        """The signs of the cluster queues or hosts of which queue instances are marked."""
        names: dict[str, list[str]] = {}
        for line in self.instances if marked else ():
            names.setdefault(part(line), []).append(line.name)
        return {name: sign for name, instances in names.items() if (sign := mark_sign(instances, marked))}

    def of_queue(self, queue: str) -> list[str]:
        """The queue instances of a cluster queue."""
        return [line.name for line in self.instances if line.queue == queue]

    def of_host(self, host: str) -> list[str]:
        """The queue instances on a host."""
        return [line.name for line in self.instances if line.host == host]


def _listing(
    title: str,
    lines: Sequence[AnyLine],
    fields: Sequence[ListingField],
    words: str,
    marked: Mapping[str, str],
    order: SortOrder | None,
) -> ListingTable:
    listing = ListingTable(title, lines, fields, marked, order)
    if not words:
        return listing
    kept = [line for index, line in enumerate(lines) if _contains(listing.text(index), words)]
    return ListingTable(title, kept, fields, marked, order)


def _contains(text: str, words: str) -> bool:
    text = text.casefold()
    return all(word in text for word in words.casefold().split())


def build_view_model(given: ViewInput) -> ViewModel:
    """All listings of a run."""
    instances = instance_lines(given.cluster, given.outcome)
    return ViewModel(
        instances,
        queue_lines(given.cluster, instances),
        host_lines(given.cluster, given.state, instances),
        host_names(given.cluster),
        {line.name: line for line in instances},
        {instance_outcome.name: instance_outcome for instance_outcome in given.outcome.queue_instances},
    )


FIRST_RUN = "The first run is under way …"


def _tab(kind: ListingKind, shown: ListingKind) -> str:
    """The title of a listing, with the command that prints it where it is shown."""
    return f"[{kind.value}]" if kind is shown else f" {kind.value.partition(' (')[0]} "


def tab_spans(shown: ListingKind) -> tuple[Span, ...]:
    """The titles of all listings in a row."""
    tabs = (Span(_tab(kind, shown), TextRole.ACCENT if kind is shown else TextRole.DIM) for kind in ListingKind)
    return tuple(span for tab in tabs for span in (tab, Span(" ")))


def tab_at(cell: int, shown: ListingKind) -> ListingKind | None:
    """Return the listing whose title is at a cell of that row; None if there is none."""
    for kind in ListingKind:
        if 0 <= cell < len(_tab(kind, shown)):
            return kind
        cell -= len(_tab(kind, shown)) + 1
    return None


def detail_lines(names: tuple[str, ...], model: ViewModel | None, document: Document, cells: int) -> tuple[Line, ...]:
    """A queue instance with what its state letters mean; of several how many they are."""
    if model is None or not names:
        return ((Span("No queue instance here." if model else FIRST_RUN, TextRole.DIM),),)
    if len(names) > 1:
        lines = [model.by_name[name] for name in names if name in model.by_name]
        used, slots = sum(line.used for line in lines), sum(line.total for line in lines)
        words = f"{count(len(names), 'queue instance')}, {used} of {count(slots, 'slot')} used"
        states = Counter(line.state for line in lines if line.state)
        letters = ", ".join(f"{state} {number}×" for state, number in sorted(states.items()))
        return (
            fit((Span(words, TextRole.DIM), Span(f"  states {letters}" if letters else "", TextRole.WARNING)), cells),
        )
    line, outcome = model.by_name[names[0]], model.outcomes[names[0]]
    head = fit(
        (
            Span(line.name, TextRole.STRONG),
            Span(f"  {line.qtype}  resv/used/tot. {line.slots_text}  load_avg {line.load_text}", TextRole.DIM),
        ),
        cells,
    )
    return (head, *state_lines(document.cluster, document.state, outcome, cells))


def letter_lines(names: tuple[str, ...], model: ViewModel | None, document: Document, cells: int) -> tuple[Line, ...]:
    """Return explanations of the state letters of queue instances, and then of all letters that exist."""
    named = [name for name in names if model and model.by_name[name].state]
    spanses: list[Line] = []
    for name in named or names[:1]:
        spanses += [*detail_lines((name,), model, document, cells), ()]
    if (others := len(names) - len(named)) and named:
        spanses += [(Span(f"{count(others, 'queue instance')} without state letters", TextRole.DIM),), ()]
    return (*spanses, *legend_lines(cells))
