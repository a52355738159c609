"""Reservations and backfilling: full clusters, short and long jobs, every kind of resource, parallel jobs, arrays."""

from random import Random
from typing import Final

from tests.differential.attributes import complexes
from tests.differential.drawing import BASIC_QUEUE, Draw, Site, odd_ones, options, per_key, scenario, session, some
from tests.differential.scenarios import Scenario

NUMBERS = 60
RULES: Final = ("$fill_up", "$fill_up", "$round_robin", "$pe_slots", "1", "2")
CALENDARS: Final = ("day", "night")
ENVIRONMENTS: Final = ("mpi", "smp", "pairs")
TIMES: Final = ("60", "300", "300", "600", "900", "3600", "7200", "INFINITY")
_COLUMNS: Final = ("shortcut", "type", "relop", "requestable", "consumable", "default", "urgency")


def draw(random: Random) -> Scenario:
    """A small cluster that is soon full, and two to four runs of jobs of all lengths, many of them with -R y."""
    site = Site.drawn(random, hosts=(1, 4), queues=(1, 3))
    sections = {
        "complexes": complexes(_attributes(random)),
        "hosts": {"global": _host(random, 0.4), **{host: _host(random, 0.4) for host in site.hosts}},
        "hostgroups": site.hostgroup_objects(),
        "calendars": {name: {"year": "NONE", "week": _week(random)} for name in CALENDARS},
        "pes": {name: _environment(random) for name in ENVIRONMENTS},
        "queues": {name: _queue(random, site) for name in site.queues},
        "scheduler": _scheduler(random),
    }
    return scenario(sections, session(random, lambda: _job(random, site), runs=(2, 4), jobs=(2, 7)))


def _attributes(random: Random) -> list[dict[str, str]]:
    rows = (
        ("lic", "INT", "<=", "YES", "YES", random.choice(("0", "0", "0", "1"))),
        ("seat", "INT", "<=", "YES", "JOB", "0"),
        ("memc", "MEMORY", "<=", "YES", "YES", "0"),
        ("excl", "BOOL", "EXCL", "YES", "YES", "0"),
        ("speed", "INT", "<=", "YES", "NO", "0"),
    )
    return [
        {"name": name, **dict(zip(_COLUMNS, (name[:3], *row, random.choice(("0", "0", "10"))), strict=True))}
        for name, *row in rows
    ]


def _values(random: Random, chance: float) -> str:
    offers: dict[str, Draw] = {
        "lic": lambda: str(random.randint(1, 6)),
        "seat": lambda: str(random.randint(1, 3)),
        "memc": lambda: random.choice(("2G", "3.5G", "8G")),
        "excl": lambda: "TRUE",
        "speed": lambda: random.choice(("2", "3")),
    }
    return ",".join(f"{name}={value}" for name, value in odd_ones(random, offers, chance).items()) or "NONE"


def _host(random: Random, chance: float) -> dict[str, str]:
    return {"complex_values": _values(random, chance if random.random() < 0.7 else 0)}


def _week(random: Random) -> str:
    """Closed for some hours of each day, as it may happen now or soon."""
    first = random.randrange(22)
    return f"mon-sun={first}-{random.randint(first + 1, 24)}={random.choice(('off', 'suspended'))}"


def _environment(random: Random) -> dict[str, str]:
    return {
        "slots": random.choice(("999", "999", "6", "4")),
        "allocation_rule": random.choice(RULES),
        "urgency_slots": "min",
    }


def _queue(random: Random, site: Site) -> dict[str, str]:
    odd: dict[str, Draw] = {
        "h_rt": lambda: per_key(random, site.places, lambda: random.choice(("INFINITY", "600", "1:0:0"))),
        "s_rt": lambda: random.choice(("500", "2:0:0")),
        "complex_values": lambda: per_key(random, site.places, lambda: _values(random, 0.3)),
        "initial_state": lambda: "disabled",
        "calendar": lambda: per_key(random, site.places, lambda: random.choice((*CALENDARS, "NONE"))),
    }
    return {
        **BASIC_QUEUE,
        "hostlist": " ".join(some(random, site.places, 0.7)),
        "slots": per_key(random, site.places, lambda: random.choice(("1", "2", "2", "3", "4"))),
        "seq_no": per_key(random, site.places, lambda: str(random.choice((0, 0, 5))), 0.2),
        "pe_list": " ".join(some(random, ENVIRONMENTS, 0.8)),
        **odd_ones(random, odd, 0.2),
    }


def _scheduler(random: Random) -> dict[str, str]:
    return {
        "max_reservation": random.choice(("1", "2", "3", "5", "10", "10")),
        "default_duration": random.choice(("INFINITY", "0:10:0", "1:0:0", "1:0:0", "2:0:0")),
        "schedule_interval": "24:0:0",
        "queue_sort_method": random.choice(("load", "load", "seqno")),
        "load_formula": random.choice(("slots", "-slots", "lic", "slots")),
        "job_load_adjustments": "NONE",
        "load_adjustment_decay_time": "0:0:0",
        # What auto chooses depends on all runs that the real scheduler has ever made.
        "params": f"PE_RANGE_ALG={random.choice(('bin', 'bin', 'least', 'highest'))}"
        + random.choice(("", "", "", ",DURATION_OFFSET=0:0:10")),
        "schedd_job_info": random.choice(("true", "true", "true", "false")),
        "weight_urgency": random.choice(("0.1", "1")),
        "weight_waiting_time": "0",
        "weight_tickets_functional": random.choice(("0", "10000")),
        "maxujobs": random.choice(("0", "0", "0", "4")),
    }


def _job(random: Random, site: Site) -> str:
    words: list[str] = []
    if random.random() < 0.6:
        words += ["-R", "y"]
    if random.random() < 0.45:
        pattern = random.choice((*ENVIRONMENTS, *ENVIRONMENTS, "*", "[mp]*"))
        words += ["-pe", f"'{pattern}'", random.choice(("1", "2", "2", "3", "4", "6", "2-4", "1-8", "2-"))]
    requests = _requests(random)
    words += ["-l", ",".join(requests)] if requests else []
    rare: dict[str, Draw] = {
        "-q": lambda: site.queue_list(random),
        "-p": lambda: str(-random.choice((1, 10, 500))),
        "-t": lambda: random.choice(("1-2", "1-3", "1-5:2")),
    }
    words += options(odd_ones(random, rare, 0.15))
    if random.random() < 0.08:
        words += ["-soft", f"-q '{site.queue_list(random)}'"]
    return " ".join(words)


def _requests(random: Random) -> list[str]:
    requests: dict[str, Draw] = {
        "lic": lambda: random.choice(("1", "1", "2", "3")),
        "seat": lambda: "1",
        "memc": lambda: random.choice(("512M", "1G", "2G")),
        "excl": lambda: "TRUE",
    }
    drawn = odd_ones(random, requests, 0.12)
    if random.random() < 0.6:
        drawn["h_rt"] = random.choice(TIMES)
    if random.random() < 0.05:
        drawn["s_rt"] = random.choice(TIMES)
    return [f"{name}={value}" for name, value in drawn.items()]
