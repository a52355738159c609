"""Contents of single files of a cluster folder, so that an unchanged file is not read again."""

from typing import TYPE_CHECKING, Final, NamedTuple

from qmon_tui import model
from qmon_tui.formats import qconf, yaml
from qmon_tui.formats.format_findings import MOST_FINDINGS, problem
from qmon_tui.formats.layout import LISTS, Layout, is_yaml, kind_of_file
from qmon_tui.formats.state import StateItem
from qmon_tui.model import ConfigObject, Finding, Kind, default_complexes

if TYPE_CHECKING:
    from qmon_tui.formats.yaml import Section

Objects = tuple[tuple[ConfigObject, ...], tuple[Finding, ...]]


class ParsedFile(NamedTuple):
    """One file: text, objects, findings, default objects that it removes, and its state (jobs, load values)."""

    text: str
    objects: tuple[ConfigObject, ...]
    findings: tuple[Finding, ...]
    removed: frozenset[tuple[Kind, str]] = frozenset()
    state: tuple[StateItem, ...] = ()


LARGEST_OBJECT: Final = 4 * 1024 * 1024
"""Maximum characters of a qconf file; the host list of 100,000 hosts has a quarter of these."""
DEEPEST_TREE: Final = 1000
"""Maximum levels of a share tree: nodes are shown with their path from the root, so costs grow with the square."""


def parse_file(layout: Layout, file: str, text: str) -> ParsedFile:
    """Read a file that belongs to the cluster."""
    parsed = _parse(layout, file, text)
    if len(parsed.findings) > MOST_FINDINGS:
        parsed = parsed._replace(findings=(*parsed.findings[:MOST_FINDINGS], _more(file, parsed.findings)))
    too_deep = next((obj for obj in parsed.objects if obj.kind is Kind.SHARETREE and _is_too_deep(obj)), None)
    if too_deep is None:
        return parsed
    message = f"the share tree has more than {DEEPEST_TREE} levels: it is not read"
    line = too_deep.origin.line_of("tree") if too_deep.origin else 1
    finding = problem(
        "format.sharetree", message, file=file, line=line, kind=Kind.SHARETREE, name=too_deep.name, field="tree"
    )
    others = tuple(obj for obj in parsed.objects if obj is not too_deep)
    return parsed._replace(objects=others, findings=(*parsed.findings, finding))


def _more(file: str, findings: tuple[Finding, ...]) -> Finding:
    """Return the finding that replaces all findings above the limit."""
    last = findings[MOST_FINDINGS]
    return problem(
        last.rule,
        "more faults in this file, from here on, are not listed",
        file=file,
        line=last.line,
        column=last.column,
        kind=last.kind or "",
    )


def _is_too_deep(tree: ConfigObject) -> bool:
    text = tree.text("tree")
    return text.count("childnodes") > DEEPEST_TREE and model.tree_depth(text) > DEEPEST_TREE


def _parse(layout: Layout, file: str, text: str) -> ParsedFile:
    if layout is Layout.FILES and not is_yaml(file):
        from qmon_tui.formats.printed_objects import read_folder_file  # late: it imports what reads folders

        printed = read_folder_file(text, file)
        return ParsedFile(text, printed.objects, printed.findings) if printed else ParsedFile(text, (), ())
    kind = kind_of_file(file) if layout is Layout.QCONF else None
    if kind is not None and len(text) > LARGEST_OBJECT:
        message = f"is larger than {LARGEST_OBJECT // 1024 // 1024} MiB, too large for what qconf prints"
        return ParsedFile(text, (), (problem("format.encoding", message, file=file, line=1, kind=kind),))
    if kind is not None:
        return ParsedFile(text, *read_qconf_file(kind, text, file))
    return _yaml(text, file) if layout is Layout.YAML else _state_only(text, file)


def read_qconf_file(kind: Kind, text: str, file: str) -> Objects:
    """Return the objects of one file of a qconf folder, and findings."""
    if kind is Kind.COMPLEX:
        return qconf.read_complexes(text, file)
    if kind is Kind.QUOTA:
        return qconf.read_quotas(text, file)
    if kind in LISTS:
        obj, findings = qconf.read_list(kind, text, file)
        return (obj,), findings
    is_tree = kind is Kind.SHARETREE
    single, findings = qconf.read_sharetree(text, file) if is_tree else qconf.read_object(kind, text, file)
    return (single,) if single else (), findings


def _state_only(text: str, file: str) -> ParsedFile:
    """Parse a YAML file in a qconf folder: jobs and load values, and a finding for anything else."""
    yaml_file = yaml.read_file(text, file)
    misplaced = (_misplaced(section, file) for section in yaml_file.sections)
    return ParsedFile(text, (), (*yaml_file.findings, *misplaced), state=tuple(yaml_file.state))


def _misplaced(section: "Section", file: str) -> Finding:
    message = f"{section.key.text} does not belong in a YAML file of a folder in qconf's layout"
    return problem("format.overlap", message, file=file, line=section.key.line, column=1, kind=section.kind)


def _yaml(text: str, file: str) -> ParsedFile:
    yaml_file = yaml.read_file(text, file)
    removed = frozenset((entry.kind, entry.key.text) for entry in yaml_file.entries if entry.removed)
    objects = tuple(map(_completed, yaml_file.objects()))
    return ParsedFile(text, objects, tuple(yaml_file.findings), removed, tuple(yaml_file.state))


def _completed(obj: ConfigObject) -> ConfigObject:
    """Fill the missing fields of a default complex from its default; return other objects unchanged."""
    if obj.kind is not Kind.COMPLEX:
        return obj
    default = _DEFAULT_COMPLEXES.get(obj.name)
    return obj if default is None else obj.with_values({**default.values, **obj.values})


_DEFAULT_COMPLEXES = {obj.name: obj for obj in default_complexes()}
