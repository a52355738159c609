"""Sessions drawn at random, in which each run is compared with the plain one that knows nothing of the others."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from random import Random
from types import MappingProxyType

from qmon_tui.incremental import RunChain, state_after
from qmon_tui.incremental.lazy_run import LazyRun
from qmon_tui.model import Cluster, ConfigObject, Job, Kind, State, config_object
from qmon_tui.qmaster import (
    InstanceCommand,
    JobCommand,
    RunFacts,
    Target,
    build_outcome,
    modify,
    new_job,
    simulate,
    submit,
)
from qmon_tui.qmaster.commands import alter
from qmon_tui.qmaster.commands.holds import hold, release
from qmon_tui.qmaster.commands.qdel import delete
from qmon_tui.qmaster.commands.qmod_queues import change_instances
from qmon_tui.qmaster.transition import Event, TaskArrived, TaskEnded, UsageReported, after_event
from qmon_tui.qmaster.transition.events import TaskSentBack
from qmon_tui.simulation.backfilling import backfilled_in
from tests.unit.scheduler.building import (
    NOW,
    attribute,
    cluster,
    environment,
    host,
    project,
    queue,
    scheduler,
    sharetree,
    user,
)

STEPS = 25
OWNERS = ("anna", "bob", "carl")
OPTIONS = (
    "", "", "", "-l mem=1G", "-l mem=3G", "-l lic=1", "-t 1-5", "-t 1-6 -tc 2", "-pe mpi 2-4", "-pe smp 2", "-p -5",
    "-P blue", "-js 5", "-l h_rt=60", "-soft -l mem=2G", "-soft -q a.q@h2", "-q b.q", "-R y", "-h",
    "-hold_jid 1,3,5,7,9,11", "-pe mpi 2-3 -l disk=1", "-a 01120000", "-dl 202001010000",
)  # fmt: skip


def told(state: State) -> State:
    """The same state, with all numbers in the tasks themselves."""
    jobs = tuple(_told(state, job) for job in state.jobs)
    return replace(state, jobs=jobs, numbers={key: numbers for key, numbers in state.numbers.items() if not key[1]})


def _told(state: State, job: Job) -> Job:
    tasks = {
        number: replace(task, tickets=state.numbers_of(job.id, number, task)) for number, task in job.tasks.items()
    }
    return replace(job, tasks=MappingProxyType(tasks)) if tasks else job


def drawn_cluster(random: Random, *more: ConfigObject, **policy: object) -> Cluster:
    """Three hosts with two queues, and policies that count."""
    has_override_tickets = random.random() < 0.3
    objects: list[ConfigObject] = [
        attribute("mem mem MEMORY <= YES YES 0"),
        attribute("lic lic INT <= YES YES 0 100"),
        attribute("disk disk INT <= YES JOB 0"),
        host("global", "lic=3"),
        *(host(f"h{number}", "mem=6G,disk=2") for number in range(1, 4)),
        queue("a.q", "h1 h2 h3", random.choice((1, 2)), pe_list="mpi smp", seq_no=str(random.choice((0, 5)))),
        queue("b.q", "h1 h2 h3", 2, pe_list="mpi", load_thresholds="np_load_avg=1.75", h_rt="0:5:0"),
        environment("mpi", control_slaves=random.choice(("TRUE", "FALSE"))),
        environment("smp", "$pe_slots"),
        *(user(owner, fshare=random.choice((0, 100, 300)), oticket=50 * has_override_tickets) for owner in OWNERS),
        project("blue", fshare=50),
        scheduler(
            **dict(
                weight_waiting_time=random.choice(("0", "0.01")),
                weight_tickets_functional=random.choice((0, 1000)),
                weight_tickets_share=random.choice((0, 0, 1000)),
                halftime=1,
                policy_hierarchy=random.choice(("OFS", "NONE", "SO")),
                share_override_tickets=random.choice(("TRUE", "FALSE")),
                maxujobs=random.choice((0, 0, 4)),
                max_functional_jobs_to_schedule=random.choice((0, 2, 5, 200)),
                share_functional_shares=random.choice(("TRUE", "FALSE")),
                weight_urgency=random.choice(("0.1", "1", "0")),
                weight_ticket=random.choice(("0.01", "2")),
                max_pending_tasks_per_job=random.choice((1, 50)),
                queue_sort_method=random.choice(("load", "seqno")),
                schedd_job_info="true",
                job_load_adjustments="np_load_avg=0.50",
                params=random.choice(("NONE", "PE_RANGE_ALG=least")),
            )
            | policy
        ),
        *more,
    ]
    if random.random() < 0.3:
        begin, end = (datetime.fromtimestamp(NOW + seconds).strftime("%H:%M") for seconds in (900, 2700))
        off = {"calendar_name": "off", "year": "NONE", "week": f"mon-sun={begin}-{end}=off"}
        objects.append(config_object(Kind.CALENDAR, "off", off))
        objects.append(queue("c.q", "h1 h2", 2, calendar="off", load_thresholds="np_load_avg=1.0,mem=2G"))
    if random.random() < 0.3:
        rules = "users {*} to slots=3;users anna hosts {*} to slots=1;queues b.q to mem=4G;pes mpi to slots=4"
        for number, rule in enumerate(random.sample(rules.split(";"), 2)):
            name = f"quota{number}"
            objects.append(config_object(Kind.QUOTA, name, {"name": name, "enabled": "TRUE", "limit": rule}))
    if random.random() < 0.4:
        objects.append(sharetree(anna=10, default=20))
    return cluster(*objects)


def drawn_state(random: Random) -> State:
    """No jobs; some hosts report their loads, some queue instances are closed."""
    loads = {f"h{number}": drawn_load(random) for number in range(1, 4) if random.random() < 0.8}
    letters = {"b.q@h2": random.choice(("d", "u", "E", "du"))}
    return State(
        now=NOW,
        loads=loads if random.random() < 0.4 else {},
        queue_states=letters if random.random() < 0.3 else {},
    )


def drawn_load(random: Random) -> dict[str, str]:
    """What a host reports."""
    return {"np_load_avg": f"{random.random() * 2:.2f}", "mem": random.choice(("5G", "3G", "100M"))}


def drawn_events(random: Random, state: State, options: Sequence[str], *, odd: bool) -> Iterator[str]:
    """What happens between two runs; something `odd` leaves the next one to the plain rules."""
    for _ in range(random.choice((0, 0, 1, 3, 6))):
        option = options[random.randrange(len(options) if odd else len(options) - 1)]
        if option.startswith("-a"):
            option = datetime.fromtimestamp(state.now + 40).strftime("-a %Y%m%d%H%M.%S")
        yield f"submit {option} by {OWNERS[random.randrange(3)]}"
    for one in state.jobs:
        for number, task in one.tasks.items():
            if "t" in task.state and random.random() < 0.8:
                yield f"arrive {one.id}.{number}"
            elif task.state == "r" and random.random() < 0.25:
                yield f"{random.choice(('end', 'end', 'end', 'use'))} {one.id}.{number}"
            elif "S" in task.state and random.random() < 0.05:
                yield f"end {one.id}.{number}"
            elif odd and task.state in ("r", "s") and random.random() < 0.02:
                yield f"{random.choice(('suspend', 'unsuspend', 'back'))} {one.id}.{number}"
        if not any(task.granted for task in one.tasks.values()) and random.random() < 0.03:
            yield f"{random.choice(('hold', 'release'))} {one.id}"


USED = (("cpu", 12.5), ("mem", 0.3))
EVENTS: Mapping[str, Callable[[int, int], Event]] = {
    "arrive": TaskArrived,
    "end": lambda number, task: TaskEnded(number, task, USED),
    "use": lambda number, task: UsageReported(number, task, USED),
    "back": TaskSentBack,
}


def happened(on: Cluster, state: State, what: str) -> State:
    """The state after an event such as `submit -p 5 by anna`, `end 1.2`, `load h1 0.5` or `disable a.q@h1`."""
    command, _, rest = what.partition(" ")
    number, _, task = rest.partition(".")
    if command == "submit":
        options, _, owner = f" {rest}".partition(" by ")
        return submit(on, state, new_job(state, owner or "anna", f"{options} sleep 60".strip())).state
    if command in EVENTS:
        return after_event(on, state, EVENTS[command](int(number), int(task or 1)), at=state.now)
    if command == "delete":
        return delete(on, state, Target(int(number))).state
    if command in ("hold", "release"):
        return (hold if command == "hold" else release)(on, state, Target(int(number))).state
    if number.isdigit() and command in ("suspend", "unsuspend"):
        return modify(on, state, JobCommand[command.upper()], Target(int(number), (int(task),))).state
    if command == "alter":
        return alter(on, state, int(number.partition(" ")[0]), rest.partition(" ")[2]).state
    if command == "load":
        name, _, load = rest.partition(" ")
        return replace(state, loads={**state.loads, name: {"np_load_avg": load}})
    return change_instances(on, state, InstanceCommand[command.upper()], [rest]).state


def decided(run: RunFacts) -> dict[str, object]:
    """What a run has decided, and what there is when it is over."""
    names, (waiting, oldest) = run.instance_names, run.waiting
    reservations = [
        (plan.job, plan.task, plan.start, plan.end, [(names[number], slots) for number, slots in plan.grants])
        for plan in run.reservations
    ]
    concerned = {number for number, _ in (*run.started, *run.reserved)} if reservations else set()
    return {
        "started": list(run.started),
        "reserved": list(run.reserved),
        "reservations": reservations,
        "order": [number for number in run.order if number in concerned],
        "backfilled": backfilled_in(run),
        "waiting": (waiting, oldest and oldest.id),
        "consumables": run.consumables,
    }


def assert_same(quick: RunFacts, plain: RunFacts, *, outcome: bool) -> None:
    """The decisions, the state after the run, and where it is wanted all that is told of the run."""
    assert decided(quick) == decided(plain)
    assert quick.rejected == plain.rejected
    assert told(state_after(quick)) == told(state_after(plain))
    if outcome:
        assert build_outcome(quick.full()) == build_outcome(plain.full())


def compared_runs(
    random: Random,
    on: Cluster,
    state: State,
    options: Sequence[str] = OPTIONS,
    *,
    odd: bool = False,
    calm: bool = False,
) -> int:
    """Let runs and events follow each other, compare each run with the plain one; how many were no plain ones.

    What is told of a run is read of some only, so that most are known by nothing but what they have started. Where it
    is `calm`, mostly nothing happens between two runs but that time passes.
    """
    quick_state = plain_state = state
    quick_runs, chain = 0, RunChain()
    for step in range(STEPS):
        quick, plain = chain.next_run(on, quick_state), simulate(on, plain_state, fast=False)
        quick_runs += isinstance(quick, LazyRun)
        after, plain_after = state_after(quick), state_after(plain)
        assert decided(quick) == decided(plain), step
        if step % 5 == 4 or not isinstance(quick, LazyRun):
            assert_same(quick, plain, outcome=step % 10 == 4)
        now = plain_state.now + random.choice((1, 15, 300))
        quick_state, plain_state = replace(after, now=now), replace(plain_after, now=now)
        if plain_state.loads and random.random() < 0.2:
            reported = {name for values in plain_state.loads.values() for name in values}
            load = {name: text for name, text in drawn_load(random).items() if name in reported}
            loads = {**plain_state.loads, "h1": load}
            quick_state, plain_state = replace(quick_state, loads=loads), replace(plain_state, loads=loads)
        if calm and random.random() < 0.7:
            continue
        for event in drawn_events(random, plain_state, options, odd=odd):
            quick_state, plain_state = happened(on, quick_state, event), happened(on, plain_state, event)
    assert told(quick_state) == told(plain_state)
    return quick_runs
