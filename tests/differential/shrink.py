"""Make a scenario that differs as small as possible: `python -m tests.differential.shrink FOLDER [-j N]`.

FOLDER holds cluster.yaml and session.txt, as left behind by a comparison. Whatever can be taken out while the same sort
of thing still differs between the real system and the engine is taken out; the rest is left in FOLDER-small.
"""

import argparse
import re
import sys
from pathlib import Path
from typing import Final

from tests.differential.qmaster import why_unavailable
from tests.differential.qmaster_pool import PlayedScenario, QmasterPool
from tests.differential.scenarios import Scenario, read_scenario, write_scenario
from tests.differential.shrinking import LEVELS, Draft, Level

_NUMBER: Final = re.compile(r"[\d.]+")


def main(words: list[str]) -> int:
    """Shrink; 1 if nothing differs, 2 if there is no real system."""
    parser = argparse.ArgumentParser("python -m tests.differential.shrink")
    parser.add_argument("folder", type=Path)
    parser.add_argument("-j", type=int, default=4, help="how many qmasters side by side (4)")
    asked = parser.parse_args(words)
    reason = why_unavailable()
    if reason:
        print(reason, file=sys.stderr)
        return 2
    with QmasterPool(asked.j) as pool:
        folder = shrunk_folder(pool, asked.folder)
    if folder is None:
        print("nothing differs", file=sys.stderr)
        return 1
    print(folder)
    for file in sorted(folder.iterdir()):
        print(f"--- {file.name}\n{file.read_text()}" if file.is_file() else f"--- {file.name}/")
    return 0


def shrunk_folder(pool: QmasterPool, folder: Path) -> Path | None:
    """The folder with the smallest scenario found; None if nothing differs in the one given."""
    draft = Draft.of(read_scenario(folder))
    first = next(pool.play([draft.scenario(folder.name)]))
    if not _differences(first):
        return None
    shrinker = _Shrinker(pool, _differences(first))
    draft = shrinker.shrunk(draft.up_to(_first_differing_run(first)))
    small = draft.scenario(folder.name)
    return write_scenario(folder.with_name(f"{folder.name}-small"), small)


def _differences(played: PlayedScenario) -> set[str]:
    """The sorts of things that differ, without the numbers of jobs and tasks."""
    comparisons = played.verdict.comparisons if played.verdict else ()
    return {
        f"{mismatch.sort}: {_NUMBER.sub('', mismatch.what)}" if mismatch.sort != "values" else mismatch.sort
        for comparison in comparisons
        for mismatch in comparison.mismatches
    }


def _first_differing_run(played: PlayedScenario) -> int:
    assert played.verdict
    return next(number for number, comparison in enumerate(played.verdict.comparisons, 1) if comparison.mismatches)


class _Shrinker:
    def __init__(self, pool: QmasterPool, wanted: set[str]) -> None:
        self._stage = pool
        self._wanted = wanted
        self._in_vain: set[str] = set()
        """What was tried and does not differ."""

    def shrunk(self, draft: Draft) -> Draft:
        """Without anything that can be taken out."""
        while True:
            before = draft
            for level in LEVELS:
                draft = self._at_level(draft, level)
                print(f"{level.__name__}: {len(_content(draft.scenario('')))} characters left", file=sys.stderr)
            if draft == before:
                return draft

    def _at_level(self, draft: Draft, level: Level) -> Draft:
        """Take out halves, quarters and so on, then single things, until nothing more can go."""
        size = len(level(draft)[0])
        while size:
            draft = self._with_size(draft, level, size)
            size = 0 if size == 1 else min((size + 1) // 2, max(1, len(level(draft)[0])))
        return draft

    def _with_size(self, draft: Draft, level: Level, size: int) -> Draft:
        """Take out what can go of so many things in a row, from first to last, several rows tried at once."""
        start = 0
        while start < len(level(draft)[0]):
            places, without = level(draft)
            starts = range(start, len(places), size)[: self._stage.processes]
            tries = [without(set(places[first : first + size])) for first in starts]
            found = self._first_that_differs(tries, draft)
            if found is None:
                start += size * len(tries)
            else:
                draft, start = tries[found], starts[found]
        return draft

    def _first_that_differs(self, tries: list[Draft], before: Draft) -> int | None:
        drawn = {f"try{place}": draft.scenario(f"try{place}") for place, draft in enumerate(tries) if draft != before}
        new = [scenario for scenario in drawn.values() if _content(scenario) not in self._in_vain]
        found: list[int] = []
        for played in self._stage.play(new):
            if _differences(played) & self._wanted:
                found.append(int(played.scenario.name.removeprefix("try")))
            else:
                self._in_vain.add(_content(played.scenario))
        return min(found, default=None)


def _content(scenario: Scenario) -> str:
    return f"{dict(scenario.files)}{scenario.session}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
