"""Offers of an attribute: its value in complex_values of each host and queue, and the text with a changed value."""

from collections.abc import Iterator
from typing import NamedTuple

from qmon_tui.model import Cluster, ConfigObject, Kind, complex_index, overrides_of
from qmon_tui.values import BLANK_OR_COMMA, COMMA, is_none, join_entries, split_entries

FIELD = "complex_values"
GLOBAL = "global"


class Offer(NamedTuple):
    """One place where an attribute is or may be offered."""

    kind: Kind
    name: str
    key: str | None
    """The host or @group of a queue's override; None for the default of the queue, and for a host."""
    text: str | None
    """Value of the attribute in this place; None if it has none."""

    @property
    def place(self) -> str:
        """`global`, a host, a queue, or `all.q@node01`."""
        return self.name if self.key is None else f"{self.name}@{self.key}"


def offers_of(cluster: Cluster, attribute: str) -> tuple[Offer, ...]:
    """Return the offers of the host global, of all hosts, then of all queues, each followed by its overrides."""
    hosts = cluster.objects(Kind.HOST)
    names = (GLOBAL, *(name for name in hosts if name != GLOBAL))
    offers = [Offer(Kind.HOST, name, None, _value(cluster, _text(cluster, name), attribute)) for name in names]
    for queue in cluster.objects(Kind.QUEUE).values():
        offers += _of_queue(cluster, queue, attribute)
    return tuple(offers)


def text_with_offer(cluster: Cluster, attribute: str, offer: Offer, value: str | None) -> str:
    """Return complex_values of the host or queue with this value of the attribute; None removes the attribute.

    Raises ValueError if the present list cannot be read.
    """
    if offer.kind is Kind.HOST:
        return _changed(cluster, _text(cluster, offer.name), attribute, value)
    overrides = overrides_of(cluster.objects(Kind.QUEUE)[offer.name].text(FIELD))
    if offer.key is None:
        return overrides.with_default(_changed(cluster, overrides.default or "NONE", attribute, value)).text()
    before = overrides.get(offer.key)
    return overrides.with_key(offer.key, _changed(cluster, before or "NONE", attribute, value)).text()


def _text(cluster: Cluster, host: str) -> str:
    obj = cluster.get(Kind.HOST, host)
    return obj.text(FIELD) if obj is not None else "NONE"


def _of_queue(cluster: Cluster, queue: ConfigObject, attribute: str) -> Iterator[Offer]:
    overrides = overrides_of(queue.text(FIELD))
    yield Offer(Kind.QUEUE, queue.name, None, _value(cluster, overrides.default or "", attribute))
    for key, text in overrides.keyed:
        yield Offer(Kind.QUEUE, queue.name, key, _value(cluster, text, attribute))


def _value(cluster: Cluster, text: str, attribute: str) -> str | None:
    try:
        entries = split_entries(text, BLANK_OR_COMMA)
    except ValueError:
        return None
    index = complex_index(cluster)
    return next(
        (value for word, value in entries if (entry := index.find(word)) is not None and entry.name == attribute), None
    )


def _changed(cluster: Cluster, text: str, attribute: str, value: str | None) -> str:
    """Return the list with the value in the attribute's present position, or at the end; None removes it."""
    index = complex_index(cluster)
    entries = [] if is_none(text) else list(split_entries(text, BLANK_OR_COMMA))
    changed: list[tuple[str, str]] = []
    placed = False
    for word, old in entries:
        entry = index.find(word)
        if entry is None or entry.name != attribute:
            changed.append((word, old))
        elif value is not None and not placed:
            changed.append((word, value))
            placed = True
    if value is not None and not placed:
        changed.append((attribute, value))
    return join_entries(changed, COMMA) if changed else "NONE"
