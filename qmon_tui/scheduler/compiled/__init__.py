"""The compiled form of a cluster: every text that a run needs parsed once and kept for as long as its object lives."""
