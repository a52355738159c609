"""Twelve runs in a row with all that happens in a cluster: jobs, ends, holds, suspensions, reservations, load."""

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from tests.differential.drawing import FORGETFUL, USERS, Draw, Site, odd_ones, options, scenario, submission
from tests.differential.scenarios import Scenario

NUMBERS = 0
"""They are played by `carrying` only: what ends between a look and a run would count as a difference elsewhere."""
RUNS: Final = 12
NAMES: Final = ("alpha", "beta", "gamma")
OF_JOBS: Final = (
    *("qmod -sj", "qmod -usj", "qhold", "qrls", "qdel", "qmod -rj", "qalter -p -300", "qalter -tc 2"),
    *("qalter -l lic=1", "qalter -hold_jid 1", "qalter -R y", "qhold -h o", "qrls -h o"),
)
OF_QUEUES: Final = ("qmod -d", "qmod -e", "qmod -sq", "qmod -usq")


def draw(random: Random) -> Scenario:
    """Three hosts, two or three queues with few slots, one of which may suspend another, and one kind of tickets."""
    site = Site.drawn(random, hosts=(3, 3), queues=(2, 3))
    reports = random.random() < 0.4
    sections = {
        "complexes": {"lic": {"shortcut": "lic", "type": "INT", "relop": "<=", "requestable": "YES",
                              "consumable": "YES", "default": "0", "urgency": "10"}},
        "usersets": {"arusers": {"type": "ACL", "entries": ",".join(USERS)}},
        "hosts": {"global": {"complex_values": random.choice(("NONE", "lic=4"))},
                  **{host: {"complex_values": random.choice(("NONE", "lic=2", "slots=3"))} for host in site.hosts}},
        "hostgroups": site.hostgroup_objects(),
        "pes": {"mpi": {"slots": "9", "allocation_rule": random.choice(("$fill_up", "$round_robin", "2"))}},
        "users": {user: {"fshare": random.choice(("0", "50", "100"))} for user in USERS},
        "queues": {name: _queue(random, site, name, reports=reports) for name in site.queues},
        "quotas": {"few": {"enabled": random.choice(("TRUE", "FALSE")), "limit": ["users {*} to slots=4"]}},
        "configuration": {"global": {"max_advance_reservations": "9"}},
        "scheduler": _scheduler(random),
    }  # fmt: skip
    if random.random() < 0.4:
        sections["sharetree"] = _tree()
    return scenario(sections, _session(random, site, reports=reports))


def _queue(random: Random, site: Site, name: str, *, reports: bool) -> dict[str, str]:
    queue = {**site.queue(random, slots=(1, 2, 3)), "pe_list": random.choice(("NONE", "mpi")), "rerun": "TRUE"}
    below = [other for other in site.queues if other < name]
    if below and random.random() < 0.4:
        queue["subordinate_list"] = random.choice((f"{below[0]}=1", below[0], f"slots=3({below[0]}:0:sr)"))
    if reports:
        queue["load_thresholds"] = random.choice(("NONE", "np_load_avg=1.2"))
    return queue


def _scheduler(random: Random) -> dict[str, Any]:
    return {
        **FORGETFUL,
        "queue_sort_method": random.choice(("load", "seqno")),
        "schedd_job_info": "true",
        "max_reservation": random.choice(("0", "0", "4")),
        "default_duration": "1:0:0",
        "weight_ticket": random.choice(("0.01", "1")),
        "weight_waiting_time": random.choice(("0", "0.278")),
        "weight_tickets_functional": random.choice(("0", "10000")),
        "weight_tickets_share": random.choice(("0", "10000")),
        "usage_weight_list": "finished_jobs=1",
        "halflife_decay_list": random.choice(("none", "finished_jobs=1")),
        "halftime": random.choice(("1", "168")),
    }


def _tree() -> str:
    lines = ["id=0", "name=Root", "type=0", "shares=1", f"childnodes={','.join(map(str, range(1, len(USERS) + 1)))}"]
    for number, user in enumerate(USERS, 1):
        lines += [f"id={number}", f"name={user}", "type=0", f"shares={10 * number}", "childnodes=NONE"]
    return "".join(f"{line}\n" for line in lines)


def _session(random: Random, site: Site, *, reports: bool) -> Iterator[str]:
    reservations = 0
    if reports:
        yield from _reports(random, site)
    for run in range(RUNS):
        if run and reports and random.random() < 0.3:
            yield from _reports(random, site)
        if random.random() < 0.15:
            reservations += 1
            start = f" -a NOW+{random.choice((5, 12))}" if random.random() < 0.5 else ""
            yield f"{random.choice(USERS)}$ qrsub -d {random.choice((8, 20, 600))}{start}"
        for _ in range(random.randint(0 if run else 3, 3)):
            yield submission(random, _job(random, reservations), times=(2, 3) if random.random() < 0.1 else (1, 1))
        for _ in range(random.choice((0, 1, 1, 2)) if run else 0):
            yield _order(random, site, run)
        if run and random.random() < 0.8:
            yield f"root# wait {random.choice((1, 1, 2, 3))}"
        yield "run"


def _reports(random: Random, site: Site) -> Iterator[str]:
    """All hosts report, so that they stay in their order."""
    for host in site.hosts:
        yield f"root# load {host} np_load_avg={random.choice(('0.1', '0.4', '0.9', '1.5'))}"


def _order(random: Random, site: Site, run: int) -> str:
    if random.random() < 0.3:
        where = random.choice((random.choice(site.queues), f"{random.choice(site.queues)}@{random.choice(site.hosts)}"))
        return f"root# {random.choice(OF_QUEUES)} {where}"
    return f"root# {random.choice(OF_JOBS)} {random.randint(1, 2 * run + 3)}"


def _job(random: Random, reservations: int) -> str:
    words: list[str] = []
    if random.random() < 0.3:
        words += ["-t", random.choice(("1-4", "1-6", "2-8:2"))]
        words += options(odd_ones(random, {"-tc": lambda: str(random.randint(1, 3))}, 0.45))
    odd: dict[str, Draw] = {
        "-N": lambda: random.choice(NAMES),
        "-hold_jid": lambda: random.choice(("1", "2", "3", "1,3", "al*", "beta")),
        "-l": lambda: random.choice(("lic=1", "lic=2", "h_rt=60", "h_rt=5,lic=1")),
        "-p": lambda: str(-random.choice((1, 10, 500))),
        "-pe": lambda: f"mpi {random.choice(('2', '1-3'))}",
        "-R": lambda: "y",
    }
    drawn = odd_ones(random, odd, 0.25)
    if "-pe" in drawn:
        words += ["-pe", *drawn.pop("-pe").split()]
    if reservations and random.random() < 0.3:
        words += ["-ar", str(random.randint(1, reservations)), "-w", "n"]
    return " ".join((*words, *options(drawn), "sleep", str(random.choice((0, 1, 2, 4, 9, 60)))))
