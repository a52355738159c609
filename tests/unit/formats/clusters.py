"""Random clusters and random YAML texts of them, for the property tests."""

from dataclasses import dataclass

from hypothesis import strategies as st

from qmon_tui.formats.nodeset import fold_hosts
from qmon_tui.formats.yaml.yaml_writer import is_plain, scalar
from qmon_tui.model.catalogue import single_name, spec
from qmon_tui.model.cluster import ConfigObject, config_object
from qmon_tui.model.fields import Field, ValueType
from qmon_tui.model.kinds import Kind
from qmon_tui.values.overrides import parse_overrides

NAMES = st.from_regex(r"[a-z][a-z0-9_.]{0,8}", fullmatch=True).filter(lambda name: not name.endswith("."))

NODES = st.integers(1, 9).map(lambda number: f"node{number}")
"""Hosts that can be written together as node sets."""

FREE_TEXT = st.one_of(
    st.sampled_from(["00:00:60", "010", "1.0", "yes", "1e3", "0x10", "NONE", "none", "INFINITY", "~", "null", "<="]),
    st.sampled_from(["a: b", "a #b", "#x", "- a", "{x}", "[x]", "*a", "&a", "!x", "%x", "@x", "`x", "'x'", '"x"', ":"]),
    st.text(alphabet=st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=12),
    st.text(alphabet="ab ,=[]:#'\"\\{}*&!|>%@`-?$/é𝄞\u2028\x85\ufeff", min_size=1, max_size=12),
).filter(lambda text: text.strip(" \t") == text and text != "")
"""Values of one line, many of them hostile to YAML."""

FIELDS = {
    Kind.QUEUE: ("hostlist", "seq_no", "slots", "h_rt", "prolog", "pe_list", "complex_values", "load_thresholds"),
    Kind.PE: ("slots", "user_lists", "start_proc_args", "allocation_rule"),
    Kind.HOST: ("complex_values", "load_scaling", "user_lists", "report_variables"),
    Kind.USERSET: ("type", "fshare", "entries"),
    Kind.PROJECT: ("oticket", "fshare", "acl"),
    Kind.COMPLEX: ("shortcut", "type", "relop", "default", "urgency"),
    Kind.CALENDAR: ("year", "week"),
    Kind.QUOTA: ("description", "enabled", "limit"),
    Kind.HOSTGROUP: ("hostlist",),
    Kind.CONFIGURATION: ("mailer", "qmaster_params", "strange_name"),
    Kind.SCHEDULER: ("algorithm", "weight_ticket", "job_load_adjustments", "params"),
    Kind.OPERATORS: ("entries",),
    Kind.ADMIN_HOSTS: ("entries",),
}
"""Kinds and the fields of them that the random clusters use."""


def entry_list(names: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(names, min_size=1, max_size=3, unique=True).map(
        lambda found: ",".join(f"{name}={index}" for index, name in enumerate(found))
    )


def field_texts(field: Field | None) -> st.SearchStrategy[str]:
    """Texts for a field, of the kind that people and qconf write."""
    if field is None:
        return FREE_TEXT
    if field.type is ValueType.HOSTS:
        return st.lists(st.one_of(NODES, NAMES), min_size=1, max_size=5, unique=True).map(" ".join)
    if field.type is ValueType.RULES:
        rule = NAMES.map(lambda name: f"name {name} users {{*}} hosts @{name} to slots=10")
        return st.lists(rule, min_size=1, max_size=3).map("\n".join)
    if field.type is ValueType.ENTRIES and not field.per_host:
        return entry_list(NAMES)
    if field.per_host:
        plain = entry_list(NAMES) if field.type is ValueType.ENTRIES else st.integers(0, 99).map(str)
        return st.one_of(plain, FREE_TEXT, overridden(plain))
    return FREE_TEXT


@st.composite
def overridden(draw: st.DrawFn, plain: st.SearchStrategy[str]) -> str:
    keys = draw(st.lists(st.one_of(NODES, NAMES), min_size=1, max_size=4, unique=True))
    values = [draw(plain), draw(plain)]
    return ",".join([draw(plain), *(f"[{key}={draw(st.sampled_from(values))}]" for key in keys)])


@st.composite
def objects(draw: st.DrawFn, kind: Kind, name: str) -> ConfigObject:
    """An object with some of its fields given."""
    known = spec(kind)
    values = {known.name_field: name} if known.name_field else {}
    for field in FIELDS[kind]:
        if draw(st.booleans()):
            values[field] = draw(field_texts(known.by_name.get(field)))
    return config_object(kind, name, values)


def object_names(kind: Kind) -> st.SearchStrategy[str]:
    if kind is Kind.HOST:
        return st.one_of(NODES, NODES, NAMES)
    if spec(kind).single:
        return st.just(single_name(kind))
    prefixed = {Kind.HOSTGROUP: "@", Kind.COMPLEX: "x_", Kind.USERSET: "u_"}
    return NAMES.map(lambda name: prefixed.get(kind, "") + name)


@st.composite
def object_lists(draw: st.DrawFn) -> list[ConfigObject]:
    """Objects of some kinds, names unique in each kind."""
    objs: list[ConfigObject] = []
    for kind in draw(st.lists(st.sampled_from(list(FIELDS)), unique=True, min_size=1, max_size=4)):
        for name in draw(st.lists(object_names(kind), unique=True, min_size=1, max_size=4)):
            objs.append(draw(objects(kind, name)))
    return objs


@dataclass
class Style:
    """How a file is written."""

    indent: int
    comments: bool
    newline: str


@st.composite
def yaml_texts(draw: st.DrawFn, objs: list[ConfigObject]) -> str:
    """One of the many ways to write some objects as YAML."""
    style = Style(draw(st.integers(1, 4)), draw(st.booleans()), draw(st.sampled_from(["\n", "\n", "\r\n"])))
    lines: list[str] = ["# a cluster"] if style.comments else []
    for kind in dict.fromkeys(obj.kind for obj in objs):
        of_kind = [obj for obj in objs if obj.kind is kind]
        lines += draw(sections(kind, of_kind, style))
    text = style.newline.join(lines)
    return text + draw(st.sampled_from([style.newline, "", style.newline * 2]))


@st.composite
def sections(draw: st.DrawFn, kind: Kind, objs: list[ConfigObject], style: Style) -> list[str]:
    pad = " " * style.indent
    lines = [f"{spec(kind).yaml_key}:" + draw(trailing(style))]
    if spec(kind).single:
        given = objs[0].values
        if not given:
            return [f"{spec(kind).yaml_key}: {{}}"]
        if set(given) == {"entries"} and draw(st.booleans()):
            return [f"{spec(kind).yaml_key}: {draw(written(given['entries'], False))}" + draw(trailing(style))]
        for name, text in given.items():
            lines += draw(field_lines(spec(kind).by_name.get(name), name, text, pad, style))
        return lines
    for names, obj in draw(together(objs)):
        given = {name: text for name, text in obj.values.items() if name != spec(kind).name_field}
        if style.comments and draw(st.booleans()):
            lines.append(pad + f"# about {obj.name}")
        key = pad + draw(written(names, flow=False)) + ":"
        if not given:
            lines.append(key + draw(st.sampled_from([" {}", ""])) + draw(trailing(style)))
        elif draw(st.booleans()) and not any("\n" in text for text in given.values()):
            pairs = [f"{draw(written(name, True))}: {draw(written(text, True))}" for name, text in given.items()]
            lines.append(key + " {" + ", ".join(pairs) + "}" + draw(trailing(style)))
        else:
            lines.append(key + draw(trailing(style)))
            for name, text in given.items():
                lines += draw(field_lines(spec(kind).by_name.get(name), name, text, pad * 2, style))
    return lines


@st.composite
def together(draw: st.DrawFn, objs: list[ConfigObject]) -> list[tuple[str, ConfigObject]]:
    """Objects with their keys; hosts that say the same may share one."""
    if objs[0].kind is not Kind.HOST:
        return [(obj.name, obj) for obj in objs]
    groups: dict[tuple[tuple[str, str], ...], list[ConfigObject]] = {}
    for obj in objs:
        said = tuple(sorted((name, text) for name, text in obj.values.items() if name != "hostname"))
        groups.setdefault((*said, ("", obj.name if draw(st.booleans()) else "")), []).append(obj)
    return [(key, group[0]) for group in groups.values() for key in _keys(group)]


def _keys(group: list[ConfigObject]) -> tuple[str, ...]:
    return fold_hosts(obj.name for obj in group) if len(group) > 1 else (group[0].name,)


@st.composite
def host_mapping(draw: st.DrawFn, text: str, key: str, pad: str, style: Style) -> list[str]:
    """A per-host value as a mapping."""
    overrides = parse_overrides(text)
    groups: dict[str, list[str]] = {}
    for host, value in overrides.keyed:
        groups.setdefault(value if draw(st.booleans()) else value + "\0" + host, []).append(host)
    pairs = [("default", overrides.default or "")]
    pairs += [(name, said.partition("\0")[0]) for said, hosts in groups.items() for name in fold_hosts(hosts)]
    if draw(st.booleans()):
        inner = ", ".join(f"{draw(written(name, True))}: {draw(written(value, True))}" for name, value in pairs)
        return [key + " {" + inner + "}" + draw(trailing(style))]
    lines = [key + draw(trailing(style))]
    for name, value in pairs:
        lines.append(f"{pad}  {draw(written(name, False))}: {draw(written(value, False))}" + draw(trailing(style)))
    return lines


def _is_mapping(field: Field | None, text: str) -> bool:
    """Tell whether a text may be written as a mapping of hosts and read back in the same order."""
    if field is None or not field.per_host or "[" not in text:
        return False
    try:
        overrides = parse_overrides(text)
    except ValueError:
        return False
    everything = [overrides.default or "", *(value for pair in overrides.keyed for value in pair)]
    return overrides.canonical() == text and all(everything)


@st.composite
def field_lines(draw: st.DrawFn, field: Field | None, name: str, text: str, pad: str, style: Style) -> list[str]:
    lines = [pad + "# why"] if style.comments and draw(st.booleans()) else []
    key = pad + draw(written(name, False)) + ":"
    if "\n" in text:
        if draw(st.booleans()):
            return [*lines, key + " |", *(pad + "   " + line for line in text.split("\n"))]
        return [*lines, key, *(pad + "- " + draw(written(line, False)) for line in text.split("\n"))]
    if _is_mapping(field, text) and draw(st.booleans()):
        return [*lines, *draw(host_mapping(text, key, pad, style))]
    if field and field.type is ValueType.HOSTS and draw(st.booleans()):
        items = text.split(" ")
        if draw(st.booleans()):
            return [*lines, key + " [" + ", ".join(items) + "]" + draw(trailing(style))]
        return [*lines, key + draw(trailing(style)), *(pad + "- " + item + draw(trailing(style)) for item in items)]
    return [*lines, key + " " + draw(written(text, False)) + draw(trailing(style))]


@st.composite
def written(draw: st.DrawFn, text: str, flow: bool) -> str:
    """A scalar in any style that can hold it."""
    wish = draw(st.sampled_from(["", "'", '"']))
    return scalar(text, style=wish, flow=flow) if wish or not is_plain(text, flow) else text


@st.composite
def trailing(draw: st.DrawFn, style: Style) -> str:
    return "   # note" if style.comments and draw(st.booleans()) else ""
