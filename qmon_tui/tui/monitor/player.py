"""Playing a simulated day in a thread: requests are handled one by one, and each moment is passed to the screen."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from time import monotonic
from typing import Final, NamedTuple

from qmon_tui.model import at_beginning_of_day
from qmon_tui.report.day import FASTEST, SPEEDS
from qmon_tui.simulation import Moment, Place, Settings, Simulator, Timeline, with_run_times
from qmon_tui.sources import Reading, SourceError
from qmon_tui.tui.base import run_in_thread
from qmon_tui.workspace import Document, Event, Workspace, read_work

_TICK: Final = 0.1
"""Seconds between two shown moments while the time is played."""
_CHUNK: Final = 0.06
"""Seconds of computing after which the present moment is passed to the screen."""
_JUMP: Final = 0.25
"""Seconds of computing of a jump after which the present moment is passed to the screen."""
_FOLLOW: Final = 0.4
"""Minimum seconds between two moments that all pages show while the day is played."""
_SHARE: Final = 6
"""This minimum is also at least this multiple of the duration of the last live run."""


class _Request(NamedTuple):
    do: Callable[[Timeline], object]
    refused: str = ""
    """Warning if `do` returns False; with `again`, if it returns None."""
    again: bool = False
    """True for a jump: if `do` returns False it has not arrived, and is repeated unless there is another request."""


class _Day(NamedTuple):
    timeline: Timeline
    assumed: int
    """Number of jobs whose run time is assumed."""
    warning: str
    """The first finding about the work, as a sentence; empty without any."""


Ways = tuple[Simulator, Simulator]
"""The day from a moment on, without an edit at that moment and with it."""


class Player:
    """The day of a workspace. All methods are for the event loop; the timeline is used by one thread at a time."""

    def __init__(
        self,
        workspace: Workspace,
        shown: Callable[[Moment], None],
        warn: Callable[[str], None],
        branched: Callable[[Ways | None], None] = lambda _: None,
        waits: Callable[[], bool] = lambda: False,
    ) -> None:
        self._workspace = workspace
        self._shown = shown
        self._warn = warn
        self._branched = branched
        self._waits = waits
        """Returns True while a dialog is open: a played day pauses then."""
        self._timeline: Timeline | None = None
        self._requests: deque[_Request] = deque()
        self._awake = asyncio.Event()
        self._of: Document | None = None
        """The document of which the day was simulated."""
        self._followed = 0.0
        """Monotonic time when all pages were last given a moment."""
        self._owed = 0.0
        """Simulated seconds that are still to be played."""
        self._places: list[tuple[Document, Place]] = []
        """The last two moments that all pages have shown."""
        self._kept: list[tuple[Document, Place]] = []
        """The moments before and after each edit of the day."""
        self.moment: Moment | None = None
        """The moment that is shown; None before the day has begun."""
        self.passed: Moment | None = None
        """The moment that a slow jump has reached; None without a jump in progress."""
        self._jump: _Request | None = None
        """The latest request if it is a jump; it is repeated until it has arrived."""
        self.playing = False
        self.speed = 60
        """Simulated seconds per second."""
        self.assumed = 0
        """Number of jobs with an assumed run time, since none is given."""
        self._origins: set[Place] = set()
        """The moments from which the day has another branch."""
        self._ways: Ways | None = None
        """Both days of a branch that was just made and not passed on yet; else None."""
        self.busy = False

    # Requests of the screen -------------------------------------------------------------------------------------

    def toggle(self) -> None:
        """Play or stop; a slow jump ends at the moment that it has reached."""
        if self._jump is not None and self.busy:
            self._jump = None
        elif self.playing:
            self.stop()
        elif self.moment is not None and self.moment.is_over:
            self._warn(
                _error_words(self.moment) or "The day is over: no job starts or ends after this time. [ steps back."
            )
        else:
            self.playing = True
            self._awake.set()

    def stop(self) -> None:
        """Stop playing; all pages then show this moment."""
        if self.playing:
            self.playing = False
            self._ask(lambda timeline: None)

    def next_run(self) -> None:
        self._step(Timeline.next_run, "No more scheduling runs: the day is over.")

    def previous_run(self) -> None:
        """Go back to the moment after the previous scheduling run."""
        self._step(Timeline.previous_run, "This is the beginning of the day.")

    def next_event(self) -> None:
        self._step(Timeline.next_event, "No more events: the day is over.")

    def previous_event(self) -> None:
        self._step(Timeline.previous_event, "This is the beginning of the day.")

    def go_to_time(self, time: int) -> None:
        self._step(lambda timeline: timeline.go_to_time(time, _JUMP), again=True)

    def go_to_start(self, job: int) -> None:
        refusal = f"Job {job} does not start on this day."
        begun_at: list[Place] = []

        def go(timeline: Timeline) -> bool | None:
            begun_at.append(timeline.place)
            is_there = timeline.go_to_start(job, _JUMP)
            if is_there is None:  # the jump was cancelled before the end of the day
                timeline.go(begun_at[0])
            return is_there

        self._step(go, refusal, again=True)

    def go_to(self, place: Place) -> None:
        """Go to a place in any branch of the day."""
        self._step(lambda timeline: timeline.go(place))

    def speed_up(self, by: int) -> None:
        at = SPEEDS.index(self.speed) + by
        self.speed = SPEEDS[max(0, min(len(SPEEDS) - 1, at))]
        if self.moment is not None:
            self._shown(self.moment)

    def leave(self) -> None:
        """Show the document again, and prepare a new day."""
        self.playing = False
        self._requests.clear()
        self._timeline, self._of, self.moment, self.passed = None, None, None, None
        self._places, self._kept, self._origins = [], [], set()
        self._workspace.show_moment(None)
        self._branched(None)
        self.begin()

    def begin(self) -> None:
        """Prepare the day of the document unless it is prepared already."""
        if self._timeline is None or self._is_outdated:
            self._ask(lambda timeline: None)

    @property
    def branches(self) -> int:
        """Number of moments from which an edit has made another branch of the day."""
        return len(self._origins)

    def workspace_changed(self, event: Event) -> None:
        """React to a change of the workspace: an edit at the shown moment makes a branch of the day."""
        moment = self._workspace.moment
        if event not in (Event.CHANGED, Event.DISK) or moment is None:
            return
        known = next((place for document, place in (*self._kept, *self._places) if document is moment), None)
        if known is not None and moment is not self._last_shown:
            self._step(lambda timeline: timeline.go(known), stops=False)
            self._branched(None)
        elif known is None:
            self._branch(moment)

    # The thread -------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Handle requests and play until cancelled; to be run as a worker."""
        last = monotonic()
        while True:
            if not self._requests and not self.playing:
                await self._awake.wait()
                last = monotonic()
            self._awake.clear()
            if self._requests:
                await self._do(self._requests.popleft())
                last = monotonic()
            elif self.playing:
                now = monotonic()
                if now - last < _TICK:
                    await asyncio.sleep(_TICK - (now - last))
                elapsed, last = monotonic() - last, monotonic()
                if not self._waits():
                    await self._play(elapsed)
            self.busy = bool(self._requests)

    async def _do(self, request: _Request) -> None:
        try:
            timeline = await self._day()

            def work() -> tuple[object, Moment]:
                return request.do(timeline), timeline.moment

            answer, moment = await run_in_thread(work)
        except Exception as error:
            self._fail(error)
            return
        if timeline is not self._timeline:
            return
        ways, self._ways = self._ways, None
        if ways is not None:
            self._branched(ways)
        if answer is (None if request.again else False) and request.refused:
            self._warn(request.refused)
        if answer is False and request.again and request is self._jump:
            self._requests.appendleft(request)
            self.passed = moment
            self._shown(moment)
            return
        self._show(moment, follow=not self.playing and not self._requests)

    async def _play(self, elapsed: float) -> None:
        timeline = await self._day()
        self._owed += elapsed * self.speed
        seconds, until = int(self._owed), None
        if self.speed != FASTEST:
            self._owed -= seconds
            if not seconds:
                return
            until = timeline.place.time + seconds

        def work() -> Moment:
            timeline.play(until, _CHUNK)
            return timeline.moment

        try:
            moment = await run_in_thread(work)
        except Exception as error:
            self._fail(error)
            return
        if timeline is not self._timeline or self._requests:
            return
        if moment.is_over:
            self.playing = False
        self._show(moment, follow=not self.playing or self._may_follow)

    @property
    def _may_follow(self) -> bool:
        """True if all pages have shown the last moment, long enough ago that simulating gets most of the time."""
        result = self._workspace.result
        if result is None or result.revision != self._workspace.revision:
            return False
        return monotonic() - self._followed >= max(_FOLLOW, _SHARE * result.seconds)

    def _fail(self, error: Exception) -> None:
        """Stop with a warning: an error in the simulation must not end the program and lose unsaved edits."""
        self.playing = False
        self._requests.clear()
        self.busy = False
        self.passed = None
        self._warn(f"The simulation failed, please report it: {type(error).__name__}: {error}.")

    async def _day(self) -> Timeline:
        if self._timeline is not None and not self._is_outdated:
            return self._timeline
        document = self._workspace.edited_document
        self._of = document
        reading = replace(self._workspace.reading, cluster=document.cluster, state=document.state)
        day: _Day = await run_in_thread(lambda: _day_of(reading))
        self._timeline, self.assumed = day.timeline, day.assumed
        if day.warning:
            self._warn(day.warning)
        return day.timeline

    @property
    def _is_outdated(self) -> bool:
        return self._workspace.moment is None and self._of is not self._workspace.edited_document

    @property
    def _last_shown(self) -> Document | None:
        return self._places[-1][0] if self._places else None

    def _show(self, moment: Moment, *, follow: bool) -> None:
        before, self.moment, self.passed = self.moment, moment, None
        has_moved = moment.place.position > 0 or moment.time > moment.beginning or len(self._kept) > 0
        same = before is not None and before.place == moment.place
        if moment.error and not same:
            self._warn(_error_words(moment))
        if follow and has_moved and not (same and self._last_shown is self._workspace.moment is not None):
            self._followed = monotonic()
            document = Document(moment.cluster, moment.state)
            self._places = [*self._places[-1:], (document, moment.place)]
            self._workspace.show_moment(document)
        self._shown(moment)

    def _branch(self, wanted: Document) -> None:
        """Continue the day from the shown moment with the edit made there."""
        steps = self._workspace.history.done
        is_edit = bool(steps) and steps[-1].moment_after is wanted  # False: the folder has changed on disk
        label = steps[-1].label if is_edit else "what has changed on disk"
        before = steps[-1].moment_before if is_edit else None
        base = next((place for document, place in (*self._kept, *self._places) if document is before), None)
        if base is None:
            base = self._places[-1][1] if self._places else None
        if base is None:
            return
        origin = base

        def work(timeline: Timeline) -> None:
            timeline.go(origin)
            before = timeline.simulator
            place = timeline.branch(wanted.cluster, wanted.state, label)
            self._kept.append((wanted, place))
            self._ways = before, timeline.simulator

        if before is not None:
            self._kept.append((before, origin))
        self._origins.add(origin)  # while a value is typed, each key makes a branch from the same moment
        self._step(work, stops=False)

    def _step(
        self, do: Callable[[Timeline], object], refused: str = "", *, stops: bool = True, again: bool = False
    ) -> None:
        if stops:
            self.playing = False
        self._ask(do, refused, again=again)

    def _ask(self, do: Callable[[Timeline], object], refused: str = "", *, again: bool = False) -> None:
        request = _Request(do, refused, again)
        self._jump = request if again else None
        self._requests.append(request)
        self.busy = True
        self._awake.set()


def _error_words(moment: Moment) -> str:
    """Return the day's error as a sentence; empty without one."""
    return f"{moment.error[:1].upper()}{moment.error[1:]}." if moment.error else ""


def _day_of(reading: Reading) -> _Day:
    """Return the day of a cluster with its workload, which is left out with a warning if it cannot be read."""
    cluster, warnings = reading.cluster, []
    try:
        work = read_work(reading)
        state, warnings = work.state, [finding.message for finding in work.findings]
    except SourceError as error:
        state, warnings = at_beginning_of_day(reading.state), [f"The workload is left out: {error}."]
    state, assumed = with_run_times(state)
    more = f" And {len(warnings) - 1} more about the work: qmon-tui simulate lists all." if len(warnings) > 1 else ""
    return _Day(Timeline(cluster, state, Settings.of(cluster, state)), assumed, warnings[0] + more if warnings else "")
