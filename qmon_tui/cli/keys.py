"""List every key of the screen with the name that a keys file uses to change it."""

import argparse
from collections.abc import Iterable

from qmon_tui.cli.answer import Answer, paragraph, table


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare no arguments."""


def answer(options: argparse.Namespace) -> Answer:
    """List the keys with the user's changes; problems of the keys file are notes."""
    from qmon_tui.tui.keys import shown_keys  # imported here, as the list of commands does not need it
    from qmon_tui.tui.keys_toml import keys_file, read_keys

    choice = read_keys()
    rows = [(entry.id, shown_keys(entry.keys), entry.description) for entry in choice.registry]

    def lines(width: int) -> Iterable[str]:
        yield from table(("name", "keys", "what it does"), rows, width)
        yield ""
        yield from paragraph(f'Other keys stand in {keys_file()}, as in: undo = ["ctrl+z", "X"]', width)

    data = [{"name": name, "keys": keys.split(), "description": words} for name, keys, words in rows]
    return Answer({"keys": data, "problems": list(choice.problems)}, lines, bool(choice.problems), choice.problems)
