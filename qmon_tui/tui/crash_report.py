"""Crash report without private data, and the unsaved edits in a file of their own beside it.

The report holds no local variables, no environment, no names of the home folder, and nothing of the cluster but what
the error itself says.
"""

import os
import platform
import sys
import traceback
from collections.abc import Iterable
from datetime import datetime
from difflib import unified_diff
from pathlib import Path
from shlex import quote

from qmon_tui.report import visible
from qmon_tui.sources.atomic_write import replace_file
from qmon_tui.sources.xdg import state_folder

FileTexts = Iterable[tuple[str, str | None, str | None]]
"""File, text before, text after; None if it does not exist then."""


def write_report(error: BaseException, unsaved: FileTexts = (), edits: str = "") -> tuple[Path | None, Path | None]:
    """Write the traceback to the state folder, and the unsaved edits to another file; returns both paths.

    The edits are written as a patch for `patch -p1`; if that is impossible, `edits`, the same in words, is.

    A path is None if the file could not be written, or if there are no unsaved edits.
    """
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    report = _written(f"crash-{stamp}.txt", _visible_lines(_report(error)))
    if patch := as_patch(unsaved):
        return report, _written(f"unsaved-{stamp}.patch", patch)
    return report, _written(f"unsaved-{stamp}.txt", _visible_lines(edits)) if edits else None


def as_patch(files: FileTexts) -> str:
    """Return the changes of files as one unified difference."""
    lines: list[str] = []
    for name, before, after in files:
        old = "/dev/null" if before is None else f"a/{name}"
        new = "/dev/null" if after is None else f"b/{name}"
        for text in unified_diff((before or "").splitlines(True), (after or "").splitlines(True), old, new):
            lines.append(text if text.endswith("\n") else text + "\n\\ No newline at end of file\n")
    return "".join(lines)


def _report(error: BaseException) -> str:
    # late: importing it takes longer than most of the program
    from importlib.metadata import PackageNotFoundError, version

    about = f"Python {platform.python_version()}\n\n"
    for name in ("textual", "qmon-tui"):
        try:
            about = f"{name} {version(name)}, {about}"
        except PackageNotFoundError:
            about = f"{name} not installed, {about}"
    worker_error = getattr(error, "error", None)  # of Textual's WorkerFailed, which has no traceback itself
    text = about + "".join(
        traceback.format_exception(worker_error if isinstance(worker_error, BaseException) else error)
    )
    for folder in sorted(filter(os.path.isabs, sys.path), key=len, reverse=True):
        text = text.replace(f'File "{folder.rstrip(os.sep)}{os.sep}', 'File "')  # where it is installed names people
    try:
        home = str(Path.home())
    except RuntimeError:
        return text
    return text.replace(home, "~") if len(home) > 1 else text


def _visible_lines(text: str) -> str:
    """Return a text without control characters, except for the ends of lines."""
    return "\n".join(map(visible, text.split("\n")))


def _written(name: str, text: str) -> Path | None:
    try:
        folder = state_folder()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = folder / name
        replace_file(path, text.encode("utf-8", "backslashreplace"), private=True)
    except (OSError, RuntimeError):
        return None
    return path


def crash_message(error: BaseException, report: Path | None, patch: Path | None, *, is_unsaved: bool = False) -> str:
    """Return the text printed after the terminal is restored, without control characters.

    `is_unsaved` is True if there were unsaved edits, whether they were written to `patch` or not.
    """
    lines = [f"qmon-tui failed: {type(error).__name__}: {error}"]
    if report:
        lines.append(
            f"The report is in {report}: please send it; it contains nothing of your cluster except the line above."
        )
    if patch:
        lines.append("Your unsaved edits are offered when you open the folder again.")
    if patch and patch.suffix == ".patch":
        lines.append(
            f"They are also in {patch}; apply them in the cluster folder with: patch -p1 < {quote(str(patch))}"
        )
    elif patch:
        lines.append(f"They are also listed in {patch}.")
    elif is_unsaved:
        lines.append(
            "Your unsaved edits could not be written beside it; those that were kept before are offered again."
        )
    lines.append("No file of the cluster was changed.")
    return _visible_lines("\n".join(lines))
