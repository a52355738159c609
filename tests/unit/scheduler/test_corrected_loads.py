"""The load that a threshold is compared with, and alarms told as one (dispatch.md#load-thresholds)."""

import pytest

from qmon_tui.scheduler.configuration import compile_cluster
from qmon_tui.scheduler.matching import Adjustments, Level
from qmon_tui.scheduler.matching.level import GLOBAL, HOST
from qmon_tui.scheduler.matching.thresholds import _corrected, merge_alarms
from tests.unit.scheduler.building import attribute, cluster

ATTRIBUTES = compile_cluster(
    cluster(attribute("heat heat DOUBLE >= YES NO 0"), attribute("np_x np_x DOUBLE >= YES NO 0"),
            attribute("left left DOUBLE <= YES NO 0"), attribute("calm calm DOUBLE >= YES NO 0"))
).attributes  # fmt: skip
ADJUSTMENTS = Adjustments.of({"heat": "2", "np_x": "2", "left": "2"})
NONE = "no load adjustment"


@pytest.mark.parametrize(
    ("name", "text", "on_host", "host", "overall", "processors", "load", "how"),
    [
        ("heat", "1.5", True, 50, 0, 1, 2.5, "= 1.5 + 2 * 0.500000"),
        ("heat", "1.5", True, 0, 0, 1, None, NONE),
        ("heat", "1.5", True, 0, 50, 1, 1.5, "= 1.5 + 2 * 0.000000"),
        ("heat", "odd", True, 50, 0, 1, None, NONE),
        ("calm", "1.5", True, 50, 0, 1, None, NONE),
        ("left", "1.5", True, 50, 0, 1, 0.5, "= 1.5 - 2 * 0.500000"),
        ("np_x", "1.5", True, 50, 0, 4, 1.75, "= 1.5 + 2 * 0.500000 with nproc=4"),
        ("np_x", "1.5", True, 50, 0, 2, 2.0, "= 1.5 + 2 * 0.500000 with nproc=2"),
        ("np_x", "1.5", True, 50, 0, 1, 2.5, "= 1.5 + 2 * 0.500000 with nproc=1"),
        ("heat", "1.5", True, 50, 0, 4, 2.5, "= 1.5 + 2 * 0.500000"),
        ("heat", "1.5", False, 50, 25, 1, 2.0, "= 1.5 + 2 * 0.250000 global"),
        ("np_x", "1.5", False, 50, 25, 4, 2.0, "= 1.5 + 2 * 0.250000 global"),
        ("heat", "1.5", False, 50, 0, 1, None, NONE),
        ("calm", "1.5", False, 50, 25, 1, None, NONE),
        ("left", "1.5", False, 0, 25, 1, 1.0, "= 1.5 - 2 * 0.250000 global"),
    ],
)
def test_starts_of_late_correct_the_load_that_counts(
    name: str, text: str, on_host: bool, host: int, overall: int, processors: int, load: float | None, how: str
) -> None:
    own = Level(HOST, "h1", {}, {}, correction=host, processors=processors)
    outer = Level(GLOBAL, "global", {}, {}, correction=overall)
    level = own if on_host else outer
    told = _corrected(ATTRIBUTES.by_name[name], name, text, level, own, outer, ADJUSTMENTS)
    assert told == (load, how)


@pytest.mark.parametrize(
    ("alarms", "merged"),
    [
        (["a=2.000000 (= 1 + 1) >= 1"], "a=2.000000 (= 1 + 1) >= 1"),
        (["odd"], "odd"),
        (["odd", "odder"], "odd"),
        (["odd", "odd"], "odd"),
        (["a=2.000000 (x) >= 1", "a=9.000000 (y) >= 1"], "a=2.000000 to 9.000000 >= 1"),
        (["a=9.000000 (x) >= 1", "a=2.000000 (y) >= 1", "a=3.000000 (y) >= 1"], "a=2.000000 to 9.000000 >= 1"),
        (["a=2.000000 (x) >= 1", "a=2.000000 (y) >= 1"], "a=2.000000 >= 1"),
    ],
)
def test_alarms_about_one_matter_are_told_as_one(alarms: list[str], merged: str) -> None:
    assert merge_alarms(alarms) == merged
