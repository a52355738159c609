"""Default projects and access lists that are edited between runs: of users, usersets, projects, queues and hosts."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any, Final

from tests.differential.drawing import USERS, scenario
from tests.differential.families import access
from tests.differential.scenarios import Scenario
from tests.differential.shrinking import Draft

NUMBERS: Final = 40
_LISTS: Final = ("user_lists", "xuser_lists", "projects", "xprojects")


def draw(random: Random) -> Scenario:
    """A scenario of the family `access` in which everybody may have a default project, with edits before later runs."""
    base, other = access.draw(random), Draft.of(access.draw(random)).cluster
    sections = Draft.of(base).cluster
    users = {name: _user(random) for name in USERS}
    quota = {
        "few": {"enabled": "TRUE", "limit": [random.choice(("projects {*} to slots=3", "projects alpha to slots=2"))]}
    }
    sections = {**sections, "users": users, **({"quotas": quota} if random.random() < 0.3 else {})}
    drawn = scenario(sections, _lines(random, base.session.splitlines(), sections, other))
    return replace(drawn, files={**base.files, **drawn.files})


def _user(random: Random) -> dict[str, str]:
    return {
        "default_project": random.choice(("NONE", *access.PROJECTS)),
        "fshare": random.choice(("0", "100")),
        "oticket": random.choice(("0", "0", "50")),
    }


def _lines(random: Random, lines: list[str], here: Mapping[str, Any], there: Mapping[str, Any]) -> Iterator[str]:
    for place, line in enumerate(lines):
        if place and lines[place - 1] == "run":
            # What is submitted is judged by what is there then: edits come before that.
            for _ in range(random.choice((1, 2, 3))):
                yield _edit(random, here, there)
        yield line


def _edit(random: Random, here: Mapping[str, Any], there: Mapping[str, Any]) -> str:
    """One line that edits who may run where, or who runs for which project by default."""
    kind = random.choice(("users", "users", "users", "usersets", "usersets", "projects", "queues", "hosts"))
    if kind == "users":
        return f"root# edit users {random.choice(USERS)} default_project={_user(random)['default_project']}"
    name = random.choice([*here[kind]])
    if kind in ("usersets", "projects"):
        return f"root# put {kind} {name} {json.dumps(there[kind][name])}"
    return f"root# edit {kind} {name} {random.choice(_LISTS)}=NONE"
