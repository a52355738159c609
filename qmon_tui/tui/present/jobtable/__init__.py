"""The table of all jobs: rows that arrays share until they are opened, qstat's columns, filter, order, totals."""
