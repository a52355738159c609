"""Names for the clauses of a quota rule, and its limits as a table; no Textual here."""

from collections.abc import Iterator
from dataclasses import dataclass

from qmon_tui.model import Cluster, Field, Kind, Separator, State, ValueType, is_dynamic, resolve_group
from qmon_tui.report import count
from qmon_tui.tui.forms import EntriesTable, TableRow
from qmon_tui.values import is_none, split_entries

Choice = tuple[str, str]
"""A name and what one should know about it."""

LIMITS = Field("to", ValueType.ENTRIES, "NONE", "", refers_to=Kind.COMPLEX, separator=Separator.COMMA)
_KINDS = {"projects": Kind.PROJECT, "pes": Kind.PE, "queues": Kind.QUEUE}
_ALL = {
    "users": "everybody",
    "projects": "every job with a project",
    "pes": "every parallel job",
    "queues": "every cluster queue",
    "hosts": "every host",
}


def choices_for(cluster: Cluster, state: State, keyword: str) -> tuple[Choice, ...]:
    """All names that a filter can mean, `*` first, groups before what they are made of."""
    return (("*", _ALL[keyword]), *_names(cluster, state, keyword))


def users_of(cluster: Cluster, state: State) -> tuple[Choice, ...]:
    """Configured users, then those who only have jobs."""
    jobs: dict[str, int] = {}
    for job in state.jobs:
        jobs[job.owner] = jobs.get(job.owner, 0) + 1
    names = dict.fromkeys((*cluster.objects(Kind.USER), *jobs))
    return tuple((name, count(jobs[name], "job") if name in jobs else "") for name in names)


def hosts_of(cluster: Cluster) -> tuple[Choice, ...]:
    """The hosts that have queues or a configuration."""
    return tuple((name, "") for name in cluster.objects(Kind.HOST) if name != "global")


def _names(cluster: Cluster, state: State, keyword: str) -> Iterator[Choice]:
    if keyword == "users":
        for name, userset in cluster.objects(Kind.USERSET).items():
            is_list = "ACL" in userset.text("type").upper()
            yield f"@{name}", "userset" if is_list else "department: the scheduler does not look into it"
        yield from users_of(cluster, state)
    elif keyword == "hosts":
        for name in cluster.objects(Kind.HOSTGROUP):
            yield name, count(len(resolve_group(cluster, name)), "host")
        yield from hosts_of(cluster)
    else:
        yield from ((name, "") for name in cluster.objects(_KINDS[keyword]))


@dataclass(frozen=True, slots=True)
class LimitsTable(EntriesTable):
    """The limits of a rule: attributes with values of their types, or with formulas where the hosts are in braces."""

    heads: tuple[str, str] = ("attribute", "limit")

    @property
    def rows(self) -> tuple[TableRow, ...]:
        return tuple(self._limit(name, value) for name, value in self.entries)

    @property
    def text(self) -> str:
        return ",".join(f"{name}={value}" for name, value in self.entries) or "NONE"

    def _limit(self, name: str, value: str) -> TableRow:
        if is_dynamic(value):
            return TableRow(name, value, "worked out for each host")
        return self._row(name, value)


def limits_table(cluster: Cluster, text: str) -> LimitsTable | None:
    """Return the table of a rule's limits; None if they cannot be parsed."""
    try:
        return LimitsTable(cluster, LIMITS, () if is_none(text) else split_entries(text, Separator.COMMA))
    except ValueError:
        return None
