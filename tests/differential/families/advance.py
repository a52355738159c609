"""Advance reservations: some that run and some to come, jobs in them, and others that must not get in their way."""

from random import Random
from typing import Final

from tests.differential.attributes import complexes
from tests.differential.drawing import BASIC_QUEUE, USERS, Draw, Site, odd_ones, options, per_key, scenario, some
from tests.differential.scenarios import Scenario

NUMBERS = 40
ENVIRONMENTS: Final = ("mpi", "smp")
RULES: Final = ("$fill_up", "$round_robin", "$pe_slots", "2")
TIMES: Final = ("60", "300", "600", "1200", "3600", "INFINITY")
_COLUMNS: Final = ("shortcut", "type", "relop", "requestable", "consumable", "default", "urgency")
_ATTRIBUTES: Final = (
    ("lic", "INT", "<=", "YES", "YES", "0", "0"),
    ("seat", "INT", "<=", "YES", "YES", "0", "0"),
    ("memc", "MEMORY", "<=", "YES", "YES", "0", "0"),
    ("speed", "INT", "<=", "YES", "NO", "0", "0"),
)


def draw(random: Random) -> Scenario:
    """A small cluster, reservations that are asked for before each run, and jobs inside and outside of them."""
    site = Site.drawn(random, hosts=(1, 3), queues=(1, 2))
    rows = [{"name": name, **dict(zip(_COLUMNS, (name[:3], *row), strict=True))} for name, *row in _ATTRIBUTES]
    sections = {
        "complexes": complexes(rows),
        "usersets": {"arusers": {"type": "ACL", "entries": ",".join(USERS)}},
        "configuration": {"global": {"max_advance_reservations": "20"}},
        "hosts": {"global": _host(random), **{host: _host(random) for host in site.hosts}},
        "hostgroups": site.hostgroup_objects(),
        "pes": {name: _environment(random) for name in ENVIRONMENTS},
        "queues": {name: _queue(random, site) for name in site.queues},
        "scheduler": _scheduler(random),
    }
    return scenario(sections, _session(random, site))


def _host(random: Random) -> dict[str, str]:
    offers: dict[str, Draw] = {
        "lic": lambda: str(random.randint(1, 6)),
        "seat": lambda: str(random.randint(1, 3)),
        "speed": lambda: random.choice(("2", "3")),
    }
    return {
        "complex_values": ",".join(f"{key}={value}" for key, value in odd_ones(random, offers, 0.4).items()) or "NONE"
    }


def _environment(random: Random) -> dict[str, str]:
    return {
        "slots": random.choice(("999", "999", "6")),
        "allocation_rule": random.choice(RULES),
        "urgency_slots": "min",
    }


def _queue(random: Random, site: Site) -> dict[str, str]:
    return {
        **BASIC_QUEUE,
        "hostlist": " ".join(some(random, site.hosts, 0.8)),
        "slots": per_key(random, site.hosts, lambda: random.choice(("2", "3", "4", "5"))),
        "pe_list": " ".join(ENVIRONMENTS),
        "complex_values": random.choice(("NONE", "memc=4G", "memc=8G,lic=3")),
    }


def _scheduler(random: Random) -> dict[str, str]:
    return {
        "max_reservation": random.choice(("0", "0", "0", "4")),
        "default_duration": random.choice(("INFINITY", "INFINITY", "0:10:0", "1:0:0")),
        "schedule_interval": "24:0:0",
        "queue_sort_method": random.choice(("load", "seqno")),
        "load_formula": "slots",
        "job_load_adjustments": "NONE",
        "load_adjustment_decay_time": "0:0:0",
        "params": "PE_RANGE_ALG=bin",
        "schedd_job_info": "true",
        "weight_waiting_time": "0",
        "weight_tickets_functional": "0",
    }


def _session(random: Random, site: Site) -> list[str]:
    lines: list[str] = []
    known = 0
    for _ in range(random.randint(2, 3)):
        for _ in range(random.randint(0 if known else 1, 2)):
            lines.append(f"{random.choice(USERS)}$ qrsub {_reservation(random, site)}")
            known += 1
        for _ in range(random.randint(3, 7)):
            lines.append(f"{random.choice(USERS)}$ qsub {_job(random, site, known)}".rstrip())
        lines.append("run")
    return lines


def _reservation(random: Random, site: Site) -> str:
    words = ["-d", random.choice(("600", "3600"))]
    if random.random() < 0.5:
        words += ["-a", f"NOW+{random.choice((300, 900, 1800))}"]
    if random.random() < 0.5:
        words += ["-pe", random.choice(ENVIRONMENTS), random.choice(("2", "2", "3", "1-4"))]
    requests = _requests(random, 0.3)
    words += ["-l", ",".join(requests)] if requests else []
    rare: dict[str, Draw] = {
        "-q": lambda: random.choice(site.queues),
        "-u": lambda: ",".join(some(random, USERS)),
        "-he": lambda: "y",
    }
    return " ".join(words + options(odd_ones(random, rare, 0.25)))


def _job(random: Random, site: Site, reservations: int) -> str:
    words: list[str] = []
    if random.random() < 0.45:
        # Without -w n, qsub refuses what would find no place in its reservation if that were empty.
        words += ["-ar", str(random.randint(1, reservations)), *random.choice((("-w", "n"), ("-w", "n"), ()))]
    if random.random() < 0.4:
        words += ["-pe", random.choice((*ENVIRONMENTS, "'*'")), random.choice(("1", "2", "2", "3", "1-4"))]
    requests = _requests(random, 0.2)
    if random.random() < 0.5:
        requests.append(f"h_rt={random.choice(TIMES)}")
    words += ["-l", ",".join(requests)] if requests else []
    rare: dict[str, Draw] = {
        "-q": lambda: site.queue_list(random),
        "-t": lambda: random.choice(("1-2", "1-3")),
        "-R": lambda: "y",
    }
    return " ".join(words + options(odd_ones(random, rare, 0.15)))


def _requests(random: Random, chance: float) -> list[str]:
    draws: dict[str, Draw] = {
        "lic": lambda: random.choice(("1", "2")),
        "seat": lambda: "1",
        "memc": lambda: random.choice(("1G", "2G")),
        "speed": lambda: "2",
    }
    return [f"{name}={value}" for name, value in odd_ones(random, draws, chance).items()]
