"""Running one command: its module declares the arguments and computes the answer."""

import argparse
from collections.abc import Sequence
from importlib import import_module
from typing import Protocol, cast

from qmon_tui.cli.answer import Answer, InputError, help_width, print_answer, print_note
from qmon_tui.cli.command_list import COMMANDS
from qmon_tui.cli.parser import PlainParser
from qmon_tui.sources import SourceError


class Command(Protocol):
    """The module of a command. Optional: FORMATS (formats besides table and json), opens_screen, open_screen."""

    __doc__: str | None

    @staticmethod
    def arguments(parser: argparse.ArgumentParser) -> None:
        """Declare the arguments."""

    @staticmethod
    def answer(options: argparse.Namespace) -> Answer:
        """Return the answer. Raises InputError or SourceError for unusable input."""


def run_command(name: str, arguments: Sequence[str]) -> int:
    """Parse the arguments of a command, run it, print its answer, and return the exit code."""
    command = cast(Command, import_module(f"qmon_tui.cli.{name}"))
    parser = PlainParser(
        prog=f"qmon-tui {name}", description=command.__doc__ or COMMANDS[name],
        formatter_class=lambda prog: argparse.HelpFormatter(prog, width=help_width()),
    )  # fmt: skip
    command.arguments(parser)
    more = getattr(command, "FORMATS", {})
    words = "".join(f", {name} for {what}" for name, what in more.items())
    parser.add_argument(
        "--format",
        choices=("table", "json", *more),
        default="table",
        help=f"table for people (the default) or json{words}",
    )
    options = parser.parse_args(arguments)
    try:
        if (opens := getattr(command, "opens_screen", None)) is not None and opens(options):
            return int(command.open_screen(options))  # type: ignore[attr-defined]
        return print_answer(command.answer(options), options.format)
    except (InputError, SourceError) as refusal:
        print_note(f"qmon-tui {name}: {refusal}")
    except Exception as error:
        print_note(f"qmon-tui {name}: this should not happen, please report it: {error_place(error)}")
    return 2


def error_place(error: Exception) -> str:
    """Return type, message and place of an error in one line, for a bug report."""
    import traceback  # imported here, as only a failure needs it

    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} (line {place.lineno} of {place.filename}, {place.name})"
