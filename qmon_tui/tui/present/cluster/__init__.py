"""The cluster as a whole: queues x hosts as a map, and the listings of `qstat -g c`, `qstat -f` and `qhost`."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.present.cluster.cluster_map import ClusterMap, MapCell, mark_sign
    from qmon_tui.tui.present.cluster.listing_tables import (
        HOST_FIELDS,
        INSTANCE_FIELDS,
        QUEUE_FIELDS,
        AnyLine,
        ListingField,
        ListingTable,
        SortOrder,
    )
    from qmon_tui.tui.present.cluster.qstat_listings import (
        HostLine,
        InstanceLine,
        QueueLine,
        host_lines,
        host_names,
        instance_lines,
        queue_lines,
    )
    from qmon_tui.tui.present.cluster.queue_state_letters import legend_lines, state_lines
else:
    __getattr__ = late_names(
        __name__,
        {
            "cluster_map": ("ClusterMap", "MapCell", "mark_sign"),
            "listing_tables": (
                "AnyLine",
                "HOST_FIELDS",
                "INSTANCE_FIELDS",
                "ListingField",
                "ListingTable",
                "QUEUE_FIELDS",
                "SortOrder",
            ),
            "qstat_listings": (
                "HostLine",
                "InstanceLine",
                "QueueLine",
                "host_lines",
                "host_names",
                "instance_lines",
                "queue_lines",
            ),
            "queue_state_letters": ("legend_lines", "state_lines"),
        },
    )

__all__ = [
    "HOST_FIELDS",
    "INSTANCE_FIELDS",
    "QUEUE_FIELDS",
    "AnyLine",
    "ClusterMap",
    "HostLine",
    "InstanceLine",
    "ListingField",
    "ListingTable",
    "MapCell",
    "QueueLine",
    "SortOrder",
    "host_lines",
    "host_names",
    "instance_lines",
    "legend_lines",
    "mark_sign",
    "queue_lines",
    "state_lines",
]
