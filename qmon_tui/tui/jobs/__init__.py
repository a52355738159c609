"""The place of the jobs."""
