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
"""Of the name of DURATION_OFFSET no more than these letters are looked at."""


class Param(NamedTuple):
    """One word of such a field."""

    word: str
    """As it is written."""
    name: str
    """In capitals, as any are allowed."""
    value: str | None
    """What follows the equals sign; None where there is none."""

    @property
    def is_on(self) -> bool:
        """How the qmaster reads a switch: by its name alone, 1 or true; anything else, and nothing, is off."""
        return self.value is None or self.value.startswith("1") or self.value.lower() == "true"


def params_of(text: str) -> dict[str, Param]:
    """The settings by name: the last one counts."""
    return {setting.name: setting for setting in all_params(text)}


def all_params(text: str) -> tuple[Param, ...]:
    """The settings in the order in which they are written; the word none is nowhere one."""
    return tuple(_setting(word) for word in _SEPARATORS.split(text) if word and word.lower() != "none")


def _setting(word: str) -> Param:
    name, equals, value = word.partition("=")
    name = name.upper()
    if name.startswith(_DURATION):
        name = "DURATION_OFFSET"
    return Param(word, name, value if equals else None)


@dataclass(frozen=True, slots=True)
class Rescheduling:
    """The parameters about it, as 8.1.9 reads them (sge_conf(5))."""

    ends_others: bool
    """ENABLE_RESCHEDULE_KILL: a task that may not be run again ends."""
    minds_slaves: bool
    """ENABLE_RESCHEDULE_SLAVE: any queue instance of a parallel task counts, not only its master queue."""
    is_automatic: bool
    """Nothing is sent back from hosts that are not heard from with DISABLE_AUTO_RESCHEDULING."""
    keeps_submission: bool
    """OLD_RESCHEDULE_BEHAVIOR: a job does not wait again."""
    keeps_submission_of_arrays: bool
    """OLD_RESCHEDULE_BEHAVIOR_ARRAY_JOB."""
    forbids_exit_99: bool = False
    """FORBID_RESCHEDULE: a task cannot ask by its exit status to be sent back."""
    forbids_exit_100: bool = False
    """FORBID_APPERROR: nor for the error state."""


@memoized(size=4)
def rescheduling_of(cluster: Cluster) -> Rescheduling:
    """What holds in a cluster."""
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
