"""The resources of a run under a configuration that differs only in the totals of some levels."""

from collections.abc import Mapping
from copy import copy
from typing import Final

from qmon_tui.scheduler.configuration import CompiledCluster
from qmon_tui.scheduler.matching.level import Level
from qmon_tui.scheduler.matching.resources import Resources

GLOBAL_NUMBER: Final = -1
"""The number of the global host among hosts."""


def with_other_totals(
    resources: Resources, compiled: CompiledCluster, hosts: Mapping[int, Level], queues: Mapping[int, Level]
) -> Resources:
    """Return the same bookings under another configuration, with the given levels replaced."""
    other = copy(resources)
    other.compiled, other.instances = compiled, compiled.instances
    other.global_level = hosts.get(GLOBAL_NUMBER, resources.global_level)
    other.hosts = [hosts.get(number, level) for number, level in enumerate(resources.hosts)]
    other.queues = [queues.get(number, level) for number, level in enumerate(resources.queues)]
    other.totals = [instance.profile.slots for instance in compiled.instances]
    names = {level.name for level in hosts.values()} & resources.uncorrected.keys()
    other.uncorrected = {**resources.uncorrected, **{name: compiled.hosts[name].configured for name in names}}
    return other
