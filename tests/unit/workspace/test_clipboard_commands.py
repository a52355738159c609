"""The qconf commands that are offered for copying, run by the real qconf: they store the value, and show the object."""

import shlex
from collections.abc import Iterator

import pytest

from qmon_tui.formats.qconf.qconf_edit import new_file
from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster import QconfAttribute, show_line
from tests.differential.qmaster import Qmaster, running_qmaster, why_unavailable

pytestmark = pytest.mark.qmaster

ADD = {
    Kind.PE: ("-Ap", "mpi"),
    Kind.QUEUE: ("-Aq", "all.q"),
    Kind.HOSTGROUP: ("-Ahgrp", "@some"),
    Kind.CKPT: ("-Ackpt", "c1"),
    Kind.CALENDAR: ("-Acal", "night"),
    Kind.PROJECT: ("-Aprj", "blue"),
    Kind.USERSET: ("-Au", "staff"),
    Kind.USER: ("-Auser", "anna"),
    Kind.HOST: ("-Ae", "localhost"),
    Kind.QUOTA: ("-Arqs", "limits"),
}
VALUES = [
    (Kind.QUEUE, "slots", "1,[localhost=4]"),
    (Kind.QUEUE, "pe_list", "mpi"),
    (Kind.QUEUE, "pe_list", "NONE"),
    (Kind.QUEUE, "load_thresholds", "np_load_avg=2"),
    (Kind.PE, "slots", "7"),
    (Kind.CKPT, "when", "xs"),
    (Kind.CALENDAR, "week", "mon=on"),
    (Kind.USERSET, "type", "ACL DEPT"),
    (Kind.PROJECT, "acl", "staff"),
    (Kind.USER, "fshare", "7"),
    (Kind.HOSTGROUP, "hostlist", "localhost"),
    (Kind.HOSTGROUP, "hostlist", "NONE"),
    (Kind.HOST, "complex_values", "slots=4"),
    (Kind.HOST, "complex_values", "NONE"),
    (Kind.QUOTA, "enabled", "FALSE"),
]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Qmaster]:
    if reason := why_unavailable():
        pytest.skip(reason)
    with running_qmaster() as qmaster:
        fill(qmaster)
        yield qmaster


def fill(qmaster: Qmaster) -> None:
    """One object of each kind that can be added."""
    for kind, (option, name) in ADD.items():
        known = spec(kind)
        values = {field.name: field.default for field in known.fields if not field.dialects and field.default}
        if kind is Kind.QUOTA:
            values["limit"] = "users * to slots=5"
        obj = config_object(kind, name, {**values, **({known.name_field: name} if known.name_field else {})})
        qmaster.must("qconf", option, qmaster.file(option, new_file(obj, single_line=True, dialect_name="")))


@pytest.mark.parametrize(("kind", "field", "text"), VALUES)
def test_the_command_stores_the_value(cluster: Qmaster, kind: Kind, field: str, text: str) -> None:
    name = ADD[kind][1]
    command = QconfAttribute(kind, name, field, text).line
    assert command is not None
    cluster.must(*shlex.split(command))
    stored = [line.split(None, 1) for line in cluster.must(*shlex.split(show_line(kind, name))).splitlines()]
    assert [field, text] in [[word.strip() for word in pair] for pair in stored]


@pytest.mark.parametrize(
    "kind", [kind for kind in Kind if kind not in (Kind.SHARETREE, Kind.OPERATORS, Kind.SUBMIT_HOSTS)]
)
def test_the_command_shows_the_object(cluster: Qmaster, kind: Kind) -> None:
    name = ADD[kind][1] if kind in ADD else "global"
    assert cluster.must(*shlex.split(show_line(kind, name)))
