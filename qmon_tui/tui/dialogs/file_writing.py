"""Writing a text to a file whose path the user types; an existing file is replaced only after asking."""

import os
from typing import Any

from textual.app import App

from qmon_tui.sources.atomic_write import cannot_keep, replace_file
from qmon_tui.tui.dialogs.question_dialogs import NameDialog, confirm
from qmon_tui.tui.dialogs.typed_paths import typed_path, unwritable


async def write_to_file(app: App[Any], title: str, words: str, default: str, text: str, wrote: str) -> bool:
    """Ask for the path, and write the text. Returns True if it is written; `wrote` begins the notification then."""
    answer = await app.push_screen_wait(NameDialog(title, words, unwritable, default))
    if answer is None:
        return False
    path = typed_path(answer)
    if os.path.lexists(path):
        losses = (f"{path.name}: {loss}" for loss in cannot_keep(str(path)))
        question = confirm(f"Replace {path.name}?", "replace it", f"{path} exists and would be overwritten.", *losses)
        if not await app.push_screen_wait(question):
            return False
    try:
        replace_file(path, text)
    except OSError as error:
        app.notify(f"{path} cannot be written: {error.strerror or error}", severity="error", markup=False)
        return False
    app.notify(f"{wrote} to {path}", markup=False)
    return True
