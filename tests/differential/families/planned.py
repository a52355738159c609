"""Any other family in a cluster that reserves: some of its jobs ask for it, run times are known, quotas are set."""

import re
from random import Random
from typing import Any, Final

from qmon_tui.checks import check
from qmon_tui.model.findings import Severity
from tests.differential import families
from tests.differential.drawing import scenario
from tests.differential.families.reserved_quota import quota_sets
from tests.differential.folders import read
from tests.differential.scenarios import Scenario
from tests.differential.shrinking import Draft

NUMBERS = 120
APART: Final = (
    *("advance_planned", "planned", "crossed", "loads", "reservation", "reserved_quota"),
    *("altered", "edited", "hours", "lasting", "stacked"),
    *("softly", "nested", "defaulted", "scaled", "ranges", "wide", "refused", "faulty"),
)
"""What reserves already, hosts that report loads, where elapsed time decides, what is made of this, twelve runs."""
TRIES: Final = 50
_QSUB: Final = re.compile(r"(?P<qsub>\S+[$#] qsub)(?P<words>.*)")
_TIMES: Final = ("60", "300", "600", "900", "3600", "7200", "INFINITY")


def draw(random: Random) -> Scenario:
    """The first drawn scenario of any family that stays one in which the qmaster finds no fault."""
    names = [name for name in families.families() if name not in APART]
    for _ in range(TRIES):
        draft = Draft.of(families.families()[random.choice(names)].draw(random))
        sections: dict[str, Any] = {**draft.cluster, "scheduler": _scheduler(random, draft.cluster)}
        if "quotas" not in sections and "hosts" in sections and random.random() < 0.6:
            sections["quotas"] = quota_sets(random, sections)
        found = scenario(sections, [_asking(random, line) for line in draft.lines])
        if not any(finding.severity is Severity.ERROR for finding in check(read(found.files).cluster)):
            return found
    raise ValueError(f"{TRIES} scenarios cannot be made to reserve")


def _scheduler(random: Random, cluster: dict[str, Any]) -> dict[str, Any]:
    return {
        **cluster.get("scheduler", {}),
        "max_reservation": random.choice(("1", "2", "3", "10")),
        "default_duration": random.choice(("INFINITY", "1:0:0", "0:10:0")),
        "schedule_interval": "24:0:0",
    }


def _asking(random: Random, line: str) -> str:
    """A submission that may ask for a reservation, or say how long it takes."""
    found = _QSUB.fullmatch(line)
    if not found:
        return line
    words = found["words"]
    if random.random() < 0.4 and " -R " not in words:
        words = f" -R y{words}"
    if random.random() < 0.4 and "h_rt" not in words:
        words = f" -l h_rt={random.choice(_TIMES)}{words}"
    return found["qsub"] + words
