"""Typed paths of files, and a dialog that writes a text to one; it asks before replacing a file."""

import contextlib
import os
from pathlib import Path
from typing import Any

from textual.app import App

from qmon_tui.sources.atomic_write import cannot_keep, replace_file
from qmon_tui.tui.dialogs.question_dialogs import NameDialog, confirm


def typed_path(text: str) -> Path:
    """Return a typed path, with `~` expanded to the home folder."""
    with contextlib.suppress(ValueError):  # a NUL byte in the name of a user
        return Path(os.path.expanduser(text))
    return Path(text)


def unreadable(text: str) -> str | None:
    """Return why a typed path is no file to read; None if it is one."""
    return None if os.path.isfile(typed_path(text)) else "There is no such file."


def unwritable(text: str) -> str | None:
    """Return why no file can be written to a typed path; None if one can be, perhaps replacing an existing one."""
    path = typed_path(text)
    try:
        os.lstat(path)
    except FileNotFoundError:
        pass
    except OSError as error:
        return f"{error.strerror}."
    except ValueError:
        return "No file can be called that."
    if os.path.isdir(path):
        return "This is a folder."
    return None if os.path.isdir(path.parent) else f"There is no folder {path.parent}."


async def write_to_file(app: App[Any], title: str, words: str, default: str, text: str, wrote: str) -> bool:
    """Ask for a path and write a text; return True if it was written. `wrote` begins the notification."""
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
