import pytest
from hypothesis import given, strategies as st

from qmon_tui.values.lists import is_none, join_entries, join_names, split_entries, split_names
from tests.unit.values.recorded import recorded, refusal

SEPARATORS = st.sampled_from(["blank or comma", "blank", "comma"])
WORDS = st.text(alphabet="abN0_@.-/:*", min_size=1, max_size=6).filter(lambda word: not is_none(word))


@pytest.mark.parametrize(("text", "stored", "message"), recorded("names"))
def test_names_recorded_from_the_qmaster(text: str, stored: str | None, message: str | None) -> None:
    assert message is None
    assert join_names(dict.fromkeys(split_names(text, "blank or comma")), "blank or comma") == stored


@pytest.mark.parametrize(
    ("text", "separator", "names"),
    [
        # values.md#separators
        ("a,b c", "blank", ("a,b", "c")), ("root nobody", "comma", ("root nobody",)),
        ("root, nobody", "comma", ("root", "nobody")), ("cpu , arch", "comma", ("cpu ", "arch")),
        ("cpu,", "comma", ("cpu",)), ("NONE", "comma", ()), ("none", "blank", ()), ("", "comma", ()),
        ("a NONE", "blank", ("a", "NONE")), ("NONE,x", "blank or comma", ()),
        ("a,NONE", "blank or comma", ("a", "NONE")), ("NONE,", "blank", ()), ("none ;", "blank", ()),
        ("NONE=", "comma", ()), ("NONE,a", "blank", ("NONE,a",)), ("NONEx,", "blank", ("NONEx,",)),
    ],
)  # fmt: skip
def test_separators_differ(text: str, separator: str, names: tuple[str, ...]) -> None:
    assert split_names(text, separator) == names


@pytest.mark.parametrize(("text", "stored", "message"), recorded("entries"))
def test_entries_recorded_from_the_qmaster(text: str, stored: str | None, message: str | None) -> None:
    if stored is None:
        assert refusal(lambda value: split_entries(value, "blank or comma"), text) == message
    else:
        assert join_entries(split_entries(text, "blank or comma"), "blank or comma") == stored


@pytest.mark.parametrize(("text", "stored", "message"), recorded("host_entries"))
def test_host_entries_recorded_from_the_qmaster(text: str, stored: str | None, message: str | None) -> None:
    if stored is None:
        assert refusal(lambda value: split_entries(value, "comma"), text)
    else:
        assert join_entries(split_entries(text, "comma"), "comma") == stored


@pytest.mark.parametrize(
    ("text", "entries"),
    [("h_vmem==5", (("h_vmem==5", ""),)), ("h_vmem", (("h_vmem", ""),)), ("h_vmem =5", (("h_vmem ", "5"),))],
)
def test_odd_host_entries_are_names_that_no_attribute_has(text: str, entries: tuple[tuple[str, str], ...]) -> None:
    assert split_entries(text, "comma") == entries


@given(st.lists(WORDS, max_size=5), SEPARATORS)
def test_names_come_back_as_they_were_joined(names: list[str], separator: str) -> None:
    assert split_names(join_names(names, separator), separator) == tuple(names)


@given(st.lists(st.tuples(WORDS, WORDS), max_size=5), st.sampled_from(["blank or comma", "comma"]))
def test_entries_come_back_as_they_were_joined(entries: list[tuple[str, str]], separator: str) -> None:
    assert split_entries(join_entries(entries, separator), separator) == tuple(entries)


@given(st.text(), SEPARATORS)
def test_lists_raise_nothing_but_value_errors(text: str, separator: str) -> None:
    split_names(text, separator)
    refusal(lambda value: split_entries(value, separator), text)


def test_none_has_any_case() -> None:
    assert is_none("NONE")
    assert is_none(" none ")
    assert is_none("")
    assert not is_none("NONE x")
