"""Faults of our own in the program, and whether the tests that `make quick` chooses notice them: `make mutants`."""
