"""Jobs of other families whose options are replaced by qalter between runs, while they wait and while they run."""

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from qmon_tui.formats.qalter_application import split_options
from tests.differential import families
from tests.differential.drawing import Draw
from tests.differential.scenarios import Scenario

NUMBERS = 60
BASES: Final = (
    *("mixed", "mixed", "matching", "matching", "quota", "quota", "pe", "pe", "urgency", "ordering", "reservation"),
    *("calendars", "functional", "sharetree", "access", "override", "crossed", "arrays", "arrays", "subordination"),
    *("reserved_quota", "planned", "advance", "history"),
)
_SUBMITTED: Final = re.compile(r"^(?:(?P<times>\d+)x )?\S+[$#] qsub(?P<words>.*)$")
_ALTERABLE: Final = frozenset(
    {"-l", "-q", "-pe", "-p", "-P", "-js", "-R", "-r", "-tc", "-masterq", "-hold_jid", "-a", "-ckpt"}
)
"""Options of the family's own jobs that another job may be given."""
_EMPTIED: Final = ("-l ''", "-soft -l ''", "-hold_jid 0", "-P ''", "-tc 0", "-R n", "-p 0", "-js 0", "-ot 0")


def draw(random: Random) -> Scenario:
    """A scenario of another family with one to four qalter lines before each run but the first."""
    return over(random, families.families()[random.choice(BASES)].draw(random))


def over(random: Random, base: Scenario) -> Scenario:
    """The same with any scenario."""
    lines = base.session.splitlines()
    options = sorted({piece for line in lines for piece in _options(line)})
    return replace(base, session="\n".join(_altered(random, lines, options)) + "\n")


def _options(line: str) -> Iterator[str]:
    """The options of a submission that another job may be given, as typed."""
    found = _SUBMITTED.match(line)
    for piece in split_options(found["words"].strip()) if found else ():
        if piece.option in _ALTERABLE:
            yield f"-soft {piece.text}" if piece.soft and piece.option in ("-l", "-q") else piece.text


def _altered(random: Random, lines: Sequence[str], options: Sequence[str]) -> Iterator[str]:
    """Where in a run's deeds a line comes is drawn, too."""
    submitted = runs = 0
    for line in lines:
        found = _SUBMITTED.match(line)
        submitted += int(found["times"] or 1) if found else 0
        if runs and submitted and not line.startswith("root# load") and random.random() < 0.35:
            yield _order(random, submitted, options)
        if line == "run":
            runs += 1
            for _ in range(random.choice((0, 0, 1, 2)) if runs > 1 else 0):
                yield _order(random, submitted, options)
        yield line


def _order(random: Random, submitted: int, options: Sequence[str]) -> str:
    job = random.randint(1, submitted)
    given = [_option(random, submitted, options) for _ in range(random.choice((1, 1, 1, 2, 3)))]
    tasks = ".2" if " ".join(given).startswith("-h ") and len(given) == 1 and random.random() < 0.3 else ""
    return f"root# qalter {' '.join(given)} {job}{tasks}"


def _option(random: Random, submitted: int, options: Sequence[str]) -> str:
    if options and random.random() < 0.5:
        return random.choice(options)
    one, another = random.randint(1, submitted), random.randint(1, submitted)
    drawn: tuple[Draw, ...] = (
        lambda: f"-p {random.choice((0, -1, -100, -1000, 500))}",
        lambda: f"-ot {random.choice((0, 5, 300, 2000))}",
        lambda: f"-js {random.choice((0, 1, 7, 100))}",
        lambda: f"-R {random.choice('yn')}",
        lambda: f"-r {random.choice('yn')}",
        lambda: f"-a {random.choice(('203501010000', '202001010000'))}",
        lambda: f"-hold_jid {one}",
        lambda: f"-hold_jid {one},{another}",
        lambda: f"-tc {random.randint(1, 3)}",
        lambda: f"-q {shlex.quote(random.choice(('*', 'a.q', '[ab].q', '*@n1')))}",
        lambda: f"-N {random.choice(('alpha', 'beta', 'other'))}",
        lambda: f"-h {random.choice(('u', 'o', 's', 'U', 'n', 'n'))}",
        lambda: f"-l h_rt={random.choice((60, 600, 3600))}",
        lambda: random.choice(_EMPTIED),
        lambda: random.choice(_EMPTIED),
    )
    return random.choice(drawn)()
