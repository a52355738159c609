"""Results that are remembered by the identity of what they were computed from."""

from types import MappingProxyType

from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.complex_entries import complex_index
from qmon_tui.model.host_configuration import known_hosts
from qmon_tui.model.kinds import Kind
from qmon_tui.model.memoize import memoized


def test_computed_once_for_the_same_parts() -> None:
    calls: list[str] = []

    @memoized(size=2)
    def count(part: object, text: str) -> int:
        calls.append(text)
        return len(calls)

    one, other = MappingProxyType({"a": 1}), MappingProxyType({"a": 1})
    assert count(one, "x") == count(one, "".join(["x"])) == 1
    assert count(other, "x") == 2  # equal, but another part
    assert count(one, "y") == 3
    assert count(one, "x") == 4  # only the last two are kept


def test_indexes_follow_edits() -> None:
    gpu = config_object(Kind.COMPLEX, "gpu", {"name": "gpu", "shortcut": "g", "consumable": "y", "type": "int"})
    cluster = Cluster().with_object(gpu)
    entry = complex_index(cluster).find("g")
    assert entry is not None
    assert (entry.name, entry.type, entry.consumable, entry.is_consumable) == ("gpu", "INT", "YES", True)
    assert complex_index(cluster.with_object(gpu.with_value("shortcut", "gp"))).find("g") is None
    # A name wins over the shortcut of another entry.
    both = cluster.with_object(config_object(Kind.COMPLEX, "g", {"name": "g", "shortcut": "x"}))
    assert complex_index(both).find("g") is complex_index(both).entries["g"]


def test_hosts_that_are_known() -> None:
    cluster = Cluster().with_objects(
        [
            config_object(Kind.HOST, "global", {}),
            config_object(Kind.HOST, "Node1", {}),
            config_object(Kind.SUBMIT_HOSTS, "submit_hosts", {"entries": "login login2"}),
        ]
    )
    assert known_hosts(cluster) == {"node1", "login", "login2"}
