"""The scheduler configuration with its numbers parsed (sched_conf(5))."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from qmon_tui.model import ConfigObject, params_of
from qmon_tui.scheduler.configuration.attribute_values import entries_of
from qmon_tui.scheduler.configuration.lenient_parsing import boolean, double, unsigned, whole
from qmon_tui.scheduler.configuration.share_tree import UsagePolicy, compile_usage_policy
from qmon_tui.values import COMMA, is_none, parse_ranges

POLICIES = "OFS"
_DURATION_OFFSET = "60"


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of priority and urgency (priority.md#the-formula, priority.md#urgency)."""

    ticket: float
    urgency: float
    priority: float
    waiting_time: float
    deadline: float


@dataclass(frozen=True, slots=True)
class TicketPolicy:
    """The parameters of the ticket calculation.

    Source: tickets.md#objects-with-shares and tickets.md#other-parameters-of-tickets.
    """

    functional: float
    """weight_tickets_functional."""
    share: float
    """weight_tickets_share."""
    user: float
    project: float
    department: float
    job: float
    share_functional_shares: bool
    share_override_tickets: bool
    max_functional_jobs: int
    max_pending_tasks_per_job: int
    order: str
    """The letters O, F and S in the order of calculation: those in policy_hierarchy first."""
    dependent: frozenset[str]
    """The letters in policy_hierarchy: in these policies tickets of earlier policies count for the order of tasks."""
    usage: UsagePolicy
    """Weights and decay of past usage in the share tree."""


@dataclass(frozen=True, slots=True)
class SchedConf:
    """The scheduler configuration; times are in seconds."""

    weights: Weights
    tickets: TicketPolicy
    report_pending: bool
    """report_pjob_tickets."""
    sort_by_seqno: bool
    """True for queue_sort_method seqno, False for load."""
    load_formula: str
    load_adjustments: Mapping[str, str]
    load_adjustment_decay: int
    maxujobs: int
    """0: no limit."""
    job_info: bool
    """True unless schedd_job_info is false."""
    job_info_ids: tuple[tuple[int, int, int], ...] | None
    """(first, last, step) job numbers of `schedd_job_info job_list`; None if it is true or false."""
    max_reservation: int
    """0: no reservation scheduling."""
    default_duration: int
    """The assumed run time of jobs without a limit; 2^32 - 1: unlimited."""
    duration_offset: int
    """Added to each job's run time for reservations (params DURATION_OFFSET)."""
    schedule_interval: int
    filters_jobs: bool
    """True if only the first of many similar jobs take part in a run (params JC_FILTER)."""
    range_algorithm: str
    """The search in slot ranges: auto, bin, least or highest (params PE_RANGE_ALG)."""

    @property
    def uses_urgency(self) -> bool:
        """True if the scheduler calculates urgencies: they have a weight, or report_pjob_tickets is set."""
        return self.weights.urgency != 0 or self.report_pending

    @property
    def uses_priority(self) -> bool:
        """True if the scheduler normalises POSIX priorities: they have a weight, or report_pjob_tickets is set."""
        return self.weights.priority != 0 or self.report_pending


def compile_sched_conf(obj: ConfigObject) -> SchedConf:
    """Parse the scheduler configuration."""
    hierarchy = obj.text("policy_hierarchy").strip()
    named = "" if is_none(hierarchy) else "".join(dict.fromkeys(char for char in hierarchy if char in POLICIES))
    info, *numbers = obj.text("schedd_job_info").split() or [""]
    params = {name: setting.value or "" for name, setting in params_of(obj.text("params")).items()}
    return SchedConf(
        weights=Weights(
            ticket=double(obj.text("weight_ticket")),
            urgency=double(obj.text("weight_urgency")),
            priority=double(obj.text("weight_priority")),
            waiting_time=double(obj.text("weight_waiting_time")),
            deadline=double(obj.text("weight_deadline")),
        ),
        tickets=TicketPolicy(
            functional=float(unsigned(obj.text("weight_tickets_functional"))),
            share=float(unsigned(obj.text("weight_tickets_share"))),
            user=double(obj.text("weight_user")),
            project=double(obj.text("weight_project")),
            department=double(obj.text("weight_department")),
            job=double(obj.text("weight_job")),
            share_functional_shares=boolean(obj.text("share_functional_shares"), True),
            share_override_tickets=boolean(obj.text("share_override_tickets"), True),
            max_functional_jobs=unsigned(obj.text("max_functional_jobs_to_schedule"), 200),
            # The qmaster refuses 0, with which no job would get a priority.
            max_pending_tasks_per_job=max(1, unsigned(obj.text("max_pending_tasks_per_job"), 50)),
            order=named + "".join(letter for letter in POLICIES if letter not in named),
            dependent=frozenset(named),
            usage=compile_usage_policy(obj),
        ),
        report_pending=boolean(obj.text("report_pjob_tickets"), True),
        sort_by_seqno=obj.text("queue_sort_method").lower().startswith("seqno"),
        load_formula=obj.text("load_formula").replace(" ", ""),
        load_adjustments=dict(entries_of(obj.text("job_load_adjustments"), COMMA)),
        load_adjustment_decay=whole(obj.text("load_adjustment_decay_time")),
        maxujobs=unsigned(obj.text("maxujobs")),
        job_info=info != "false",
        job_info_ids=_job_list(numbers) if info == "job_list" else None,
        max_reservation=unsigned(obj.text("max_reservation")),
        default_duration=whole(obj.text("default_duration")),
        duration_offset=whole(params.get("DURATION_OFFSET", _DURATION_OFFSET)),
        schedule_interval=whole(obj.text("schedule_interval")),
        filters_jobs=params.get("JC_FILTER", "").upper().startswith(("1", "TRUE")),
        range_algorithm=params.get("PE_RANGE_ALG", "auto").lower(),
    )


def _job_list(words: Iterable[str]) -> tuple[tuple[int, int, int], ...]:
    try:
        return parse_ranges(",".join(words))
    except ValueError:
        return ()
