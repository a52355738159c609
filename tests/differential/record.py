"""Record what a real qmaster says and decides.

    python -m tests.differential.record [verdicts | object-verdicts | SCENARIO]...
    python -m tests.differential.record --from FOLDER SCENARIO

Without names everything is recorded; with --from the scenario in the folder is copied to the kept ones first.
"""

import argparse
import sys
from pathlib import Path

from tests.differential.generating import cases
from tests.differential.object_cases import object_cases
from tests.differential.object_verdicts import object_context, real_object_verdicts
from tests.differential.qmaster import Qmaster, QmasterError, running_qmaster
from tests.differential.recording import OBJECT_VERDICTS, VERDICTS, keep_object_verdicts, keep_runs, keep_verdicts
from tests.differential.running import real_runs
from tests.differential.scenarios import CLUSTERS, read_scenario, scenarios, write_scenario
from tests.differential.verdicts import context, real_verdicts

SEED = 2003
COUNT = 600


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
            for name in names or [VERDICTS, OBJECT_VERDICTS, *scenarios()]:
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
        judged = list(real_object_verdicts(qmaster, object_cases(SEED, COUNT, object_context())))
        keep_object_verdicts(judged)
        return f"{len(judged)} verdicts"
    runs = real_runs(qmaster, scenarios()[name])
    keep_runs(scenarios()[name], runs)
    return f"{len(runs)} runs"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
