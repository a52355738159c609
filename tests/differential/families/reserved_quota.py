"""Resource quotas together with reservations: what a limit refuses now it may let in later."""

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from tests.differential.drawing import USERS, scenario, some
from tests.differential.families import reservation
from tests.differential.scenarios import Scenario
from tests.differential.shrinking import Draft

NUMBERS = 60
LIMITS: Final = {
    "slots": ("1", "2", "2", "3", "4", "6"),
    "lic": ("1", "2", "3", "5"),
    "seat": ("1", "1", "2"),
    "memc": ("1G", "2.5G", "4G"),
    "excl": ("TRUE",),
    "speed": ("3",),
}


def draw(random: Random) -> Scenario:
    """A scenario of the reservation family, with one to three quota sets."""
    draft = Draft.of(reservation.draw(random))
    return scenario({**draft.cluster, "quotas": quota_sets(random, draft.cluster)}, draft.lines)


def quota_sets(random: Random, cluster: Mapping[str, Any]) -> dict[str, object]:
    """One to three sets for a cluster, with limits on attributes that it has."""
    queues = tuple(cluster["queues"])
    hosts = tuple(host for host in cluster["hosts"] if host != "global")
    known = tuple(name for name in LIMITS if name == "slots" or name in cluster.get("complexes", {}))
    return {
        f"set{number}": {
            "enabled": "TRUE",
            "limit": [_rule(random, queues, hosts, known) for _ in range(random.choice((1, 1, 2, 3)))],
        }
        for number in range(random.choice((1, 1, 2, 3)))
    }


def _rule(random: Random, queues: tuple[str, ...], hosts: tuple[str, ...], known: tuple[str, ...]) -> str:
    filters = {
        "users": (("*", "*", *USERS), 0.4),
        "pes": (("*", "!*", "mpi", "smp"), 0.15),
        "queues": (("*", *queues), 0.25),
        "hosts": (("*", "*", *hosts, "@left"), 0.35),
    }
    words: list[str] = []
    for keyword, (names, chance) in filters.items():
        if random.random() < chance:
            name = random.choice(names)
            words += [keyword, f"{{{name}}}" if random.random() < 0.6 else name]
    named = ["slots", *(name for name in known if name != "slots" and random.random() < 0.2)]
    limits = [f"{name}={random.choice(LIMITS[name])}" for name in some(random, named, 0.8)]
    return " ".join([*words, "to", ",".join(limits)])
