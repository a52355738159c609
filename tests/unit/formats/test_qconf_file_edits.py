"""Texts of files of a qconf folder and what becomes of them when objects change, come and go."""

from collections.abc import Callable

import pytest

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.folder_writer import edited_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.qconf.complex_table import COLUMNS, write_complexes
from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.kinds import Kind

Edit = Callable[[Cluster], Cluster]
Texts = dict[str, str | None]


def saved(texts: dict[str, str], *edits: Edit) -> Texts:
    cluster = edited = read_texts(Layout.QCONF, "c", texts).cluster
    for edit in edits:
        edited = edit(edited)
    return edited_texts(Layout.QCONF, texts, cluster, edited)


def changed(kind: Kind, name: str, /, **values: str | None) -> Edit:
    def edit(cluster: Cluster) -> Cluster:
        obj = cluster.objects(kind)[name]
        for field, value in values.items():
            obj = obj.with_value(field, value)
        return cluster.with_object(obj)

    return edit


def renamed(kind: Kind, name: str, new: str) -> Edit:
    return lambda cluster: cluster.without(kind, name).with_object(cluster.objects(kind)[name].renamed(new))


def removed(kind: Kind, name: str) -> Edit:
    return lambda cluster: cluster.without(kind, name)


def added(kind: Kind, name: str, /, **values: str) -> Edit:
    own = {field: name for field in (spec(kind).name_field,) if field}
    return lambda cluster: cluster.with_object(config_object(kind, name, {**own, **values}))


def quota(name: str, limit: str, enabled: str = "FALSE", description: str = "NONE") -> str:
    """A set as it is printed."""
    head = f"   name         {name}\n   description  {description}\n   enabled      {enabled}\n"
    return "{\n" + head + f"   limit        {limit}\n}}\n"


def quota_files(**texts: str | None) -> Texts:
    return {f"resource_quotas/{name}": text for name, text in texts.items()}


ONE, TWO, THREE = (quota(name, f"to slots={number}") for number, name in enumerate(("one", "two", "three"), 1))
ODD = "# c\n{\n name one\n # d\n enabled TRUE\n limit to slots=1\n}\n# e\n"
BOTH_RENAMED = (renamed(Kind.QUOTA, "one", "new"), renamed(Kind.QUOTA, "two", "neu"))
ENABLED = changed(Kind.QUOTA, "two", enabled="TRUE")


@pytest.mark.parametrize(
    ("edits", "after"),
    [
        ((ENABLED,), quota_files(one=ONE + TWO.replace("FALSE", "TRUE"))),
        ((removed(Kind.QUOTA, "one"),), quota_files(one=TWO)),
        ((removed(Kind.QUOTA, "one"), ENABLED), quota_files(one=TWO.replace("FALSE", "TRUE"))),
        ((removed(Kind.QUOTA, "one"), removed(Kind.QUOTA, "two")), quota_files(one=None)),
        ((removed(Kind.QUOTA, "three"),), quota_files(three=None)),
        ((added(Kind.QUOTA, "z", limit="to gpu=1"),), quota_files(z=quota("z", "to gpu=1"))),
        ((renamed(Kind.QUOTA, "one", "new"),), quota_files(one=ONE.replace("one", "new") + TWO)),
        ((renamed(Kind.QUOTA, "two", "new"),), quota_files(one=ONE + TWO.replace("two", "new"))),
        (BOTH_RENAMED, quota_files(one=ONE.replace("one", "new") + TWO.replace("two", "neu"))),
        ((renamed(Kind.QUOTA, "three", "new"),), quota_files(three=None, new=THREE.replace("three", "new"))),
        (
            (renamed(Kind.QUOTA, "three", "new"), changed(Kind.QUOTA, "new", enabled="TRUE")),
            quota_files(three=None, new=quota("new", "to slots=3", "TRUE")),
        ),
    ],
)
def test_quota_sets_of_a_file_of_two_and_one_of_its_own(edits: tuple[Edit, ...], after: Texts) -> None:
    assert saved({"resource_quotas/one": ONE + TWO, "resource_quotas/three": THREE}, *edits) == after


@pytest.mark.parametrize(
    ("before", "edit", "after"),
    [
        (ONE[:-1], changed(Kind.QUOTA, "one", enabled="TRUE"), ONE[:-1].replace("FALSE", "TRUE")),
        (ONE, changed(Kind.QUOTA, "one", limit="a\nb"), ONE.replace("to slots=1", "a\n   limit        b")),
        (ONE, changed(Kind.QUOTA, "one", limit=None), ONE.replace("   limit        to slots=1\n", "")),
        # A set that lacks an attribute is printed anew; what stands around it stays.
        (ODD, changed(Kind.QUOTA, "one", description="x"), f"# c\n{quota('one', 'to slots=1', 'TRUE', 'x')}# e\n"),
        (ODD, removed(Kind.QUOTA, "one"), "# c\n# e\n"),
    ],
)
def test_one_quota_set(before: str, edit: Edit, after: str) -> None:
    assert saved({"resource_quotas/x": before}, edit) == {"resource_quotas/x": after}


PROJECT = "name p\noticket 0\nfshare 0\nacl NONE\nxacl NONE\n"
SHORT = "name p\nfshare 0\n# c\nacl NONE"
XTERM = "xterm                        /y\n"
GLOBAL = "#global:\nexecd_spool_dir /x\nmailer /m\n"


@pytest.mark.parametrize(
    ("file", "before", "edits", "after"),
    [
        ("projects/p", PROJECT, (changed(Kind.PROJECT, "p", colour="red"),), PROJECT + "colour red\n"),
        (
            "projects/p",
            PROJECT,
            (changed(Kind.PROJECT, "p", acl="a,b", oticket="4"),),
            "name p\noticket 4\nfshare 0\nacl a,b\nxacl NONE\n",
        ),
        # A line that is missing is put behind the nearest that is printed before it, with the line end it lacks.
        ("projects/p", SHORT, (changed(Kind.PROJECT, "p", oticket="4"),), SHORT.replace("p\n", "p\noticket 4\n")),
        ("projects/p", SHORT, (changed(Kind.PROJECT, "p", xacl="z"),), SHORT + "\nxacl z\n"),
        ("projects/p", SHORT, (changed(Kind.PROJECT, "p", acl="z"),), SHORT.replace("NONE", "z")),
        ("projects/p", SHORT[7:], (changed(Kind.PROJECT, "p", oticket="4"),), "oticket 4\n" + SHORT[7:]),
        # What is taken from an object has its default, what the catalogue does not know goes.
        ("projects/p", PROJECT.replace("NONE", "a"), (changed(Kind.PROJECT, "p", acl=None, xacl=None),), PROJECT),
        ("projects/p", PROJECT + "colour red\n", (changed(Kind.PROJECT, "p", colour=None),), PROJECT),
        ("projects/p", "# c\nacl NONE\n", (changed(Kind.PROJECT, "p", fshare="4"),), "# c\nfshare 4\nacl NONE\n"),
        ("configurations/global", GLOBAL, (changed(Kind.CONFIGURATION, "global", xterm="/y"),), GLOBAL + XTERM),
        (
            "configurations/global",
            GLOBAL,
            (changed(Kind.CONFIGURATION, "global", mailer=None),),
            GLOBAL.replace("mailer /m\n", ""),
        ),
    ],
)
def test_one_object_of_a_file(file: str, before: str, edits: tuple[Edit, ...], after: str) -> None:
    assert saved({file: before}, *edits) == {file: after}


def test_a_new_quota_set_goes_behind_another_that_stands_in_its_file() -> None:
    other = quota("y", "to slots=1")
    edit = added(Kind.QUOTA, "z", limit="to gpu=1")
    for text in (other, other[:-1]):
        assert saved({"resource_quotas/z": text}, edit) == {"resource_quotas/z": other + quota("z", "to gpu=1")}


def test_an_object_with_another_name_takes_its_file_along() -> None:
    edits = (renamed(Kind.PROJECT, "p", "q"), changed(Kind.PROJECT, "q", acl="z"))
    after = PROJECT.replace("name p", "name q").replace("\nacl NONE", "\nacl z")
    assert saved({"projects/p": PROJECT}, *edits) == {"projects/p": None, "projects/q": after}


def test_a_new_object_is_printed_with_all_that_it_has() -> None:
    assert saved({"projects/p": PROJECT}, added(Kind.PROJECT, "r", fshare="3")) == {
        "projects/r": PROJECT.replace("name p", "name r").replace("fshare 0", "fshare 3")
    }
    assert saved({"configurations/global": GLOBAL}, added(Kind.CONFIGURATION, "h", mailer="/z")) == {
        "configurations/h": "#h:\nmailer                       /z\n\n"
    }


GPU, LIC = "gpu g INT <= YES YES 0 0\n", "  lic   l INT <= \\\n YES NO 0 0"
X = "x x INT <= YES NO 0 0\n"
NEW = added(Kind.COMPLEX, "x", **dict(zip(COLUMNS, X.split(), strict=True)))


@pytest.mark.parametrize(
    ("before", "edits", "after"),
    [
        (GPU + "# a\n" + LIC, (NEW,), GPU + "# a\n" + LIC + "\n" + X),
        (GPU + "# a\n" + LIC, (removed(Kind.COMPLEX, "lic"), NEW), GPU + "# a\n\n" + X),
        (GPU + "# a\n" + LIC, (removed(Kind.COMPLEX, "lic"),), GPU + "# a\n"),
        (GPU + "# a\n" + LIC, (removed(Kind.COMPLEX, "gpu"),), "# a\n" + LIC),
        (GPU + LIC + "\n", (changed(Kind.COMPLEX, "lic", urgency="5"),), GPU + LIC[:-1] + "5\n"),
        (
            GPU + LIC + "\n",
            (changed(Kind.COMPLEX, "gpu", shortcut="gg", urgency="7"),),
            "gpu gg INT <= YES YES 0 7\n" + LIC + "\n",
        ),
        ("# only\n\n", (NEW,), "# only\n\n" + X),
        # Of two of one name the first counts, and a line that is no entry stays.
        (GPU + GPU + "bad row\n", (changed(Kind.COMPLEX, "gpu", urgency="5"),), GPU[:-2] + "5\n" + GPU + "bad row\n"),
        (GPU + "bad row\n", (NEW,), GPU + X + "bad row\n"),
    ],
)
def test_a_complex_table_of_ones_own(before: str, edits: tuple[Edit, ...], after: str) -> None:
    assert saved({"centry": before}, *edits) == {"centry": after}


def test_a_complex_table_as_it_is_printed_is_printed_anew() -> None:
    values = dict(zip(COLUMNS, X.split(), strict=True))
    entries = [config_object(Kind.COMPLEX, name, {**values, "name": name, "shortcut": name}) for name in "ayx"]
    assert saved({"centry": write_complexes(entries[:2])}, NEW) == {"centry": write_complexes(entries)}
