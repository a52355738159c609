"""Check execution hosts and hostgroups."""

from collections.abc import Collection, Iterator, Mapping

from qmon_tui.checks.field_grammar import grammar_errors
from qmon_tui.checks.rules import RuleBook
from qmon_tui.checks.value_problems import doubtful_number, value_problem
from qmon_tui.model import (
    Cluster,
    ConfigObject,
    Finding,
    Kind,
    complex_index,
    config_object,
    find_group,
    first_defined_name,
    known_hosts,
    members,
    memoized,
    strongly_connected_components,
)
from qmon_tui.model.catalogue import spec
from qmon_tui.values import (
    BLANK,
    COMMA,
    canonical,
    comparable,
    is_group,
    is_host_name,
    is_none,
    is_pattern,
    meant_host,
    name_problem,
    split_entries,
    split_names,
)

Objects = Mapping[str, ConfigObject]

_host = RuleBook(Kind.HOST, "exec-host.md#fields")
_group = RuleBook(Kind.HOSTGROUP, "hostgroup.md#fields")

NAME = _host.error("name", "The name of a host can be resolved.")
REFERENCE = _host.error("reference", "Usersets and projects that a host names exist.")
SCALING = _host.error("load_scaling", "load_scaling is for attributes that exist.")
VARIABLES = _host.error("report_variables", "report_variables are attributes that exist.")
OFFER_NAME = _host.error("complex_values.name", "complex_values is for attributes that exist.")
VALUE = _host.error("complex_values.value", "What a host offers of an attribute is a value of its type.")
OFFER_MEANING = _host.warning(
    "complex_values.meaning", "A value is written as values of its type are.", "complex(5), values.md#doubtful-numbers"
)
REPEATED = _host.warning("complex_values.repeated", "An attribute is given once in a list.")
BOTH_LISTS = _host.warning(
    "access.both", "What is allowed is not forbidden at the same time.", "host_conf(5), #user_lists"
)

GROUP_NAME = _group.error(
    "name", "The name of a hostgroup is @ and an object name.", "sge_types(1) hostgroup_name, #group_name"
)
GROUP_TAKEN = _group.error("name.taken", "No two hostgroups have names that differ in upper and lower case only.")
GROUP_HOST = _group.error("hostlist.host", "Every host of a group can be resolved.")
GROUP_GROUP = _group.error("hostlist.group", "Every group in a group exists.")
GROUP_CYCLE = _group.error("hostlist.cycle", "A group does not contain itself, not even through others.")
GROUP_UNKNOWN = _group.warning("hostlist.unknown", "The hosts of a group are hosts of the cluster.")


def host_findings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Yield all findings about one execution host or the host global."""
    named_well = is_pattern(obj.name) or is_host_name(obj.name)
    referred = (cluster.objects(Kind.COMPLEX), cluster.objects(Kind.USERSET), cluster.objects(Kind.PROJECT))
    if named_well and _is_fine(*referred, *map(obj.text, _FIELDS)):
        return
    unreadable = list(grammar_errors(obj))
    yield from unreadable
    if not named_well:
        yield unresolved(obj)
    yield from _value_findings(cluster, obj, {finding.field for finding in unreadable})


_FIELDS = tuple(field.name for field in spec(Kind.HOST).fields if field.name != spec(Kind.HOST).name_field)


@memoized(size=4096)
def _is_fine(complexes: Objects, usersets: Objects, projects: Objects, *texts: str) -> bool:
    """True if a host with these values has no findings; memoized, because hundreds of hosts have the same values."""
    host = config_object(Kind.HOST, "host", dict(zip(_FIELDS, texts, strict=True)))
    cluster = Cluster(kinds={Kind.COMPLEX: complexes, Kind.USERSET: usersets, Kind.PROJECT: projects})
    return not any(grammar_errors(host)) and not any(_value_findings(cluster, host, ()))


def _value_findings(cluster: Cluster, obj: ConfigObject, wrong: Collection[str | None]) -> Iterator[Finding]:
    """Yield findings about values; fields in `wrong` cannot be read and are skipped."""
    if "load_scaling" not in wrong:
        yield from _scaling(cluster, obj)
    if "complex_values" not in wrong:
        yield from _offers(cluster, obj)
    if not {"user_lists", "xuser_lists", "projects", "xprojects"}.intersection(wrong):
        yield from _access(cluster, obj)
    if "report_variables" not in wrong:
        for word in split_names(obj.text("report_variables"), COMMA):
            if complex_index(cluster).find(word) is None:
                yield VARIABLES.finding(obj, "report_variables", f'unknown resource "{word}"')


def unresolved(obj: ConfigObject) -> Finding:
    """Return the finding for a host name that cannot be resolved."""
    return NAME.finding(obj, "hostname", f'can\'t resolve hostname "{obj.name}"')


def _scaling(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    for word, _ in split_entries(obj.text("load_scaling"), COMMA):
        if complex_index(cluster).find(word) is None:
            message = f'denied: scaling attribute "{word}" is not configured for host "{canonical(obj.name)}"'
            yield SCALING.finding(obj, "load_scaling", message)


def _offers(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Yield unknown names before problems of values, as the qmaster looks for them."""
    index = complex_index(cluster)
    seen: set[str] = set()
    offers = split_entries(obj.text("complex_values"), COMMA)
    for word, _ in offers:
        if index.find(word) is None:
            message = f'denied: attribute "{word or "<noname>"}" is not a complex attribute'
            yield OFFER_NAME.finding(obj, "complex_values", message)
    for word, value in offers:
        entry = index.find(word)
        if entry is None:
            continue
        if not value:
            yield VALUE.finding(obj, "complex_values", f'denied: missing value for resource "{word}"')
        elif problem := value_problem(entry, value):
            yield VALUE.finding(obj, "complex_values", problem)
        elif entry.name in seen:
            yield REPEATED.finding(obj, "complex_values", f'"{entry.name}" is given more than once')
        elif not entry.is_text and (doubt := doubtful_number(entry.type, value)):
            yield OFFER_MEANING.finding(obj, "complex_values", f"{entry.name}: {doubt}")
        seen.add(entry.name)


def _access(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    for field in ("user_lists", "xuser_lists", "projects", "xprojects"):
        kind = spec(Kind.HOST).by_name[field].refers_to
        for word in split_names(obj.text(field), BLANK):
            if kind is not None and cluster.get(kind, word) is None:
                place = f'{field} of exechost "{canonical(obj.name)}"'
                project = f'denied: project "{word}" referenced in {place} does not exist'
                message = project if kind is Kind.PROJECT else f'Userset "{word}" does not exist'
                yield REFERENCE.finding(obj, field, message)
    for allowed, denied in (("user_lists", "xuser_lists"), ("projects", "xprojects")):
        names = split_names(obj.text(allowed), BLANK)
        for word in split_names(obj.text(denied), BLANK):
            if word in names:
                message = f'"{word}" is in {allowed} and in {denied}: it is denied'
                yield BOTH_LISTS.finding(obj, denied, message)


def hostgroup_findings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Yield all findings about one hostgroup."""
    unreadable = list(grammar_errors(obj))
    yield from unreadable
    if not is_group(obj.name):
        message = f'host group name "{obj.name}" is not valid'
        yield GROUP_NAME.finding(obj, "group_name", message, f"Begin it with @: @{obj.name}")
    elif obj.name != "@" and (problem := name_problem(obj.name[1:])):
        yield GROUP_NAME.finding(obj, "group_name", problem)
    first = first_defined_name(cluster, obj.name)
    if first != obj.name:
        hint = f'For the qmaster it is the same as "{first}". Choose another name.'
        yield GROUP_TAKEN.finding(obj, "group_name", f'host group "{obj.name}" already exists', hint)
    if unreadable or is_none(obj.text("hostlist")):
        return
    words = members(obj)
    for word in words:
        if not is_group(word) and (word.lower() == "template" or not is_host_name(word)):
            yield GROUP_HOST.finding(obj, "hostlist", f'unable to resolve host "{word}"', "Separate hosts by blanks.")
    for word in filter(is_group, words):
        # A new group does not exist yet, so it cannot contain itself.
        if find_group(cluster, word) is None:
            yield GROUP_GROUP.finding(obj, "hostlist", f'denied: host group "{word}" does not exist')
        elif _contains(cluster, word, obj):
            message = f'Hostgroup "{word}" in specification of "{obj.name}" would create a cycle'
            yield GROUP_CYCLE.finding(obj, "hostlist", message)
    known = known_hosts(cluster)
    for word in words:
        if not is_group(word) and is_host_name(word) and canonical(word) not in known:
            hint = f'If the name cannot be resolved the qmaster says: unable to resolve host "{word}".'
            hint = meant_host(word, known) or hint
            yield GROUP_UNKNOWN.finding(obj, "hostlist", f'host "{word}" is not a host of this cluster', hint)


def _contains(cluster: Cluster, group: str, obj: ConfigObject) -> bool:
    """True if `group` is or contains the hostgroup `obj`, directly or through nested groups."""
    groups = cluster.objects(Kind.HOSTGROUP)
    graph, own = _nesting(groups), comparable(obj.name)
    if groups.get(obj.name) == obj:
        # `obj` names `group`, so `group` contains it if they are in one component, which is found once for all groups.
        component_of = _components(groups)
        return comparable(group) == own or component_of.get(comparable(group)) == component_of.get(own)
    ahead, seen = [comparable(group)], set()
    while ahead:
        name = ahead.pop()
        if name == own:
            return True
        if name not in seen:
            seen.add(name)
            ahead += graph.get(name, ())
    return False


@memoized(size=4)
def _nesting(groups: Mapping[str, ConfigObject]) -> Mapping[str, tuple[str, ...]]:
    """Return hostgroup -> hostgroups in its list, as `comparable` names."""
    return {
        comparable(name): tuple(map(comparable, filter(is_group, members(group)))) for name, group in groups.items()
    }


@memoized(size=4)
def _components(groups: Mapping[str, ConfigObject]) -> Mapping[str, int]:
    """Return hostgroup, as its `comparable` name -> number of its strongly connected component."""
    return strongly_connected_components(_nesting(groups))
