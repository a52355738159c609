"""Record what a real qmaster says and decides.

    python -m tests.differential.record [verdicts | object-verdicts | families | SCENARIO]...
    python -m tests.differential.record --from FOLDER SCENARIO

Without names everything is recorded; with --from the scenario in the folder is copied to the kept ones first.
"""

import argparse
import sys
from pathlib import Path

from tests.differential.families import families
from tests.differential.generating import cases
from tests.differential.object_cases import object_cases
from tests.differential.object_verdicts import object_context, real_object_verdicts
from tests.differential.odd_spellings import odd_cases
from tests.differential.qmaster import Qmaster, QmasterError, running_qmaster
from tests.differential.qmaster_pool import QmasterPool
from tests.differential.recording import OBJECT_VERDICTS, VERDICTS, keep_object_verdicts, keep_runs, keep_verdicts
from tests.differential.running import Verdict, judge, real_runs, why_not_played
from tests.differential.runs import Run
from tests.differential.scenarios import CLUSTERS, Scenario, read_scenario, scenarios, write_scenario
from tests.differential.verdicts import context, real_verdicts

SEED = 2003
COUNT = 600
FAMILIES = "families"
FAMILY_NUMBERS = (1, 2)
"""The scenarios of each family that are recorded."""


def main(words: list[str]) -> int:
    """Record what is named, or everything; 2 if nothing can be recorded."""
    parser = argparse.ArgumentParser("python -m tests.differential.record")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--from", dest="folder", type=Path, help="the scenario in this folder becomes the named one")
    asked = parser.parse_args(words)
    names: list[str] = asked.names
    if asked.folder:
        if len(names) != 1:
            parser.error("--from needs the name of one scenario")
        write_scenario(CLUSTERS / names[0], read_scenario(asked.folder))
    try:
        with running_qmaster() as qmaster:
            for name in names or [VERDICTS, OBJECT_VERDICTS, FAMILIES, *scenarios()]:
                print(f"{name}: {_record(qmaster, name)}", flush=True)
    except QmasterError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _record(qmaster: Qmaster, name: str) -> str:
    if name == VERDICTS:
        verdicts = list(real_verdicts(qmaster, cases(SEED, COUNT, context())))
        keep_verdicts(verdicts)
        return f"{len(verdicts)} verdicts"
    if name == OBJECT_VERDICTS:
        base = object_context()
        drawn = (*object_cases(SEED, COUNT, base), *odd_cases(SEED, COUNT // 2, base))
        judged = list(real_object_verdicts(qmaster, drawn))
        keep_object_verdicts(judged)
        return f"{len(judged)} verdicts"
    if name == FAMILIES:
        return _record_families()
    runs = real_runs(qmaster, scenarios()[name])
    keep_runs(scenarios()[name], runs)
    return f"{len(runs)} runs"


def _record_families() -> str:
    """Only what agrees is kept: the rest is to be understood first."""
    drawn = [family.scenario(number) for family in families().values() for number in FAMILY_NUMBERS]
    playable = [scenario for scenario in drawn if not why_not_played(scenario)]
    with QmasterPool(3, judged=_kept_where_it_agrees) as pool:
        results = list(pool.play(playable))
    for result in results:
        if result.verdict is None or result.verdict.complaint:
            print(f"{result.scenario.name} is not kept, see {result.folder}", flush=True)
    return f"{len(results)} scenarios"


def _kept_where_it_agrees(runs: list[Run], scenario: Scenario, folder: Path) -> Verdict:
    verdict = judge(runs, scenario.files, folder)
    if not verdict.complaint:
        keep_runs(scenario, runs)
    return verdict


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
