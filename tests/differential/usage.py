"""Past usage in a real qmaster: simulated jobs use nothing, and qconf takes no usage, but the spool does.

The qmaster is ended, its users and projects are written anew with spooledit(8) as they are but with usage, and it is
started again. From then on it fades, and counts, as if it had been used. What the share tree makes of it is read with
sge_share_mon(1).
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from qmon_tui.model.jobs import Amounts
from qmon_tui.model.state import PastUsage, State, Usage
from tests.differential.qmaster import BINARIES, Qmaster

SPOOLEDIT: Final = str(BINARIES / "spooledit")
SHARE_MON: Final = str(BINARIES / "sge_share_mon")
NODE_FIELDS: Final = (
    *("node_name", "user_name", "project_name", "shares", "level%", "total%", "actual_share", "usage"),
    "usage_time",
)

_AMOUNT_FIELDS: Final = ("UA_name  { 2450, 67336 }", "UA_value { 2451, 65538 }")
_PROJECT_FIELDS: Final = (
    "UPP_name            { 140900, 67336 }",
    "UPP_usage           { 140901, 65545 }",
    "UPP_long_term_usage { 140902, 65545 }",
)
_ERROR: Final = 0x4000
"""The bit of error among the states of a queue instance."""
_PREFIXES: Final = {"USER": "UU", "PROJECT": "PR"}


def as_of(state: State, moment: int) -> PastUsage:
    """The usage of a state, its times shifted so that the state is that of another moment."""

    def shifted(usages: Mapping[str, Usage]) -> dict[str, Usage]:
        later = moment - state.now
        return {
            name: Usage(usage.amounts, usage.by_project, (state.now if usage.time is None else usage.time) + later)
            for name, usage in usages.items()
        }

    return PastUsage(shifted(state.usage.users), shifted(state.usage.projects))


def give_usage(qmaster: Qmaster, book: PastUsage) -> None:
    """Let users and projects that are loaded have used something; the qmaster is started anew."""
    if not book:
        return
    changed: dict[str, str] = {}
    for kind, usages in (("USER", book.users), ("PROJECT", book.projects)):
        for name, usage in usages.items():
            key = f"{kind}:{name}"
            changed[key] = _with_usage(qmaster.must(SPOOLEDIT, "dump", key), _PREFIXES[kind], usage)
    _load_spooled(qmaster, changed)


def give_states(qmaster: Qmaster, letters: Mapping[str, str]) -> None:
    """Put loaded queue instances into error state; the qmaster is started anew, which sorts its lists by name."""
    keys = [f"QINSTANCE:{name.replace('@', '/')}" for name, shown in letters.items() if "E" in shown]
    if not keys:
        return
    changed = {
        key: re.sub(r"(/\* QU_state *\*/) \d+", rf"\1 {_ERROR}", qmaster.must(SPOOLEDIT, "dump", key)) for key in keys
    }
    _load_spooled(qmaster, changed)


def _load_spooled(qmaster: Qmaster, texts: Mapping[str, str]) -> None:
    qmaster.stop()
    for key, text in texts.items():
        qmaster.must(SPOOLEDIT, "load", key, qmaster.file("usage/object", text))
    qmaster.resume()


def _with_usage(dump: str, prefix: str, usage: Usage) -> str:
    fields = {"usage": _amounts(usage.amounts), "long_term_usage": _amounts(usage.amounts)}
    if usage.by_project:
        fields["project"] = _list(_PROJECT_FIELDS, map(_of_project, usage.by_project.items()))
    for name, text in fields.items():
        dump = re.sub(rf"(/\* {prefix}_{name} *\*/) empty", rf"\1 full\n{text}", dump)
    return re.sub(rf"(/\* {prefix}_usage_time_stamp *\*/) \d+", rf"\1 {usage.time}", dump)


def _of_project(item: tuple[str, Amounts]) -> list[str]:
    name, amounts = item
    return [f'"{name}"', f"full\n{_amounts(amounts)}", f"full\n{_amounts(amounts)}"]


def _amounts(amounts: Amounts) -> str:
    return _list(_AMOUNT_FIELDS, ([f'"{kind}"', f"{amount:.6f}"] for kind, amount in amounts.items()))


def _list(fields: tuple[str, ...], elements: Iterable[list[str]]) -> str:
    """A list as spooledit(8) prints it: every line is a comment and a value."""
    names = [field.split()[0] for field in fields]
    found = list(elements)
    lines = ["{ /* LIST BEGIN */", '/* LISTNAME */ ""', f"/* NUMBER OF ELEMENTS */ {len(found)}", "{ /* DESCR BEGIN */"]
    lines.append(f"/* NUMBER OF DESCR FIELDS */ {len(fields)}")
    lines += [f"/* {field.split()[0]} */ {field.split(None, 1)[1]}" for field in fields]
    lines.append("} /* DESCR END */")
    for values in found:
        lines += ["{ ", *(f"/* {name} */ {value}" for name, value in zip(names, values, strict=True)), "}"]
    return "\n".join([*lines, "} /* LIST END */"])


def share_nodes(qmaster: Qmaster) -> tuple[Mapping[str, str], ...]:
    """All nodes of the share tree as sge_share_mon(1) prints them; none where there is no tree."""
    answer = qmaster.run(SHARE_MON, "-c", "1", "-n", "-f", ",".join(NODE_FIELDS))
    found: list[Mapping[str, str]] = []
    for line in answer.out.splitlines():
        fields = dict(field.split("=", 1) for field in line.split("\t") if "=" in field)
        if "node_name" in fields:
            found.append(fields)
    return tuple(found)


def usage_data(book: PastUsage) -> dict[str, Any]:
    """As JSON values."""
    return {
        kind: {
            name: {
                "amounts": dict(usage.amounts),
                "by_project": {project: dict(amounts) for project, amounts in usage.by_project.items()},
                "time": usage.time,
            }
            for name, usage in usages.items()
        }
        for kind, usages in (("users", book.users), ("projects", book.projects))
    }


def usage_of(data: dict[str, Any]) -> PastUsage:
    """From JSON values."""
    users, projects = (
        {name: Usage(**usage) for name, usage in data.get(kind, {}).items()} for kind in ("users", "projects")
    )
    return PastUsage(users, projects)
