"""The clusters that are played: a folder each, with the cluster as YAML and `session.txt`, what happens on it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.differential.session import Step, parse_session

CLUSTERS = Path(__file__).with_name("clusters")
CLUSTER = "cluster.yaml"
SESSION = "session.txt"
USAGE = "usage.yaml"
"""What users and projects have used when the session begins, which is at 2026-01-01T08:00:00."""


STATES = "states.yaml"
"""Which queue instances have the letter E when the session begins; no command sets it."""
GIVEN = (USAGE, STATES)
"""Files that are no part of the cluster: what is in them is seen before each run."""


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

    @property
    def reports_loads(self) -> bool:
        """Whether hosts report load values, which needs a real execd."""
        return any(step.loads for step in self.steps)


@cache
def scenarios() -> dict[str, Scenario]:
    """All scenarios by name."""
    folders = sorted(file.parent for file in CLUSTERS.glob(f"*/{SESSION}"))
    return {folder.name: read_scenario(folder) for folder in folders}


def read_scenario(folder: Path) -> Scenario:
    """The scenario in a folder, named after it."""
    files = {file.name: file.read_text() for file in sorted(folder.glob("*.yaml"))}
    return Scenario(folder.name, files, folder.joinpath(SESSION).read_text())


def write_scenario(folder: Path, scenario: Scenario) -> Path:
    """Write a scenario so that `read_scenario` reads it; the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {**scenario.files, SESSION: scenario.session}.items():
        folder.joinpath(name).write_text(text)
    return folder
