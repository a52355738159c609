"""Reading the arguments of a command."""

import argparse
import re
import sys
from typing import Any, Final

from qmon_tui.cli.answer import InputError, plain, write_text
from qmon_tui.values import decimal_number, whole_number

_LEAST: Final = -(2**63)


def whole(text: str) -> int:
    """Read the whole number of an option. Raises ArgumentTypeError."""
    number = whole_number(text, _LEAST)
    if number is None:
        raise argparse.ArgumentTypeError(f'"{text[:40]}" is not a whole number')
    return number


class PlainParser(argparse.ArgumentParser):
    """A parser that replaces control characters in messages, as they quote arguments such as file names."""

    def _print_message(self, message: str, file: Any = None) -> None:
        text = "\n".join(map(plain, message.split("\n")))
        if file is not sys.stdout:
            super()._print_message(text, file)
            return
        try:
            write_text(text)
        except InputError as error:
            self.exit(2, f"{self.prog}: {error}\n")


_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
_LENGTH: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([smhdw])")
_LONGEST: Final = 100 * 365 * 86400


def length_seconds(text: str) -> int:
    """Return the seconds of `90m`, `8h` or `1:30:0`. Raises ValueError with a hint."""
    stripped = text.strip()
    match = _LENGTH.fullmatch(stripped)
    parts = stripped.split(":")
    numbers = [decimal_number(match[1])] if match else [whole_number(part) for part in parts]
    if None in numbers or len(numbers) > 3:
        raise ValueError(f'"{text}" is not a length of time, write 90m, 8h, 7d or 1:30:0')
    seconds = 0.0
    for number in numbers:
        seconds = 60 * seconds + (number or 0)
    seconds *= _UNITS[match[2]] if match else 1
    if seconds > _LONGEST:
        raise ValueError(f'"{text}" is more than a hundred years')
    return round(seconds)


def length_option(option: str, text: str) -> int:
    """Return the seconds of a duration given as an option. Raises InputError."""
    try:
        return length_seconds(text)
    except ValueError as error:
        raise InputError(f"{option}: {error}.") from error


def workload_argument(parser: argparse.ArgumentParser) -> None:
    """Declare --workload, the file with the work."""
    parser.add_argument("--workload", metavar="FILE", help="the work instead of the folder's: YAML with workload or "
                        "jobs, an SWF trace, or an accounting file")  # fmt: skip


def work_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare --workload and --seed."""
    workload_argument(parser)
    parser.add_argument("--seed", metavar="N", type=whole, help="seed of the random numbers")


def refuse_seed(options: argparse.Namespace) -> None:
    """Raise InputError for a negative seed."""
    if options.seed is not None and options.seed < 0:
        raise InputError("--seed: write a whole number, 0 or more.")
