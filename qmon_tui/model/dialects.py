"""Other forks of Grid Engine whose files can be opened, described by their differences from Son of Grid Engine 8.1.9.

A cluster belongs to a fork if one of its objects has a field that only the fork knows, or if a YAML file says
`dialect: ocs-9`. An unknown type (it may be a typing error) or a missing field does not identify a fork.
"""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from qmon_tui.model.cluster import ConfigObject
from qmon_tui.model.fields import Field, ValueType
from qmon_tui.model.kinds import Kind

SGE = "sge-8.1.9"
GE62 = "sge-6.2u5"
UGE = "uge-8"
OCS = "ocs-9"


class Dialect(NamedTuple):
    """Differences of one fork from the catalogue: fields it adds and fields it lacks."""

    name: str
    title: str
    fields: Mapping[Kind, tuple[Field, ...]] = MappingProxyType({})
    lacks: Mapping[Kind, frozenset[str]] = MappingProxyType({})
    words: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """Column of a complex entry -> words that it takes besides the usual ones."""
    counts_64_bits: Mapping[Kind, frozenset[str]] = MappingProxyType({})
    """Fields whose counts have 64 bits instead of 32."""
    not_built_in: frozenset[str] = frozenset()
    """Built-in attributes of Son of Grid Engine that the fork lacks."""


_ocs = partial(Field, dialects=(OCS,), group="Open Cluster Scheduler", source="Open Cluster Scheduler 9")
_setting = partial(_ocs, type=ValueType.STRING, default="")
_switch = partial(_ocs, type=ValueType.BOOLEAN, default="FALSE")
_uge = partial(Field, dialects=(UGE,), group="Univa Grid Engine", source="Univa Grid Engine 8")
_policy = partial(_uge, type=ValueType.STRING, default="")
_FORKS_SLAVES = (
    _switch("master_forks_slaves", help="TRUE: the master task starts the slaves itself.", dialects=(UGE, OCS)),
    _switch("daemon_forks_slaves", help="TRUE: one daemon a host starts the slaves.", dialects=(UGE, OCS)),
)
_MAPS: Mapping[str, tuple[str, ...]] = MappingProxyType({"type": ("RSMAP",), "consumable": ("HOST",)})

DIALECTS: Mapping[str, Dialect] = MappingProxyType(
    {
        SGE: Dialect(SGE, "Son of Grid Engine 8.1.9"),
        GE62: Dialect(GE62, "Grid Engine 6.2u5", lacks=MappingProxyType({Kind.PE: frozenset({"qsort_args"})})),
        UGE: Dialect(
            UGE,
            "Univa Grid Engine 8",
            fields=MappingProxyType(
                {
                    Kind.COMPLEX: (
                        _uge("aapre", ValueType.STRING, "NO", "YES: what a preempted job has is free for others."),
                        _uge("affinity", ValueType.DOUBLE, "0.000000", "How much jobs that use it attract each other."),
                    ),
                    Kind.PE: _FORKS_SLAVES,
                    Kind.SCHEDULER: (
                        _policy("backfilling", help="Whether jobs may run before the reservations of others."),
                        _policy("fair_urgency_list", help="Attributes whose urgency is divided among a user's jobs."),
                        _policy("prioritize_preemptees", help="Whether preempted jobs get a reservation."),
                        _policy("preemptees_keep_resources", help="Whether preempted jobs keep what they have."),
                        _policy("max_preemptees", help="How many jobs may be preempted at a time."),
                        _policy("preemption_distance", help="How long before its end a job is not preempted."),
                        _policy("preemption_priority_adjustments", help="What preemption does to priorities."),
                        _policy("host_sort_formula", help="In which order hosts are filled."),
                        _policy("weight_host_affinity", help="What affinity to a host weighs."),
                        _policy("weight_host_sort", help="What host_sort_formula weighs."),
                        _policy("weight_queue_affinity", help="What affinity to a queue weighs."),
                        _policy("weight_queue_host_sort", help="What the order of hosts in a queue weighs."),
                        _policy("weight_queue_seqno", help="What seq_no weighs."),
                    ),
                }
            ),
            lacks=MappingProxyType(
                {
                    Kind.PE: frozenset({"qsort_args"}),
                    Kind.SCHEDULER: frozenset({"load_formula", "queue_sort_method"}),
                }
            ),
            words=_MAPS,
        ),
        OCS: Dialect(
            OCS,
            "Open Cluster Scheduler 9",
            fields=MappingProxyType(
                {
                    Kind.PE: (
                        _switch("ign_sreq_on_mhost", help="TRUE: slave requests spare the master host."),
                        *_FORKS_SLAVES,
                    ),
                    Kind.CONFIGURATION: (
                        _setting("binding_params", help="How jobs are bound to cores."),
                        _setting("gdi_request_limits", help="How many requests clients may send in a time."),
                        _setting("jsv_params", help="Parameters of job submission verifiers."),
                        _setting("mail_tag", help="What stands in front of the subjects of mails."),
                        _setting("topology_file", help="A file that describes the topology of hosts."),
                        _setting("port_range", help="The ports of interactive jobs."),
                        _setting("finished_jobs_keep_time", help="How long finished jobs are remembered."),
                        _setting("finished_jobs_max", help="How many finished jobs are remembered."),
                    ),
                }
            ),
            lacks=MappingProxyType({Kind.PE: frozenset({"qsort_args"})}),
            words=_MAPS,
            counts_64_bits=MappingProxyType({Kind.USER: frozenset({"delete_time"})}),
            not_built_in=frozenset({"m_topology_inuse"}),
        ),
    }
)


def dialect(name: str) -> Dialect:
    """Return the dialect of this name; Son of Grid Engine 8.1.9 if the name is unknown."""
    return DIALECTS.get(name, DIALECTS[SGE])


def foreign_decisions(name: str) -> str:
    """Return words saying that forecasts for another fork are those of 8.1.9; empty for Son of Grid Engine."""
    if name == SGE:
        return ""
    return f"the decisions of {dialect(name).title}; all forecasts are those of {DIALECTS[SGE].title}"


def recognised(objects: Mapping[Kind, Mapping[str, ConfigObject]]) -> str:
    """Return the name of the dialect to which the objects' fields belong; `SGE` if no field belongs to a fork."""
    for kind, names in _SIGNS.items():
        for obj in objects.get(kind, {}).values():
            for name in obj.values.keys() & names.keys():
                return names[name]
    return SGE


def foreign_field(kind: Kind, name: str) -> Field | None:
    """Return the field of this name from any dialect; None if no dialect adds it."""
    fields = (field for known in DIALECTS.values() for field in known.fields.get(kind, ()))
    return next((field for field in fields if field.name == name), None)


def foreign_fields(kind: Kind) -> tuple[Field, ...]:
    """Return all fields that the dialects add to a kind, without duplicates."""
    return tuple(dict.fromkeys(field for known in DIALECTS.values() for field in known.fields.get(kind, ())))


def lacks(obj: ConfigObject) -> frozenset[str]:
    """Return the catalogue's fields that the object's dialect lacks, except those that the object gives.

    The dialect is recognised by the object's own fields.
    """
    known = dialect(recognised({obj.kind: {obj.name: obj}})).lacks.get(obj.kind, frozenset())
    return known - obj.values.keys() if known else known


def forks_without(kind: Kind, name: str) -> tuple[Dialect, ...]:
    """Return the dialects that lack a field of the catalogue."""
    return tuple(known for known in DIALECTS.values() if name in known.lacks.get(kind, ()))


_SIGNS: Mapping[Kind, Mapping[str, str]] = MappingProxyType(
    {
        kind: {field.name: known.name for known in DIALECTS.values() for field in known.fields.get(kind, ())}
        for kind in (Kind.COMPLEX, Kind.SCHEDULER, Kind.PE, Kind.CONFIGURATION)
    }
)
"""Kind -> field that only one dialect has -> that dialect."""
