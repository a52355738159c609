"""The clusters that are played: a folder each, with the cluster as YAML and `session.txt`, what happens on it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.differential.session import Step, parse_session

CLUSTERS = Path(__file__).with_name("clusters")
SESSION = "session.txt"


@dataclass(frozen=True, slots=True)
class Scenario:
    """One cluster and one session on it."""

    name: str
    files: Mapping[str, str]
    """The YAML files of the cluster."""
    session: str

    @property
    def steps(self) -> tuple[Step, ...]:
        """What happens before each run."""
        return parse_session(self.session)


@cache
def scenarios() -> dict[str, Scenario]:
    """All scenarios by name."""
    folders = sorted(file.parent for file in CLUSTERS.glob(f"*/{SESSION}"))
    return {folder.name: _scenario(folder) for folder in folders}


def _scenario(folder: Path) -> Scenario:
    files = {file.name: file.read_text() for file in sorted(folder.glob("*.yaml"))}
    return Scenario(folder.name, files, folder.joinpath(SESSION).read_text())
