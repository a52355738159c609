"""The 35 fields of the scheduler configuration. Source: sched_conf(5), scheduler-configuration.md#fields."""

from functools import partial

from qmon_tui.model.fields import Field, KindSpec, Separator, ValueType
from qmon_tui.model.kinds import Kind

_SOURCE = "sched_conf(5)"
_field = partial(Field, source=_SOURCE)

_ADJUST = "Load adjustment"
_PRIORITY = "Priority"
_TICKETS = "Tickets"
_FUNCTIONAL = "Functional policy"
_SHARE = "Share tree policy"
_RESERVATION = "Reservation"
_text = partial(_field, type=ValueType.STRING, default="none")
_count = partial(_field, type=ValueType.UNSIGNED, default="0")
_switch = partial(_field, type=ValueType.BOOLEAN, default="TRUE", group=_TICKETS)

SCHEDULER = KindSpec(
    kind=Kind.SCHEDULER,
    title="Scheduler",
    yaml_key="scheduler",
    folder="schedconf",
    single=True,
    name_width=33,
    help="How jobs are ordered and queue instances are chosen.",
    source=_SOURCE,
    fields=(
        _text("algorithm", default="default", help="Scheduling algorithm; there is only `default`."),
        _field("schedule_interval", ValueType.TIME, "0:0:15", "Time between two scheduling runs."),
        _count("maxujobs", help="Jobs that one user may have running at a time; 0 for no limit."),
        _field(
            "queue_sort_method",
            ValueType.CHOICE,
            "load",
            "Order in which queue instances are tried: least loaded host first, or by seq_no first.",
            choices=("load", "seqno"),
        ),
        _field(
            "job_load_adjustments",
            ValueType.ENTRIES,
            "np_load_avg=0.50",
            "Load that a job just started is assumed to cause until it shows in the reported load.",
            _ADJUST,
            refers_to=Kind.COMPLEX,
            separator=Separator.COMMA,
        ),
        _field("load_adjustment_decay_time", ValueType.TIME, "0:7:30", "Time in which that assumption fades.", _ADJUST),
        _field(
            "load_formula",
            ValueType.LOAD_FORMULA,
            "np_load_avg",
            "Number by which hosts are sorted, lowest first: np_load_avg+mem_used*0.1.",
            refers_to=Kind.COMPLEX,
        ),
        _text(
            "schedd_job_info",
            default="true",
            help="Collect the reasons that qstat -j shows: true, false, or `job_list` and job numbers.",
            choices=("true", "false"),
        ),
        _count("flush_submit_sec", help="Seconds from a submission to an extra run; 0 for none."),
        _count("flush_finish_sec", help="Seconds from a job's end to an extra run; 0 for none."),
        _text("params", help="Further settings: PROFILE=1, MONITOR=1, DURATION_OFFSET=0:1:0, PE_RANGE_ALG=auto."),
        _field(
            "reprioritize_interval",
            ValueType.TIME,
            "0:0:0",
            "How often running jobs' nice values follow their tickets; 0 for never.",
            _TICKETS,
        ),
        _count("halftime", default="168", help="Hours after which past usage counts half; 0 for never.", group=_SHARE),
        _field(
            "usage_weight_list",
            ValueType.ENTRIES,
            "cpu=1.000000,mem=0.000000,io=0.000000",
            "How much CPU, memory and transfer each count as usage.",
            _SHARE,
            separator=Separator.COMMA,
        ),
        _field(
            "compensation_factor",
            ValueType.DOUBLE,
            "5.000000",
            "At most this many times its share may one get to make up for the past.",
            _SHARE,
        ),
        _field("weight_user", ValueType.DOUBLE, "0.250000", "Part of the functional tickets for users.", _FUNCTIONAL),
        _field("weight_project", ValueType.DOUBLE, "0.250000", "Part of them for projects.", _FUNCTIONAL),
        _field("weight_department", ValueType.DOUBLE, "0.250000", "Part of them for departments.", _FUNCTIONAL),
        _field("weight_job", ValueType.DOUBLE, "0.250000", "Part of them for jobs' own shares (-js).", _FUNCTIONAL),
        _count(
            "weight_tickets_functional",
            help="Tickets that the functional policy hands out; 0 turns it off.",
            group=_FUNCTIONAL,
        ),
        _count("weight_tickets_share", help="Tickets that the share tree hands out; 0 turns it off.", group=_SHARE),
        _switch(
            "share_override_tickets",
            help="TRUE: override tickets are split among the jobs; FALSE: each job gets all of them.",
        ),
        _switch(
            "share_functional_shares",
            help="TRUE: functional shares are split among the jobs; FALSE: each job counts with all of them.",
            group=_FUNCTIONAL,
        ),
        _count(
            "max_functional_jobs_to_schedule",
            default="200",
            help="Pending jobs whose functional tickets are worked out singly; others get what their group got last.",
            group=_FUNCTIONAL,
        ),
        _switch(
            "report_pjob_tickets", help="TRUE: tell the qmaster the tickets of pending jobs, so that qstat shows them."
        ),
        _count(
            "max_pending_tasks_per_job",
            default="50",
            help="Pending tasks of one array job that get tickets in one run.",
            group=_TICKETS,
            minimum=1,
        ),
        _text(
            "halflife_decay_list",
            help="Half-life in minutes per kind of usage, instead of halftime: cpu=1440:mem=-1:io=0.",
            group=_SHARE,
        ),
        _field(
            "policy_hierarchy",
            ValueType.STRING,
            "OFS",
            "Which ticket policies bring jobs forward in the others: O override, F functional, S share tree; or NONE.",
            _TICKETS,
        ),
        _field("weight_ticket", ValueType.DOUBLE, "0.500000", "Weight of the normalised tickets.", _PRIORITY),
        _field("weight_waiting_time", ValueType.DOUBLE, "0.278000", "Urgency per second of waiting.", _PRIORITY),
        _field(
            "weight_deadline",
            ValueType.DOUBLE,
            "3600000.000000",
            "Urgency of a deadline job, divided by the seconds left.",
            _PRIORITY,
        ),
        _field("weight_urgency", ValueType.DOUBLE, "0.500000", "Weight of the normalised urgency.", _PRIORITY),
        _field("weight_priority", ValueType.DOUBLE, "0.000000", "Weight of the normalised -p priority.", _PRIORITY),
        _count(
            "max_reservation",
            help="Jobs submitted with -R y for which resources are reserved in one run; 0 for none.",
            group=_RESERVATION,
        ),
        _field(
            "default_duration",
            ValueType.TIME,
            "INFINITY",
            "Assumed run time of jobs without a time limit, for reservation and backfilling.",
            _RESERVATION,
        ),
    ),
)
