"""Record what a real qmaster decides: `python -m tests.differential.record [SCENARIO...]`."""

import sys

from tests.differential.qmaster import QmasterError, running_qmaster
from tests.differential.recording import keep_runs
from tests.differential.running import real_runs
from tests.differential.scenarios import scenarios


def main(names: list[str]) -> int:
    """Record the named scenarios, or all of them."""
    chosen = {name: scenarios()[name] for name in names or scenarios()}
    try:
        with running_qmaster() as qmaster:
            for name, scenario in chosen.items():
                runs = real_runs(qmaster, scenario)
                keep_runs(scenario, runs)
                print(f"{name}: {len(runs)} runs")
    except QmasterError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
