"""Values of each attribute of a host, or of the global host, in a run: configured, used, reported, effective.

Source: matching.md#value-on-one-level and matching.md#one-value-over-all-levels, host_conf(5) complex_values and
load_scaling.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from qmon_tui.scheduler.configuration import GLOBAL, Attribute
from qmon_tui.scheduler.matching import NO_ADJUSTMENTS, Level, merged
from qmon_tui.values import canonical, format_qstat

if TYPE_CHECKING:
    from qmon_tui.qmaster.run import Run


@dataclass(frozen=True, slots=True)
class HostValue:
    """One attribute of a host; texts as qhost and qstat print them, empty if not set."""

    attribute: str
    type: str
    configured: str
    """The value in complex_values, after capacity correction."""
    used: str
    """The use by running tasks."""
    free: str
    reported: str
    """The load value as reported."""
    scaled: str
    """The load value after load_scaling, if that changes it."""
    counts: str
    """The value that `qhost -F` shows, with hl:, hc: and so on: the more stringent of free and reported."""
    is_short: bool
    """True if nothing is left of a consumable."""


def host_values(run: "Run", name: str) -> tuple[HostValue, ...]:
    """Return all attributes of a host, configured ones first; empty for an unknown host."""
    resources = run.resources
    if name == GLOBAL:
        level: Level | None = resources.global_level
    else:
        number = resources.host_numbers.get(canonical(name))
        level = resources.hosts[number] if number is not None else None
    if level is None:
        return ()
    reported = next((texts for host, texts in run.state.loads.items() if canonical(host) == canonical(name)), {})
    return tuple(_values(run, level, reported))


def _values(run: "Run", level: Level, reported: Mapping[str, str]) -> Iterator[HostValue]:
    attributes = run.compiled.attributes
    for name in dict.fromkeys((*level.configured, *level.loads)):
        attribute = attributes.find(name)
        if attribute is not None:
            yield _value(level, attribute, reported.get(name, ""))


def _value(level: Level, attribute: Attribute, reported: str) -> HostValue:
    name = attribute.name
    configured, load = level.configured.get(name), level.loads.get(name)
    used = level.used.get(name)
    free = configured.number - used if configured is not None and used is not None else None
    value = merged(attribute, NO_ADJUSTMENTS, level)
    amount = format_qstat(value.amount, attribute.type) if value and attribute.numeric else value and value.offer.text
    scaled = load.text.strip() if load is not None and load.text != reported else ""
    return HostValue(
        attribute=name,
        type=attribute.type,
        configured=configured.text if configured is not None else "",
        used="" if used is None else format_qstat(used, attribute.type),
        free="" if free is None else format_qstat(free, attribute.type),
        reported=reported,
        scaled=scaled,
        counts=f"{value.kind}:{amount}" if value is not None else "",
        is_short=free is not None and free <= 0,
    )
