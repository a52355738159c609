"""The command line. Each command is imported only when it runs, so that all start fast."""

import gc
import signal
import sys
from collections.abc import Sequence

from qmon_tui.cli.command_list import COMMANDS as COMMANDS


def program() -> int:
    """Run the process (the console script) and return its exit code."""
    code = main()
    gc.freeze()  # saves the garbage collection at exit, which would find nothing
    return code


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 fine, 1 the answer is no, 2 unusable input, 130 interrupted.

    A KeyboardInterrupt raised by another signal than SIGINT has the signal's number as its argument.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    collects = gc.isenabled()
    # Garbage collection took a quarter of a command's time and freed little; the screen enables it later.
    gc.disable()
    try:
        if arguments and arguments[0] in COMMANDS:
            from qmon_tui.cli.command import run_command  # imported here, as the screen needs no commands

            return run_command(arguments[0], arguments[1:])
        from qmon_tui.cli.screen import run_screen  # imported here, as commands need no screen

        return run_screen(arguments)
    except KeyboardInterrupt as asked:
        print("Interrupted.", file=sys.stderr)
        return 128 + int(asked.args[0] if asked.args else signal.SIGINT)
    except SystemExit as leaving:
        # Raised by argparse after help (0) and wrong usage (2).
        return leaving.code if isinstance(leaving.code, int) else 2
    finally:
        if collects:
            gc.enable()
