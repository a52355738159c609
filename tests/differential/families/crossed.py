"""Two other families in one cluster: what each looks at, while the other's objects and jobs are there, too."""

from itertools import chain, zip_longest
from random import Random
from typing import Any, Final

from qmon_tui.checks import check
from qmon_tui.model.findings import Severity
from qmon_tui.model.kinds import Kind
from tests.differential import families
from tests.differential.drawing import scenario
from tests.differential.folders import read
from tests.differential.loading import in_order
from tests.differential.scenarios import Scenario
from tests.differential.shrinking import Draft

NUMBERS = 120
APART: Final = (
    *("advance_planned", "crossed", "history", "loads", "planned", "reserved_quota", "sites", "trials"),
    *("altered", "doubled", "edited", "hours", "lasting", "named", "spelled", "stacked"),
    *("softly", "nested", "defaulted", "scaled", "ranges", "wide", "refused", "faulty"),
)
"""Hosts that report loads and hosts that do not have an order that no cluster folder tells; the others are pairs.

Or they are made of other families, some of which report loads, or have many runs.
"""
TRIES: Final = 50
_KEPT_ORDERS: Final = ("root# qmod -sj", "root# qmod -usj")
"""Not those after which jobs end: where a queue has several instances, their order then remembers that."""


def draw(random: Random) -> Scenario:
    """The first pair that makes a cluster in which the qmaster finds no fault."""
    names = [name for name in families.families() if name not in APART]
    for _ in range(TRIES):
        both = [Draft.of(families.families()[name].draw(random)) for name in random.sample(names, 2)]
        sections = _merged(*(draft.cluster for draft in both))
        try:
            cluster = read(scenario(sections, ()).files).cluster
        except ValueError:
            # Node sets of both name a host.
            continue
        if any(finding.severity is Severity.ERROR for finding in check(cluster)):
            continue
        queues = {queue.name: sections["queues"][queue.name] for queue in in_order(cluster, Kind.QUEUE)}
        runs = zip_longest(*map(_runs, both), fillvalue=())
        return scenario({**sections, "queues": queues}, [line for run in runs for line in (*chain(*run), "run")])
    raise ValueError(f"{TRIES} pairs of families do not go together")


def _merged(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """All of both; what both have is the second's, except that a complex attribute is defined as in the first."""
    attributes = {**second.get("complexes", {}), **first.get("complexes", {})}
    merged = {**_united(first, second), "complexes": attributes}
    if "usage" in merged:
        # Usage is given to a qmaster that is not running, which then reads the usersets in the order of their names.
        merged["usersets"] = dict(sorted(merged.get("usersets", {}).items()))
    return merged


def _united(first: Any, second: Any) -> Any:
    if not (isinstance(first, dict) and isinstance(second, dict)):
        return second
    return {**first, **{key: _united(first[key], text) if key in first else text for key, text in second.items()}}


def _runs(draft: Draft) -> list[tuple[str, ...]]:
    """The submissions before each run."""
    runs: list[tuple[str, ...]] = [()]
    for line in draft.lines:
        if line == "run":
            runs.append(())
        elif _is_kept(line):
            runs[-1] += (line.replace("sleep 0", "").rstrip(),)
    return runs[:-1]


def _is_kept(line: str) -> bool:
    return not line.startswith("root# ") or line.startswith(_KEPT_ORDERS)
