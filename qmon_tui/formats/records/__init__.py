"""What a cluster says of itself or has written down: qstat, qhost and qquota in XML, accounting files, SWF traces."""
