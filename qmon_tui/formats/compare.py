"""Whether two objects say the same in a file, left-out fields and node sets understood."""

from collections.abc import Iterator

from qmon_tui.formats.yaml.values import expand_hosts
from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import Cluster, ConfigObject
from qmon_tui.model.fields import ValueType
from qmon_tui.model.kinds import Kind


def same_object(one: ConfigObject, other: ConfigObject) -> bool:
    """Tell whether every field has the same text in both; in a configuration also whether it is given."""
    if one.values == other.values:
        return True
    if one.kind is Kind.CONFIGURATION:
        return dict(one.values) == dict(other.values)
    return all(same_text(one, other, name) for name in {*one.values, *other.values})


def same_text(one: ConfigObject, other: ConfigObject, name: str) -> bool:
    """Tell whether a field has the same text in both, node sets taken apart in host lists."""
    first, second = one.text(name), other.text(name)
    if first == second:
        return True
    field = spec(one.kind).by_name.get(name)
    if field is None or field.type is not ValueType.HOSTS:
        return False
    try:
        return expand_hosts(first, field.separator) == expand_hosts(second, field.separator)
    except ValueError:
        return False


def differing(found: Cluster, wanted: Cluster) -> Iterator[tuple[Kind, str]]:
    """Kind and name of each object that is not the same in both clusters."""
    for kind in dict.fromkeys((*found.kinds, *wanted.kinds)):
        first, second = found.objects(kind), wanted.objects(kind)
        if first is second:
            continue
        for name in dict.fromkeys((*first, *second)):
            one, other = first.get(name), second.get(name)
            if one is None or other is None:
                if not (spec(kind).single and not _says_anything(one or other)):
                    yield kind, name
            elif one is not other and not same_object(one, other):
                yield kind, name


def _says_anything(obj: ConfigObject | None) -> bool:
    """Tell whether an only object of its kind differs from leaving it out."""
    if obj is None:
        return False
    known = spec(obj.kind).by_name
    return any(name not in known or obj.text(name) != known[name].default for name in obj.values)
