"""`qmon-tui [PATH]`: everything that is not a command opens the screen."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from qmon_tui.cli.answer import InputError, help_width, print_note, write_text
from qmon_tui.cli.command_list import COMMANDS

if TYPE_CHECKING:
    from argparse import ArgumentParser

_NO_SCREEN = (
    "qmon-tui: the screen needs a terminal that can move its cursor ({reason}). "
    "Commands work without one, for instance `qmon-tui check PATH`; see `qmon-tui --help`."
)


def run_screen(arguments: Sequence[str]) -> int:
    """Open the screen on a folder, a running cluster or the private teaching cluster; return the exit code."""
    if arguments and (advice := _mistyped(arguments[0])):
        print_note(f"qmon-tui: there is no command or folder {arguments[0]}; {advice}")
        return 2
    options = _options(arguments)
    if options.version:
        return _print_version()
    reason = _unfit()
    if reason:
        print_note(_NO_SCREEN.format(reason=reason))
        return 2
    if sys.__stderr__ is None:
        # Otherwise the next opened file would get the file descriptor of stderr.
        sys.stderr = sys.__stderr__ = open(os.devnull, "w")  # type: ignore[misc]  # noqa: SIM115
    from qmon_tui.tui.opening import run  # imported here, as --version needs no screen

    if options.fresh:
        from qmon_tui.sources import SourceError  # imported here, as above
        from qmon_tui.sources.shipped import start_over

        if options.path is not None:
            print_note(f"qmon-tui: --fresh is for the private teaching cluster: leave {options.path} out.")
            return 2
        try:
            _, moved = start_over()
        except SourceError as error:
            print_note(f"qmon-tui: {error}")
            return 2
        if moved is not None:
            print_note(f"The teaching cluster is as at first; what it was before is in {moved}.")
    if options.write and "web" in os.environ.get("TEXTUAL_DRIVER", "").lower():
        print_note("qmon-tui: --write is refused in a browser: every visitor would have your rights on the cluster.")
        return 2
    return run(
        options.path, read_only=options.read_only, write=options.write, theme=options.theme, play=options.play
    )  # fmt: skip


def open_lessons(lesson: Path | None, student: str, theme: str | None, *, explains_jobs: bool) -> int:
    """Open the screen on a lesson, None for the list of lessons; return the exit code."""
    reason = _unfit()
    if reason:
        print_note(_NO_SCREEN.format(reason=reason))
        return 2
    from qmon_tui.tui.opening import run_lessons  # imported here, as above

    return run_lessons(lesson, student, theme, explains_jobs=explains_jobs)


class Options(NamedTuple):
    """Options of the command line; without `path` the teaching cluster, without `theme` the usual theme."""

    path: str | None = None
    read_only: bool = False
    write: bool = False
    theme: str | None = None
    version: bool = False
    play: bool = False
    fresh: bool = False


def _options(arguments: Sequence[str]) -> Options:
    """Parse the arguments; no argument or only a folder without argparse, which would delay the first frame."""
    if not arguments:
        return Options()
    if len(arguments) == 1 and not arguments[0].startswith("-"):
        return Options(arguments[0])
    if list(arguments) == ["--version"]:
        return Options(version=True)
    return Options(**vars(_parser().parse_args(arguments)))


def _mistyped(word: str) -> str | None:
    """Return the advice for a word that is neither a command nor a path; None if it may be a folder."""
    if not word.isidentifier() or os.path.exists(word):
        return None
    from qmon_tui.values import meant  # imported here, as only a mistyped command needs it

    return meant(word.lower(), COMMANDS, 0.7) or "see `qmon-tui --help`."


def _parser() -> "ArgumentParser":
    import argparse  # imported here, as a folder alone needs no parser

    from qmon_tui.cli.parser import PlainParser  # imported here, like argparse

    width = max(len(name) for name in COMMANDS)
    commands = "\n".join(f"  {name:<{width}}  {what}" for name, what in COMMANDS.items())
    parser = PlainParser(
        prog="qmon-tui",
        usage="qmon-tui [--read-only] [--write] [--play] [--fresh] [--theme NAME] [PATH]\n       qmon-tui COMMAND ...",
        description="The terminal cockpit for Grid Engine. Opens a cluster folder; without PATH a private copy of the "
        "teaching cluster.",
        epilog=f"commands, each with its own --help:\n{commands}\n\n"
        "A folder with the name of a command is opened as ./NAME.\n"
        "exit code: 0 fine, 1 the answer is no, 2 unusable input, 130 interrupted",
        formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(prog, width=help_width()),
    )
    parser.add_argument("path", metavar="PATH", nargs="?", help="the cluster folder")
    parser.add_argument("--read-only", action="store_true", help="show everything, change nothing")
    parser.add_argument("--write", action="store_true", help="permit changes of a running cluster")
    parser.add_argument("--play", action="store_true", help="open the monitor and play the simulated day")
    parser.add_argument("--fresh", action="store_true", help="begin again with the private teaching cluster")
    parser.add_argument("--theme", metavar="NAME", help="colours, for instance ansi-dark")
    parser.add_argument("--version", action="store_true", help="print the version")
    return parser


def _unfit() -> str | None:
    """Return why the screen cannot be drawn here, in a few words; None if it can."""
    if os.environ.get("TEXTUAL_DRIVER"):
        return None  # set by textual-serve, which shows the screen in a browser
    if not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout)):
        return "input or output is no terminal"
    if os.environ.get("TERM", "") in ("", "dumb"):
        return f"TERM is {os.environ.get('TERM') or 'not set'}"
    return None


def _print_version() -> int:
    """Print the version and return the exit code."""
    try:
        write_text(f"qmon-tui {_version()}\n")
    except InputError as error:
        print_note(f"qmon-tui: {error}")
        return 2
    return 0


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # slow to import

    try:
        return version("qmon-tui")
    except PackageNotFoundError:
        return "(not installed)"
