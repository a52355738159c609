"""Any past usage written over any other; what is not concerned keeps its spelling."""

from types import MappingProxyType

import pytest
from hypothesis import given, strategies as st

from qmon_tui.formats.folder_writer import texts_with_state
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.state.entries import changed_entries, entry, with_entries
from qmon_tui.model.state import PastUsage, State, Usage
from qmon_tui.model.state_fields import StateEntry, StateKind
from tests.unit.formats.test_state_edit import edited, read

TEXT = """\
now: 2026-11-21T09:00:00
usage:   # of last month
  users:
    anna: {cpu: 9e5, mem: 1.50, projects: {sea: {cpu: 100}}}  # a lot
    bela:
      cpu: 10
      time: 2026-11-21T08:00:00
  projects:
    sea: {cpu: 100}
"""
FLOW = "now: 2026-11-21T09:00:00\nusage: {users: {anna: {cpu: 1}}}\n"


def state_with(text: str, name: str, **values: str | None) -> State:
    state = read({"jobs.yaml": text})
    state_entry = entry(state, StateKind.USAGE, name) or StateEntry(StateKind.USAGE, name, {})
    for field, value in values.items():
        state_entry = state_entry.with_value(field, value)
    return with_entries(state, (state_entry,))


def test_one_amount_changes_its_line_and_all_other_spellings_stay() -> None:
    assert edited(state_with(TEXT, "user anna", mem="2"), TEXT) == [
        "-    anna: {cpu: 9e5, mem: 1.50, projects: {sea: {cpu: 100}}}  # a lot",
        "+    anna: {cpu: 9e5, mem: 2, projects: {sea: {cpu: 100}}}  # a lot",
    ]
    assert edited(state_with(TEXT, "user bela", cpu="11"), TEXT) == ["-      cpu: 10", "+      cpu: 11"]


def test_what_somebody_used_within_projects_is_one_text() -> None:
    assert edited(state_with(TEXT, "user bela", projects="{sea: {cpu: 7}, ice: {mem: 2}}"), TEXT) == [
        "+      projects: {sea: {cpu: 7}, ice: {mem: 2}}"
    ]


def test_who_used_nothing_so_far_stands_behind_the_others_of_the_kind() -> None:
    assert edited(state_with(TEXT, "project ice", cpu="5", io="2"), TEXT) == ["+    ice: {cpu: 5, io: 2}"]
    assert edited(state_with(FLOW, "project ice", cpu="5"), FLOW)[1] == (
        "+usage: {users: {anna: {cpu: 1}}, projects: {ice: {cpu: 5}}}"
    )
    assert edited(state_with("now: 2026-11-21T09:00:00\n", "user cora", cpu="5"), "now: 2026-11-21T09:00:00\n") == [
        "+usage:",
        "+  users:",
        "+    cora: {cpu: 5}",
    ]


def test_whose_usage_goes_takes_the_line_along() -> None:
    state = read({"jobs.yaml": TEXT})
    assert edited(with_entries(state, (), ((StateKind.USAGE, "user bela"),)), TEXT) == [
        "-    bela:",
        "-      cpu: 10",
        "-      time: 2026-11-21T08:00:00",
    ]
    everything = [(StateKind.USAGE, name) for name in ("user anna", "user bela", "project sea")]
    assert (
        "  projects: {}"
        in texts_with_state(Layout.YAML, "cluster", {"jobs.yaml": TEXT}, with_entries(state, (), everything))[
            "jobs.yaml"
        ]
    )


def test_an_amount_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="not an amount of cpu"):
        state_with(TEXT, "user anna", cpu="much")


amounts = st.dictionaries(st.sampled_from(["cpu", "mem", "io"]), st.sampled_from([0.0, 1.0, 2.5, 1e9]))
usages = st.builds(
    Usage,
    amounts.map(MappingProxyType),
    st.dictionaries(st.sampled_from(["sea", "ice"]), amounts.map(MappingProxyType), max_size=2).map(MappingProxyType),
    st.sampled_from([None, 1_790_000_000]),
)
books = st.builds(
    PastUsage,
    st.dictionaries(st.sampled_from(["anna", "bela", "NO", "7"]), usages, max_size=3).map(MappingProxyType),
    st.dictionaries(st.sampled_from(["sea", "ice"]), st.builds(Usage, amounts.map(MappingProxyType)), max_size=2).map(
        MappingProxyType
    ),
)


@given(st.sampled_from(["", TEXT, FLOW, TEXT.replace("\n", "\r\n")]), books, books)
def test_any_usage_can_be_written_over_any_other(text: str, first: PastUsage, second: PastUsage) -> None:
    texts = {"jobs.yaml": text}
    for book in (first, second):
        wanted = State(now=1_795_251_600, usage=book)
        texts |= texts_with_state(Layout.YAML, "cluster", texts, wanted)
        assert not list(changed_entries(read(texts), wanted))
