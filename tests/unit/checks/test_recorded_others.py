"""The other kinds of object against what a real qmaster said of them (formats.md#reading-rules)."""

from typing import Any

import pytest

from qmon_tui.checks.stored_objects import stored
from qmon_tui.model.cluster import ConfigObject, config_object
from qmon_tui.model.kinds import Kind
from tests.unit.checks.recorded import context, errors, recorded

CASES: list[dict[str, Any]] = [case for case in recorded("others_cases") if "already exists" not in case["message"]]

# What only the machine of the qmaster knows: its resolver, its files and its accounts.
UNKNOWABLE = {
    ("host", "hostname=unknown"),
    ("host", "complex_values=val_hos=nohost.x"),
    ("hostgroup", "hostlist=nohost.x"),
    ("quota", "limit to hostname=nohost.x"),
    ("pe", "qsort_args=/nonexistent fn a b"),
    ("pe", "qsort_args=/x.so fn"),
    ("configuration", "jsv_url=x"),
    ("configuration", "jsv_url=/x"),
    ("configuration", "jsv_url=script:/x"),
    ("configuration", "admin_user=nosuch"),
}
# Refused all the same, but the qmaster's text is that of a slip in its reader.
OTHER_TEXT = {
    ("host", "complex_values=val_int=5,,val_mem=1G"),
    ("quota", "description="),
    ("quota", "name=x{y}"),
    ("project", "name=xäy"),
    ("calendar", "calendar_name=xäy"),
    ("scheduler", "schedd_job_info=job_list"),
    ("scheduler", "load_formula=a$np_load_avg"),
    ("scheduler", "params=JC_FILTxx=1"),
}
# A brace in a description ends the set early, which is an error of file syntax.
SYNTAX = {("quota", "description=text with } brace")}


def of_case(case: dict[str, Any]) -> ConfigObject:
    return config_object(Kind(case["kind"]), case["name"], case["values"])


def label(case: dict[str, Any]) -> str:
    return f"{case['kind']}: {case['label'][:60]}"


@pytest.mark.parametrize("case", [c for c in CASES if (c["kind"], c["label"]) not in SYNTAX], ids=label)
def test_verdict_and_first_message(case: dict[str, Any]) -> None:
    key = case["kind"], case["label"]
    findings = errors(context(), of_case(case))
    if case["accepted"] or key in UNKNOWABLE:
        assert findings == []
    elif key in OTHER_TEXT:
        assert findings != []
    else:
        assert findings[0].message == case["message"]


ADDRESS = "127.0.1.105"
STORED = [c for c in CASES if c.get("stored") and ADDRESS not in str(c["values"]) and c["kind"] != "configuration"]


@pytest.mark.parametrize("case", STORED, ids=label)
def test_what_is_stored(case: dict[str, Any]) -> None:
    kept = stored(context(), of_case(case))
    given = {field: text for field, text in case["stored"].items() if field in kept.values}
    assert {field: kept.text(field) for field in given} == given
