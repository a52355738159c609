"""Classes of equivalent queue instances: a category's result for one holds for its whole class."""

from collections.abc import Sequence

from qmon_tui.scheduler.jobs import Demand
from qmon_tui.scheduler.matching.resources import Resources


class InstanceClasses:
    """The classes of queue instances in one run; `states` are their qstat states."""

    def __init__(self, resources: Resources, states: Sequence[str]) -> None:
        self._resources = resources
        self._states = states
        self.classes: dict[int, int] = {}
        """Queue instance -> class, for instances looked up so far."""
        self._numbers: dict[object, int] = {}
        levels = (resources.global_level, *resources.hosts)
        self._reported = {
            name for loads in {id(level.loads): level.loads for level in levels}.values() for name in loads
        }
        self._forced_loads = any(attribute.name in self._reported for attribute in resources.compiled.attributes.forced)

    def reads_loads(self, demand: Demand) -> bool:
        """True if a demand requests attributes that hosts report, so that no two hosts are equivalent for it."""
        return self._forced_loads or not demand.names.isdisjoint(self._reported)

    def instance_class(self, number: int) -> int:
        """Return a number below 0 shared by equivalent instances; an instance's own number if it has no equivalents."""
        instance_class = self.classes.get(number)
        if instance_class is None:
            instance_class = self.classes[number] = self._numbers.setdefault(self._traits(number), -1 - number)
        return instance_class

    def _traits(self, number: int) -> object:
        """Return the traits that equivalent queue instances share."""
        resources = self._resources
        instance = resources.instances[number]
        host = resources.hosts[resources.host_of[number]]
        if any(name in self._reported for name in (*host.used, *resources.queues[number].used)):
            return number
        access = resources.compiled.hosts[instance.host].access
        return instance.queue, id(instance.profile), id(host.configured), access, self._states[number]
