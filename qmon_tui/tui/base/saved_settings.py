"""Settings kept between sessions in the XDG state folder: the theme, and filters and columns of each cluster."""

import json
import os
from collections.abc import Mapping

from qmon_tui.sources.regular_file import read_regular
from qmon_tui.sources.xdg import state_folder
from qmon_tui.tui.base.themes import DEFAULT_THEME, THEMES
from qmon_tui.workspace import Workspace

_VERSION = 1


def load_setting(key: str) -> str | None:
    """Return a saved text; None if it does not exist or cannot be read."""
    try:
        text = read_regular(state_folder() / "state.json").decode("utf-8")
    except (OSError, ValueError, RuntimeError):
        return None
    try:
        kept = json.loads(text)
        value = kept.get(key) if kept.get("version") == _VERSION else None
    except (ValueError, AttributeError, RecursionError):
        return None
    return value if isinstance(value, str) else None


def save_setting(key: str, value: str) -> None:
    """Save a text for the next session; a failure is ignored."""
    from qmon_tui.sources.atomic_write import remove_unfinished, replace_file  # late: the first frame keeps nothing

    try:
        folder = state_folder()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        remove_unfinished(folder)
        file = folder / "state.json"
        try:
            kept = json.loads(read_regular(file))
        except (FileNotFoundError, ValueError, RecursionError):
            kept = {}  # any other error: leave the file and its settings alone
        kept = (
            {**kept, "version": _VERSION, key: value} if isinstance(kept, dict) else {"version": _VERSION, key: value}
        )
        replace_file(file, json.dumps(kept, indent=1), private=True)
    except (OSError, RuntimeError):
        return


_CLUSTERS = 30
"""Number of cluster folders whose settings are kept; the least recently changed one is dropped first."""
_KEY = "habits"


class ViewSettings:
    """Named texts of one cluster folder; a failure to save them is ignored."""

    def __init__(self, workspace: Workspace) -> None:
        self._folder = str(workspace.reading.folder or workspace.source.location)
        self._known = dict(_all().get(self._folder, {}))

    def get(self, name: str) -> str:
        """Return the text saved under a name; empty without one."""
        return self._known.get(name, "")

    def keep(self, name: str, text: str) -> None:
        """Save a text under a name for the next session; an empty text removes it."""
        if text == self.get(name):
            return
        # Read again: other widgets and other sessions save theirs in the same file.
        every = dict(_all())
        self._known = {key: kept for key, kept in every.pop(self._folder, {}).items() if key != name}
        if text:
            self._known[name] = text
        every[self._folder] = self._known
        save_setting(_KEY, json.dumps(dict([*every.items()][-_CLUSTERS:])))


def _all() -> Mapping[str, Mapping[str, str]]:
    text = load_setting(_KEY)
    if not text:
        return {}
    try:
        kept = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(kept, dict):
        return {}
    return {
        folder: {name: text for name, text in known.items() if isinstance(text, str)}
        for folder, known in kept.items()
        if isinstance(known, dict)
    }


def choose_theme(asked: str | None) -> str:
    """Return the theme `asked` for; without one, ansi-dark under NO_COLOR, else the theme used last.

    Raises ValueError for an unknown theme.
    """
    if asked is not None:
        if asked not in THEMES:
            raise ValueError(f"There is no theme {asked}: choose one of {', '.join(THEMES)}.")
        return asked
    if os.environ.get("NO_COLOR"):
        return "ansi-dark"
    remembered = load_setting("theme") or DEFAULT_THEME
    return remembered if remembered in THEMES else DEFAULT_THEME
