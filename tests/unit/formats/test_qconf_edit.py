"""Edits of a qconf folder: only the changed attribute's lines are written, as qconf prints them."""

import difflib

import pytest
from hypothesis import given, strategies as st

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.folder_writer import EditRefused, edited_texts, folder_texts
from qmon_tui.formats.layout import Layout, file_of
from qmon_tui.formats.object_differences import differing, same_object
from qmon_tui.formats.parsed_files import read_qconf_file
from qmon_tui.formats.qconf.complex_table import COLUMNS, write_complexes
from qmon_tui.formats.qconf.objects import write_object
from qmon_tui.formats.qconf.quotas import write_quotas
from qmon_tui.model.catalogue import single_name, spec, specs
from qmon_tui.model.cluster import Cluster, ConfigObject, config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from tests.examples import examples
from tests.unit.formats.recorded import samples

SINGLE_FILES = (Kind.COMPLEX, Kind.QUOTA, Kind.SHARETREE, Kind.MANAGERS, Kind.OPERATORS, Kind.ADMIN_HOSTS)
OF_FILES = [kind for kind in Kind if kind not in (*SINGLE_FILES, Kind.SUBMIT_HOSTS)]

WORDS = st.text(
    alphabet=st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="#\\"), min_size=1, max_size=40
)
TEXTS = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)
"""Values as they are printed: words with single blanks, long enough to be wrapped."""
NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,9}", fullmatch=True)


@st.composite
def full_objects(draw: st.DrawFn, kind: Kind) -> ConfigObject:
    """An object with a random text in every field."""
    known = spec(kind)
    name = single_name(kind) if known.single else draw(NAMES)
    values = {field.name: draw(TEXTS) for field in known.fields}
    if known.name_field:
        values[known.name_field] = name
    return config_object(kind, name, values)


@given(st.sampled_from(OF_FILES).flatmap(full_objects), st.booleans())
@examples(150)
def test_what_is_written_reads_back(obj: ConfigObject, single_line: bool) -> None:
    text = write_object(obj, single_line=single_line)
    (read,), findings = read_qconf_file(obj.kind, text, obj.name)
    assert findings == ()
    # Where a line breaks behind a comma, the blank there is not kept.
    assert {n: t.replace(", ", ",") for n, t in read.values.items()} == {
        n: t.replace(", ", ",") for n, t in obj.values.items()
    }
    assert read.name == obj.name
    assert write_object(read, single_line=single_line) == text or not single_line


@given(st.lists(st.tuples(*[WORDS] * len(COLUMNS)), min_size=1, max_size=6, unique_by=lambda row: row[0]))
@examples(100)
def test_a_written_table_reads_back(rows: list[tuple[str, ...]]) -> None:
    table = [config_object(Kind.COMPLEX, row[0], dict(zip(COLUMNS, row, strict=True))) for row in rows]
    text = write_complexes(table)
    read, findings = read_qconf_file(Kind.COMPLEX, text, "centry")
    assert findings == ()
    assert {obj.name: dict(obj.values) for obj in read} == {obj.name: dict(obj.values) for obj in table}
    assert write_complexes(read) == text


@given(
    st.lists(
        st.tuples(NAMES, TEXTS, st.lists(TEXTS, min_size=1, max_size=3)),
        min_size=1,
        max_size=4,
        unique_by=lambda s: s[0],
    )
)
@examples(100)
def test_written_quota_sets_read_back(sets: list[tuple[str, str, list[str]]]) -> None:
    made = [
        config_object(
            Kind.QUOTA, name, {"name": name, "description": text, "enabled": "TRUE", "limit": "\n".join(rules)}
        )
        for name, text, rules in sets
    ]
    text = write_quotas(made, single_line=True)
    read, findings = read_qconf_file(Kind.QUOTA, text, "q")
    assert findings == ()
    assert [dict(obj.values) for obj in read] == [dict(obj.values) for obj in made]
    assert write_quotas(read, single_line=True) == text


CONTEXT: dict[str, str] = samples()["context"]
LONG: dict[str, str] = {
    "cqueues/val_fmt": samples()["captures"]["show.sq_val_fmt.txt"],
    "resource_quotas/val_fmt": samples()["captures"]["show.srqs.txt"],
    "centry": samples()["captures"]["sc.default.txt"],
}


def read(texts: dict[str, str]) -> Cluster:
    contents = read_texts(Layout.QCONF, "c", texts)
    assert contents.findings == ()
    return contents.cluster


def changed(texts: dict[str, str], before: Cluster, after: Cluster) -> dict[str, list[str]]:
    """File -> the lines that go and come."""
    new = edited_texts(Layout.QCONF, texts, before, after)
    pairs = {file: (texts.get(file, ""), text or "") for file, text in new.items()}
    return {
        file: [line for line in difflib.ndiff(old.splitlines(), text.splitlines()) if line[0] in "+-"]
        for file, (old, text) in pairs.items()
    }


def test_a_saved_folder_is_written_back_byte_for_byte() -> None:
    cluster = read(CONTEXT)
    assert edited_texts(Layout.QCONF, CONTEXT, cluster, cluster) == {}
    assert edited_texts(Layout.QCONF, CONTEXT, cluster, cluster.with_objects(list(cluster))) == {}


@pytest.mark.parametrize("file", sorted(CONTEXT))
def test_one_attribute_is_one_line(file: str) -> None:
    cluster = read(CONTEXT)
    for obj in cluster:
        if obj.origin and obj.origin.file == file:
            name = next(field.name for field in spec(obj.kind).fields if field.name not in (spec(obj.kind).name_field,))
            lines = changed(CONTEXT, cluster, cluster.with_object(obj.with_value(name, "zz")))
            assert list(lines) == [file]
            assert len(lines[file]) == 2
            return


def test_wrapped_files_stay_wrapped() -> None:
    cluster = read(LONG)
    queue = cluster.objects(Kind.QUEUE)["val_fmt"]
    slots = queue.text("seq_no").replace("[vs12=12]", "[vs12=120]")
    assert changed(LONG, cluster, cluster.with_object(queue.with_value("seq_no", slots))) == {
        "cqueues/val_fmt": [
            "-                       [vs7=7],[vs8=8],[vs9=9],[vs10=10],[vs11=11],[vs12=12]",
            "+                       [vs7=7],[vs8=8],[vs9=9],[vs10=10],[vs11=11],[vs12=120]",
        ]
    }


def test_single_lines_stay_single_lines() -> None:
    texts = {"cqueues/val_fmt": samples()["captures"]["show.sq_val_fmt.single.txt"]}
    cluster = read(texts)
    queue = cluster.objects(Kind.QUEUE)["val_fmt"]
    words = " ".join(["word"] * 40)
    lines = changed(texts, cluster, cluster.with_object(queue.with_value("epilog", words)))
    assert lines == {"cqueues/val_fmt": ["- epilog                NONE", f"+ epilog                {words}"]}


def test_comments_and_spacing_stay() -> None:
    text = "# mine\nname   p\n\n  oticket\t0\nfshare 0\nacl NONE\nxacl NONE\n# end\n"
    texts = {"projects/p": text}
    cluster = read(texts)
    project = cluster.objects(Kind.PROJECT)["p"]
    new = edited_texts(Layout.QCONF, texts, cluster, cluster.with_object(project.with_value("oticket", "7")))
    assert new == {"projects/p": text.replace("\t0", "\t7")}


def test_a_quota_set_changes_alone_in_its_file() -> None:
    one = LONG["resource_quotas/val_fmt"]
    two = "{\n   name         b\n   description  NONE\n   enabled      TRUE\n   limit        to slots=1\n}\n"
    texts = {"resource_quotas/all": one + two}
    cluster = read(texts)
    quota = cluster.objects(Kind.QUOTA)["b"]
    lines = changed(texts, cluster, cluster.with_object(quota.with_value("limit", "to slots=2\nto gpu=1")))
    assert lines == {
        "resource_quotas/all": [
            "-    limit        to slots=1",
            "+    limit        to slots=2",
            "+    limit        to gpu=1",
        ]
    }
    assert edited_texts(Layout.QCONF, texts, cluster, cluster.without(Kind.QUOTA, "val_fmt")) == {
        "resource_quotas/all": two
    }


ANNOTATED = """\
# ours
{
   name         users
   description  "who may have how much"
   enabled      TRUE
   # staff first
   limit        users {@staff} \\
                to slots=40
   # and all others
   limit        users {*} to slots=10
   limit        to gpu=4
}
"""


@pytest.mark.parametrize(
    ("field", "text", "wanted"),
    [
        ("enabled", "FALSE", ["-    enabled      TRUE", "+    enabled      FALSE"]),
        ("limit", "users {@staff} to slots=40\nusers {*} to slots=12\nto gpu=4",
         ["-    limit        users {*} to slots=10", "+    limit        users {*} to slots=12"]),
        ("limit", "users {@staff} to slots=40\nto gpu=4", ["-    limit        users {*} to slots=10"]),
        ("limit", "users {@staff} to slots=40\nusers a to gpu=1\nusers b to gpu=2",
         ["-    limit        users {*} to slots=10", "-    limit        to gpu=4",
          "+    limit        users a to gpu=1", "+    limit        users b to gpu=2"]),
        ("limit", "users {@staff} to slots=40\nto gpu=1\nto gpu=2\nto gpu=3",
         ["-    limit        users {*} to slots=10", "-    limit        to gpu=4", "+    limit        to gpu=1",
          "+    limit        to gpu=2", "+    limit        to gpu=3"]),
        ("limit", "users {@staff} to slots=40\nusers {*} to slots=10\nto gpu=4\nto slots=99",
         ["+    limit        to slots=99"]),
        ("limit", "to gpu=1\nusers {@staff} to slots=40\nusers {*} to slots=10\nto gpu=4",
         ["+    limit        to gpu=1"]),
    ],
)  # fmt: skip
def test_rules_that_stay_keep_their_lines_and_comments(field: str, text: str, wanted: list[str]) -> None:
    texts = {"resource_quotas/all": ANNOTATED}
    cluster = read(texts)
    quota = cluster.objects(Kind.QUOTA)["users"]
    after = cluster.with_object(quota.with_value(field, text))
    assert changed(texts, cluster, after) == {"resource_quotas/all": wanted}
    (new,) = edited_texts(Layout.QCONF, texts, cluster, after).values()
    assert new is not None
    assert read({"resource_quotas/all": new}).objects(Kind.QUOTA)["users"].text(field) == text


def test_a_table_of_ones_own_keeps_its_comments() -> None:
    texts = {"centry": "# ours\ngpu g INT <= YES YES 0 0\n\n  lic   l INT <= YES NO 0 0\n"}
    cluster = read(texts)
    gpu = cluster.objects(Kind.COMPLEX)["gpu"]
    mem = config_object(
        Kind.COMPLEX, "mem", dict(zip(COLUMNS, ["mem", "m", "MEMORY", "<=", "YES", "NO", "0", "0"], strict=True))
    )
    after = cluster.with_object(gpu.with_value("urgency", "100")).with_object(mem)
    assert edited_texts(Layout.QCONF, texts, cluster, after) == {
        "centry": "# ours\ngpu g INT <= YES YES 0 100\n\n  lic   l INT <= YES NO 0 0\nmem m MEMORY <= YES NO 0 0\n"
    }
    assert edited_texts(Layout.QCONF, texts, cluster, cluster.without(Kind.COMPLEX, "gpu")) == {
        "centry": "# ours\n\n  lic   l INT <= YES NO 0 0\n"
    }


def test_objects_come_and_go_with_their_files() -> None:
    cluster = read(CONTEXT)
    new = edited_texts(Layout.QCONF, CONTEXT, cluster, cluster.without(Kind.PE, "val_pe"))
    assert new == {"pe/val_pe": None}
    user = config_object(Kind.USER, "anna", {"name": "anna", "fshare": "5"})
    new = edited_texts(Layout.QCONF, CONTEXT, cluster, cluster.with_object(user))
    assert new == {"users/anna": "name anna\noticket 0\nfshare 5\ndelete_time 0\ndefault_project NONE\n"}
    pe = cluster.objects(Kind.PE)["val_pe"]
    after = cluster.without(Kind.PE, "val_pe").with_object(pe.renamed("other"))
    assert edited_texts(Layout.QCONF, CONTEXT, cluster, after) == {
        "pe/val_pe": None,
        "pe/other": CONTEXT["pe/val_pe"].replace("val_pe", "other"),
    }


def test_an_edited_share_tree_is_written_whole_and_one_without_nodes_has_no_file() -> None:
    texts = {"sharetree": "id=0\nname=Root\ntype=0\nshares=1\nchildnodes=NONE\n"}
    before = read(texts)
    tree = before.single(Kind.SHARETREE)
    more = tree.with_value("tree", tree.text("tree").replace("shares=1", "shares=7"))
    assert edited_texts(Layout.QCONF, texts, before, before.with_object(more)) == {
        "sharetree": texts["sharetree"].replace("shares=1", "shares=7")
    }
    assert edited_texts(Layout.QCONF, texts, before, before.without(Kind.SHARETREE, tree.name)) == {"sharetree": None}


def test_a_value_that_begins_on_the_next_line_is_written_anew_as_qconf_does() -> None:
    texts = {"projects/sea": "name sea\noticket    \\\n 0\nfshare 0\nacl NONE\nxacl NONE\n"}
    before = read(texts)
    project = before.objects(Kind.PROJECT)["sea"].with_value("oticket", "7")
    assert edited_texts(Layout.QCONF, texts, before, before.with_object(project)) == {
        "projects/sea": "name sea\noticket 7\nfshare 0\nacl NONE\nxacl NONE\n"
    }


def test_the_first_object_of_a_kind_with_defaults_brings_them_along() -> None:
    texts = {"managers": "root\n"}
    cluster = read(texts)
    staff = config_object(Kind.USERSET, "staff", {"name": "staff", "entries": "anna"})
    new = edited_texts(Layout.QCONF, texts, cluster, cluster.with_object(staff))
    assert sorted(new) == [f"usersets/{name}" for name in ("arusers", "deadlineusers", "defaultdepartment", "staff")]


@pytest.mark.parametrize("name", ["../x", "a/b", ".x", "", "a\0b"])
def test_a_name_cannot_leave_the_folder(name: str) -> None:
    with pytest.raises(ValueError, match="cannot be kept in a file of that name"):
        file_of(Kind.QUEUE, name)
    cluster = read(CONTEXT)
    queue = config_object(Kind.QUEUE, name, {"qname": name})
    with pytest.raises(EditRefused, match="rename it first"):
        edited_texts(Layout.QCONF, CONTEXT, cluster, cluster.with_object(queue))


def test_a_value_that_the_layout_cannot_hold_is_refused() -> None:
    cluster = read(CONTEXT)
    entry = cluster.objects(Kind.COMPLEX)["arch"]
    with pytest.raises(EditRefused, match='complex "arch"'):
        edited_texts(Layout.QCONF, CONTEXT, cluster, cluster.with_object(entry.with_value("default", "a b")))


@pytest.mark.parametrize("layout", [Layout.YAML, Layout.QCONF])
def test_both_layouts_hold_the_same(layout: Layout) -> None:
    cluster = read({**CONTEXT, **LONG})
    texts = folder_texts(layout, cluster, State())
    contents = read_texts(layout, "c", texts)
    assert contents.findings == ()
    assert list(differing(contents.cluster, cluster)) == []
    for kind in specs():
        for name, obj in cluster.objects(kind).items():
            assert same_object(contents.cluster.objects(kind)[name], obj)


def test_a_quota_set_with_another_name_takes_its_own_file_along_and_leaves_a_shared_one() -> None:
    one = "{\nname one\ndescription NONE\nenabled FALSE\nlimit to slots=1\n}\n"
    two = one.replace("one", "two")
    renamed = one.replace("one", "new")
    for texts, expected in (
        (
            {"resource_quotas/one": one, "resource_quotas/two": two},
            {"resource_quotas/one": None, "resource_quotas/new": renamed},
        ),
        ({"resource_quotas/all": one + two}, {"resource_quotas/all": renamed + two}),
    ):
        cluster = read_texts(Layout.QCONF, "c", texts).cluster
        quota = cluster.objects(Kind.QUOTA)["one"]
        after = cluster.without(Kind.QUOTA, "one").with_object(quota.renamed("new"))
        changed = edited_texts(Layout.QCONF, texts, cluster, after)
        assert {file: text and text.split() for file, text in changed.items()} == {
            file: text and text.split() for file, text in expected.items()
        }
