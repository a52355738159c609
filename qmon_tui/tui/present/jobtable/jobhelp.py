"""What is said below the form of a job: what a field takes, what the keys do, what the command thinks of it."""

from qmon_tui.formats.qsub_alter import overridden
from qmon_tui.tui.present.jobtable.jobfields import FormField
from qmon_tui.tui.present.spans import Idea, Line, Span, wrap, wrap_lines

KEYS = "Enter changes a value, Del leaves it out, ~ asks softly for a resource, / finds a field. The line may be typed."

_WARNING = ("qsub", "qalter")
"""The clients that warn of an option that is given once more."""


def verdict_lines(
    program: str, line: str, tries: str, objection: str | None, cells: int, *, begun: bool
) -> tuple[Line, ...]:
    """What is wrong; that nothing is; or, where nothing is begun, how to begin. `tries` are the keys of a trial."""
    if objection is not None and begun:
        return wrap_lines(objection, cells, Idea.ERROR, first="✗ ", rest="  ")
    keys = wrap(KEYS, cells, Idea.DIM)
    if objection is not None:
        return (*wrap_lines(objection, cells), *keys)
    taken = (Span(f"{program} would take it. ", Idea.RUNNING), Span(f"{tries} tries what comes of it", Idea.DIM))
    return (taken, *_warnings(program, line, cells), *keys)


def _warnings(program: str, line: str, cells: int) -> tuple[Line, ...]:
    """What the client warns of, and what comes of it."""
    if program not in _WARNING:
        return ()
    texts = (
        f"{option} stands there more than once: {program} warns of it, and "
        + ("then holds nothing." if option == "-h" and program == "qsub" else "the last one counts.")
        for option in dict.fromkeys(overridden(line))
    )
    return tuple(row for text in texts for row in wrap(text, cells, Idea.WARNING, first="! ", rest="  "))


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
