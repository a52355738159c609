"""How somebody looks at a cluster, remembered for each cluster folder: filters, orders, chosen columns."""

from collections.abc import Mapping

from qmon_tui.tui.remembered import recall, remember
from qmon_tui.workspace.workspace import Workspace

_CLUSTERS = 30
"""Cluster folders that are remembered; the one that was not changed for longest is forgotten first."""
_KEY = "habits"


class Habits:
    """Named texts of one cluster folder. That they cannot be kept is never an error."""

    def __init__(self, workspace: Workspace) -> None:
        self._folder = str(workspace.reading.path)
        self._known = dict(_all().get(self._folder, {}))

    def get(self, name: str) -> str:
        """What was kept under a name, empty where nothing was."""
        return self._known.get(name, "")

    def keep(self, name: str, text: str) -> None:
        """Keep a text under a name for the next session; an empty one is forgotten."""
        if text == self.get(name):
            return
        # Read again: other widgets and other sessions keep theirs in the same file.
        every = dict(_all())
        self._known = {key: kept for key, kept in every.pop(self._folder, {}).items() if key != name}
        if text:
            self._known[name] = text
        every[self._folder] = self._known
        import json

        remember(_KEY, json.dumps(dict([*every.items()][-_CLUSTERS:])))


def _all() -> Mapping[str, Mapping[str, str]]:
    text = recall(_KEY)
    if not text:
        return {}
    import json  # late: where nothing was kept the first frame does not wait for it

    try:
        kept = json.loads(text)
    except ValueError:
        return {}
    if not isinstance(kept, dict):
        return {}
    return {
        folder: {name: text for name, text in known.items() if isinstance(text, str)}
        for folder, known in kept.items()
        if isinstance(known, dict)
    }
