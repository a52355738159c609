"""What the program remembers between sessions, in the XDG state folder; that it cannot is never an error."""

import os

from qmon_tui.sources.xdg import state_folder

_VERSION = 1


def recall(key: str) -> str | None:
    """A remembered text, None where there is none or it cannot be read."""
    try:
        text = (state_folder() / "state.json").read_text("utf-8")
    except (OSError, ValueError, RuntimeError):
        return None
    import json  # late: where nothing was kept the first frame does not wait for it

    try:
        kept = json.loads(text)
        value = kept.get(key) if kept.get("version") == _VERSION else None
    except (ValueError, AttributeError):
        return None
    return value if isinstance(value, str) else None


def remember(key: str, value: str) -> None:
    """Keep a text for the next session, as far as possible."""
    import json

    try:
        folder = state_folder()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = folder / "state.json"
        try:
            kept = json.loads(file.read_text("utf-8"))
        except (OSError, ValueError):
            kept = {}
        kept = (
            {**kept, "version": _VERSION, key: value} if isinstance(kept, dict) else {"version": _VERSION, key: value}
        )
        temporary = file.with_suffix(f".{os.getpid()}")
        temporary.write_text(json.dumps(kept, indent=1), "utf-8")
        temporary.replace(file)
    except (OSError, RuntimeError):
        return
