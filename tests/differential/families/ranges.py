"""Ranges of slots under each PE_RANGE_ALG; auto remembers how earlier runs found their numbers."""

from dataclasses import replace
from random import Random
from typing import Final

from tests.differential import families
from tests.differential.drawing import scenario
from tests.differential.scenarios import Scenario
from tests.differential.shrinking import Draft

NUMBERS: Final = 40
BASES: Final = ("pe", "pe", "pe", "granting", "mixed", "reservation", "quota", "ordering")
PARAMS: Final = (
    *("PE_RANGE_ALG=auto", "PE_RANGE_ALG=auto", "NONE", "NONE", "PROFILE=0", "PE_RANGE_ALG=bin", "PE_RANGE_ALG=least"),
    *("PE_RANGE_ALG=highest", "PROFILE=0,PE_RANGE_ALG=auto", "PE_RANGE_ALG=other", "pe_range_alg=highest"),
)
WIDER: Final = ("1-8", "2-16", "1-", "2-", "-6", "1-12", "3-9", "1,3,5-9", "4,8,16", "1-4")


def draw(random: Random) -> Scenario:
    """A scenario of another family with other params, and with ranges in place of most numbers of slots."""
    base = families.families()[random.choice(BASES)].draw(random)
    sections = Draft.of(base).cluster
    lines = []
    for line in base.session.splitlines():
        words = line.split(" ")
        if "-pe" in words and "qsub" in line and random.random() < 0.6:
            words[words.index("-pe") + 2] = random.choice(WIDER)
        lines.append(" ".join(words))
    scheduler = {**sections["scheduler"], "params": random.choice(PARAMS)}
    drawn = scenario({**sections, "scheduler": scheduler}, lines)
    return replace(drawn, files={**base.files, **drawn.files})
