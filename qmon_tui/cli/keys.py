"""List every key of the screen with the name by which a keys file gives it another one."""

import argparse
from collections.abc import Iterable

from qmon_tui.cli.answer import Answer
from qmon_tui.cli.text import paragraph, table


def arguments(parser: argparse.ArgumentParser) -> None:
    """There are none."""


def answer(options: argparse.Namespace) -> Answer:
    """The registry with the user's keys; what of the file is not followed is said apart."""
    from qmon_tui.tui.keys import shown_keys  # late: that there is such a command is known without it
    from qmon_tui.tui.keys_toml import keys_file, read_keys

    choice = read_keys()
    rows = [(entry.id, shown_keys(entry.keys), entry.description) for entry in choice.registry]

    def lines(width: int) -> Iterable[str]:
        yield from table(("name", "keys", "what it does"), rows, width)
        yield ""
        yield from paragraph(f'Other keys stand in {keys_file()}, as in: undo = ["ctrl+z", "X"]', width)

    data = [{"name": name, "keys": keys.split(), "description": words} for name, keys, words in rows]
    return Answer({"keys": data, "problems": list(choice.problems)}, lines, bool(choice.problems), choice.problems)
