"""What help finds, and that all that it names is there."""

import pytest

from qmon_tui.checks import RULES
from qmon_tui.model import Kind
from qmon_tui.model.catalogue import specs
from qmon_tui.model.dialects import foreign_field
from qmon_tui.report.help_topics import (
    _COLUMNS,
    _MORE,
    _PAGES,
    column_topic,
    field_topic,
    find_topics,
    has_place,
    kind_topic,
    paragraph_at,
    place_topic,
    rule_topic,
    sections_of,
    text_of,
)
from qmon_tui.report.jobtable import COLUMNS

TITLES = tuple((column.title, column.help) for column in COLUMNS)

PLACE = "pe.md"


def test_every_place_that_is_named_is_there() -> None:
    assert [place for place in (*_COLUMNS.values(), *_MORE.values(), *_PAGES.values()) if not has_place(place)] == []
    assert set(_COLUMNS) <= {title for title, _ in TITLES}
    assert set(_MORE) <= {field.name for spec in specs().values() for field in spec.fields}


def test_a_section_ends_at_the_next_heading_of_its_level_or_above_and_code_has_no_headings() -> None:
    page = ["# The `page`", "", "## One", "### Below [it](x)", "```", "# no heading", "```", "## Two", "## One"]
    sections = sections_of(page)
    assert {anchor: (part.heading, part.first, part.last) for anchor, part in sections.items()} == {
        "the-page": ("The page", 0, 9),
        "one": ("One", 2, 7),
        "below-it": ("Below it", 3, 7),
        "two": ("Two", 7, 8),
    }


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
    assert "; default `0`; complex(5)*" in told["urgency"]
    foreign = foreign_field(Kind.SCHEDULER, "host_sort_formula")
    assert foreign is not None
    assert "string; default `(none)`; Univa Grid Engine 8*" in field_topic(specs()[Kind.SCHEDULER], foreign).text


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
        ("queues.slots", ["slots"]),
        ("queue.", ["Queues"]),
        ("hosts", ["Hosts"]),
        (f" {PLACE.upper()}#slots ", ["slots"]),
        ("pe.md", ["Parallel environments"]),
        (f"{PLACE}#nothing", []),
        ("pe.shell", []),
        ("slots.pe", []),
    ],
)
def test_exact_names(word: str, names: list[str]) -> None:
    assert [topic.name for topic in find_topics(word, TITLES).exact] == names


def test_a_heading_stands_beside_fields_of_its_name_only_where_it_is_not_their_paragraph() -> None:
    """It would say the same again."""
    assert [topic.place for topic in find_topics("urgency").exact] == ["complex.md#urgency", "priority.md#urgency"]
    assert [topic.place for topic in find_topics("slots").exact] == [
        "queue.md#slots",
        "pe.md#slots",
        "complex.md#slots",
    ]
    assert [topic.about for topic in find_topics("slots", [("slots", "how many")]).exact][2:3] == [
        "column of jobs: how many"
    ]


@pytest.mark.parametrize(
    ("word", "similar", "nearest"),
    [
        ("halftime decay", ["halflife_decay_list"], ()),
        ("Halflife DECAY", ["halflife_decay_list", "scheduler.halflife_decay_list", "halflife_decay_list"], ()),
        ("calendar suspend", ["calendar", "Calendars"], ()),
        ("urgncy", [], ("Urgency",)),
        ("slots.pe", [], ("slots",)),
        ("zzzzqq", [], ()),
        ("", [], ()),
    ],
)
def test_what_has_no_such_name_is_found_by_all_of_its_words_and_mistyped_ones_by_the_nearest(
    word: str, similar: list[str], nearest: tuple[str, ...]
) -> None:
    found = find_topics(word)
    assert ([topic.name for topic in found.similar], found.nearest) == (similar, nearest)


def test_a_word_in_names_does_not_find_what_only_has_it_in_its_help() -> None:
    named = find_topics("tickets functional").similar
    assert {"weight_tickets_functional", "Functional tickets of running tasks"} <= {topic.name for topic in named}
    assert all("functional" in topic.name.casefold() for topic in named)


def test_a_place_is_a_page_or_a_heading_of_it() -> None:
    assert [
        has_place(place) for place in (PLACE, f"{PLACE}#", f"{PLACE}#slots", f"{PLACE}#nothing", f"no-{PLACE}#slots")
    ] == [
        True,
        True,
        True,
        False,
        False,
    ]
    assert paragraph_at(f"{PLACE}#nothing") == ""
    page, heading = place_topic("pe.md"), place_topic("pe.md#slots")
    assert (page.name, page.about, heading.about) == (
        "Parallel environments", "page pe.md", "Parallel environments, pe.md"
    )  # fmt: skip
    assert paragraph_at("pe.md").startswith("# Parallel environments\n")
    assert paragraph_at("pe.md#slots").startswith("### slots\n")


def test_the_title_is_said_once_and_what_a_run_makes_of_it_comes_last() -> None:
    complexes = specs()[Kind.COMPLEX]
    told = text_of(field_topic(complexes, complexes.by_name["urgency"]))
    assert told.count("# urgency\n") == 1
    assert told.endswith(paragraph_at("priority.md#resource-contribution"))
    assert "### Waiting time contribution\n" in text_of(column_topic("wtcontr", "what waiting adds"))
    assert text_of(place_topic("pe.md#slots")) == paragraph_at("pe.md#slots")


@pytest.mark.parametrize(
    ("word", "name"), [("fair share", "Share tree"), ("licence", "Complexes"), ("ticket", "weight_ticket")]
)
def test_a_word_that_people_use_finds_what_the_program_calls_otherwise(word: str, name: str) -> None:
    assert name in [topic.name for topic in find_topics(word).similar]
