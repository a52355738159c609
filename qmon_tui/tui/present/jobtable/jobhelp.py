"""What is said below the form of a job: what a field takes, what the keys do, what the command thinks of it."""

from qmon_tui.tui.present.jobtable.jobfields import FormField
from qmon_tui.tui.present.spans import Idea, Line, Span, wrap

KEYS = "Enter changes a value, Del leaves it out, ~ asks softly for a resource, / finds a field. The line may be typed."


def verdict_lines(program: str, tries: str, objection: str | None, cells: int, *, begun: bool) -> tuple[Line, ...]:
    """What is wrong; that nothing is; or, where nothing is begun, how to begin. `tries` are the keys of a trial."""
    if objection is not None and begun:
        return wrap(objection, cells, Idea.ERROR, first="✗ ", rest="  ")
    keys = wrap(KEYS, cells, Idea.DIM)
    if objection is not None:
        return (*wrap(objection, cells), *keys)
    taken = (Span(f"{program} would take it. ", Idea.RUNNING), Span(f"{tries} tries what comes of it", Idea.DIM))
    return (taken, *keys)


def choice_lines(field: FormField, cells: int) -> tuple[Line, ...]:
    """What a field is, and what there is to choose from."""
    lines = wrap(f"{field.title}: {field.help}", cells)
    if not field.choices:
        return lines
    return (*lines, *wrap("  ".join(field.choices), cells, Idea.ACCENT), (Span("Tab completes a name", Idea.DIM),))


def completed(field: FormField, text: str) -> str:
    """The text with its last name completed: by all that the names that begin so have in common."""
    lead, comma, last = text.rpartition(",")
    found = [choice for choice in field.choices if choice.startswith(last)]
    if not found:
        return text
    common = found[0]
    while not all(choice.startswith(common) for choice in found):
        common = common[:-1]
    return f"{lead}{comma}{common}"
