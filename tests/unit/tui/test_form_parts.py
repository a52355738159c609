"""The parts of forms that are plain functions: scopes, amounts, tables, matching names, choices."""

import pytest
from hypothesis import given, strategies as st

from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import Cluster, ConfigObject, config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.tui.forms.dialogs.amount_dialogs import MemoryParts, TimeParts, memory_parts, time_parts, valid_amount
from qmon_tui.tui.forms.editors import candidates_of, choices_of, fields_of
from qmon_tui.tui.forms.field_edits import FieldInput, changes_for, next_choice, typed_text
from qmon_tui.tui.forms.name_matching import best_matches, match_rank
from qmon_tui.tui.forms.name_value_tables import entries_table, subordinates_table
from qmon_tui.tui.forms.scopes import DEFAULT, Scope, instance_values, scoped_value, scopes_of, with_scoped
from qmon_tui.values.number import parse_number

SLOTS = spec(Kind.QUEUE).by_name["slots"]
HOSTLIST = spec(Kind.QUEUE).by_name["hostlist"]
COMPLEX_VALUES = spec(Kind.QUEUE).by_name["complex_values"]


def queue(**values: str) -> ConfigObject:
    return config_object(Kind.QUEUE, "all.q", {"qname": "all.q", "hostlist": "@all", **values})


def cluster(*objects: ConfigObject) -> Cluster:
    groups = {"@all": "node01 node02", "@big": "node01", "@odd": "node01", "@far": "node02 node77"}
    return Cluster().with_objects(
        [
            *(config_object(Kind.HOSTGROUP, name, {"hostlist": hosts}) for name, hosts in groups.items()),
            *(config_object(Kind.HOST, name, {}) for name in ("global", "node01", "node02")),
            *objects,
        ]
    )


# Scopes: who has a value of his own, and where the others take theirs from


def test_groups_come_before_hosts_with_the_number_of_their_fields_and_detached_ones_marked() -> None:
    obj = queue(slots="1,[node01=4],[@big=8],[node77=2]", seq_no="0,[@big=1],[@far=2]")
    assert scopes_of(cluster(obj), obj) == (
        Scope("@big", 2, False),
        Scope("@far", 1, True),
        Scope("node01", 1, False),
        Scope("node77", 1, True),
    )


def test_inherited_values_say_where_they_come_from() -> None:
    obj = queue(slots="1,[@big=8],[node02=2]")
    seen = cluster(obj)
    here = {key: scoped_value(seen, obj, SLOTS, key) for key in (DEFAULT, "@big", "@all", "node01", "node02")}
    assert {key: (value.text, value.own, value.origin) for key, value in here.items()} == {
        DEFAULT: ("1", True, ""),
        "@big": ("8", True, ""),
        "@all": ("1", False, "all hosts"),
        "node01": ("8", False, "@big"),
        "node02": ("2", True, ""),
    }


def test_a_host_in_two_groups_that_differ_is_ambiguous_and_takes_the_default() -> None:
    obj = queue(slots="1,[@big=8],[@odd=4]")
    value = scoped_value(cluster(obj), obj, SLOTS, "node01")
    assert (value.text, value.own, value.ambiguous) == ("1", False, True)
    first, second = instance_values(cluster(obj), obj, SLOTS)
    assert (first.host, first.value.text, first.value.ambiguous) == ("node01", "1", True)
    assert "@big" in first.origin
    assert "@odd" in first.origin
    assert (second.host, second.origin) == ("node02", "default")


@pytest.mark.parametrize(
    ("text", "scope", "value", "expected"),
    [
        ("1", DEFAULT, "4", "4"),
        ("1,[node01=4]", DEFAULT, "2", "2,[node01=4]"),
        ("1,[node01=4]", DEFAULT, None, "1,[node01=4]"),
        ("7,[node01=4]", DEFAULT, None, "1,[node01=4]"),
        ("7", DEFAULT, None, None),
        ("1", "node01", "4", "1,[node01=4]"),
        ("1,[node01=4]", "node01", None, "1"),
        ("1,[node01=4]", "@big", "8", "1,[@big=8],[node01=4]"),
        ("1", DEFAULT, "2,[@big=8]", "2,[@big=8]"),
    ],
)
def test_setting_a_value_for_one_scope_leaves_the_others(
    text: str, scope: str, value: str | None, expected: str | None
) -> None:
    assert with_scoped(queue(slots=text), SLOTS, scope, value) == expected


def test_a_field_whose_overrides_cannot_be_read_is_edited_as_a_whole() -> None:
    obj = queue(slots="1 [node01=4]")
    assert with_scoped(obj, SLOTS, DEFAULT, "2") == "2"
    assert scoped_value(cluster(obj), obj, SLOTS, DEFAULT).text == "1 [node01=4]"


@given(st.sampled_from(["node01", "@big", DEFAULT]), st.from_regex(r"[0-9]{1,4}", fullmatch=True))
def test_what_is_set_for_a_scope_is_what_the_scope_then_has(scope: str, value: str) -> None:
    obj = queue(slots="1,[@big=8],[node02=3]")
    changed = obj.with_value("slots", with_scoped(obj, SLOTS, scope, value))
    seen = scoped_value(cluster(changed), changed, SLOTS, scope)
    assert (seen.text, seen.own) == (value, True)


# Times and amounts of memory


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("24:00:00", TimeParts(1, 0, 0, 0)),
        ("90000", TimeParts(1, 1, 0, 0)),
        ("1:61:61", TimeParts(0, 2, 2, 1)),
        ("INFINITY", TimeParts(infinite=True)),
        ("no time", TimeParts()),
        ("-5", TimeParts()),
    ],
)
def test_times_are_taken_apart(text: str, parts: TimeParts) -> None:
    assert time_parts(text) == parts


@given(st.integers(0, 10**8))
def test_a_time_put_together_again_is_the_same_time(seconds: int) -> None:
    assert parse_number(time_parts(str(seconds)).text) == seconds


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("1.5G", MemoryParts("1.5", "G")),
        ("1024", MemoryParts("1", "K")),
        ("1000", MemoryParts("1000", "bytes")),
        ("2k", MemoryParts("2", "k")),
        ("0", MemoryParts("0", "bytes")),
        ("infinity", MemoryParts(unit="G", infinite=True)),
        ("lots", MemoryParts()),
    ],
)
def test_memory_is_taken_apart(text: str, parts: MemoryParts) -> None:
    assert memory_parts(text) == parts


@given(st.integers(0, 2**50))
def test_memory_put_together_again_is_the_same_amount(amount: int) -> None:
    assert parse_number(memory_parts(str(amount)).text) == amount


def test_a_unit_may_only_follow_a_number() -> None:
    assert [valid_amount(text) for text in ("1.5", "2", "1G", "1:0:0", "", "x")] == [True, True, *[False] * 4]


# Names found by a few letters


def test_the_best_match_comes_first() -> None:
    assert best_matches(["my_gpu", "gpu_mem", "gpu", "g_p_u", "cpu"], "gpu") == ["gpu", "gpu_mem", "my_gpu", "g_p_u"]
    assert best_matches(["b", "a"], "") == ["b", "a"]


@given(st.text("abcde", max_size=8), st.text("abcde", max_size=8))
def test_any_part_of_a_name_finds_it(start: str, end: str) -> None:
    assert match_rank(start + end, end) is not None


# Tables of names and values


def attributes() -> Cluster:
    def entry(name: str, kind: str, consumable: str, shortcut: str = "") -> ConfigObject:
        values = {"name": name, "shortcut": shortcut or name, "type": kind, "consumable": consumable}
        return config_object(Kind.COMPLEX, name, values)

    return Cluster().with_objects(
        [
            entry("np_load_avg", "DOUBLE", "NO", "nla"),
            entry("arch", "STRING", "NO"),
            entry("gpu", "INT", "JOB"),
            entry("h_vmem", "MEMORY", "YES"),
        ]
    )


def test_entries_show_type_words_and_mistakes() -> None:
    table = entries_table(attributes(), COMPLEX_VALUES, "h_vmem=1.5G gpu=x,nope=1")
    assert table is not None
    assert [(row.name, row.value) for row in table.rows] == [("h_vmem", "1.5G"), ("gpu", "x"), ("nope", "1")]
    assert table.rows[0].note == "MEMORY, consumable per slot, 1.5 GiB"
    assert [bool(row.problem) for row in table.rows] == [False, True, True]


def test_entries_can_be_added_changed_and_taken_away() -> None:
    table = entries_table(attributes(), COMPLEX_VALUES, "NONE")
    assert table is not None
    grown = table.with_added("gpu")
    assert grown.rows[0].problem == "a value is missing"
    assert grown.with_value(0, "2").text == "gpu=2"
    assert grown.with_value(0, "2").with_added("h_vmem").with_value(1, "1G").without(0).text == "h_vmem=1G"
    assert grown.without(0).text == "NONE"


def test_consumables_are_offered_first_and_for_thresholds_load_values() -> None:
    offers = entries_table(attributes(), COMPLEX_VALUES, "gpu=1")
    assert offers is not None
    assert [name for name, _ in offers.picks()] == ["h_vmem", "np_load_avg", "arch"]
    thresholds = entries_table(attributes(), spec(Kind.QUEUE).by_name["load_thresholds"], "NONE")
    assert thresholds is not None
    assert thresholds.picks()[0][0] == "np_load_avg"


def test_entries_that_cannot_be_read_have_no_table() -> None:
    assert entries_table(attributes(), COMPLEX_VALUES, "gpu=") is None


def queues() -> Cluster:
    return Cluster().with_objects([config_object(Kind.QUEUE, name, {}) for name in ("all.q", "low.q", "mid.q")])


def test_queue_wise_subordinates_have_thresholds() -> None:
    table = subordinates_table(queues(), "all.q", "low.q=4, mid.q")
    assert table is not None
    assert [(row.name, row.value) for row in table.rows] == [("low.q", "4"), ("mid.q", "")]
    assert table.picks() == ()
    assert table.text == "low.q=4, mid.q"
    assert table.with_value(1, "x").rows[1].problem


def test_slot_wise_subordinates_share_a_number_of_slots() -> None:
    table = subordinates_table(queues(), "all.q", "slots=8(low.q:1:lr)")
    assert table is not None
    assert [(row.name, row.value, row.fixed) for row in table.rows] == [
        ("slots", "8", True),
        ("low.q", "1:lr", False),
    ]
    assert table.with_value(0, "4").with_added("mid.q").text == "slots=4(low.q:1:lr, mid.q:0:sr)"
    assert table.without(0).text == table.text
    assert table.without(1).text == "NONE"
    assert table.with_value(0, "0").rows[0].problem


def test_a_list_can_be_written_the_other_way() -> None:
    table = subordinates_table(queues(), "all.q", "low.q=4")
    assert table is not None
    assert table.switched().text == "slots=1(low.q:0:sr)"
    assert table.switched().switched().text == "low.q"


# What an input means


def typing(scope: str = DEFAULT, *, whole: bool = False) -> FieldInput:
    return FieldInput(SLOTS, scope, whole, "1,[node01=4]", "1")


def test_an_empty_input_is_the_default_or_what_is_inherited() -> None:
    obj = queue(slots="5,[node01=4]")
    assert typed_text(obj, typing(), "") == "1,[node01=4]"
    assert typed_text(obj, typing("node01"), "") == "5"
    assert typed_text(obj, typing(whole=True), "") is None
    assert typed_text(obj, typing(whole=True), "3") == "3"


def test_a_value_that_is_there_already_is_no_change() -> None:
    assert changes_for(queue(slots="4"), SLOTS, DEFAULT, "4") == {}
    assert changes_for(queue(slots="4"), SLOTS, "node01", "5") == {"slots": "4,[node01=5]"}
    assert changes_for(queue(), SLOTS, DEFAULT, "1") == {}, "the template's default, which saving would not write"


def test_choices_are_stepped_through_in_any_case() -> None:
    assert next_choice(("TRUE", "FALSE"), "true") == "FALSE"
    assert next_choice(("TRUE", "FALSE"), "FALSE") == "TRUE"
    assert next_choice(("A", "B"), "odd") == "A"


def test_references_offer_what_exists() -> None:
    calendar = spec(Kind.QUEUE).by_name["calendar"]
    seen = cluster(config_object(Kind.CALENDAR, "night", {}))
    assert choices_of(seen, queue(), calendar).options == ("NONE", "night")
    assert candidates_of(seen, HOSTLIST, queue()) == ("@all", "@big", "@odd", "@far", "node01", "node02")


def test_a_hostgroup_is_not_offered_itself() -> None:
    group = config_object(Kind.HOSTGROUP, "@all", {})
    hostlist = spec(Kind.HOSTGROUP).by_name["hostlist"]
    assert "@all" not in candidates_of(cluster(), hostlist, group)


def test_fields_of_another_dialect_are_kept_and_shown() -> None:
    obj = queue(jc_list="ANY_JC", slots="1")
    extra = fields_of(obj)[-1]
    assert (extra.name, extra.group) == ("jc_list", "Other")
    assert changes_for(obj, extra, DEFAULT, "NO_JC") == {"jc_list": "NO_JC"}
