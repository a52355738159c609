"""What qrsub grants: queue instances that differ by seq_no and load, calendars, access, patterns, and -w v."""

from random import Random
from typing import Final

from tests.differential.attributes import complexes
from tests.differential.drawing import USERS, Draw, Site, odd_ones, options, per_key, scenario, some
from tests.differential.families import advance
from tests.differential.scenarios import Scenario
from tests.differential.shrinking import Draft

NUMBERS = 40
ENVIRONMENTS: Final = ("mpi", "smp")
GROUPS: Final = {"anna": "staff", "bela": "staff", "chen": "lab", "dora": "staff"}
_OF_STAFF: Final = tuple(user for user, group in GROUPS.items() if group == "staff")
"""Whom -u may name: of others the qmaster knows the group, a cluster folder does not."""
CALENDARS: Final = {"never": "mon-sun=0-24=off", "always": "mon-sun=0-24=on", "soon": "mon-sun=0:30-23:45=off"}
_COLUMNS: Final = ("shortcut", "type", "relop", "requestable", "consumable", "default", "urgency")
_ATTRIBUTES: Final = (
    ("lic", "INT", "<=", "YES", "YES", "0", "0"),
    ("job", "INT", "<=", "YES", "JOB", "0", "0"),
    ("speed", "INT", "<=", "YES", "NO", "0", "0"),
)


def draw(random: Random) -> Scenario:
    """A cluster of the advance reservations with queue instances that are not equal, and sessions mostly of qrsub."""
    site = Site.drawn(random, hosts=(2, 4), queues=(1, 3))
    rows = [{"name": name, **dict(zip(_COLUMNS, (name[:3], *row), strict=True))} for name, *row in _ATTRIBUTES]
    cluster = Draft.of(advance.draw(random)).cluster
    sections = {
        "complexes": complexes(rows),
        "usersets": {
            "arusers": {"type": "ACL", "entries": ",".join(USERS)},
            "few": {"type": "ACL", "entries": ",".join(some(random, USERS))},
            "lab": {"type": "ACL", "entries": "@lab"},
        },
        "calendars": {name: {"week": week} for name, week in CALENDARS.items()},
        "ckpts": {"ck": {}},
        "configuration": {"global": {"max_advance_reservations": random.choice(("0", "0", "20", "3"))}},
        "hosts": {"global": _host(random, 0.2), **{host: _host(random, 0.4) for host in site.hosts}},
        "hostgroups": site.hostgroup_objects(),
        "pes": {name: _environment(random) for name in ENVIRONMENTS},
        "queues": {name: _queue(random, site) for name in site.queues},
        "scheduler": cluster["scheduler"],
    }
    return scenario(sections, _session(random, site))


def _host(random: Random, chance: float) -> dict[str, str]:
    offers: dict[str, Draw] = {
        "lic": lambda: str(random.randint(2, 9)),
        "job": lambda: str(random.randint(1, 3)),
        "speed": lambda: random.choice(("2", "3")),
    }
    return {
        "complex_values": ",".join(f"{key}={value}" for key, value in odd_ones(random, offers, chance).items())
        or "NONE"
    }


def _environment(random: Random) -> dict[str, str]:
    return {
        "slots": random.choice(("999", "999", "8")),
        "allocation_rule": random.choice(("$fill_up", "$round_robin", "$pe_slots", "2")),
        "user_lists": random.choice(("NONE", "NONE", "NONE", "few")),
    }


def _queue(random: Random, site: Site) -> dict[str, str]:
    return {
        "load_thresholds": "NONE",
        "hostlist": " ".join(some(random, site.hosts, 0.8)),
        "slots": per_key(random, site.hosts, lambda: random.choice(("3", "4", "5"))),
        "seq_no": per_key(random, site.hosts, lambda: random.choice(("0", "1", "2", "5")), 0.4),
        "pe_list": per_key(random, site.hosts, lambda: random.choice(("mpi smp", "mpi smp", "mpi", "smp", "NONE"))),
        "ckpt_list": random.choice(("ck", "NONE")),
        "qtype": random.choice(("BATCH INTERACTIVE", "BATCH INTERACTIVE", "BATCH", "INTERACTIVE")),
        "calendar": per_key(random, site.hosts, lambda: random.choice(("NONE", "NONE", "NONE", "NONE", *CALENDARS))),
        "user_lists": per_key(random, site.hosts, lambda: random.choice(("NONE", "NONE", "NONE", "few", "lab"))),
        "xuser_lists": per_key(random, site.hosts, lambda: random.choice(("NONE", "NONE", "NONE", "NONE", "lab"))),
        "complex_values": random.choice(("NONE", "NONE", "lic=8", "job=1")),
    }


def _session(random: Random, site: Site) -> list[str]:
    lines: list[str] = []
    for _ in range(random.randint(2, 3)):
        for _ in range(random.randint(2, 4)):
            user = random.choice(USERS)
            lines.append(f"{user}:{GROUPS[user]}$ qrsub {_reservation(random, site)}")
        for _ in range(random.randint(1, 3)):
            user = random.choice(USERS)
            lines.append(f"{user}:{GROUPS[user]}$ qsub {_job(random)}".rstrip())
        lines.append("run")
    return lines


def _reservation(random: Random, site: Site) -> str:
    words = ["-d", random.choice(("600", "3600"))]
    time = random.random()
    if time < 0.4:
        words += ["-a", f"NOW+{random.choice((300, 900, 1800))}"]
    elif time < 0.6:
        words += ["-e", f"NOW+{random.choice((900, 4000))}"]
    if random.random() < 0.6:
        environment = random.choice((*ENVIRONMENTS, "*"))
        words += ["-pe", f"'{environment}'", random.choice(("2", "2", "3", "1-4", "2-9", "4"))]
        words += ["-masterq", site.queue_list(random)] if random.random() < 0.15 else []
    requests: dict[str, Draw] = {"lic": lambda: "1", "job": lambda: "1", "speed": lambda: "2"}
    asked = [f"{name}={value}" for name, value in odd_ones(random, requests, 0.15).items()]
    words += ["-l", ",".join(asked)] if asked else []
    rare: dict[str, Draw] = {
        "-q": lambda: site.queue_list(random),
        "-u": lambda: ",".join((*some(random, _OF_STAFF, 0.3), *random.choice(((), (), ("@few",))))),
        "-he": lambda: "y",
        "-ckpt": lambda: "ck",
        "-now": lambda: random.choice("yn"),
        "-w": lambda: random.choice("vve"),
    }
    return " ".join(words + options(odd_ones(random, rare, 0.2)))


def _job(random: Random) -> str:
    words = ["-pe", "mpi", random.choice(("2", "3"))] if random.random() < 0.3 else []
    words += ["-l", random.choice(("h_rt=600", "h_rt=3600"))] if random.random() < 0.7 else []
    return " ".join(words)
