"""How wide the terminal is."""

import os
import sys
from typing import Final

Width = int | None
"""Columns of the terminal; None where the output goes elsewhere and lines may be as long as they are."""

USUAL_WIDTH: Final = 80
_NARROWEST: Final = 40


def width() -> Width:
    """How wide the terminal is, or as COLUMNS says; None for a file or a pipe."""
    told = os.environ.get("COLUMNS", "")
    if told.isdigit() and int(told):
        return max(_NARROWEST, int(told))
    if sys.stdout is None or not sys.stdout.isatty():
        return None
    try:
        return max(_NARROWEST, os.get_terminal_size(sys.stdout.fileno()).columns)
    except OSError:
        return USUAL_WIDTH


def help_width() -> int:
    """How wide help may be. Left alone, argparse asks for each argument that is declared, and loads a lot to do so."""
    return (width() or USUAL_WIDTH) - 2
