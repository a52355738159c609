"""Editing YAML: exactly the edited line changes, and what was written reads back as the edited cluster."""

from hypothesis import given, strategies as st

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.folder_writer import edited_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.object_differences import differing
from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import Cluster, ConfigObject
from qmon_tui.model.kinds import Kind
from tests.examples import examples
from tests.unit.formats.clusters import FIELDS, field_texts, object_lists, object_names, objects, yaml_texts


def read(text: str) -> Cluster:
    contents = read_texts(Layout.YAML, "c", {"c.yaml": text})
    assert contents.findings == (), text
    return contents.cluster


def save(text: str, before: Cluster, after: Cluster) -> str:
    changed = edited_texts(Layout.YAML, {"c.yaml": text}, before, after)
    assert set(changed) <= {"c.yaml"}
    return changed.get("c.yaml", text) or ""


def own(cluster: Cluster) -> list[ConfigObject]:
    return [obj for obj in cluster if obj.origin]


@given(st.data())
@examples(120)
def test_any_style_reads_as_the_objects_that_were_written(data: st.DataObject) -> None:
    objs = data.draw(object_lists())
    cluster = read(data.draw(yaml_texts(objs)))
    for obj in objs:
        read_back = cluster.get(obj.kind, obj.name)
        assert read_back is not None
        # Node sets of hosts may read in another order.
        assert {n: sorted(t.split(",")) for n, t in read_back.values.items()} == {
            n: sorted(t.split(",")) for n, t in obj.values.items()
        }
    assert save("", Cluster(), Cluster()) == ""


@given(st.data())
@examples(60)
def test_no_edit_changes_no_byte(data: st.DataObject) -> None:
    text = data.draw(yaml_texts(data.draw(object_lists())))
    cluster = read(text)
    assert save(text, cluster, cluster) == text
    same = cluster.with_objects(own(cluster))
    assert save(text, cluster, same) == text


@given(st.data())
@examples(150)
def test_setting_a_field_changes_its_line_only(data: st.DataObject) -> None:
    text = data.draw(yaml_texts(data.draw(object_lists())))
    cluster = read(text)
    candidates = [
        (obj, name)
        for obj in own(cluster)
        for name in obj.values
        if name != spec(obj.kind).name_field and "\n" not in obj.values[name]
    ]
    if not candidates:
        return
    obj, name = data.draw(st.sampled_from(candidates))
    new = data.draw(field_texts(spec(obj.kind).by_name.get(name)))
    after = cluster.with_object(obj.with_value(name, new))
    saved = save(text, cluster, after)
    assert list(differing(read(saved), after)) == []
    old_lines, new_lines = text.splitlines(), saved.splitlines()
    assert obj.origin is not None
    if len(old_lines) == len(new_lines):
        changed = [
            number for number, pair in enumerate(zip(old_lines, new_lines, strict=True), 1) if pair[0] != pair[1]
        ]
        # A list written item by item begins on the line of its key and may change on any of its own.
        first = obj.origin.line_of(name)
        assert all(first <= number <= first + 6 for number in changed)
        assert len(changed) <= 1 or old_lines[first - 1].rstrip(" noe#t").endswith(":")


@given(st.data())
@examples(150)
def test_any_edits_read_back_as_the_edited_cluster(data: st.DataObject) -> None:
    text = data.draw(yaml_texts(data.draw(object_lists())))
    before = after = read(text)
    for _ in range(data.draw(st.integers(1, 4))):
        after = edited(data, after)
    saved = save(text, before, after)
    assert list(differing(read(saved), after)) == []


def edited(data: st.DataObject, cluster: Cluster) -> Cluster:
    """The cluster after one random edit."""
    known = {f"{obj.kind} {obj.name}": obj for obj in own(cluster)}
    what = data.draw(st.sampled_from(["set", "set", "unset", "add", "remove", "rename"] if known else ["add"]))
    if what == "add":
        kind = data.draw(st.sampled_from(sorted(FIELDS)))
        return cluster.with_object(data.draw(objects(kind, data.draw(object_names(kind)))))
    obj = known[data.draw(st.sampled_from(sorted(known)))]
    if what == "remove":
        return cluster.without(obj.kind, obj.name)
    if what == "rename":
        name = data.draw(object_names(obj.kind))
        if spec(obj.kind).single or name in cluster.objects(obj.kind):
            return cluster
        return cluster.without(obj.kind, obj.name).with_object(obj.renamed(name))
    name = data.draw(st.sampled_from(FIELDS[obj.kind]))
    value = data.draw(field_texts(spec(obj.kind).by_name.get(name))) if what == "set" else None
    return cluster.with_object(obj.with_value(name, value))


def test_nothing_is_the_word_and_no_list_of_it() -> None:
    for field, items in (("pe_list", "[smp]"), ("hostlist", "[a, b]"), ("complex_values", "[a=1]")):
        text = f"queues: {{q: {{{field}: {items}}}}}\n"
        before = read_texts(Layout.YAML, "c", {"c.yaml": text}).cluster
        after = before.with_object(before.objects(Kind.QUEUE)["q"].with_value(field, "NONE"))
        assert save(text, before, after) == f"queues: {{q: {{{field}: NONE}}}}\n"


@st.composite
def commented_lists(draw: st.DrawFn) -> tuple[str, list[str]]:
    """What stands behind a key, one item a line with comments above and behind, and the items."""
    items = draw(st.lists(st.sampled_from(["aa", "bb", "cc", "dd", "ee"]), min_size=2, unique=True))
    flow = draw(st.booleans())
    lines = ["["] if flow else []
    for item in items:
        lines += [f"# above {item}"] * draw(st.booleans())
        written = item + "," * (item != items[-1]) if flow else f"- {item}"
        lines.append(written + f"   # behind {item}" * draw(st.booleans()))
    lines += ["]"] if flow else []
    return "\n".join(f"      {line}" for line in lines), items


@given(commented_lists(), st.data())
@examples(80)
def test_comments_stay_with_the_items_that_stay(commented: tuple[str, list[str]], data: st.DataObject) -> None:
    written, items = commented
    wanted = [item for item in items if data.draw(st.booleans())] or items[:1]
    for item in data.draw(st.lists(st.sampled_from(["xx", "yy"]), unique=True, max_size=2)):
        wanted.insert(data.draw(st.integers(0, len(wanted))), item)
    text = f"queues:\n  q:\n    pe_list:\n{written}\n    seq_no: 1\n"
    before = read(text)
    queue = before.objects(Kind.QUEUE)["q"].with_value("pe_list", " ".join(wanted))
    after = save(text, before, before.with_object(queue)).splitlines()
    for line in text.splitlines():
        comment = line[line.find("#") :] if "#" in line else ""
        item = comment[-2:]
        if item in wanted:
            assert [item in now.partition("#")[0] for now in after if comment in now] == ["behind" in comment], line
