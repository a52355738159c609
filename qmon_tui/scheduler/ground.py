"""What a run finds before it decides anything: what there is, what is in use of it, and which queue instances count."""

from collections.abc import Sequence
from dataclasses import dataclass

from qmon_tui.model.state import State
from qmon_tui.scheduler.advance.reserved import lasting
from qmon_tui.scheduler.available import Availability
from qmon_tui.scheduler.compiled.cluster import Compiled
from qmon_tui.scheduler.formulas import Formulas
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.listing import listed
from qmon_tui.scheduler.matching.level import Adjustments
from qmon_tui.scheduler.priority import Standing
from qmon_tui.scheduler.queue_states import left_out
from qmon_tui.scheduler.quotas.ledger import Ledger
from qmon_tui.scheduler.resources import Resources
from qmon_tui.scheduler.started import debit_started
from qmon_tui.scheduler.thresholds import Thresholds


@dataclass(frozen=True, slots=True)
class Ground:
    """Where the jobs of one run are placed; what is in it changes with every start."""

    resources: Resources
    adjustments: Adjustments
    thresholds: Thresholds
    availability: Availability
    ledger: Ledger | None
    """What is counted against quotas; None without any."""
    started: Sequence[RunJob]
    """The jobs with tasks that run or are suspended, in the order of the scheduler's list."""

    @classmethod
    def found(
        cls,
        compiled: Compiled,
        state: State,
        states: Sequence[str],
        jobs: Sequence[RunJob],
        now: int,
        formulas: Formulas,
    ) -> "Ground":
        """Book what has been started and sort out queue instances; `states` are the letters of each of these."""
        policy = compiled.policy
        adjustments = Adjustments.of(policy.load_adjustments)
        resources = Resources(compiled, state, adjustments)
        started = [run_job for run_job in jobs if run_job.split.running or run_job.split.suspended]
        for run_job in started:
            debit_started(run_job, resources)
        running = [run_job for run_job in started if run_job.split.running]
        resources.correct_loads(running, now, left_out(compiled, states))
        resources.correct_capacities()
        by_priority = sorted(started, key=Standing(policy, formulas).without_tickets, reverse=True)
        ledger = None
        if compiled.territory is not None:
            ledger = Ledger(compiled.territory, resources, compiled.qmaster_territory)
            ledger.debit_started(by_priority)
        in_order, resources.hosts_in_order = listed(resources, state, by_priority)
        thresholds = Thresholds(compiled.attributes, adjustments)
        foresees = policy.max_reservation > 0 or bool(lasting(state))
        numbers = resources.instance_numbers
        unstoppable = frozenset(numbers[name] for name in state.seen_suspended if name in numbers)
        availability = Availability(resources, states, thresholds, in_order, foresees=foresees, unstoppable=unstoppable)
        return cls(resources, adjustments, thresholds, availability, ledger, started)
