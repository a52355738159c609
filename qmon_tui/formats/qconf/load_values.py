"""Load values that `qconf -se` prints for a host."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from qmon_tui.model import ConfigObject
from qmon_tui.values import canonical, is_none


def reported_loads(hosts: Iterable[ConfigObject]) -> dict[str, Mapping[str, str]]:
    """Host -> load value name -> text, from the attribute load_values of the hosts that have some."""
    loads: dict[str, Mapping[str, str]] = {}
    for host in hosts:
        text = host.given("load_values")
        if text is None or is_none(text):
            continue
        pairs = [part.strip().partition("=") for part in text.split(",")]
        loads[canonical(host.name)] = MappingProxyType({name: value for name, _, value in pairs if name and value})
    return loads
