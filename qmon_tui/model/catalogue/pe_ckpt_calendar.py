"""Parallel environments, checkpointing environments and calendars.

Source: sge_pe(5), checkpoint(5), calendar_conf(5); pe.md#fields and calendar.md#fields.
"""

from functools import partial

from qmon_tui.model.catalogue.queues import MAX_SLOTS
from qmon_tui.model.fields import Field, KindSpec, Separator, ValueType
from qmon_tui.model.kinds import Kind

_pe = partial(Field, source="sge_pe(5)")
_ckpt = partial(Field, source="checkpoint(5)")
_calendar = partial(Field, source="calendar_conf(5)")
_usersets = partial(_pe, type=ValueType.NAMES, default="NONE", refers_to=Kind.USERSET, separator=Separator.BLANK)
_pe_command = partial(_pe, type=ValueType.STRING, default="NONE", group="Commands")
_ckpt_command = partial(_ckpt, type=ValueType.STRING, default="none", group="Commands")

PE = KindSpec(
    kind=Kind.PE,
    title="Parallel environments",
    yaml_key="pes",
    folder="pe",
    name_field="pe_name",
    name_width=18,
    help="How jobs with several slots are spread over hosts; queues list the ones that they offer.",
    source="sge_pe(5)",
    fields=(
        _pe("pe_name", ValueType.NAME, "template", "Name of the environment, as in qsub -pe."),
        _pe(
            "slots",
            ValueType.UNSIGNED,
            "0",
            "Slots that all jobs of this environment may use together in the cluster.",
            minimum=0,
            maximum=MAX_SLOTS,
        ),
        _usersets("user_lists", help="Only members of these usersets may use the environment."),
        _usersets("xuser_lists", help="Members of these usersets may not use the environment."),
        _pe_command("start_proc_args", help="Command run before a parallel job starts."),
        _pe_command("stop_proc_args", help="Command run after a parallel job ended."),
        _pe(
            "allocation_rule",
            ValueType.STRING,
            "$pe_slots",
            "Slots per host: a number, $pe_slots (all on one host), $fill_up or $round_robin.",
            choices=("$pe_slots", "$fill_up", "$round_robin"),
        ),
        _pe("control_slaves", ValueType.BOOLEAN, "FALSE", "TRUE: slave tasks start under Grid Engine's control."),
        _pe("job_is_first_task", ValueType.BOOLEAN, "TRUE", "TRUE: the job script itself takes one of the slots."),
        _pe(
            "urgency_slots",
            ValueType.STRING,
            "min",
            "Slots that count for urgency when a range was requested: min, max, avg or a number.",
            choices=("min", "max", "avg"),
        ),
        _pe(
            "accounting_summary", ValueType.BOOLEAN, "FALSE", "TRUE: one accounting record for the job and its slaves."
        ),
        _pe_command("qsort_args", help="Library, function and arguments that sort queue instances."),
    ),
)

CKPT = KindSpec(
    kind=Kind.CKPT,
    title="Checkpointing",
    yaml_key="ckpts",
    folder="ckpt",
    name_field="ckpt_name",
    name_width=18,
    help="How jobs save their state and move on; queues list the ones that they offer.",
    source="checkpoint(5)",
    fields=(
        _ckpt("ckpt_name", ValueType.NAME, "template", "Name of the environment, as in qsub -ckpt."),
        _ckpt(
            "interface",
            ValueType.CHOICE,
            "userdefined",
            "Kind of checkpointing; it decides which of the commands are used.",
            choices=("userdefined", "hibernator", "transparent", "application-level", "cpr"),
        ),
        _ckpt_command("ckpt_command", help="Command that writes a checkpoint."),
        _ckpt_command("migr_command", help="Command that prepares a job for migration."),
        _ckpt_command("restart_command", help="Command that restarts a checkpointed job."),
        _ckpt_command("clean_command", help="Command that clears up after a checkpointing job."),
        _ckpt("ckpt_dir", ValueType.STRING, "/tmp", "Folder for checkpoint files."),
        _ckpt("signal", ValueType.STRING, "none", "Signal that tells the job to checkpoint, without SIG: USR2."),
        _ckpt(
            "when",
            ValueType.STRING,
            "sx",
            "When to checkpoint: s shutdown, m every interval, x suspend, r host unknown (restart); n never.",
        ),
    ),
)

CALENDAR = KindSpec(
    kind=Kind.CALENDAR,
    title="Calendars",
    yaml_key="calendars",
    folder="calendars",
    name_field="calendar_name",
    name_width=16,
    help="Times at which queues are off or suspended.",
    source="calendar_conf(5)",
    fields=(
        _calendar("calendar_name", ValueType.NAME, "template", "Name of the calendar, as queues refer to it."),
        _calendar(
            "year",
            ValueType.CALENDAR_YEAR,
            "NONE",
            "Days of the year: 24.12.2026-26.12.2026=off; these win over the week.",
        ),
        _calendar("week", ValueType.CALENDAR_WEEK, "NONE", "Days of the week: mon-fri=8-18=off sat-sun=on."),
    ),
)
