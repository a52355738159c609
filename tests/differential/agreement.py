"""How well we agree with the real system: counts per family, and the table that `make differential` ends with."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from tests.differential.running import Verdict

COLUMNS: Final = {
    "placements": ("placements", "jobs"),
    "columns": ("columns",),
    "messages": ("messages", "refusals"),
    "schedule": ("schedule",),
    "searches": ("searches",),
    "instances": ("instances", "values", "names"),
    "share tree": ("nodes",),
    "quotas": ("quotas",),
    "reservations": ("reservations",),
}
"""Column of the table -> the sorts of comparison that it adds up."""


@dataclass(slots=True)
class Agreement:
    """What was played and compared, added up over scenarios."""

    scenarios: int = 0
    runs: int = 0
    not_simulated: int = 0
    """Runs in which the engine said that it does not simulate something; they are not compared."""
    failures: int = 0
    """Scenarios that could not be played."""
    compared: Counter[str] = field(default_factory=Counter)
    different: Counter[str] = field(default_factory=Counter)

    def add(self, verdict: Verdict) -> None:
        """Count one scenario."""
        self.scenarios += 1
        self.runs += verdict.runs
        self.not_simulated += verdict.runs - len(verdict.comparisons)
        for comparison in verdict.comparisons:
            self.compared += comparison.compared
            self.different.update(mismatch.sort for mismatch in comparison.mismatches)

    def __add__(self, other: "Agreement") -> "Agreement":
        return Agreement(
            self.scenarios + other.scenarios,
            self.runs + other.runs,
            self.not_simulated + other.not_simulated,
            self.failures + other.failures,
            self.compared + other.compared,
            self.different + other.different,
        )

    @property
    def whole(self) -> bool:
        """Whether everything agrees."""
        return not self.failures and not self.different

    def agreeing(self, column: str) -> str:
        """Such as `1200 100%` or `1200 99.42%`; a difference never rounds to 100."""
        sorts = COLUMNS[column]
        compared = sum(self.compared[sort] for sort in sorts)
        different = sum(self.different[sort] for sort in sorts)
        if not compared:
            return "-"
        percent = f"{min(100 * (1 - different / compared), 99.99):.2f}" if different else "100"
        return f"{compared} {percent}%"


def table(agreements: dict[str, Agreement]) -> str:
    """One line per family and their sum."""
    head = ["family", "scenarios", "runs", "not simulated", *COLUMNS, "failed"]
    everything = sum(agreements.values(), Agreement())
    lines = [head, *(_line(name, agreement) for name, agreement in {**agreements, "all": everything}.items())]
    widths = [max(len(line[place]) for line in lines) for place in range(len(head))]
    return "\n".join(_aligned(line, widths) for line in lines)


def _line(name: str, agreement: Agreement) -> list[str]:
    counts = (agreement.scenarios, agreement.runs, agreement.not_simulated)
    return [name, *map(str, counts), *(agreement.agreeing(column) for column in COLUMNS), str(agreement.failures)]


def _aligned(line: Iterable[str], widths: list[int]) -> str:
    first, *rest = (text.rjust(width) for text, width in zip(line, widths, strict=True))
    return "  ".join([first.lstrip().ljust(widths[0]), *rest])
