"""What the scheduler remembers of its searches in ranges of slots, as a cluster folder says it."""

import pytest

from qmon_tui.formats.folder import Contents, read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.state.text import state_text


def read(text: str) -> Contents:
    return read_texts(Layout.YAML, "c", {"state.yaml": text})


def test_the_costs_are_read_and_written() -> None:
    found = read("pe_range_costs: {bin: 136, highest: 578}\n")
    assert not found.findings
    assert dict(found.state.pe_range_costs) == {"bin": 136, "highest": 578}
    assert read(state_text(found.state)).state.pe_range_costs == found.state.pe_range_costs


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("{binary: 1}", '"binary" is no way to search, write bin, highest, least'),
        ("{bin: -136}", '"-136" is no cost, write a whole number such as 136'),
        ("{bin: 1, bin: 2}", "twice"),
        ("bin", "pe_range_costs"),
    ],
)
def test_what_is_no_cost_is_found_and_left_out(value: str, message: str) -> None:
    (finding,) = read(f"pe_range_costs: {value}\n").findings
    assert message in finding.message
    assert (finding.file, finding.line) == ("state.yaml", 1)
