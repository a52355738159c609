"""The cluster as a whole: queues x hosts as a map, and the listings of `qstat -g c`, `qstat -f` and `qhost`."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.report.cluster.cluster_map import ClusterMap as ClusterMap, MapCell as MapCell, mark_sign as mark_sign
    from qmon_tui.report.cluster.listing_tables import (
        HOST_FIELDS as HOST_FIELDS,
        INSTANCE_FIELDS as INSTANCE_FIELDS,
        LISTING_FILTER_FIELDS as LISTING_FILTER_FIELDS,
        QUEUE_FIELDS as QUEUE_FIELDS,
        AnyLine as AnyLine,
        ListingField as ListingField,
        ListingRow as ListingRow,
        ListingTable as ListingTable,
        SortOrder as SortOrder,
    )
    from qmon_tui.report.cluster.qstat_listings import (
        HostLine as HostLine,
        InstanceLine as InstanceLine,
        QueueLine as QueueLine,
        host_lines as host_lines,
        host_names as host_names,
        instance_lines as instance_lines,
        queue_lines as queue_lines,
    )
    from qmon_tui.report.cluster.queue_state_letters import legend_lines as legend_lines, state_lines as state_lines
else:
    __getattr__ = late_names(__name__, __file__)
