"""configs/seeds/attributes-*: the examples of the complex attribute specification of 2003 (seed 004)."""

from itertools import product

from qmon_tui.checks import check_object
from qmon_tui.model.cluster import config_object
from qmon_tui.model.findings import Severity
from qmon_tui.model.kinds import Kind
from qmon_tui.sources import read_folder
from tests.differential.seeds import SEEDS
from tests.unit.seeds.views import hosts, instances, places, value


def test_e1_a_fixed_value_is_compared_for_each_slot_and_not_used_up() -> None:
    assert places("attributes-e1") == {"j1": {"q1@sim1": 4}, "toomuch": {}}
    assert instances("attributes-e1") == {"q1@sim1": ("", 4, 5)}
    assert value("attributes-e1", "q1@sim1", "qf:t01") == "20"


def test_e2_each_slot_uses_up_its_part() -> None:
    assert places("attributes-e2") == {"j2": {"q2@sim1": 2, "q3@sim1": 1, "q4@sim1": 1}}
    left = {name: total - used for name, (_, used, total) in instances("attributes-e2").items()}
    assert left == {"q2@sim1": 3, "q3@sim1": 0, "q4@sim1": 2}
    assert [value("attributes-e2", f"q{n}@sim1", "qc:t02") for n in (2, 3, 4)] == ["0", "20", "20"]


def test_of_what_is_given_and_what_is_reported_the_less_counts() -> None:
    assert value("attributes-override", "all.q@free1", "hf:mem_free") == "1.000G"
    assert value("attributes-override", "all.q@free2", "hl:mem_free") == "921.600M"  # 0.9 GB
    there = hosts("attributes-override")
    assert (there["all1"], there["all2"], there["most2"]) == ({"free1"}, set(), {"free2"})


def test_a_queue_may_only_allow_less() -> None:
    there = hosts("attributes-override")
    assert (there["queueless"], there["queuemore"]) == (set(), set())
    assert value("attributes-override", "less.q@less", "qf:mem_free") == "500.000M"
    assert value("attributes-override", "more.q@more", "hf:mem_free") == "1.000G"


def test_arch_is_overridden_at_the_host_and_not_in_a_queue() -> None:
    there = hosts("attributes-override")
    assert (there["given"], there["reported"], there["ofqueue"]) == ({"old"}, set(), set())


def test_strings() -> None:
    assert hosts("attributes-strings") == {
        "either": {"lx", "sol"},
        "bracket": set(),
        "anychars": {"lx", "dot"},
        "onechar": {"lx", "dot"},
        "dot": {"dot"},
        "range": {"lx", "big"},
        "exact": {"lx"},
        "anycase": {"lx", "big"},
    }


TEXTS, NUMBERS = ("STRING", "CSTRING", "HOST", "RESTRING"), ("INT", "DOUBLE", "MEMORY", "TIME")
SIX = ("==", "!=", ">=", "<=", "<", ">")


def allowed(type_: str, relop: str, consumable: str) -> bool:
    """As part 2 of the specification has it."""
    if consumable == "YES":
        return type_ in NUMBERS and relop == "<="
    return relop in {"BOOL": ("==",), **dict.fromkeys(TEXTS, ("==", "!="))}.get(type_, SIX)


def test_what_may_go_together_is_what_8_1_9_takes() -> None:
    cluster = read_folder(SEEDS / "attributes-rules").cluster
    for type_, relop, consumable in product((*TEXTS, "BOOL", *NUMBERS), SIX, ("NO", "YES")):
        default = "NONE" if type_ in TEXTS else "0"
        values = {"shortcut": "new", "type": type_, "relop": relop, "requestable": "YES", "consumable": consumable}
        entry = config_object(Kind.COMPLEX, "new", {**values, "default": default, "urgency": "0"})
        refused = any(finding.severity is Severity.ERROR for finding in check_object(cluster, entry))
        assert refused is not allowed(type_, relop, consumable), (type_, relop, consumable)


def test_all_that_is_allowed_stands_in_the_cluster() -> None:
    entries = read_folder(SEEDS / "attributes-rules").cluster.objects(Kind.COMPLEX).values()
    there = {
        tuple(entry.text(name) for name in ("type", "relop", "consumable")) for entry in entries if "_" in entry.name
    }
    wanted = product((*TEXTS, "BOOL", *NUMBERS), SIX, ("NO", "YES"))
    assert there >= {combination for combination in wanted if allowed(*combination)}


def test_what_is_asked_for_stands_left_of_the_relop() -> None:
    there = {name for name, granted in places("attributes-rules").items() if granted}
    assert there == {
        *("string_ne_is_solaris", "int_ge_is_10", "int_lt_is_9", "int_ne_is_9", "int_used_is_3"),
    }
