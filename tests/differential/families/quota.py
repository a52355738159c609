"""Resource quotas: all filters with and without braces and exclusions, several sets and rules, dynamic limits.

Sequential, array and parallel jobs of users, groups and projects meet limits on slots, consumables per slot and per
job, an exclusive attribute and attributes that are only compared. In some clusters there are just a limit on each host
and one on a queue, and many jobs that are alike.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from tests.differential.drawing import (
    USERS,
    Draw,
    Site,
    odd_ones,
    options,
    per_key,
    scenario,
    session,
    some,
    suspend_a_job,
)
from tests.differential.scenarios import Scenario

NUMBERS: Final = 80
PROJECTS: Final = ("sea", "sky")
RULES: Final = ("$fill_up", "$fill_up", "$round_robin", "$round_robin", "$pe_slots", "1", "2")
RANGES: Final = ("2-4", "2-4", "1-3", "2-6", "2", "3-4", "1-8")
COMPLEXES: Final = {
    "lic": ("INT", "<=", "YES", "YES", "0"),
    "mem": ("MEMORY", "<=", "YES", "YES", "0"),
    "part": ("DOUBLE", "<=", "YES", "YES", "0.5"),
    "token": ("INT", "<=", "YES", "JOB", "0"),
    "own": ("INT", "<=", "NO", "YES", "1"),
    "alone": ("BOOL", "EXCL", "YES", "YES", "0"),
    "speed": ("INT", "<=", "YES", "NO", "0"),
    "kind": ("STRING", "==", "YES", "NO", "NONE"),
    "must": ("INT", "<=", "FORCED", "NO", "0"),
}
"""Name -> type, relop, requestable, consumable and default."""
COLUMNS: Final = ("type", "relop", "requestable", "consumable", "default")
LIMITS: Final[dict[str, Sequence[str]]] = {
    "slots": ("0", "1", "2", "2", "3", "3", "4", "5"),
    "lic": ("1", "2", "3", "5"),
    "mem": ("1G", "2.5G", "4096M"),
    "part": ("0.5", "1.25", "2"),
    "token": ("0", "1", "2", "3"),
    "own": ("1", "3"),
    "alone": ("TRUE", "FALSE"),
    "speed": ("3", "5"),
    "kind": ("red", "blue"),
    "must": ("2",),
}
REQUESTS: Final[dict[str, Sequence[str]]] = {
    "lic": ("1", "2", "0"),
    "mem": ("500M", "1G", "2G"),
    "part": ("0.25", "1"),
    "token": ("1", "2"),
    "alone": ("TRUE", "FALSE"),
    "speed": ("2", "4", "7"),
    "kind": ("red", "r*", "blue"),
    "must": ("1", "3"),
    "h_rt": ("0:10:0", "2:0:0"),
    "hostname": ("n1", "n[12]"),
}


def draw(random: Random) -> Scenario:
    """A cluster with all sorts of rules, or one where all rules are met by most jobs."""
    return _few_rules(random) if random.random() < 0.3 else _all_sorts(random)


def _few_rules(random: Random) -> Scenario:
    """A limit on every host and one on some of its queues, which parallel jobs that are alike use up together."""
    site = Site.drawn(random, hosts=(2, 5), queues=(2, 3))
    environments = {name: random.choice(RULES) for name in ("mpi", "smp")}
    own = {"hostlist": " ".join(site.hosts), "pe_list": " ".join(environments)}
    owners, hosts = random.choice(("users {*} ", "users {*} ", "")), random.choice(("{*}", "{*}", "{n1,n2}", "@left"))
    queues = random.choice(("a.q", "a.q", "{a.q}", "{*}", "b.q", "{a.q,b.q}"))
    rules = [
        f"{owners}hosts {hosts} to slots={random.choice('2223')}",
        f"{owners}queues {queues} to slots={random.choice('2234567')}",
    ]
    random.shuffle(rules)
    sections = {
        "hosts": {name: {} for name in site.hosts},
        "hostgroups": site.hostgroup_objects(),
        "pes": {name: {"slots": "99", "allocation_rule": rule} for name, rule in environments.items()},
        "queues": {
            name: {**site.queue(random, slots=(2, 4, 8)), "seq_no": str(random.choice((0, place)))} | own
            for place, name in enumerate(site.queues)
        },
        "quotas": {f"set{number}": {"enabled": "TRUE", "limit": [rule]} for number, rule in enumerate(rules)},
        "scheduler": {
            "schedd_job_info": random.choice(("true", "false")),
            "queue_sort_method": random.choice(("load", "seqno")),
            "load_formula": random.choice(("np_load_avg", "slots", "-slots")),
            "params": f"PE_RANGE_ALG={random.choice(('bin', 'bin', 'bin', 'least', 'highest'))}",
        },
    }
    kinds = [f"-pe {random.choice(tuple(environments))} {random.choice(RANGES)}" for _ in range(3)]
    job = lambda: random.choice((*kinds, *kinds, "", "-t 1-3"))  # noqa: E731
    return scenario(sections, session(random, job, runs=(2, 3), jobs=(5, 11)))


def _all_sorts(random: Random) -> Scenario:
    """Few names in the filters and small limits, so that most rules are met and most limits reached."""
    site = Site.drawn(random, hosts=(2, 5), queues=(1, 3))
    environments = ("mpi", "mpi2", "smp")[: random.randint(1, 3)]
    attributes = some(random, COMPLEXES, 0.4)
    sections = {
        "complexes": {
            name: dict(zip(COLUMNS, COMPLEXES[name], strict=True)) | {"shortcut": name} for name in attributes
        },
        "hosts": {name: _host(random, attributes) for name in site.hosts},
        "hostgroups": site.hostgroup_objects(),
        "usersets": {
            "few": {"type": "ACL", "entries": "anna,@lab"},
            "fey": {"type": random.choice(("ACL", "DEPT")), "entries": "bela,@guests"},
        },
        "projects": {name: {} for name in PROJECTS},
        "pes": {name: {"slots": "99", "allocation_rule": random.choice(RULES)} for name in environments},
        "queues": {name: _queue(random, site, environments) for name in site.queues},
        "quotas": {f"set{number}": _set(random, site, attributes) for number in range(random.choice((1, 1, 2, 3)))},
        "scheduler": {
            "schedd_job_info": "true",
            "queue_sort_method": random.choice(("load", "seqno")),
            "load_formula": random.choice(("np_load_avg", "slots", "-slots")),
            "weight_waiting_time": random.choice((0, 0.278)),
            "weight_tickets_functional": random.choice((0, 1000)),
        },
    }
    job = lambda: _job(random, site, environments, attributes)  # noqa: E731
    return scenario(sections, session(random, job, runs=(2, 3), jobs=(4, 11), order=lambda: suspend_a_job(random)))


def _host(random: Random, attributes: Sequence[str]) -> dict[str, str]:
    own = {"num_proc": str(random.randint(1, 3)), "lic": "4", "mem": "8G", "alone": "TRUE", "speed": "9", "kind": "red"}
    own |= {"token": "9", "part": "3", "must": "5"}
    values = [f"{name}={own[name]}" for name in ("num_proc", *attributes) if name in own and random.random() < 0.85]
    return {"complex_values": ",".join(values) or "NONE"}


def _queue(random: Random, site: Site, environments: Sequence[str]) -> dict[str, str]:
    return {
        **site.queue(random, slots=(2, 3, 4)),
        "hostlist": " ".join(some(random, site.places, 0.8)),
        "seq_no": per_key(random, site.places, lambda: random.choice(("0", "5"))),
        "pe_list": " ".join(some(random, environments, 0.8)),
        **odd_ones(random, {"h_rt": lambda: "1:0:0"}, 0.15),
    }


def _set(random: Random, site: Site, attributes: Sequence[str]) -> dict[str, object]:
    rules = [_rule(random, site, attributes) for _ in range(random.choice((1, 1, 2, 2, 3)))]
    named = [f"name r{place} {rule}" if random.random() < 0.3 else rule for place, rule in enumerate(rules)]
    return {"enabled": random.choice(("TRUE", "TRUE", "TRUE", "TRUE", "FALSE")), "limit": named}


def _rule(random: Random, site: Site, attributes: Sequence[str]) -> str:
    names: dict[str, tuple[Sequence[str], float]] = {
        "users": (("*", "*", *USERS[:3], "@few", "@fe?", "a*"), 0.6),
        "projects": (("*", *PROJECTS, "s*"), 0.2),
        "pes": (("*", "mpi", "mpi*", "smp"), 0.2),
        "queues": (("*", *site.queues, "[ab].q"), 0.35),
        "hosts": (("*", "*", *site.hosts, *site.hostgroups, "n[12]", "@*t"), 0.45),
    }
    words: list[str] = []
    expanded = False
    for keyword, (known, chance) in names.items():
        if random.random() < chance:
            clause, in_braces = _filter(random, known)
            words += [keyword, clause]
            expanded |= keyword == "hosts" and in_braces
    limited = ["slots", *(name for name in attributes if random.random() < 0.5)]
    limits = [f"{name}={_limit(random, name, expanded)}" for name in some(random, limited, 0.6)]
    return " ".join([*words, "to", ",".join(limits)])


def _filter(random: Random, known: Sequence[str]) -> tuple[str, bool]:
    chosen = list(dict.fromkeys(random.choice(known) for _ in range(random.choice((1, 1, 1, 2)))))
    if random.random() < 0.3:
        excluded = random.choice(known)
        chosen = [*(chosen if random.random() < 0.6 else []), f"!{excluded}"]
    in_braces = random.random() < 0.55
    text = ",".join(chosen)
    return (f"{{{text}}}" if in_braces else text), in_braces


def _limit(random: Random, name: str, expanded: bool) -> str:
    if expanded and name in ("slots", "lic", "token") and random.random() < 0.35:
        return random.choice(("$num_proc*2", "$num_proc", "$num_proc+1", "$slots", "4-$slots"))
    return random.choice(LIMITS[name])


def _job(random: Random, site: Site, environments: Sequence[str], attributes: Sequence[str]) -> str:
    requested = [name for name in (*attributes, "h_rt", "hostname") if name in REQUESTS]
    odd: dict[str, Draw] = {
        "-l": lambda: ",".join(f"{n}={random.choice(REQUESTS[n])}" for n in some(random, requested, 0.35)),
        "-P": lambda: random.choice(PROJECTS),
    }
    words = options(odd_ones(random, odd, 0.35))
    words += options(odd_ones(random, {"-q": lambda: site.queue_list(random)}, 0.08))
    words += options(odd_ones(random, {"-p": lambda: str(-random.randint(1, 99))}, 0.2))
    if random.random() < 0.35:
        name = random.choice((*environments, "*"))
        slots = random.choice(("1", "2", "3", "4", "1-4", "2-3", "2-6"))
        words += ["-pe", f"'{name}'", slots]
    elif random.random() < 0.2:
        words += ["-t", f"1-{random.randint(2, 6)}"]
    return " ".join(words)
