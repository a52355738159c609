"""qmon-tui: the terminal cockpit for Grid Engine."""
