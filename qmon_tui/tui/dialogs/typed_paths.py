"""Paths of files as they are typed: which can be read and which can be written."""

import contextlib
import os
from pathlib import Path


def typed_path(text: str) -> Path:
    """Return the path that a text is, with the home folder for `~`."""
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
