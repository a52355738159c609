"""The letters of queue instances are followed from run to run as each run works them out for itself."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

import pytest

from qmon_tui.incremental.bookings import Bookings
from qmon_tui.incremental.instance_states import InstanceStates
from qmon_tui.incremental.known_jobs import KnownJobs
from qmon_tui.incremental.prerequisites import NotIncremental
from qmon_tui.model import Job, Kind, State, config_object
from qmon_tui.scheduler import SchedulerSession
from qmon_tui.scheduler.suspension import queue_states
from tests.unit.scheduler.building import NOW, cluster, environment, queue, running

NOON = NOW - NOW % 86_400
BREAK = "-".join(datetime.fromtimestamp(NOON + seconds).strftime("%H:%M") for seconds in (600, 1200))
ON = cluster(
    config_object(Kind.CALENDAR, "break", {"calendar_name": "break", "week": f"mon-sun={BREAK}=suspended"}),
    environment("mpi"),
    queue("high.q", "h1", 3, subordinate_list="low.q=2,full.q", pe_list="mpi"),
    queue("tree.q", "h1", 3, subordinate_list="slots=1(low.q)"),
    *(queue(name, "h1", 3) for name in ("low.q", "full.q", "other.q")),
    queue("break.q", "h1", 3, calendar="break"),
)
SESSION = SchedulerSession(ON)
NAMES = [instance.name for instance in SESSION.configured.instances]


class Followed:
    """Jobs that come and go, and the letters at some moments."""

    def __init__(self) -> None:
        self.jobs: dict[int, Job] = {}
        self.bookings = Bookings(SESSION.configured, {})
        self.known = KnownJobs(SESSION, SESSION.configured)

    @property
    def letters(self) -> InstanceStates:
        return self.bookings.letters

    def runs(self, number: int, queue_name: str) -> None:
        self.jobs[number] = running(number, f"{queue_name}@h1")
        for known in self.known.take_over(self.state({})).added:
            self.bookings.add(known)

    def ends(self, number: int) -> None:
        del self.jobs[number]
        for known in self.known.take_over(self.state({})).removed:
            self.bookings.take_back(known)

    def state(self, given: Mapping[str, str], now: int = NOON) -> State:
        return State(now=now, jobs=tuple(self.jobs.values()), queue_states=given)

    def shown(self, given: Mapping[str, str], now: int = NOON) -> dict[str, str]:
        """The letters of a state, by queue; those of the rule."""
        state = self.state(given, now)
        self.bookings.take_letters(state)
        assert self.letters.letters == queue_states(SESSION.configured, state, now)
        return dict(by_queue(self.letters.letters))

    @property
    def untold(self) -> list[str]:
        return [NAMES[number].partition("@")[0] for number in self.letters.untold]


def by_queue(letters: Sequence[str]) -> Iterator[tuple[str, str]]:
    return ((name.partition("@")[0], shown) for name, shown in zip(NAMES, letters, strict=True) if shown)


def test_subordinates_stand_still_while_enough_slots_are_in_use() -> None:
    followed, given = Followed(), dict[str, str]()
    assert followed.shown(given) == {}
    steps: list[tuple[int, str, dict[str, str]]] = [
        (1, "high.q", {}),
        (2, "high.q", {"low.q": "S"}),
        (3, "low.q", {"low.q": "S"}),
        (4, "tree.q", {"low.q": "S"}),
        (5, "high.q", {"low.q": "S", "full.q": "S"}),
        (-3, "", {"low.q": "S", "full.q": "S"}),
        (-1, "", {"low.q": "S"}),
        (-2, "", {}),
        (-5, "", {}),
    ]
    for number, name, shown in steps:
        if name:
            followed.runs(number, name)
        else:
            followed.ends(-number)
        assert followed.shown(given) == shown
        assert followed.untold == [*shown]
        assert followed.letters.are_kept is (not shown)


@pytest.mark.parametrize(
    ("given", "runs", "shown", "untold", "are_kept"),
    [
        ({"other.q": "d"}, [], {"other.q": "d"}, [], True),
        ({"other.q": "s"}, [], {"other.q": "s"}, ["other.q"], True),
        ({"low.q": "S"}, ["high.q", "high.q"], {"low.q": "S"}, [], True),
        ({"low.q": "dS"}, ["high.q", "high.q"], {"low.q": "dS"}, [], True),
        ({"low.q": "d"}, ["high.q", "high.q"], {"low.q": "dS"}, ["low.q"], False),
        # Where nobody has told what runs, only the letter tells.
        ({"low.q": "S", "full.q": "S"}, [], {"low.q": "S", "full.q": "S"}, [], True),
        ({"low.q": "S", "full.q": "S"}, ["other.q"], {"full.q": "S"}, [], False),
        ({"low.q": "S", "full.q": "S"}, ["high.q", "high.q"], {"low.q": "S", "full.q": "S"}, [], True),
    ],
)
def test_letters_of_a_state(
    given: Mapping[str, str], runs: list[str], shown: Mapping[str, str], untold: list[str], are_kept: bool
) -> None:
    followed, letters = Followed(), {f"{name}@h1": text for name, text in given.items()}
    followed.shown(letters)
    for number, name in enumerate(runs, 1):
        followed.runs(number, name)
    assert followed.shown(letters) == shown
    assert (followed.untold, followed.letters.are_kept) == (untold, are_kept)


def test_a_calendar_stops_a_queue_instance_when_its_time_has_come() -> None:
    followed, given = Followed(), {"other.q@h1": "d"}
    for now, shown in ((0, ""), (599, ""), (600, "C"), (601, "C"), (1200, "")):
        assert followed.shown(given, NOON + now) == {"other.q": "d"} | ({"break.q": shown} if shown else {})
        assert followed.untold == ["break.q"] * len(shown)
        assert followed.letters.are_kept


def test_other_letters_are_looked_at_and_the_same_are_not_made_anew() -> None:
    followed = Followed()
    assert [followed.shown({"other.q@h1": text}) for text in ("d", "", "s")] == [{"other.q": "d"}, {}, {"other.q": "s"}]
    before = followed.letters.letters
    followed.shown({"other.q@h1": "s"})
    assert followed.letters.letters is before


def test_queue_instances_that_are_gone_are_left_to_the_plain_run() -> None:
    followed = Followed()
    with pytest.raises(NotIncremental):
        followed.bookings.take_letters(followed.state({"gone.q@h1": "o"}))
