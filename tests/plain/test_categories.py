"""What is remembered by category holds for all its jobs, whatever they have besides that is no part of it.

Few kinds of jobs are drawn, and many of each, which differ in soft requests of queues, owners, projects, hosts that are
not cleaned up and options of all sorts.
"""

from random import Random

import pytest

from qmon_tui.model import Cluster, ConfigObject, Job, Kind, State, Task, config_object
from tests.plain.test_plain import assert_same
from tests.unit.scheduler.building import (
    attribute,
    cluster,
    environment,
    host,
    job,
    places,
    project,
    queue,
    run,
    running,
    scheduler,
    state,
    userset,
)

ENVIRONMENTS = {"fill": "$fill_up", "robin": "$round_robin", "one": "$pe_slots", "two": "2"}
OF_CATEGORIES = (
    ("",) * 8 + ("-pe fill 2", "-pe robin 2-4", "-pe one 1-2", "-pe two 2", "-pe * 1-3"),
    ("",) * 6 + ("-l lic=1", "-l mem=2G", "-l lic=1,mem=1G", "-q a.q", "-q *@@left", "-l disk=1", "-l hostname=h1|h2",
     "-l np_load_avg=0.7", "-now y", "-ckpt ck", "-soft -l fast=true"),
)  # fmt: skip
"""Options of which the category is made."""
OF_JOBS = (
    "", "", "", "-soft -q a.q@h2", "-soft -q b.q", "-soft -q *@h3", "-soft -q a.q@h1,b.q@h2", "-P blue", "-P red",
    "-js 5", "-p -5", "-R y", "-r y", "-dl 202001010000", "-hold_jid 1", "-N other", "-notify", "-m e",
)  # fmt: skip
SCHEDULER = {
    "queue_sort_method": ("load", "seqno"),
    "job_load_adjustments": ("NONE", "NONE", "NONE", "np_load_avg=0.5", "mem=100M"),
    "load_adjustment_decay_time": ("0:0:0", "0:7:30"),
    "load_formula": ("np_load_avg", "np_load_avg", "slots", "-lic", "np_load_avg-slots*0.1"),
    "maxujobs": ("0", "0", "0", "3"),
    "max_reservation": ("0", "0", "0", "2"),
    "max_functional_jobs_to_schedule": ("200", "2"),
    "weight_tickets_functional": ("0", "0", "1000"),
    "schedd_job_info": ("true", "false"),
    "params": ("NONE", "PE_RANGE_ALG=bin", "PE_RANGE_ALG=least", "JC_FILTER=1"),
}
RULES = (
    "users {*} to slots=3", "users anna to slots=2", "hosts {*} to slots=2", "users {@s1} queues a.q to slots=2",
    "projects blue to slots=2", "projects {*} to slots=3", "queues a.q hosts h1 to slots=1", "pes {*} to slots=3",
    "to lic=4", "users {*} hosts {@left} to mem=3G",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(120))
def test_jobs_of_few_categories(seed: int) -> None:
    random = Random(seed)
    assert_same(_cluster(random), _state(random), f"seed {seed}")


@pytest.mark.parametrize("others", [("",), ("", "-soft -q a.q@h1"), ("-soft -q b.q@*",)])
def test_soft_requests_of_queues_behind_other_jobs(others: tuple[str, ...]) -> None:
    wide = cluster(queue("a.q", "h1 h2", 9), queue("b.q", "h1 h2", 9), scheduler(queue_sort_method="seqno"))
    jobs = [job(number, options) for number, options in enumerate((*others, "-soft -q a.q@h2"), 1)]
    assert places(run(wide, *jobs))[len(jobs)] == "a.q@h2"


def test_a_host_that_one_task_must_not_use_yet_is_free_for_others_like_it() -> None:
    silent = scheduler(schedd_job_info="false")
    small = cluster(queue("a.q", "h1 h2 h3", 1, pe_list="fill"), environment("fill", slots=5), silent)
    sent_back = Task("Rq", unclean=("h3",))
    outcome = run(small, job(1, "-pe fill 1-3", tasks={1: sent_back}), job(2, "-pe fill 1-3"))
    assert [dict(each.tasks[0].granted) for each in outcome.jobs] == [{"a.q@h1": 1, "a.q@h2": 1}, {"a.q@h3": 1}]


def _cluster(random: Random) -> Cluster:
    """Every other one has room for all, so that much is started one after the other."""
    choice, has_room = random.choice, random.random() < 0.5
    listed = 0 if has_room else choice((0, 0.15))
    hosts = [f"h{number}" for number in range(1, choice((3, 6)) + 1)]
    offers = (
        ("lic=99,mem=99G",)
        if has_room
        else ("lic=4,mem=9G,disk=1", "lic=4,mem=9G,disk=1", "mem=8G", "NONE", "lic=5,fast=TRUE")
    )
    objects: list[ConfigObject] = [
        attribute(f"lic lic INT <= YES {'YES' if has_room else choice(('YES', 'JOB'))} 0"),
        attribute("mem mem MEMORY <= YES YES 0"),
        attribute("disk disk INT <= YES JOB 0"),
        attribute("np_load_avg np_load_avg DOUBLE >= YES NO 0"),
        attribute(f"fast fast BOOL == {choice(('YES', 'YES', 'FORCED'))} NO 0"),
        *(
            userset("s1", "anna,@lab"),
            userset("s2", "bob"),
            userset("deadlineusers", "anna"),
            project("blue"),
            project("red"),
        ),
        config_object(Kind.HOSTGROUP, "@left", {"group_name": "@left", "hostlist": "h1 h2"}),
        config_object(Kind.CKPT, "ck", {"ckpt_name": "ck"}),
        host("global", choice(("NONE", "NONE", "lic=16", "lic=3,mem=9G"))),
        *(host(name, choice(offers), **_access(random, listed / 3)) for name in hosts),
        scheduler(**{field: choice(texts) for field, texts in SCHEDULER.items()}),
    ]
    for name, rule in ENVIRONMENTS.items():
        allowed = {"user_lists": choice(("s1", "s2"))} if random.random() < listed else {}
        objects.append(environment(name, rule, slots=choice((99, 5)), **allowed))
    objects += [_queue(random, name, hosts, has_room, listed) for name in ("a.q", "b.q", "c.q")[: choice((2, 3))]]
    if random.random() < 0.3:
        limit = "\n".join(random.sample(RULES, choice((1, 1, 2))))
        objects.append(config_object(Kind.QUOTA, "some", {"name": "some", "enabled": "TRUE", "limit": limit}))
    return cluster(*objects)


def _queue(random: Random, name: str, hosts: list[str], has_room: bool, listed: float) -> ConfigObject:
    choice = random.choice

    def differing(*texts: str) -> str:
        return choice(texts) + (f",[{choice(hosts)}={choice(texts)}]" if random.random() < 0.3 else "")

    limits = ("NONE", "NONE", "NONE", "np_load_avg=1.0", "lic=1")
    return queue(
        name,
        " ".join(random.sample(hosts, len(hosts)) if random.random() < 0.5 else hosts[choice((0, 1)) :]),
        differing("9", "20") if has_room else differing("1", "2", "4"),
        seq_no=differing("0", "0", "1", "2"),
        pe_list=choice((" ".join(ENVIRONMENTS), "fill one", "fill one" if has_room else "NONE")),
        ckpt_list=choice(("ck", "ck", "NONE")),
        load_thresholds=differing(*limits) if random.random() < 0.2 and not has_room else "NONE",
        complex_values="NONE" if has_room else differing("NONE", "lic=2", "mem=3G"),
        h_rt=choice(("INFINITY", "0:5:0")),
        subordinate_list="b.q=1" if name == "a.q" and random.random() < 0.15 else "NONE",
        **_access(random, listed),
    )


def _access(random: Random, listed: float) -> dict[str, str]:
    lists = {name: ("s1", "s2", "s1 s2") for name in ("user_lists", "xuser_lists")}
    projects = {name: ("blue", "red") for name in ("projects", "xprojects")}
    return {name: random.choice(texts) for name, texts in {**lists, **projects}.items() if random.random() < listed}


def _state(random: Random) -> State:
    choice = random.choice
    kinds = [" ".join(map(choice, OF_CATEGORIES)) for _ in range(choice((1, 1, 2, 4)))]
    sent_back = choice((0, 0, 0.1))
    jobs = [_job(random, number, choice(kinds), sent_back) for number in range(1, choice((8, 20, 40)) + 1)]
    hosts = [f"h{number}" for number in range(1, 7)]
    loads = {name: {"np_load_avg": choice(("0.1", "0.1", "0.8", "1.2")), "num_proc": "4"} for name in hosts}
    letters = {f"a.q@{choice(hosts[:3])}": choice("dEusS")} if random.random() < 0.2 else {}
    return state(jobs, loads=choice(({}, loads)), queue_states=letters)


def _job(random: Random, number: int, kind: str, sent_back: float) -> Job:
    owner, group = random.choice(("anna", "bob", "carl")), random.choice(("staff", "lab"))
    place = f"h{random.randint(1, 3)}"
    if random.random() < 0.04:
        return running(number, f"a.q@{place}", owner=owner, group=group)
    tasks = {1: Task("Rq", unclean=(place,))} if random.random() < sent_back else {}
    return job(number, f"{kind} {random.choice(OF_JOBS)}", tasks=tasks, owner=owner, group=group)
