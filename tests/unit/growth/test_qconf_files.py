"""Large files of qconf are read in proportion to their size, or not at all; of countless faults the first are told."""

from collections.abc import Callable
from functools import partial

import pytest

from qmon_tui.formats import read_texts
from qmon_tui.formats.format_findings import MOST_FINDINGS
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.parsed_files import LARGEST_OBJECT
from qmon_tui.model.kinds import Kind
from tests.unit.formats.recorded import samples
from tests.unit.growth.test_growth import ALLOWED, TIMES, steps

QUEUE = samples()["captures"]["show.sq_val_fmt.txt"]


def many_rules(size: int) -> tuple[str, str]:
    rules = "".join(f"   limit users u{number} to slots=4\n" for number in range(size))
    return "resource_quotas/r", f"{{\n   name r\n   description NONE\n   enabled TRUE\n{rules}}}\n"


def unknown_lines(size: int) -> tuple[str, str]:
    return "cqueues/val_fmt", QUEUE + "".join(f"field{number} 1\n" for number in range(size))


def carriage_returns(size: int) -> tuple[str, str]:
    return "cqueues/val_fmt", QUEUE + "\r\n" * size


def nodes_of_a_tree(size: int) -> tuple[str, str]:
    nodes = "".join(
        f"id={i}\nname=n{i}\ntype=0\nshares=1\nchildnodes={i + 1 if i + 1 < size else 'NONE'}\n" for i in range(size)
    )
    return "sharetree", nodes


@pytest.mark.parametrize("make", [many_rules, unknown_lines, carriage_returns, nodes_of_a_tree])
def test_four_times_as_large_a_file_takes_about_four_times_the_steps(make: Callable[[int], tuple[str, str]]) -> None:
    small, large = (steps(partial(read_texts, Layout.QCONF, "c", dict([make(size)]))) for size in (200, 200 * TIMES))
    assert large < small * TIMES * ALLOWED, f"{small} steps, then {large}"


def test_a_file_that_is_far_too_large_is_not_read() -> None:
    contents = read_texts(Layout.QCONF, "c", {"cqueues/val_fmt": QUEUE + "#\n" * (LARGEST_OBJECT // 2)})
    (finding,) = contents.findings
    assert finding.message == "is larger than 4 MiB, too large for what qconf prints"
    assert (finding.rule, finding.file, finding.line) == ("format.encoding", "cqueues/val_fmt", 1)
    assert not contents.cluster.objects(Kind.QUEUE)


def test_of_countless_faults_the_first_are_told() -> None:
    contents = read_texts(Layout.QCONF, "c", dict([unknown_lines(MOST_FINDINGS + 50)]))
    assert len(contents.findings) == MOST_FINDINGS + 1
    assert contents.findings[-1].message == "more faults in this file, from here on, are not listed"
    lines = [finding.line or 0 for finding in contents.findings[-2:]]
    assert lines[1] == lines[0] + 1
