"""Other families whose configuration is edited between runs: what an edit sets, another cluster of the family has."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any, Final

from qmon_tui.checks import check
from qmon_tui.model.findings import Severity
from tests.differential import families
from tests.differential.drawing import Draw
from tests.differential.editing import cluster_of, edited
from tests.differential.loading import host_names
from tests.differential.scenarios import Scenario
from tests.differential.session import Edit
from tests.differential.shrinking import Draft

NUMBERS: Final = 60
BASES: Final = (
    *("mixed", "mixed", "matching", "matching", "quota", "quota", "pe", "pe", "urgency", "ordering", "reservation"),
    *("calendars", "functional", "sharetree", "access", "override", "arrays", "subordination", "reserved_quota"),
    *("advance", "history", "granting"),
)
SECTIONS: Final = (
    *("queues", "queues", "queues", "hosts", "hosts", "quotas", "quotas", "pes", "complexes", "usersets", "projects"),
    *("users", "calendars", "hostgroups", "scheduler", "scheduler", "configuration"),
)
WHOLE: Final = frozenset({"quotas", "users", "projects", "pes", "calendars", "usersets"})
"""Objects of which whole ones come and go."""
TRIES: Final = 12
_HELD: Final = frozenset({"hosts", "complexes"})
"""Kinds of which advance reservations hold something."""
_OF_AUTOMATIC_USERS: Final = ("auto_user", "enforce_user")
_MARGIN: Final = {
    "queues": {"load_thresholds": "NONE", "calendar": "NONE", "user_lists": "NONE", "projects": "NONE", "seq_no": "3"},
    "quotas": {"enabled": "FALSE"},
}
"""What others of a family may not say, section by section."""


def draw(random: Random) -> Scenario:
    """A scenario of another family with one to three edits before most of its runs but the first."""
    family = families.families()[random.choice(BASES)]
    return over(random, family.draw(random), Draft.of(family.draw(random)).cluster)


def over(random: Random, base: Scenario, other: Mapping[str, Any]) -> Scenario:
    """The same with any scenario; what edits set, the `other` cluster has."""
    done: list[Edit] = []
    lines: list[str] = []
    first = True
    for line in base.session.splitlines():
        if line == "run" and not first and random.random() < 0.85:
            # What is submitted and reserved is judged by what is there then: edits come before that.
            place = len(lines) - lines[::-1].index("run")
            lines[place:place] = map(_line, _edits(random, base, done, other))
        first = first and line != "run"
        lines.append(line)
    return replace(base, session="\n".join(lines) + "\n")


def _edits(random: Random, base: Scenario, done: list[Edit], other: Mapping[str, Any]) -> Iterator[Edit]:
    files, reserves = base.files, "qrsub" in base.session
    for _ in range(random.choice((1, 1, 2, 3))):
        for _ in range(TRIES):
            edit = _edit(random, Draft.of(Scenario("", edited(files, done), "")).cluster, other)
            if edit is not None and _is_known(files, done, edit, reserves) and _is_possible(files, done, edit):
                done.append(edit)
                yield edit
                break


def _edit(random: Random, sections: Mapping[str, Any], other: Mapping[str, Any]) -> Edit | None:
    """One field as in another object of the kind, or a whole object that comes or goes."""
    kind = random.choice([name for name in SECTIONS if name in sections])
    if kind == "scheduler":
        field = random.choice([*other.get(kind, {})] or ["weight_urgency"])
        return Edit(kind, kind, field, str(other.get(kind, {}).get(field, "1")))
    here, there = sections[kind], other.get(kind, {})
    if kind in WHOLE and random.random() < 0.3:
        return _whole(random, kind, here, there)
    if not here:
        return None
    fields = {**_MARGIN.get(kind, {}), **(random.choice([*there.values()]) if there else {})}
    if not fields:
        return None
    name, field = random.choice([*here]), random.choice([*fields])
    text = fields[field]
    if isinstance(text, str):
        return Edit(kind, name, field, text)
    return Edit(kind, name, "", json.dumps({**here[name], field: text}))


def _whole(random: Random, kind: str, here: Mapping[str, Any], there: Mapping[str, Any]) -> Edit | None:
    drawn: list[Draw] = []
    if here:
        drawn.append(lambda: "")
    if there:
        drawn.append(lambda: json.dumps(random.choice([*there.values()])))
    if not drawn:
        return None
    text = random.choice(drawn)()
    name = random.choice([*there] if text else [*here])
    return Edit(kind, name, "", text)


def _is_known(files: Mapping[str, str], done: list[Edit], edit: Edit, reserves: bool) -> bool:
    """Tell whether the state can know what an edit does.

    What advance reservations hold of a host counts as taken for ever once the host is edited, and as free once the
    attribute is.

    With a host group the qmaster works out anew what is set for it, but only in queues whose host lists name it. And
    users that were made by themselves stay as they were made, or away once they are removed. With an attribute that
    stays as it is nothing is booked anew.
    """
    if edit.field.startswith(_OF_AUTOMATIC_USERS) or (reserves and edit.kind in _HELD):
        return False
    sections = Draft.of(Scenario("", edited(files, done), "")).cluster
    if edit.kind == "complexes" and sections["complexes"].get(edit.name, {}).get(edit.field) == edit.text:
        return False
    makes_users = sections.get("configuration", {}).get("global", {}).get("enforce_user") != "none"
    if makes_users and edit.kind == "users" and not (edit.field or edit.text):
        return False
    queues = sections["queues"].values()
    return edit.kind != "hostgroups" or all(
        edit.name in str(queue["hostlist"]).split() or not any(f"[{edit.name}=" in str(text) for text in queue.values())
        for queue in queues
    )


def _is_possible(files: Mapping[str, str], done: list[Edit], edit: Edit) -> bool:
    """Tell whether an edit leaves a cluster without faults, and without hosts that were not there."""
    before, after = (cluster_of(edited(files, edits)) for edits in (done, [*done, edit]))
    return (
        edited(files, done) != edited(files, [*done, edit])
        and host_names(after) <= host_names(before)
        and not any(finding.severity is Severity.ERROR for finding in check(after))
    )


def _line(edit: Edit) -> str:
    if edit.field:
        return f"root# edit {edit.kind} {edit.name} {edit.field}={edit.text}"
    return f"root# put {edit.kind} {edit.name} {edit.text}" if edit.text else f"root# remove {edit.kind} {edit.name}"
