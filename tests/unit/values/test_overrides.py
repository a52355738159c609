import pytest
from hypothesis import given, strategies as st

from qmon_tui.values.number import parse_unsigned
from qmon_tui.values.overrides import Overrides, OverridesError, parse_overrides
from tests.unit.values.recorded import recorded, refusal

VALUES = st.text(alphabet="ab1/=,. ", max_size=6).map(str.strip).filter(lambda value: not value.endswith(","))
KEYS = st.from_regex(r"@?[a-z][a-z0-9.]{0,5}", fullmatch=True)
OVERRIDES = st.builds(
    lambda default, keyed: Overrides(default, tuple(keyed.items())),
    st.none() | VALUES.filter(bool),
    st.dictionaries(KEYS, VALUES, max_size=4),
).filter(lambda overrides: overrides.default is not None or bool(overrides.keyed))


def seq_no(text: str) -> tuple[str | None, str | None]:
    """What the qmaster stores for a seq_no, or its refusal; it looks at each value as soon as it has read it."""
    try:
        overrides = parse_overrides(text)
        parts, error = [(None, overrides.default), *overrides.keyed], None
    except OverridesError as stopped:
        parts, error = list(stopped.read), str(stopped)
    refusals = [refusal(parse_unsigned, value) for _, value in parts if value is not None]
    message = next((said for said in refusals if said), error)
    if message is not None:
        return None, message
    if overrides.default is None:
        return None, '"seq_no" has no default value'
    keyed = tuple((key, str(parse_unsigned(value))) for key, value in overrides.keyed)
    return Overrides(str(parse_unsigned(overrides.default)), keyed).canonical(), None


# Refused for what the group or host is, not for how the text is written.
RESOLVED_LATER = ("Did not modify", "invalid hostname")


@pytest.mark.parametrize(
    ("text", "stored", "message"),
    [row for row in recorded("overrides") if not (row[2] or "").startswith(RESOLVED_LATER)],
)
def test_overrides_recorded_from_the_qmaster(text: str, stored: str | None, message: str | None) -> None:
    assert seq_no(text) == (stored, message)


@pytest.mark.parametrize(
    ("text", "stored", "message"),
    [row for row in recorded("text_overrides") if not (row[2] or "").startswith(RESOLVED_LATER)],
)
def test_overrides_of_texts_recorded_from_the_qmaster(text: str, stored: str | None, message: str | None) -> None:
    if message == '"tmpdir" has no default value':
        assert parse_overrides(text).default is None
    elif message is not None:
        assert refusal(parse_overrides, text) == message
    else:
        assert parse_overrides(text).canonical() == stored


def test_values_may_hold_commas_and_equals_signs() -> None:
    overrides = parse_overrides("a=1,b=2,[vs1=a=1,b=2],[@g=NONE]")
    assert overrides == Overrides("a=1,b=2", (("vs1", "a=1,b=2"), ("@g", "NONE")))
    assert overrides.get("VS1") == "a=1,b=2"
    assert overrides.canonical() == "a=1,b=2,[@g=NONE],[vs1=a=1,b=2]"


def test_what_was_typed_stays_until_something_changes() -> None:
    typed = "1 , [vs1=2], [@g=3]"
    overrides = parse_overrides(typed)
    assert overrides.text() == typed
    assert overrides.with_key("vs1", "2").text() == typed
    assert overrides.with_default("1").text() == typed
    assert overrides.with_key("vs1", "5").text() == "1,[@g=3],[vs1=5]"
    assert overrides.with_key("vs9", None).text() == typed


def test_keys_are_set_in_place_added_at_the_end_and_taken_away() -> None:
    overrides = parse_overrides("1,[vs1=2],[vs2=3]")
    assert overrides.with_key("VS1", "9").keyed == (("vs1", "9"), ("vs2", "3"))
    assert overrides.with_key("vs3", "4").keyed == (("vs1", "2"), ("vs2", "3"), ("vs3", "4"))
    assert overrides.with_key("vs1", None).text() == "1,[vs2=3]"
    assert overrides.with_default("7").text() == "7,[vs1=2],[vs2=3]"


@given(OVERRIDES)
def test_overrides_come_back_as_they_were_printed(overrides: Overrides) -> None:
    found = parse_overrides(overrides.canonical())
    assert found.default == overrides.default
    assert dict(found.keyed) == dict(overrides.keyed)
    assert found.canonical() == overrides.canonical()


@given(OVERRIDES, KEYS, VALUES)
def test_a_key_that_is_set_is_found(overrides: Overrides, key: str, value: str) -> None:
    assert overrides.with_key(key, value).get(key) == value
    assert overrides.with_key(key, value).with_key(key, None).get(key) is None
    assert overrides.with_key(key, value).default == overrides.default


@given(st.text(alphabet="ab=,[]@/ ", max_size=12) | st.text())
def test_reading_raises_nothing_but_override_errors(text: str) -> None:
    said = refusal(parse_overrides, text)
    if said is None:
        assert parse_overrides(text).text() == text
    else:
        assert said.startswith("error: ")


@pytest.mark.parametrize("text", ["[", "[[", " ", ",", "1,[", "1,[[ "])
def test_brackets_and_commas_without_a_value_are_refused(text: str) -> None:
    with pytest.raises(OverridesError):
        parse_overrides(text)


def test_an_empty_text_is_an_empty_default() -> None:
    assert parse_overrides("") == Overrides("")
