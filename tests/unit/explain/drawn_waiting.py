"""Small clusters on which jobs wait for all kinds of reasons, drawn by number."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from qmon_tui.model.cluster import Cluster, ConfigObject, config_object
from qmon_tui.model.jobs import Job, Task
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.qmaster import Qrsub
from qmon_tui.qmaster.commands.command import OPERATOR
from qmon_tui.qmaster.commands.tasks import with_options
from qmon_tui.qmaster.scheduling import simulate
from qmon_tui.qmaster.transition import after_run
from qmon_tui.values import format_qsub_date
from tests.unit.scheduler.building import (
    NOW,
    attribute,
    cluster,
    configuration,
    environment,
    host,
    job,
    project,
    queue,
    scheduler,
    userset,
)

ATTRIBUTES = (
    "gpu gpu INT <= YES YES 0", "cm cm MEMORY <= YES YES 0", "jc jc INT <= YES JOB 0", "lic lic INT <= YES YES 0",
    "flag flag BOOL == YES NO 0", "model model STRING == YES NO NONE", "gen gen INT <= YES NO 0",
    "excl excl BOOL EXCL YES YES 0",
)  # fmt: skip
RULES = {"smp": "$pe_slots", "fill": "$fill_up", "rr": "$round_robin", "two": "2", "four": "4"}
OWNERS, PROJECTS = ("anna", "bert", "cora"), ("sea", "sky")
CALENDARS = {"closed": "mon-sun=0-24", "night": "mon-sun=18-8"}
MINUTE = 60


def drawn_state(seed: int) -> tuple[Cluster, State]:
    """Return a cluster and a state after one or two runs, which some jobs have been started by and others not."""
    random = Random(seed)
    there = _cluster(random)
    hosts = [name for name in there.objects(Kind.HOST) if name != "global"]
    loads = {name: {"np_load_avg": f"{random.choice((1, 1, 1, 50, 300)) / 100}", "num_proc": "4"}
             for name in hosts if random.random() < 0.85}  # fmt: skip
    state = State(now=NOW, jobs=tuple(_jobs(random, 1, random.randint(2, 8))), loads=loads)
    run = simulate(there, state)
    state = replace(after_run(run), now=NOW + 15)
    arrived = (
        replace(known, tasks={number: _arrived(task) for number, task in known.tasks.items()}) for known in state.jobs
    )
    state = replace(state, jobs=(*arrived, *_jobs(random, 20, random.randint(0, 5))))
    if random.random() < 0.4:
        names = [instance.name for instance in run.resources.instances]
        chosen = random.sample(names, min(len(names), random.randint(1, 2)))
        state = replace(state, queue_states={name: random.choice(("d", "s", "u", "E", "au", "dE")) for name in chosen})
    return there, state


def with_reservations(seed: int, cluster: Cluster, state: State) -> State:
    """Return the state with up to three advance reservations that are granted, and some pending jobs that use one."""
    random = Random(f"reservations {seed}")
    for _ in range(random.randint(1, 3)):
        begin = random.choice((0, 0, 10, 30, 90)) * MINUTE
        options = f"-d 0:{random.choice((15, 30, 59))}:0" + (
            f" -a {format_qsub_date(state.now + begin)}" if begin else ""
        )
        options += random.choice(("", "", " -pe smp 2", " -pe fill 3", " -l gpu=1", " -q a.q", " -l h_rt=0:10:0"))
        state = Qrsub(OPERATOR, options).apply(cluster, state).state
    numbers = [str(reservation.id) for reservation in state.reservations]
    jobs = tuple(
        with_options(known, f"-ar {random.choice(numbers)}")
        if numbers and not known.tasks and random.random() < 0.2
        else known
        for known in state.jobs
    )
    return replace(state, jobs=jobs)


def _arrived(task: Task) -> Task:
    return replace(task, state=task.state.replace("t", "r"))


def _cluster(random: Random) -> Cluster:
    names = [f"h{number}" for number in range(1, random.choice((1, 2, 3, 5, 6)) + 1)]
    objects: list[ConfigObject] = [attribute(line) for line in ATTRIBUTES]
    objects += [project(name) for name in PROJECTS]
    objects += [userset("staff", random.choice(("anna", "anna,bert"))), userset("guests", "cora")]
    objects += [
        config_object(Kind.CALENDAR, name, {"calendar_name": name, "week": week}) for name, week in CALENDARS.items()
    ]
    for name, rule in RULES.items():
        most, access = random.choice((2, 4, 9, 30)), _access(random, 0.1, "user_lists", "xuser_lists")
        objects.append(environment(name, rule, most, **access))
    objects += [host(name, _values(random), **_access(random, 0.05)) for name in names]
    objects.append(host("global", random.choice(("NONE", "lic=1", "lic=4", "lic=4,gpu=3"))))
    queues = [f"{letter}.q" for letter in "abc"[: random.randint(1, 3)]]
    for place, name in enumerate(queues):
        hosts = random.sample(names, random.randint(1, len(names)))
        fields = {
            "pe_list": " ".join(random.sample([*RULES], random.randint(1, len(RULES)))),
            "load_thresholds": random.choice(("NONE", "NONE", "NONE", "np_load_avg=1.75", "cm=2G", "gpu=1", "lic=1")),
            "complex_values": random.choice(("NONE", "NONE", "gpu=2", "cm=4G", "flag=TRUE", "lic=2,jc=1")),
            "calendar": random.choice(("NONE",) * 10 + tuple(CALENDARS)),
            "h_rt": random.choice(("INFINITY", "INFINITY", "0:30:0")),
            **_access(random, 0.1),
        }
        if place and random.random() < 0.15:
            fields["subordinate_list"] = f"{queues[0]}=1"
        slots = random.choice(("1", "2", "4", "8", f"2,[{hosts[0]}=5]"))
        objects.append(queue(name, " ".join(hosts), slots, **fields))
    if random.random() < 0.4:
        objects.append(config_object(Kind.QUOTA, "few", {"name": "few", "enabled": "TRUE", "limit": _limit(random)}))
    given: dict[str, object] = {"maxujobs": random.choice((0, 0, 0, 1, 3)), "max_reservation": random.choice((0, 0, 5))}
    if random.random() < 0.2:
        given |= {"job_load_adjustments": "np_load_avg=0.50", "load_adjustment_decay_time": "0:7:30"}
    objects.append(scheduler(default_duration="INFINITY", **given))
    objects.append(configuration(max_aj_instances=random.choice((2000, 2000, 2000, 2000, 1, 0))))
    return cluster(*objects)


def _access(random: Random, share: float, *fields: str) -> dict[str, str]:
    names = {"user_lists": ("staff",), "xuser_lists": ("guests",), "projects": PROJECTS, "xprojects": PROJECTS}
    return {field: random.choice(names[field]) for field in fields or names if random.random() < share}


def _values(random: Random) -> str:
    drawn = {
        "gpu": random.choice((0, 1, 2, 4, 8)), "cm": random.choice(("2G", "7G", "16G")), "jc": random.choice((1, 3)),
        "flag": random.choice(("TRUE", "FALSE")), "model": random.choice(("a", "b")), "gen": random.randint(1, 3),
        "excl": "TRUE",
    }  # fmt: skip
    kept = [f"{name}={value}" for name, value in drawn.items() if random.random() < (0.15 if name == "excl" else 0.6)]
    return ",".join(kept) or "NONE"


def _limit(random: Random) -> str:
    scope = random.choice(("users {*}", "users anna", "hosts {*}", "queues a.q", "projects {*}", "pes fill", "users *"))
    return f"{scope} to {random.choice(('slots=1', 'slots=3', 'gpu=1', 'cm=3G', 'slots=4,gpu=2', 'lic=0'))}"


def _jobs(random: Random, first: int, count: int) -> Iterator[Job]:
    for number in range(first, first + count):
        minutes = 10 * random.randint(1, 12)
        options = " ".join(_options(random, first))
        tasks = {1: Task("Eqw")} if random.random() < 0.03 and "-t" not in options else {}
        if tasks:  # who was let in before the attribute was made a consumable
            options = options.replace("-soft -l gen=2", "-soft -l gpu=2")
        known = replace(
            job(number, options, random.choice(OWNERS), NOW - 500 + number, tasks), runtime=minutes * MINUTE
        )
        yield known


def _options(random: Random, first: int) -> Iterator[str]:
    if random.random() < 0.35:
        name = random.choice((*RULES, *RULES, "*"))
        yield f"-pe '{name}' {random.choice(('1', '2', '4', '5', '8', '12', '2-4', '30'))}"
        if random.random() < 0.15:
            yield f"-masterq {random.choice(('a.q', 'b.q'))}"
    requests = {
        "gpu": (1, 2, 5), "cm": ("1G", "3G", "6G", "9G"), "jc": (1, 2), "lic": (1, 2, 5), "flag": ("TRUE",),
        "model": ("a", "b"), "gen": (1, 3), "excl": ("TRUE",), "h_rt": ("0:20:0", "2:0:0"),
    }  # fmt: skip
    chosen = random.sample([*requests], random.choice((0, 0, 1, 1, 2, 3)))
    if chosen:
        yield f"-l {','.join(f'{name}={random.choice(requests[name])}' for name in chosen)}"
    extra = {
        "-q a.q": 0.1, "-q '*@h1'": 0.05, "-P sea": 0.15, "-h": 0.04, "-R y": 0.15, "-soft -l gen=2 -hard": 0.06,
        f"-p {random.randint(-50, 0)}": 0.2, f"-hold_jid {first}": 0.06, "-a 197001121500": 0.02,
        f"-t 1-{random.randint(2, 4)}": 0.2,
    }  # fmt: skip
    for option, share in extra.items():
        if random.random() < share:
            yield option
            if option.startswith("-t") and random.random() < 0.5:
                yield f"-tc {random.randint(1, 2)}"
