"""What the real qconf prints of whole clusters, and what comes back when we read and write it."""

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from qmon_tui.formats.parsed_files import read_qconf_file
from qmon_tui.formats.qconf.complex_table import write_complexes
from qmon_tui.formats.qconf.objects import write_list, write_object
from qmon_tui.formats.qconf.quotas import write_quotas
from qmon_tui.formats.qconf.sharetree import write_sharetree
from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import Cluster, ConfigObject, config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.sources import Reading, read_folder
from tests.differential.loading import load
from tests.differential.object_verdicts import OPTIONS
from tests.differential.qmaster import Qmaster

SAVE: Final = "/usr/share/gridengine/util/upgrade_modules/save_sge_config.sh"
SHOW: Final[Mapping[Kind, str]] = {
    Kind.COMPLEX: "-sc",
    Kind.QUEUE: "-sq",
    **{kind: options.show for kind, options in OPTIONS.items()},
}


def printed_otherwise(qmaster: Qmaster, cluster: Cluster) -> Iterator[str]:
    """The objects of a loaded cluster that do not come back byte for byte, wrapped or not, and how."""
    for kind, option in SHOW.items():
        whole = spec(kind).single or kind is Kind.COMPLEX
        for name in [""] if whole else cluster.objects(kind):
            for single in (True, False):
                words = ("qconf", option, *([name] if name else []))
                answer = qmaster.run(*words) if single else qmaster.run("env", "-u", "SGE_SINGLE_LINE", *words)
                text = answer.out
                if answer.status == 0 and (again := _again(kind, text, name, single)) != text:
                    form = "single" if single else "wrapped"
                    yield f"{kind} {name} {form}:\n{_first_difference(text, again)}"


def _again(kind: Kind, text: str, name: str, single: bool) -> str:
    objects, _ = read_qconf_file(kind, text, name or kind.value)
    return written(kind, objects, single)


def written(kind: Kind, objects: tuple[ConfigObject, ...], single: bool) -> str:
    """What `qconf -s*` would print of objects of a kind."""
    if kind is Kind.COMPLEX:
        return write_complexes(objects)
    if kind is Kind.QUOTA:
        return write_quotas(objects, single_line=single)
    if kind is Kind.SHARETREE:
        return write_sharetree(objects[0])
    if kind in (Kind.MANAGERS, Kind.OPERATORS, Kind.ADMIN_HOSTS, Kind.SUBMIT_HOSTS):
        return write_list(objects[0])
    return write_object(objects[0], single_line=single)


def _first_difference(one: str, other: str) -> str:
    pairs = zip([*one.splitlines(), "(end)"], [*other.splitlines(), "(end)"], strict=False)
    return next((f"real: {a}\nours: {b}" for a, b in pairs if a != b), "line ends")


def saved_folder(qmaster: Qmaster) -> Reading:
    """What the real save_sge_config.sh writes of the cluster that is loaded, as we read it."""
    qmaster.run("sh", "-c", f"rm -rf $SGE_ROOT/saved; {SAVE} $SGE_ROOT/saved")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "saved")
        shutil.copytree(qmaster.world.path("saved"), copy)
        return read_folder(copy)


def large_cluster(cluster: Cluster, hosts: int = 1000) -> Cluster:
    """The cluster with a hostgroup of many hosts and a queue with settings for a third of them."""
    names = [f"big{number:04}" for number in range(hosts)]
    group = config_object(Kind.HOSTGROUP, "@big", {"group_name": "@big", "hostlist": " ".join(names)})
    slots = ",".join(("1", *(f"[{name}={2 + number % 7}]" for number, name in enumerate(names[::3]))))
    queue = config_object(
        Kind.QUEUE, "big.q", {"qname": "big.q", "hostlist": "@big", "slots": slots, "pe_list": "NONE"}
    )
    return cluster.with_objects([group, queue])


def prepared(qmaster: Qmaster, cluster: Cluster) -> Cluster:
    """Start afresh and load a cluster."""
    qmaster.restart()
    load(qmaster, cluster)
    return cluster
