"""Commands to jobs and queue instances over other families: what our own commands can do, between and before runs."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from tests.differential import families
from tests.differential.families import altered
from tests.differential.scenarios import Scenario
from tests.differential.shrinking import Draft

NUMBERS: Final = 40
BASES: Final = (
    *("mixed", "mixed", "matching", "quota", "pe", "pe", "urgency", "ordering", "reservation", "calendars", "access"),
    *("functional", "override", "arrays", "arrays", "subordination", "subordination", "reserved_quota", "planned"),
)
_SUBMITTED: Final = re.compile(r"^(?:(?P<times>\d+)x )?\S+[$#] qsub\b(?P<words>.*)$")


def draw(random: Random) -> Scenario:
    """A scenario of another family with some commands in each step."""
    base = families.families()[random.choice(BASES)].draw(random)
    sections = Draft.of(base).cluster
    hosts = [host for host in sections["hosts"] if host != "global"]
    lines = _lines(random, base.session.splitlines(), [*sections["queues"]], hosts)
    drawn = replace(base, session="\n".join(lines) + "\n")
    return altered.over(random, drawn) if random.random() < 0.5 else drawn


def _lines(random: Random, lines: Sequence[str], queues: Sequence[str], hosts: Sequence[str]) -> Iterator[str]:
    arrays: list[bool] = []
    for line in lines:
        found = _SUBMITTED.match(line)
        if found is not None:
            arrays += ["-t " in found["words"]] * int(found["times"] or 1)
        if line == "run":
            has_ended = False
            for _ in range(random.choice((0, 1, 2, 3))):
                command = _command(random, arrays, queues, hosts)
                has_ended |= "qdel" in command
                yield command
            if has_ended:
                yield "root# wait 2"
        yield line


def _command(random: Random, arrays: Sequence[bool], queues: Sequence[str], hosts: Sequence[str]) -> str:
    job = random.randrange(len(arrays)) + 1 if arrays else 1
    task = f".{random.randint(1, 3)}" if arrays and arrays[job - 1] and random.random() < 0.4 else ""
    where = random.choice((random.choice(queues), f"{random.choice(queues)}@{random.choice(hosts)}"))
    commands = {
        f"qmod -{random.choice(('d', 'e', 'sq', 'usq', 'sq', 'usq'))} {where}": 35,
        f"qmod -{random.choice(('sj', 'usj', 'sj', 'usj', 'rj'))} {job}{task}": 25,
        f"qhold {random.choice(('', '-h o ', '-h uo '))}{job}{task}": 14,
        f"qrls {random.choice(('', '-h o ', '-h uos '))}{job}{task}": 14,
        f"qdel {job}" + (f" -t {task[1:]}" if task else ""): 12,
    }
    return f"root# {random.choices([*commands], [*commands.values()])[0]}"
