"""Jobs of other families that are given the options of one another as well, so that options are there twice."""

import re
from dataclasses import replace
from importlib import import_module
from random import Random
from typing import Final

from tests.differential.scenarios import Scenario

BASES: Final = (
    *("mixed", "mixed", "matching", "quota", "pe", "pe", "urgency", "ordering", "reservation", "calendars"),
    *("functional", "access", "crossed", "arrays", "arrays", "trials"),
)
CHANCE: Final = 0.5
_QSUB: Final = re.compile(r"^(.*[$#] qsub)((?: .*)?)$")
_COMMAND: Final = re.compile(r" (?:sleep|-b y|/).*$")
_SWITCHED: Final = re.compile(r" (?=-[lq] )")


def draw(random: Random) -> Scenario:
    """A scenario of another family, its command lines longer than anybody would write them."""
    base: Scenario = import_module(f"tests.differential.families.{random.choice(BASES)}").draw(random)
    lines = base.session.splitlines()
    # Override tickets are given by qalter, once.
    submitted = [found[2] for line in lines if (found := _QSUB.match(line)) and "-ot " not in found[2]]
    options = [_COMMAND.sub("", words) for words in submitted if words.strip()] or [""]
    return replace(base, session="\n".join(_longer(random, line, options) for line in lines) + "\n")


def _longer(random: Random, line: str, options: list[str]) -> str:
    found = _QSUB.match(line)
    if found is None or random.random() > CHANCE or "-ot " in found[2]:
        return line
    words = f"{random.choice(options)}{found[2]}"
    if random.random() < 0.3:
        words = _SWITCHED.sub(lambda _: random.choice((" ", " ", " -soft ", " -hard ")), words)
    return found[1] + words
