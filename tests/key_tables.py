"""The tables of docs/keys.md, made from the registry of keys: `python -m tests.key_tables` writes them."""

from collections.abc import Iterable
from pathlib import Path

from qmon_tui.tui.keys.action import Group, shown_key
from qmon_tui.tui.keys.key_registry import Entry
from qmon_tui.tui.keys.local_keys import LocalGroup
from qmon_tui.tui.pages import PAGES
from qmon_tui.tui.panels import PANELS
from qmon_tui.tui.registry import REGISTRY

PAGE = Path(__file__).resolve().parents[1] / "docs" / "keys.md"
START = "<!-- keys: made from the action registry; a test fails when they drift -->\n"
END = "<!-- end of keys -->"


def key_table() -> str:
    """Everything that has a key, under its heading, as Markdown tables."""
    titles = [*((page.id, page.title) for page in PAGES), *((panel.id, panel.title) for panel in PANELS)]
    general = [action for action in REGISTRY.actions if not action.where]
    parts: list[tuple[str, Iterable[Entry]]] = [(group, [a for a in general if a.group is group]) for group in Group]
    parts += [(f"In {title}", [a for a in REGISTRY.actions if a.where == where]) for where, title in titles]
    parts += [(group, [entry for entry in REGISTRY.local if entry.group is group]) for group in LocalGroup]
    return "\n".join(table for title, entries in parts if (table := _table(title, entries)))


def _table(title: str, entries: Iterable[Entry]) -> str:
    rows = [
        f"| {' '.join(f'`{shown_key(key)}`' for key in entry.keys)} | {entry.description} |\n"
        for entry in entries
        if entry.keys
    ]
    return f"| {title} | |\n|---|---|\n{''.join(rows)}" if rows else ""


def with_keys(text: str) -> str:
    """The page with the tables as they should be."""
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    return before + START + key_table() + END + after


if __name__ == "__main__":
    PAGE.write_text(with_keys(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
