"""Cluster -> findings: what the qmaster refuses, what the specification forbids, what looks wrong."""
