"""Share-tree tickets: the worked numbers of tickets.md#example-of-a-share-tree, and where a job belongs in the tree."""

from collections.abc import Mapping

import pytest

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.jobs import Task
from qmon_tui.model.outcome import Outcome
from qmon_tui.model.state import PastUsage, Usage
from qmon_tui.qmaster.scheduling import simulate
from qmon_tui.qmaster.share_tree_outcome import share_outcomes, usage_ahead
from tests.unit.scheduler.building import (
    NOW,
    cluster,
    configuration,
    environment,
    job,
    project,
    queue,
    run,
    running,
    scheduler,
    sharetree,
    state,
    the_job,
    usage,
    user,
)

QUEUE = queue("all.q", "h1 h2", 9, pe_list="x")
X = environment("x")
AUTOMATIC = configuration(enforce_user="auto")


def stickets(outcome: Outcome, *numbers: int) -> list[float]:
    return [the_job(outcome, number).stckt for number in numbers]


def target(outcome: Outcome, path: str) -> float:
    return next(node.target for node in outcome.sharetree if node.path == path)


# -- tickets.md#example-of-a-share-tree

FLAT = (sharetree(A=50, B=30, C=20), user("A"), user("B"), user("C"), X, QUEUE)
FLAT_JOBS = (
    running(1, "all.q@h1", owner="A"),
    running(2, "all.q@h1", owner="A"),
    job(3, owner="A"),
    job(4, "-pe x 4", owner="A"),
    job(5, owner="A"),
    job(6, owner="B"),
    job(7, owner="B"),
)
FLAT_USAGE = usage(A=6000, B=600)


def flat(factor: float) -> Outcome:
    policies = scheduler(weight_tickets_share=10_000, compensation_factor=factor)
    return run(cluster(*FLAT, policies), *FLAT_JOBS, usage=FLAT_USAGE)


def test_a_flat_tree() -> None:
    outcome = flat(0)
    expected = [5000, 5000, 724.638, 543.478, 271.739, 7826.087, 3913.043]
    assert stickets(outcome, 1, 2, 3, 4, 5, 6, 7) == pytest.approx(expected, abs=0.0005)
    normalised = [the_job(outcome, number).ntckts for number in (1, 3, 4, 5, 6, 7)]
    assert normalised == pytest.approx([0.638889, 0.092593, 0.069444, 0.034722, 1, 0.5], abs=5e-7)


def test_what_is_made_up_for_is_limited() -> None:
    outcome = flat(1.5)
    assert target(outcome, "/A") == pytest.approx(0.2787456, abs=5e-8)
    assert target(outcome, "/B") == pytest.approx(0.7212544, abs=5e-8)
    assert stickets(outcome, 6) == pytest.approx([7212.544], abs=0.0005)


def test_nobody_is_limited_by_a_generous_factor() -> None:
    assert stickets(flat(5), 6) == pytest.approx([7826.087], abs=0.0005)


def test_what_a_node_shows() -> None:
    root, a, b, c = flat(0).sharetree
    assert (root.path, root.level, root.total, root.jobs, root.running) == ("/", 1, 1, 7, 2)
    assert root.usage == pytest.approx(6600)
    assert (a.path, a.user, a.shares, a.level, a.total, a.jobs, a.running) == ("/A", "A", 50, 0.5, 0.5, 5, 2)
    assert (a.long_term, b.long_term, c.long_term) == (0.625, 0.375, 0)
    assert (a.actual, b.actual, c.actual) == pytest.approx((6000 / 6600, 600 / 6600, 0))
    assert (c.jobs, c.target) == (0, 0)


# -- tickets.md#example-of-a-share-tree

DEEP = (sharetree(P=(70, {"u1": 60, "u2": 40}), q=30), user("u1"), user("u2"), user("q"), QUEUE)
DEEP_USAGE = usage(u1=100, u2=400, q=1000)
DEEP_JOBS = (job(1, owner="u1"), job(2, owner="u1"), job(3, owner="u2"), job(4, owner="q"), job(5, owner="q"))
DEEP_POLICIES = scheduler(weight_tickets_share=10_000, compensation_factor=0)


def test_a_deep_tree_gives_pending_jobs_a_part_of_their_branch() -> None:
    outcome = run(cluster(*DEEP, DEEP_POLICIES), *DEEP_JOBS, usage=DEEP_USAGE)
    expected = [9158.88, 4579.44, 3052.96, 841.12, 420.56]
    assert stickets(outcome, 1, 2, 3, 4, 5) == pytest.approx(expected, abs=0.005)


def test_a_single_branch_with_jobs_is_the_tree() -> None:
    outcome = run(cluster(*DEEP, DEEP_POLICIES), *DEEP_JOBS[:3], usage=DEEP_USAGE)
    assert stickets(outcome, 1, 2, 3) == pytest.approx([9000, 4500, 1000])


# -- which node


def placed(on: Cluster, *jobs: object, **more: object) -> Mapping[str, int]:
    """Path -> tasks, of the nodes that have any."""
    outcome = run(on, *jobs, **more)  # type: ignore[arg-type]
    return {node.path: node.jobs for node in outcome.sharetree if node.jobs}


POLICIES = scheduler(weight_tickets_share=1000)


def test_usage_beside_a_default_node_counts_above_it_while_a_job_has_just_finished() -> None:
    policies = scheduler(weight_tickets_share=1000, usage_weight_list="cpu=1", halftime=0, compensation_factor=0)
    tree = sharetree(g=(10, {"default": 1}), h=(10, {"a": 1}))
    on = cluster(QUEUE, policies, AUTOMATIC, tree, user("a"))

    def tickets(letters: str) -> list[float]:
        first = job(1, owner="b", tasks={1: Task(letters)})
        others = job(2, owner="a"), job(3, owner="c")
        return stickets(run(on, first, *others, usage=usage(a=100, b=900, c=50)), 2, 3)

    # a has used 100, those below g 950 or 50.
    assert tickets("z") == pytest.approx([1000 * 950 / 1050, 1000 * 100 / 1050])
    assert tickets("Eqw") == pytest.approx([1000 * 50 / 150, 1000 * 100 / 150])


def test_users_without_a_node_share_the_default_one_side_by_side() -> None:
    on = cluster(QUEUE, POLICIES, AUTOMATIC, sharetree(a=10, default=20), user("a"))
    jobs = (job(1, owner="a"), job(2, owner="x"), job(3, owner="y"), job(4, owner="y"))
    assert placed(on, *jobs) == {"/": 4, "/a": 1, "/default": 3, "/default/x": 1, "/default/y": 2}
    # Two of them stand beside a with 20 shares each: of 50 in all.
    outcome = run(on, *jobs)
    assert (target(outcome, "/default/x"), target(outcome, "/a")) == pytest.approx((0.4, 0.2))
    shown = {node.path: (node.level, node.total) for node in outcome.sharetree}
    assert shown["/default"] == pytest.approx((2 / 3, 2 / 3))
    assert shown["/default/x"] == pytest.approx((1 / 2, 1 / 3))


def test_a_user_that_is_not_configured_has_no_node() -> None:
    on = cluster(QUEUE, POLICIES, configuration(enforce_user="none"), sharetree(default=20))
    outcome = run(on, job(1, owner="x"))
    assert stickets(outcome, 1) == [0]
    assert [node.jobs for node in outcome.sharetree] == [0, 0]


def test_jobs_of_a_project_belong_to_its_node_and_only_they() -> None:
    tree = sharetree(sea=(10, {"a": 1, "default": 1}), sky=10, a=10)
    on = cluster(QUEUE, POLICIES, AUTOMATIC, tree, project("sea"), project("sky"), project("sun"), user("a"))
    jobs = (
        job(1, "-P sea", "a"),
        job(2, "-P sea", "b"),
        job(3, "-P sky", "a"),
        job(4, "-P sun", "a"),
        job(5, owner="a"),
        job(6, owner="b"),
    )
    assert placed(on, *jobs) == {
        "/": 4,
        "/sea": 2,
        "/sea/a": 1,
        "/sea/default": 1,
        "/sea/default/b": 1,
        "/sky": 1,
        "/a": 1,
    }
    assert stickets(run(on, *jobs), 4, 6) == [0, 0]


# -- running jobs


def test_job_shares_divide_running_jobs_tickets_in_whole_numbers() -> None:
    on = cluster(QUEUE, scheduler(weight_tickets_share=1000), sharetree(a=1), user("a"))
    jobs = (running(1, "all.q@h1", "-js 1", "a"), running(2, "all.q@h1", "-js 2", "a"), running(3, "all.q@h1", "", "a"))
    assert stickets(run(on, *jobs), 1, 2, 3) == [333, 666, 0]


def test_the_highest_number_of_tickets_may_be_one_of_the_first_pass() -> None:
    # Where b with its many shares takes part too, less usage of a is as good as none.
    policies = scheduler(weight_tickets_share=1000, compensation_factor=0)
    on = cluster(QUEUE, policies, sharetree(a=1, b=1000, c=100), user("a"), user("b"), user("c"))
    jobs = (running(1, "all.q@h1", owner="a"), running(2, "all.q@h1", owner="c"), job(3, owner="b"))
    outcome = run(on, *jobs, usage=usage(b=1e9, c=100))
    first, second = 1000 * 1101 / 1201.001, 1000 * 101 / 201
    assert stickets(outcome, 1) == pytest.approx([second])
    assert the_job(outcome, 1).ntckts == pytest.approx(second / first)


# -- order of pending jobs


def test_job_shares_order_the_jobs_of_a_node() -> None:
    on = cluster(QUEUE, scheduler(weight_tickets_share=1000), sharetree(a=1), user("a"))
    assert stickets(run(on, job(1, owner="a"), job(2, "-js 5", "a")), 1, 2) == [500, 1000]


@pytest.mark.parametrize(("hierarchy", "first"), [("OFS", 2), ("O", 1), ("S", 1), ("SOF", 1), ("OS", 2), ("NONE", 1)])
def test_tickets_of_the_policies_before_order_the_jobs_of_a_node(hierarchy: str, first: int) -> None:
    policies = scheduler(weight_tickets_share=1000, policy_hierarchy=hierarchy, share_override_tickets="FALSE")
    on = cluster(QUEUE, policies, sharetree(a=1), user("a"))
    outcome = run(on, job(1, owner="a"), job(2, "-ot 7", "a"))
    assert the_job(outcome, first).stckt == 1000


@pytest.mark.parametrize(("hierarchy", "first"), [("SF", 2), ("SOF", 2), ("S", 1), ("NONE", 1)])
def test_tickets_of_the_share_tree_order_the_jobs_of_a_user(hierarchy: str, first: int) -> None:
    weights = {"weight_tickets_share": 1000, "weight_tickets_functional": 900, "weight_user": 1, "weight_job": 0}
    policies = scheduler(**weights, weight_project=0, weight_department=0, policy_hierarchy=hierarchy)
    on = cluster(QUEUE, policies, sharetree(a=1), user("a", fshare=1))
    outcome = run(on, job(1, owner="a"), job(2, "-js 5", "a"))
    assert stickets(outcome, 1, 2) == [500, 1000]
    ftickets = {number: the_job(outcome, number).ftckt for number in (1, 2)}
    assert max(ftickets, key=ftickets.__getitem__) == first


# -- usage


def test_usage_fades_by_the_first_term_of_the_exponential() -> None:
    policies = scheduler(weight_tickets_share=1000, halftime=1)
    on = cluster(QUEUE, policies, sharetree(a=1), user("a"))
    outcome = run(on, job(1, owner="a"), usage=PastUsage({"a": Usage({"cpu": 1000}, time=NOW - 3600)}))
    assert outcome.usage.users["a"].amounts["cpu"] == pytest.approx(497.98662, abs=5e-6)
    assert outcome.usage.users["a"].time == NOW


@pytest.mark.parametrize(
    ("settings", "left"),
    [
        ({"halftime": 0}, 1000),
        ({"halftime": 1, "halflife_decay_list": "cpu=0"}, 1000),
        ({"halftime": 0, "halflife_decay_list": "mem=1:cpu=-1"}, 0),
        ({"halftime": 0, "halflife_decay_list": "cpu=60"}, 497.98662),
    ],
)
def test_half_lives_of_single_kinds_of_usage(settings: Mapping[str, object], left: float) -> None:
    on = cluster(QUEUE, scheduler(**settings), user("a"))
    outcome = run(on, usage=PastUsage({"a": Usage({"cpu": 1000}, time=NOW - 3600)}))
    assert outcome.usage.users["a"].amounts["cpu"] == pytest.approx(left, abs=5e-6)


def test_usage_is_weighed_and_summed_up_the_tree() -> None:
    policies = scheduler(usage_weight_list="cpu=1,mem=3,io=0")
    tree = sharetree(g=(1, {"a": 1, "b": 1}), sea=(1, {"a": 1, "default": 1}))
    people = (user("a"), user("b"), project("sea"), configuration(enforce_user="none"))
    book = PastUsage(
        {
            "a": Usage({"cpu": 40, "mem": 20, "odd": 999}, {"sea": {"cpu": 8}}),
            "b": Usage({"cpu": 4}, {"sea": {"cpu": 400}}),
        },
        {"sea": Usage({"cpu": 408})},
    )
    outcome = run(cluster(QUEUE, policies, tree, *people), usage=book)
    shown = {node.path: node.usage for node in outcome.sharetree}
    assert (shown["/g/a"], shown["/g/b"], shown["/g"]) == (25, 1, 26)
    # A project has its own usage; what its users' nodes do not account for is that of the default node.
    assert (shown["/sea"], shown["/sea/a"], shown["/"]) == (102, 2, 128)
    assert (shown["/sea/default/b"], shown["/sea/default"]) == (100, 100)


def test_what_no_node_of_a_project_accounts_for_counts_on_its_default_node() -> None:
    tree = sharetree(sea=(1, {"g": (1, {"default": 1}), "a": 1}))
    people = (user("a"), project("sea"), configuration(enforce_user="none"))
    book = PastUsage({"a": Usage(by_project={"sea": {"cpu": 8}})}, {"sea": Usage({"cpu": 108})})
    shown = {n.path: n.usage for n in run(cluster(QUEUE, tree, *people), usage=book).sharetree}
    assert (shown["/sea"], shown["/sea/a"], shown["/sea/g"], shown["/sea/g/default"]) == (108, 8, 100, 100)


def test_what_tasks_have_used_is_booked_to_user_and_project() -> None:
    on = cluster(QUEUE, scheduler(halftime=0), project("sea"), user("a"))
    jobs = (
        job(4, owner="a", tasks={1: Task("gone", used={"cpu": 99})}),
        job(1, owner="a", tasks={1: Task("r", {"all.q@h1": 1}, NOW - 9, {"cpu": 5, "mem": 1})}),
        job(2, "-P sea", "a", tasks={1: Task("r", {"all.q@h1": 1}, NOW - 9, {"cpu": 7})}),
        job(3, "-P sea", "a", tasks={1: Task("x", used={"cpu": 9})}),
    )
    outcome = run(on, *jobs, usage=usage(a=100))
    assert outcome.usage.users["a"].amounts == {"cpu": 105, "mem": 1}
    assert outcome.usage.users["a"].by_project == {"sea": {"cpu": 16, "finished_jobs": 1}}
    assert outcome.usage.projects["sea"].amounts == {"cpu": 16, "finished_jobs": 1}


def test_of_an_array_every_task_is_booked_that_has_used_something() -> None:
    on = cluster(QUEUE, scheduler(halftime=0), user("a"))
    tasks = {
        1: Task("r", {"all.q@h1": 1}, NOW - 9),
        2: Task("r", {"all.q@h1": 1}, NOW - 9, {"cpu": 5}),
        3: Task("gone", used={"cpu": 99}),
        4: Task("x", used={"cpu": 7}),
    }
    outcome = run(on, job(1, "-t 1-4", "a", tasks=tasks), usage=usage(a=100))
    assert outcome.usage.users["a"].amounts == {"cpu": 112, "finished_jobs": 1}


def test_finished_jobs_count_in_the_run_that_learns_of_them() -> None:
    policies = scheduler(weight_tickets_share=1000, usage_weight_list="finished_jobs=1", compensation_factor=0)
    on = cluster(QUEUE, policies, sharetree(a=1, b=1), user("a"), user("b"))
    finished = [job(number, owner="a", tasks={1: Task("x")}) for number in (1, 2, 3)]
    outcome = run(on, *finished, job(4, owner="a"), job(5, owner="b"))
    # 3 jobs against the least usage, which is the half that b has by shares alone.
    assert stickets(outcome, 4, 5) == pytest.approx([1000 / 7, 6000 / 7])


# -- how usage is forgotten


def test_usage_ahead_fades_by_half_in_each_halftime() -> None:
    on = cluster(*FLAT, scheduler(weight_tickets_share=1000, halftime=24, usage_weight_list="cpu=1"))
    finished = simulate(on, state([], usage=usage(A=8000, B=4000)))
    shown = [node.path for node in share_outcomes(finished)]
    ahead = dict(zip(shown, usage_ahead(finished, [0, 86_400, 2 * 86_400]), strict=True))
    # The decay constant is the first term of the exponential, so that the half-life is a little shorter.
    assert ahead["/A"] == pytest.approx((8000, 4000, 2000), rel=1e-3)
    assert ahead["/B"] == pytest.approx((4000, 2000, 1000), rel=1e-3)
    assert ahead["/C"] == (0, 0, 0)
    assert ahead["/"] == pytest.approx((12000, 6000, 3000), rel=1e-3)
    assert [now for now, *_ in ahead.values()] == [node.usage for node in share_outcomes(finished)]


def test_usage_ahead_of_users_below_a_default_node() -> None:
    on = cluster(
        QUEUE, AUTOMATIC, sharetree(a=10, default=20), user("a"), scheduler(weight_tickets_share=1, halftime=1)
    )
    finished = simulate(on, state([], usage=usage(a=10, b=20)))
    ahead = dict(zip([node.path for node in share_outcomes(finished)], usage_ahead(finished, [0, 36_000]), strict=True))
    assert ahead["/default/b"][0] == ahead["/default"][0] > 0
    assert ahead["/default/b"][1] == pytest.approx(ahead["/default/b"][0] / 1024, rel=0.1)
    assert usage_ahead(simulate(cluster(QUEUE), state([])), [0]) == ()
