"""Parallel jobs: allocation rules, slot ranges, wildcards, master queues, slot limits, soft requests, load caps."""

from random import Random
from typing import Final

from tests.differential.attributes import complexes
from tests.differential.drawing import Draw, Site, odd_ones, options, per_key, scenario, session, some
from tests.differential.scenarios import Scenario

NUMBERS = 60
RULES: Final = ("$fill_up", "$fill_up", "$round_robin", "$round_robin", "$pe_slots", "1", "2", "3")
ENVIRONMENTS: Final = ("mpi", "mpich", "smp", "pairs")
ALGORITHMS: Final = ("bin", "bin", "least", "highest")
"""Not auto, which depends on all searches since the qmaster was started."""
PATTERNS: Final = (*ENVIRONMENTS, *ENVIRONMENTS, *ENVIRONMENTS, "*", "mpi*", "[ms]*")
SLOTS: Final = ("1", "2", "2", "3", "4", "4", "5", "6", "8", "2-4", "2-6", "1-8", "3-", "1-", "-5", "1,3,5-9")
THRESHOLDS: Final = ("load=1.6", "load=3", "load=2,lic=1", "lic=2", "memc=1G")
_COLUMNS: Final = ("shortcut", "type", "relop", "requestable", "consumable", "default", "urgency")


def draw(random: Random) -> Scenario:
    """A cluster of up to five hosts and three queues with four parallel environments, and two to four runs."""
    site = Site.drawn(random, hosts=(2, 5), queues=(1, 3))
    environments = some(random, ENVIRONMENTS, 0.8)
    sections = {
        "complexes": complexes(_attributes(random)),
        "hosts": {"global": _host(random, 0.15), **{host: _host(random, 0.5) for host in site.hosts}},
        "hostgroups": site.hostgroup_objects(),
        "usersets": {
            "few": {"type": "ACL DEPT", "entries": "anna,@lab", "fshare": "10"},
            "some": {"type": "ACL", "entries": "bela,chen,@guests"},
        },
        "pes": {name: _environment(random) for name in environments},
        "queues": {name: _queue(random, site, environments) for name in site.queues},
        "scheduler": _scheduler(random),
    }
    return scenario(sections, session(random, lambda: _job(random, site, environments)))


def _attributes(random: Random) -> list[dict[str, str]]:
    rows = (
        ("lic", "INT", "<=", "YES", "YES", random.choice(("0", "0", "1"))),
        ("seat", "INT", "<=", "YES", "JOB", "0"),
        ("memc", "MEMORY", "<=", random.choice(("YES", "YES", "YES", "FORCED")), "YES", "0"),
        ("excl", "BOOL", "EXCL", "YES", random.choice(("YES", "JOB")), "0"),
        ("colour", "STRING", "==", "YES", "NO", "NONE"),
        ("load", "DOUBLE", ">=", "NO", "NO", "0"),
        ("speed", "INT", "<=", "YES", "NO", "0"),
    )
    return [
        {"name": name, **dict(zip(_COLUMNS, (name[:3], *row, random.choice(("0", "0", "1", "10"))), strict=True))}
        for name, *row in rows
    ]


def _values(random: Random, chance: float) -> str:
    offers: dict[str, Draw] = {
        "lic": lambda: str(random.randint(0, 9)),
        "seat": lambda: str(random.randint(0, 3)),
        "memc": lambda: random.choice(("2G", "3.5G", "8G", "0.5G")),
        "excl": lambda: random.choice(("TRUE", "TRUE", "TRUE", "FALSE")),
        "colour": lambda: random.choice(("red", "blue")),
        "load": lambda: random.choice(("0.25", "0.5", "1.1")),
        "speed": lambda: random.choice(("2", "3")),
    }
    return ",".join(f"{name}={value}" for name, value in odd_ones(random, offers, chance).items()) or "NONE"


def _host(random: Random, chance: float) -> dict[str, str]:
    lists: dict[str, Draw] = {
        "user_lists": lambda: random.choice(("few", "few some")),
        "xuser_lists": lambda: "some",
    }
    return {"complex_values": _values(random, chance), **odd_ones(random, lists, 0.05)}


def _environment(random: Random) -> dict[str, str]:
    lists: dict[str, Draw] = {"user_lists": lambda: "few", "xuser_lists": lambda: "some"}
    return {
        "slots": random.choice(("999", "999", "12", "7", "4", "0")),
        "allocation_rule": random.choice(RULES),
        "urgency_slots": random.choice(("min", "max", "avg", "3")),
        **odd_ones(random, lists, 0.12),
    }


def _queue(random: Random, site: Site, environments: list[str]) -> dict[str, str]:
    odd: dict[str, Draw] = {
        "user_lists": lambda: random.choice(("few", "some")),
        "qtype": lambda: random.choice(("INTERACTIVE", "NONE")),
        "initial_state": lambda: "disabled",
    }
    return {
        **site.queue(random, slots=(1, 2, 4, 6, 9)),
        "pe_list": per_key(random, site.places, lambda: " ".join(some(random, environments, 0.8)), 0.1),
        "seq_no": per_key(random, site.places, lambda: str(random.choice((0, 0, 5, 10))), 0.2),
        "complex_values": per_key(random, site.places, lambda: _values(random, 0.25)),
        **odd_ones(random, {"load_thresholds": lambda: random.choice(THRESHOLDS)}, 0.3),
        **odd_ones(random, odd, 0.1),
    }


def _scheduler(random: Random) -> dict[str, str]:
    return {
        "queue_sort_method": random.choice(("load", "load", "seqno")),
        "load_formula": random.choice(("load", "lic", "slots", "-slots", "lic*0.5-memc", "load+slots*0.1")),
        "job_load_adjustments": random.choice(("NONE", "load=0.5", "load=0.3", "load=0.3,lic=1")),
        "load_adjustment_decay_time": random.choice(("0:0:0", "0:7:30")),
        "params": f"PE_RANGE_ALG={random.choice(ALGORITHMS)}",
        "schedd_job_info": "true",
        "weight_urgency": random.choice(("0.1", "1")),
        "weight_ticket": random.choice(("0.01", "1")),
        "weight_tickets_functional": random.choice(("0", "10000")),
        "weight_job": random.choice(("0.25", "1")),
        "weight_waiting_time": random.choice(("0", "0", "0.278")),
        "maxujobs": random.choice(("0", "0", "0", "0", "4")),
    }


def _job(random: Random, site: Site, environments: list[str]) -> str:
    words: list[str] = []
    if random.random() < 0.85:
        pattern = random.choice(PATTERNS if random.random() < 0.4 else environments)
        words += ["-pe", f"'{pattern}'", random.choice(SLOTS)]
        if random.random() < 0.15:
            words += ["-masterq", f"'{site.queue_list(random)}'"]
    odd: dict[str, Draw] = {
        "-l": lambda: ",".join(_requests(random)),
        "-q": lambda: site.queue_list(random),
    }
    words += options(odd_ones(random, odd, 0.3))
    rare: dict[str, Draw] = {
        "-p": lambda: str(-random.choice((1, 10, 500))),
        "-t": lambda: random.choice(("1-3", "1-5:2")),
        "-js": lambda: random.choice(("1", "30")),
    }
    words += options(odd_ones(random, rare, 0.1))
    if random.random() < 0.15:
        soft = random.choice((f"-l colour={random.choice(('red', 'blue'))}", f"-q '{site.queue_list(random)}'"))
        words += ["-soft", soft]
    return " ".join(words)


def _requests(random: Random) -> list[str]:
    requests: dict[str, Draw] = {
        "lic": lambda: random.choice(("1", "1", "2", "0")),
        "seat": lambda: random.choice(("1", "2")),
        "memc": lambda: random.choice(("512M", "1G", "1.5G")),
        "excl": lambda: random.choice(("TRUE", "TRUE", "FALSE")),
        "colour": lambda: random.choice(("red", "blue", "*", "r*|g*")),
        "speed": lambda: random.choice(("2", "3", "4")),
    }
    drawn = odd_ones(random, requests, 0.15) or {"lic": "1"}
    return [f"{name}={value}" for name, value in drawn.items()]
