"""Everything at once over any family: long command lines, calendars and orders, edits of the configuration, qalter."""

from random import Random
from typing import Final

from tests.differential import families
from tests.differential.families import altered, doubled, edited, hours
from tests.differential.scenarios import Scenario
from tests.differential.shrinking import Draft

NUMBERS: Final = 60
BASES: Final = (
    *(
        "planned",
        "reserved_quota",
        "advance_planned",
        "advance",
        "granting",
        "reservation",
        "quota",
        "quota",
        "history",
    ),
    *("crossed", "subordination", "subordination", "arrays", "sharetree", "functional", "override", "urgency", "pe"),
    *("matching", "access", "mixed", "mixed", "ordering", "calendars", "trials", "shipped", "named", "spelled"),
)


def draw(random: Random) -> Scenario:
    """A scenario of another family, changed in turn; what an edit sets, another cluster of the family has."""
    family = families.families()[random.choice(BASES)]
    scenario, other = family.draw(random), Draft.of(family.draw(random)).cluster
    if random.random() < 0.5:
        scenario = doubled.over(random, scenario)
    if random.random() < 0.5:
        scenario = hours.over(random, scenario)
    scenario = edited.over(random, scenario, other)
    return altered.over(random, scenario)
