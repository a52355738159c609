"""The hosts that a cluster knows by name."""

from collections.abc import Mapping

from qmon_tui.model.cluster import Cluster, ConfigObject
from qmon_tui.model.kinds import Kind
from qmon_tui.model.memoize import memoized
from qmon_tui.values import BLANK_OR_COMMA, canonical, is_none, split_names


def known_hosts(cluster: Cluster) -> frozenset[str]:
    """The names, in lower case, of all execution, administrative and submit hosts; without the pseudo host global."""
    return _known(
        cluster.objects(Kind.HOST), cluster.single(Kind.ADMIN_HOSTS).text("entries"),
        cluster.single(Kind.SUBMIT_HOSTS).text("entries"),
    )  # fmt: skip


@memoized(size=8)
def _known(hosts: Mapping[str, ConfigObject], admin: str, submit: str) -> frozenset[str]:
    listed = (name for text in (admin, submit) if not is_none(text) for name in split_names(text, BLANK_OR_COMMA))
    return frozenset(canonical(name) for name in (*hosts, *listed)) - {"global"}
