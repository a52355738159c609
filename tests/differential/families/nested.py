"""Host groups of host groups over other families, and queues with other values for some of these groups."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any, Final

from tests.differential import families
from tests.differential.drawing import scenario
from tests.differential.scenarios import Scenario
from tests.differential.shrinking import Draft

NUMBERS: Final = 40
BASES: Final = (
    "mixed",
    "mixed",
    "matching",
    "quota",
    "quota",
    "ordering",
    "access",
    "access",
    "pe",
    "arrays",
    "granting",
)
OUTER: Final = ("@inner", "@outer", "@every")
VALUES: Final = {
    "slots": ("0", "1", "2", "4", "7"),
    "seq_no": ("0", "3", "9"),
    "h_rt": ("INFINITY", "0:30:0"),
    "initial_state": ("default", "disabled"),
    "load_thresholds": ("NONE", "slots=1"),
    "priority": ("0", "5"),
}
_LINE: Final = re.compile(r"^\S*(?: \S+)?[$#] qsub\b")


def draw(random: Random) -> Scenario:
    """A scenario of another family whose host groups hold each other, three levels deep."""
    base = families.families()[random.choice(BASES)].draw(random)
    sections = Draft.of(base).cluster
    hosts = [name for name in sections["hosts"] if name != "global"]
    groups = [*sections.get("hostgroups", {})]
    inner = " ".join((*random.sample(groups, min(len(groups), 1)), random.choice(hosts)))
    outer = " ".join(("@inner", *random.sample(groups, min(len(groups), 1))))
    every = " ".join(random.sample(("@outer", *hosts), random.randint(1, len(hosts) + 1)))
    nested = {"@inner": {"hostlist": inner}, "@outer": {"hostlist": outer}, "@every": {"hostlist": every}}
    sections = {
        **sections,
        "hostgroups": {**sections.get("hostgroups", {}), **nested},
        "queues": {name: _queue(random, queue) for name, queue in sections["queues"].items()},
    }
    drawn = scenario(sections, _lines(random, base, [*sections["queues"]]))
    return replace(drawn, files={**base.files, **drawn.files})


def _queue(random: Random, queue: Mapping[str, Any]) -> dict[str, Any]:
    changed = dict(queue)
    if random.random() < 0.6:
        changed["hostlist"] = random.choice((random.choice(OUTER), f"{queue['hostlist']} {random.choice(OUTER)}"))
    for field in random.sample([*VALUES], random.randint(1, 3)):
        groups = random.sample(OUTER, random.choice((1, 1, 2)))
        own = str(queue.get(field, VALUES[field][0]))
        changed[field] = ",".join((own, *(f"[{group}={random.choice(VALUES[field])}]" for group in groups)))
    return changed


def _lines(random: Random, base: Scenario, queues: list[str]) -> Iterator[str]:
    for line in base.session.splitlines():
        if _LINE.match(line) and " -q " not in line and " sleep" not in line and random.random() < 0.25:
            where = f"{random.choice((*queues, '*'))}@{random.choice(OUTER)}"
            line = f"{line} {random.choice(('', '', '-soft '))}-q '{where}'"
        yield line
