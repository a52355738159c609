"""Small clusters with jobs for the tests of commands, read as they are from files."""

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.state import State
from qmon_tui.qmaster.commands import InstanceCommand, instances_named
from qmon_tui.qmaster.commands.qmod_queues import change_instances


def read(cluster: str, jobs: str) -> tuple[Cluster, State]:
    """A cluster and its jobs, of which nothing may be wrong."""
    contents = read_texts(Layout.YAML, "world", {"cluster.yaml": cluster, "jobs.yaml": jobs})
    assert not contents.findings, contents.findings
    return contents.cluster, contents.state


def with_queue(cluster: Cluster, state: State, command: InstanceCommand, queue: str) -> State:
    """The state after a command to all instances of a queue."""
    return change_instances(cluster, state, command, instances_named(cluster, queue)).state
