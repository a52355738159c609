"""Jobs of other families that are given the options of one another as well, so that options are there twice."""

import re
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Final

from tests.differential import families
from tests.differential.scenarios import Scenario

BASES: Final = (
    *("mixed", "mixed", "matching", "quota", "pe", "pe", "urgency", "ordering", "reservation", "calendars"),
    *("functional", "access", "crossed", "arrays", "arrays", "trials", "granting", "granting", "granting"),
)
CHANCE: Final = 0.5
_SUBMITTED: Final = re.compile(r"^(.*[$#] (qr?sub))((?: .*)?)$")
_COMMAND: Final = re.compile(r" (?:sleep|-b y|/).*$")
_SWITCHED: Final = re.compile(r" (?=-[lq] )")


def draw(random: Random) -> Scenario:
    """A scenario of another family, its command lines longer than anybody would write them."""
    return over(random, families.families()[random.choice(BASES)].draw(random))


def over(random: Random, base: Scenario) -> Scenario:
    """The same with any scenario."""
    lines = base.session.splitlines()
    options: dict[str, list[str]] = {"qsub": [""], "qrsub": [""]}
    for line in lines:
        found = _SUBMITTED.match(line)
        if found is not None and not _is_twofold(found):
            options[found[2]].append(_COMMAND.sub("", found[3]))
    return replace(base, session="\n".join(_longer(random, line, options) for line in lines) + "\n")


def _is_twofold(found: re.Match[str]) -> bool:
    """Override tickets are given by qalter, once."""
    return "-ot " in found[3]


def _longer(random: Random, line: str, options: Mapping[str, list[str]]) -> str:
    found = _SUBMITTED.match(line)
    if found is None or _is_twofold(found) or random.random() > CHANCE:
        return line
    words = f"{random.choice(options[found[2]])}{found[3]}"
    if random.random() < 0.3:
        words = _SWITCHED.sub(lambda _: random.choice((" ", " ", " -soft ", " -hard ")), words)
    return found[1] + words
