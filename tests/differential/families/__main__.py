"""`python -m tests.differential.families [FAMILY [NUMBERS]] [-j N] [--leave FOLDER] [--shrink]`."""

import argparse
import sys
import time
from pathlib import Path

from tests.differential.agreement import Agreement, table
from tests.differential.families import families
from tests.differential.loads import why_no_loads
from tests.differential.qmaster import why_unavailable
from tests.differential.qmaster_pool import PlayedScenario, QmasterPool
from tests.differential.running import why_not_played
from tests.differential.shrink import shrunk_folder


def main(words: list[str]) -> int:
    """Play, print what differs, then the table; 1 if something differs, 2 if nothing can be played."""
    asked = _parser().parse_args(words)
    reason = why_unavailable()
    if reason:
        print(reason, file=sys.stderr)
        return 2
    chosen = [families()[asked.family]] if asked.family else list(families().values())
    drawn = [family.scenario(number) for family in chosen for number in asked.numbers or range(family.numbers)]
    playable = [scenario for scenario in drawn if not why_not_played(scenario)]
    if len(playable) < len(drawn):
        print(f"{len(drawn) - len(playable)} scenarios are left out: {why_no_loads()}", file=sys.stderr)
    found = {family.name: Agreement() for family in chosen}
    started = time.monotonic()
    with QmasterPool(asked.j, asked.leave) as pool:
        differing = [played for played in pool.play(playable) if _counted(found, played)]
        for played in differing if asked.shrink else ():
            print(f"{played.scenario.name}: as small as possible in {shrunk_folder(pool, played.folder)}", flush=True)
    print(f"\n{table(found)}\nin {time.monotonic() - started:.0f} s")
    return 0 if all(agreement.whole for agreement in found.values()) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tests.differential.families")
    parser.add_argument("family", nargs="?", choices=sorted(families()))
    parser.add_argument("numbers", nargs="?", type=_numbers, help="a number or first-last")
    parser.add_argument("-j", type=int, default=4, help="how many qmasters side by side (4); they mostly wait")
    parser.add_argument("--leave", type=Path, help="where to leave what differs (a new folder)")
    parser.add_argument("--shrink", action="store_true", help="make what differs as small as possible")
    return parser


def _numbers(text: str) -> range:
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def _counted(found: dict[str, Agreement], played: PlayedScenario) -> bool:
    """Count and print what came of a scenario; whether it differs."""
    name = played.scenario.name
    agreement = found[name.rpartition("-")[0]]
    if played.verdict is None:
        agreement.scenarios += 1
        agreement.failures += 1
        print(f"{name}: could not be played: {played.failure}\n  {played.folder}", flush=True)
        return False
    agreement.add(played.verdict)
    if played.verdict.complaint:
        print(f"{name}: differs, {played.folder}{played.verdict.complaint}", flush=True)
    elif played.verdict.not_simulated:
        print(f"{name}: not simulated: {', '.join(sorted(played.verdict.not_simulated))}", flush=True)
    return bool(played.verdict.complaint)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
