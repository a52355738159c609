"""Fields that another dialect of Grid Engine has than the one of the cluster.

Source: the qmaster's own word about names it does not know (validation/formats.md section 2); DESIGN section 4.
"""

from collections.abc import Iterator, Mapping

from qmon_tui.checks.rules import Rule, RuleBook
from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import Cluster, ConfigObject
from qmon_tui.model.dialects import DIALECTS, dialect, foreign_field
from qmon_tui.model.findings import Finding
from qmon_tui.model.kinds import Kind

_SUMMARY = "An object has the fields of the cluster's dialect."
_SOURCE = "validation/formats.md section 2"

_FOREIGN: Mapping[Kind, Rule] = {
    kind: RuleBook(kind, _SOURCE).error("dialect", _SUMMARY)
    for kind in dict.fromkeys(kind for known in DIALECTS.values() for kind in known.fields)
    if kind is not Kind.CONFIGURATION
}
"""A configuration may have any field, and what nobody knows does nothing."""


def foreign_findings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """What the scheduler or qconf of this cluster would not know of an object of another."""
    rule = _FOREIGN.get(obj.kind)
    if rule is None or obj.values.keys() <= spec(obj.kind).by_name.keys():
        return
    known = {field.name for field in dialect(cluster.dialect).fields.get(obj.kind, ())}
    for name in obj.values:
        foreign = foreign_field(obj.kind, name)
        if foreign is not None and name not in known and name not in spec(obj.kind).by_name:
            titles = " and ".join(DIALECTS[one].title for one in foreign.dialects)
            hint = f"It is a field of {titles}; the cluster's dialect is {cluster.dialect}."
            yield rule.finding(obj, name, f'error: unknown attribute name "{name}"', hint)
