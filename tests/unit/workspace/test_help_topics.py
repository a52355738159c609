"""What help finds, and that all that it names is there."""

import pytest

from qmon_tui.checks import RULES
from qmon_tui.model import Kind
from qmon_tui.model.catalogue import specs
from qmon_tui.tui.present.jobtable import COLUMNS
from qmon_tui.workspace import column_topic, field_topic, find_topics, kind_topic, rule_topic, text_of
from qmon_tui.workspace.help_topics import _COLUMNS, _MORE, _PAGES, has_place, paragraph_at

TITLES = tuple((column.title, column.help) for column in COLUMNS)


def test_every_place_that_is_named_is_there() -> None:
    assert [place for place in (*_COLUMNS.values(), *_MORE.values(), *_PAGES.values()) if not has_place(place)] == []
    assert set(_COLUMNS) <= {title for title, _ in TITLES}
    assert set(_MORE) <= {field.name for spec in specs().values() for field in spec.fields}


@pytest.mark.parametrize("place", sorted({*_COLUMNS.values(), *_MORE.values(), *_PAGES.values(), "values.md#counts"}))
def test_a_paragraph_ends_at_the_next_heading_that_is_not_below_it(place: str) -> None:
    code = False
    levels = []
    for line in paragraph_at(place).splitlines():
        code ^= line.startswith("```")
        if line.startswith("#") and not code:
            levels.append(len(line) - len(line.lstrip("#")))
    assert all(level > levels[0] for level in levels[1:])


def test_every_field_has_a_paragraph_of_the_reference() -> None:
    lacking = [
        f"{spec.kind}.{field.name}"
        for spec in specs().values()
        for field in spec.fields
        if not field.dialects and not field_topic(spec, field).place
    ]
    assert lacking == []


def test_a_field_tells_its_type_its_choices_and_its_default() -> None:
    complexes = specs()[Kind.COMPLEX]
    told = {name: field_topic(complexes, complexes.by_name[name]).text for name in ("relop", "urgency")}
    assert "choice: == != < > <= >= EXCL; default `<=`; " in told["relop"]
    assert "choice" not in told["urgency"]
    assert "; default `0`; " in told["urgency"]


def test_every_rule_column_and_kind_says_something() -> None:
    assert all((topic := rule_topic(rule)) is not None and topic.place for rule in RULES)
    assert all(text_of(column_topic(*column)) for column in TITLES)
    assert all(kind_topic(kind).place for kind in specs())


@pytest.mark.parametrize(
    ("word", "names"),
    [
        ("queue.slots", ["slots"]),
        ("h_RT", ["h_rt"]),
        ("ftckt", ["ftckt"]),
        ("pe.md#slots", ["slots"]),
        ("queue", ["Queues"]),
        ("functional tickets", ["Functional tickets"]),
    ],
)
def test_exact_names(word: str, names: list[str]) -> None:
    assert [topic.name for topic in find_topics(word, TITLES).exact] == names


def test_words_of_the_field_find_headings_and_mistyped_ones_the_nearest() -> None:
    for word in ("ticket", "urgency", "share", "backfill", "reservation"):
        found = find_topics(word, TITLES)
        assert found.exact or found.similar, word
    assert find_topics("urgncy").nearest == ("Urgency",) or find_topics("urgncy").nearest == ("urgency",)
    assert find_topics("zzzzqq").nearest == ()
