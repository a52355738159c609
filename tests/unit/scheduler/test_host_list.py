"""The scheduler's list of hosts, made up for at the end, beside the plain statement of what happens to it each time."""

from types import SimpleNamespace
from typing import Any

from hypothesis import given, strategies as st

from qmon_tui.scheduler.parallel.host_list import HostList

HOSTS = 5
ATTEMPT, START = "attempt", "start"
START_OF = st.tuples(st.just(START), st.integers(0, HOSTS - 1), st.sampled_from([None, -1.0, 0.0, 1.0, 2.0]))
ATTEMPT_OF = st.tuples(st.just(ATTEMPT), st.sets(st.integers(0, HOSTS - 1)), st.none())


class AvailableSlots:
    """Those of an attempt for which some cluster queues are eligible; each has an instance on one host."""

    def __init__(self, eligible: set[int]) -> None:
        self.eligible = eligible

    def queue_fits(self, name: str) -> bool:
        return int(name) in self.eligible


def site(order: list[int]) -> Any:
    instances = [SimpleNamespace(queue=str(number)) for number in range(HOSTS)]
    resources = SimpleNamespace(hosts_in_order=range(HOSTS), host_of=list(range(HOSTS)), instances=instances)
    return SimpleNamespace(resources=resources, order=order)


class PlainList:
    """Sorted after each start that has changed a load; the global host is one of them, with a load of 0."""

    def __init__(self, loads: list[float], order: list[int]) -> None:
        self.loads = [*loads, 0.0]
        self.order = order
        self.hosts = sorted([-1, *range(HOSTS)], key=self.loads.__getitem__)

    def attempt(self, eligible: set[int]) -> None:
        front = [host for host in self.order if host in eligible]
        self.hosts = front + [host for host in self.hosts if host not in eligible]

    def start(self, host: int, load: float) -> None:
        changed = self.loads[host] != load
        self.loads[host] = load
        self.hosts.remove(host)
        place = 0
        while place < len(self.hosts) and self.loads[self.hosts[place]] < load:
            place += 1
        self.hosts.insert(place, host)
        if changed:
            self.hosts.sort(key=self.loads.__getitem__)


def changes_a_load(starts: list[Any], loads: list[float]) -> bool:
    return any(load is not None and load != loads[host] for _, host, load in starts)


@given(
    loads=st.lists(st.sampled_from([-1.0, 0.0, 1.0, 2.0]), min_size=HOSTS, max_size=HOSTS),
    order=st.permutations(range(HOSTS)),
    stretches=st.lists(st.tuples(st.lists(START_OF, max_size=6), ATTEMPT_OF), max_size=6),
)
def test_what_is_made_up_for_at_the_end_is_what_has_happened(
    loads: list[float], order: list[int], stretches: list[Any]
) -> None:
    noted, plain = HostList(site(order), loads), PlainList(loads, order)
    for number, (starts, (_, eligible, _)) in enumerate(stretches):
        used: set[int] = set()
        is_changed = changes_a_load(starts, plain.loads)
        for _, host, load in starts:
            # Where no load changes, a host that is used twice in a row is taken for used once.
            if not is_changed and host in used:
                continue
            used.add(host)
            now = plain.loads[host] if load is None else load
            plain.start(host, now)
            noted.note_start(host, now)
        plain.attempt(eligible)
        noted.note_attempt((number, "mpi"), AvailableSlots(eligible))  # type: ignore[arg-type]
    noted.catch_up()
    assert list(noted) == [host for host in plain.hosts if host != -1]
