"""A configuration in the eyes of the qmaster, which takes all user sets for access lists.

The scheduler knows only those of type ACL. So what the qmaster decides by itself (who may submit, qsub -w, qrsub,
whether it takes over a start) may differ from what the scheduler decides (matching.md section 15).
"""

from dataclasses import replace

from qmon_tui.scheduler.compiled.cluster import Compiled
from qmon_tui.scheduler.compiled.identity import IdentityCache

_seen: IdentityCache[Compiled] = IdentityCache(4)


def as_qmaster(compiled: Compiled) -> Compiled:
    """The same configuration where nothing is a matter of user sets' types."""
    if all(userset.is_list for userset in compiled.usersets.values()):
        return compiled
    return _seen.get((compiled,), lambda: _as_qmaster(compiled))


def _as_qmaster(compiled: Compiled) -> Compiled:
    return replace(
        compiled,
        usersets={name: replace(userset, is_list=True) for name, userset in compiled.usersets.items()},
        territory=compiled.qmaster_territory or compiled.territory,
        qmaster_territory=None,
    )
