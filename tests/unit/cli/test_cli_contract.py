"""The JSON shapes and exit codes of DESIGN section 5, key by key and type by type: other programs rely on them."""

import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from qmon_tui.cli import main

CONFIGS = Path(__file__).parents[3] / "configs"
SHIPPED = ("teaching", "site", "broken", "broken-qconf")

Capture = pytest.CaptureFixture[str]
Shape = Any
"""A type, a tuple of types, a list of one shape, a mapping with fixed keys, `{str: shape}` for any keys, OrNull."""

NUMBER = (int, float)
TEXT_OR_NULL = (str, type(None))
TICKETS = {name: NUMBER for name in ("prior", "ntckts", "tckts", "otckt", "ftckt", "stckt", "share")}


@dataclass(frozen=True)
class OrNull:
    """This shape or null."""

    shape: Shape


CHECK: Shape = {
    "findings": [
        {
            "rule": str, "severity": str, "kind": str, "name": str, "field": TEXT_OR_NULL, "message": str,
            "hint": TEXT_OR_NULL, "file": TEXT_OR_NULL, "line": (int, type(None)),
        }
    ]
}  # fmt: skip
CLOSED_BY: Shape = {"calendar": str, "suspends": bool, "until": TEXT_OR_NULL}
SCHEDULE: Shape = {
    "at": str,
    "jobs": [
        {
            "id": int, "name": str, "owner": str, "project": TEXT_OR_NULL, "department": str, "slots": int,
            "nurg": NUMBER, "npprior": NUMBER, "ppri": int,
            "urg": NUMBER, "rrcontr": NUMBER, "wtcontr": NUMBER, "dlcontr": NUMBER, "ovrts": NUMBER, **TICKETS,
            "tasks": [{"task": int, "state": str, "granted": {str: int}, "reserved": {str: int}, **TICKETS}],
            "rejected": TEXT_OR_NULL, "reasons": [str],
        }
    ],
    "queue_instances": [
        {"name": str, "state": str, "used": int, "reserved": int, "total": int, "values": {str: str},
         "closed_by?": CLOSED_BY}
    ],
    "messages": [str],
    "sharetree?": [
        {"path": str, "name": str, "user": TEXT_OR_NULL, "project": TEXT_OR_NULL, "shares": int,
         "level": NUMBER, "total": NUMBER, "jobs": int, "running": int,
         "long_term": NUMBER, "target": NUMBER, "actual": NUMBER, "usage": NUMBER}
    ],
}  # fmt: skip
CHANGE = dict.fromkeys(("description", "kind", "name", "field", "before", "after", "command"), str)
BOUND = {"value": NUMBER, "job": (int, type(None)), "task": (int, type(None)), "state": str}
MISSING = dict.fromkeys(("what", "level", "place", "words", "wanted", "offered", "total", "lack"), str)
WHY: Shape = {
    "job": int, "task": int, "state": str, "prior": NUMBER, "rank": (int, type(None)), "pending": int,
    "terms": [
        {"name": str, "weight": NUMBER, "normalised": NUMBER, "value": NUMBER, "detail": {str: NUMBER},
         "explanation": str, "lowest": OrNull(BOUND), "highest": OrNull(BOUND)}
    ],
    "rejected": TEXT_OR_NULL, "reasons": [str],
    "ahead": [
        {"job": int, "task": int, "name": str, "owner": str, "by": str, "cause": str, "place": str,
         "prior": NUMBER, "lead": NUMBER, "gaps": {str: NUMBER}}
    ],
    "groups": [
        {"why": str, "level": str, "message": str, "attribute": TEXT_OR_NULL, "instances": [str],
         "closed_by?": CLOSED_BY, "details?": [str],
         "holders?": [{"job": int, "task": OrNull(int), "owner": str, "by": str, "amount": NUMBER,
                       "until": TEXT_OR_NULL}]}
    ],
    "tried?": [str],
    "notes?": [str],
    "expected?": {"at": str, "after": str},
    "nearest": OrNull({"place": str, "missing": [MISSING]}),
    "instances": [{"instance": str, "level": str, "message": str, "attribute": TEXT_OR_NULL, "why": str}],
    "changes": [{**CHANGE, "also": [CHANGE], "starts_on": [str], "costs": [str]}],
}  # fmt: skip
DIFF: Shape = {
    "differences": [
        {"kind": str, "name": str, "what": str,
         "fields": [{"field": str, "before": TEXT_OR_NULL, "after": TEXT_OR_NULL}]}
    ]
}  # fmt: skip
CONVERT: Shape = {"path": str, "layout": str, "files": [str]}
INFO: Shape = {
    "versions": {str: TEXT_OR_NULL},
    "paths": {"program": str, "python": str},
    "cluster": {"name": str, "path": str, "layout": str, "dialect": str, "files": int, "jobs": int},
    "objects": {str: int},
}


def misfits(value: Any, shape: Shape, place: str = "") -> list[str]:
    """Where a value does not have the shape: other keys, or another type.

    `not_simulated` may be said anywhere; a key that ends with a question mark may be left out.
    """
    if isinstance(shape, OrNull):
        return [] if value is None else misfits(value, shape.shape, place)
    if isinstance(shape, list):
        if not isinstance(value, list):
            return [f"{place}: no list"]
        return [wrong for number, each in enumerate(value) for wrong in misfits(each, shape[0], f"{place}[{number}]")]
    if isinstance(shape, Mapping):
        if not isinstance(value, dict):
            return [f"{place}: no object"]
        if str in shape:
            return [wrong for key, each in value.items() for wrong in misfits(each, shape[str], f"{place}.{key}")]
        left_out = {key for key in shape if key.endswith("?") and key[:-1] not in value}
        shape = {key.removesuffix("?"): each for key, each in shape.items() if key not in left_out}
        if set(value) - {"not_simulated"} != set(shape):
            return [f"{place}: keys {sorted(set(value) ^ set(shape))}"]
        return [wrong for key in shape for wrong in misfits(value[key], shape[key], f"{place}.{key}")]
    return (
        [] if isinstance(value, shape) and (shape is bool or not isinstance(value, bool)) else [f"{place}: {value!r}"]
    )


def answered(capsys: Capture, *arguments: str) -> tuple[int, Any]:
    """The exit code and what was printed as JSON, which is all that stdout may hold."""
    code = main([*arguments, "--format", "json"])
    return code, json.loads(capsys.readouterr().out, parse_constant=pytest.fail)


@pytest.mark.parametrize(("name", "code"), [("teaching", 0), ("site", 0), ("broken", 1), ("broken-qconf", 1)])
def test_check(capsys: Capture, name: str, code: int) -> None:
    answer = answered(capsys, "check", str(CONFIGS / name))
    assert answer[0] == code
    assert misfits(answer[1], CHECK) == []
    assert {finding["severity"] for finding in answer[1]["findings"]} <= {"error", "warning", "info"}
    assert all(re.fullmatch(r"[a-z_]+(\.[a-z0-9_]+)+", finding["rule"]) for finding in answer[1]["findings"])


@pytest.mark.parametrize("name", SHIPPED)
def test_schedule(capsys: Capture, name: str) -> None:
    code, shape = answered(capsys, "schedule", str(CONFIGS / name))
    assert code == (2 if "broken" in name else 0)
    assert misfits(shape, SCHEDULE) == []
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([+-]\d\d:\d\d)?", shape["at"])
    names = [instance["name"] for instance in shape["queue_instances"]]
    assert len(names) == len(set(names))
    assert all(job["tasks"] or job["rejected"] for job in shape["jobs"])


def test_task_states_are_those_of_qstat(capsys: Capture) -> None:
    _, shape = answered(capsys, "schedule", str(CONFIGS / "site"))
    states = {task["state"] for job in shape["jobs"] for task in job["tasks"]}
    assert {"qw", "hqw", "r", "t"} <= states
    assert all(re.fullmatch(r"E?d?R?(h?qw|[rtsST]+)", state) for state in states)
    # A task is at a place just when it has been given one.
    assert all(
        bool(task["granted"]) == (not task["state"].endswith("qw")) for job in shape["jobs"] for task in job["tasks"]
    )


def test_values_are_those_of_qstat_f(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "cluster.yaml").write_text(
        "complexes:\n"
        "  memc: {shortcut: memc, type: MEMORY, relop: <=, requestable: YES, consumable: YES, default: 0, urgency: 0}\n"
        "  lic: {shortcut: lic, type: INT, relop: <=, requestable: YES, consumable: YES, default: 0, urgency: 0}\n"
        "hosts: {global: {complex_values: lic=3}, sim1: {complex_values: memc=3G}}\n"
        "queues: {all.q: {hostlist: sim1, slots: 2, load_thresholds: NONE}}\n"
        "loads: {sim1: {np_load_avg: 0.3, mem_free: 1500M}}\n"
        "jobs: [{owner: anna, qsub: '-l memc=1G,lic=1 sleep 5'}]\n"
    )
    _, shape = answered(capsys, "schedule", str(tmp_path))
    (instance,) = shape["queue_instances"]
    assert (instance["name"], instance["used"], instance["total"]) == ("all.q@sim1", 1, 2)
    values = instance["values"]
    assert (values["hc:memc"], values["gc:lic"], values["qc:slots"]) == ("2.000G", "2", "1")
    assert values["hl:mem_free"] == "1.465G"
    assert all(re.fullmatch("[ghq][clf]:[^ ]+", name) for name in values)
    assert shape["jobs"][0]["tasks"] == [
        {**shape["jobs"][0]["tasks"][0], "task": 1, "state": "t", "granted": {"all.q@sim1": 1}, "reserved": {}}
    ]


@pytest.mark.parametrize(("name", "job"), [("teaching", "7"), ("teaching", "1"), ("site", "112.7"), ("site", "120")])
def test_why(capsys: Capture, name: str, job: str) -> None:
    code, shape = answered(capsys, "why", str(CONFIGS / name), job)
    assert code == 0
    assert misfits(shape, WHY) == []
    assert f"{shape['job']}.{shape['task']}".startswith(job)
    assert {reason["level"] for reason in shape["instances"]} <= {"global", "host", "queue", ""}


@pytest.mark.parametrize(("b", "code"), [("teaching", 0), ("site", 1), ("broken-qconf", 2)])
def test_diff(capsys: Capture, b: str, code: int) -> None:
    answer = answered(capsys, "diff", str(CONFIGS / "teaching"), str(CONFIGS / b))
    assert answer[0] == code
    assert misfits(answer[1], DIFF) == []
    assert {change["what"] for change in answer[1]["differences"]} <= {"added", "removed", "changed"}
    assert bool(answer[1]["differences"]) == bool(code)


@pytest.mark.parametrize("layout", ["yaml", "qconf"])
def test_convert(capsys: Capture, tmp_path: Path, layout: str) -> None:
    code, shape = answered(capsys, "convert", str(CONFIGS / "teaching"), str(tmp_path / "new"), "--to", layout)
    assert code == 0
    assert misfits(shape, CONVERT) == []
    assert shape["layout"] == layout
    assert shape["files"] == sorted(
        str(path.relative_to(tmp_path / "new")) for path in (tmp_path / "new").rglob("*") if path.is_file()
    )


def test_info(capsys: Capture) -> None:
    code, shape = answered(capsys, "info", str(CONFIGS / "site"))
    assert code == 0
    assert misfits(shape, INFO) == []
    assert misfits(answered(capsys, "info")[1], {key: INFO[key] for key in ("versions", "paths")}) == []


REFUSED = {
    "no folder": ["check", "/nowhere/at/all"],
    "a file": ["schedule", str(CONFIGS / "teaching" / "jobs.yaml")],
    "another file": ["info", str(CONFIGS / "teaching" / "jobs.yaml")],
    "no cluster": ["why", str(CONFIGS), "1"],
    "one of two": ["diff", str(CONFIGS / "teaching"), "/nowhere/at/all"],
    "no such job": ["why", str(CONFIGS / "teaching"), "99999999999999999999"],
    "no such task": ["why", str(CONFIGS / "teaching"), "7.2"],
    "a far time": ["schedule", str(CONFIGS / "teaching"), "--at", "+99999999999999999999h"],
    "a time in the past": ["schedule", str(CONFIGS / "teaching"), "--at=-5m"],
    "a full folder": ["convert", str(CONFIGS / "site"), str(CONFIGS / "teaching"), "--to", "qconf"],
    "a name that is no file's": ["convert", str(CONFIGS / "broken"), "{tmp}", "--to", "qconf"],
}


@pytest.mark.parametrize("arguments", REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("output_format", ["table", "json"])
def test_unusable_input_is_one_sentence_and_nothing_is_written(
    capsys: Capture, tmp_path: Path, arguments: list[str], output_format: str
) -> None:
    arguments = [argument.format(tmp=tmp_path / "new") for argument in arguments]
    assert main([*arguments, "--format", output_format]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"qmon-tui {arguments[0]}: ")
    assert captured.err.count("\n") == 1
    assert "should not happen" not in captured.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("+90s", "2011-04-06T12:01:30"),
        ("+1h", "2011-04-06T13:00:00"),
        ("+1:00:00", "2011-04-06T13:00:00"),
        ("2011-04-07", "2011-04-07T00:00:00"),
        ("2011-04-06T12:00:01", "2011-04-06T12:00:01"),
    ],
)
def test_the_time_of_a_run_counts_from_the_folders(capsys: Capture, at: str, expected: str) -> None:
    assert answered(capsys, "schedule", str(CONFIGS / "teaching"), "--at", at)[1]["at"] == expected


def test_a_later_run_lets_waiting_jobs_gain(capsys: Capture, tmp_path: Path) -> None:
    copy = shutil.copytree(CONFIGS / "teaching", tmp_path / "copy")
    policy = copy / "policy.yaml"
    policy.write_text(policy.read_text().replace("weight_waiting_time: 0.000000", "weight_waiting_time: 1"))
    now, later = (
        {job["id"]: job["wtcontr"] for job in answered(capsys, "schedule", str(copy), *at)[1]["jobs"]}
        for at in ([], ["--at", "+1h"])
    )
    assert {number: later[number] - now[number] for number in now} == dict.fromkeys(range(1, 9), 3600)


def test_an_empty_folder_is_an_empty_cluster(capsys: Capture, tmp_path: Path) -> None:
    assert answered(capsys, "check", str(tmp_path)) == (0, {"findings": []})
    code, shape = answered(capsys, "schedule", str(tmp_path))
    assert code == 0
    assert (shape["jobs"], shape["queue_instances"]) == ([], [])
