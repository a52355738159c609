"""Arrays and what holds jobs back: -tc, max_aj_instances, dependencies, holds, start times, limits per user."""

from collections.abc import Iterator
from random import Random
from typing import Final

from tests.differential.drawing import Draw, Site, odd_ones, options, scenario, submission
from tests.differential.scenarios import Scenario

NUMBERS = 60
NAMES: Final = ("alpha", "beta", "gamma", "alphabet")
TASKS: Final = ("1-4", "1-4", "2-9:3", "1-8:2", "1-8:3", "1-8", "1-12", "3", "1-40", "5-7")
PREDECESSORS: Final = (
    "1",
    "2",
    "3",
    "4",
    "1,3",
    "alpha",
    "al*",
    "*a",
    "beta,gamma",
    "2,al*",
    "99",
    "[ab]*",
    "alpha|beta",
)
LINKED: Final = ("1", "2", "3", "5", "alpha", "1,beta", "al*")
SOON: Final = "203501010000"
PAST: Final = "202001010000"


def draw(random: Random) -> Scenario:
    """One to three hosts whose queue instances all have places of their own in the order, and three to five runs."""
    site = Site.drawn(random, hosts=(1, 3), queues=(1, 2))
    places = range(1, 1 + len(site.queues))
    sections = {
        "hosts": {host: {} for host in site.hosts},
        "hostgroups": site.hostgroup_objects(),
        "queues": {name: _queue(random, site, 10 * place) for name, place in zip(site.queues, places, strict=True)},
        "configuration": {"global": _configuration(random)},
        "scheduler": _scheduler(random),
    }
    return scenario(sections, _session(random))


def _queue(random: Random, site: Site, place: int) -> dict[str, str]:
    own = (f"[{host}={place + number}]" for number, host in enumerate(site.hosts))
    return {**site.queue(random, slots=(1, 2, 3, 5)), "seq_no": ",".join((str(place), *own))}


def _configuration(random: Random) -> dict[str, str]:
    return {
        "max_aj_instances": random.choice(("2000", "2000", "2000", "3", "1", "0")),
        "max_aj_tasks": random.choice(("75000", "75000", "10")),
        "max_u_jobs": random.choice(("0", "0", "0", "4")),
        "max_jobs": random.choice(("0", "0", "0", "9")),
    }


def _scheduler(random: Random) -> dict[str, str]:
    return {
        "queue_sort_method": "seqno",
        "maxujobs": random.choice(("0", "0", "2", "3")),
        "schedd_job_info": random.choice(("true", "true", "true", "job_list 1-4", "false")),
        "weight_urgency": random.choice(("0", "0.1")),
        "weight_ticket": random.choice(("0", "0.01", "1")),
        "weight_waiting_time": random.choice(("0", "0.278")),
        "weight_tickets_functional": random.choice(("0", "10000")),
        "weight_job": random.choice(("0.25", "1")),
        "max_functional_jobs_to_schedule": random.choice(("200", "3")),
        "max_pending_tasks_per_job": random.choice(("50", "1", "2")),
        "report_pjob_tickets": random.choice(("TRUE", "TRUE", "FALSE")),
    }


def _session(random: Random) -> Iterator[str]:
    for run in range(random.randint(3, 5)):
        # Before the submissions, whose refusals depend on what is there.
        if run and random.random() < 0.6:
            yield from _orders(random)
        for _ in range(random.randint(1, 6)):
            yield submission(random, _job(random), times=(2, 3) if random.random() < 0.15 else (1, 1))
        yield "run"


def _orders(random: Random) -> Iterator[str]:
    number = random.randint(1, 8)
    verb = random.choice(("qdel", "qdel", "qrls", "qhold", "qmod -sj"))
    tasks = f" -t {random.choice(('1', '2-3', '5'))}" if verb == "qdel" and random.random() < 0.4 else ""
    yield f"root# {verb} {number}{tasks}"
    if verb == "qdel":
        # What runs takes a second to end, what has just started five.
        yield "root# wait 6"


def _job(random: Random) -> str:
    words: list[str] = []
    if random.random() < 0.55:
        words += ["-t", random.choice(TASKS)]
        limited: dict[str, Draw] = {
            "-tc": lambda: str(random.randint(1, 4)),
            "-hold_jid_ad": lambda: random.choice(LINKED),
        }
        words += options(odd_ones(random, limited, 0.3))
    named: dict[str, Draw] = {"-N": lambda: random.choice(NAMES)}
    words += options(odd_ones(random, named, 0.6))
    odd: dict[str, Draw] = {
        "-hold_jid": lambda: random.choice(PREDECESSORS),
        "-a": lambda: random.choice((SOON, PAST)),
        "-p": lambda: str(-random.choice((1, 10, 500))),
        "-js": lambda: random.choice(("1", "30")),
    }
    words += options(odd_ones(random, odd, 0.15))
    if random.random() < 0.1:
        words.append("-h")
    if random.random() < 0.12:
        words += ["sleep", "1"]
    return " ".join(words)
