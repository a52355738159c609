"""What a real qconf printed is read and written back byte for byte."""

import pytest

from qmon_tui.formats.parsed_files import read_qconf_file
from qmon_tui.formats.qconf.attribute_lines import wrap_line
from qmon_tui.formats.qconf.complex_table import write_complexes
from qmon_tui.formats.qconf.objects import write_object
from qmon_tui.formats.qconf.quotas import write_quotas
from qmon_tui.formats.qconf.sharetree import write_sharetree
from qmon_tui.model.cluster import ConfigObject
from qmon_tui.model.kinds import Kind
from tests.unit.formats.recorded import KIND_OF_CAPTURE, samples

CANONICAL_KINDS = {
    "complex": Kind.COMPLEX,
    "host": Kind.HOST,
    "hostgroup": Kind.HOSTGROUP,
    "pe": Kind.PE,
    "queue": Kind.QUEUE,
    "rqs": Kind.QUOTA,
    "sched": Kind.SCHEDULER,
    "sharetree": Kind.SHARETREE,
}


def printed_again(kind: Kind, text: str, *, single_line: bool) -> str:
    objects, findings = read_qconf_file(kind, text, "file")
    # Fields of other dialects are kept, and said.
    assert not [finding for finding in findings if finding.rule not in ("format.unknown", "format.missing")]
    return written(kind, objects, single_line=single_line)


def written(kind: Kind, objects: tuple[ConfigObject, ...], *, single_line: bool) -> str:
    if kind is Kind.COMPLEX:
        return write_complexes(objects)
    if kind is Kind.QUOTA:
        return write_quotas(objects, single_line=single_line)
    if kind is Kind.SHARETREE:
        return write_sharetree(objects[0])
    return write_object(objects[0], single_line=single_line)


def captures() -> list[str]:
    # An instance is no object: `-sq queue@host` prints another set of fields.
    return sorted(name for name in samples()["captures"] if name.startswith("show.") and "ATvs1" not in name)


@pytest.mark.parametrize("name", captures())
def test_shown_objects_come_back(name: str) -> None:
    kind = KIND_OF_CAPTURE[name.split(".")[1].split("_")[0]]
    text = samples()["captures"][name]
    assert printed_again(kind, text, single_line=".single." in name) == text


@pytest.mark.parametrize("name", sorted(samples()["canonical"]))
def test_sites_objects_come_back(name: str) -> None:
    kind = CANONICAL_KINDS[name.split("__")[0].removesuffix("_syntax")]
    text = samples()["canonical"][name]
    single = "\\\n" not in text
    assert printed_again(kind, text, single_line=single) == text


@pytest.mark.parametrize("label", sorted(samples()["printed"]))
def test_long_objects_of_every_kind_come_back(label: str) -> None:
    kind = Kind(label.split()[0])
    for form, text in samples()["printed"][label].items():
        assert printed_again(kind, text, single_line=form == "single") == text


@pytest.mark.parametrize("label", sorted(samples()["printed"]))
def test_wrapped_and_single_lines_say_the_same(label: str) -> None:
    kind = Kind(label.split()[0])
    forms = samples()["printed"][label]
    (wrapped,), _ = read_qconf_file(kind, forms["shown"], "file")
    (single,), _ = read_qconf_file(kind, forms["single"], "file")
    assert dict(wrapped.values) == dict(single.values)


def test_a_new_clusters_complexes_come_back() -> None:
    for name in ("sc.default.txt",):
        text = samples()["captures"][name]
        assert printed_again(Kind.COMPLEX, text, single_line=False) == text


@pytest.mark.parametrize("case", samples()["wrapped"], ids=range(len(samples()["wrapped"])))
def test_lines_break_where_qconf_breaks_them(case: list[str]) -> None:
    _, single, wrapped = case
    assert wrap_line(single.rstrip("\n"), 22) + "\n" == wrapped
