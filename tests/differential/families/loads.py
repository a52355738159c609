"""Load values of hosts: requests, thresholds, formulas, scaling, and the corrections for jobs that just started."""

from collections.abc import Iterator
from random import Random
from typing import Final

from tests.differential.attributes import Attribute
from tests.differential.drawing import FORGETFUL, Draw, Site, options, per_key, scenario, session, some
from tests.differential.scenarios import Scenario

NUMBERS = 50

REPORTED: Final[dict[str, tuple[str, ...]]] = {
    "np_load_avg": ("0.1", "0.1", "0.5", "1.2", "1.74", "1.75", "2.5"),
    "load_avg": ("0.2", "1", "3.75"),
    "num_proc": ("1", "2", "4"),
    "arch": ("lx-amd64", "lx-x86", "sol-sparc64"),
    "mem_free": ("1G", "3.5G", "2.000G", "900M", "0.000"),
    "temp": ("0", "1.5", "2", "3.25"),
    "disk": ("1G", "2G", "5000M"),
    "lic": ("0", "1", "2", "5"),
    "tag": ("red", "Blue", "gpu2"),
    "flag": ("TRUE", "0"),
}
"""What a load sensor may report."""
REQUESTED: Final[dict[str, tuple[str, ...]]] = {
    "np_load_avg": ("0.5", "1.2"),
    "load_avg": ("1", "3"),
    "num_proc": ("1", "2", "4"),
    "arch": ("lx-*", "!lx-x86", "sol-sparc64|lx-amd64"),
    "mem_free": ("500M", "1G", "3G"),
    "temp": ("1", "1.5", "2"),
    "disk": ("500M", "1G", "2G"),
    "lic": ("1", "2"),
    "tag": ("red", "RED", "b*", "gpu[0-9]"),
    "flag": ("TRUE", "FALSE"),
}
OFFERED: Final[dict[str, tuple[str, ...]]] = {
    "temp": ("1", "2"),
    "disk": ("1G", "3G"),
    "lic": ("2", "4"),
    "tag": ("red", "gpu2"),
    "flag": ("TRUE", "FALSE"),
    "mem_free": ("2G",),
    "num_proc": ("2",),
    "arch": ("lx-amd64",),
}
THRESHOLDS: Final[dict[str, tuple[str, ...]]] = {
    "np_load_avg": ("1.75", "1.75", "0.6", "1.3"),
    "load_avg": ("2", "3.75"),
    "temp": ("1.75", "2"),
    "mem_free": ("1G",),
    "disk": ("1G", "500M"),
    "lic": ("0", "1"),
    "tag": ("red", "g*"),
    "arch": ("lx-x86",),
}
FORMULAS: Final = (
    *("np_load_avg", "load_avg", "np_load_avg*2+load_avg", "temp", "disk", "lic", "slots", "-mem_free", "mem_free*-1"),
    *("np_load_avg-slots*0.5", "temp*3-lic", "num_proc", "0", "flag+temp"),
)
ADJUSTMENTS: Final = (
    *("NONE", "np_load_avg=0.50", "np_load_avg=0.5,temp=0.75", "load_avg=1", "temp=1", "disk=600M", "lic=1"),
    "mem_free=1G",
)


def draw(random: Random) -> Scenario:
    """Every host reports something before the first run; later some values change."""
    site = Site.drawn(random, hosts=(2, 5), queues=(1, 2))
    sections = {
        "complexes": {entry.pop("name"): entry for entry in _attributes(random)},
        "hosts": {"global": _host(random, 0.15), **{host: _host(random, 0.4) for host in site.hosts}},
        "hostgroups": site.hostgroup_objects(),
        "pes": {"mpi": {"slots": 99, "allocation_rule": random.choice(("$fill_up", "$round_robin", "2", "$pe_slots"))}},
        "queues": {name: _queue(random, site) for name in site.queues},
        "scheduler": {
            **FORGETFUL,
            "schedd_job_info": "true",
            "queue_sort_method": random.choice(("load", "load", "seqno")),
            "load_formula": random.choice(FORMULAS),
            "job_load_adjustments": random.choice(ADJUSTMENTS),
            "load_adjustment_decay_time": random.choice(("0:0:0", "0:7:30", "0:0:9")),
        },
    }
    lines = session(random, lambda: _job(random), runs=(2, 4), jobs=(1, 5))
    return scenario(sections, (*_reports(random, ["global", *site.hosts]), *_with_changes(random, site, lines)))


def _attributes(random: Random) -> Iterator[Attribute]:
    def entry(name: str, kind: str, relop: str, *, consumable: str = "NO") -> Attribute:
        default = "0" if kind in ("DOUBLE", "INT", "MEMORY", "BOOL") else "NONE"
        return {
            **{"name": name, "shortcut": name, "type": kind, "relop": relop, "requestable": "YES"},
            **{"consumable": consumable, "default": default, "urgency": "0"},
        }

    yield entry("temp", "DOUBLE", random.choice(("<=", ">=", "==", "<", ">", "!=")))
    yield entry("disk", "MEMORY", "<=", consumable=random.choice(("NO", "YES", "YES")))
    yield entry("lic", "INT", "<=", consumable=random.choice(("YES", "YES", "JOB")))
    yield entry("tag", random.choice(("STRING", "CSTRING", "RESTRING")), random.choice(("==", "==", "!=")))
    yield entry("flag", "BOOL", "==")


def _host(random: Random, chance: float) -> dict[str, str]:
    values = {name: random.choice(texts) for name, texts in OFFERED.items() if random.random() < chance}
    host = {"complex_values": ",".join(f"{name}={text}" for name, text in values.items()) or "NONE"}
    scaled = random.choice(("np_load_avg=0.5", "temp=2", "load_avg=1.5,temp=0.333", "disk=0.5", "mem_free=0.5"))
    return host | ({"load_scaling": scaled} if random.random() < 0.15 else {})


def _queue(random: Random, site: Site) -> dict[str, str]:
    def thresholds(chance: float) -> Draw:
        def drawn() -> str:
            names = [name for name in THRESHOLDS if random.random() < chance]
            return ",".join(f"{name}={random.choice(THRESHOLDS[name])}" for name in names) or "NONE"

        return drawn

    suspending = {
        "suspend_thresholds": thresholds(0.3)(),
        "nsuspend": random.choice(("1", "2")),
        "suspend_interval": "0:0:1",
    }
    return {
        **site.queue(random, slots=(1, 2, 4, 8)),
        "pe_list": "mpi",
        "seq_no": per_key(random, site.places, lambda: random.choice(("0", "5"))),
        "load_thresholds": per_key(random, site.places, thresholds(0.25)),
        **(suspending if random.random() < 0.15 else {}),
    }


def _reports(random: Random, hosts: list[str]) -> Iterator[str]:
    for host in hosts:
        chance = 0.12 if host == "global" else 0.7
        values = {name: random.choice(texts) for name, texts in REPORTED.items() if random.random() < chance}
        if not values and host != "global":
            values = {"np_load_avg": "0.3"}
        if values:
            yield f"root# load {host} {' '.join(f'{name}={text}' for name, text in values.items())}"


def _with_changes(random: Random, site: Site, lines: Iterator[str]) -> Iterator[str]:
    """All hosts report again before some of the later runs, so that they stay in their order."""
    changing = random.random() < 0.3
    for line in lines:
        if line == "run" and changing and random.random() < 0.4:
            for host in site.hosts:
                name = random.choice(tuple(REPORTED))
                yield f"root# load {host} {name}={random.choice(REPORTED[name])}"
        yield line


def _job(random: Random) -> str:
    names = some(random, REQUESTED, 0.15)[:2]
    request = ",".join(f"{name}={random.choice(REQUESTED[name])}" for name in names)
    odd: dict[str, Draw] = {
        "-t": lambda: random.choice(("1-3", "1-5")),
        "-pe": lambda: f"mpi {random.choice(('2', '4', '1-6', '3-'))}",
    }
    chosen = random.choice(("", "", "-t", "-pe"))
    words = options({"-l": request}) if random.random() < 0.6 else []
    if chosen:
        words += [chosen, odd[chosen]()]
    if random.random() < 0.1:
        words += ["-soft", *options({"-l": f"arch={random.choice(REQUESTED['arch'])}"})]
    return " ".join(words)
