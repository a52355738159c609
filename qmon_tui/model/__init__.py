"""The cluster as immutable values, and the catalogue of every field of every object kind."""
