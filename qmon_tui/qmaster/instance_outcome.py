"""Queue instances as `qstat -f -F` shows them after a run: states and values, which qstat calculates itself."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from qmon_tui.model import InstanceOutcome, read_only
from qmon_tui.scheduler.configuration import QueueProfile
from qmon_tui.scheduler.matching import NO_ADJUSTMENTS, MergedValue, Thresholds, merged
from qmon_tui.scheduler.suspension import closing_of
from qmon_tui.values import format_qstat

if TYPE_CHECKING:
    from qmon_tui.qmaster.run import Run

_STATE_ORDER = "aACDduESsco"


def instance_outcome(run: "Run", number: int) -> InstanceOutcome:
    """Return the outcome of a queue instance."""
    resources = run.resources
    instance = resources.instances[number]
    letters = {*run.states_after_run.states[number], *_alarms(run, number, instance.profile)}
    return InstanceOutcome(
        name=instance.name,
        state="".join(letter for letter in _STATE_ORDER if letter in letters),
        used=resources.slots_used(number),
        reserved=run.slots_reserved.get(instance.name, 0),
        total=instance.profile.slots,
        values=InstanceValues(run, number),
        closing=closing_of(run.compiled, number, run.states_after_run.states[number], run.now),
    )


def _alarms(run: "Run", number: int, profile: QueueProfile) -> str:
    """Return the alarm states, which qstat calculates without load adjustments, A without consumables.

    It does so before and after it scales load values and corrects capacities, and keeps the states of both.
    """
    suspending = profile.suspend_thresholds if profile.nsuspend else ()
    if not (suspending or profile.load_thresholds):
        return ""
    thresholds = Thresholds(run.compiled.attributes, NO_ADJUSTMENTS)
    views = run.resources.levels_seen(number)
    limits = (("a", profile.load_thresholds, True), ("A", suspending, False))
    return "".join(
        letter
        for letter, own, consumables in limits
        if own and any(thresholds.alarm(own, *levels, with_consumables=consumables) for levels in views)
    )


@dataclass(eq=False, repr=False, slots=True)
class InstanceValues(Mapping[str, str]):
    """The values that `qstat -F` prints for a queue instance, calculated on first access."""

    run: "Run"
    number: int
    _values: dict[str, str] | None = field(default=None)

    def __getitem__(self, key: str) -> str:
        return self._all()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __reduce__(self) -> tuple[object, tuple[dict[str, str]]]:
        """Pickle as the values, without the run."""
        return read_only, (self._all(),)

    def __repr__(self) -> str:
        return repr(self._all())

    def _all(self) -> dict[str, str]:
        if self._values is None:
            self._values = dict(_values(self.run, self.number))
        return self._values


def _values(run: "Run", number: int) -> Iterator[tuple[str, str]]:
    *_, levels = run.resources.levels_seen(number)
    names: dict[str, None] = {}
    for level in levels:
        names.update(dict.fromkeys((*level.loads, *level.fields, *level.configured)))
    attributes = run.compiled.attributes.by_name
    for name in names:
        attribute = attributes.get(name)
        value = merged(attribute, NO_ADJUSTMENTS, *levels) if attribute is not None else None
        if attribute is not None and value is not None:
            yield f"{value.kind}:{name}", _shown(value, attribute.type, attribute.numeric)


def _shown(value: MergedValue, type_name: str, numeric: bool) -> str:
    return format_qstat(value.amount, type_name) if numeric else value.offer.text
