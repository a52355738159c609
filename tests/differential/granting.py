"""What qrsub grants and says: ours beside the real one, each time with the reservations that were there before."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from qmon_tui.formats.folder_reader import Contents
from qmon_tui.formats.qrsub import parse_qrsub
from qmon_tui.model.jobs import FINISHED, AdvanceReservation
from qmon_tui.qmaster.commands import reserve
from tests.differential.comparing import Comparison
from tests.differential.runs import GRANTED, Asked, Run

_FOUND: Final = "verification: found possible assignment"


@dataclass(slots=True)
class Grants:
    """The reservations of one scenario as they come."""

    known: set[int] = field(default_factory=set)
    """The numbers of those granted so far."""
    found: AdvanceReservation | None = None
    """Stands for slots that -w v has found: the qmaster remembers that like those that it has granted."""

    def compare(self, comparison: Comparison, run: Run, contents: Contents) -> None:
        """Compare all that was asked for before a run."""
        real = {reservation.id: reservation for reservation in contents.state.reservations}
        # What ran while it was asked for and has gone since, nobody has seen.
        tasks = [task for job in contents.state.jobs for task in job.tasks.values()]
        is_known = not any(task.state == FINISHED or task.unclean for task in tasks)
        for asked in run.asked:
            if is_known:
                self._compare(comparison, asked, real, contents)
            self._note(asked)

    def _compare(
        self, comparison: Comparison, asked: Asked, real: Mapping[int, AdvanceReservation], contents: Contents
    ) -> None:
        granted = real.get(asked.number or 0)
        now = asked.at if granted is None or granted.submitted is None else int(granted.submitted)
        there = [real[number] for number in sorted(self.known & set(real))]
        there += [self.found] if self.found is not None else []
        state = replace(contents.state, now=now, reservations=tuple(there))
        reply = reserve(contents.cluster, state, asked.owner, asked.options, group=asked.group)
        what = f"qrsub {asked.options}"
        ours = reply.state.reservations[len(there) :]
        comparison.same("reservations", what, _places(ours), _places([granted] if granted is not None else ()))
        comparison.same("refusals", what, _without_number(reply.messages), _without_number(asked.said))

    def _note(self, asked: Asked) -> None:
        if asked.number is not None:
            self.known.add(asked.number)
        if any(line.startswith(_FOUND) for line in asked.said):
            request = parse_qrsub(asked.options, now=asked.at).request
            assert request.pe is not None
            self.found = AdvanceReservation(
                1, asked.owner, asked.at, asked.at, {}, state="X", environment=request.pe.name
            )


def _places(reservations: Iterable[AdvanceReservation]) -> list[object]:
    """Where each of them is and in which environment, the master queue first."""
    return [(list(reservation.granted.items()), reservation.environment) for reservation in reservations]


def _without_number(said: Iterable[str]) -> list[str]:
    """What is refused has had a number, too."""
    return [
        GRANTED.sub("granted", line) for text in said for line in text.splitlines() if not line.startswith("warning: ")
    ]
