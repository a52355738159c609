"""The command line. Nothing is imported before it is known which command is wanted, so that each starts fast."""

import gc
import signal
import sys
from collections.abc import Sequence

from qmon_tui.cli.command_list import COMMANDS as COMMANDS


def program() -> int:
    """The whole process; returns its exit code."""
    code = main()
    gc.freeze()  # Python looks through all that is left when it ends: there is nothing to be found
    return code


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 fine, 1 the answer is no, 2 unusable input, 130 interrupted.

    A KeyboardInterrupt that another signal than ctrl-c has raised carries its number.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    collects = gc.isenabled()
    # A command leaves no cycles worth finding, and looking took a quarter of its time; the screen enables it later.
    gc.disable()
    try:
        if arguments and arguments[0] in COMMANDS:
            from qmon_tui.cli.command import run_command  # late: the screen needs no commands

            return run_command(arguments[0], arguments[1:])
        from qmon_tui.cli.screen import run_screen  # late: commands need no screen

        return run_screen(arguments)
    except KeyboardInterrupt as asked:
        print("Interrupted.", file=sys.stderr)
        return 128 + int(asked.args[0] if asked.args else signal.SIGINT)
    except SystemExit as leaving:
        # argparse leaves so, after help (0) and wrong usage (2).
        return leaving.code if isinstance(leaving.code, int) else 2
    finally:
        if collects:
            gc.enable()
