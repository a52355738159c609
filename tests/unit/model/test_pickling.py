"""Clusters, states, outcomes and documents can be sent to another process and are equal there."""

import pickle
from dataclasses import FrozenInstanceError
from pathlib import Path
from types import MappingProxyType

import pytest

from qmon_tui.model import read_only
from qmon_tui.qmaster import schedule
from qmon_tui.sources import read_folder
from qmon_tui.workspace import Document
from tests.differential.families import families
from tests.plain.moments import moments

CONFIGS = Path(__file__).parents[3] / "configs"
FOLDERS = sorted({path.parent for path in CONFIGS.glob("*/*") if path.is_file() and path.suffix not in (".md", ".pyc")})


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_what_is_read_and_what_comes_of_it(folder: Path) -> None:
    reading = read_folder(folder)
    document = Document(reading.cluster, reading.state)
    outcome = schedule(reading.cluster, reading.state)
    for value in (document, reading.findings, outcome):
        assert pickle.loads(pickle.dumps(value)) == value


@pytest.mark.parametrize("family", families())
def test_drawn_clusters(family: str) -> None:
    for cluster, state, outcome in moments(families()[family].scenario(77)):
        sent = pickle.loads(pickle.dumps((cluster, state, outcome)))
        assert sent == (cluster, state, outcome)
        assert schedule(sent[0], sent[1]) == outcome


def test_what_arrives_is_read_only_too() -> None:
    arrived = pickle.loads(pickle.dumps(read_only({"slots": 4})))
    assert isinstance(arrived, MappingProxyType)
    cluster = pickle.loads(pickle.dumps(read_folder(FOLDERS[0]).cluster))
    with pytest.raises(FrozenInstanceError):
        cluster.name = "another"
