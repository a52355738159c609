"""Queue instances of queues with all sorts of settings per host: their state, their values and what is detached."""

import re
from collections.abc import Iterator
from random import Random
from typing import Final

from qmon_tui.checks import check_object
from qmon_tui.checks.stored_objects import stored
from qmon_tui.formats.qconf.objects import write_object
from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import Cluster, ConfigObject, config_object
from qmon_tui.model.instances import effective_value
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.qmaster.scheduling import schedule
from tests.differential.folders import read
from tests.differential.loading import load
from tests.differential.qmaster import Qmaster, QmasterError

HOSTS: Final = """
complexes:
  v_int: {shortcut: vi, type: INT, relop: <=, requestable: YES, consumable: YES, default: 0, urgency: 0}
  v_time: {shortcut: vti, type: TIME, relop: <=, requestable: YES, consumable: NO, default: "0:0:0", urgency: 0}
hosts: {host1: {}, host2: {}, host3: {}, host4: {}, host5: {}}
hostgroups:
  "@one": {hostlist: host1}
  "@two": {hostlist: host1 host2}
  "@late": {hostlist: host3 host4}
  "@nested": {hostlist: "@one host3"}
  "@every": {hostlist: "@two @late host5"}
  "@empty": {hostlist: NONE}
pes: {mpi: {slots: 10}, smp: {slots: 10}}
calendars: {nights: {week: "20-6"}}
usersets: {crew: {type: ACL, entries: ada}}
projects: {apollo: {}}
"""
_HOSTLISTS: Final = (
    "NONE",
    "host1",
    "@two",
    "@nested host5",
    "@every",
    "host2 host4",
    "@late host1",
    "@empty",
    "@one @late",
)
_KEYS: Final = (*(f"host{number}" for number in range(1, 6)), "@one", "@two", "@late", "@nested", "@every", "@empty")
_VALUES: Final = {
    "seq_no": ("0", "1", "2"),
    "slots": ("1", "2", "4"),
    "priority": ("0", "5", "-5"),
    "tmpdir": ("/tmp", "/scratch"),
    "h_rt": ("INFINITY", "1:0:0", "3600"),
    "rerun": ("FALSE", "TRUE"),
    "qtype": ("BATCH", "BATCH INTERACTIVE", "NONE"),
    "pe_list": ("NONE", "mpi", "mpi smp"),
    "user_lists": ("NONE", "crew"),
    "xprojects": ("NONE", "apollo"),
    "complex_values": ("NONE", "v_int=3", "vi=2,v_time=1:0:0"),
    "load_thresholds": ("NONE", "np_load_avg=1.75", "v_int=1,np_load_avg=2"),
    "calendar": ("NONE", "nights"),
    "initial_state": ("default", "enabled"),
}


def drawn_queues(seed: int, count: int) -> Iterator[ConfigObject]:
    """Queues with settings for hosts and groups that they have or have not."""
    random = Random(seed)
    for number in range(count):
        values = {"qname": f"q{number}", "hostlist": random.choice(_HOSTLISTS), "pe_list": "NONE"}
        for field in random.sample(sorted(_VALUES), random.randint(1, 4)):
            texts = _VALUES[field]
            keys = random.sample(_KEYS, random.randint(0, 3))
            values[field] = ",".join((random.choice(texts), *(f"[{key}={random.choice(texts)}]" for key in keys)))
        yield config_object(Kind.QUEUE, values["qname"], values)


def compare_instances(qmaster: Qmaster, seed: int, count: int) -> Iterator[str]:
    """Where the real system and we differ, a sentence each."""
    cluster = read({"hosts.yaml": HOSTS}).cluster
    qmaster.restart()
    load(qmaster, cluster)
    queues = list(drawn_queues(seed, count))
    for queue in queues:
        answer = qmaster.run("qconf", "-Aq", qmaster.file("queue", write_object(queue, single_line=True)))
        if " added " not in answer.text:
            raise QmasterError(f"{answer.text}\n{queue.values}")
    cluster = cluster.with_objects(queues)
    yield from _states(qmaster, cluster)
    yield from _values(qmaster, cluster)
    yield from _detached(qmaster, cluster)


def _states(qmaster: Qmaster, cluster: Cluster) -> Iterator[str]:
    lines = qmaster.must("qstat", "-f", "-explain", "c").splitlines()
    real = {words[0]: words[5] if len(words) > 5 else "" for line in lines if "@" in line and (words := line.split())}
    ours = {instance.name: instance.state for instance in schedule(cluster, State()).queue_instances}
    if set(real) != set(ours):
        yield f"instances: {sorted(set(real) ^ set(ours))}"
    for name, state in ours.items():
        if ("c" in state) != ("c" in real.get(name, "")):
            yield f"{name}: state {real.get(name)}, ours {state}"


def _values(qmaster: Qmaster, cluster: Cluster) -> Iterator[str]:
    for block in re.split(r"\n(?=qname )", qmaster.must("qconf", "-sq", "*@*")):
        shown = {line.split()[0]: _words(line)[1:] for line in block.splitlines() if line.strip()}
        queue, host = cluster.objects(Kind.QUEUE)[shown["qname"][0]], shown["hostname"][0]
        kept = stored(cluster, queue)
        for field in spec(Kind.QUEUE).fields[2:]:
            ours = _words(effective_value(cluster, kept, field.name, host).text)
            if ours != shown[field.name]:
                yield f"{queue.name}@{host}: {field.name} {shown[field.name]}, ours {ours}; {queue.text(field.name)}"


def _words(text: str) -> list[str]:
    """Of one instance lists are printed with other separators."""
    return text.replace(",", " ").split()


def _detached(qmaster: Qmaster, cluster: Cluster) -> Iterator[str]:
    real = sorted(line for line in qmaster.run("qconf", "-sds").text.splitlines() if line.strip())
    ours = sorted(
        finding.message
        for queue in cluster.objects(Kind.QUEUE).values()
        for finding in check_object(cluster, queue)
        if finding.rule == "queue.overrides.unused"
    )
    for line in set(real) ^ set(ours):
        yield f"{'only the real one' if line in real else 'only ours'}: {line}"
    if len(real) != len(ours):
        yield f"{len(real)} detached settings, ours {len(ours)}"
