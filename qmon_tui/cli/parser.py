"""Reading the arguments of a command."""

import argparse
from typing import Any

from qmon_tui.cli.answer import plain


class PlainParser(argparse.ArgumentParser):
    """A parser in whose messages nothing steers the terminal: what is wrong is quoted, and may be any file's name."""

    def _print_message(self, message: str, file: Any = None) -> None:
        super()._print_message("\n".join(map(plain, message.split("\n"))), file)
