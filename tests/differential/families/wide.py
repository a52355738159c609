"""Other families on clusters of 25 to 60 hosts, with jobs by the dozen."""

from random import Random
from typing import Final

from tests.differential import families
from tests.differential.families import grown
from tests.differential.scenarios import Scenario

NUMBERS: Final = 20
HOSTS: Final = (25, 60)


def draw(random: Random) -> Scenario:
    """A scenario of one of the families that `grown` grows, grown further."""
    return grown.over(random, families.families()[random.choice(grown.BASES)].draw(random), hosts=HOSTS)
