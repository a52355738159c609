"""What the place of the cluster says: the tabs of its listings, and the queue instances under the cursor in words."""

from collections import Counter

from qmon_tui.tui.cluster.making import Kind, Made
from qmon_tui.tui.present.cluster.queue_state_letters import legend_lines, state_lines
from qmon_tui.tui.present.spans import Line, Span, TextRole, fit
from qmon_tui.tui.present.words import count
from qmon_tui.workspace.document import Document

FIRST_RUN = "The first run is under way …"


def _tab(kind: Kind, shown: Kind) -> str:
    """The title of a listing, with the command that prints it where it is shown."""
    return f"[{kind.value}]" if kind is shown else f" {kind.value.partition(' (')[0]} "


def tab_spans(shown: Kind) -> tuple[Span, ...]:
    """The titles of all listings in a row."""
    tabs = (Span(_tab(kind, shown), TextRole.ACCENT if kind is shown else TextRole.DIM) for kind in Kind)
    return tuple(span for tab in tabs for span in (tab, Span(" ")))


def tab_at(cell: int, shown: Kind) -> Kind | None:
    """The listing whose title stands at a cell of that row."""
    for kind in Kind:
        if 0 <= cell < len(_tab(kind, shown)):
            return kind
        cell -= len(_tab(kind, shown)) + 1
    return None


def detail_lines(names: tuple[str, ...], made: Made | None, document: Document, cells: int) -> tuple[Line, ...]:
    """A queue instance with what its state letters mean; of several how many they are."""
    if made is None or not names:
        return ((Span("No queue instance here." if made else FIRST_RUN, TextRole.DIM),),)
    if len(names) > 1:
        lines = [made.by_name[name] for name in names if name in made.by_name]
        used, slots = sum(line.used for line in lines), sum(line.total for line in lines)
        words = f"{count(len(names), 'queue instance')}, {used} of {count(slots, 'slot')} used"
        states = Counter(line.state for line in lines if line.state)
        letters = ", ".join(f"{state} {number}×" for state, number in sorted(states.items()))
        return (
            fit((Span(words, TextRole.DIM), Span(f"  states {letters}" if letters else "", TextRole.WARNING)), cells),
        )
    line, outcome = made.by_name[names[0]], made.outcomes[names[0]]
    head = fit(
        (
            Span(line.name, TextRole.STRONG),
            Span(f"  {line.qtype}  resv/used/tot. {line.slots_text}  load_avg {line.load_text}", TextRole.DIM),
        ),
        cells,
    )
    return (head, *state_lines(document.cluster, document.state, outcome, cells))


def letter_lines(names: tuple[str, ...], made: Made | None, document: Document, cells: int) -> tuple[Line, ...]:
    """What the letters of queue instances mean, and then all letters that there are."""
    named = [name for name in names if made and made.by_name[name].state]
    found: list[Line] = []
    for name in named or names[:1]:
        found += [*detail_lines((name,), made, document, cells), ()]
    if (others := len(names) - len(named)) and named:
        found += [(Span(f"{count(others, 'queue instance')} without a letter", TextRole.DIM),), ()]
    return (*found, *legend_lines(cells))
