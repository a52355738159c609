"""Load formulas of several loads, which hosts scale: what a host has to multiply differs from what it reports."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any, Final

from tests.differential.drawing import scenario
from tests.differential.families import loads
from tests.differential.scenarios import Scenario
from tests.differential.shrinking import Draft

NUMBERS: Final = 40
FACTORS: Final = ("0.5", "2", "0.333", "1.5", "10", "0", "1")
SCALED: Final = ("np_load_avg", "load_avg", "temp", "mem_free", "disk", "lic", "num_proc")


def draw(random: Random) -> Scenario:
    """A scenario of the family `loads` with up to four scaled loads on most hosts, and formulas of two to four."""
    base = loads.draw(random)
    sections = Draft.of(base).cluster
    scheduler = {**sections["scheduler"], "load_formula": _formula(random), "queue_sort_method": "load"}
    hosts = {name: _host(random, fields) for name, fields in sections["hosts"].items()}
    drawn = scenario({**sections, "hosts": hosts, "scheduler": scheduler}, base.session.splitlines())
    return replace(drawn, files={**base.files, **drawn.files})


def _host(random: Random, fields: Mapping[str, Any]) -> dict[str, Any]:
    if random.random() < 0.25:
        return dict(fields)
    names = random.sample(SCALED, random.randint(1, 4))
    return {**fields, "load_scaling": ",".join(f"{name}={random.choice(FACTORS)}" for name in names)}


def _formula(random: Random) -> str:
    """A sum of terms, of which each is a load, a load with a factor, or a number."""
    terms = []
    for name in random.sample(("np_load_avg", "load_avg", "temp", "lic", "slots", "num_proc", "disk"), 4):
        factor = random.choice(("", "", "*2", "*0.5", "*10"))
        terms.append(f"{name}{factor}")
    chosen = terms[: random.randint(2, 4)]
    signs = [random.choice("+-") for _ in chosen]
    return "".join(
        f"{sign if place else ''}{term}" for place, (sign, term) in enumerate(zip(signs, chosen, strict=True))
    )
