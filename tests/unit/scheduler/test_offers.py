"""What a level offers of an attribute, and which of several offers counts (matching.md#comparison)."""

from collections.abc import Mapping

import pytest

from qmon_tui.scheduler.configuration import Value, compile_cluster, number_or_none
from qmon_tui.scheduler.matching import Adjustments, Level
from qmon_tui.scheduler.matching.level import HOST, QUEUE, merged, offer_of, shortfall
from tests.unit.scheduler.building import attribute, cluster

ATTRIBUTES = compile_cluster(
    cluster(
        attribute("lic lic INT <= YES YES 0"),
        attribute("more more INT >= YES YES 0"),
        attribute("mark mark INT <= YES NO 0"),
        attribute("exact exact INT == YES NO 0"),
        attribute("tag tag STRING == YES NO NONE"),
        attribute("heat heat DOUBLE >= YES NO 0"),
        attribute("np_x np_x DOUBLE >= YES NO 0"),
    )
).attributes
ADJUSTMENTS = Adjustments.of({"heat": "2", "np_x": "2", "lic": "3"})


def values(texts: Mapping[str, str]) -> dict[str, Value]:
    return {name: Value(text, number_or_none(text) or 0.0) for name, text in texts.items()}


def level(
    configured: Mapping[str, str], loads: Mapping[str, str], fields: Mapping[str, str], used: float = 0, late: int = 0
) -> Level:
    """With `late` jobs of late, a hundred each, on a host of four processors."""
    consumable = {name: used for name in configured if name in ("lic", "more")}
    return Level(
        HOST, "h1", values(configured), consumable,
        loads=values(loads), fields=values(fields), correction=late, processors=4,
    )  # fmt: skip


def told(made: Level, name: str, corrected: bool = True, unused: bool = False) -> str:
    offer = offer_of(made, ATTRIBUTES.by_name[name], ADJUSTMENTS, corrected, unused)
    if offer is None:
        return "nothing"
    amounts = (("job", offer.per_job, offer.per_job_kind), ("slot", offer.per_slot, offer.per_slot_kind))
    parts = [f"{what} {kind}:{'' if amount is None else f'{amount:g}'}" for what, amount, kind in amounts if kind]
    return " ".join([*parts, *(f"({text})" for text in (offer.text, offer.load_text) if text)])


@pytest.mark.parametrize(
    ("name", "configured", "load", "field", "used", "late", "offered"),
    [
        ("lic", None, None, None, 0, 0, "nothing"),
        ("lic", "5", None, None, 2, 0, "job c:3"),
        ("more", "5", None, None, 2, 0, "job c:2"),
        ("mark", "5", None, None, 0, 0, "slot f:5 (5)"),
        ("tag", "red", None, None, 0, 0, "slot f: (red)"),
        ("lic", "5", "4", None, 2, 0, "job c:3"),
        ("lic", "5", "3", None, 2, 0, "job c:3"),
        ("lic", "5", "2", None, 2, 0, "job l:2 (2)"),
        ("lic", "9", "8", None, 2, 100, "job L:5 (8)"),
        ("mark", "5", "4", None, 0, 0, "job l:4 (5) (4)"),
        ("mark", "5", "6", None, 0, 0, "job f:5 (5)"),
        ("mark", None, "6", None, 0, 0, "job l:6 (6)"),
        ("mark", None, "odd", None, 0, 0, ""),
        ("exact", "5", "4", None, 0, 0, "slot f:5 (5)"),
        ("exact", None, "4", None, 0, 0, "job l:4 (4)"),
        ("tag", "red", "blue", None, 0, 0, "slot f: (red)"),
        ("tag", None, "blue", None, 0, 0, "slot l: (blue)"),
        ("heat", None, "1.5", None, 0, 0, "job l:1.5 (1.5)"),
        ("heat", None, "1.5", None, 0, 50, "job L:2.5 (1.5)"),
        ("np_x", None, "1.5", None, 0, 100, "job L:2 (1.5)"),
        ("heat", "2", "1.5", None, 0, 100, "job L:3.5 (2) (1.5)"),
        ("mark", None, None, "3", 0, 0, "slot f:3 (3)"),
        ("mark", "5", None, "3", 0, 0, "slot f:3 (3)"),
        ("mark", "5", None, "5", 0, 0, "slot f:5 (5)"),
        ("mark", "2", None, "3", 0, 0, "slot f:2 (2)"),
        ("lic", "5", None, "3", 1, 0, "job c:4 slot f:3 (3)"),
        ("tag", None, None, "green", 0, 0, "slot f: (green)"),
        ("tag", "red", None, "green", 0, 0, "slot f: (red)"),
    ],
)
def test_what_a_level_offers(
    name: str, configured: str | None, load: str | None, field: str | None, used: float, late: int, offered: str
) -> None:
    texts = [{} if text is None else {name: text} for text in (configured, load, field)]
    made = level(texts[0], texts[1], texts[2], used, late)
    assert told(made, name) == offered


def test_what_a_level_offers_unused_and_without_correction() -> None:
    made = level({"lic": "5", "mark": "1"}, {"lic": "4", "heat": "1"}, {}, 2, 100)
    assert told(made, "lic", unused=True) == "job L:1 (4)"
    assert told(made, "lic", corrected=False) == "job c:3"
    assert told(made, "heat", corrected=False) == "job l:1 (1)"


@pytest.mark.parametrize(
    ("name", "outer", "inner", "layer", "kind", "amount"),
    [
        ("mark", None, None, None, "", 0),
        ("mark", "5", None, "h", "hf", 5),
        ("mark", None, "5", "q", "qf", 5),
        ("mark", "5", "4", "q", "qf", 4),
        ("mark", "5", "5", "h", "hf", 5),
        ("mark", "4", "5", "h", "hf", 4),
        ("heat", "4", "5", "q", "qf", 5),
        ("heat", "5", "4", "h", "hf", 5),
        ("lic", "5", "4", "q", "qc", 4),
        ("lic", "4", "5", "h", "hc", 4),
        ("tag", "red", None, "h", "hf", 0),
    ],
)
def test_the_first_offer_counts_unless_a_later_one_is_tighter(
    name: str, outer: str | None, inner: str | None, layer: str | None, kind: str, amount: float
) -> None:
    levels = [level({} if text is None else {name: text}, {}, {}) for text in (outer, inner)]
    levels[1].layer = QUEUE
    value = merged(ATTRIBUTES.by_name[name], ADJUSTMENTS, *levels)
    found = (None, "", 0) if value is None else (value.layer, value.kind, value.amount)
    assert found == (layer, kind, amount)


@pytest.mark.parametrize(
    ("name", "configured", "load", "asked", "slots", "short"),
    [
        ("lic", "5", None, "5", 1, None),
        ("lic", "5", None, "6", 1, "hc 5 "),
        ("lic", "5", None, "3", 2, "hc 5 "),
        ("mark", "5", None, "3", 2, None),
        ("mark", "5", None, "6", 2, "hf 5 "),
        ("mark", "5", "4", "5", 1, "hl 4 "),
        ("heat", "5", None, "5", 1, None),
        ("heat", "5", None, "4", 1, "hf 5 "),
        ("tag", "red", None, "red", 1, None),
        ("tag", "red", None, "blue", 1, "hf None red"),
    ],
)
def test_where_a_request_does_not_fit(
    name: str, configured: str, load: str | None, asked: str, slots: int, short: str | None
) -> None:
    attribute = ATTRIBUTES.by_name[name]
    offer = offer_of(level({name: configured}, {} if load is None else {name: load}, {}), attribute, ADJUSTMENTS)
    assert offer is not None
    missing = shortfall(HOST, offer, attribute, number_or_none(asked) or 0.0, asked, slots)
    told = None
    if missing is not None:
        told = f"{missing.kind} {missing.amount if missing.amount is None else f'{missing.amount:g}'} {missing.text}"
    assert told == short
