"""Of any day, with hosts that fail and forced ends: it is stopped and gone on with, gone back in, and drawn again."""

import re
from dataclasses import replace
from random import Random

from hypothesis import given, strategies as st

from qmon_tui.formats import qsub_line
from qmon_tui.formats.state import state_text
from qmon_tui.model import FINISHED, GONE, Cluster, HostFailure, State
from qmon_tui.qmaster import read_command
from qmon_tui.simulation import Settings, Simulator, Timeline, measures, resumed, stopped
from qmon_tui.simulation.settings import TimedCommand
from tests.examples import examples
from tests.unit.scheduler.building import NOW, job
from tests.unit.simulation.test_conservation import assert_nothing_is_given_twice, on, orders, work

FORCED = ("qdel -f", "qmod -f -rj", "qmod -cj", "qalter -l lic=1", "qalter -tc 1", "qhold -h o", "qrls -h o")
OF_ALL = (
    "qconf -mattr queue slots 1 low.q", "qconf -mattr queue slots 2,[h2=3] low.q", "qrsub -d 40", "qrsub -d 30 -a {}",
    "qrdel -f 1", "qrdel 1", "qconf -dattr queue hostlist h1 low.q", "qconf -aattr queue hostlist h1 low.q",
)  # fmt: skip
few = examples(17)


def drawn(seed: int) -> tuple[Cluster, State, Settings]:
    """A day with commands of all kinds."""
    random = Random(seed)
    there = on(random.choice((3, 7, 15)), random.choice((0, 1, 3)), random.choice((0, 5)),
               random.choice(("NONE", "low.q=1", "slots=3(low.q:0:sr)")))  # fmt: skip
    # qalter and qhold read the line again that a job was submitted with.
    jobs = tuple(replace(one, qsub=qsub_line(one.request, one.name)) for one in work(random, random.randint(4, 12)))
    given_orders = list(orders(random, there, random.randint(0, 5), len(jobs)))
    for _ in range(random.randint(0, 5)):
        line = f"{random.choice(FORCED)} {random.randint(1, len(jobs))}"
        if random.random() < 0.4:
            line = random.choice(OF_ALL).format("202601010930")
        command = read_command(there, line, "root")
        if command is not None:
            given_orders.append(TimedCommand(NOW + random.randint(1, 120), command))
    failures = []
    if random.random() < 0.4:
        at = NOW + random.randint(1, 100)
        failures.append(HostFailure(random.choice(("h1", "h2")), at, random.choice((None, at + 1, at + 60))))
    how = Settings(until=NOW + 3000, start_delay=random.choice((0, 5)), simulated_hosts=random.random() < 0.3,
                   commands=tuple(given_orders), failures=tuple(failures))  # fmt: skip
    return there, State(now=NOW, jobs=jobs), how


def told(simulator: Simulator) -> list[object]:
    """All that came of it."""
    records = [
        (*key, one.submitted, one.started, one.ended, one.restarts, one.suspended, dict(one.granted))
        for key, one in simulator.records.items()
    ]
    return [simulator.now, simulator.runs, simulator.events, records, simulator.replies, simulator.refused,
            state_text(simulator.state)]  # fmt: skip


@few
@given(st.integers(0, 10**9), st.integers(0, 40))
def test_a_day_that_was_stopped_goes_on_to_the_same_bytes(seed: int, steps: int) -> None:
    whole, part = Simulator(*drawn(seed)), Simulator(*drawn(seed))
    whole.run()
    for _ in range(steps):
        part.advance()
    part = resumed(stopped(part, b""), b"")
    part.run()
    assert told(part) == told(whole)


@few
@given(st.integers(0, 10**9))
def test_nothing_is_given_twice_or_lost_whatever_happens(seed: int) -> None:
    there, state, how = drawn(seed)
    simulator = Simulator(there, state, how)
    # What runs keeps what it has when there is less of it, or its job asks for more.
    is_steady = not any(re.search("qconf|qalter -l", one.command.line) for one in how.commands)
    while simulator.advance() is not None:
        if is_steady:
            assert_nothing_is_given_twice(simulator.state.jobs)
    known = {(job.id, number) for job in state.jobs for number in job.task_ids if job.id not in simulator.refused}
    assert set(simulator.records) == known
    left = {
        (job.id, number)
        for job in simulator.state.jobs
        for number in job.task_ids
        if number not in job.tasks or job.tasks[number].state not in (FINISHED, GONE)
    }
    for key, record in simulator.records.items():
        assert record.started is None or record.submitted <= record.started
        assert record.ended is None or record.started is None or record.started <= record.ended
        assert (key in left) == (record.ended is None and record.deleted is None), "nothing is lost"


@few
@given(st.integers(0, 10**9), st.lists(st.integers(0, 60), min_size=2, max_size=6))
def test_going_back_and_forth_shows_the_same(seed: int, positions: list[int]) -> None:
    timeline = Timeline(*drawn(seed))
    seen = [(timeline.place, state_text(timeline.moment.state), timeline.moment.plans)]
    while len(seen) < 61 and timeline.next_event():
        seen.append((timeline.place, state_text(timeline.moment.state), timeline.moment.plans))
    for position in positions:
        place, text, plans = seen[min(position, len(seen) - 1)]
        timeline.go(place)
        assert timeline.place == place
        assert (state_text(timeline.moment.state), timeline.moment.plans) == (text, plans)


def test_a_task_that_is_taken_away_before_it_could_arrive_has_ended() -> None:
    """Its host fails while it is on its way, and somebody forces its end."""
    there = on(15, 1, 0, "NONE")
    how = Settings(
        until=NOW + 900, start_delay=30, failures=(HostFailure("h1", NOW + 10), HostFailure("h2", NOW + 10)),
        commands=tuple(TimedCommand(NOW + 40, command) for command in [read_command(there, "qdel -f 1")] if command),
    )  # fmt: skip
    simulator = Simulator(there, State(now=NOW, jobs=(job(1, runtime=60),)), how)
    simulator.run()
    record = simulator.records[1, 1]
    assert (record.started, record.ended) == (NOW, NOW + 40)
    assert not simulator.state.jobs


def test_what_is_deleted_while_it_waits_is_told_so_and_waits_no_longer() -> None:
    there = on(15, 1, 0, "NONE")
    commands = [(NOW + 20, "qdel 2"), (NOW + 30, "qdel 3 -t 2")]
    read = [(at, read_command(there, line, "root")) for at, line in commands]
    how = Settings(until=NOW + 900, commands=tuple(TimedCommand(at, one) for at, one in read if one is not None))
    jobs = tuple(job(number, options, submitted=NOW, runtime=60)
                 for number, options in ((1, ""), (2, "-h u"), (3, "-h u -t 1-3")))  # fmt: skip
    simulator = Simulator(there, State(now=NOW, jobs=jobs), how)
    simulator.run()
    deleted = {key: record.deleted for key, record in simulator.records.items() if record.deleted is not None}
    assert deleted == {(2, 1): NOW + 20, (3, 2): NOW + 30}
    numbers = measures(list(simulator.records.values()), NOW, simulator.now, 1, starved_after=100)
    assert numbers["starved"] == 2, "only what is still held"
