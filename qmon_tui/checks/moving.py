"""What is given of a cluster's moving part: load values, states and usage are of what exists."""

from collections.abc import Iterator

from qmon_tui.checks.index import instance_hosts
from qmon_tui.checks.rules import RuleBook
from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.findings import Finding
from qmon_tui.model.kinds import Kind
from qmon_tui.model.known_hosts import known_hosts
from qmon_tui.model.state import State
from qmon_tui.values.hosts import canonical

LOADS = RuleBook(Kind.HOST, "host_conf(5) load_values").warning("loads", "Load values are given for hosts that exist.")
STATES = RuleBook(Kind.QUEUE, "qstat(1) states").warning("states", "States are given for queue instances that exist.")
USAGE = RuleBook(Kind.USER, "share_tree(5)").warning("usage", "Usage is given for users and projects that exist.")


def state_findings(cluster: Cluster, state: State) -> Iterator[Finding]:
    """Load values of unknown hosts, states of unknown queue instances, usage of unknown users and projects."""
    known = known_hosts(cluster)
    for host in state.loads:
        if canonical(host) not in known and host != "global":
            obj = config_object(Kind.HOST, host, {}, state.places.get(host))
            yield LOADS.finding(obj, None, f'load values are given for "{host}", which is not a host of this cluster')
    queues = cluster.objects(Kind.QUEUE).values() if state.queue_states else ()
    hosts = {queue.name: frozenset(instance_hosts(cluster, queue)) for queue in queues}
    for instance in state.queue_states:
        name, _, host = instance.partition("@")
        if canonical(host) not in hosts.get(name, ()):
            obj = config_object(Kind.QUEUE, name, {}, state.places.get(instance))
            yield STATES.finding(obj, None, f'a state is given for "{instance}", which is not a queue instance')
    known_users = {*cluster.objects(Kind.USER), *(job.owner for job in state.jobs)} if state.usage else set()
    for user in state.usage.users:
        if user not in known_users:
            obj = config_object(Kind.USER, user, {}, state.places.get(f"usage of {user}"))
            yield USAGE.finding(obj, None, f'usage is given for "{user}", who is not a user and has no job')
    for project in state.usage.projects:
        if cluster.get(Kind.PROJECT, project) is None:
            obj = config_object(Kind.PROJECT, project, {}, state.places.get(f"usage of {project}"))
            yield USAGE.finding(obj, None, f'usage is given for "{project}", which is not a project')
