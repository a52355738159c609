"""Cluster queues and queue instances (queue_conf(5)); instances with equal fields share one `QueueProfile`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from qmon_tui.model import Cluster, ConfigObject, EffectiveValue, groups_of, overrides_of, queue_hosts, select_override
from qmon_tui.scheduler.configuration.access_lists import ACCESS_FIELDS, Access, access_of
from qmon_tui.scheduler.configuration.attribute_values import Value, configured_values, entries_of
from qmon_tui.scheduler.configuration.complex_attributes import AttributeTable
from qmon_tui.scheduler.configuration.lenient_parsing import boolean, number, unsigned
from qmon_tui.values import (
    BLANK_OR_COMMA,
    Calendar,
    Subordinates,
    is_none,
    parse_subordinates,
    parse_week,
    parse_year,
    split_names,
)

TIME_LIMITS = ("s_rt", "h_rt", "s_cpu", "h_cpu")
MEMORY_LIMITS = tuple(f"{kind}_{what}" for what in ("fsize", "data", "stack", "core", "rss", "vmem") for kind in "sh")
LIMITS = TIME_LIMITS + MEMORY_LIMITS + ("min_cpu_interval",)

BUILT_IN = frozenset({"qname", "hostname", "slots", "tmpdir", "seq_no", "rerun", "calendar", *LIMITS})
"""Attributes that every queue instance has from its own fields.

Source: matching.md#built-in-attributes-of-queue-instances.
"""

_PROFILE_FIELDS = (
    *("seq_no", "slots", "qtype", "pe_list", "ckpt_list", "load_thresholds", "suspend_thresholds", "nsuspend"),
    *("suspend_interval", "calendar", "tmpdir", "rerun", "complex_values", "initial_state", "subordinate_list"),
    *ACCESS_FIELDS,
    *LIMITS,
)


@dataclass(frozen=True, slots=True)
class QueueProfile:
    """The field values of queue instances, shared by instances of a cluster queue with equal fields."""

    seq_no: int
    slots: int
    batch: bool
    interactive: bool
    pe_list: tuple[str, ...]
    ckpt_list: tuple[str, ...]
    load_thresholds: tuple[tuple[str, str], ...]
    suspend_thresholds: tuple[tuple[str, str], ...]
    nsuspend: int
    """The number of tasks to suspend or resume per suspend_interval; 0 if suspend_interval is 0."""
    suspend_interval: float
    """Seconds."""
    access: Access
    configured: Mapping[str, Value]
    """complex_values, with slots, which the qmaster adds."""
    fields: Mapping[str, Value]
    """The built-in attributes except qname and hostname."""
    calendar: str | None
    subordinates: Subordinates | None
    starts_disabled: bool
    ambiguous: bool
    """True if hostgroups of the host have contradicting overrides for a field (state c)."""

    @property
    def is_plain(self) -> bool:
        """True if the configuration gives instances no state: no calendar, not initially disabled, not ambiguous."""
        return self.calendar is None and not self.starts_disabled and not self.ambiguous


@dataclass(frozen=True, slots=True)
class QueueAlternatives:
    """All values that a cluster queue's fields have on some host, to rule out the whole queue.

    Source: matching.md#rules-for-a-whole-cluster-queue.
    """

    configured: tuple[Mapping[str, Value], ...]
    limits: Mapping[str, tuple[Value, ...]]
    """Field -> its values, for fields that can be requested as attributes."""
    user_lists: tuple[tuple[str, ...], ...]
    xuser_lists: tuple[tuple[str, ...], ...]
    projects: tuple[tuple[str, ...], ...]
    xprojects: tuple[tuple[str, ...], ...]
    pe_lists: tuple[tuple[str, ...], ...]
    interactive: bool
    """True if some instance may be interactive."""


@dataclass(frozen=True, slots=True)
class QueueInstance:
    """One queue instance."""

    name: str
    queue: str
    host: str
    profile: QueueProfile
    fields: Mapping[str, Value]
    """The built-in attributes, including those of the profile."""


@dataclass(frozen=True, slots=True)
class ClusterQueue:
    """One cluster queue with its instances in the order of its host list."""

    name: str
    alternatives: QueueAlternatives
    instances: tuple[QueueInstance, ...]


def scheduling_key(obj: ConfigObject) -> object:
    """Return the fields that the scheduler reads; objects with equal keys compile to equal cluster queues."""
    return obj.name, obj.text("hostlist"), tuple(_texts(obj).values()), tuple(_texts_by_host(obj).items())


def _texts(obj: ConfigObject) -> dict[str, str]:
    return {field: obj.text(field) for field in _PROFILE_FIELDS}


def _texts_by_host(obj: ConfigObject) -> dict[str, str]:
    """Return all fields with overrides: fields that the scheduler does not read can make an instance ambiguous, too."""
    texts = {**obj.values, **_texts(obj)}
    return {field: text for field, text in texts.items() if "[" in text and field != "hostlist"}


def compile_queue(cluster: Cluster, obj: ConfigObject, attributes: AttributeTable) -> ClusterQueue:
    """Parse one cluster queue; hosts with equal fields share one profile."""
    texts, differing = _texts(obj), _texts_by_host(obj)
    shared = {field: overrides_of(text).default or "" for field, text in texts.items()}
    profiles: dict[tuple[object, ...], QueueProfile] = {}
    instances: list[QueueInstance] = []
    for host in queue_hosts(cluster, obj):
        groups = groups_of(cluster, host) if differing else frozenset()
        chosen = {field: select_override(overrides_of(text), host, groups) for field, text in differing.items()}
        ambiguous = _is_ambiguous(chosen)
        key = (ambiguous, *(effective.text for effective in chosen.values()))
        profile = profiles.get(key)
        if profile is None:
            field_texts = shared | {field: effective.text for field, effective in chosen.items()}
            profile = profiles[key] = _profile(field_texts, ambiguous, attributes)
        fields = {**profile.fields, "qname": Value(obj.name), "hostname": Value(host)}
        instances.append(QueueInstance(f"{obj.name}@{host}", obj.name, host, profile, fields))
    return ClusterQueue(obj.name, _alternatives(texts, attributes), tuple(instances))


def _is_ambiguous(chosen: Mapping[str, EffectiveValue]) -> bool:
    """True if hostgroups of the host contradict each other and the qmaster notices it.

    8.1.9 does not notice a contradiction in complex_values alone, unless that has an entry for slots, or slots are set
    for the host itself: its check of slots, made during that of complex_values, resets the result.
    """
    contradicting = {field for field, effective in chosen.items() if effective.ambiguous}
    if contradicting != {"complex_values"}:
        return bool(contradicting)
    slots = chosen.get("slots")
    entries = entries_of(chosen["complex_values"].text, BLANK_OR_COMMA)
    return any(name == "slots" for name, _ in entries) or (slots is not None and slots.origin == "host")


def _profile(texts: Mapping[str, str], ambiguous: bool, attributes: AttributeTable) -> QueueProfile:
    slots = unsigned(texts["slots"])
    configured = dict(configured_values(texts["complex_values"], BLANK_OR_COMMA, attributes))
    configured["slots"] = Value(str(slots), float(slots))
    seq_no = unsigned(texts["seq_no"])
    interval = number(texts["suspend_interval"])
    rerun = boolean(texts["rerun"])
    fields = {
        "slots": configured["slots"],
        "tmpdir": Value(texts["tmpdir"]),
        "seq_no": Value(str(seq_no), float(seq_no)),
        "rerun": Value(str(int(rerun)), float(rerun)),
        "calendar": Value(texts["calendar"]),
        **{name: Value(texts[name], number(texts[name])) for name in LIMITS},
    }
    calendar = None if is_none(texts["calendar"]) else texts["calendar"].strip()
    types = {word.upper() for word in split_names(texts["qtype"], BLANK_OR_COMMA)}
    return QueueProfile(
        seq_no=seq_no,
        slots=slots,
        batch="BATCH" in types,
        interactive="INTERACTIVE" in types,
        pe_list=split_names(texts["pe_list"], BLANK_OR_COMMA),
        ckpt_list=split_names(texts["ckpt_list"], BLANK_OR_COMMA),
        load_thresholds=entries_of(texts["load_thresholds"], BLANK_OR_COMMA),
        suspend_thresholds=entries_of(texts["suspend_thresholds"], BLANK_OR_COMMA),
        nsuspend=unsigned(texts["nsuspend"]) if interval else 0,
        suspend_interval=interval,
        access=access_of(texts, BLANK_OR_COMMA),
        configured=configured,
        fields=fields,
        calendar=calendar,
        subordinates=_subordinates(texts["subordinate_list"]),
        starts_disabled=texts["initial_state"].strip().lower() == "disabled",
        ambiguous=ambiguous,
    )


def _subordinates(text: str) -> Subordinates | None:
    """Parse a subordinate list; None for NONE or a syntax error."""
    if is_none(text):
        return None
    try:
        return parse_subordinates(text)
    except ValueError:
        return None


def _alternatives(texts: Mapping[str, str], attributes: AttributeTable) -> QueueAlternatives:
    def all_texts(field: str) -> tuple[str, ...]:
        overrides = overrides_of(texts[field])
        return (overrides.default or "", *(text for _, text in overrides.keyed))

    def names(field: str) -> tuple[tuple[str, ...], ...]:
        return tuple(split_names(text, BLANK_OR_COMMA) for text in all_texts(field))

    limits = {name: tuple(Value(text, number(text)) for text in all_texts(name)) for name in LIMITS}
    # 8.1.9 compares a request for s_fsize with the limits of s_data.
    limits["s_fsize"] = limits["s_data"]
    limits["calendar"] = tuple(Value(text) for text in all_texts("calendar"))
    return QueueAlternatives(
        configured=tuple(configured_values(text, BLANK_OR_COMMA, attributes) for text in all_texts("complex_values")),
        limits=limits,
        user_lists=names("user_lists"),
        xuser_lists=names("xuser_lists"),
        projects=names("projects"),
        xprojects=names("xprojects"),
        pe_lists=names("pe_list"),
        interactive=any("INTERACTIVE" in text.upper() for text in all_texts("qtype")),
    )


Entries = TypeVar("Entries")


def compile_calendar(obj: ConfigObject) -> Calendar:
    """Parse one calendar; a list with a syntax error (which the qmaster would refuse) counts as empty."""
    return Calendar(_entries(parse_year, obj.text("year")), _entries(parse_week, obj.text("week")))


def _entries(parse: Callable[[str], tuple[Entries, ...]], text: str) -> tuple[Entries, ...]:
    try:
        return parse(text)
    except ValueError:
        return ()
