"""Effective configuration of a host, its own or else the global one (sge_conf(5)); and parameters in configurations.

These are `params` of the scheduler configuration and `qmaster_params` of the global one, as 8.1.9 reads them.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import Cluster, ConfigObject
from qmon_tui.model.kinds import Kind
from qmon_tui.model.memoize import memoized
from qmon_tui.values import BLANK_OR_COMMA, canonical, is_none, split_names

GLOBAL = "global"

GLOBAL_ONLY = frozenset(
    (
        *("shell_start_mode", "login_shells", "min_uid", "min_gid", "administrator_mail", "projects", "xprojects"),
        *("max_unheard", "loglevel", "max_aj_instances", "max_aj_tasks", "max_u_jobs", "max_jobs"),
        *("max_advance_reservations", "enforce_project", "enforce_user", "auto_user_oticket", "auto_user_fshare"),
        *("auto_user_default_project", "auto_user_delete_time", "qmaster_params", "reporting_params", "finished_jobs"),
        *("reprioritize", "jsv_url", "jsv_allowed_mod"),
    )
)
"""Fields that only count in the global configuration: in that of a host the qmaster stores, but ignores them."""

WHOLE_LINES = frozenset(
    (
        *("prolog", "epilog", "starter_method", "suspend_method", "resume_method", "terminate_method"),
        *("user_lists", "xuser_lists", "projects", "xprojects", "qmaster_params", "execd_params", "reporting_params"),
        *("qlogin_command", "qlogin_daemon", "rlogin_command", "rlogin_daemon", "rsh_command", "rsh_daemon"),
        *("jsv_url", "jsv_allowed_mod", "additional_jvm_args"),
    )
)
"""Fields of a configuration that keep several words, up to a tab; of all others the qmaster keeps the first word."""


def kept_value(field: str, text: str) -> str:
    """Return the part of a configuration field's text that the qmaster keeps (configuration.md#several-words)."""
    words = text.strip().split("\t" if field in WHOLE_LINES else None, 1)
    return words[0].rstrip() if words else text


@memoized(size=64)
def kept_configuration(obj: ConfigObject) -> ConfigObject:
    """Return a configuration with values as the qmaster keeps them; the same object if none changes."""
    changed = {name: kept for name, text in obj.values.items() if (kept := kept_value(name, text)) != text}
    return obj.with_values(changed) if changed else obj


def configuration_of(cluster: Cluster, name: str) -> ConfigObject | None:
    """Return the configuration of a host, or the one for `global`, as the qmaster keeps it; None if there is none."""
    obj = cluster.get(Kind.CONFIGURATION, name)
    return kept_configuration(obj) if obj is not None else None


@dataclass(frozen=True, slots=True)
class Setting:
    """One effective setting of a host."""

    field: str
    text: str
    origin: str
    """Name of the configuration that gives it; empty for the default."""
    without_effect: str | None = None
    """Text in the host's own configuration that is ignored."""


def effective_configuration(cluster: Cluster, host: str) -> tuple[Setting, ...]:
    """Return all settings of a host, or of the cluster for `global`: fields of the catalogue, then unknown ones."""
    return tuple(_settings(cluster, host))


def inherited(cluster: Cluster, obj: ConfigObject, field: str) -> tuple[str, str] | None:
    """Return the inherited text of a field and its source; None if the object gives the field itself."""
    if obj.kind is not Kind.CONFIGURATION or obj.name == GLOBAL or obj.given(field) is not None:
        return None
    everywhere = configuration_of(cluster, GLOBAL)
    global_text = everywhere.given(field) if everywhere is not None else None
    return (global_text, GLOBAL) if global_text is not None else (obj.text(field), "default")


def hosts_that_differ(cluster: Cluster, field: str) -> tuple[tuple[str, str], ...]:
    """Return (host, text) for each host whose own configuration gives the field."""
    objects = map(kept_configuration, cluster.objects(Kind.CONFIGURATION).values())
    return tuple((obj.name, obj.values[field]) for obj in objects if obj.name != GLOBAL and field in obj.values)


def _settings(cluster: Cluster, host: str) -> Iterator[Setting]:
    everywhere = configuration_of(cluster, GLOBAL)
    own = configuration_of(cluster, host) if host != GLOBAL else None
    known = spec(Kind.CONFIGURATION).by_name
    unknown = (name for obj in (everywhere, own) if obj is not None for name in obj.values if name not in known)
    for field in dict.fromkeys((*known, *unknown)):
        own_text = own.given(field) if own is not None else None
        global_text = everywhere.given(field) if everywhere is not None else None
        ignored = own_text if own_text is not None and field in GLOBAL_ONLY else None
        if own_text is not None and ignored is None:
            yield Setting(field, own_text, host)
        elif global_text is not None:
            yield Setting(field, global_text, GLOBAL, ignored)
        else:
            yield Setting(field, known[field].default if field in known else "", "", ignored)


def known_hosts(cluster: Cluster) -> frozenset[str]:
    """Return the names, in lower case, of all execution, administrative and submit hosts, without `global`."""
    return _known(
        cluster.objects(Kind.HOST), cluster.single(Kind.ADMIN_HOSTS).text("entries"),
        cluster.single(Kind.SUBMIT_HOSTS).text("entries"),
    )  # fmt: skip


@memoized(size=8)
def _known(hosts: Mapping[str, ConfigObject], admin: str, submit: str) -> frozenset[str]:
    listed = (name for text in (admin, submit) if not is_none(text) for name in split_names(text, BLANK_OR_COMMA))
    return frozenset(canonical(name) for name in (*hosts, *listed)) - {"global"}


_SEPARATORS: Final = re.compile(r"[,;\s]+")
_DURATION: Final = "DURATION"
"""The qmaster compares only these first letters of the name DURATION_OFFSET."""


class Param(NamedTuple):
    """One setting in the field."""

    word: str
    """Text as written."""
    name: str
    """Name in upper case; case does not count."""
    value: str | None
    """Text after the equals sign; None if there is none."""

    @property
    def is_on(self) -> bool:
        """True if the switch is on: no value, one that begins with 1, or true; any other value is off."""
        return self.value is None or self.value.startswith("1") or self.value.lower() == "true"


def params_of(text: str) -> dict[str, Param]:
    """Return name -> setting; of several settings of a name the last one counts."""
    return {setting.name: setting for setting in all_params(text)}


def all_params(text: str) -> tuple[Param, ...]:
    """Return the settings in the order of the text; the word none is ignored."""
    return tuple(_setting(word) for word in _SEPARATORS.split(text) if word and word.lower() != "none")


def _setting(word: str) -> Param:
    name, equals, value = word.partition("=")
    name = name.upper()
    if name.startswith(_DURATION):
        name = "DURATION_OFFSET"
    return Param(word, name, value if equals else None)


@dataclass(frozen=True, slots=True)
class Rescheduling:
    """Parameters that control rescheduling, as 8.1.9 reads them (sge_conf(5))."""

    ends_others: bool
    """ENABLE_RESCHEDULE_KILL: rescheduling ends a task that is not rerunnable."""
    minds_slaves: bool
    """ENABLE_RESCHEDULE_SLAVE: rescheduling any queue of a parallel task reschedules it, not only its master queue."""
    is_automatic: bool
    """False with DISABLE_AUTO_RESCHEDULING: tasks on unreachable hosts are then not rescheduled."""
    keeps_submission: bool
    """OLD_RESCHEDULE_BEHAVIOR: a rescheduled job keeps its submission time."""
    keeps_submission_of_arrays: bool
    """OLD_RESCHEDULE_BEHAVIOR_ARRAY_JOB: the same for array jobs."""
    forbids_exit_99: bool = False
    """FORBID_RESCHEDULE: exit status 99 does not reschedule a task."""
    forbids_exit_100: bool = False
    """FORBID_APPERROR: exit status 100 does not put a job into the error state."""


@memoized(size=4)
def rescheduling_of(cluster: Cluster) -> Rescheduling:
    """Return a cluster's parameters of rescheduling."""
    configuration = configuration_of(cluster, GLOBAL)
    given = params_of(configuration.text("qmaster_params") if configuration is not None else "")

    def is_on(name: str) -> bool:
        return name in given and given[name].is_on

    return Rescheduling(
        ends_others=is_on("ENABLE_RESCHEDULE_KILL"),
        minds_slaves=is_on("ENABLE_RESCHEDULE_SLAVE"),
        is_automatic=not is_on("DISABLE_AUTO_RESCHEDULING"),
        keeps_submission=is_on("OLD_RESCHEDULE_BEHAVIOR"),
        keeps_submission_of_arrays=is_on("OLD_RESCHEDULE_BEHAVIOR_ARRAY_JOB"),
        forbids_exit_99=is_on("FORBID_RESCHEDULE"),
        forbids_exit_100=is_on("FORBID_APPERROR"),
    )
