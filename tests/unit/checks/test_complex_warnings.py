"""What the qmaster accepts of a complex entry, but the specification forbids or nobody can mean."""

import re
from itertools import product

import pytest

from qmon_tui.checks import check, check_object
from qmon_tui.model.cluster import Cluster, ConfigObject, config_object
from qmon_tui.model.defaults import default_complexes, default_objects
from qmon_tui.model.findings import Severity
from qmon_tui.model.kinds import Kind
from tests.unit.checks.recorded import context, errors, warnings

COLUMNS = ("name", "shortcut", "type", "relop", "requestable", "consumable", "default", "urgency")


def entry(text: str) -> ConfigObject:
    values = dict(zip(COLUMNS, text.split(), strict=True))
    return config_object(Kind.COMPLEX, values["name"], values)


@pytest.mark.parametrize(
    ("text", "rule", "field"),
    [
        ("val=x vzz INT <= YES NO 0 0", "name.unusable", "name"),
        ("val,x vzz INT <= YES NO 0 0", "name.unusable", "name"),
        ("val_zz 1:2:3 INT <= YES NO 0 0", "name.unusable", "shortcut"),
        ("val_zz [x] INT <= YES NO 0 0", "name.unusable", "shortcut"),
        ("val/x vzz INT <= YES NO 0 0", "name.characters", "name"),
        ("ALL vzz INT <= YES NO 0 0", "name.characters", "name"),
        (".val vzz INT <= YES NO 0 0", "name.characters", "name"),
        ("val_zz none INT <= YES NO 0 0", "name.characters", "shortcut"),
        (f"{'x' * 513} vzz INT <= YES NO 0 0", "name.characters", "name"),
        ("val_zz vzz INT ?? YES NO 0 0", "relop.bug", "relop"),
        ("val_zz vzz INT <= YES YES foo 0", "default.unread", "default"),
        ("val_zz vzz INT <= YES YES NONE 0", "default.unread", "default"),
        ("val_zz vzz INT <= YES JOB -1 0", "default.negative", "default"),
        ("val_zz vzz INT <= NO YES -1 0", "default.negative", "default"),
        ("val_zz vzz MEMORY <= YES YES INFINITY 0", "default.infinite", "default"),
        ("val_zz vzz MEMORY <= YES YES 1e999 0", "default.infinite", "default"),
        ("val_zz vzz INT <= NO YES 1.5 0", "default.meaning", "default"),
        ("val_zz vzz TIME <= YES YES 5m 0", "default.meaning", "default"),
        ("val_zz vzz INT <= YES NO 0 1:0:0", "urgency.meaning", "urgency"),
        ("val_zz vzz INT <= YES NO 0 TRUE", "urgency.meaning", "urgency"),
        ("val_zz vzz INT <= YES NO 0 nan", "urgency.meaning", "urgency"),
        ("min_cpu_inter vzz TIME <= YES NO 0 0", "name.hidden", "name"),
    ],
)
def test_one_warning(text: str, rule: str, field: str) -> None:
    obj = entry(text)
    assert errors(context(), obj) == []
    assert [(finding.rule, finding.field) for finding in warnings(context(), obj)] == [(f"complex.{rule}", field)]


@pytest.mark.parametrize(
    "text",
    [
        "gpu gpu INT <= YES YES 0 100",
        "lic l INT <= FORCED JOB 0 1000",
        "tmpfs t MEMORY <= YES YES 1G 0.5",
        "wall w TIME <= YES YES 0:10:0 0",
        "excl x BOOL EXCL YES YES 0 1000",
        "os o CSTRING == YES NO none 0",
        "rack r RESTRING != YES NO NONE 0",
        "ticket-2.x_y tk DOUBLE >= NO NO 0 -5",
    ],
)
def test_nothing_is_said_of_healthy_entries(text: str) -> None:
    obj = entry(text)
    offered = config_object(Kind.HOST, "vs1", {"hostname": "vs1", "complex_values": f"{obj.name}=1"})
    cluster = context().with_objects([obj, offered] if obj.text("consumable") != "NO" else [obj])
    assert check_object(cluster, obj) == ()


def test_a_consumable_that_nobody_offers_is_worth_a_word() -> None:
    obj = entry("gpu gpu INT <= YES YES 0 0")
    findings = check_object(context(), obj)
    assert [(finding.rule, finding.severity) for finding in findings] == [
        ("complex.consumable.unoffered", Severity.INFO)
    ]
    by_shortcut = config_object(Kind.QUEUE, "q", {"qname": "q", "hostlist": "vs1", "complex_values": "gpu=2"})
    assert check_object(context().with_objects([obj, by_shortcut]), obj) == ()


def test_a_fresh_cluster_is_healthy() -> None:
    fresh = Cluster().with_objects([*default_complexes(), *default_objects()])
    assert check(fresh) == ()
    assert check(Cluster()) == ()


def test_of_two_entries_with_one_shortcut_the_later_is_named_first() -> None:
    cluster = context().with_objects([entry("b_first dup INT <= YES NO 0 0"), entry("a_later dup INT <= YES NO 0 0")])
    findings = [finding for finding in check(cluster) if finding.rule == "complex.taken"]
    assert [(finding.name, finding.field, finding.message) for finding in findings] == [
        ("a_later", "shortcut", "complex with name a_later or shortcut dup already exists"),
        ("b_first", "shortcut", "complex with name b_first or shortcut dup already exists"),
    ]
    # Seen by itself each of them is the one that is too much.
    for name in ("a_later", "b_first"):
        assert errors(cluster, cluster.objects(Kind.COMPLEX)[name])[0].rule == "complex.taken"


def test_of_a_long_name_a_hundred_characters_are_told() -> None:
    obj = entry(f"{'x' * 600} vzz INT <= YES NO 0 0")
    assert [finding.message.partition(":")[0] for finding in warnings(context(), obj)] == [f'name "{"x" * 100}"']


def test_hints_about_one_entry_can_all_be_followed() -> None:
    columns = {
        "type": ("INT", "MEMORY", "BOOL", "STRING", "HOST"),
        "relop": ("==", "!=", "<=", ">=", "EXCL"),
        "consumable": ("NO", "YES", "JOB"),
        "requestable": ("YES", "NO", "FORCED"),
        "default": ("0", "5", "NONE"),
    }
    for texts in product(*columns.values()):
        entry = config_object(
            Kind.COMPLEX, "x", {"shortcut": "x", "urgency": "0", **dict(zip(columns, texts, strict=True))}
        )
        advice: dict[str, set[str]] = {}
        for finding in errors(Cluster(), entry):
            if found := re.search(r"[Ss]et (\w+) to (\S+?)[,.]", finding.hint):
                advice.setdefault(found[1], set()).add(found[2])
        assert all(len(values) == 1 for values in advice.values()), (texts, advice)
