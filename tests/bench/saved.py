"""The large cluster as `save_sge_config.sh` saves a running one: its hosts report their load, and it is configured."""

from qmon_tui.model.cluster import Cluster, ConfigObject, config_object
from qmon_tui.model.kinds import Kind
from tests.bench.large import large_cluster

PROCESSORS = 16
CORES = f"S{'C' * PROCESSORS}"
LISTS = {Kind.ADMIN_HOSTS: "master", Kind.SUBMIT_HOSTS: "master login", Kind.OPERATORS: "root"}


def saved_cluster() -> Cluster:
    """1,000 hosts of which no two report the same, two queues, the global configuration, lists of hosts and people."""
    cluster = large_cluster()
    hosts = [host for name, host in cluster.objects(Kind.HOST).items() if name != "global"]
    lists = [config_object(kind, kind.value, {"entries": entries}) for kind, entries in LISTS.items()]
    configuration = config_object(Kind.CONFIGURATION, "global", {"execd_spool_dir": "/var/spool/gridengine/execd"})
    return cluster.with_objects([*map(_reporting, hosts, range(len(hosts))), *lists, configuration])


def _reporting(host: ConfigObject, number: int) -> ConfigObject:
    """The host with what `qconf -se` prints besides its configuration, in its place."""
    values = dict(host.values)
    name, offers = values.pop("hostname"), values.pop("complex_values")
    reported = ",".join(f"{name}={value}" for name, value in _load_values(number).items())
    printed = {"load_values": reported, "processors": str(PROCESSORS)}
    return config_object(host.kind, name, {"hostname": name, "complex_values": offers, **printed, **values})


def _load_values(number: int) -> dict[str, str]:
    load = number % 97 / 6
    used = 512 + number * 7 % 4096
    averages = {"load_avg": load, "load_short": load + 0.1, "load_medium": load, "load_long": load / 2}
    memory = {"mem": 64_000, "swap": 8_000, "virtual": 72_000}
    return {
        "arch": "lx-amd64",
        "num_proc": str(PROCESSORS),
        **{f"{kind}_total": f"{total:.6f}M" for kind, total in memory.items()},
        **{name: f"{value:.6f}" for name, value in averages.items()},
        **{f"{kind}_free": f"{total - used:.6f}M" for kind, total in memory.items()},
        **{f"{kind}_used": f"{used:.6f}M" for kind in memory},
        "cpu": f"{number % 100:.6f}",
        "m_topology": CORES,
        "m_topology_inuse": CORES,
        "m_socket": "1",
        "m_core": str(PROCESSORS),
        "m_thread": str(PROCESSORS),
        **{f"np_{name}": f"{value / PROCESSORS:.6f}" for name, value in averages.items()},
    }
