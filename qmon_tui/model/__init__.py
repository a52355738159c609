"""The cluster, its state and the outcome of a run as immutable values, and the catalogue of every field of every kind.

All of them can be pickled.
"""

from qmon_tui.model.read_only import read_only

__all__ = ["read_only"]
