"""The forks of Grid Engine whose files open, too: what they have beyond Son of Grid Engine 8.1.9, and what they lack.

A cluster is taken for a fork's where a PE or the global configuration has fields that only the fork knows, or where a
YAML file says `dialect: ocs-9`; a type that only a fork knows is no sign, it may be a slip.
"""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from qmon_tui.model.cluster import ConfigObject
from qmon_tui.model.fields import Field, ValueType
from qmon_tui.model.kinds import Kind

SGE = "sge-8.1.9"
OCS = "ocs-9"


class Dialect(NamedTuple):
    """What one fork has that the catalogue does not, and the other way round."""

    name: str
    title: str
    fields: Mapping[Kind, tuple[Field, ...]] = MappingProxyType({})
    lacks: Mapping[Kind, frozenset[str]] = MappingProxyType({})
    words: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """Column of a complex entry -> words that it takes besides the usual ones."""

    def knows(self, kind: Kind, name: str) -> bool:
        """Tell whether a field is one of those that only this dialect has."""
        return any(one.name == name for one in self.fields.get(kind, ()))


_ocs = partial(Field, dialects=(OCS,), group="Open Cluster Scheduler", source="Open Cluster Scheduler 9")
_setting = partial(_ocs, type=ValueType.STRING, default="")
_switch = partial(_ocs, type=ValueType.BOOLEAN, default="FALSE")

DIALECTS: Mapping[str, Dialect] = MappingProxyType(
    {
        SGE: Dialect(SGE, "Son of Grid Engine 8.1.9"),
        OCS: Dialect(
            OCS,
            "Open Cluster Scheduler 9",
            fields=MappingProxyType(
                {
                    Kind.PE: (
                        _switch("ign_sreq_on_mhost", help="TRUE: slave requests spare the master host."),
                        _switch("master_forks_slaves", help="TRUE: the master task starts the slaves itself."),
                        _switch("daemon_forks_slaves", help="TRUE: one daemon a host starts the slaves."),
                    ),
                    Kind.CONFIGURATION: (
                        _setting("binding_params", help="How jobs are bound to cores."),
                        _setting("gdi_request_limits", help="How many requests clients may send in a time."),
                        _setting("jsv_params", help="Parameters of job submission verifiers."),
                        _setting("mail_tag", help="What stands in front of the subjects of mails."),
                        _setting("topology_file", help="A file that describes the topology of hosts."),
                        _setting("port_range", help="The ports of interactive jobs."),
                        _setting("finished_jobs_keep_time", help="How long finished jobs are remembered."),
                        _setting("finished_jobs_keep_max", help="How many finished jobs are remembered."),
                    ),
                }
            ),
            lacks=MappingProxyType({Kind.PE: frozenset({"qsort_args"})}),
            words=MappingProxyType({"type": ("RSMAP",), "consumable": ("HOST",)}),
        ),
    }
)


def dialect(name: str) -> Dialect:
    """The dialect of a cluster; that of an unknown one is Grid Engine's own."""
    return DIALECTS.get(name, DIALECTS[SGE])


def recognised(objects: Mapping[Kind, Mapping[str, ConfigObject]]) -> str:
    """The dialect that the fields of environments and configurations show."""
    for obj in (obj for kind in (Kind.PE, Kind.CONFIGURATION) for obj in objects.get(kind, {}).values()):
        for one in DIALECTS.values():
            if any(one.knows(obj.kind, name) for name in obj.values):
                return one.name
    return SGE


def foreign_field(kind: Kind, name: str) -> Field | None:
    """A field that some other dialect has; None where none has it."""
    fields = (one for known in DIALECTS.values() for one in known.fields.get(kind, ()))
    return next((one for one in fields if one.name == name), None)


def lacks(obj: ConfigObject) -> frozenset[str]:
    """Fields of the catalogue that an object does not have because another dialect's show where it comes from."""
    return dialect(recognised({obj.kind: {obj.name: obj}})).lacks.get(obj.kind, frozenset())
