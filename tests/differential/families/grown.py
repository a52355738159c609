"""Other families with more of everything: several hosts in the place of each, and jobs by the dozen."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final

from tests.differential import families
from tests.differential.drawing import scenario
from tests.differential.scenarios import Scenario
from tests.differential.shrinking import Draft

NUMBERS: Final = 20
BASES: Final = (
    *("mixed", "mixed", "pe", "pe", "quota", "quota", "reservation", "reservation", "reserved_quota", "planned"),
    *("matching", "ordering", "access", "urgency", "functional", "sharetree", "override", "arrays", "crossed"),
    *("subordination", "advance", "calendars", "doubled", "stacked"),
)
MOST_HOSTS: Final = 12
MOST_JOBS: Final = 45
_HOST: Final = re.compile(r"(?<![\w@.-])n\d+(?![\w.-])")
_SUBMITTED: Final = re.compile(r"^(?:(?P<times>\d+)x )?(?P<line>\S+[$#] qsub\b.*)$")


def draw(random: Random) -> Scenario:
    """A scenario of another family, grown."""
    return over(random, families.families()[random.choice(BASES)].draw(random))


def over(random: Random, base: Scenario, *, hosts: tuple[int, int] = (0, MOST_HOSTS)) -> Scenario:
    """The same with any scenario whose hosts are called n1, n2 and so on, and report nothing; with so many `hosts`."""
    sections = Draft.of(base).cluster
    names = [name for name in sections["hosts"] if _HOST.fullmatch(name)]
    fewest, most = (bound // max(1, len(names)) for bound in hosts)
    times = random.randint(max(2, fewest + bool(fewest)), max(2, most, fewest + 1))
    copies = {name: [f"{name}x{number}" for number in range(1, times)] for name in names}
    grown = {key: _grown(key, section, copies) for key, section in sections.items()}
    drawn = scenario(grown, _lines(random, base.session.splitlines()))
    return replace(drawn, files={**{name: text for name, text in base.files.items() if "usage" in name}, **drawn.files})


def _grown(key: str, section: Any, copies: Mapping[str, Sequence[str]]) -> Any:
    if key == "hosts":
        return {name: fields for host, fields in section.items() for name in (host, *copies.get(host, ()))}
    if key not in ("hostgroups", "queues"):
        return section

    def with_copies(found: re.Match[str]) -> str:
        return " ".join((found[0], *copies.get(found[0], ())))

    return {
        name: {**fields, "hostlist": _HOST.sub(with_copies, fields["hostlist"])} if "hostlist" in fields else fields
        for name, fields in section.items()
    }


def _lines(random: Random, lines: Sequence[str]) -> Iterator[str]:
    """Each submission some times over, as long as there are not too many."""
    jobs = 0
    for line in lines:
        found = _SUBMITTED.match(line)
        if found is None:
            yield line
            continue
        times = int(found["times"] or 1) * (random.choice((1, 2, 3, 6)) if jobs < MOST_JOBS else 1)
        jobs += times
        yield f"{times}x {found['line']}" if times > 1 else found["line"]
