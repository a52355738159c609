"""The table of keys in README.md, made from the action registry: `python -m tests.readme` writes it."""

from pathlib import Path

from qmon_tui.tui.action import Action, shown_key
from qmon_tui.tui.actions import ACTIONS, TITLES

README = Path(__file__).resolve().parents[1] / "README.md"
START = "<!-- keys: made from the action registry; a test fails when they drift -->\n"
END = "<!-- end of keys -->"


def key_table() -> str:
    """All actions that have a key, as a Markdown table."""
    rows = [
        f"| {' '.join(f'`{shown_key(key)}`' for key in action.keys)} | {_description(action)} |"
        for action in ACTIONS
        if action.keys
    ]
    return "\n".join(["| key | does |", "|---|---|", *rows]) + "\n"


def _description(action: Action) -> str:
    return f"In {TITLES[action.where]}: {action.description}" if action.where else action.description


def with_keys(text: str) -> str:
    """The README's text with the table as it should be."""
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    return before + START + key_table() + END + after


if __name__ == "__main__":
    README.write_text(with_keys(README.read_text(encoding="utf-8")), encoding="utf-8")
