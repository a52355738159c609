"""What the scheduler remembers of its searches in ranges of slots, as a cluster folder says it."""

import pytest

from qmon_tui.formats.folder_reader import Contents, read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.state.state_writer import state_text


def read(text: str) -> Contents:
    return read_texts(Layout.YAML, "c", {"state.yaml": text})


@pytest.mark.parametrize("scores", [(-34, -68, -136), (0, 0, -34)])
def test_the_scores_are_read_and_written_as_the_scheduler_logs_them(scores: tuple[int, int, int]) -> None:
    contents = read("pe_alg: {}/{}/{}\n".format(*scores))
    assert not contents.findings
    assert contents.state.pe_alg == scores
    assert read(state_text(contents.state)).state.pe_alg == scores


@pytest.mark.parametrize(
    "value", ["-34", "-34/-68", "34/68/136", "-34/-68/-136/0", "a/b/c", "[-34, -68, -136]", "-0/0/0.5"]
)
def test_what_are_no_scores_is_found_and_left_out(value: str) -> None:
    contents = read(f"pe_alg: {value}\n")
    assert contents.findings[-1].message.endswith("write it as it logs it: -34/-68/-136")
    assert (contents.findings[-1].file, contents.findings[-1].line) == ("state.yaml", 1)
    assert contents.state.pe_alg == (0, 0, 0)


def test_the_scores_of_two_files_are_too_many() -> None:
    texts = {"a.yaml": "pe_alg: -34/-68/-136\n", "b.yaml": "pe_alg: 0/-34/-68\n"}
    (finding,) = read_texts(Layout.YAML, "c", texts).findings
    assert finding.message == "pe_alg is written twice"
