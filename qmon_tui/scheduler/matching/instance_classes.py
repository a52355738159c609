"""Classes of equivalent queue instances: what a category of jobs finds out on one holds on all of its class."""

from collections.abc import Sequence

from qmon_tui.scheduler.jobs import Demand
from qmon_tui.scheduler.matching.resources import Resources


class InstanceClasses:
    """The classes of queue instances in one run; `states` are their state letters."""

    def __init__(self, resources: Resources, states: Sequence[str]) -> None:
        self._resources = resources
        self._states = states
        self.classes: dict[int, int] = {}
        """Those of the queue instances that somebody has asked for."""
        self._numbers: dict[object, int] = {}
        levels = (resources.global_level, *resources.hosts)
        self._reported = {
            name for loads in {id(level.loads): level.loads for level in levels}.values() for name in loads
        }
        self._forced_loads = any(attribute.name in self._reported for attribute in resources.compiled.attributes.forced)

    def reads_loads(self, demand: Demand) -> bool:
        """True if a demand asks for what some host reports, so that no two hosts are alike for it."""
        return self._forced_loads or not demand.names.isdisjoint(self._reported)

    def instance_class(self, number: int) -> int:
        """The same number, below 0, for queue instances that are alike; their own for those that are like no other."""
        instance_class = self.classes.get(number)
        if instance_class is None:
            instance_class = self.classes[number] = self._numbers.setdefault(self._traits(number), -1 - number)
        return instance_class

    def _traits(self, number: int) -> object:
        """What queue instances have to have in common to be alike."""
        resources = self._resources
        instance = resources.instances[number]
        host = resources.hosts[resources.host_of[number]]
        if any(name in self._reported for name in (*host.used, *resources.queues[number].used)):
            return number
        access = resources.compiled.hosts[instance.host].access
        return instance.queue, id(instance.profile), id(host.configured), access, self._states[number]
