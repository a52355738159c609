"""What jobs have in common from run to run: categories, kin and demands (dispatch.md#job-categories)."""

import sys
from collections.abc import Callable
from dataclasses import fields, replace
from threading import Barrier, Thread

import pytest

from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster.option_check import objection_of
from qmon_tui.scheduler.configuration.compiled_cluster import CompiledCluster, compile_cluster
from qmon_tui.scheduler.jobs import job_profiles
from qmon_tui.scheduler.jobs.job_profiles import JobProfile, JobProfiles, job_profiles_of
from tests.unit.scheduler.building import (
    attribute,
    cluster,
    configuration,
    environment,
    host,
    job,
    places,
    project,
    queue,
    run,
    scheduler,
    user,
    userset,
)

MEM = "mem mem MEMORY <= YES YES 0"


@pytest.mark.parametrize(
    ("one", "other", "same_category", "same_base_category"),
    [
        ("-l mem=1G", "-l mem=1G", True, True),
        ("-l mem=1G", "-l mem=2G", False, True),
        ("-l mem=1G,arch=lx-amd64", "-l arch=lx-amd64,mem=1G", True, True),
        ("-q a.q,b.q", "-q b.q,a.q", True, True),
        ("-q a.q", "-q b.q", False, False),
        ("-soft -l mem=1G", "-l mem=1G", False, False),
        ("-N x -p -5", "-N y", True, True),
    ],
)
def test_which_options_tell_categories_apart(
    one: str, other: str, same_category: bool, same_base_category: bool
) -> None:
    known = JobProfiles(compile_cluster(cluster(attribute(MEM), queue("a.q", "n1"), queue("b.q", "n1"))))
    first, second = known.of(job(1, one)), known.of(job(2, other))
    assert (first.category == second.category, first.base_category == second.base_category) == (
        same_category,
        same_base_category,
    )


def test_users_are_one_category_unless_a_quota_counts_each() -> None:
    fields = {"name": "q", "enabled": "FALSE", "limit": "users {*} to slots=1"}
    quota = config_object(Kind.QUOTA, "q", fields)
    for objects, is_one in (((), True), ((quota,), False)):
        known = JobProfiles(compile_cluster(cluster(*objects)))
        numbers = {known.of(job(number, owner=name)).category for number, name in enumerate(("anna", "bela"))}
        assert (len(numbers) == 1) == is_one


def test_an_edit_of_an_attribute_is_felt_in_the_next_run() -> None:
    jobs = [job(number, "-l mem=1G") for number in (1, 2)]
    before = cluster(attribute(MEM), host("n1", "mem=1G"), queue("a.q", "n1", 2))
    assert places(run(before, *jobs)) == {1: "a.q@n1"}
    after = before.with_objects([attribute("mem mem MEMORY <= YES NO 0")])
    assert places(run(after, *jobs)) == {1: "a.q@n1", 2: "a.q@n1"}


def test_what_is_remembered_does_not_grow_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_profiles, "_MOST", 3)
    compiled = compile_cluster(cluster(attribute(MEM)))
    first = job_profiles_of(compiled)
    for number in range(5):
        first.of(job(number, f"-l mem={number}G"))
    second = job_profiles_of(compiled)
    assert second is not first
    assert job_profiles_of(compiled) is second


ASKING = (
    "-l mem=1G",
    "-q a.q",
    "-q b.q",
    "-q '*@@all'",
    "-l h=n2",
    "-pe mp 2-4",
    "-ckpt c",
    "-P red",
    "-P green",
)
KEPT = {
    "a weight": scheduler(weight_urgency="0.5"),
    "slots": queue("a.q", "n1", 7),
    "a value of a host": host("n1", "mem=4G"),
    "a calendar": config_object(Kind.CALENDAR, "day", {"calendar_name": "day", "year": "NONE", "week": "mon=off"}),
}
FELT = {
    "a new host": (host("n2"),),
    "a new queue": (queue("b.q", "n1"),),
    "another host of a queue": (host("n2"), queue("a.q", "n2")),
    "a queue for some projects": (queue("a.q", "n1", projects="red"),),
    "a queue for some users": (queue("a.q", "n1", user_lists="staff"),),
    "a host for some users": (host("n1", user_lists="staff"),),
    "an environment": (environment("mp", urgency_slots="max"),),
    "an environment for some users": (environment("mp", user_lists="staff"),),
    "a checkpointing environment": (config_object(Kind.CKPT, "c", {"ckpt_name": "c"}),),
    "a project": (project("green", fshare=3),),
    "a user": (user("bela", fshare=3, default_project="red"),),
    "members of a list": (userset("staff", "bela"), queue("a.q", "n1", user_lists="staff")),
    "departments": (userset("staff", "bela", type="DEPT"),),
    "a hostgroup": (config_object(Kind.HOSTGROUP, "@all", {"group_name": "@all", "hostlist": "n1"}),),
    "a quota": (config_object(Kind.QUOTA, "q", {"name": "q", "enabled": "TRUE", "limit": "users anna to slots=1"}),),
    "who may submit": (configuration(xuser_lists="staff"),),
    "an attribute": (attribute("mem mem MEMORY <= NO YES 0"),),
}


@pytest.fixture
def before() -> Cluster:
    """A small cluster with something of most kinds, about which the sorts of jobs are known."""
    staff = userset("staff", "anna")
    found = cluster(attribute(MEM), queue("a.q", "n1"), environment("mp"), project("red"), user("anna"), staff)
    _told(job_profiles_of, found)
    return found


@pytest.mark.parametrize("what", KEPT)
def test_an_edit_that_no_sort_depends_on_leaves_them_all(before: Cluster, what: str) -> None:
    after = before.with_object(KEPT[what])
    assert job_profiles_of(compile_cluster(after)) is job_profiles_of(compile_cluster(before))


@pytest.mark.parametrize("what", FELT)
def test_sorts_after_an_edit_are_those_of_the_new_configuration(before: Cluster, what: str) -> None:
    after = before.with_objects(FELT[what])
    told = _told(JobProfiles, after)
    assert _told(job_profiles_of, after) == told
    assert told != _told(JobProfiles, before)


def _told(sorts_for: Callable[[CompiledCluster], JobProfiles], cluster: Cluster) -> list[object]:
    """What sorts say of some jobs, and the qmaster of all like them; of numbers only which are equal."""
    compiled = compile_cluster(cluster)
    known = sorts_for(compiled)
    owners = ("anna", "bela")
    jobs = [job(number, options, owner=owner) for number, options in enumerate(ASKING, 1) for owner in owners]
    profiles = [known.of(one) for one in jobs]
    names = [name.name for name in fields(JobProfile) if name.name not in ("category", "base_category", "demand")]
    values = [tuple(getattr(profile, name) for name in names) for profile in profiles]
    values += [(objection_of(compiled, job_profile, one),) for job_profile, one in zip(profiles, jobs, strict=True)]
    same = [
        [getattr(a, name) == getattr(b, name) for a in profiles for b in profiles]
        for name in ("category", "base_category")
    ]
    return [values, same]


def test_runs_at_the_same_time_never_give_two_categories_one_number() -> None:
    known = JobProfiles(compile_cluster(cluster(attribute(MEM))))
    first_exceeded = Barrier(4, timeout=60)
    found: list[dict[str, JobProfile]] = [{} for _ in range(4)]

    def number_all(thread: int) -> None:
        first_exceeded.wait()
        for number in range(300):
            options = f"-l mem={(number * (thread + 1)) % 301}G"
            found[thread][options] = known.of(job(number, options))

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [Thread(target=number_all, args=(thread,)) for thread in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    numbers: dict[str, set[int]] = {}
    for one in found:
        for options, job_profile in one.items():
            numbers.setdefault(options, set()).add(job_profile.category)
    assert all(len(of_one) == 1 for of_one in numbers.values())
    assert len({number for of_one in numbers.values() for number in of_one}) == len(numbers)


def test_a_job_keeps_the_department_and_the_default_project_of_its_submission() -> None:
    known = JobProfiles(
        compile_cluster(cluster(queue("a.q", "n1"), user("anna", default_project="sea"), project("sea")))
    )
    now = known.of(job(1, ""))
    before = known.of(replace(job(2, ""), project="NONE", department="lab"))
    assert (now.project, now.department) == ("sea", "defaultdepartment")
    assert (before.project, before.department) == (None, "lab")
    assert known.of(replace(job(3, "-P sea"), project="NONE")).project == "sea"
