"""The eight columns of a complex entry. Source: complex(5), complex.md#columns."""

from functools import partial

from qmon_tui.model.fields import Field, KindSpec, ValueType
from qmon_tui.model.kinds import Kind

TYPES = ("INT", "DOUBLE", "TIME", "MEMORY", "BOOL", "STRING", "CSTRING", "RESTRING", "HOST")
RELOPS = ("==", "!=", "<", ">", "<=", ">=", "EXCL")

_field = partial(Field, source="complex(5)")

COMPLEX = KindSpec(
    kind=Kind.COMPLEX,
    title="Complexes",
    yaml_key="complexes",
    folder="centry",
    name_field="name",
    help="Resource attributes: what jobs may ask for and what queues, hosts and the cluster offer.",
    source="complex(5)",
    fields=(
        _field(
            "name", ValueType.NAME, "", "Name used in qsub -l, complex_values and quotas; upper and lower case differ."
        ),
        _field("shortcut", ValueType.STRING, "", "Short form of the name; may not equal any other name or shortcut."),
        _field(
            "type",
            ValueType.CHOICE,
            "INT",
            "Kind of value; it decides which operators and consumable settings are possible.",
            choices=TYPES,
        ),
        _field(
            "relop",
            ValueType.CHOICE,
            "<=",
            "How a request is compared with the offer: the job fits where `request relop offer` holds.",
            choices=RELOPS,
        ),
        _field(
            "requestable",
            ValueType.CHOICE,
            "NO",
            "May jobs request it with -l? FORCED: where it is offered only jobs that request it may run.",
            choices=("YES", "NO", "FORCED"),
        ),
        _field(
            "consumable",
            ValueType.CHOICE,
            "NO",
            "YES: running jobs use it up per slot; JOB: once per job; NO: it is only compared.",
            choices=("YES", "NO", "JOB"),
        ),
        _field(
            "default",
            ValueType.STRING,
            "0",
            "What a job that requests nothing uses up; only for consumables, otherwise 0 (text types: NONE).",
        ),
        _field(
            "urgency",
            ValueType.NUMBER,
            "0",
            "Weight of a request in the job's urgency: numbers count request x urgency x slots, text counts once.",
        ),
    ),
)
