"""The key `workload` of a cluster folder: read, written, and wrong in all ways that are known."""

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, strategies as st

from qmon_tui.formats import Layout, read_texts
from qmon_tui.formats.state import state_text
from qmon_tui.formats.state.plan_values import amount_of, read_length
from qmon_tui.model import Arrivals, JobKind, SimulationPlan, State, Workload
from qmon_tui.values import Draw, RandomValue, constant, parse_random_value, parse_time

NOW = parse_time("2026-01-01T09:00:00")
TEXT = """\
now: 2026-01-01T09:00:00
workload:
  arrivals: sessions
  load: 0.8
  length: 8h
  week: [5, 5, 5, 5, 4, 1, 1]
  think: lognormal 5m 1
  users: {anna: 3, bert: 1}
  over_time: uniform 1 4
  kinds:
  - {name: blast, weight: 3, runtime: lognormal 10m 1.2 1s 8h, memory: uniform 1G 4G}
  - {name: ocean, pes: mpi, slots: 4=2 16=1, users: carla}
"""


def read(text: str) -> tuple[Workload | None, list[tuple[int | None, str]]]:
    contents = read_texts(Layout.YAML, "cluster", {"jobs.yaml": text})
    return contents.state.simulation.workload, [(finding.line, finding.message) for finding in contents.findings]


def test_all_that_can_be_said() -> None:
    workload, findings = read(TEXT)
    over = RandomValue(Draw.UNIFORM, (1.0, 4.0))
    assert not findings
    assert workload == Workload(
        arrivals=Arrivals.SESSIONS,
        load=0.8,
        length=8 * 3600,
        week=(5.0, 5.0, 5.0, 5.0, 4.0, 1.0, 1.0),
        think=RandomValue(Draw.LOGNORMAL, (300.0, 1.0)),
        kinds=(
            JobKind(
                name="blast",
                weight=3.0,
                users=MappingProxyType({"anna": 3.0, "bert": 1.0}),
                runtime=RandomValue(Draw.LOGNORMAL, (600.0, 1.2, 1.0, 28800.0)),
                over_time=over,
                memory=RandomValue(Draw.UNIFORM, (1024.0**3, 4 * 1024.0**3)),
            ),
            JobKind(
                name="ocean",
                users=MappingProxyType({"carla": 1.0}),
                pes=MappingProxyType({"mpi": 1.0}),
                slots=RandomValue(Draw.ONE_OF, (4.0, 16.0), (2.0, 1.0)),
                over_time=over,
            ),
        ),
    )


@pytest.mark.parametrize(
    ("lines", "line", "said"),
    [
        ("  arrivals: often", 2, '"often" is no way in which jobs come'),
        ("  jobs: -1", 2, '"-1" is not a number of jobs'),
        ("  rate: 0", 2, '"0" is not a number above 0'),
        ("  rate: 1\n  load: 1", 2, "load counts"),
        ("  length: 0", 2, "for a second at least"),
        ("  start: 2025-01-01T00:00:00", 2, "before the simulation begins"),
        ("  day: 1 2 3", 2, "day is 24 numbers"),
        ("  week: 0 0 0 0 0 0 0", 2, "week is 7 numbers"),
        ("  users: {anna: x, bert: 1}", 2, '"x" is no weight of anna'),
        ("  users: {anna: 0}", 2, "users names nobody with a weight"),
        ("  runtime: uniform 5", 2, 'runtime: "uniform 5" is not a number to draw'),
        ("  slots: 1=0", 2, 'slots: "1=0" is not a number to draw'),
        ("  kind: {}", 2, 'workload has no "kind"'),
        ("  kinds: {}", 2, "this is a list"),
        ("  kinds:\n  - {runtime: lognormal 0 1}", 3, "is not a number to draw"),
        ("  qsub: -zz", 2, "qsub: qsub has no option -zz"),
        ("  qsub: -R y\n  kinds:\n  - {qsub: -p x}", 4, "qsub: -p x: not a whole number"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(lines: str, line: int, said: str) -> None:
    _, findings = read(f"now: 2026-01-01T09:00:00\nworkload:\n{lines}\n")
    assert [where for where, _ in findings] == [line + 1]
    assert said in findings[0][1]


whole = st.integers(0, 10**6).map(float)
positive = st.integers(1, 10**6).map(float) | st.floats(0.001, 1e6).map(lambda x: round(x, 3))
pairs = st.tuples(whole, whole).map(sorted).map(tuple)
one_of = st.lists(st.tuples(whole, positive), min_size=1, max_size=4).map(
    lambda drawn: RandomValue(Draw.ONE_OF, tuple(n for n, _ in drawn), tuple(w for _, w in drawn))
)
uniform = pairs.map(lambda pair: RandomValue(Draw.UNIFORM, pair))
lognormal = st.tuples(st.integers(1, 10**6).map(float), st.floats(0, 10).map(lambda x: round(x, 2)), st.none() | pairs)
values = one_of | uniform | lognormal.map(lambda d: RandomValue(Draw.LOGNORMAL, (d[0], d[1], *(d[2] or ()))))
weights = st.dictionaries(st.sampled_from(("anna", "yes", "1", "NONE")), positive).map(MappingProxyType)
renames = st.dictionaries(st.sampled_from(("user1", "no", "2")), st.sampled_from(("anna", "null"))).map(
    MappingProxyType
)
words = st.sampled_from(("work", "a: b", "yes", "-R y -l 'gpu=1'"))
kinds = st.builds(
    JobKind, words, positive, weights, weights, weights, weights, values, values, values, st.none() | values,
    st.none() | values, values, words, words,
)  # fmt: skip
workloads = st.builds(
    Workload,
    arrivals=st.sampled_from(Arrivals),
    jobs=st.none() | st.integers(0, 10**6),
    start=st.none() | st.integers(NOW, NOW + 10**6),
    length=st.none() | st.integers(1, 10**6),
    rate=st.none() | positive,
    day=st.just(()) | st.lists(positive, min_size=24, max_size=24).map(tuple),
    week=st.just(()) | st.lists(positive, min_size=7, max_size=7).map(tuple),
    burst=values,
    session=values,
    think=values,
    kinds=st.lists(kinds, min_size=1, max_size=2).map(tuple),
    trace=st.sampled_from(("", "week.swf")),
    resample=st.booleans(),
    scale=positive,
    map_users=renames,
    map_queues=renames,
    map_pes=renames,
    map_projects=renames,
)


@given(workloads)
def test_written_and_read_it_is_the_same(workload: Workload) -> None:
    text = state_text(State(NOW, simulation=SimulationPlan(workload=workload)))
    assert read(text) == (workload, [])


@given(values)
def test_a_number_to_draw_reads_back_as_it_was(value: RandomValue) -> None:
    assert parse_random_value(value.text, float) == value


@pytest.mark.parametrize(
    ("text", "mean"),
    [("600", 600), ("1=3 5=1", 2), ("uniform 10 20", 15), ("lognormal 1 1", 1.6487212707), ("lognormal 5 0 1 9", 5)],
)
def test_means(text: str, mean: float) -> None:
    assert parse_random_value(text, float).mean == pytest.approx(mean)
    assert constant(3).text == "3"


NOT_DRAWN = ("", "x", "uniform 1", "uniform 2 1", "lognormal 1", "1=x", "inf", "-1", "lognormal 1 1 5 2")


@pytest.mark.parametrize("text", NOT_DRAWN)
def test_no_number_to_draw(text: str) -> None:
    reader: Callable[[str], Any] = float
    with pytest.raises(ValueError, match="is not a number to draw"):
        parse_random_value(text, reader)


@pytest.mark.parametrize(
    ("text", "amount"),
    [("0", 0.0), ("1e3", 1000.0), ("0.5", 0.5), ("-0.1", None), ("nan", None), ("inf", None), ("", None), ("x", None)],
)
def test_amounts_are_finite_and_not_below_0(text: str, amount: float | None) -> None:
    assert amount_of(text) == amount


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90", 90), ("90m", 5400), ("8h", 28800), ("1:30:0", 5400), (" 5 ", 5), ("0", 0), ("-5", None), ("", None)],
)
def test_lengths_of_time(text: str, seconds: int | None) -> None:
    assert read_length(text) == seconds


@pytest.mark.parametrize(
    ("lines", "attribute", "value", "said"),
    [
        ("rate: 0.5", "rate", 0.5, []),
        ("rate: inf", "rate", None, ['"inf" is not a number above 0']),
        ("jobs: 0", "jobs", 0, []),
        ("week: 0 0 0 0 0 0 1", "week", (0.0,) * 6 + (1.0,), []),
        ("week: 0 0 0 0 0 -1 1", "week", None, ["week is 7 numbers up to 1000000000, one above 0 at least"]),
        ("week: 1 1 1 1 1 1", "week", None, ["week is 7 numbers up to 1000000000, one above 0 at least"]),
        ("week: 1 1 1 1 1 1 1 1", "week", None, ["week is 7 numbers up to 1000000000, one above 0 at least"]),
        ("week: [0 0 0, 0 0 0 2]", "week", (0.0,) * 6 + (2.0,), []),
        ("week: 0 0 0 0 0 0 1e9", "week", (0.0,) * 6 + (1e9,), []),
        # Their sum, and what is left of them beside those of the hours, could not be reckoned with.
        (f"week: {7 * '1e308 '}", "week", None, ["week is 7 numbers up to 1000000000, one above 0 at least"]),
        (f"week: {7 * '1e-200 '}", "week", None, ["week is 7 numbers up to 1000000000, one above 0 at least"]),
    ],
)
def test_bounds_of_what_can_be_said(lines: str, attribute: str, value: object, said: list[str]) -> None:
    workload, findings = read(f"now: 2026-01-01T09:00:00\nworkload:\n  {lines}\n")
    assert [message for _, message in findings] == said
    assert workload is not None
    assert getattr(workload, attribute) == (getattr(Workload(), attribute) if value is None else value)


@pytest.mark.parametrize(
    ("users", "weights", "said"),
    [
        ("{anna: 0, bert: 2}", {"anna": 0.0, "bert": 2.0}, []),
        ("{anna: 1, anna: 2}", {"anna": 1.0}, ['"2" is no weight of anna, write a number such as 3']),
        ("{anna: -1, bert: 2}", {"bert": 2.0}, ['"-1" is no weight of anna, write a number such as 3']),
        ("{anna: 1e308, bert: 2}", {"bert": 2.0}, ['"1e308" is no weight of anna, write a number such as 3']),
        ("anna bert", {"anna": 1.0, "bert": 1.0}, []),
        ("[anna, bert cora]", {"anna": 1.0, "bert": 1.0, "cora": 1.0}, []),
    ],
)
def test_weights_of_names(users: str, weights: dict[str, float], said: list[str]) -> None:
    workload, findings = read(f"now: 2026-01-01T09:00:00\nworkload:\n  users: {users}\n  kinds: [{{name: a}}]\n")
    assert [message for _, message in findings] == said
    assert workload is not None
    assert dict(workload.kinds[0].users) == weights
