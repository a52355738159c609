"""configs/broken and configs/broken-qconf show every rule, each where its comment says, and nothing else."""

from collections import Counter
from pathlib import Path

import pytest

from qmon_tui.checks import check
from qmon_tui.model.findings import Finding
from qmon_tui.sources.folder import Reading, read_folder
from tests.unit.configs.announced import CONFIGS, Place, announced

FOLDERS = [CONFIGS / "broken", CONFIGS / "broken-qconf"]


def findings(reading: Reading) -> list[Finding]:
    return [*reading.findings, *check(reading.cluster, reading.state)]


def place(finding: Finding) -> Place:
    return finding.file or "", finding.line or 0, finding.rule


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_what_is_found_is_what_the_comments_announce(folder: Path) -> None:
    found = Counter(map(place, findings(read_folder(folder))))
    expected = Counter(announced(folder))
    assert sorted((found - expected).elements()) == []
    assert sorted((expected - found).elements()) == []
