"""Other families in which jobs that are alike otherwise ask softly for other queues, or for none."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from tests.differential import families
from tests.differential.scenarios import Scenario
from tests.differential.shrinking import Draft

NUMBERS: Final = 40
BASES: Final = (
    *("ordering", "ordering", "ordering", "mixed", "matching", "matching", "pe", "quota", "access", "arrays"),
    *("calendars", "subordination", "granting", "urgency", "reservation", "loads", "history"),
)
_SUBMITTED: Final = re.compile(r"^(?:(?P<times>\d+)x )?(?P<line>\S+[$#] qsub\b(?P<options>.*?))(?P<rest> sleep .*)?$")


def draw(random: Random) -> Scenario:
    """A scenario of another family with each of its submissions several times, some of them with a soft request."""
    base = families.families()[random.choice(BASES)].draw(random)
    sections = Draft.of(base).cluster
    hosts = [host for host in sections["hosts"] if host != "global"]
    places = [f"{queue}@{host}" for queue in sections["queues"] for host in hosts]
    wanted = [*sections["queues"], *places, *places, *(f"*@{host}" for host in hosts)]
    return replace(base, session="\n".join(_lines(random, base.session.splitlines(), wanted)) + "\n")


def _lines(random: Random, lines: Sequence[str], wanted: Sequence[str]) -> Iterator[str]:
    for line in lines:
        yield line
        found = _SUBMITTED.match(line)
        if found is None or "-soft" in found["options"] or random.random() < 0.3:
            continue
        for _ in range(random.choice((1, 1, 2))):
            asked = ",".join(random.sample(wanted, random.choice((1, 1, min(2, len(wanted))))))
            yield f"{found['line']} -soft -q '{asked}'{found['rest'] or ''}"
        if random.random() < 0.3:
            yield line
