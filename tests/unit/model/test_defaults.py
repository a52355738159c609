"""What a fresh 8.1.9 has (complex.md#built-in-attributes)."""

import pytest

from qmon_tui.model.catalogue import spec
from qmon_tui.model.defaults import (
    QUEUE_COMPLEXES,
    allowed_types,
    built_in_type,
    default_complexes,
    default_objects,
    is_built_in,
    is_load_value,
)
from qmon_tui.model.kinds import Kind


def test_the_counts_of_the_manual() -> None:
    names = [entry.name for entry in default_complexes()]
    assert len(names) == 52
    assert names == sorted(names)
    assert len(QUEUE_COMPLEXES) == 24
    assert set(names) > QUEUE_COMPLEXES
    assert sum(map(is_load_value, names)) == 28
    assert all(entry.values.keys() == spec(Kind.COMPLEX).by_name.keys() for entry in default_complexes())


def test_queue_attributes_are_queue_fields() -> None:
    fields = {field.name for field in spec(Kind.QUEUE).fields}
    assert QUEUE_COMPLEXES - {"hostname"} < fields


@pytest.mark.parametrize(
    ("name", "types"),
    [
        ("arch", ("STRING", "CSTRING", "RESTRING")),
        ("m_topology_inuse", ("STRING", "CSTRING", "RESTRING")),
        ("hostname", ("HOST",)),
        ("slots", ("INT",)),
        ("h_rt", ("TIME",)),
        ("swap_rate", ("MEMORY",)),
        ("np_load_avg", ("DOUBLE",)),
        ("rerun", ("BOOL",)),
        ("min_cpu_inter", ("TIME",)),
        ("gpu", None),
    ],
)
def test_types_of_built_in_attributes(name: str, types: tuple[str, ...] | None) -> None:
    assert allowed_types(name) == types
    assert is_built_in(name) == (types is not None)
    assert built_in_type(name) in (types or (None,))


def test_the_other_objects() -> None:
    made = {(obj.kind, obj.name): obj for obj in default_objects()}
    assert made[Kind.USERSET, "defaultdepartment"].text("type") == "DEPT"
    assert made[Kind.USERSET, "deadlineusers"].text("entries") == "NONE"
    assert made[Kind.MANAGERS, "managers"].text("entries") == "root"
