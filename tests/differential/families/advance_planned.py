"""Advance reservations in a cluster that reserves: jobs inside them may ask for a reservation, too."""

from random import Random
from typing import Final

from tests.differential.drawing import scenario
from tests.differential.families import advance
from tests.differential.scenarios import Scenario
from tests.differential.shrinking import Draft

NUMBERS = 40
ASKING: Final = 0.6
"""How many of the jobs in an advance reservation ask."""


def draw(random: Random) -> Scenario:
    """A scenario of the advance reservations, with room for reservations of both kinds."""
    draft = Draft.of(advance.draw(random))
    scheduler = {
        **draft.cluster["scheduler"],
        "max_reservation": random.choice(("1", "2", "10")),
        "default_duration": random.choice(("INFINITY", "0:10:0", "1:0:0")),
    }
    lines = [_asking(random, line) for line in draft.lines]
    return scenario({**draft.cluster, "scheduler": scheduler}, lines)


def _asking(random: Random, line: str) -> str:
    """A submission into an advance reservation, or several to fill it, that may ask for a reservation at any moment."""
    if " qsub -ar " not in line:
        return line
    times = random.choice(("", "", "2x ", "3x "))
    asks = " -R " not in line and random.random() < ASKING
    return times + (line.replace(" qsub ", " qsub -R y ", 1) if asks else line)
