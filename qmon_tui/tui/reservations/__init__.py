"""The place of the advance reservations."""
