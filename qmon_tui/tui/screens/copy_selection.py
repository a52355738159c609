"""`y`: copy the chosen item as text, YAML, qconf's file or a command of Grid Engine."""

from typing import TYPE_CHECKING

from qmon_tui.report import copied_words, copy_lines
from qmon_tui.tui.dialogs import Answer, ChoiceDialog
from qmon_tui.tui.keys import Pane
from qmon_tui.tui.screens.screen_state import here
from qmon_tui.workspace import Copy, EditError, copies_of_field, copies_of_job, copies_of_object, existing

if TYPE_CHECKING:
    from qmon_tui.tui.screens.action_screen import ActionScreen

_WORDS = {"t": "text", "y": "YAML", "q": "qconf", "c": "command", "n": "number"}
"""The labels of the answers, short enough for one line of 80 columns."""


def copy(screen: "ActionScreen") -> None:
    """Ask for the format, with the exact text of each; if there is one format only, copy without asking."""
    copies = _copies(screen)
    if not copies:
        screen.notify("Nothing is chosen here that could be copied.", severity="warning", markup=False)
    elif len(copies) == 1:
        _put_in_clipboard(screen, copies[0])
    else:
        answers = [
            Answer(choice.letter, _label(choice), choice, safe=index == 0) for index, choice in enumerate(copies)
        ]
        dialog = ChoiceDialog("Copy as", lambda cells: copy_lines(copies, cells), answers, wide=True)
        dialog.ask(screen.app, lambda chosen: _put_in_clipboard(screen, chosen))


def _label(choice: Copy) -> str:
    return "qsub" if choice.text.startswith("qsub ") else _WORDS.get(choice.letter, choice.title)


def _put_in_clipboard(screen: "ActionScreen", chosen: Copy) -> None:
    screen.app.copy_to_clipboard(chosen.text)
    screen.notify(copied_words(chosen), timeout=3, markup=False)


def _copies(screen: "ActionScreen") -> tuple[Copy, ...]:
    view = here(screen)[1]
    if view is not None:
        return view.copies()
    if screen.pane is Pane.LIVE:
        return _of_live(screen)
    if screen.pane is Pane.KINDS or screen.chosen is None:
        return (Copy("t", "the row", screen.kinds.cursor_text),)
    try:
        obj = existing(screen.workspace.cluster, screen.kind, screen.chosen)
    except EditError:
        return ()
    if screen.pane is Pane.FORM and screen.form.field:
        return tuple(copies_of_field(obj, screen.form.field))
    return tuple(copies_of_object(obj, screen.workspace.cluster.dialect))


def _of_live(screen: "ActionScreen") -> tuple[Copy, ...]:
    live = screen.live
    row = live.chosen
    job = next((job for job in screen.workspace.state.jobs if row is not None and job.id == row.job.id), None)
    if live.at_jobs and row is not None and job is not None:
        return tuple(copies_of_job(job, live.row_text))
    return (Copy("t", "the row", live.row_text),) if live.row_text else ()
