"""`params` of the scheduler configuration and `qmaster_params` of the global one, read as 8.1.9 reads them.

Source: sched_conf(5), sge_conf(5); scheduler-configuration.md#fields. 8.1.9 reads both alike.
"""

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.host_configuration import GLOBAL, configuration_of
from qmon_tui.model.memoize import memoized

_SEPARATORS: Final = re.compile(r"[,;\s]+")
_DURATION: Final = "DURATION"
"""The qmaster compares only these first letters of the name DURATION_OFFSET."""


class Param(NamedTuple):
    """One setting in the field."""

    word: str
    """Text as written."""
    name: str
    """Name in upper case; case does not count."""
    value: str | None
    """Text after the equals sign; None if there is none."""

    @property
    def is_on(self) -> bool:
        """True if the switch is on: no value, one that begins with 1, or true; any other value is off."""
        return self.value is None or self.value.startswith("1") or self.value.lower() == "true"


def params_of(text: str) -> dict[str, Param]:
    """Return name -> setting; of several settings of a name the last one counts."""
    return {setting.name: setting for setting in all_params(text)}


def all_params(text: str) -> tuple[Param, ...]:
    """Return the settings in the order of the text; the word none is ignored."""
    return tuple(_setting(word) for word in _SEPARATORS.split(text) if word and word.lower() != "none")


def _setting(word: str) -> Param:
    name, equals, value = word.partition("=")
    name = name.upper()
    if name.startswith(_DURATION):
        name = "DURATION_OFFSET"
    return Param(word, name, value if equals else None)


@dataclass(frozen=True, slots=True)
class Rescheduling:
    """Parameters that control rescheduling, as 8.1.9 reads them (sge_conf(5))."""

    ends_others: bool
    """ENABLE_RESCHEDULE_KILL: rescheduling ends a task that is not rerunnable."""
    minds_slaves: bool
    """ENABLE_RESCHEDULE_SLAVE: rescheduling any queue of a parallel task reschedules it, not only its master queue."""
    is_automatic: bool
    """False with DISABLE_AUTO_RESCHEDULING: tasks on unreachable hosts are then not rescheduled."""
    keeps_submission: bool
    """OLD_RESCHEDULE_BEHAVIOR: a rescheduled job keeps its submission time."""
    keeps_submission_of_arrays: bool
    """OLD_RESCHEDULE_BEHAVIOR_ARRAY_JOB: the same for array jobs."""
    forbids_exit_99: bool = False
    """FORBID_RESCHEDULE: exit status 99 does not reschedule a task."""
    forbids_exit_100: bool = False
    """FORBID_APPERROR: exit status 100 does not put a job into the error state."""


@memoized(size=4)
def rescheduling_of(cluster: Cluster) -> Rescheduling:
    """Return a cluster's parameters of rescheduling."""
    configuration = configuration_of(cluster, GLOBAL)
    given = params_of(configuration.text("qmaster_params") if configuration is not None else "")

    def is_on(name: str) -> bool:
        return name in given and given[name].is_on

    return Rescheduling(
        ends_others=is_on("ENABLE_RESCHEDULE_KILL"),
        minds_slaves=is_on("ENABLE_RESCHEDULE_SLAVE"),
        is_automatic=not is_on("DISABLE_AUTO_RESCHEDULING"),
        keeps_submission=is_on("OLD_RESCHEDULE_BEHAVIOR"),
        keeps_submission_of_arrays=is_on("OLD_RESCHEDULE_BEHAVIOR_ARRAY_JOB"),
        forbids_exit_99=is_on("FORBID_RESCHEDULE"),
        forbids_exit_100=is_on("FORBID_APPERROR"),
    )
