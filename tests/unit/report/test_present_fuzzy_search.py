"""Finding names by a few of their letters: what comes first, and that many names take no time."""

import time

import pytest

from qmon_tui.report.fuzzy_search import SearchHit, SearchRows, SearchTarget, best, marked, score, with_fields
from qmon_tui.report.spans import TextRole, plain


def target(text: str, name: str = "") -> SearchTarget:
    return SearchTarget(text, "", lambda: None, name)


THINGS = [
    target("queue all.q", "all.q"),
    target("queue small.q", "small.q"),
    target("queue instance all.q@node01", "all.q@node01"),
    target("job 17 ball of anna", "17"),
    target("field h_rt of Queues", "h_rt"),
    target("hostgroup @allhosts", "@allhosts"),
]


def found(query: str) -> list[str]:
    return [hit.target.text for hit in best(THINGS, query)]


def test_the_name_itself_comes_first_then_what_begins_so_then_what_contains_it() -> None:
    assert found("all.q") == ["queue all.q", "queue instance all.q@node01", "queue small.q"]
    assert found("17") == ["job 17 ball of anna"]
    assert found("ALLHOSTS") == ["hostgroup @allhosts"]
    begun = [target("user anna", "anna"), target("undo: Take the last edit back", "undo"), target("user u2", "u2")]
    assert [hit.target.name for hit in best(begun, "u")] == ["u2", "undo", "anna"]


DISABLE = "disable: Disable the queue instances for a reason"


@pytest.mark.parametrize(("typed", "meant"), [
    ("drain", DISABLE), ("maintenance", DISABLE), ("racks", "go to Hostgroups"), ("core", "field slots of Queues"),
])  # fmt: skip
def test_words_of_a_cluster_room_find_what_the_program_calls_otherwise(typed: str, meant: str) -> None:
    things = [
        target("Administration Host of qmon"), target(DISABLE, "disable"),
        target("go to Hostgroups", "Hostgroups"), target("field slots of Queues", "slots"),
    ]  # fmt: skip
    assert best(things, typed)[0].target.text == meant


def test_texts_with_only_the_letters_are_left_out_where_something_fits_better() -> None:
    things = [*THINGS, target("go to Hosts", "Hosts"), target("whole list of assets", "w")]
    assert [hit.target.text for hit in best(things, "hosts")] == ["go to Hosts", "hostgroup @allhosts"]
    assert found("qsmq") == ["queue small.q"]


def test_a_number_comes_before_its_parts_and_these_before_longer_numbers() -> None:
    numbers = ("505.18", "5091", "509.18", "509", "1509", "50900")
    jobs = [target(f"job {number} long.name of user509", number) for number in numbers]
    assert [hit.target.name for hit in best(jobs, "509")] == ["509", "509.18", "5091", "50900", "1509", "505.18"]


def test_what_was_typed_stands_out() -> None:
    def letters(text: str, query: str) -> str:
        return "".join(
            span.text if span.role is TextRole.ACCENT else "." * len(span.text) for span in marked(text, query)
        )

    assert letters("queue all.q", "ll") == ".......ll.."
    assert letters("job 17 ball of anna", "anna job") == "job............anna"
    assert letters("queue small.q", "qsmq") == "q.....sm....q"


def test_what_cannot_be_done_is_dim_and_brackets_are_no_markup() -> None:
    undo = SearchTarget("undo: Take the last edit back", "u", lambda: None, "undo", "There is nothing to undo.")
    rows = SearchRows([SearchHit(1.0, undo), SearchHit(1.0, target("field slots [bold]1[/]"))], "s")
    assert {span.role for span in rows.line(0, 80) if span.text.strip()} == {TextRole.FAINT, TextRole.DIM}
    assert plain(rows.line(1, 80)) == "field slots [bold]1[/]"
    assert len(plain(rows.line(0, 12))) == 12


def test_words_may_come_in_any_order_and_letters_may_be_left_out() -> None:
    assert found("anna job") == ["job 17 ball of anna"]
    assert found("qsmq") == ["queue small.q"]
    assert found("xyz") == []
    assert found("  ") == []


def test_fields_of_an_object_by_the_words_of_both() -> None:
    def fields(obj: SearchTarget) -> list[SearchTarget]:
        return [target(f"{obj.text} ▸ {field}", field) for field in ("h_rt", "h_vmem", "slots")]

    objects = THINGS[:2]
    assert [hit.target.text for hit in with_fields(objects, fields, "all.q h_")] == [
        "queue all.q ▸ h_rt", "queue all.q ▸ h_vmem",
    ]  # fmt: skip
    assert with_fields(objects, fields, "all.q slots")[0].score > score(objects[0], "all.q slots")
    assert with_fields(objects, fields, "slots") == []


def test_among_twenty_thousand_names_one_is_found_while_typing() -> None:
    many = [target(f"job {number} blast of user{number % 50}", str(number)) for number in range(20_000)]
    started = time.process_time()
    assert best(many, "17654")[0].target.name == "17654"
    assert len(best(many, "blst usr7")) == 60
    assert time.process_time() - started < 1.0


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("lesson", "Learn"),
        ("lessons", "Learn"),
        ("fair  share", "Share tree"),
        ("licence", "Complexes"),
        ("History", "versions"),
        ("capacity", "complex_values"),
        ("tickets", "weight_ticket"),
    ],
)
def test_other_words_for_a_thing_come_before_letters_that_are_spread(query: str, name: str) -> None:
    things = [
        *(target(f"go to {title}", title) for title in ("Learn", "Share tree", "Complexes", "Hosts")),
        target("versions: Earlier versions: what each save left", "versions"),
        target("field complex_values of Hosts", "complex_values"),
        target("field weight_ticket of Scheduler", "weight_ticket"),
        target("field user_lists_of_everyone of Hosts", "user_lists_of_everyone"),
        target("field capricious_city of Hosts", "capricious_city"),
    ]
    assert best(things, query)[0].target.name == name
