"""Handing out by turns: the lazy search picks what looking at everything each time picks."""

from collections.abc import Callable
from random import Random

import pytest

from qmon_tui.model.outcome import Outcome
from qmon_tui.scheduler.priority import functional_tickets, override_tickets, ticket_picking
from qmon_tui.scheduler.priority.share_tree_nodes import TaskRef
from qmon_tui.scheduler.priority.ticket_picking import Group
from tests.unit.scheduler.building import cluster, job, project, queue, run, running, scheduler, user, userset


def plainly(
    groups: list[Group],
    times: int,
    value: Callable[[TaskRef], float],
    tie: Callable[[TaskRef], tuple[int, ...]],
    pick: Callable[[TaskRef, TaskRef | None], None],
    **_: object,
) -> None:
    """The rule as it is written: all groups are valued for each pick."""
    for _turn in range(times):
        valued = [(-value(group[-1]), tie(group[-1]), number) for number, group in enumerate(groups) if group]
        group = groups[min(valued)[2]]
        pick(group.pop(), group[-1] if group else None)
    groups[:] = [group for group in groups if group]


def tickets(outcome: Outcome) -> list[tuple[int, int, float, float]]:
    return sorted(
        (job_outcome.id, task.task, task.ftckt, task.otckt)
        for job_outcome in outcome.jobs
        for task in job_outcome.tasks
    )


def drawn(random: Random) -> Outcome:
    shares = (0, 1, 10, 10, 333)
    people = [user(name, fshare=random.choice(shares), oticket=random.choice(shares)) for name in "abcdef"]
    projects = [project(name, fshare=random.choice(shares), oticket=random.choice(shares)) for name in ("P", "Q")]
    policies = scheduler(
        weight_tickets_functional=random.choice((1000, 99999)),
        weight_user=random.choice((0.25, 0, -0.5)),
        weight_job=random.choice((0.25, 1)),
        policy_hierarchy=random.choice(("OFS", "NONE", "FO", "F")),
        share_functional_shares=random.choice(("TRUE", "FALSE")),
        share_override_tickets=random.choice(("TRUE", "TRUE", "FALSE")),
        max_functional_jobs_to_schedule=random.choice((200, 7, 1, 0)),
    )
    on = cluster(queue("all.q", "h1", 9), policies, userset("d", "a,@lab", "DEPT", fshare=5), *people, *projects)
    jobs = [running(number, "all.q@h1", owner=random.choice("abcdef")) for number in range(1, random.randint(1, 5))]
    for number in range(10, random.randint(11, 40)):
        odd = random.choice(("", "", "-P P", "-P Q", "-js 7", "-ot 50", "-t 1-3"))
        jobs.append(job(number, odd, random.choice("abcdef"), submitted=random.choice((5, 6, 7))))
    return run(on, *jobs)


@pytest.mark.parametrize("seed", range(60))
def test_what_is_picked_is_what_the_rule_picks(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = tickets(drawn(Random(seed)))
    for module in (ticket_picking, functional_tickets, override_tickets):
        monkeypatch.setattr(module, "pick_in_turn", plainly)
    assert quick == tickets(drawn(Random(seed)))
