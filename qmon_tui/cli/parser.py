"""Reading the arguments of a command."""

import argparse
import sys
from typing import Any, Final

from qmon_tui.cli.answer import InputError, plain, write_text
from qmon_tui.values import whole_number

_LEAST: Final = -(2**63)


def whole(text: str) -> int:
    """Read the whole number of an option. Raises ArgumentTypeError."""
    number = whole_number(text, _LEAST)
    if number is None:
        raise argparse.ArgumentTypeError(f'"{text[:40]}" is not a whole number')
    return number


class PlainParser(argparse.ArgumentParser):
    """A parser in whose messages nothing steers the terminal: what is wrong is quoted, and may be any file's name."""

    def _print_message(self, message: str, file: Any = None) -> None:
        text = "\n".join(map(plain, message.split("\n")))
        if file is not sys.stdout:
            super()._print_message(text, file)
            return
        try:
            write_text(text)
        except InputError as error:
            self.exit(2, f"{self.prog}: {error}\n")
