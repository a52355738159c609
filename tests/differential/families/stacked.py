"""What families that change others do, one upon the other: long command lines, calendars and orders, qalter."""

from random import Random
from typing import Final

from tests.differential import families
from tests.differential.families import altered, doubled, hours
from tests.differential.scenarios import Scenario

NUMBERS: Final = 60
BASES: Final = (
    *("planned", "planned", "reserved_quota", "advance_planned", "edited", "edited", "history", "crossed", "crossed"),
    *("subordination", "arrays", "sharetree", "trials", "shipped", "named", "spelled"),
)
EDITED: Final = "edited"
"""Its edits are drawn for the calendars that it has."""


def draw(random: Random) -> Scenario:
    """A scenario of another family, changed by two or three in turn."""
    name = random.choice(BASES)
    scenario = families.families()[name].draw(random)
    changes = [doubled.over, altered.over] if name == EDITED else [doubled.over, hours.over, altered.over]
    left_out = random.choice([*changes, None]) if name != EDITED else None
    for change in changes:
        if change is not left_out:
            scenario = change(random, scenario)
    return scenario
