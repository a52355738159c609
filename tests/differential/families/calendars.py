"""Queue instances that take no jobs now: calendars, initial states, thresholds on consumables and on loads."""

from collections.abc import Iterator
from random import Random

from tests.differential.drawing import Draw, Site, odd_ones, options, per_key, scenario, submission
from tests.differential.scenarios import Scenario

NUMBERS = 45
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
CONSUMABLE = {"relop": "<=", "requestable": "YES", "consumable": "YES", "default": "0", "urgency": "0"}
STATES = ("", "", "=off", "=suspended", "=on")
YEARS = (
    *("1.1.2020-31.12.2037=on", "1.1.2026-31.12.2036=suspended", "1.1.2021-1.6.2037=0-12=off", "24.12.2030"),
    *("1.1.2000-31.12.2037=6-18=suspended", "on", "1.3.2020-30.9.2037=20-8=off 1.1.2020-31.12.2037=8-20=on"),
)


def draw(random: Random) -> Scenario:
    """Calendars of which some close queues at the time of playing; what else closes them comes on top."""
    site = Site.drawn(random, hosts=(1, 4), queues=(2, 4))
    calendars = {name: _calendar(random) for name in ("one", "two", "three")}
    sections = {
        "complexes": {
            "lic": {"shortcut": "lic", "type": "INT", **CONSUMABLE},
            "mem": {"shortcut": "mem", "type": "MEMORY", **CONSUMABLE},
            "job": {"shortcut": "job", "type": "INT", **CONSUMABLE, "consumable": "JOB"},
        },
        "calendars": calendars,
        "hosts": {name: {"complex_values": _offers(random, 0.5)} for name in site.hosts},
        "hostgroups": site.hostgroup_objects(),
        "queues": {name: _queue(random, site, tuple(calendars)) for name in site.queues},
        "scheduler": {
            "schedd_job_info": "true",
            "queue_sort_method": random.choice(("load", "seqno")),
            "weight_waiting_time": 0,
            "job_load_adjustments": random.choice(("NONE", "lic=1", "mem=100M")),
        },
    }
    return scenario(sections, _session(random, site))


def _calendar(random: Random) -> dict[str, str]:
    year = random.choice(YEARS) if random.random() < 0.4 else "NONE"
    entries = " ".join(_week_entry(random) for _ in range(random.choice((1, 1, 2))))
    return {"year": year, "week": entries if random.random() < 0.85 else "NONE"}


def _week_entry(random: Random) -> str:
    first = random.choice(WEEKDAYS)
    days = random.choice(("", first, f"{first}-{random.choice([day for day in WEEKDAYS if day != first])}", "mon-sun"))
    hours = random.sample(range(25), 2)
    times = f"{hours[0]}-{hours[1]}" if random.random() < 0.6 and set(hours) != {0, 24} else ""
    state = random.choice(STATES)
    if not days:
        return f"{times}{state}" if times else state.removeprefix("=") or "off"
    return f"{days}{'=' + times if times else ''}{state}"


def _offers(random: Random, chance: float) -> str:
    drawn: dict[str, Draw] = {
        "lic": lambda: str(random.randint(2, 6)),
        "mem": lambda: f"{random.randint(1, 4)}G",
        "job": lambda: str(random.randint(1, 4)),
    }
    return ",".join(f"{name}={text}" for name, text in odd_ones(random, drawn, chance).items()) or "NONE"


def _thresholds(random: Random) -> str:
    drawn: dict[str, Draw] = {
        "lic": lambda: str(random.randint(0, 3)),
        "mem": lambda: random.choice(("500M", "1G")),
        "slots": lambda: str(random.randint(0, 1)),
    }
    return ",".join(f"{name}={text}" for name, text in odd_ones(random, drawn, 0.25).items()) or "NONE"


def _queue(random: Random, site: Site, calendars: tuple[str, ...]) -> dict[str, str]:
    return {
        **site.queue(random, slots=(1, 2, 3, 4)),
        "calendar": per_key(random, site.places, lambda: random.choice((*calendars, "NONE")), 0.2),
        "load_thresholds": per_key(random, site.places, lambda: _thresholds(random)),
        "suspend_thresholds": "NONE" if random.random() < 0.8 else "lic=0",
        "initial_state": random.choice(("default", "default", "default", "enabled", "disabled")),
        "complex_values": _offers(random, 0.15),
        "seq_no": str(random.randint(0, 2)),
    }


def _session(random: Random, site: Site) -> Iterator[str]:
    number = 1
    for _ in range(random.randint(2, 4)):
        for _ in range(random.randint(2, 6)):
            yield submission(random, _job(random, site), times=(1, 3))
            number += 1
        if len(site.hosts) == 1 and random.random() < 0.5:
            # The list of instances remembers on which hosts jobs have ended.
            yield f"root# qdel {random.randint(1, number)}"
            yield "root# wait 2"
        yield "run"


def _job(random: Random, site: Site) -> str:
    wanted: dict[str, Draw] = {
        "lic": lambda: str(random.randint(1, 2)),
        "mem": lambda: random.choice(("500M", "1G")),
        "job": lambda: "1",
        "c": lambda: random.choice(("one", "NONE", "t*")),
    }
    requests = odd_ones(random, wanted, 0.3)
    drawn = {"-l": ",".join(f"{name}={text}" for name, text in requests.items())} if requests else {}
    if random.random() < 0.2:
        drawn["-q"] = site.queue_list(random)
    if random.random() < 0.15:
        drawn["-t"] = "1-3"
    return " ".join(options(drawn))
