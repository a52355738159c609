"""configs/seeds/README.md names each cluster, and each cluster says what its document leaves out."""

import re

import pytest

from qmon_tui.sources import read_folder
from tests.differential.seeds import SEEDS, seeds


def test_all_clusters_are_listed() -> None:
    rows = re.findall(r"^\| [^|]+ \| ([^|]+) \|", (SEEDS / "README.md").read_text(), re.MULTILINE)[1:]
    named = [name for row in rows for name in re.split(r", ", row.strip()) if not set(name) <= {"-"}]
    lead = "queue-slotwise"
    assert sorted(name if not name.startswith("-") else lead + name for name in named) == seeds()


@pytest.mark.parametrize("name", seeds())
def test_a_cluster_reads_well_and_begins_with_what_it_is_about(name: str) -> None:
    assert not read_folder(SEEDS / name).findings
    text = (SEEDS / name / "cluster.yaml").read_text()
    assert text.startswith("# ")
    assert max(map(len, text.splitlines())) <= 130
