"""Who may run where: access lists and projects of queues, hosts, the global host, environments and the cluster."""

from collections.abc import Sequence
from random import Random
from typing import Any

from tests.differential.drawing import (
    FORGETFUL,
    GROUPS,
    USERS,
    Draw,
    Site,
    odd_ones,
    options,
    per_key,
    scenario,
    session,
    some,
)
from tests.differential.scenarios import Scenario

NUMBERS = 50
SETS = ("red", "green", "blue", "crew")
PROJECTS = ("alpha", "beta", "gamma")
LISTS = {"user_lists": SETS[:2], "xuser_lists": SETS[2:], "projects": PROJECTS[:2], "xprojects": PROJECTS[2:]}
"""What a list may name when it differs per host; a name is not both in a list and in that which excludes."""


def draw(random: Random) -> Scenario:
    """Lists of usersets and projects on everything that has them, each rather short of open."""
    site = Site.drawn(random, hosts=(1, 4), queues=(1, 3))
    sections: dict[str, Any] = {
        "usersets": {name: _userset(random) for name in SETS},
        "projects": {name: _project(random) for name in PROJECTS},
        "users": {user: {"default_project": random.choice(("NONE", "NONE", *PROJECTS))} for user in USERS[:3]},
        "hosts": {name: _lists(random, " ", 0.12) for name in ("global", *site.hosts)},
        "hostgroups": site.hostgroup_objects(),
        "pes": {name: _environment(random) for name in ("mpi", "make")},
        "queues": {name: _queue(random, site) for name in site.queues},
        "scheduler": {
            **FORGETFUL,
            "schedd_job_info": "true",
            "queue_sort_method": random.choice(("load", "seqno")),
            "weight_waiting_time": 0,
            "weight_tickets_functional": random.choice((0, 1000)),
        },
    }
    if random.random() < 0.25:
        sections["configuration"] = {"global": _lists(random, " ", 0.3)}
    return scenario(sections, session(random, lambda: _job(random, site), runs=(2, 3), jobs=(3, 8)))


def _userset(random: Random) -> dict[str, str]:
    members = some(random, (*USERS, *(f"@{group}" for group in dict.fromkeys(GROUPS))), 0.35)
    return {"type": random.choice(("ACL", "ACL", "ACL", "ACL DEPT", "DEPT")), "entries": ",".join(members)}


def _project(random: Random) -> dict[str, str]:
    return odd_ones(random, {"acl": lambda: _names(random, SETS[:3], " "), "xacl": lambda: SETS[3]}, 0.15)


def _environment(random: Random) -> dict[str, str]:
    allowed, denied = random.sample((SETS[:2], SETS[2:]), 2)
    users: dict[str, Draw] = {
        "user_lists": lambda: _names(random, allowed, " "),
        "xuser_lists": lambda: _names(random, denied, " "),
    }
    lists = odd_ones(random, users, 0.3)
    return {"slots": "99", "allocation_rule": random.choice(("$fill_up", "$round_robin")), **lists}


def _lists(random: Random, separator: str, chance: float) -> dict[str, str]:
    """Some of the four lists; a name is not both in a list and in that which excludes."""
    users, projects = list(SETS), list(PROJECTS)
    random.shuffle(users)
    random.shuffle(projects)
    drawn: dict[str, Draw] = {
        "user_lists": lambda: _names(random, users[:2], separator),
        "xuser_lists": lambda: _names(random, users[2:], separator),
        "projects": lambda: _names(random, projects[:2], separator),
        "xprojects": lambda: projects[2],
    }
    return odd_ones(random, drawn, chance)


def _queue(random: Random, site: Site) -> dict[str, str]:
    drawn = _lists(random, " ", 0.25)
    overrides = {
        field: per_key(random, site.places, _one_of(random, names), 0.3)
        for field, names in LISTS.items()
        if not drawn and random.random() < 0.2
    }
    return {
        **site.queue(random, slots=(1, 2, 3, 5)),
        "pe_list": random.choice(("mpi", "mpi make", "make", "NONE")),
        "seq_no": str(random.randint(0, 2)),
        **drawn,
        **overrides,
    }


def _one_of(random: Random, names: Sequence[str]) -> Draw:
    return lambda: random.choice((*names, "NONE"))


def _names(random: Random, names: Sequence[str], separator: str) -> str:
    return separator.join(some(random, names, 0.5))


def _job(random: Random, site: Site) -> str:
    drawn: dict[str, Draw] = {
        "-P": lambda: random.choice(PROJECTS),
        "-q": lambda: site.queue_list(random),
        "-t": lambda: f"1-{random.choice('23')}",
    }
    words = options(odd_ones(random, {"-P": drawn["-P"]}, 0.4))
    words += options(odd_ones(random, {name: drawn[name] for name in ("-q", "-t")}, 0.15))
    if random.random() < 0.2:
        words += ["-pe", random.choice(("mpi", "make", "m*")), random.choice(("1", "2", "1-3"))]
    return " ".join(words)
