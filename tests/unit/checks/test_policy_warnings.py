"""Weights and tickets of which one says yes and the other no."""

import pytest

from qmon_tui.checks.policy_warnings import quota_warnings, scheduler_warnings, sharetree_warnings
from qmon_tui.model import ConfigObject, Kind, config_object
from tests.unit.scheduler.building import (
    attribute,
    cluster,
    configuration,
    project,
    scheduler,
    sharetree,
    user,
    userset,
)

FUNCTIONAL = {"weight_tickets_functional": 9, "weight_ticket": 0.5}
HALVES = {"weight_user": 0.5, "weight_project": 0.5, "weight_department": 0, "weight_job": 0}
RICH, TREE = user("ann", fshare=1), sharetree(ann=1)


@pytest.mark.parametrize(
    ("fields", "others", "rules"),
    [
        ({}, (), []),
        ({"weight_ticket": 0}, (), []),
        ({"weight_ticket": 0}, (user("ann", oticket=1),), ["weight_ticket.zero"]),
        ({"weight_ticket": 0.1}, (user("ann", oticket=1),), []),
        ({**FUNCTIONAL, **HALVES}, (RICH,), []),
        ({**FUNCTIONAL, **HALVES, "weight_ticket": 0}, (RICH,), ["weight_ticket.zero"]),
        ({**FUNCTIONAL, **HALVES}, (), ["functional.nobody"]),
        ({**FUNCTIONAL, **HALVES}, (project("sea", fshare=2),), []),
        ({**FUNCTIONAL, **HALVES}, (userset("physics", "ann", "DEPT", fshare=2),), []),
        ({**FUNCTIONAL, **HALVES}, (configuration(auto_user_fshare=3),), []),
        ({}, (RICH,), ["functional.no_tickets"]),
        ({**FUNCTIONAL, **HALVES, "weight_user": 0.6}, (RICH,), ["functional.weights"]),
        ({**FUNCTIONAL, **HALVES, "weight_user": 0.500001}, (RICH,), []),
        ({**FUNCTIONAL, **HALVES, "weight_user": 0, "weight_project": 0}, (RICH,), ["functional.no_weight"]),
        ({"weight_tickets_share": 9, "weight_ticket": 1}, (), ["share.no_tree"]),
        ({"weight_tickets_share": 9, "weight_ticket": 1}, (TREE,), []),
        ({"weight_tickets_share": 9, "weight_ticket": 0}, (TREE,), ["weight_ticket.zero"]),
        ({"weight_urgency": 0}, (), []),
        ({"weight_urgency": 0}, (attribute("gpu gpu INT <= YES YES 0 5"),), ["weight_urgency.zero"]),
        ({"weight_urgency": 0}, (attribute("gpu gpu INT <= YES YES 0 0"),), []),
        ({"weight_urgency": 0.1}, (attribute("gpu gpu INT <= YES YES 0 5"),), []),
        ({"max_reservation": 1, "default_duration": "infinity"}, (), ["reservation.endless"]),
        ({"max_reservation": 1, "default_duration": "1:0:0"}, (), []),
        ({"max_reservation": 0, "default_duration": "INFINITY"}, (), []),
    ],
)
def test_a_scheduler(fields: dict[str, object], others: tuple[ConfigObject, ...], rules: list[str]) -> None:
    on = cluster(*others)
    told = [finding.rule for finding in scheduler_warnings(on, scheduler(**fields))]
    assert told == [f"scheduler.{rule}" for rule in rules]


@pytest.mark.parametrize(("tickets", "is_told"), [(0, True), (1, False)])
def test_a_share_tree_has_tickets_to_divide(tickets: int, is_told: bool) -> None:
    on = cluster(scheduler(weight_tickets_share=tickets), TREE)
    tree = on.objects(Kind.SHARETREE)["sharetree"]
    assert len(list(sharetree_warnings(on, tree))) == is_told


@pytest.mark.parametrize(
    ("limit", "complexes", "rules"),
    [
        ("to slots=1", (), []),
        ("to h_vmem=1G", (), ["limit.voluntary"]),
        ("to h_rt=3600", (), ["limit.voluntary"]),
        ("to h_vmem=1G", (attribute("h_vmem h_vmem MEMORY <= FORCED NO 0"),), []),
        ("to h_vmem=1G", (attribute("h_vmem h_vmem MEMORY <= YES YES 1G"),), []),
        ("to h_vmem=1G", (attribute("h_vmem h_vmem MEMORY <= YES YES 1"),), []),
        ("to h_vmem=1G", (attribute("h_vmem h_vmem MEMORY <= YES YES 0"),), ["limit.voluntary"]),
        ("to lic=1", (attribute("lic lic INT <= YES YES 0"),), []),
        ("to lic=1", (attribute("lic lic INT <= NO YES 0"),), ["limit.unrequestable"]),
        ("to lic=1", (attribute("lic lic INT <= NO YES 1"),), []),
        ("to gone=1", (), []),
        ("users ann to slots=1\nusers ann to slots=2", (), ["limit.unreachable"]),
        ("users ann to slots=1\nusers bob to slots=2", (), []),
        ("no rule\nto h_rt=3600", (), []),
    ],
)
def test_limits_of_quotas(limit: str, complexes: tuple[ConfigObject, ...], rules: list[str]) -> None:
    quota = config_object(Kind.QUOTA, "max", {"limit": limit})
    assert [finding.rule for finding in quota_warnings(cluster(*complexes), quota)] == [
        f"quota.{rule}" for rule in rules
    ]
