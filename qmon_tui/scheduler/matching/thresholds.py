"""Load thresholds: whether a queue instance is in alarm, and how many slots fit until it is.

Source: dispatch.md#load-thresholds-during-the-run and parallel.md#one-attempt.
"""

import re
from collections.abc import Iterable, Sequence
from ctypes import c_float
from dataclasses import dataclass

from qmon_tui.scheduler.configuration import Attribute, AttributeTable, number_or_none
from qmon_tui.scheduler.jobs import Demand
from qmon_tui.scheduler.matching.level import CORRECTED, NO_ADJUSTMENTS, Adjustments, Level, holds, merged
from qmon_tui.scheduler.matching.resources import Resources
from qmon_tui.scheduler.matching.slot_count import NO_LIMIT, whole_slots
from qmon_tui.values import evaluate

_NO_LOAD = "no load value"
_NO_ADJUSTMENT = "no load adjustment"
_ALARM = re.compile(r"(?P<name>[^= ]+)=(?P<value>-?[0-9.]+) \(.*\) (?P<limit>[<>=!]+ .+)")
"""The text that `_numbers` returns."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The check of load and suspend thresholds in one run."""

    attributes: AttributeTable
    adjustments: Adjustments

    def alarm(
        self,
        limits: Iterable[tuple[str, str]],
        global_level: Level,
        host: Level,
        queue: Level,
        with_consumables: bool = True,
        adjusted: bool = True,
    ) -> str | None:
        """Return the alarm text of the first (name, threshold) in `limits` that is reached; None if none is.

        `with_consumables`: check consumables, too; `adjusted`: apply job_load_adjustments.
        """
        adjustments = self.adjustments if adjusted else NO_ADJUSTMENTS
        for name, limit in limits:
            attribute = self.attributes.find(name)
            if attribute is None:
                return f'no such complex attribute for threshold "{name}"'
            if attribute.is_consumable:
                if not with_consumables:
                    continue
                reason = self._consumable(attribute, name, limit, global_level, host, queue, adjustments)
            else:
                reason = _load(attribute, name, limit, global_level, host, queue, adjustments)
            if reason is not None:
                return reason
        return None

    def _consumable(
        self,
        attribute: Attribute,
        name: str,
        limit: str,
        global_level: Level,
        host: Level,
        queue: Level,
        adjustments: Adjustments,
    ) -> str | None:
        # 8.1.9 looks up consumables by the name as written, so it does not find a shortcut.
        value = merged(attribute, self.adjustments, global_level, host, queue) if name == attribute.name else None
        if value is None or value.offer.per_job is None:
            return f'no such complex attribute for threshold "{name}"'
        if value.offer.per_job_kind != CORRECTED or value.offer.load_text is None:
            # 8.1.9 compares the free amount as a text: a single-precision number with three decimals.
            text = value.offer.load_text or f"{c_float(value.amount).value:8.3f}".strip()
            return _numbers(attribute, name, text, limit, None, _NO_LOAD)
        text = value.offer.load_text
        level = host if name in host.loads else global_level
        corrected, diagnosis = _corrected(attribute, name, text, level, host, global_level, adjustments)
        return _numbers(attribute, name, text, limit, corrected, diagnosis)


def _load(
    attribute: Attribute,
    name: str,
    limit: str,
    global_level: Level,
    host: Level,
    queue: Level,
    adjustments: Adjustments,
) -> str | None:
    load = host.loads.get(name)
    level: Level | None = host
    if load is None:
        load = global_level.loads.get(name)
        level = global_level
    if load is None:
        load = queue.configured.get(name)
        level = None
    if load is None:
        return f'no value for complex attribute "{name}"'
    if not attribute.numeric:
        if evaluate(attribute.type, limit, load.text) == 0:
            return f"{name}={load.text} {attribute.relop} {limit}"
        return None
    if level is None:
        return _numbers(attribute, name, load.text, limit, None, _NO_LOAD)
    corrected, diagnosis = _corrected(attribute, name, load.text, level, host, global_level, adjustments)
    return _numbers(attribute, name, load.text, limit, corrected, diagnosis)


def _corrected(
    attribute: Attribute,
    name: str,
    text: str,
    level: Level,
    host: Level,
    global_level: Level,
    adjustments: Adjustments,
) -> tuple[float | None, str]:
    """Return the corrected load of a level (None if not corrected), and how it was calculated, for the alarm."""
    reported = number_or_none(text)
    if reported is None or not (host.correction or global_level.correction):
        return None, _NO_ADJUSTMENT
    on_host = level is host
    factor = level.correction_factor
    amount = adjustments.amounts.get(name)
    if amount is None or (not on_host and not factor):
        return None, _NO_ADJUSTMENT
    change = amount * factor
    if on_host and name.startswith("np_"):
        change /= level.processors
        how = f"{adjustments.texts[name]} * {factor:f} with nproc={level.processors}"
    elif on_host:
        how = f"{adjustments.texts[name]} * {factor:f}"
    else:
        how = f"{adjustments.texts[name]} * {factor:f} global"
    if attribute.relop in (">=", ">"):
        return reported + change, f"= {text} + {how}"
    return reported - change, f"= {text} - {how}"


def _numbers(
    attribute: Attribute, name: str, text: str, limit: str, corrected: float | None, diagnosis: str
) -> str | None:
    load = corrected if corrected is not None else number_or_none(text)
    if load is None:
        return f'invalid load value "{text}" for threshold {name}'
    bound = number_or_none(limit)
    if bound is None:
        return f"invalid threshold value {name}={limit}"
    if attribute.exclusive or not holds(attribute.relop, load, bound):
        return None
    value = ("true" if load else "false") if attribute.type == "BOOL" else f"{load:f}"
    return f"{name}={value} ({diagnosis}) {attribute.relop} {limit}"


def alarm_subject(alarm: str) -> str:
    """Return "attribute >= threshold" of an alarm text; `merge_alarms` joins alarms that have the same."""
    match = _ALARM.fullmatch(alarm)
    return f"{match['name']} {match['limit']}" if match else alarm


def merge_alarms(alarms: Iterable[str]) -> str:
    """Join alarms of one subject to one with the lowest and highest load: `np_load_avg=2.000000 to 9.000000 >= 1`."""
    different = list(dict.fromkeys(alarms))
    matches = [match for alarm in different if (match := _ALARM.fullmatch(alarm))]
    if len(different) == 1 or not matches:
        return different[0]
    ends = dict.fromkeys(end(matches, key=lambda match: float(match["value"]))["value"] for end in (min, max))
    return f"{matches[0]['name']}={' to '.join(ends)} {matches[0]['limit']}"


def threshold_cap(resources: Resources, host: int, members: Sequence[int], demand: Demand, adjusts: bool = True) -> int:
    """Return how many slots a host has before all of `members` (its queue instances, not empty) are in alarm.

    Load values count without correction for recent starts. `adjusts` False: only thresholds on consumables count.
    """
    if resources.with_load_thresholds.isdisjoint(members):
        return NO_LIMIT
    most = 0
    for number in members:
        cap = NO_LIMIT
        for name, limit in resources.instances[number].profile.load_thresholds:
            attribute = resources.compiled.attributes.find(name)
            if attribute is None or not (adjusts or attribute.is_consumable):
                continue
            slots = _slots(resources, host, number, attribute, limit, demand)
            if slots is None:
                return 0
            cap = min(cap, slots)
        most = max(most, cap)
    return most


def _slots(
    resources: Resources, host: int, number: int, attribute: Attribute, limit: str, demand: Demand
) -> int | None:
    """Return the slots that one threshold allows; None if its consumable is configured nowhere: no slot fits."""
    name = attribute.name
    overall, own, queue = resources.levels_of(number)
    if attribute.is_consumable:
        merged_value = merged(attribute, resources.adjustments, overall, own, queue)
        if merged_value is None:
            return None
        value = merged_value.amount if merged_value.offer.per_job is not None else None
        change: float | None = demand.amounts.get(name, attribute.default_amount)
    else:
        load = own.loads.get(name) or overall.loads.get(name) or queue.configured.get(name)
        value = number_or_none(load.text) if load is not None else None
        change = resources.adjustments.amounts.get(name)
    bound = number_or_none(limit)
    if not attribute.numeric or value is None or bound is None or not change or attribute.relop in ("==", "!="):
        return NO_LIMIT
    if attribute.relop in ("<", "<="):
        change = -change
    if not attribute.is_consumable and name.startswith("np_"):
        change /= own.processors
    slots = whole_slots((bound - value) / change)
    # The last slot may put a host into load alarm, but must not overbook a consumable.
    return slots if attribute.is_consumable else slots + 1
