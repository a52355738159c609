"""What qconf prints, recognised by its content (formats.md#what-tells-the-kind-of-a-text), and judged by itself."""

import re
from pathlib import Path

import pytest

from qmon_tui.checks import single_file_findings
from qmon_tui.formats import read_printed
from qmon_tui.formats.layout import LISTS
from qmon_tui.formats.printed_objects import printed_kind
from qmon_tui.model.findings import Finding
from qmon_tui.model.kinds import Kind
from qmon_tui.sources import read_folder
from tests.differential.printing import written

CONFIGS = Path(__file__).parents[3] / "configs"
HEALTHY = ("teaching", "site", "campus", "genome", "racks", "desktops")


def found(text: str) -> list[Finding]:
    printed = read_printed(text, "file")
    assert printed is not None
    return [*printed.findings, *single_file_findings(printed.objects)]


@pytest.mark.parametrize("name", HEALTHY)
@pytest.mark.parametrize("kind", [kind for kind in Kind if kind not in LISTS])
def test_every_object_of_a_healthy_cluster_is_recognised_and_healthy_by_itself(name: str, kind: Kind) -> None:
    objects = tuple(read_folder(CONFIGS / name).cluster.objects(kind).values())
    for single in (True, False) if objects else ():
        for group in [objects] if kind is Kind.COMPLEX else [(obj,) for obj in objects]:
            text = written(kind, group, single)
            printed = read_printed(f"root@master# qconf -s {group[0].name}\n{text}", "file")
            assert printed is not None
            assert printed.kind is kind
            assert sorted(obj.name for obj in printed.objects) == sorted(obj.name for obj in group)
            assert found(text) == []
        if kind not in (Kind.COMPLEX, Kind.SHARETREE, Kind.SCHEDULER):
            together = read_printed("\n".join(written(kind, (obj,), single) for obj in objects), "file")
            assert together is not None
            assert [obj.name for obj in together.objects] == [obj.name for obj in objects]


def _short(site: str = "site") -> str:
    cluster = read_folder(CONFIGS / site).cluster
    return written(Kind.QUEUE, (cluster.objects(Kind.QUEUE)["short.q"],), True)


def test_findings_have_lines_also_behind_other_objects() -> None:
    text = _short().replace("nsuspend              1", "nsuspend              x")
    line = text.splitlines().index("nsuspend              x") + 1
    two = text + "\n" + text.replace("short.q", "other.q").replace("shell_start_mode", "shell_mode")
    lines = len(text.splitlines())
    places = {(one.name, one.field, one.line) for one in found(two)}
    assert ("short.q", "nsuspend", line) in places
    assert ("other.q", "nsuspend", lines + 1 + line) in places
    mode = next(number for number, known in enumerate(text.splitlines(), 1) if known.startswith("shell_start_mode"))
    assert ("other.q", "shell_mode", lines + 1 + mode) in places


def test_lines_are_counted_from_the_beginning_of_the_text() -> None:
    two = "\n\n" + "".join(f"qname {name}\nhostlist NONE\nodd x\n" for name in ("a", "b"))
    assert [one.line for one in found(two) if one.field == "odd"] == [5, 8]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("lic lic INT <= YES YES 0 0\n", Kind.COMPLEX),
        ("lic lic int <= YES YES 0 0\n", Kind.COMPLEX),
        ("lic lic INT <= YES YES 0 0\nmem mem ODD <= YES YES 0 0\n", None),
        ("lic lic INT <= YES YES 0\n", None),
        ("#name shortcut type\n", Kind.COMPLEX),
        ("#global:\nodd x\n", Kind.CONFIGURATION),
        ("# sets\n{\n}\n", Kind.QUOTA),
        ("id=0\nname=Root\n", Kind.SHARETREE),
        ("name x\nacl NONE\n", Kind.PROJECT),
        ("name x\noticket 0\ndefault_project NONE\n", Kind.USER),
        ("hostname x\nprocessors 4\n", Kind.HOST),
        ("user_lists NONE\nxuser_lists NONE\npe_name x\n", Kind.PE),
        ("user_lists NONE\nxuser_lists NONE\nqname x\n", Kind.QUEUE),
        ("qname x\nhostlist a \\\nslots b\nodd x\nodder x\n", Kind.QUEUE),
        ("qname x\nhostlist a \\\nslots b\nodd x\nodder x\noddest x\n", None),
        ("slots 1\nslots 2\n", None),
    ],
)
def test_the_kind_of_a_text(text: str, kind: Kind | None) -> None:
    assert printed_kind(text) is kind


def test_a_queue_with_a_misspelt_name_is_a_queue() -> None:
    assert {one.rule for one in found(_short().replace("qname", "qnme"))} == {"format.unknown", "format.missing"}


def test_what_an_object_names_is_taken_to_be_there_but_its_values_are_judged() -> None:
    text = re.sub(r"complex_values .*", "complex_values lic=5,os=new,slots=x", _short())
    assert [one.message for one in found(text)] == ['attribute "slots" is not a integer value']
    quota = "{\n   name a\n   enabled TRUE\n   limit users @x projects p hosts {@g} to lic=1,tok=$np*2\n}\n"
    assert found(quota) == []


def test_a_queue_instance_is_told() -> None:
    printed = read_printed(_short().replace("hostlist             ", "hostname              node01\nnote "), "file")
    assert printed is not None
    assert (printed.instance, printed.objects[0].text("hostlist")) == (True, "node01")


@pytest.mark.parametrize(
    "text",
    ["", "\n\n", "root\nada\n", "no sharetree element\n", "job-ID  prior   name\n", "a b\nc d\n", "qname all.q\n"],
)
def test_what_is_nothing_of_it_is_not_recognised(text: str) -> None:
    assert read_printed(text, "file") is None


@pytest.mark.parametrize(
    ("known", "unknown", "is_recognised"),
    [(1, 0, False), (2, 0, True), (2, 2, True), (2, 3, False), (3, 3, True), (3, 4, False)],
)
def test_half_of_the_attributes_tell_the_kind_and_two_at_least(known: int, unknown: int, is_recognised: bool) -> None:
    names = ["qname", "hostlist", "seq_no"][:known] + [f"odd{number}" for number in range(unknown)]
    printed = read_printed("".join(f"{name} x\n" for name in names), "file")
    assert (printed.kind if printed else None) == (Kind.QUEUE if is_recognised else None)
