"""A whole cluster in compiled form; objects that an edit leaves unchanged are not parsed again."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from qmon_tui.model import Cluster, ConfigObject, Kind, configuration_of, memoized, resolve_group
from qmon_tui.scheduler.configuration.access_lists import Access, Userset, access_of, compile_userset
from qmon_tui.scheduler.configuration.complex_attributes import AttributeTable, compile_attributes
from qmon_tui.scheduler.configuration.hosts import Host, compile_host
from qmon_tui.scheduler.configuration.lenient_parsing import unsigned
from qmon_tui.scheduler.configuration.parallel_environments import ParallelEnvironment, compile_environment
from qmon_tui.scheduler.configuration.queues import (
    ClusterQueue,
    QueueInstance,
    compile_calendar,
    compile_queue,
    scheduling_key,
)
from qmon_tui.scheduler.configuration.quota_rule_matching import RuleMatcher, named_usersets
from qmon_tui.scheduler.configuration.quota_rules import QuotaSet, compile_quotas
from qmon_tui.scheduler.configuration.sched_conf import SchedConf, compile_sched_conf
from qmon_tui.scheduler.configuration.share_tree import ConfiguredNode, compile_share_tree
from qmon_tui.scheduler.configuration.subordinate_lists import Subordination, compile_subordination
from qmon_tui.scheduler.configuration.ticket_shares import Shares, compile_shares
from qmon_tui.values import BLANK_OR_COMMA, Calendar

GLOBAL = "global"
_MOST_QUEUES = 1024
_DEFAULTS = ConfigObject(Kind.CONFIGURATION, GLOBAL, {})


@dataclass(frozen=True, slots=True)
class CompiledCluster:
    """The parsed configuration that a run reads."""

    cluster: Cluster
    attributes: AttributeTable
    policy: SchedConf
    queues: tuple[ClusterQueue, ...]
    instances: tuple[QueueInstance, ...]
    """All queue instances: by cluster queue, then in the order of its host list."""
    hosts: Mapping[str, Host]
    """Execution hosts, including `global` (always) and hosts that only a queue names."""
    environments: Mapping[str, ParallelEnvironment]
    calendars: Mapping[str, Calendar]
    subordination: Subordination | None
    """Queue instances that suspend others; None if no queue has a subordinate list."""
    groups: Mapping[str, frozenset[str]]
    """Hostgroup -> all of its hosts, including those of nested groups."""
    usersets: Mapping[str, Userset]
    shares: Shares
    share_tree: tuple[ConfiguredNode, ...]
    """The nodes, parents before their children; empty if there is no share tree."""
    quotas: tuple[QuotaSet, ...]
    rule_matcher: RuleMatcher | None
    """The rules of the enabled quota sets as the scheduler matches them; None if no set is enabled.

    The scheduler knows only usersets of type ACL; the qmaster, which counts running jobs, knows all usersets.
    """
    qmaster_rule_matcher: RuleMatcher | None
    """The rules as the qmaster matches them; None if it matches them as the scheduler does."""
    configuration: ConfigObject
    """The global configuration (sge_conf(5))."""
    max_aj_instances: int
    submit_access: Access
    """The lists that decide who may submit (sge_conf(5) user_lists, projects)."""
    orphans: frozenset[str] = frozenset()
    """Names of queue instances that were removed from the configuration while in use."""

    @property
    def restricts_access(self) -> bool:
        """True if some queue instance has a user or project list that is not empty."""
        return _is_closed_to_some(self.instances)


def global_configuration(cluster: Cluster) -> ConfigObject:
    """Return the global configuration as the qmaster stores it; all defaults if none was read."""
    return configuration_of(cluster, GLOBAL) or _DEFAULTS


@memoized(size=4)
def compile_cluster(cluster: Cluster) -> CompiledCluster:
    """Return the compiled form of a cluster; the last four clusters are cached."""
    complexes = cluster.objects(Kind.COMPLEX)
    attributes = _attributes(complexes)
    groups = cluster.objects(Kind.HOSTGROUP)
    queues = tuple(_queue(obj, groups, attributes) for obj in cluster.objects(Kind.QUEUE).values())
    instances = tuple(instance for queue in queues for instance in queue.instances)
    configuration = global_configuration(cluster)
    scheduler = cluster.single(Kind.SCHEDULER)
    userset_objects = cluster.objects(Kind.USERSET)
    usersets = {name: _userset(obj) for name, obj in userset_objects.items()}
    resolved = _resolved_groups(groups)
    quota_objects = cluster.objects(Kind.QUOTA)
    quotas = _quotas(quota_objects, attributes)
    rule_matchers = _rule_matchers(quotas, userset_objects, resolved, *queues)
    users, projects = cluster.objects(Kind.USER), cluster.objects(Kind.PROJECT)
    tree = next(iter(cluster.objects(Kind.SHARETREE).values()), None)
    return CompiledCluster(
        cluster=cluster,
        attributes=attributes,
        policy=_policy(scheduler),
        queues=queues,
        instances=instances,
        hosts=_all_hosts(cluster, instances, attributes),
        environments={name: _environment(obj) for name, obj in cluster.objects(Kind.PE).items()},
        calendars={name: _calendar(obj) for name, obj in cluster.objects(Kind.CALENDAR).items()},
        subordination=compile_subordination(instances),
        groups=resolved,
        usersets=usersets,
        shares=_shares(users, projects, userset_objects, configuration),
        share_tree=_share_tree(tree, projects),
        quotas=quotas,
        rule_matcher=rule_matchers[0],
        qmaster_rule_matcher=rule_matchers[1],
        configuration=configuration,
        max_aj_instances=unsigned(configuration.text("max_aj_instances")),
        submit_access=access_of(
            {name: configuration.text(name) for name in ("user_lists", "xuser_lists", "projects", "xprojects")},
            BLANK_OR_COMMA,
        ),
    )


class _GroupHosts(Mapping[str, frozenset[str]]):
    """Hostgroup -> all of its hosts, resolved on first access, as most runs read only few of many groups."""

    def __init__(self, groups: Mapping[str, ConfigObject]) -> None:
        self._cluster = Cluster(kinds={Kind.HOSTGROUP: groups})
        self._names = groups
        self._known: dict[str, frozenset[str]] = {}

    def __getitem__(self, name: str) -> frozenset[str]:
        known = self._known.get(name)
        if known is None:
            if name not in self._names:
                raise KeyError(name)
            known = self._known[name] = frozenset(resolve_group(self._cluster, name))
        return known

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


_Objects = Mapping[str, ConfigObject]
_policy = memoized(size=16)(compile_sched_conf)
_host = memoized(size=32768)(compile_host)
_environment = memoized(size=1024)(compile_environment)
_calendar = memoized(size=1024)(compile_calendar)
_userset = memoized(size=4096)(compile_userset)
_resolved_groups = memoized(size=8)(_GroupHosts)
_share_tree = memoized(size=8)(compile_share_tree)


@memoized(size=8)
def _attributes(complexes: _Objects) -> AttributeTable:
    return compile_attributes(complexes.values())


@memoized(size=1024)
def _queue(obj: ConfigObject, groups: _Objects, attributes: AttributeTable) -> ClusterQueue:
    known = _queues(groups, attributes)
    key = scheduling_key(obj)
    if key not in known:
        if len(known) >= _MOST_QUEUES:
            known.clear()
        known[key] = compile_queue(Cluster(kinds={Kind.HOSTGROUP: groups}), obj, attributes)
    return known[key]


@memoized(size=4)
def _queues(_: _Objects, __: AttributeTable) -> dict[object, ClusterQueue]:
    """Return the cache `scheduling_key` -> cluster queue."""
    return {}


@memoized(size=8)
def _is_closed_to_some(instances: tuple[QueueInstance, ...]) -> bool:
    return any(not instance.profile.access.is_open for instance in instances)


@memoized(size=8)
def _quotas(objects: _Objects, attributes: AttributeTable) -> tuple[QuotaSet, ...]:
    return compile_quotas(objects.values(), attributes)


@memoized(size=8)
def _rule_matchers(
    quotas: tuple[QuotaSet, ...], objects: _Objects, groups: Mapping[str, frozenset[str]], *queues: ClusterQueue
) -> tuple[RuleMatcher | None, RuleMatcher | None]:
    """Return `CompiledCluster.rule_matcher` and `qmaster_rule_matcher`."""
    enabled = tuple(quota_set for quota_set in quotas if quota_set.enabled)
    instances = tuple(instance for queue in queues for instance in queue.instances)
    usersets = {name: _userset(obj) for name, obj in objects.items()}
    lists = {name: userset for name, userset in usersets.items() if userset.is_list}
    listed = named_usersets(enabled, usersets) & usersets.keys()
    return (
        RuleMatcher(enabled, lists, groups, instances) if enabled else None,
        None if listed <= lists.keys() else RuleMatcher(enabled, usersets, groups, instances),
    )


@memoized(size=8)
def _shares(users: _Objects, projects: _Objects, usersets: _Objects, configuration: ConfigObject) -> Shares:
    lists = ((obj, _userset(obj)) for obj in usersets.values())
    return compile_shares(users.values(), projects.values(), lists, configuration)


def _all_hosts(
    cluster: Cluster, instances: tuple[QueueInstance, ...], attributes: AttributeTable
) -> Mapping[str, Host]:
    """Return the configured hosts, then those that only a queue names, which the qmaster makes execution hosts."""
    objects = dict(cluster.objects(Kind.HOST))
    hosts = {name: _host(obj, attributes) for name, obj in objects.items()}
    nothing = compile_host(ConfigObject(Kind.HOST, "", {}), attributes)
    for name in (GLOBAL, *(instance.host for instance in instances)):
        if name not in hosts:
            hosts[name] = Host(name, nothing.configured, nothing.scaling, nothing.access)
    return hosts


def as_qmaster(compiled: CompiledCluster) -> CompiledCluster:
    """Return the configuration as the qmaster uses it: every userset counts as an access list, whatever its type."""
    if all(userset.is_list for userset in compiled.usersets.values()):
        return compiled
    return _as_qmaster(compiled)


@memoized(size=4)
def _as_qmaster(compiled: CompiledCluster) -> CompiledCluster:
    return replace(
        compiled,
        usersets={name: replace(userset, is_list=True) for name, userset in compiled.usersets.items()},
        rule_matcher=compiled.qmaster_rule_matcher or compiled.rule_matcher,
        qmaster_rule_matcher=None,
    )
