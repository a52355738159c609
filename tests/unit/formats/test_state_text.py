"""How a state is written: each section only where there is something in it."""

import pytest

from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.formats.state import state_text
from qmon_tui.model import AdvanceReservation, Job, JobKind, PastUsage, SimulationPlan, State, Task, Usage, Workload

NOW = 1_767_225_600
TIME = "2026-01-01T00:00:00"
HEAD = f"- id: 7\n  owner: anna\n  group: staff\n  submitted: {TIME}\n"


def job(qsub: str = "", tasks: dict[int, Task] | None = None) -> Job:
    return Job(7, "anna", NOW, parse_qsub(qsub).request, "x", tasks=tasks or {}, qsub=qsub)


def granted(number: int, **others: object) -> AdvanceReservation:
    return AdvanceReservation(number, "anna", NOW, NOW + 60, {"a.q@n1": number}, **others)  # type: ignore[arg-type]


def planned(**workload: object) -> State:
    return State(NOW, simulation=SimulationPlan(workload=Workload(**workload)))  # type: ignore[arg-type]


TIMES = f"  owner: anna\n  start: {TIME}\n  end: 2026-01-01T00:01:00\n"
HELD = Task("hqw")
USERS = PastUsage({"anna": Usage({"cpu": 1.5, "mem": 2.0}, {"sea": {"cpu": 3.0}}, NOW)}, {})


@pytest.mark.parametrize(
    ("state", "lines"),
    [
        (State(NOW, loads={"n1": {"a b": "1", "c": "x: y"}}), 'loads:\n  n1: {a b: 1, c: "x: y"}\n'),
        (State(NOW, queue_states={"a.q@n1": "d"}), "states:\n  a.q@n1: d\n"),
        (State(NOW, jobseqnum=3), "jobseqnum: 3\n"),
        (State(NOW, arseqnum=4), "arseqnum: 4\n"),
        (State(NOW, pe_alg=(-1, 0, 0)), "pe_alg: -1/0/0\n"),
        (State(NOW, pe_alg=(0, 0, -3)), "pe_alg: 0/0/-3\n"),
        (State(NOW, changed={"a.q": NOW + 0.5}), f"changed:\n  a.q: {TIME}.500000\n"),
        (State(NOW, seen_suspended=frozenset({"b.q@n", "a.q@n"})), "seen:\n  a.q@n: suspended\n  b.q@n: suspended\n"),
        (State(NOW, usage=USERS),
         f"usage:\n  users:\n    anna: {{cpu: 1.5, mem: 2, time: {TIME}, projects: {{sea: {{cpu: 3}}}}}}\n"),
        (State(NOW, usage=PastUsage({}, {"sea": Usage({"cpu": 1.0})})), "usage:\n  projects:\n    sea: {cpu: 1}\n"),
        (State(NOW, simulation=SimulationPlan(seed=3)), "simulation:\n  seed: 3\n"),
        (planned(), "workload: {arrivals: poisson}\n"),
        (planned(jobs=7), "workload:\n  jobs: 7\n  kinds:\n  - {weight: 1}\n"),
        (planned(kinds=(JobKind(weight=2.0),)), "workload:\n  kinds:\n  - {weight: 2}\n"),
        (planned(kinds=(JobKind(), JobKind(weight=2.0))), "workload:\n  kinds:\n  - {weight: 1}\n  - {weight: 2}\n"),
        (State(NOW, reservations=(granted(1), granted(2, state="r", strict=True))),
         f"reservations:\n- id: 1\n{TIMES}  state: w\n  granted: {{a.q@n1: 1}}\n"
         f"- id: 2\n{TIMES}  state: r\n  granted: {{a.q@n1: 2}}\n  strict: true\n"),
        (State(NOW, jobs=(job(),)), f"jobs:\n{HEAD}  name: x\n"),
        (State(NOW, jobs=(job("sleep 5"),)), f"jobs:\n{HEAD}  qsub: sleep 5\n  name: x\n"),
        (State(NOW, jobs=(job("-t 1-5 x", {1: HELD, 2: HELD, 3: Task("r", {"a.q@n1": 1}, NOW), 4: HELD}),)),
         f"jobs:\n{HEAD}  qsub: -t 1-5 x\n  name: x\n  tasks:\n    1-2,4: {{state: hqw}}\n"
         f"    3: {{state: r, granted: {{a.q@n1: 1}}, started: {TIME}}}\n"),
    ],
)  # fmt: skip
def test_one_section(state: State, lines: str) -> None:
    assert state_text(state) == f"now: {TIME}\n{lines}"


def test_a_state_that_has_only_a_time_needs_no_file() -> None:
    assert state_text(State(NOW)) == ""
