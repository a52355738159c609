"""Edits of the configuration while jobs are there: in a cluster's files, and on the real qmaster."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import yaml

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.nodeset import expand_nodeset
from qmon_tui.model.catalogue import specs
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import HOST
from qmon_tui.scheduler.configuration.compiled_cluster import compile_cluster
from tests.differential.drawing import scenario
from tests.differential.loading import put_object, removed_object
from tests.differential.qmaster import Answer, Qmaster
from tests.differential.scenarios import GIVEN
from tests.differential.session import Edit

SECTIONS: Final = {"queue": "queues", "hostgroup": "hostgroups", "exechost": "hosts", "pe": "pes"}
"""Kinds as qconf -rattr calls them -> sections of a cluster folder; an edit of a section replaces whole objects."""
KINDS: Final = {spec.yaml_key: kind for kind, spec in specs().items()}
_FLAT: Final = frozenset({"scheduler", "sharetree"})
"""Sections that are one object."""


def edited(files: Mapping[str, str], edits: Iterable[Edit]) -> dict[str, str]:
    """A cluster's files after some edits, all in one."""
    sections: dict[str, Any] = {}
    for name, text in files.items():
        if name not in GIVEN:
            sections.update(yaml.load(text, Loader=yaml.CBaseLoader) or {})
    for edit in edits:
        _apply(sections, edit)
    return dict(scenario(sections, ()).files)


def _apply(sections: dict[str, Any], edit: Edit) -> None:
    key = SECTIONS.get(edit.kind, edit.kind)
    section = sections.setdefault(key, {})
    if key in _FLAT:
        sections[key] = {**section, edit.field: edit.text} if edit.field else json.loads(edit.text)
        return
    if key == SECTIONS["exechost"]:
        section = sections[key] = {one: values for names, values in section.items() for one in expand_nodeset(names)}
    # What is changed goes to the end of the qmaster's list.
    before = section.pop(edit.name, {})
    if edit.field:
        section[edit.name] = {**before, edit.field: edit.text}
    elif edit.text:
        section[edit.name] = json.loads(edit.text)


def cluster_of(files: Mapping[str, str]) -> Cluster:
    """The configuration in a cluster's files."""
    return read_texts(Layout.YAML, "edited", files).cluster


def carry_out(qmaster: Qmaster, files: Mapping[str, str], edits: Iterable[Edit], edit: Edit) -> Answer:
    """Let the real qmaster do an edit that comes after others; what it says."""
    if edit.kind in SECTIONS:
        qmaster.must("qconf", "-rattr", edit.kind, edit.field, edit.text, edit.name)
        return Answer(0, "", "")
    kind = KINDS[edit.kind]
    before, after = (cluster_of(edited(files, some)) for some in (edits, (*edits, edit)))
    name = edit.kind if edit.kind in _FLAT else edit.name
    if after.get(kind, name) is None and kind is not Kind.COMPLEX:
        return removed_object(qmaster, kind, name)
    return put_object(qmaster, after, kind, name, is_new=before.get(kind, name) is None)


def everything_in_order(files: Mapping[str, str], edits: Sequence[Edit]) -> Iterator[str]:
    """All queue instances and hosts after some edits, as the qmaster has them: what is new comes last in its queue.

    There are also those that are no longer configured.
    """
    order: dict[str, None] = {}
    for count in range(len(edits) + 1):
        order |= dict.fromkeys(configured_in_order(files, edits[:count]))
    cluster = cluster_of(edited(files, edits))
    for queue in cluster.objects(Kind.QUEUE):
        yield from (name for name in order if name.partition("@")[0] == queue)
    yield from (HOST.format(host) for host in cluster.objects(Kind.HOST))


def configured_in_order(files: Mapping[str, str], edits: Sequence[Edit]) -> list[str]:
    """The queue instances after some edits, as the configuration has them."""
    return [instance.name for instance in compile_cluster(cluster_of(edited(files, edits))).instances]
