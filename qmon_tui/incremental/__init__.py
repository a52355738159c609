"""The memory between runs: each run of a day is computed from the run before it and from the changes since.

The rules are `simulate`, `after_run`, `after_event` and `submit`, which are called whenever a shortcut could decide
otherwise. Without this package the program is slower and otherwise equal.
"""

from qmon_tui.incremental.events_together import EventsTogether as EventsTogether
from qmon_tui.incremental.latest_moments import difference as difference
from qmon_tui.incremental.run_chain import RunChain as RunChain, state_after as state_after
