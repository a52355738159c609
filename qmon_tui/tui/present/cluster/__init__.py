"""The cluster as a whole: queues x hosts as a map, and the listings of `qstat -g c`, `qstat -f` and `qhost`."""
