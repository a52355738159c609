"""Each derivation comes to the number of the engine, and its arithmetic to its value."""

import re
from collections.abc import Iterator

import pytest

from qmon_tui.explain import Derivation, Explainer
from qmon_tui.model.cluster import config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster.scheduling import simulate
from qmon_tui.scheduler.priority import FORMULAS
from tests.unit.explain.test_properties import rounds
from tests.unit.scheduler.building import attribute, cluster, job, queue, running, scheduler, state, user

FAMILIES = (
    "mixed",
    "arrays",
    "ordering",
    "functional",
    "override",
    "sharetree",
    "urgency",
    "history",
    "crossed",
    "altered",
    "shipped",
)


def every_part(derivation: Derivation) -> Iterator[Derivation]:
    yield derivation
    for part in derivation.parts:
        yield from every_part(part)


def named(derivation: Derivation) -> dict[str, Derivation]:
    return {part.name: part for part in every_part(derivation)}


def arithmetic_value(text: str) -> float:
    """What a text comes to, which is made of rounded numbers."""
    assert re.fullmatch(r"[-+0-9.e×/() ²]+", text), text
    return float(eval(text.replace("×", "*").replace("²", "**2")))


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("number", range(2))
def test_of_drawn_clusters_every_derivation_is_the_engines_number(name: str, number: int) -> None:
    looked_at = 0
    for world, given in rounds(name, number):
        run = simulate(world, given)
        explainer = Explainer(run)
        for run_job in run.jobs:
            for task, tickets in run_job.tickets.items():
                if not run_job.split.takes_part:
                    continue
                derivation = explainer.derivation(run_job.id, task)
                assert derivation is not None
                looked_at += 1
                parts, urgency = named(derivation), run_job.urgency
                nurg, npprior = run.formula.ticketless.normalised(run_job)
                engine = {
                    "prior": tickets.prior, "ntckts": tickets.ntckts, "tckts": tickets.total, "otckt": tickets.override,
                    "ftckt": tickets.functional, "stckt": tickets.share_tree, "nurg": nurg, "npprior": npprior,
                    "urg": urgency.total, "rrcontr": urgency.requirements, "wtcontr": urgency.waiting,
                    "dlcontr": urgency.deadline,
                }  # fmt: skip
                for column, value in engine.items():
                    if column in parts:
                        assert parts[column].value == pytest.approx(value, rel=1e-9, abs=1e-9), (
                            column,
                            run_job.id,
                            task,
                        )
                for part in every_part(derivation):
                    if part.arithmetic:
                        assert arithmetic_value(part.arithmetic) == pytest.approx(part.value, rel=1e-2, abs=1e-3)
    assert looked_at


def test_shares_are_divided_down_to_the_tasks_that_count() -> None:
    """By tickets.md#functional-tickets-of-running-tasks: total × weight × shares/all shares / tasks."""
    on = cluster(
        queue("all.q", "h1", 9),
        scheduler(weight_tickets_functional=1_000_000, weight_user="0.25", weight_department="0.25",
                  weight_project="0.25", weight_job="0.25"),
        user("anna", fshare=100), user("bert", fshare=200), config_object(Kind.PROJECT, "sea", {"name": "sea"}),
    )  # fmt: skip
    jobs = [running(number, "all.q@h1") for number in range(1, 5)]
    pending = [job(5, owner="bert"), job(6)]
    explainer = Explainer(simulate(on, state((*jobs, *pending))))
    ftckt = named(derived(explainer, 6))["ftckt"]
    assert ftckt.arithmetic == "1000000 × 0.25 × 100/300 / 5"
    assert ftckt.value == pytest.approx(1_000_000 / 4 / 3 / 5)
    first = named(derived(explainer, 5))["ftckt"]
    assert first.arithmetic == "1000000 × 0.25 × 200/300"
    counting = {part.name: part.origin for part in every_part(ftckt)}
    assert counting["tasks that count"] == "job 1, 2, 3, 4, 6"
    assert counting["all fshare that count"] == "anna 100 + bert 200"


def derived(explainer: Explainer, number: int) -> Derivation:
    derivation = explainer.derivation(number)
    assert derivation is not None
    return derivation


def test_what_a_job_asks_for_and_its_deadline_stand_with_their_urgency() -> None:
    """By priority.md#resource-contribution and priority.md#deadline-contribution."""
    on = cluster(attribute("gpu gpu INT <= YES NO 0 100"), queue("all.q", "h1", 1), scheduler(weight_deadline=3600))
    parts = named(derived(Explainer(simulate(on, state((job(1, "-l gpu=3"), job(2))))), 1))
    assert parts["rrcontr"].arithmetic == "1000 + 300"
    assert parts["-l gpu=3"].arithmetic == "3 × 100 × 1"
    assert parts["nurg"].value == 1


@pytest.mark.parametrize("formulas", [name for name in FORMULAS if name != "grid-engine"])
def test_other_formulas_come_to_their_own_numbers(formulas: str) -> None:
    on = cluster(queue("all.q", "h1", 1), scheduler(weight_tickets_functional=100), user("anna", fshare=7))
    given = state((running(1, "all.q@h1"), job(2, "-p -7", owner="bert"), job(3)))
    run = simulate(on, given, formulas=FORMULAS[formulas])
    explainer = Explainer(run)
    for run_job in run.jobs:
        for task, tickets in run_job.tickets.items():
            assert derived_task(explainer, run_job.id, task).value == pytest.approx(tickets.prior)


def derived_task(explainer: Explainer, number: int, task: int) -> Derivation:
    derivation = explainer.derivation(number, task)
    assert derivation is not None
    return derivation


def test_what_takes_no_part_has_no_derivation() -> None:
    explainer = Explainer(simulate(cluster(queue("all.q", "h1", 1)), state((job(1, "-h"),))))
    assert explainer.derivation(1) is None
