"""Verdicts of a real qmaster 8.1.9, and the cluster on which they were tried.

Of every recorded case that is more than an error of file syntax the fields that differ from the template are kept.
"""

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

from qmon_tui.checks import check_object
from qmon_tui.model.cluster import Cluster, ConfigObject, config_object
from qmon_tui.model.findings import Finding, Severity
from qmon_tui.model.kinds import Kind

_FOLDER = Path(__file__).parents[2] / "data" / "checks"


@cache
def recorded(name: str) -> Any:
    with gzip.open(_FOLDER / f"{name}.json.gz", "rt", encoding="utf-8") as file:
        return json.load(file)


@cache
def context() -> Cluster:
    """The cluster before each case: 68 attributes, 4 hosts, 4 hostgroups, and two or three objects of other kinds."""
    objects = [
        config_object(Kind(kind), name, values)
        for kind, named in recorded("context").items()
        for name, values in named.items()
    ]
    return Cluster().with_objects(objects)


def errors(cluster: Cluster, obj: ConfigObject) -> list[Finding]:
    """What is wrong with an object so that the qmaster refuses it."""
    return [finding for finding in check_object(cluster, obj) if finding.severity is Severity.ERROR]


def warnings(cluster: Cluster, obj: ConfigObject) -> list[Finding]:
    """What is only suspicious about an object."""
    return [finding for finding in check_object(cluster, obj) if finding.severity is Severity.WARNING]


def first_message(cluster: Cluster, obj: ConfigObject) -> str | None:
    """The text with which an object is refused, None if it is accepted."""
    findings = errors(cluster, obj)
    return findings[0].message if findings else None
