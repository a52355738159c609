"""Runs in a row: what one run leaves the next one takes over, so that only what has changed is worked out.

Each of these shortcuts stands for the plain run (`simulate`, `after_run`), which is made wherever it might say
something else, and whenever somebody wants to know more of a run than what it has started.
"""

from qmon_tui.incremental.events_together import EventsTogether as EventsTogether
from qmon_tui.incremental.lazy_run import LazyRun as LazyRun
from qmon_tui.incremental.run_chain import RunChain as RunChain, state_after as state_after
