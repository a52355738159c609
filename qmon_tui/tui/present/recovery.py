"""What an earlier session has left unsaved, as the question whether to make it again."""

from datetime import datetime

from qmon_tui.tui.present.difference import change_lines
from qmon_tui.tui.present.spans import Idea, Line, Span, wrap
from qmon_tui.tui.present.words import age, count
from qmon_tui.workspace.recovery import Replayed


def recovery_lines(found: Replayed, written: float, now: float, cells: int) -> tuple[Line, ...]:
    """When it was, what it is, and where the files have changed since in the same places."""
    when = datetime.fromtimestamp(written).strftime("%d %b %Y %H:%M")
    said = f"The program ended on {when}, {age(now - written)}, without saving these edits."
    lines = [*wrap(said, cells), (), *change_lines(found.changes, cells)]
    if found.conflicts:
        places = count(len(found.conflicts), "place")
        lines += [(), *wrap(f"{places} changed on disk since, too; you are asked about each:", cells, Idea.WARNING)]
        lines += [(Span(f"· {conflict.label}", Idea.WARNING),) for conflict in found.conflicts]
    return tuple(lines)
