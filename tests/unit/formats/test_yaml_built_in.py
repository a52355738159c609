"""Edits of built-in objects in YAML files: what is left out would come back."""

import pytest

from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.workspace.edits import RenameObject
from tests.unit.formats.test_yaml_edit import Edit, saved, setting

ARCH, GPU = "  arch:\n    urgency: {}\n", "  gpu: {shortcut: g, type: INT}\n"
USERS = "{type: ACL, entries: ann}"


def without(*names: str, added: str = "") -> Edit:
    def edit(cluster: Cluster) -> Cluster:
        for name in names:
            cluster = cluster.without(Kind.COMPLEX, name)
        given = {"name": added, "shortcut": "l", "type": "INT"}
        return cluster.with_object(config_object(Kind.COMPLEX, added, given)) if added else cluster

    return edit


def renamed(kind: Kind, name: str, new: str) -> Edit:
    return RenameObject(kind, name, new).apply


@pytest.mark.parametrize(
    ("before", "edit", "after"),
    [
        (ARCH.format(5) + GPU, without("arch"), GPU + "  arch: NONE\n"),
        (ARCH.format(5) + GPU, without("gpu"), ARCH.format(5)),
        ("  arch: NONE\n" + GPU, without("gpu"), "  arch: NONE\n"),
        (GPU, without("arch"), GPU + "  arch: NONE\n"),
        (GPU, without("arch", "cpu", added="lic"),
         GPU + "  lic: {shortcut: l, type: INT}\n  arch: NONE\n  cpu: NONE\n"),
        (ARCH.format(5) + GPU, setting(Kind.COMPLEX, "arch", "urgency", None), ARCH.format(0) + GPU),
        (ARCH.format(5) + GPU, setting(Kind.COMPLEX, "arch", "urgency", "7"), ARCH.format(7) + GPU),
        (GPU.replace("INT", "DOUBLE"), setting(Kind.COMPLEX, "gpu", "type", None), "  gpu: {shortcut: g}\n"),
        (GPU, setting(Kind.COMPLEX, "gpu", "type", "DOUBLE"), GPU.replace("INT", "DOUBLE")),
        (GPU, renamed(Kind.COMPLEX, "gpu", "gpus"), GPU.replace("gpu", "gpus")),
    ],
)  # fmt: skip
def test_of_built_in_attributes_what_is_left_out_would_come_back(before: str, edit: Edit, after: str) -> None:
    assert saved("complexes:\n" + before, edit) == "complexes:\n" + after


def test_a_renamed_built_in_list_is_said_not_to_be_there() -> None:
    text = f"usersets:\n  deadlineusers: {USERS}\n  staff: {USERS}\n"
    after = f"usersets:\n  late: {USERS}\n  staff: {USERS}\n"
    assert saved(text, renamed(Kind.USERSET, "deadlineusers", "late")) == f"{after}  deadlineusers: NONE\n"
    assert saved(after, renamed(Kind.USERSET, "staff", "crew")) == after.replace("staff", "crew")
