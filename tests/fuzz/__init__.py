"""Random damage to everything that is read: `python -m tests.fuzz [INPUTS] [SEED]` (or `make fuzz`)."""
