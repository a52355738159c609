"""What a level offers of an attribute, and the one value over all levels (matching.md#value-on-one-level)."""

import pytest

from qmon_tui.scheduler.configuration import Value, compile_cluster, number_or_none
from qmon_tui.scheduler.matching import NO_ADJUSTMENTS, Adjustments, Level
from qmon_tui.scheduler.matching.level import GLOBAL, HOST, QUEUE, MergedValue, Offer, merged, offer_of, shortfall
from qmon_tui.scheduler.matching.thresholds import Thresholds
from tests.unit.scheduler.building import attribute, cluster

ATTRIBUTES = compile_cluster(
    cluster(
        attribute("lic l INT <= YES YES 0"),
        attribute("busy busy INT >= YES YES 0"),
        attribute("exact exact INT == YES NO 0"),
        attribute("free free INT <= YES NO 0"),
        attribute("heat heat INT >= YES NO 0"),
        attribute("np_heat np_heat INT >= YES NO 0"),
        attribute("word word STRING == YES NO 0"),
        attribute("other other STRING != YES NO 0"),
    )
).attributes
ADJUSTMENTS = Adjustments.of({"lic": "2", "free": "2", "heat": "2", "np_heat": "2", "word": "2"})


def value(text: str) -> Value:
    return Value(text, number_or_none(text) or 0.0)


def level(
    name: str = "lic",
    configured: str = "",
    load: str = "",
    field: str = "",
    *,
    layer: str = HOST,
    used: float = 0.0,
    correction: int = 0,
    processors: int = 1,
) -> Level:
    return Level(
        layer,
        layer,
        {name: value(configured)} if configured else {},
        {name: used},
        loads={name: value(load)} if load else {},
        fields={name: value(field)} if field else {},
        correction=correction,
        processors=processors,
    )


def told(offer: Offer | None) -> str:
    """The amounts with their kinds: those per job, per slot, and the text."""
    if offer is None:
        return "missing"
    per_job = "" if offer.per_job is None else f"{offer.per_job_kind}{offer.per_job:g}"
    per_slot = offer.per_slot_kind + ("" if offer.per_slot is None else f"{offer.per_slot:g}")
    return f"{per_job}/{per_slot}/{offer.text}"


@pytest.mark.parametrize(
    ("name", "configured", "used", "load", "field", "correction", "processors", "expected"),
    [
        ("lic", "", 0, "", "", 0, 1, "missing"),
        ("lic", "5", 2, "", "", 0, 1, "c3//"),
        ("busy", "5", 2, "", "", 0, 1, "c2//"),
        ("free", "5", 0, "", "", 0, 1, "/f5/5"),
        ("word", "a", 0, "", "", 0, 1, "/f/a"),
        # A load value counts where it is tighter; with == and != what is configured hides it.
        ("lic", "5", 2, "4", "", 0, 1, "c3//"),
        ("lic", "5", 2, "3", "", 0, 1, "c3//"),
        ("lic", "5", 2, "1", "", 0, 1, "l1//"),
        ("lic", "", 0, "4", "", 0, 1, "l4//"),
        ("free", "5", 0, "4", "", 0, 1, "l4//5"),
        ("free", "5", 0, "6", "", 0, 1, "f5//5"),
        ("heat", "5", 0, "4", "", 0, 1, "f5//5"),
        ("heat", "5", 0, "6", "", 0, 1, "l6//5"),
        ("exact", "5", 0, "4", "", 0, 1, "/f5/5"),
        ("exact", "", 0, "4", "", 0, 1, "l4//"),
        ("free", "", 0, "odd", "", 0, 1, "//"),
        ("word", "a", 0, "b", "", 0, 1, "/f/a"),
        ("other", "", 0, "b", "", 0, 1, "/l/b"),
        # It is corrected first.
        ("lic", "5", 2, "4", "", 50, 1, "c3//"),
        ("lic", "5", 2, "4", "", 100, 1, "L2//"),
        ("free", "", 0, "4", "", 50, 4, "L3//"),
        ("heat", "", 0, "4", "", 50, 4, "L5//"),
        ("np_heat", "", 0, "4", "", 200, 4, "L5//"),
        ("np_heat", "", 0, "4", "", 200, 1, "L8//"),
        ("exact", "", 0, "4", "", 50, 1, "l4//"),
        # The field of a queue counts per slot, where it is tighter than another number per slot.
        ("lic", "", 0, "", "7", 0, 1, "/f7/7"),
        ("lic", "5", 2, "", "7", 0, 1, "c3/f7/7"),
        ("free", "5", 0, "", "7", 0, 1, "/f5/5"),
        ("free", "5", 0, "", "3", 0, 1, "/f3/3"),
        ("heat", "5", 0, "", "7", 0, 1, "/f7/7"),
        ("heat", "5", 0, "", "3", 0, 1, "/f5/5"),
        ("free", "5", 0, "4", "7", 0, 1, "l4/f7/7"),
        ("word", "", 0, "", "c", 0, 1, "/f/c"),
        ("word", "a", 0, "", "c", 0, 1, "/f/a"),
    ],
)
def test_what_a_level_offers(
    name: str, configured: str, used: float, load: str, field: str, correction: int, processors: int, expected: str
) -> None:
    on = level(name, configured, load, field, used=used, correction=correction, processors=processors)
    offer = offer_of(on, ATTRIBUTES.by_name[name], ADJUSTMENTS)
    assert told(offer) == expected
    if not used and not correction:
        assert offer_of(on, ATTRIBUTES.by_name[name], NO_ADJUSTMENTS) == offer
    uncorrected = offer_of(on, ATTRIBUTES.by_name[name], ADJUSTMENTS, corrected=False)
    on.correction = 0
    assert uncorrected == offer_of(on, ATTRIBUTES.by_name[name], ADJUSTMENTS)
    unused = offer_of(on, ATTRIBUTES.by_name[name], ADJUSTMENTS, unused=True)
    on.used = {name: 0.0}
    assert unused == offer_of(on, ATTRIBUTES.by_name[name], ADJUSTMENTS)


@pytest.mark.parametrize(
    ("name", "overall", "host", "queue", "expected"),
    [
        ("lic", "5", "4", "3", "qc 3"),
        ("lic", "3", "4", "5", "gc 3"),
        ("lic", "5", "3", "4", "hc 3"),
        ("lic", "", "3", "", "hc 3"),
        ("free", "4", "4", "5", "gf 4"),
        ("heat", "", "4", "5", "qf 5"),
        ("heat", "5", "4", "", "gf 5"),
        # With == and != it is the first one.
        ("exact", "5", "4", "3", "gf 5"),
        ("exact", "", "4", "3", "hf 4"),
        ("word", "", "a", "b", "hf 0"),
        ("lic", "", "", "", ""),
    ],
)
def test_one_value_over_all_levels(name: str, overall: str, host: str, queue: str, expected: str) -> None:
    layers = ((GLOBAL, overall), (HOST, host), (QUEUE, queue))
    found = merged(
        ATTRIBUTES.by_name[name], NO_ADJUSTMENTS, *(level(name, text, layer=layer) for layer, text in layers)
    )
    assert (f"{found.kind} {found.amount:g}" if found is not None else "") == expected


def test_the_amount_per_job_goes_before_the_one_per_slot() -> None:
    both = MergedValue("h", Offer(per_job=0.0, per_job_kind="c", per_slot=2.0, per_slot_kind="f"))
    assert (both.amount, both.kind) == (0.0, "hc")
    assert MergedValue("q", Offer(per_slot=2.0, per_slot_kind="f")).amount == 2.0


@pytest.mark.parametrize(
    ("offer", "amount", "slots", "lacking"),
    [
        (Offer(per_job=6.0, per_job_kind="c"), 2.0, 3, None),
        (Offer(per_job=5.0, per_job_kind="c"), 2.0, 3, ("hc", 5.0)),
        (Offer(per_slot=2.0, per_slot_kind="f"), 2.0, 3, None),
        (Offer(per_slot=1.0, per_slot_kind="f"), 2.0, 3, ("hf", 1.0)),
        (Offer(6.0, "c", 1.0, "f"), 2.0, 3, ("hf", 1.0)),
        # The first that fails is told.
        (Offer(5.0, "c", 1.0, "f"), 2.0, 3, ("hc", 5.0)),
    ],
)
def test_a_request_fits_both_numbers(
    offer: Offer, amount: float, slots: int, lacking: tuple[str, float] | None
) -> None:
    found = shortfall(HOST, offer, ATTRIBUTES.by_name["lic"], amount, "", slots)
    assert ((found.kind, found.amount) if found is not None else None) == lacking


@pytest.mark.parametrize(
    ("limits", "host", "overall", "queue", "alarm"),
    [
        ([("lic", "3")], level(configured="5", used=2), level(), level(), "lic=3.000000 (no load value) <= 3"),
        ([("lic", "2")], level(configured="5", used=2), level(), level(), None),
        ([("lic", "3")], level(configured="9"), level(configured="3"), level(), "lic=3.000000 (no load value) <= 3"),
        # What is counted is looked for by its name, and only where it is counted or reported.
        ([("l", "3")], level(configured="5", used=2), level(), level(), 'no such complex attribute for threshold "l"'),
        ([("lic", "3")], level(), level(), level(), 'no such complex attribute for threshold "lic"'),
        ([("lic", "9")], level(), level(), level(field="3"), 'no such complex attribute for threshold "lic"'),
        ([("lic", "4")], level(configured="5", load="4"), level(), level(), "lic=4.000000 (no load value) <= 4"),
        (
            [("lic", "3")], level(load="4", correction=50), level(), level(),
            "lic=3.000000 (= 4 - 2 * 0.500000) <= 3",
        ),
        (
            [("lic", "3")], level(), level(load="4", correction=50), level(),
            "lic=3.000000 (= 4 - 2 * 0.500000 global) <= 3",
        ),
        # The second is reached where the first is not.
        ([("lic", "2"), ("lic", "3")], level(configured="3"), level(), level(), "lic=3.000000 (no load value) <= 3"),
    ],
)  # fmt: skip
def test_a_threshold_of_what_is_counted(
    limits: list[tuple[str, str]], host: Level, overall: Level, queue: Level, alarm: str | None
) -> None:
    assert Thresholds(ATTRIBUTES, ADJUSTMENTS).alarm(limits, overall, host, queue) == alarm


def test_without_consumables_the_other_thresholds_count() -> None:
    thresholds, levels = Thresholds(ATTRIBUTES, ADJUSTMENTS), (level(), level("heat", load="4"), level())
    limits = [("lic", "3"), ("heat", "4")]
    assert thresholds.alarm(limits, *levels, with_consumables=False) == "heat=4.000000 (no load adjustment) >= 4"
