"""What stands still and why: subordination, calendars, suspend thresholds, states of queue instances."""
