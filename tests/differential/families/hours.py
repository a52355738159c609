"""Calendars over other families: queues that close and open while there are reservations, subordinates and orders."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final

from tests.differential import families
from tests.differential.drawing import scenario
from tests.differential.families.calendars import WEEKDAYS
from tests.differential.scenarios import Scenario
from tests.differential.shrinking import Draft

NUMBERS: Final = 60
BASES: Final = (
    *("reservation", "reservation", "reserved_quota", "advance", "advance", "subordination", "subordination", "pe"),
    *("arrays", "quota", "mixed", "history", "ordering", "granting", "urgency", "matching"),
)
CALENDARS: Final = ("day", "night", "always")
SHORT: Final = 0.5
"""How many of the queues keep a calendar."""
_NUMBER: Final = re.compile(r"^(?:(?P<times>\d+)x )?\S+[$#] qsub\b")


def draw(random: Random) -> Scenario:
    """A scenario of another family whose queues have calendars, which are edited, and whose instances get orders."""
    return over(random, families.families()[random.choice(BASES)].draw(random))


def over(random: Random, base: Scenario) -> Scenario:
    """The same with any scenario."""
    draft = Draft.of(base)
    calendars = {name: _calendar(random) for name in CALENDARS}
    sections = {
        **draft.cluster,
        "calendars": {**draft.cluster.get("calendars", {}), **calendars},
        "queues": {name: _with_calendar(random, queue) for name, queue in draft.cluster["queues"].items()},
    }
    # A reader takes the calendars of a folder wherever they stand; the usage of the base is kept.
    drawn = scenario(sections, _lines(random, base.session.splitlines(), sections))
    return replace(drawn, files={**base.files, **drawn.files})


def _with_calendar(random: Random, queue: Mapping[str, Any]) -> dict[str, Any]:
    if random.random() > SHORT:
        return dict(queue)
    own = f",[n1={random.choice((*CALENDARS, 'NONE'))}]" if random.random() < 0.25 and "n1" in str(queue) else ""
    return {**queue, "calendar": f"{random.choice(CALENDARS)}{own}"}


def _calendar(random: Random) -> dict[str, str]:
    """Entries of hours and days, most of which are met at some time of each day."""
    week = " ".join(_entry(random) for _ in range(random.choice((1, 1, 2))))
    year = random.choice(("NONE", "NONE", "NONE", "1.1.2020-31.12.2037=8-20=on", "1.1.2020-31.12.2037=suspended"))
    return {"year": year, "week": week if random.random() < 0.9 else "NONE"}


def _entry(random: Random) -> str:
    days = random.choice(("mon-sun", "mon-sun", "mon-fri", "sat-sun", random.choice(WEEKDAYS)))
    first = random.randrange(23)
    hours = random.choice(("", f"={first}-{random.randint(first + 1, 24)}", f"={first + 1}-{first}"))
    return f"{days}{hours}={random.choice(('off', 'off', 'suspended', 'suspended', 'on'))}"


def _lines(random: Random, lines: Sequence[str], sections: Mapping[str, Any]) -> Iterator[str]:
    queues, hosts = list(sections["queues"]), [host for host in sections["hosts"] if host != "global"]
    submitted = 1
    runs = 0
    for line in lines:
        found = _NUMBER.match(line)
        submitted += int(found["times"] or 1) if found else 0
        yield line
        if line != "run":
            continue
        runs += 1
        if runs == lines.count("run"):
            return
        for _ in range(random.choice((0, 1, 1, 2))):
            yield _deed(random, queues, hosts, submitted)


def _deed(random: Random, queues: Sequence[str], hosts: Sequence[str], submitted: int) -> str:
    """A calendar that is another one now, a queue that has another, an order to queue instances or to a job."""
    action = random.random()
    queue = random.choice(queues)
    if action < 0.4:
        return f"root# put calendars {random.choice(CALENDARS)} {json.dumps(_calendar(random))}"
    if action < 0.6:
        return f"root# edit queues {queue} calendar={random.choice((*CALENDARS, 'NONE'))}"
    if action < 0.85:
        where = random.choice((queue, f"{queue}@{random.choice(hosts)}"))
        return f"root# qmod -{random.choice(('d', 'e', 'sq', 'usq', 'sq', 'usq'))} {where}"
    return f"root# qmod -{random.choice(('sj', 'usj'))} {random.randint(1, submitted)}"
