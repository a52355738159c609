"""Writing the file with a student's submission."""

import os
from pathlib import Path

from textual.widget import Widget

from qmon_tui.tui.dialogs import confirm
from qmon_tui.workspace import LessonWorkspace


async def write_submission(view: Widget, session: LessonWorkspace) -> None:
    """Write the submission to the working directory, after asking if the file exists already."""
    try:
        file = session.submission_file(Path.cwd())
        question = confirm(f"Replace {file.name}?", "replace it", f"{file} exists and would be overwritten.")
        if os.path.lexists(file) and not await view.app.push_screen_wait(question):
            return
        session.write_submission(file)
    except OSError as error:
        view.notify(f"It cannot be written: {error.strerror or error}.", severity="error", markup=False)
        return
    view.notify(f"Written to {file}.", markup=False)
