"""`python -m qmon_tui` is `qmon-tui`."""

import sys

from qmon_tui.cli import program

sys.exit(program())
