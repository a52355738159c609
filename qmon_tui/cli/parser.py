"""Reading the arguments of a command."""

import argparse
import sys
from typing import Any

from qmon_tui.cli.answer import InputError, plain, write_text


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
