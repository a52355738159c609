"""What the real system decided, kept in files, so that the comparison also runs where it is not installed."""

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

from tests.differential.object_verdicts import RealObjectVerdict
from tests.differential.runs import Run
from tests.differential.scenarios import Scenario
from tests.differential.verdicts import RealVerdict

RECORDED = Path(__file__).parent.parent / "data" / "recorded"
VERDICTS = "verdicts"
OBJECT_VERDICTS = "object-verdicts"
COMMAND = "python -m tests.differential.record"


def keep(name: str, data: Any) -> None:
    """Write JSON values; the order of keys stays, as that of the queue instances of a task means something."""
    RECORDED.mkdir(parents=True, exist_ok=True)
    text = json.dumps(data, separators=(",", ":"))
    RECORDED.joinpath(f"{name}.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


def kept(name: str) -> Any:
    """Read them; raises FileNotFoundError with the command that makes them."""
    file = RECORDED / f"{name}.json.gz"
    if not file.exists():
        raise FileNotFoundError(f"{file.name} is not there, make it with: {COMMAND}")
    return json.loads(gzip.decompress(file.read_bytes()))


def keep_runs(scenario: Scenario, runs: list[Run]) -> None:
    """Keep the runs of a scenario."""
    keep(f"runs-{scenario.name}", {"definition": definition_of(scenario), "runs": [run.data() for run in runs]})


def kept_runs(scenario: Scenario) -> list[Run]:
    """The runs kept of a scenario; raises ValueError where they were recorded from something else."""
    data = kept(f"runs-{scenario.name}")
    if data["definition"] != definition_of(scenario):
        raise ValueError(f"{scenario.name} has changed since it was recorded, record it again with: {COMMAND}")
    return [Run.of(run) for run in data["runs"]]


def keep_verdicts(verdicts: list[RealVerdict]) -> None:
    """Keep what was said of generated files."""
    keep(VERDICTS, [verdict.data() for verdict in verdicts])


def kept_verdicts() -> list[RealVerdict]:
    """What was said of generated files."""
    return [RealVerdict(**data) for data in kept(VERDICTS)]


def keep_object_verdicts(verdicts: list[RealObjectVerdict]) -> None:
    """Keep what was said of generated objects of the other kinds."""
    keep(OBJECT_VERDICTS, [verdict.data() for verdict in verdicts])


def kept_object_verdicts() -> list[RealObjectVerdict]:
    """What was said of them."""
    return [RealObjectVerdict.of(data) for data in kept(OBJECT_VERDICTS)]


def definition_of(scenario: Scenario) -> str:
    """What tells whether a scenario is still the one that was recorded."""
    text = json.dumps([dict(sorted(scenario.files.items())), scenario.session])
    return hashlib.sha256(text.encode()).hexdigest()
