"""Warnings for hosts, groups, environments, people, quotas, the scheduler and the configuration."""

import pytest

from qmon_tui.checks import check_object
from qmon_tui.formats.qconf.quotas import read_quotas
from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import Cluster, ConfigObject, config_object
from qmon_tui.model.findings import Severity
from qmon_tui.model.kinds import Kind
from tests.unit.checks.recorded import context, errors, warnings

USER = config_object(
    Kind.QUEUE,
    "user.q",
    {
        "hostlist": "vs1",
        "seq_no": "0,[@rack=1]",
        "pe_list": "mpi four idle",
        "ckpt_list": "ck",
        "calendar": "night",
        "user_lists": "staff",
    },
)
"""A queue that names what would otherwise be said to be unused."""


WEIGHTS = ("weight_user", "weight_project", "weight_department", "weight_job")
NO_WEIGHT = {"weight_ticket": "0", "weight_tickets_functional": "9"}


def used() -> Cluster:
    return context().with_objects([USER, config_object(Kind.USER, "rich", {"fshare": "1"})])


def tried(kind: Kind, name: str, values: dict[str, str]) -> ConfigObject:
    """The object, a scheduler with functional tickets for those who have shares."""
    return config_object(kind, name, {"weight_tickets_functional": "9", **values} if kind is Kind.SCHEDULER else values)


QUOTA = "hosts {@val_g1,vs1} projects val_prj pes !val_pe users @val_acl,eve to slots=1"


@pytest.mark.parametrize(
    ("kind", "name", "values"),
    [
        (Kind.HOST, "vs1", {"complex_values": "val_int=4,val_mem=64G,slots=16", "user_lists": "val_acl"}),
        (Kind.HOST, "global", {"complex_values": "val_int=4"}),
        (Kind.HOSTGROUP, "@rack", {"hostlist": "vs1 vs2 @val_g1"}),
        (Kind.PE, "mpi", {"slots": "999", "allocation_rule": "$round_robin"}),
        (Kind.PE, "four", {"slots": "999", "allocation_rule": "4"}),
        (Kind.CKPT, "ck", {"when": "sx", "signal": "USR2"}),
        (Kind.CALENDAR, "night", {"week": "mon-fri=8-18=off"}),
        (Kind.USERSET, "staff", {"type": "ACL", "entries": "ann,bob,@wheel"}),
        (Kind.USERSET, "physics", {"type": "ACL DEPT", "fshare": "100", "entries": "ann"}),
        (Kind.PROJECT, "apollo", {"fshare": "100", "acl": "val_acl"}),
        (Kind.USER, "ann", {"fshare": "100", "default_project": "val_prj"}),
        (Kind.QUOTA, "max", {"limit": QUOTA, "enabled": "TRUE"}),
        (Kind.SCHEDULER, "scheduler", {}),
        (Kind.SCHEDULER, "scheduler", {"load_formula": "np_load_avg-slots*0.1", "params": "MONITOR=1"}),
        (Kind.CONFIGURATION, "global", {"load_sensor": "/opt/a,/opt/b", "prolog": "root@/p $job_id", "max_jobs": "5"}),
    ],
)  # fmt: skip
def test_nothing_is_said_of_healthy_objects(kind: Kind, name: str, values: dict[str, str]) -> None:
    assert check_object(used(), tried(kind, name, values)) == ()


@pytest.mark.parametrize(
    ("kind", "name", "values", "rule", "words"),
    [
        (Kind.HOST, "vs1", {"complex_values": "val_int=1,vi=2"}, "complex_values.repeated", '"val_int"'),
        (Kind.HOST, "vs1", {"complex_values": "val_int=0.5"}, "complex_values.meaning", "whole number"),
        (Kind.HOST, "vs1", {"projects": "val_prj", "xprojects": "val_prj"}, "access.both", "denied"),
        (Kind.HOSTGROUP, "@rack", {"hostlist": "vs1 elsewhere"}, "hostlist.unknown", '"elsewhere"'),
        (Kind.PE, "mpi", {"allocation_rule": "fill_up"}, "allocation_rule", '"fill_up"'),
        (Kind.PE, "mpi", {"allocation_rule": "0"}, "allocation_rule", '"0"'),
        (Kind.USERSET, "staff", {"entries": "ann bob"}, "entries.blank", "matches nobody"),
        (Kind.USERSET, "staff", {"type": "ACL", "fshare": "5"}, "acl.unused", "fshare"),
        (Kind.USERSET, "physics", {"type": "DEPT", "entries": "nobody"}, "departments", '"val_dept"'),
        (Kind.QUOTA, "max", {"limit": "name a users ann to slots=1\nname a to slots=2"}, "limit.names", '"a"'),
        (Kind.QUOTA, "max", {"limit": "hosts @nope to slots=1"}, "filter", '"@nope"'),
        (Kind.QUOTA, "max", {"limit": "queues a*,nope to slots=1"}, "filter", '"nope"'),
        (Kind.QUOTA, "max", {"limit": "users ann,{@val_acl,!@nope} to slots=1"}, "filter", '"@nope"'),
        (Kind.QUOTA, "max", {"limit": "users ann"}, "limit.none", "to is missing"),
        (Kind.QUOTA, "max", {"limit": "users ann to NONE"}, "limit.none", "the rule limits nothing"),
        (Kind.QUOTA, "max", {"limit": "users ann to slots=1,s=1"}, "limit.twice", '"slots"'),
        (
            Kind.SCHEDULER,
            "scheduler",
            {"job_load_adjustments": "nope=1"},
            "job_load_adjustments.name",
            '"nope"',
        ),
        (Kind.SCHEDULER, "scheduler", {"job_load_adjustments": "cpu=x"}, "job_load_adjustments.value", '"x"'),
        (Kind.SCHEDULER, "scheduler", {"queue_sort_method": "share"}, "queue_sort_method", "stored as load"),
        (Kind.PE, "spare", {}, "unused", "pe_list"),
        (Kind.CKPT, "spare", {}, "unused", "ckpt_list"),
        (Kind.CALENDAR, "spare", {"week": "mon=off"}, "unused", 'No queue uses calendar "spare"'),
        (Kind.CALENDAR, "night", {"week": "mon-sun"}, "closed", "never opens"),
        (Kind.CALENDAR, "night", {"week": "mon-sun=0-24=suspended"}, "closed", "never opens"),
        (Kind.USERSET, "spare", {"entries": "ann"}, "unused", "Nothing uses access list"),
        (Kind.QUOTA, "max", {"limit": "to slots=9\nusers ann to slots=1"}, "limit.unreachable", "rule 2"),
        (
            Kind.QUOTA,
            "max",
            {"limit": "users a,b to slots=9\nusers b hosts {*} to slots=1"},
            "limit.unreachable",
            "rule 1",
        ),
        (Kind.QUOTA, "max", {"limit": "users {*} to h_rt=3600"}, "limit.voluntary", '"h_rt"'),
        (
            Kind.SCHEDULER,
            "scheduler",
            {"weight_ticket": "0", "weight_tickets_functional": "9"},
            "weight_ticket.zero",
            "count",
        ),
        (Kind.SCHEDULER, "scheduler", {"weight_tickets_functional": "0"}, "functional.no_tickets", "user rich"),
        (Kind.SCHEDULER, "scheduler", dict.fromkeys(WEIGHTS, "0"), "functional.no_weight", "weight_user"),
        (Kind.SCHEDULER, "scheduler", {"max_reservation": "9"}, "reservation.endless", "h_rt"),
        (Kind.CONFIGURATION, "global", {"max_unheard": "banana"}, "meaning", "counts as 0"),
        (Kind.CONFIGURATION, "global", {"auto_user_default_project": "nope"}, "auto_user.project", '"nope"'),
    ],
)
def test_one_warning(kind: Kind, name: str, values: dict[str, str], rule: str, words: str) -> None:
    obj = tried(kind, name, values)
    assert errors(used(), obj) == []
    findings = warnings(used(), obj)
    assert [finding.rule for finding in findings] == [f"{kind.value}.{rule}"]
    assert words in findings[0].message


def test_an_access_list_gets_no_tickets_afterwards() -> None:
    """-Au lets it through, -Mu does not (userset.md#fshare)."""
    changed = context().objects(Kind.USERSET)["val_acl"].with_value("oticket", "5")
    assert [finding.message for finding in errors(context(), changed)] == ['not allowed to set "oticket" for ACL lists']


def test_cycles_of_groups_are_found_from_each_of_them() -> None:
    inner = context().objects(Kind.HOSTGROUP)["@val_g1"].with_value("hostlist", "vs1 @val_g3")
    cycle = 'Hostgroup "@val_g3" in specification of "@val_g1" would create a cycle'
    assert [finding.message for finding in errors(context(), inner)] == [cycle]
    outer = context().with_object(inner).objects(Kind.HOSTGROUP)["@val_g3"]
    assert [finding.rule for finding in errors(context().with_object(inner), outer)] == ["hostgroup.hostlist.cycle"]


@pytest.mark.parametrize(
    "limit",
    [
        "users ann to slots=1\nto slots=9",
        "projects * to slots=9\nusers ann to slots=1",
        "users {*,!ann} to slots=9\nusers ann to slots=1",
        "users a to slots=9\nusers a,b to slots=1",
        "users {*} to val_int=9",
    ],
)
def test_rules_that_are_reached_and_felt(limit: str) -> None:
    assert warnings(used(), config_object(Kind.QUOTA, "max", {"limit": limit})) == []


def test_a_calendar_that_is_on_at_some_date_opens() -> None:
    calendar = config_object(Kind.CALENDAR, "night", {"week": "mon-sun", "year": "24.12.2030=on"})
    assert warnings(used(), calendar) == []


def test_nodes_that_nobody_counts_are_never_read() -> None:
    """The real qmaster accepted it: the second node is the only child, the rest is not looked at."""
    lines = ["id=0", "name=Root", "type=0", "shares=1", "childnodes=77"]
    lines += ["id=1", "name=val_prj", "type=0", "shares=4", "childnodes=NONE"]
    lines += ["id=2", "name=lost", "type=1", "shares=1.5", "childnodes=NONE"]
    tree = config_object(Kind.SHARETREE, "sharetree", {"tree": "\n".join(lines)})
    assert errors(context(), tree) == []


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ("0", []),
        ("0x10", []),
        ("-0.5", ['error: parameter "shares" must be a positive number']),
        ("-5x", ['error: parameter "shares" must be a positive number']),
        ("0.5", ['error: "0.5" is not an u_long32 value']),
        ("4294967295", []),
        ("4294967296", ['error: "4294967296" is not an u_long32 value']),
        ("5x", ['error: error parsing unsigned long value from string "5x"']),
    ],
)
def test_shares_are_a_count(shares: str, said: list[str]) -> None:
    """sharetree.md, values.md#counts."""
    tree = (
        f"id=0\nname=Root\ntype=0\nshares={shares}\nchildnodes=1\nid=1\nname=default\ntype=0\nshares=1\nchildnodes=NONE"
    )
    found = errors(context(), config_object(Kind.SHARETREE, "sharetree", {"tree": tree}))
    assert [finding.message for finding in found] == said


@pytest.mark.parametrize(
    "rule", ["limit users {*} to slots=1", "users {*} to slots= 1", "hosts vs1 to slots= 1, val_int= 2"]
)
def test_rules_are_read_as_qconf_reads_them(rule: str) -> None:
    obj = config_object(Kind.QUOTA, "max", {"limit": rule})
    assert check_object(used(), obj) == ()


@pytest.mark.parametrize(
    ("rule", "lacking"),
    [
        ("users {*} slots=5", "to is missing. A rule has"),
        ("users {a,b to slots=1", "} is missing after users."),
        ("users {a, b} to slots=1", "There are no blanks in users {...}."),
        ("users {*}to slots=5", "A blank is missing after } of users."),
        ("users {*} to slots", "A limit is missing: slots=VALUE."),
        ("groups ann to slots=1", "A rule has"),
    ],
)
def test_a_rule_that_cannot_be_read_says_what_it_lacks(rule: str, lacking: str) -> None:
    (finding,) = errors(used(), config_object(Kind.QUOTA, "max", {"limit": rule}))
    assert finding.hint.startswith(lacking)
    assert finding.hint.endswith(f"In the rule: {rule}")


def test_functional_weights_that_do_not_add_up_to_one_are_told_as_they_count() -> None:
    obj = tried(Kind.SCHEDULER, "scheduler", {"weight_user": "1"})
    (finding,) = check_object(used(), obj)
    assert (finding.rule, finding.severity) == ("scheduler.functional.weights", Severity.INFO)
    assert "add up to 1.75, not to 1" in finding.message
    assert "weight_user 0.5714, weight_project 0.1429" in finding.hint
    thirds = dict.fromkeys(WEIGHTS[1:], "0.333333") | {"weight_user": "0"}
    for healthy in (thirds, {"weight_tickets_functional": "0", "weight_user": "1"}):
        found = check_object(used(), tried(Kind.SCHEDULER, "scheduler", healthy))
        assert "scheduler.functional.weights" not in {finding.rule for finding in found}


@pytest.mark.parametrize("sign", ["\x1f", "\x0b", "\x0c", "\x1c", "\u2028", "\x85", "\u3000"])
def test_signs_that_part_words_without_any_word_stop_no_check(sign: str) -> None:
    """They are no blanks to qconf, so that such a value is not empty."""
    for kind in (Kind.QUEUE, Kind.PE, Kind.CKPT, Kind.HOST, Kind.USERSET, Kind.PROJECT, Kind.SCHEDULER, Kind.CALENDAR):
        for field in spec(kind).fields:
            obj = config_object(kind, "x", {field.name: sign})
            check_object(Cluster().with_object(obj), obj)
    for text in (f"{{ {sign}\n", f"{{\n name {sign}\n limit {sign}\n}}\n"):
        read_quotas(text, "file")


@pytest.mark.parametrize(
    ("configuration", "policies", "is_told"),
    [
        ({}, {}, True),
        ({"auto_user_delete_time": "0"}, {}, False),
        ({"auto_user_delete_time": "7200"}, {}, False),  # twice the half-life
        ({"auto_user_delete_time": "3600"}, {}, False),
        ({"auto_user_delete_time": "3599"}, {}, True),
        ({"enforce_user": "true"}, {}, False),
        ({}, {"weight_tickets_share": "0"}, False),
    ],
)
def test_automatic_users_that_go_with_their_usage(
    configuration: dict[str, str], policies: dict[str, str], is_told: bool
) -> None:
    scheduler = {"halftime": "1", "weight_tickets_share": "9", **policies}
    values = {"enforce_user": "auto", "auto_user_delete_time": "60", **configuration}
    tree = config_object(Kind.SHARETREE, "sharetree", {"tree": "id=0\nname=Root\ntype=0\nshares=1\nchildnodes=NONE"})
    on = used().with_objects([config_object(Kind.SCHEDULER, "scheduler", scheduler), tree])
    for name, told in (("global", is_told), ("vs1", False)):
        obj = config_object(Kind.CONFIGURATION, name, values)
        rules = [finding.rule for finding in warnings(on.with_object(obj), obj)]
        assert any("auto_user" in rule for rule in rules) is told
    alone = on.without(Kind.SHARETREE, "sharetree")
    obj = config_object(Kind.CONFIGURATION, "global", values)
    assert not [found for found in check_object(alone.with_object(obj), obj) if "auto_user" in found.rule]


@pytest.mark.parametrize(
    ("kind", "entries", "other", "told"),
    [
        ("DEPT", "ann,bob", ("DEPT", "bob,eve"), ["bob"]),
        ("ACL DEPT", "ann,bob", ("ACL DEPT", "eve,ann,bob"), ["ann", "bob"]),
        ("dept", "ann", ("dept", "ann"), ["ann"]),
        ("DEPT", "ann", ("DEPT", "bob"), []),
        ("DEPT", "ann", ("ACL", "ann"), []),
        ("ACL", "ann", ("DEPT", "ann"), []),
        ("DEPT", "ann", ("DEPT", "NONE"), []),
    ],
)
def test_who_is_in_two_departments_is_told(kind: str, entries: str, other: tuple[str, str], told: list[str]) -> None:
    sets = {"physics": (kind, entries), "first": other, "last": ("ACL", entries)}
    objects = [
        config_object(Kind.USERSET, name, {"name": name, "type": of, "entries": who})
        for name, (of, who) in sets.items()
    ]
    found = check_object(Cluster().with_objects(objects), objects[0])
    assert [each.message for each in found if each.rule == "userset.departments"] == [
        f'"{user}" is in the departments "physics" and "first"' for user in told
    ]
