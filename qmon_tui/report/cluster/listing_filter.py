"""The filter of the listings of queues, queue instances and hosts: `state=E queue=all.q host=@rackb load>20`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from qmon_tui.report.cluster.listing_tables import AnyLine
from qmon_tui.report.cluster.qstat_listings import HostLine, InstanceLine, QueueLine
from qmon_tui.report.row_filter import (
    FilterField,
    FilterFields,
    address_test,
    host_test,
    instance_state_test,
)
from qmon_tui.values import decimal_number


@dataclass(frozen=True, slots=True)
class ListingRow:
    """A line of a listing with its queue instances, and the text that words are looked for in."""

    line: AnyLine
    instances: Sequence[InstanceLine]
    text: str


def _queues(row: ListingRow) -> Iterator[str]:
    if isinstance(row.line, QueueLine):
        yield row.line.name
    for instance in row.instances:
        yield from (instance.name, instance.queue)


def _hosts(row: ListingRow) -> Iterator[str]:
    if isinstance(row.line, HostLine):
        yield row.line.name
    yield from (instance.host for instance in row.instances)


def _load(row: ListingRow) -> float | None:
    load = row.line.load
    return decimal_number(load) if isinstance(load, str) else load


def _slots(name: str) -> FilterField[ListingRow]:
    """Return the field of an amount of slots: of a host the sum over its queue instances."""

    def read(row: ListingRow) -> float:
        return float(sum(getattr(instance, name) for instance in row.instances))

    return FilterField(lambda row: (f"{read(row):.0f}",), f"{name} slots", number=read, is_numeric=True)


LISTING_FILTER_FIELDS: Final = FilterFields(
    {
        "queue": FilterField(_queues, "queue or queue instance", special=address_test),
        "host": FilterField(_hosts, "host, node set or @hostgroup", special=host_test),
        "state": FilterField(lambda row: (instance.state for instance in row.instances) if row.instances else ("",),
                             "letters of qstat -f, or error, disabled, suspended, alarm, unknown, none",
                             exact=True, special=instance_state_test),
        "load": FilterField(lambda row: (str(row.line.load),), "load_avg, of a cluster queue CQLOAD", number=_load),
        "used": _slots("used"),
        "total": _slots("total"),
        "reserved": _slots("reserved"),
        "free": FilterField(lambda row: (str(_free(row)),), "slots that are neither used nor reserved",
                            number=lambda row: float(_free(row)), is_numeric=True),
        "type": FilterField(lambda row: (instance.qtype for instance in row.instances), "B, I, P, C as qstat -f has"),
        "drain": FilterField(lambda row: (row.line.drain,), "why it was disabled"),
    },
    lambda row: row.text,
    {"q": "queue", "qs": "state", "slots": "total", "h": "host"},
    {"-q": "queue=={}".format, "-qs": "state={}".format},
    hosts="host",
)  # fmt: skip


def _free(row: ListingRow) -> int:
    return sum(instance.total - instance.used - instance.reserved for instance in row.instances)
